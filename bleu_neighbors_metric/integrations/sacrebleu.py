"""BLEU Neighbors as a metric of sacrebleu; the arguments are those of `pool_source.bleu_neighbors`."""

from __future__ import annotations

from bleu_neighbors_metric.pool_source import bleu_neighbors
from metric_commons.integrations.sacrebleu_adapter import adapter_class

BLEUNeighborsMetric = adapter_class(bleu_neighbors, "BLEUNeighborsMetric", "BLEUNeighbors", __name__)
