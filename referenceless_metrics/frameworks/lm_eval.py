"""Every installed metric in lm-evaluation-harness (extra `lm-eval`), whose tasks name metrics in YAML.

A task of `output_type: generate_until` names a metric by a function of this module:

    metric_list:
      - metric: !function referenceless_metrics.frameworks.lm_eval.bleu_neighbors
        aggregation: nanmean
        higher_is_better: true
        pool: pool.index

Once the module is imported, `metric: bleu_neighbors` works, too. The other keys are arguments of the metric, as in
`referenceless_metrics.load`. The results are `bleu_neighbors`, over the covered documents, and
`bleu_neighbors_coverage`, each with its bootstrap standard error.

The harness passes on only the target of a document: `doc_to_target` names the reference for a metric that reads
references, and the source for one that reads sources; other metrics ignore it. The metrics are of no use for a task
with multiple targets, since the harness turns every score into 0 or 1.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from referenceless_metrics.core.metric import Metric, check_scorer, coverage_name, score_texts
from referenceless_metrics.core.registry import load_metric, metric_names
from referenceless_metrics.core.support.installation import importing

with importing("lm-eval", "the metrics for lm-evaluation-harness need"):
    import lm_eval.api.metrics  # noqa: F401  # registers the aggregations
    from lm_eval.api.registry import register_metric

DocumentMetric = Callable[..., dict[str, float]]


def harness_metric(name: str, make: Callable[..., Metric]) -> DocumentMetric:
    """Register a metric and return the function that the harness calls for each document.

    The harness gives standard errors only to the aggregations that it knows. `nanmean` is one of them (bootstrapped),
    and it leaves abstentions out, so a document's score is a number or NaN, and its coverage 1 or 0.

    Args:
        name: the name of the metric in a task's `metric_list`.
        make: from the other keys of that entry to the metric; called once for the same keys.
    """

    @lru_cache(maxsize=8)
    def made(parameters: str) -> Metric:
        return check_scorer(make(**json.loads(parameters)))

    def metric(references: Sequence[Any], predictions: Sequence[str], **parameters: Any) -> dict[str, float]:
        try:
            bound = made(json.dumps(parameters, sort_keys=True))
            values = score_texts(bound, predictions, references, references).values
        except TypeError as error:  # the harness would take it for another calling convention and call again
            raise ValueError(str(error)) from error
        score = float(values[0])
        return {name: score, coverage_name(bound): float(score == score)}

    metric.__name__ = metric.__qualname__ = name
    registered: DocumentMetric = register_metric(metric=name, higher_is_better=True, aggregation="nanmean")(metric)
    return registered


_REGISTERED = {name: harness_metric(name, partial(load_metric, name)) for name in metric_names()}
"""The installed metrics, which the harness knows by name from here on."""


def __getattr__(name: str) -> DocumentMetric:
    """Return the function of a metric, for `!function` in a task's YAML."""
    if name not in _REGISTERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}: the metrics are {', '.join(_REGISTERED)}")
    return _REGISTERED[name]
