"""Do intervals hold, and how wide are they, if a few raters gave most ratings?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.crossed import crossed
from referenceless_metrics.human_evaluation.inference.rated_means import RatedOutputs
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task


@dataclass(frozen=True)
class UnequalRaters:
    """Differences of two systems' outputs of an item by one rater, of mean 0.

    Attributes:
        n_items: items.
        overlap: raters of each item.
        n_raters: raters in all.
        n_heavy: number of raters who gave most ratings.
        share: share of the ratings that these gave, about.
        spreads: standard deviations of items, of raters and of single ratings.
    """

    n_items: int
    overlap: int
    n_raters: int
    n_heavy: int
    share: float
    spreads: tuple[float, float, float]

    @property
    def size(self) -> str:
        """Items, raters and who gave most ratings, in words."""
        return (
            f"{self.n_items} items by {self.overlap} of {self.n_raters} raters, {self.n_heavy} of them "
            f"{self.share:.0%} of ratings"
        )


KINDS = (
    UnequalRaters(320, 3, 40, 4, 0.7, (10, 8, 30)),
    UnequalRaters(960, 1, 40, 4, 0.7, (10, 8, 30)),
    UnequalRaters(320, 3, 40, 4, 0.7, (10, 3, 30)),
    UnequalRaters(320, 3, 40, 4, 0.7, (10, 0, 30)),
    UnequalRaters(100, 2, 40, 10, 0.8, (17, 14, 20)),
    UnequalRaters(50, 3, 10, 2, 0.6, (10, 8, 20)),
    UnequalRaters(50, 3, 10, 2, 0.6, (10, 0, 20)),
    UnequalRaters(30, 2, 6, 1, 0.5, (10, 8, 20)),
    UnequalRaters(30, 1, 40, 4, 0.7, (10, 8, 20)),
    UnequalRaters(50, 3, 20, 0, 0.0, (10, 8, 20)),
)
"""Kinds of studies; in the last, all raters are as likely to rate an item, and so give nearly equal numbers of
ratings."""


def unequal_rater_tasks(_: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals for raters in general that held, with the mean width with plain weights."""
    for kind in KINDS:
        yield partial(_cells, kind, n_draws, seed)


def _cells(kind: UnequalRaters, n_draws: int, seed: int) -> list[HeldCell]:
    generator = np.random.default_rng(seed)
    inside, widths, plain_widths = [], [], []
    for _draw in range(n_draws):
        items, raters, differences = _drawn(generator, kind)
        rated = RatedOutputs(differences, items, raters, np.arange(kind.n_items), np.full(kind.n_items, np.nan))
        low, high = rated.mean(0.95, power=0.0)[0].said.interval()
        inside.append(low <= 0 <= high)
        widths.append(high - low)
        n = len(items)
        low, high = crossed(differences, np.full(n, 1 / n), items, raters).said.interval()
        plain_widths.append(high - low)
    spread = ", ".join(f"{each:g}" for each in kind.spreads)
    data = f"differences, spread of items, raters, ratings {spread}"
    width, beside = float(np.mean(widths)), float(np.mean(plain_widths))
    return [held("difference, raters weighted", data, kind.size, inside, width=width, beside=beside)]


def _drawn(generator: np.random.Generator, kind: UnequalRaters) -> tuple[Integers, Integers, Floats]:
    """Return the item, the rater and the difference of each pair of ratings."""
    n_light = kind.n_raters - kind.n_heavy
    chances = np.full(kind.n_raters, (1 - kind.share) / n_light)
    chances[: kind.n_heavy] = kind.share / max(kind.n_heavy, 1)
    # Without replacement, and with unequal chances: the highest of log(chance) plus Gumbel noise.
    keys = np.log(chances) + generator.gumbel(size=(kind.n_items, kind.n_raters))
    raters = np.argsort(-keys, axis=1)[:, : kind.overlap].ravel()
    items = np.repeat(np.arange(kind.n_items), kind.overlap)
    of_item, of_rater, of_rating = kind.spreads
    differences = generator.normal(0, of_item, kind.n_items)[items]
    differences = differences + generator.normal(0, of_rater, kind.n_raters)[raters]
    return items, raters, differences + generator.normal(0, of_rating, len(items))
