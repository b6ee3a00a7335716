"""WPSLOR for `evaluate`: the module itself is in the package."""

from slor_metric.integrations.evaluate import WPSLORModule  # From: referenceless-metrics

__test__ = {"example": WPSLORModule.example}  # which evaluate's own tests run
