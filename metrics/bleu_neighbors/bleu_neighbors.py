"""BLEU Neighbors for `evaluate`: the module itself is in the package."""

from bleu_neighbors_metric.evaluate_module import BleuNeighbors  # From: referenceless-metrics
