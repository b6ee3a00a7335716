"""Scoring part by part: the whole is what one call would give, and the page hears of each part."""

from __future__ import annotations

import numpy as np

from metric_commons.app.parts import PART, in_parts, joined, unreported
from metric_commons.results import MetricResult


def lengths(texts: list[str]) -> MetricResult:
    values = np.array([len(text) or np.nan for text in texts], dtype=np.float64)
    reasons = tuple(None if text else "empty text" for text in texts)
    return MetricResult(values, reasons, "metric:length", {"twice": 2 * values}, {"unit": "characters"})


def test_the_parts_are_the_whole() -> None:
    texts = ["a" * (place % 7) for place in range(2 * PART + 3)]
    heard: list[tuple[float, str]] = []
    found = in_parts(lambda part: lengths(texts[part]), len(texts), lambda *told: heard.append(told), start=0.5)
    whole = lengths(texts)
    np.testing.assert_array_equal(found.values, whole.values)
    np.testing.assert_array_equal(found.twice, whole.twice)
    assert (found.reasons, found.signature, found.unit) == (whole.reasons, whole.signature, "characters")
    assert [doing for _, doing in heard] == [f"{n:,} of 1,027 texts" for n in (512, 1024, 1027)]
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert (shares[0] > 0.5, shares[-1]) == (True, 1.0)


def test_one_part() -> None:
    result = lengths(["one"])
    assert joined([result]).values.tolist() == [3.0]
    assert in_parts(lambda part: lengths(["one"][part]), 1, unreported).coverage == 1.0
