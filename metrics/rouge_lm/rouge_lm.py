"""ROUGE-LM for `evaluate`: the module itself is in the package."""

from slor_metric.evaluate_modules import RougeLM  # From: referenceless-metrics
