"""Quality estimation: text quality learned from rated outputs, with or without their source (Dušek et al. 2017)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referenceless_metrics.core.support.installation import lazy_names

if TYPE_CHECKING:
    from quality_estimation_metric.estimator import QualityEstimator
    from quality_estimation_metric.evaluation import Evaluation
    from quality_estimation_metric.kernel_model.explanation import Explanation
    from quality_estimation_metric.sources import Triple, parse_mr
    from quality_estimation_metric.sources.slot_errors import SlotErrors, slot_errors

__all__ = [
    "Evaluation",
    "Explanation",
    "QualityEstimator",
    "SlotErrors",
    "Triple",
    "parse_mr",
    "slot_errors",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Evaluation": "quality_estimation_metric.evaluation:Evaluation",
        "Explanation": "quality_estimation_metric.kernel_model.explanation:Explanation",
        "parse_mr": "quality_estimation_metric.sources:parse_mr",
        "QualityEstimator": "quality_estimation_metric.estimator:QualityEstimator",
        "slot_errors": "quality_estimation_metric.sources.slot_errors:slot_errors",
        "SlotErrors": "quality_estimation_metric.sources.slot_errors:SlotErrors",
        "Triple": "quality_estimation_metric.sources:Triple",
    },
)
