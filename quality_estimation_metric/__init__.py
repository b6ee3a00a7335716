"""Quality estimation: text quality learned from rated outputs, with or without their source (Dušek et al. 2017)."""

from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.evaluation import Evaluation
from quality_estimation_metric.kernel_model.explanation import Explanation
from quality_estimation_metric.kernel_model.reference_model import ReferencePool
from quality_estimation_metric.sources import Triple, parse_mr
from quality_estimation_metric.sources.slot_errors import SlotErrors, slot_errors

__all__ = [
    "Evaluation",
    "Explanation",
    "QualityEstimator",
    "ReferencePool",
    "SlotErrors",
    "Triple",
    "parse_mr",
    "slot_errors",
]
