"""What metrics with references share here: one value a segment, and of several references the best."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metric_commons.integrations.sacrebleu import SegmentMetric, Streams


class Baseline(SegmentMetric):
    """A metric of one value a segment, against its references; every segment is covered.

    Args:
        references: reference streams to keep.
    """

    needs_references: ClassVar[bool] = True
    #: What all values lie between.
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def __init__(self, references: Streams | None = None) -> None:
        super().__init__(references)

    @abstractmethod
    def segment_values(self, texts: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return one value a text, shape (n,).

        Args:
            texts: n texts; one without words has 0.
            references: references of each, at least one.
        """

    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        return np.asarray(self.segment_values(texts, references or []), dtype=np.float64)


class PairBaseline(Baseline):
    """A baseline that compares a text with one reference at a time and takes the best."""

    @abstractmethod
    def pair_value(self, text: str, reference: str) -> float:
        """Return the value of a text against one reference."""

    def segment_values(self, texts: Sequence[str], references: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return the value against the best reference of each text, shape (n,)."""
        return np.array(
            [
                max(self.pair_value(text, reference) for reference in own)
                for text, own in zip(texts, references, strict=True)
            ]
        )
