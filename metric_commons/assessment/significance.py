"""Paired significance tests in which ties count: what `sacrebleu.significance.PairedTest` needs of a score.

Both of sacrebleu's paired tests estimate p as (c + 1) / (n + 1), where c counts the resamples or shuffles whose
difference is greater than the observed one. For p to hold its level, c must also count those that are as great
(Phipson & Smyth 2010, "Permutation P-values should never be zero", section 2): without them, a system compared with
itself, or with a copy that differs in one segment, gets the smallest p there is. Approximate randomisation of one
differing segment, for instance, gives the observed difference every time, so p is 1 and not 1 / (n + 1).

A `ComparableScore` mends that from within: the difference that the test takes of two of them is smaller than the
true one by a rounding error, so that equal differences count.
"""

from __future__ import annotations

import copy
from typing import Any

# Resampled scores are sums in another order than the observed one: they agree to about 1e-12 of their size.
_RELATIVE = 1e-9
_ABSOLUTE = 1e-12


class ComparableScore(float):
    """A score; the absolute difference of two of them is too small by a rounding error, so that ties are counted.

    >>> shuffled, observed = abs(0.75 - 0.5), abs(ComparableScore(0.75) - ComparableScore(0.5))
    >>> shuffled > observed, round(observed, 6)
    (True, 0.25)
    """

    __slots__ = ()

    def __sub__(self, other: float) -> float:
        difference = float(self) - float(other)
        if not isinstance(other, ComparableScore):
            return difference
        return _Difference(difference, max(_ABSOLUTE, _RELATIVE * max(abs(float(self)), abs(float(other)))))


class _Difference(float):
    """A difference whose absolute value is reduced by `slack`."""

    slack: float

    def __new__(cls, value: float, slack: float) -> _Difference:
        difference = super().__new__(cls, value)
        difference.slack = slack
        return difference

    def __abs__(self) -> float:
        return abs(float(self)) - self.slack


def tie_aware(metric: Any) -> Any:
    """Return a copy of a sacrebleu metric, such as `BLEU()`, whose paired tests count ties."""
    found = copy.copy(metric)

    def aggregate_and_compute(statistics: Any) -> Any:
        score = type(metric)._aggregate_and_compute(found, statistics)
        score.score = ComparableScore(score.score)
        return score

    found._aggregate_and_compute = aggregate_and_compute
    return found
