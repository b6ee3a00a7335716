"""Registers metrics with lm-evaluation-harness, whose tasks then name them in YAML."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from metric_commons.metric import Metric, check_metric, coverage_name, score_texts
from metric_commons.support.installation import importing

with importing("lm-eval", "the metrics for lm-evaluation-harness need"):
    import lm_eval.api.metrics  # noqa: F401  # registers the aggregations
    from lm_eval.api.registry import register_metric

DocumentMetric = Callable[..., dict[str, float]]


def register(name: str, make: Callable[..., Metric]) -> DocumentMetric:
    """Register a metric and return the function that the harness calls for each document.

    The harness gives standard errors only to the aggregations that it knows. `nanmean` is one of them (bootstrapped),
    and it leaves abstentions out, so a document's score is a number or NaN, and its coverage 1 or 0.

    Of a document the harness hands on the target alone: a metric that reads sources takes it for the source, so that
    a task's `doc_to_target` names what the text is to be made from.

    Args:
        name: the name of the metric in a task's `metric_list`.
        make: from the other keys of that entry to the metric; called once for the same keys.
    """

    @lru_cache(maxsize=8)
    def made(parameters: str) -> Metric:
        return check_metric(make(**json.loads(parameters)), batches=True)

    def metric(references: Sequence[Any], predictions: Sequence[str], **parameters: Any) -> dict[str, float]:
        try:
            bound = made(json.dumps(parameters, sort_keys=True))
            values = score_texts(bound, predictions, references, references).values
        except TypeError as error:  # the harness would take it for another calling convention, and call again
            raise ValueError(str(error)) from error
        score = float(values[0])
        return {name: score, coverage_name(bound): float(score == score)}

    metric.__name__ = metric.__qualname__ = name
    metric.__doc__ = f"Return {name} of one document and whether it is defined; see `{make.__module__}`."
    registered: DocumentMetric = register_metric(metric=name, higher_is_better=True, aggregation="nanmean")(metric)
    return registered
