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

from collections.abc import Sequence
from typing import Any

from sacrebleu.metrics.base import Metric

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


class TieAware(Metric):  # type: ignore[misc]  # sacrebleu is untyped
    """Another metric, such as sacrebleu's `BLEU`, whose paired tests count ties; everything else is the metric's own.

    Args:
        metric: any sacrebleu metric.
    """

    def __init__(self, metric: Any) -> None:
        super().__init__()
        self.metric = metric

    def _aggregate_and_compute(self, stats: Any) -> Any:
        score = self.metric._aggregate_and_compute(stats)
        score.score = ComparableScore(score.score)
        return score

    def _compute_score_from_stats(self, stats: Any) -> Any:
        return self.metric._compute_score_from_stats(stats)

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Any) -> Any:
        return self.metric._extract_corpus_statistics(hypotheses, references)

    def _preprocess_segment(self, sent: str) -> Any:
        return self.metric._preprocess_segment(sent)

    def _extract_reference_info(self, refs: Sequence[str]) -> Any:
        return self.metric._extract_reference_info(refs)

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> Any:
        return self.metric._compute_segment_statistics(hypothesis, ref_kwargs)

    def get_signature(self) -> Any:
        """Return the metric's signature."""
        return self.metric.get_signature()
