"""Quality estimation as a metric of sacrebleu; the arguments are those of `model_files.source.quality_estimation`."""

from __future__ import annotations

from metric_commons.integrations.sacrebleu_adapter import adapter_class
from quality_estimation_metric.model_files.source import quality_estimation

QualityEstimationMetric = adapter_class(quality_estimation, "QualityEstimationMetric", "QualityEstimation", __name__)
