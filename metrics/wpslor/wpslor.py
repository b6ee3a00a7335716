"""WPSLOR for `evaluate`: the module itself is in the package."""

from slor_metric.evaluate_modules import Wpslor  # From: referenceless-metrics
