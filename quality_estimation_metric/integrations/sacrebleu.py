"""Quality estimation as a metric of sacrebleu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from metric_commons.integrations.sacrebleu import MetricOfSacrebleu
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.model_files.source import quality_estimation


class QualityEstimationMetric(MetricOfSacrebleu):
    """Quality estimation beside BLEU and chrF: `corpus_score`, `sentence_score`, intervals and paired tests.

    The corpus score is the mean estimate, in the unit of the ratings. References are accepted, as by sacrebleu's
    metrics, and ignored.

    A paired test tells whether the metric's means differ, and not whether people would rate the systems differently:
    that takes ratings of both systems' outputs (`referenceless human-score`).

    Args:
        training_texts: rated texts, to fit a model on.
        training_ratings: one rating for each of them.
        model_file: instead of the two, a file that `QualityEstimator.save` or `referenceless fit` wrote; without
            anything, the packaged model.
        sources: what the segments were made from, one a segment, where the model reads sources.
        estimator: instead of all these, a fitted `QualityEstimator`. Alone in the first place, a path is a model file
            and a fitted estimator is itself.
        parameters: `level`, or `training_sources` and parameters as in `quality_estimation`.

    Attributes:
        metric: the fitted `QualityEstimator`.

    Raises:
        TypeError: for an unknown parameter, or sources that are no list.
        ValueError: for a file that is no estimator.
        FileNotFoundError: for a file that does not exist.

    Example:
        >>> from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS
        >>> metric = QualityEstimationMetric(sources=DEMO_SOURCES)
        >>> score = metric.corpus_score(DEMO_TEXTS)
        >>> round(score.score, 1), score.coverage
        (4.1, 1.0)
    """

    name: ClassVar[str] = "QualityEstimation"
    key: ClassVar[str] = "quality_estimation"

    def __init__(
        self,
        training_texts: Any = None,
        training_ratings: Any = None,
        *,
        model_file: Any = None,
        sources: Sequence[Any] | None = None,
        estimator: QualityEstimator | None = None,
        **parameters: Any,
    ) -> None:
        made = quality_estimation(
            training_texts, training_ratings, model_file=model_file, estimator=estimator, **parameters
        )
        super().__init__(made, sources=sources)
