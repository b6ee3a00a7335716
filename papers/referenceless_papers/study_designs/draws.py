"""Simulation of draws that spend ratings better: intervals and their widths at equal numbers of ratings.

* Simple: items drawn at random.
* Systematic along a metric's difference, and in strata of it: as `sample --along` draws them, and as `human-score` says
  what they show (`along_metric`).
* Unlike items alone: items of which both outputs are equal count 0 (`unlike_items`).

Each interval is `human-score`'s, of a study whose scale is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.along_metric import AlongMetric
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.inference.unlike_items import over_all_items
from referenceless_metrics.human_evaluation.studies.drawn_along import MetricDifference, drawn_along
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.judgements import JudgedSet, e2e, webnlg
from referenceless_papers.study_designs.keeping import Task

SIZES = 20, 50, 100
CORRELATIONS = 0.4, 0.2
"""Of the metric's difference with people's: what good metrics reach on single outputs, and what many do."""

_POPULATION = 1000
_EQUAL = 0.37
"""Share of items of which both outputs are equal, as was seen of two versions of one system."""
_MOST_PAIRS = 20

Scale = tuple[float, float]


@dataclass
class _Intervals:
    """Whether each interval of one kind of draw holds, and its width."""

    inside: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def add(self, interval: tuple[float, float], truth: float) -> None:
        low, high = interval
        self.inside.append(low <= truth <= high)
        self.widths.append(high - low)


def draw_tasks(data_dir: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield what draws how often the intervals of each draw held, and their mean width beside the simple draw's."""
    for set_name in _SETS:
        for n in SIZES:
            for correlation in CORRELATIONS:
                yield partial(_along_cells, data_dir, set_name, n, correlation, n_draws, seed)
            yield partial(_unlike_cells, data_dir, set_name, n, n_draws, seed)


_SETS = {"webnlg": (0.0, 100.0), "e2e": (1.0, 5.0)}
"""Judged sets with the ends of their scales."""


@lru_cache(maxsize=1)
def _pairs(data_dir: str, set_name: str) -> tuple[str, list[Floats]]:
    """Return a set's name, and both ratings of each item, shape (2, items), of the pairs of systems with most items."""
    judged: JudgedSet = webnlg(data_dir, "fluency") if set_name == "webnlg" else e2e(data_dir, "quality", ranks=True)
    of_pairs = sorted((rows[:, 2:].T for rows in judged.pairs().values()), key=lambda both: -both.shape[1])
    return judged.name, of_pairs[:_MOST_PAIRS]


def _interval(
    ratings: Floats,
    items: Integers,
    scale: Scale,
    along: AlongMetric | None = None,
    unlike: tuple[int, int] | None = None,
) -> tuple[float, float]:
    """Return the interval of two systems' difference from their ratings of some of the items, shape (2, items)."""
    none = np.full(len(items), np.nan)
    named = [
        SystemRatings(name, of_system[items], none, items.tolist())
        for name, of_system in zip(("base", "ours"), ratings, strict=True)
    ]
    scores = over_all_items(human_scores(named, scale=scale, along=along), unlike)
    return scores.differences[0].interval()


def _along_cells(data_dir: str, set_name: str, n: int, correlation: float, n_draws: int, seed: int) -> list[HeldCell]:
    judged, pairs = _pairs(data_dir, set_name)
    scale = _SETS[set_name]
    generator = np.random.default_rng(seed)
    simple, systematic, in_strata = _Intervals(), _Intervals(), _Intervals()
    places = np.arange(_POPULATION)
    for draw in range(n_draws):
        both = pairs[draw % len(pairs)]
        truth = float((both[1] - both[0]).mean())
        ratings = both[:, generator.integers(0, both.shape[1], _POPULATION)]
        people = ratings[1] - ratings[0]
        noise = math.sqrt(1 - correlation**2) * generator.normal(size=_POPULATION)
        metric = MetricDifference("made", correlation * people / people.std() + noise)
        simple.add(_interval(ratings, generator.permutation(_POPULATION)[:n], scale), truth)
        for of_draw, strata in ((systematic, False), (in_strata, True)):
            along = drawn_along(metric, places, n, generator, strata=strata)
            items = np.array([each.item for each in along.items])
            of_draw.add(_interval(ratings, items, scale, along), truth)
    data = f"{judged}, metric that correlates at {correlation:g}"
    return [
        _cell("systematic along the metric's difference", data, n, systematic, simple),
        _cell("in strata of the metric's difference", data, n, in_strata, simple),
    ]


def _unlike_cells(data_dir: str, set_name: str, n: int, n_draws: int, seed: int) -> list[HeldCell]:
    judged, pairs = _pairs(data_dir, set_name)
    scale = _SETS[set_name]
    generator = np.random.default_rng(seed)
    simple, unlike = _Intervals(), _Intervals()
    for draw in range(n_draws):
        both = pairs[draw % len(pairs)]
        truth = float((both[1] - both[0]).mean()) * (1 - _EQUAL)
        ratings = both[:, generator.integers(0, both.shape[1], _POPULATION)].copy()
        are_equal = generator.random(_POPULATION) < _EQUAL
        ratings[1, are_equal] = ratings[0, are_equal]
        simple.add(_interval(ratings, generator.permutation(_POPULATION)[:n], scale), truth)
        differing = np.flatnonzero(~are_equal)
        items = generator.choice(differing, n, replace=False)
        unlike.add(_interval(ratings, items, scale, unlike=(len(differing), _POPULATION)), truth)
    return [_cell("unlike items alone", judged, n, unlike, simple)]


def _cell(name: str, data: str, n: int, found: _Intervals, simple: _Intervals) -> HeldCell:
    width, beside = float(np.mean(found.widths)), float(np.mean(simple.widths))
    note = f"The simple draw's held in {np.mean(simple.inside):.1%}; narrower by {1 - width / beside:.1%}."
    return held(f"difference, {name}", data, f"{n} items", found.inside, width=width, beside=beside, note=note)
