"""A score with its coverage, in sacrebleu's form; and paired tests in which ties count.

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
import json
import math
from typing import Any

from sacrebleu.metrics.base import Score


class SegmentScore(Score):  # type: ignore[misc]  # sacrebleu is untyped
    """The mean over the covered segments, with its coverage.

    Args:
        name: the metric's name, the same for every score.
        score: the mean; NaN for a sentence that is not covered.
        coverage: the share of segments that are covered.
        n_segments: how many segments there are.
    """

    def __init__(self, name: str, score: float, coverage: float, n_segments: int) -> None:
        super().__init__(name, score)
        self.coverage = coverage
        self.n_segments = n_segments
        self._verbose = f"(coverage = {coverage:.3f} segments = {n_segments})"

    def format(self, width: int = 4, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as a line or as JSON, in the form of sacrebleu's.

        Other than in the base class, the confidence interval is also shown around a negative mean, an undefined score
        is null in JSON, and a JSON score needs no signature.

        Args:
            width: decimals.
            score_only: the number (and its interval) alone.
            signature: the metric's signature, formatted.
            is_json: return JSON.
        """
        number = f"{_rounded(self.score, width):.{width}f}"
        confidence: dict[str, Any] = {}
        if self._ci >= 0:  # -1 until it is estimated; the mean may be negative
            mean, half = _rounded(self._mean, width), _rounded(self._ci, width)
            text = f"μ = {mean:.{width}f} ± {half:.{width}f}"
            confidence = {"confidence_mean": mean, "confidence_var": half, "confidence": text}
            number += f" ({text})"
        if is_json:
            content = {
                "name": self.name,
                "score": None if math.isnan(self.score) else _rounded(self.score, width),
                "signature": signature,
                **confidence,
                "verbose_score": self._verbose,
                "coverage": self.coverage,
                "n_segments": self.n_segments,
                **dict(part.split(":", 1) for part in signature.split("|") if part),
            }
            return json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
        if score_only:
            return number
        return f"{'|'.join(filter(None, (self.name, signature)))} = {number} {self._verbose}"


def _rounded(value: float, width: int) -> float:
    return float(f"{value:.{width}f}") + 0.0  # + 0.0 makes 0 of -0


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
