"""Simulation of draws that spend ratings better: intervals and their widths at equal numbers of ratings.

* Simple: items drawn at random.
* Systematic along a metric's difference, and in strata of it: as `sample --along` draws them and `human-score` analyses
  them (`along_metric`).
* Unlike items alone: items of which both outputs are equal count 0 (`unlike_items`).

Each interval is `human-score`'s, of a study whose scale is known.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.along_metric import Narrowing
from referenceless_metrics.human_evaluation.inference.borrowed_variance import added_variances
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.studies.drawn_along import DifferenceByItem, drawn_along
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.judgements import JudgedSet, e2e, webnlg
from referenceless_papers.study_designs.keeping import Task

SIZES = 20, 50, 100
CORRELATIONS = 0.4, 0.2
"""Correlations of the metric's difference with people's: of good metrics on single outputs, and of many others."""

_POPULATION = 1000
_EQUAL = 0.37
"""Share of items with two equal outputs, as in two versions of one system."""
_MOST_PAIRS = 20

Scale = tuple[float, float]


@dataclass
class _Means:
    """Differences of one kind of draw, each of people's ratings of n items.

    Attributes:
        values: the means.
        errors: their standard errors.
        freedoms: the degrees of freedom of these.
        truths: true values of the means.
    """

    values: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    freedoms: list[float] = field(default_factory=list)
    truths: list[float] = field(default_factory=list)

    def add(self, differences: Floats, narrowing: Narrowing | None, truth: float) -> None:
        """Add the mean of differences of items, as a draw narrows its inference; None for a simple draw."""
        n = len(differences)
        shift, share, freedom = narrowing or (0.0, 1.0, n - 1.0)
        self.values.append(float(differences.mean()) + shift)
        self.errors.append(math.sqrt(share * float(differences.var(ddof=1)) / n))
        self.freedoms.append(freedom)
        self.truths.append(truth)

    def inference(self, n: int, scale: Scale) -> Inference:
        """Return the inference of `human-score` for each, of n items rated on a scale."""
        values, errors, freedoms = (np.array(each) for each in (self.values, self.errors, self.freedoms))
        plain = Inference(values, errors, freedoms, 0.0)
        return plain.widened(added_variances([plain], [n], scale[1] - scale[0])[0])


def draw_tasks(data_dir: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals of each draw that held, with their mean width beside the simple draw's."""
    for set_name in _SETS:
        for n in SIZES:
            for correlation in CORRELATIONS:
                yield partial(_along_cells, data_dir, set_name, n, correlation, n_draws, seed)
            yield partial(_unlike_cells, data_dir, set_name, n, n_draws, seed)


_SETS = {"webnlg": (0.0, 100.0), "e2e": (1.0, 5.0)}
"""Judged sets with the ends of their scales."""


@lru_cache(maxsize=1)
def _pairs(data_dir: str, set_name: str) -> tuple[str, list[Floats]]:
    """Return a set's name, and the differences of the items of the pairs of systems that have most."""
    judged: JudgedSet = webnlg(data_dir, "fluency") if set_name == "webnlg" else e2e(data_dir, "quality", ranks=True)
    of_pairs = sorted((rows[:, 3] - rows[:, 2] for rows in judged.pairs().values()), key=len, reverse=True)
    return judged.name, of_pairs[:_MOST_PAIRS]


def _along_cells(data_dir: str, set_name: str, n: int, correlation: float, n_draws: int, seed: int) -> list[HeldCell]:
    judged, pairs = _pairs(data_dir, set_name)
    scale = _SETS[set_name]
    generator = np.random.default_rng(seed)
    simple, systematic, in_strata = _Means(), _Means(), _Means()
    places = np.arange(_POPULATION)
    for draw in range(n_draws):
        of_pair = pairs[draw % len(pairs)]
        truth = float(of_pair.mean())
        people = generator.choice(of_pair, _POPULATION)
        noise = math.sqrt(1 - correlation**2) * generator.normal(size=_POPULATION)
        metric = DifferenceByItem("made", correlation * people / people.std() + noise)
        simple.add(people[generator.permutation(_POPULATION)[:n]], None, truth)
        for of_draw, strata in ((systematic, False), (in_strata, True)):
            along = drawn_along(metric, places, n, generator, strata=strata)
            differences = people[[each.item for each in along.items]]
            of_draw.add(differences, along.narrowing(differences, along.items), truth)
    data = f"{judged}, metric that correlates at {correlation:g}"
    alone = simple.inference(n, scale)
    return [
        _cell(name, data, n, found.inference(n, scale), alone, np.array(simple.truths))
        for name, found in (
            ("systematic along the metric's difference", systematic),
            ("in strata of the metric's difference", in_strata),
        )
    ]


def _unlike_cells(data_dir: str, set_name: str, n: int, n_draws: int, seed: int) -> list[HeldCell]:
    judged, pairs = _pairs(data_dir, set_name)
    scale = _SETS[set_name]
    generator = np.random.default_rng(seed)
    simple, unlike = _Means(), _Means()
    shares = []
    for draw in range(n_draws):
        of_pair = pairs[draw % len(pairs)]
        truth = float(of_pair.mean()) * (1 - _EQUAL)
        are_equal = generator.random(_POPULATION) < _EQUAL
        people = np.where(are_equal, 0.0, generator.choice(of_pair, _POPULATION))
        simple.add(people[generator.permutation(_POPULATION)[:n]], None, truth)
        unlike.add(people[generator.choice(np.flatnonzero(~are_equal), n, replace=False)], None, truth)
        shares.append(1 - are_equal.mean())
    share: Any = np.array(shares)
    found = unlike.inference(n, scale)
    drawn = found.value**2 * share * (1 - share) / _POPULATION
    over_all = found.times(share).widened(drawn)
    return [_cell("unlike items alone", judged, n, over_all, simple.inference(n, scale), np.array(simple.truths))]


def _cell(name: str, data: str, n: int, found: Inference, simple: Inference, truths: Floats) -> HeldCell:
    inside, of_simple = (np.abs(each.value - truths) <= each.width() / 2 for each in (found, simple))
    width, beside = float(np.mean(found.width())), float(np.mean(simple.width()))
    note = f"The simple draw's held in {np.mean(of_simple):.1%}; narrower by {1 - width / beside:.1%}."
    return held(f"difference, {name}", data, f"{n} items", inside, width=width, beside=beside, note=note)
