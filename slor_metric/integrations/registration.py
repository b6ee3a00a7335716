"""What the registry of metrics holds of this package."""

from __future__ import annotations

from metric_commons.registry import MetricSpec


def _entry(name: str, title: str, class_name: str, *, needs_references: bool = False) -> MetricSpec:
    return MetricSpec(
        name=name,
        title=title,
        make=f"slor_metric.estimator:{class_name}",
        options="slor_metric.cli.models:OPTIONS",
        sacrebleu=f"slor_metric.integrations.sacrebleu:{class_name}Metric",
        explain=f"slor_metric.explain:{class_name}Explainer",
        plot="" if needs_references else "slor_metric.explain:plot_tokens",
        needs_references=needs_references,
        family="slor",
    )


SLOR = _entry("slor", "SLOR", "SLOR")
WPSLOR = _entry("wpslor", "WPSLOR", "WPSLOR")
FLUENCY = MetricSpec(
    name="fluency",
    title="Fluency",
    make="slor_metric.fluency.metric:Fluency",
    options="slor_metric.cli.models:FLUENCY_OPTIONS",
    sacrebleu="slor_metric.integrations.sacrebleu:FluencyMetric",
    explain="slor_metric.explain:FluencyExplainer",
    plot="slor_metric.explain:plot_tokens",
    family="slor",
)
ROUGE_LM = _entry("rouge_lm", "ROUGE-LM", "ROUGELM", needs_references=True)
