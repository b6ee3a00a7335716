"""What the estimates of left-out training texts, which fitting gives at no cost, say of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.agreement import agreement
from metric_commons.assessment.verdict import Verdict, verdict_from
from quality_estimation_metric.evaluation import number_groups
from quality_estimation_metric.kernel_model.model import KernelModel


def left_out_verdict(
    model: Any,
    texts: Sequence[str],
    triples: Sequence[Any] | None,
    ratings: NDArray[np.float64],
    *,
    by_group: bool,
) -> Verdict | None:
    """Return what a model's estimates are worth; None for a model that left nothing out, such as a recurrent one.

    A text that was rated several times, for one source, counts once, with the means of its ratings and estimates.

    Args:
        model: just fitted.
        texts: the n texts that it was fitted on.
        triples: their sources; None without.
        ratings: theirs, shape (n,).
        by_group: whether groups of the caller's were left out.
    """
    if not isinstance(model, KernelModel) or model.left_out is None:
        return None
    numbers = number_groups(texts if triples is None else zip(texts, triples, strict=True))
    counts = np.bincount(numbers)
    _, first = np.unique(numbers, return_index=True)
    agreed = agreement(
        np.bincount(numbers, weights=model.left_out) / counts,
        np.bincount(numbers, weights=ratings) / counts,
        [texts[row] for row in first.tolist()],
        n_resamples=0,
    )
    return verdict_from(agreed, by_group=by_group)
