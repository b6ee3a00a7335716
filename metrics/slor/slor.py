"""SLOR for `evaluate`: the module itself is in the package."""

from slor_metric.integrations.evaluate import Slor  # From: referenceless-metrics
