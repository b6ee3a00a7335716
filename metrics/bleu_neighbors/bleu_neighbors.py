"""BLEU Neighbors for `evaluate`: the module itself is in the package."""

from bleu_neighbors_metric.integrations.evaluate import BLEUNeighborsModule  # From: referenceless-metrics

__test__ = {"example": BLEUNeighborsModule.example}  # which evaluate's own tests run
