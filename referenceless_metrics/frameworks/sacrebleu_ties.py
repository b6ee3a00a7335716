"""Paired tests of sacrebleu in which ties count.

Both of sacrebleu's paired tests estimate p as (c + 1) / (n + 1). c counts the resamples or shuffles whose difference is
greater than the observed one. For p to hold its level, c must also count the equal ones (Phipson & Smyth 2010,
"Permutation P-values should never be zero", section 2). Without them, a system that is compared with itself, or with a
copy that differs in one segment, gets the smallest p that is possible: shuffling one differing segment always gives the
observed difference, so that p should be 1 and not 1 / (n + 1).

With a `ComparableScore`, the observed difference is smaller than the true one by a rounding error, so that equal
differences count.
"""

from __future__ import annotations

import copy
from typing import Any

# Resampled scores are sums in another order than the observed one. They agree to about 1e-12 of their size.
_RELATIVE = 1e-9
_ABSOLUTE = 1e-12


class ComparableScore(float):
    """A score. The absolute difference of two of them is too small by a rounding error, so that ties count.

    >>> shuffled, observed = abs(0.75 - 0.5), abs(ComparableScore(0.75) - ComparableScore(0.5))
    >>> shuffled > observed, round(observed, 6)
    (True, 0.25)
    """

    __slots__ = ()

    def __sub__(self, other: float) -> float:
        difference = _Difference(float(self) - float(other))
        if isinstance(other, ComparableScore):
            difference.slack = max(_ABSOLUTE, _RELATIVE * max(abs(float(self)), abs(float(other))))
        return difference


class _Difference(float):
    """A difference whose absolute value is reduced by `slack`."""

    slack = 0.0

    def __abs__(self) -> float:
        return abs(float(self)) - self.slack


def tie_aware(metric: Any) -> Any:
    """Return a copy of a sacrebleu metric, such as `BLEU()`, whose paired tests count ties."""
    aware = copy.copy(metric)

    def aggregate_and_compute(statistics: Any) -> Any:
        score = type(metric)._aggregate_and_compute(aware, statistics)
        score.score = ComparableScore(score.score)
        return score

    aware._aggregate_and_compute = aggregate_and_compute
    return aware
