"""ROUGE-LM for `evaluate`: the module itself is in the package."""

from slor_metric.integrations.evaluate import RougeLM  # From: referenceless-metrics
