"""Fluency for `evaluate`: the module itself is in the package."""

from slor_metric.integrations.evaluate import FluencyModule  # From: referenceless-metrics

__test__ = {"example": FluencyModule.example}  # which evaluate's own tests run
