"""Simulation of gates: the share of "worse" among equal means, if differences are skewed or few items fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.scores.differences import FEWEST_FOR_BOUNDS, Difference
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters, skewness_of_mean
from referenceless_papers.study_designs.held import HeldCell, held

_TIMES = 3
"""Times as many draws, since each is fast."""

SIZES = 20, 50, 100, 200

DIFFERENCES: Mapping[str, Callable[[np.random.Generator, int], Floats]] = {
    "normal": lambda generator, n: generator.normal(size=n),
    "lognormal": lambda generator, n: generator.lognormal(size=n) - np.exp(0.5),
    "exponential": lambda generator, n: generator.exponential(size=n) - 1,
    "failures in 5 % of items": lambda generator, n: (generator.random(n) < 0.05) - 0.05 + generator.normal(0, 0.01, n),
    "failures in 1 % of items": lambda generator, n: (generator.random(n) < 0.01) - 0.01 + generator.normal(0, 0.01, n),
    "of two that fail in 5 % of items": lambda generator, n: (
        1.0 * (generator.random(n) < 0.05) - (generator.random(n) < 0.05) + generator.normal(0, 0.1, n)
    ),
    "Student's t with 3 degrees of freedom": lambda generator, n: generator.standard_t(3, size=n),
    "of two bounded scores": lambda generator, n: generator.beta(5, 1, n) - generator.beta(5, 1, n),
    "bounded and skewed": lambda generator, n: generator.beta(0.5, 3, n) - 1 / 7,
}
"""Differences of mean 0, by name."""


def gate_cells(_: str, n_draws: int, seed: int) -> Iterator[HeldCell]:
    """Yield how often equal means were called worse, with the skewness taken out and by Student's t."""
    for name, drawn in DIFFERENCES.items():
        for n in SIZES:
            generator = np.random.default_rng(seed)
            worse, withheld, by_t = [], [], []
            for _draw in range(_TIMES * n_draws):
                difference = _difference(drawn(generator, n))
                by_t.append(difference.estimate.interval(0.9)[1] < 0)
                is_below = difference.bounds_at(0.9)[1] < 0
                has_verdict = n >= difference.items_for_bounds[1]
                worse.append(is_below and has_verdict)
                withheld.append(is_below and not has_verdict)
            note = (
                f"By Student's t {np.mean(by_t):.1%}. No verdict, since too skewed, in {np.mean(withheld):.1%}, and in "
                f"all below {FEWEST_FOR_BOUNDS} items."
            )
            yield held("equal means called worse", name, f"{n} items", worse, nominal=0.05, note=note)


def _difference(values: Floats) -> Difference:
    """Return what `compare --scores` knows of the difference of two systems with these differences of items."""
    n, clusters = len(values), np.arange(len(values))
    return Difference(
        "ours",
        "base",
        "score",
        "",
        n,
        n,
        int((values > 0).sum()),
        0,
        int((values < 0).sum()),
        mean_of_clusters(values, clusters),
        p_value=0.5,
        skewness=skewness_of_mean(values, clusters),
    )
