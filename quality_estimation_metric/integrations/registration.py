"""What the registry of metrics holds of this package."""

from __future__ import annotations

from metric_commons.registry import MetricSpec

QUALITY_ESTIMATION = MetricSpec(
    name="quality_estimation",
    title="Quality estimation",
    make="quality_estimation_metric.model_files.source:quality_estimation",
    options="quality_estimation_metric.cli.options:OPTIONS",
    sacrebleu="quality_estimation_metric.integrations.sacrebleu:QualityEstimationMetric",
    explain="quality_estimation_metric.explain:EstimateExplainer",
    fit="quality_estimation_metric.cli.fit:fit",
    evaluate="quality_estimation_metric.cli.evaluate:evaluate",
    needs_sources=True,
    family="quality-estimation",
)
