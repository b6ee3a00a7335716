"""Ridge regression on n-grams, sources and features: the default model of the quality estimator."""

from quality_estimation_metric.kernel_model.model import KernelModel

__all__ = ["KernelModel"]
