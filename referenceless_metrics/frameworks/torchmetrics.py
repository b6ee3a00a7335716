"""Any metric as one of torchmetrics (extra `torchmetrics`): states that add up over batches and processes."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from typing import Any

from referenceless_metrics.core.metric import Metric, check_scorer, coverage_name, score_texts
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.core.support.validation import check_choice

with importing("torchmetrics", "torchmetrics adapters need"):
    import torch
    from torchmetrics import Metric as TorchMetric

OUTPUTS = ("all", "mean")


class TextQualityMetric(TorchMetric):  # type: ignore[misc]  # torchmetrics is not among the type checker's imports
    """Mean score of texts with its coverage, in the manner of `torchmetrics.text`.

    `compute` returns a dict of two scalars, the metric and its coverage. The mean is over the covered texts, NaN if
    there are none. `MetricTracker`, `MinMaxMetric`, arithmetic on metrics and Lightning's `self.log(metric)` want one
    scalar: `output="mean"` returns the mean alone; report `coverage` beside it.

    In a `MetricCollection` several stand in a dict, with names of your choice.

    The sum is kept in float64. A device without it (Apple's MPS) needs `metric.set_dtype(torch.float32)` before
    `metric.to(device)`; the metric itself runs on the device that it was built for. Copies made by `clone` share it.

    Args:
        metric: a metric with its models or its pool bound, such as `WPSLOR()` or a fitted `BLEUNeighbors`.
        output: `all` for the dict, `mean` for the mean as a scalar.
        kwargs: arguments of `torchmetrics.Metric`.

    Raises:
        TypeError: for an object that is no metric.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric of whole sets or an unknown output.
    """

    is_differentiable = False
    higher_is_better = True
    full_state_update = False

    total: torch.Tensor
    n_covered: torch.Tensor
    n_texts: torch.Tensor

    def __init__(self, metric: Metric, *, output: str = "all", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        check_choice(output, "output", OUTPUTS)
        self.metric = check_scorer(metric)
        self.output = output
        self.add_state("total", torch.zeros((), dtype=torch.float64), dist_reduce_fx="sum")
        self.add_state("n_covered", torch.zeros((), dtype=torch.int64), dist_reduce_fx="sum")
        self.add_state("n_texts", torch.zeros((), dtype=torch.int64), dist_reduce_fx="sum")
        # A MetricCollection merges metrics whose states are equal after the first batch. Two of ours are when that
        # batch is empty or not covered; a state that tells pools and models apart keeps them apart.
        identity = int(hashlib.sha256(self.metric.signature.encode()).hexdigest()[:15], 16)
        self.add_state("identity", torch.tensor(identity, dtype=torch.int64), dist_reduce_fx="max")

    def update(self, preds: Sequence[str], target: Any = None, sources: Any = None) -> None:
        """Add a batch of texts.

        Args:
            preds: the texts to score, a list of strings.
            target: their references, for a metric that reads them. Others take it, so that one call can update a
                `MetricCollection`, and ignore it.
            sources: the sources of the texts, for a metric that reads sources.

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for missing references or sources, or not as many as there are texts.
        """
        scores = torch.from_numpy(score_texts(self.metric, preds, target, sources).values).to(self.total.device)
        defined = ~torch.isnan(scores)
        self.total += scores[defined].sum().to(self.total.dtype)
        self.n_covered += defined.sum()
        self.n_texts += len(scores)

    @property
    def coverage(self) -> torch.Tensor:
        """The share of covered texts so far, in this process."""
        return self.n_covered.to(self.total.dtype) / self.n_texts

    def compute(self) -> dict[str, torch.Tensor] | torch.Tensor:
        """Return the mean over the covered texts and their share of all; NaN if there are none."""
        mean = self.total / self.n_covered
        if self.output == "mean":
            return mean
        return {self.metric.name: mean, coverage_name(self.metric): self.coverage}

    def plot(self, val: Any = None, ax: Any = None) -> Any:
        """Plot one result, or a sequence of results over time, of `compute` or `forward`.

        Args:
            val: the values to plot; None for `compute()`.
            ax: a matplotlib axis; None for a new figure.

        Returns:
            The figure and the axis.

        Raises:
            ModuleNotFoundError: if matplotlib is missing.
        """
        return self._plot(self.compute() if val is None else val, ax)

    def __deepcopy__(self, memo: dict[int, Any]) -> TextQualityMetric:
        memo[id(self.metric)] = self.metric  # a pool or a language model is never changed, and may be large
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return twin
