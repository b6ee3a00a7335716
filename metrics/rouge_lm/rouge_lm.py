"""ROUGE-LM for `evaluate`: the module itself is in the package."""

from slor_metric.integrations.evaluate import ROUGELMModule  # From: referenceless-metrics

__test__ = {"example": ROUGELMModule.example}  # which evaluate's own tests run
