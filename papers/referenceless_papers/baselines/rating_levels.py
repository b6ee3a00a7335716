"""Metrics as ratings from 1 to 6, as Dušek, Novikova & Rieser (2017, Section 4) put them beside human ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.integrations.sacrebleu import SegmentMetric
from referenceless_papers.baselines.base import Baseline

BOUNDS = (1.0, 6.0)


def rating_levels(scores: ArrayLike) -> NDArray[np.float64]:
    """Map scores from 0 to 1 to ratings from 1 to 6 in steps of a half: 1 + 0.5 · ⌊x / 0.1⌋.

    >>> rating_levels([0.0, 0.25, 1.0]).tolist()
    [1.0, 2.0, 6.0]
    """
    return 1 + 0.5 * np.floor(np.asarray(scores, dtype=np.float64) / 0.1)


class RatingLevels(Baseline):
    """Another metric's values of segments, mapped to ratings.

    Args:
        metric: a metric of one value a segment, from 0 to 1 if it names no `bounds`, or a metric of sacrebleu's whose
            scores are from 0 to 100.
        bounds: what values are mapped to 0 and 1 before; None for the least and greatest that the metric can give.
    """

    name: ClassVar[str] = "rating levels"
    key: ClassVar[str] = "rating_levels"
    bounds: ClassVar[tuple[float, float]] = BOUNDS

    def __init__(self, metric: Any, bounds: tuple[float, float] | None = None) -> None:
        self.metric = metric
        own = metric.name if isinstance(metric, SegmentMetric) else type(metric).__name__
        self.name = f"{own} as rating"  # type: ignore[misc]  # named after the metric behind
        widest = getattr(metric, "bounds", (0.0, 1.0)) if isinstance(metric, SegmentMetric) else (0.0, 100.0)
        self.mapped_from = widest if bounds is None else bounds
        super().__init__()

    def segment_values(self, texts: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return ratings, shape (n,)."""
        low, high = self.mapped_from
        values = unmapped_values(self.metric, texts, references)
        return rating_levels(np.clip((values - low) / (high - low), 0.0, 1.0)) if high > low else np.ones(len(values))

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        parts = self.metric._signature_parts() if isinstance(self.metric, SegmentMetric) else {}
        return {**parts, "levels": ("lv", "{:g}-{:g}".format(*self.mapped_from))}


def unmapped_values(metric: Any, texts: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Return a metric's values of segments, shape (n,), a baseline's or those of a metric of sacrebleu's."""
    if isinstance(metric, SegmentMetric):
        return metric._segment_scores(list(texts), [list(own) for own in references])
    scores = (metric.sentence_score(text, list(own)).score for text, own in zip(texts, references, strict=True))
    return np.fromiter(scores, dtype=np.float64, count=len(texts))
