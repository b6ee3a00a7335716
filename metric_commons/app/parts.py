"""Scoring part by part, so that a web page can say how far it is while its visitor waits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from metric_commons.results import MetricResult

Report = Callable[[float, str], None]
"""What takes how far the work is, in [0, 1], and what is being done."""

PART = 512
"""Texts that are scored between two reports."""


def unreported(share: float, doing: str) -> None:
    """Report to no one."""


def in_parts(
    predict: Callable[[slice], MetricResult], n_texts: int, report: Report, *, start: float = 0.0, end: float = 1.0
) -> MetricResult:
    """Score texts part by part, by a metric whose scores depend on no other text, and return all as one result.

    Args:
        predict: scores the texts of a slice.
        n_texts: how many texts there are, at least 1.
        report: is told after each part.
        start: the share of the whole work that is done before.
        end: the share that is done after.
    """
    found = []
    for first in range(0, max(n_texts, 1), PART):
        last = min(first + PART, n_texts)
        found.append(predict(slice(first, last)))
        report(start + (end - start) * last / max(n_texts, 1), f"{last:,} of {n_texts:,} texts")
    return joined(found)


def joined(results: Sequence[MetricResult]) -> MetricResult:
    """Return results of parts as one; what is not said of single texts (`details`) is that of the first part."""
    first = results[0]
    return MetricResult(
        np.concatenate([result.values for result in results]),
        tuple(reason for result in results for reason in result.reasons),
        first.signature,
        {name: np.concatenate([result.columns[name] for result in results]) for name in first.columns},
        first.details,
    )
