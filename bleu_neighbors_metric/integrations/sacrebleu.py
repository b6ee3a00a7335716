"""BLEU Neighbors as a metric of sacrebleu."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool_source import estimator_from
from metric_commons.integrations.sacrebleu import SegmentMetric
from metric_commons.support.validation import describe

_ABBREVIATIONS = {
    "kernel": "k",
    "tok": "tok",
    "orders": "n",
    "smooth": "s",
    "clip": "c",
    "tau": "tau",
    "a": "a",
    "b": "b",
    "weights": "w",
    "pool": "p",
}


class BLEUNeighborsMetric(SegmentMetric):
    """BLEU Neighbors beside BLEU and chrF: `corpus_score`, `sentence_score`, bootstrap intervals and paired tests.

    The corpus score is the mean estimate over the covered segments, in the unit of the pool's ratings, and comes with
    its coverage. References are accepted, as by sacrebleu's metrics, and ignored.

    Args:
        training_texts: the pool of rated texts.
        training_quality: one rating for each of them.
        index: instead of the two, a file that `bleu-neighbors fit` or `BLEUNeighbors.save` wrote.
        estimator: instead of all these, a fitted `BLEUNeighbors`.
        parameters: those of `BLEUNeighbors`; over an index, they replace those that it was saved with.

    Attributes:
        estimator: the fitted `BLEUNeighbors`.

    Raises:
        TypeError: for an unknown parameter.
        ValueError: for no pool, more than one, or an estimator that is not fitted.
        FileNotFoundError: for an index that does not exist.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> metric = BLEUNeighborsMetric(texts, [0.9, 0.8, 0.2, 0.0], threshold=0.7, min_neighbors=1, max_fraction=1.0)
        >>> metric.corpus_score(["a cat sat on the mat", "colourless green ideas"])
        BLEUNeighbors = 0.8500 (coverage = 0.500 segments = 2)
    """

    name: ClassVar[str] = "BLEUNeighbors"
    key: ClassVar[str] = "bleu_neighbors"

    def __init__(
        self,
        training_texts: Any = None,
        training_quality: Any = None,
        *,
        index: Any = None,
        estimator: BLEUNeighbors | None = None,
        **parameters: Any,
    ) -> None:
        super().__init__()
        if estimator is None:
            estimator = estimator_from(
                training_texts=training_texts, training_quality=training_quality, index=index, **parameters
            )
        elif parameters or any(value is not None for value in (training_texts, training_quality, index)):
            raise ValueError("Expected either a fitted `estimator` or what to make one from, but got both")
        elif not hasattr(estimator, "texts_"):
            raise ValueError(f"Expected argument `estimator` to be fitted, but got {describe(estimator)}")
        self.estimator: BLEUNeighbors = estimator

    @property
    def centre(self) -> float:
        """The mean quality of the pool: what is known of a text of which nothing else is known."""
        return float(self.estimator.quality_.mean())

    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        return self.estimator.predict(texts).quality

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        told = dict(part.split(":", 1) for part in self.estimator.signature.split("|"))
        return {key: (_ABBREVIATIONS.get(key, key), value) for key, value in told.items() if key != "version"}
