"""What the registry of metrics holds of this package."""

from __future__ import annotations

from metric_commons.registry import MetricSpec

BLEU_NEIGHBORS = MetricSpec(
    name="bleu_neighbors",
    title="BLEU Neighbors",
    make="bleu_neighbors_metric.pool_source:bleu_neighbors",
    options="bleu_neighbors_metric.cli.options:OPTIONS",
    sacrebleu="bleu_neighbors_metric.integrations.sacrebleu:BLEUNeighborsMetric",
    explain="bleu_neighbors_metric.explain:NeighborsExplainer",
    fit="bleu_neighbors_metric.cli.fit:fit",
    family="bleu-neighbors",
)
