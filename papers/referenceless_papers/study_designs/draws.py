"""Simulation of draws that spend ratings better: intervals and their widths at equal numbers of ratings.

* Simple: items drawn at random, Student's t of the differences.
* Systematic along a metric's difference: every k-th item in its order from a random start. The variance is that of
  successive differences (Wolter 2007, "Introduction to variance estimation", section 8.2, v₂), with two thirds of the
  degrees of freedom.
* Stratified PPI: items in strata of a metric's difference, drawn in proportion, with as many strata as leave 10 ratings
  each; the mean of the strata's means, weighted by their sizes (post-stratification by Cochran 1977, section 5.3).
* Unlike items alone: items of which both outputs are equal count 0 (`unlike_items`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.judgements import JudgedSet, e2e, webnlg
from referenceless_papers.study_designs.keeping import Task

SIZES = 20, 50, 100
_POPULATION = 2000
_IN_STRATUM = 10
_AGREEMENT = 0.4
"""Correlation of the metric's difference with people's: what good metrics reach on single outputs."""
_EQUAL = 0.37
"""Share of items of which both outputs are equal, as was seen of two versions of one system."""
_MOST_PAIRS = 20

Drawn = Callable[[Floats, Floats, int, np.random.Generator], Inference]


def simple(people: Floats, _: Floats, n: int, generator: np.random.Generator) -> Inference:
    """Return the mean difference of n items drawn at random."""
    chosen = people[generator.choice(len(people), n, replace=False)]
    return mean_of_clusters(chosen, np.arange(n))


def systematic(people: Floats, metric: Floats, n: int, generator: np.random.Generator) -> Inference:
    """Return the mean difference of n items at equal distances in the order of the metric's differences."""
    step = len(people) / n
    places = np.floor(generator.uniform(0, step) + step * np.arange(n)).astype(int)
    chosen = people[np.argsort(metric, kind="stable")[places]]
    variance = float((np.diff(chosen) ** 2).sum()) / (2 * n * (n - 1))
    return Inference(float(chosen.mean()), math.sqrt(variance), 2 * (n - 1) / 3, 0.0)


def stratified(people: Floats, metric: Floats, n: int, generator: np.random.Generator) -> Inference:
    """Return the mean difference of n items, of equal numbers in each of the strata of the metric's differences."""
    strata = np.array_split(np.argsort(metric, kind="stable"), max(1, n // _IN_STRATUM))
    value, variance, spread = 0.0, 0.0, 0.0
    for number, stratum in enumerate(strata):
        size = n // len(strata) + (number < n % len(strata))
        chosen = people[generator.choice(stratum, size, replace=False)]
        share = len(stratum) / len(people)
        part = share**2 * float(chosen.var(ddof=1)) / size
        value += share * float(chosen.mean())
        variance += part
        spread += part**2 / (size - 1)
    return Inference(value, math.sqrt(variance), variance**2 / spread if spread else n - 1.0, 0.0)


def unlike(people: Floats, _: Floats, n: int, generator: np.random.Generator) -> Inference:
    """Return the mean difference over all items, of n that were drawn from those that are not 0."""
    differing = np.flatnonzero(people)
    chosen = people[generator.choice(differing, n, replace=False)]
    found = mean_of_clusters(chosen, np.arange(n))
    share = len(differing) / len(people)
    return found.times(share).widened(found.value**2 * share * (1 - share) / len(people))


DRAWS: Mapping[str, Drawn] = {
    "systematic along the metric's difference": systematic,
    "stratified by the metric's difference": stratified,
    "unlike items alone": unlike,
}


def draw_tasks(data_dir: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield what draws how often the intervals of each draw held, and their mean width beside the simple draw's."""
    for judged in (webnlg(data_dir, "fluency"), e2e(data_dir, "quality", ranks=True)):
        pairs = _pairs(judged)
        for n in SIZES:
            for name, drawn in DRAWS.items():
                equal = _EQUAL if drawn is unlike else 0.0
                yield partial(_cells, judged.name, name, pairs, drawn, n, max(1, n_draws // len(pairs)), equal, seed)


def _pairs(judged: JudgedSet) -> list[Floats]:
    """Return the differences of items of some pairs of systems that have most."""
    of_pairs = sorted((rows[:, 3] - rows[:, 2] for rows in judged.pairs().values()), key=len, reverse=True)
    return of_pairs[:_MOST_PAIRS]


def _cells(
    judged: str, name: str, pairs: list[Floats], drawn: Drawn, n: int, n_draws: int, equal: float, seed: int
) -> list[HeldCell]:
    generator = np.random.default_rng(seed)
    inside: list[bool] = []
    of_simple: list[bool] = []
    widths: list[float] = []
    simple_widths: list[float] = []
    for differences in pairs:
        for _ in range(n_draws):
            # Items are drawn from a large population of those that were judged.
            people = generator.choice(differences, _POPULATION)
            people[generator.random(_POPULATION) < equal] = 0.0
            truth = float(differences.mean()) * (1 - equal)
            noise = generator.normal(size=_POPULATION)
            metric = _AGREEMENT * people / people.std() + math.sqrt(1 - _AGREEMENT**2) * noise
            for inference, held_by, of in (
                (drawn(people, metric, n, generator), inside, widths),
                (simple(people, metric, n, generator), of_simple, simple_widths),
            ):
                low, high = inference.interval()
                held_by.append(low <= truth <= high)
                of.append(high - low)
    note = f"The simple draw's held in {np.mean(of_simple):.1%}."
    width, beside = float(np.mean(widths)), float(np.mean(simple_widths))
    return [held(f"difference, {name}", judged, f"{n} items", inside, width=width, beside=beside, note=note)]
