"""Quality estimation for `evaluate`: the module itself is in the package."""

from quality_estimation_metric.integrations.evaluate import QualityEstimationModule  # From: referenceless-metrics

__test__ = {"example": QualityEstimationModule.example}  # which evaluate's own tests run
