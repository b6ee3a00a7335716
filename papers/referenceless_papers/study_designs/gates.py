"""Simulation of gates: the share of "worse" among equal means, if differences are skewed or few items fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.inference.one_sided import FEWEST_FOR_BOUNDS, Ends, OneSided, third_cumulant
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters, paired_shares_p
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task

_TIMES = 3
"""Factor of the number of draws, since each is fast."""

SIZES = 20, 50, 100, 200

_WITH_NOISE = 1.6
"""Width of a scale that holds failures by 1 and noise of .1."""

_Drawn = Callable[[np.random.Generator, int], Floats]


def _failures(share: float, noise: float) -> _Drawn:
    """Return differences of a system that loses a little on nearly all items, and whose baseline fails in few."""
    return lambda generator, n: (generator.random(n) < share) - share + generator.normal(0, noise, n)


DIFFERENCES: Mapping[str, tuple[_Drawn, float]] = {
    "normal": (lambda generator, n: generator.normal(size=n), 0.0),
    "lognormal": (lambda generator, n: generator.lognormal(size=n) - np.exp(0.5), 0.0),
    "exponential": (lambda generator, n: generator.exponential(size=n) - 1, 0.0),
    "failures in 5 % of items": (_failures(0.05, 0.01), 1.0),
    "failures in 1 % of items": (_failures(0.01, 0.01), 1.0),
    "failures in 5 % of items, spread of the others .1": (_failures(0.05, 0.1), _WITH_NOISE),
    "failures in 1 % of items, spread of the others .1": (_failures(0.01, 0.1), _WITH_NOISE),
    "failures in 5 % of items, ends of the scores unknown": (_failures(0.05, 0.01), 0.0),
    "failures in 1 % of items, ends of the scores unknown": (_failures(0.01, 0.01), 0.0),
    "of two that fail in 5 % of items": (
        lambda generator, n: (
            1.0 * (generator.random(n) < 0.05) - (generator.random(n) < 0.05) + generator.normal(0, 0.1, n)
        ),
        _WITH_NOISE,
    ),
    "Student's t with 3 degrees of freedom": (lambda generator, n: generator.standard_t(3, size=n), 0.0),
    "of two bounded scores": (lambda generator, n: generator.beta(5, 1, n) - generator.beta(5, 1, n), 1.0),
    "bounded and skewed": (lambda generator, n: generator.beta(0.5, 3, n) - 1 / 7, 1.0),
}
"""Differences of mean 0, by name, with the width of the scores' scale; 0 if nobody knows its ends."""

SHARES = 0.5, 0.05, 0.01
"""Shares of items in which each of two systems fails, whose scores are 0 and 1."""


def gate_tasks(_: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count equal means called worse, with the skewness taken out and by Student's t."""
    for name in DIFFERENCES:
        for n in SIZES:
            yield partial(_cells, name, n, _TIMES * n_draws, seed)
    for share in SHARES:
        for n in SIZES:
            yield partial(_cells_of_shares, share, n, _TIMES * n_draws, seed)


def _cells(name: str, n: int, n_draws: int, seed: int) -> list[HeldCell]:
    drawn, width = DIFFERENCES[name]
    generator = np.random.default_rng(seed)
    worse, skewed, unseen, by_t = [], [], [], []
    for _draw in range(n_draws):
        values = drawn(generator, n)
        bounds = _bounds(values, width)
        by_t.append(mean_of_clusters(values, np.arange(n)).interval(0.9)[1] < 0)
        is_below = bounds.bounds(0.9)[1] < 0
        is_skewed = n < max(bounds.needed[1], bounds.fewest)
        is_near = bounds.estimate.value + bounds.unseen(0.9) >= 0
        worse.append(is_below and not is_skewed and not is_near)
        skewed.append(is_below and is_skewed)
        unseen.append(is_below and not is_skewed and is_near)
    note = (
        f"By Student's t {np.mean(by_t):.1%}. No verdict, since too skewed or too few for unknown ends, in "
        f"{np.mean(skewed):.1%}, since items that were not drawn may turn it, in {np.mean(unseen):.1%}, and in all "
        f"below {FEWEST_FOR_BOUNDS} items."
    )
    return [held("equal means called worse", name, f"{n} items", worse, nominal=0.05, note=note)]


def _bounds(values: Floats, width: float) -> OneSided:
    """Return the bounds by `compare --scores` on the difference of two systems with these differences of items."""
    n, clusters = len(values), np.arange(len(values))
    ends = Ends(width or float(np.abs(values).max()), (0.0, width) if width else None, "")
    third = third_cumulant((values - values.mean()) / n, clusters)
    return OneSided.skewed(mean_of_clusters(values, clusters), third, n, ends)


def _cells_of_shares(share: float, n: int, n_draws: int, seed: int) -> list[HeldCell]:
    """Return the share of systems that fail equally often and are called worse, by McNemar's and Newcombe's test."""
    generator = np.random.default_rng(seed)
    worse = []
    for _draw in range(n_draws):
        ours, base = generator.random((2, n)) >= share
        both, wins, losses = (
            int((first & second).sum()) for first, second in ((ours, base), (ours, ~base), (~ours, base))
        )
        p_value = paired_shares_p(both, wins, losses, n - both - wins - losses)
        worse.append(losses > wins and p_value <= 0.1)
    name = f"scores of 0 and 1, each fails in {share:.0%} of items"
    return [held("equal means called worse", name, f"{n} items", worse, nominal=0.05)]
