"""SLOR for `evaluate`: the module itself is in the package."""

from slor_metric.integrations.evaluate import SLORModule  # From: referenceless-metrics

__test__ = {"example": SLORModule.example}  # which evaluate's own tests run
