"""BLEU Neighbors as a metric of torchmetrics (extra `torchmetrics`)."""

from __future__ import annotations

from typing import Any

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.scorer import bleu_neighbors_scorer
from metric_commons.integrations.torchmetrics import TextQualityMetric


class BLEUNeighborsScore(TextQualityMetric):
    """Mean estimated quality of generated texts, with its coverage; see `BLEUNeighbors`.

    Args:
        estimator: a fitted `BLEUNeighbors`; or `training_texts` with `training_quality`, or `index`.
        training_texts: the pool's texts.
        training_quality: one rating for each.
        index: a file that `bleu-neighbors fit` wrote.
        parameters: those of `BLEUNeighbors`.
        return_sentence_level_score: also return each text's estimate, NaN where undefined.
        kwargs: those of `torchmetrics.Metric`.

    Raises:
        TypeError: for an unknown parameter.
        ValueError: where there is no pool, or more than one.

    Example:
        >>> pool = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> metric = BLEUNeighborsScore(
        ...     training_texts=pool,
        ...     training_quality=[0.9, 0.8, 0.2, 0.0],
        ...     parameters={"threshold": 0.7, "min_neighbors": 1},
        ... )
        >>> metric.update(["a cat sat on the mat"])
        >>> metric.update(["colourless green ideas"])
        >>> {name: round(value.item(), 2) for name, value in metric.compute().items()}
        {'bleu_neighbors': 0.85, 'bleu_neighbors_coverage': 0.5}
    """

    def __init__(
        self,
        estimator: BLEUNeighbors | None = None,
        *,
        training_texts: Any = None,
        training_quality: Any = None,
        index: Any = None,
        parameters: dict[str, Any] | None = None,
        return_sentence_level_score: bool = False,
        **kwargs: Any,
    ) -> None:
        scorer = bleu_neighbors_scorer(
            estimator,
            training_texts=training_texts,
            training_quality=training_quality,
            index=index,
            **(parameters or {}),
        )
        super().__init__(scorer, return_sentence_level_score=return_sentence_level_score, **kwargs)
