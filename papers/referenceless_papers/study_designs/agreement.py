"""Do the intervals of raters' agreement hold? Ratings drawn from latent opinions, answered on a scale of few points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.studies.agreement import agreement_coefficients
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task

_ITEMS = 10, 15, 20, 50, 100
_MANY = 20_000  # items, over which a coefficient is taken for the truth


@dataclass(frozen=True)
class Raters:
    """Raters of items whose outputs vary by 0.7 between items and by 0.7 within them.

    Attributes:
        name: description in words.
        pool: number of raters.
        overlap: number of raters of an item, with all of its outputs.
        outputs: number of outputs of an item.
        noise: standard deviation of single answers.
        leniency: leniency of the most lenient rater, and less that of the strictest.
        points: number of points of the scale.
    """

    name: str
    pool: int
    overlap: int
    outputs: int
    noise: float
    leniency: float
    points: int


KINDS = (
    Raters("3 raters of all, 5 points", 3, 3, 1, 0.7, 0.3, 5),
    Raters("2 of 6 raters, two outputs an item, 5 points", 6, 2, 2, 0.7, 0.3, 5),
    Raters("3 raters of all, 5 points, much noise", 3, 3, 1, 1.5, 0.0, 5),
    Raters("3 raters of all, 5 points, little noise", 3, 3, 1, 0.25, 0.0, 5),
    Raters("3 raters of all, 2 points", 3, 3, 1, 0.7, 0.5, 2),
)


def agreement_tasks(_: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals of each coefficient that held, by kind of raters and number of items."""
    for raters in KINDS:
        for n_items in _ITEMS:
            yield partial(_cells, raters, n_items, n_draws, seed)


@cache
def _truth(raters: Raters, seed: int) -> dict[str, float]:
    """Return each coefficient over many items."""
    drawn = _drawn(np.random.default_rng(seed), raters, _MANY)
    return {name: found.value for name, found in agreement_coefficients(*drawn).items()}


def _cells(raters: Raters, n_items: int, n_draws: int, seed: int) -> list[HeldCell]:
    true_of = _truth(raters, seed)
    generator = np.random.default_rng(seed + n_items)
    inside: dict[str, list[bool]] = {name: [] for name in true_of}
    widths: dict[str, list[float]] = {name: [] for name in true_of}
    for _draw in range(n_draws):
        for name, found in agreement_coefficients(*_drawn(generator, raters, n_items)).items():
            if found.low == found.low:
                inside[name].append(found.low <= true_of[name] <= found.high)
                widths[name].append(found.high - found.low)
    return [
        held(name, raters.name, f"{n_items} items", of_name, width=float(np.mean(widths[name])))
        for name, of_name in inside.items()
        if len(of_name) >= n_draws / 2
    ]


def _drawn(generator: np.random.Generator, raters: Raters, n_items: int) -> tuple[Integers, Integers, Floats, Integers]:
    """Return the units, raters, ratings and items of a study."""
    n_units = n_items * raters.outputs
    of_items = np.argsort(generator.random((n_items, raters.pool)), axis=1)[:, : raters.overlap]
    who = np.repeat(of_items, raters.outputs, axis=0).ravel()
    units = np.repeat(np.arange(n_units), raters.overlap)
    between = generator.normal(0, 0.7, n_items)
    opinion = np.repeat(between, raters.outputs) + generator.normal(0, 0.7, n_units)
    leniency = np.linspace(-raters.leniency, raters.leniency, raters.pool)
    answers = opinion[units] + leniency[who] + generator.normal(0, raters.noise, len(units))
    cuts = np.linspace(-1.2, 1.2, raters.points - 1) if raters.points > 2 else np.array([0.3])
    return units, who, np.searchsorted(cuts, answers).astype(float), units // raters.outputs
