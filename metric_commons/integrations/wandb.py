"""Logs any metric of texts to Weights & Biases: the mean with its coverage, the values, and each text with its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from metric_commons.metric import Metric, check_metric, coverage_name, score_texts
from metric_commons.results import MetricResult
from metric_commons.support.installation import importing
from metric_commons.support.validation import Record, check_texts

with importing("wandb", "logging to Weights & Biases needs"):
    import wandb

__all__ = ["wandb_log"]


def wandb_log(
    run: wandb.Run,
    metric: Metric,
    texts: Iterable[str],
    *,
    references: Any = None,
    sources: Any = None,
    step: int | None = None,
    prefix: str = "",
    table: bool = True,
) -> MetricResult:
    """Score texts, log what comes of it to a run, and return it.

    The run gets `<name>` (NaN where nothing is covered, so that a chart has a gap there), `<name>_coverage`, a
    histogram `<name>_values` of the covered texts, and a table `<name>_texts` of all of them; its configuration gets
    `<name>_signature`.

    Args:
        run: what `wandb.init` returned.
        metric: a metric with its models or its pool bound.
        texts: n texts.
        references: one reference, or a list of them, a text; for a metric that reads them.
        sources: one source a text; for a metric that reads them.
        step: the step of the run; None for its next one.
        prefix: put before each name, such as `eval/`.
        table: whether to log the texts themselves, with their values and reasons.

    Raises:
        TypeError: for an object that is no metric, or texts that are none.
        ValueError: for missing references or sources, or not as many as there are texts.
    """
    texts = check_texts(texts, "texts")
    result = score_texts(check_metric(metric), texts, references, sources)
    name = f"{prefix}{metric.name}"
    logged: Record = {name: result.mean, f"{prefix}{coverage_name(metric)}": result.coverage}
    if result.n_covered:
        logged[f"{name}_values"] = wandb.Histogram(result.values[result.covered])
    if table:
        logged[f"{name}_texts"] = _table(texts, result)
    run.config.update({f"{metric.name}_signature": result.signature}, allow_val_change=True)
    run.log(logged, step=step)
    return result


def _table(texts: list[str], result: MetricResult) -> wandb.Table:
    """Return a row a text: the text, its value or the reason why it has none, and the metric's own columns."""
    plain = result.as_plain()
    columns = {
        "text": texts,
        "value": plain["values"],
        "reason": plain["reasons"],
        **{name: plain[name] for name in result.columns},
    }
    rows = [list(row) for row in zip(*columns.values(), strict=True)]
    return wandb.Table(columns=list(columns), data=rows, allow_mixed_types=True)
