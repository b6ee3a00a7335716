"""Quality estimation as a metric of sacrebleu; the arguments are those of `model_files.source.quality_estimation`."""

from __future__ import annotations

from quality_estimation_metric.model_files.source import quality_estimation
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter


class QualityEstimationMetric(SacrebleuAdapter):
    """Estimates beside BLEU; see `quality_estimation_metric.model_files.source.quality_estimation`."""

    name = "QualityEstimation"
    make = staticmethod(quality_estimation)
