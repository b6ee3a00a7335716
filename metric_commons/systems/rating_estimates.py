"""Systems compared by a metric that estimates human ratings: what its means are sure of, and nothing about people.

Such a metric learnt from a pool of rated texts. Another pool would have taught it something else, so the pool is drawn
anew together with the segments, in one bootstrap of both (Rubin 1981, "The Bayesian bootstrap", Annals of Statistics
9(1): weights in place of draws, so that no estimate loses all its neighbours). What no bootstrap shows is the metric's
bias on a system whose outputs nobody rated; therefore its p is of the metric's mean, and marks no significance.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from sacrebleu.significance import Result

from metric_commons.support.types import Booleans, Floats

RESAMPLES = 1000
"""Of pool and segments, where no number is given."""

Resampler: TypeAlias = Callable[..., Floats]
"""From c texts, and their sources where the metric reads any, to their estimates from each of r resampled pools, shape
(c, r); NaN where one has none."""

Interval: TypeAlias = tuple[float, float, float]
"""A figure, and both ends of its interval."""

_BLOCK = 256  # segments at once
_TIE = 1e-9


def resampled_means(
    systems: Sequence[Sequence[str]],
    scores: Sequence[Floats],
    where: Sequence[Booleans],
    resampler: Resampler | None,
    *,
    n_resamples: int,
    seed: int | None,
    sources: Sequence[Any] | None = None,
) -> tuple[list[Result], list[Interval | None]]:
    """Return each system's mean over some of its segments, with resamples of pool and segments, and its difference.

    Beside the mean stand that of the resamples and half the width of their central 95 %. Where all means are of the
    same segments, p is two-sided, that the metric's mean is the first system's: twice the smaller tail of the
    resamples; and the difference from that system is told with the central 95 % of its resamples, else it is None.

    Args:
        systems: n texts each, for the same inputs.
        scores: of each system's texts, shape (n,), finite where they count.
        where: which segments of each system count, shape (n,), at least one.
        resampler: of the metric's pool; None for a metric that cannot be trained anew, whose pool then is held fixed.
        n_resamples: r.
        seed: of the segments' weights; None for another at each call.
        sources: of the segments, n, for a metric that reads them.
    """
    generator = np.random.default_rng(seed)
    n = len(systems[0])
    sums = np.zeros((len(systems), n_resamples))
    weights = np.zeros((len(systems), n_resamples))
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        of_segments = generator.standard_exponential((stop - start, n_resamples))
        for place, (texts, values, counts) in enumerate(zip(systems, scores, where, strict=True)):
            inside = np.flatnonzero(counts[start:stop])
            if not len(inside):
                continue
            own = of_segments[inside]
            known = values[start:stop][inside][:, None]
            if resampler is not None:
                rows = (start + inside).tolist()
                given = () if sources is None else ([sources[row] for row in rows],)
                drawn = resampler([texts[row] for row in rows], *given)
                known = np.where(np.isnan(drawn), known, drawn)
            sums[place] += (own * known).sum(axis=0)
            weights[place] += own.sum(axis=0)
    draws = sums / weights
    results: list[Result] = []
    differences: list[Interval | None] = []
    for place, (values, counts, own) in enumerate(zip(scores, where, draws, strict=True)):
        low, high = np.quantile(own, [0.025, 0.975])
        result = Result(float(values[counts].mean()), None, float(own.mean()), float(high - low) / 2)
        differences.append(None)
        if place and all((each == where[0]).all() for each in where):
            difference = own - draws[0]
            slack = _TIE * max(abs(result.score), abs(results[0].score), 1e-3)
            tail = min(int((difference <= slack).sum()), int((difference >= -slack).sum()))
            result.p_value = min(1.0, 2 * (tail + 1) / (n_resamples + 1))
            low, high = np.quantile(difference, [0.025, 0.975])
            differences[place] = (result.score - results[0].score, float(low), float(high))
        results.append(result)
    return results, differences


def seed_of_sacrebleu() -> int | None:
    """Return the seed that sacrebleu's tests use: of the environment variable `SACREBLEU_SEED`, or 12345."""
    given = os.environ.get("SACREBLEU_SEED", "12345")
    return int(given) if given.isdecimal() else None
