"""Scores in datatrove pipelines, for the metadata of documents and as a filter (extra `datatrove`).

A pipeline resumes by rank: a completed rank is skipped, and one that was cut off starts again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import PathName, check_number, check_whole
from referenceless_metrics.frameworks.batch_scorer import BatchScorer

_base: Any = import_extra(
    "datatrove.pipeline.filters.base_filter", "datatrove", "referenceless_metrics.frameworks.datatrove"
)


class ScoreFilter(_base.BaseFilter):  # type: ignore[misc]  # datatrove has no types
    """Score documents into their metadata, and keep those whose value reaches a threshold.

    The metadata get the value under the metric's name, such as `wpslor`, and `wpslor_reason`. A dropped document goes
    to the exclusion writer with a `filter_reason`: `below_threshold`, or the reason for a missing value.

    Args:
        metric: a metric's name, or a fitted metric; None for `fluency_ngram`, with a pool for BLEU Neighbors.
        pool: a file, for BLEU Neighbors.
        threshold: the least value of a document that is kept; None to keep all, scored.
        columns: the metric's own columns to add to the metadata.
        exclusion_writer: a datatrove writer of dropped documents.
        batch_size: documents that are scored at once.
        arguments: further arguments of a metric that is given by name.

    Raises:
        ImportError: without the extra.
        TypeError: for an object that is no metric, or a threshold that is no number.
        ValueError: like `BatchScorer`, and for a document whose metadata have one of these names.
    """

    name = "referenceless quality"

    def __init__(
        self,
        metric: str | Metric | None = None,
        *,
        pool: PathName | None = None,
        threshold: float | None = None,
        columns: Sequence[str] = (),
        exclusion_writer: Any = None,
        batch_size: int = 1024,
        **arguments: Any,
    ) -> None:
        check_whole(batch_size, "batch_size", 1)
        if threshold is not None:
            check_number(threshold, "threshold")
        super().__init__(exclusion_writer, batch_size)
        self.scorer = BatchScorer(metric, pool=pool, columns=columns, **arguments)
        self.threshold = threshold

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        """Score one document, and return whether it is kept; see `filter_batch`."""
        return self.filter_batch([doc])[0]

    def filter_batch(self, batch: list[Any]) -> list[bool | tuple[bool, str]]:
        """Score documents, and return for each True or the reason why it is dropped."""
        scored = self.scorer({"text": [doc.text for doc in batch]})
        metric = self.scorer.name
        for name, column in scored.items():
            key = name if name == metric else f"{metric}_{name}"
            for doc, cell in zip(batch, column, strict=True):
                if key in doc.metadata:  # such as people's ratings
                    raise ValueError(f"a document has {key!r} among its metadata already, which the scores will have")
                doc.metadata[key] = cell
        return [self._verdict(value, reason) for value, reason in zip(scored[metric], scored["reason"], strict=True)]

    def _verdict(self, value: float | None, reason: str | None) -> bool | tuple[bool, str]:
        if self.threshold is None:
            return True
        if value is None:
            return False, str(reason).replace(" ", "_")
        return value >= self.threshold or (False, "below_threshold")
