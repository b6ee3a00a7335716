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

    Args:
        model_file: a file that `QualityEstimator.save` or `referenceless fit` wrote; None for the packaged model.
        sources: what the segments were made from, one a segment, where the model reads sources.
        estimator: instead of a file, a fitted `QualityEstimator`.
        parameters: `level`, or rated texts and parameters as in `quality_estimation`.

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
        (4.0, 1.0)
    """

    name: ClassVar[str] = "QualityEstimation"
    key: ClassVar[str] = "quality_estimation"

    def __init__(
        self,
        model_file: Any = None,
        *,
        sources: Sequence[Any] | None = None,
        estimator: QualityEstimator | None = None,
        **parameters: Any,
    ) -> None:
        super().__init__(quality_estimation(estimator, model_file=model_file, **parameters), sources=sources)
