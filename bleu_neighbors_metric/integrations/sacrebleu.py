"""BLEU Neighbors as a metric of sacrebleu; the arguments are those of `pool_source.bleu_neighbors`."""

from __future__ import annotations

from bleu_neighbors_metric.pool_source import bleu_neighbors
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter


class BLEUNeighborsMetric(SacrebleuAdapter):
    """BLEU Neighbors beside BLEU and chrF; for the arguments see `bleu_neighbors_metric.pool_source.bleu_neighbors`."""

    name = "BLEUNeighbors"
    make = staticmethod(bleu_neighbors)
