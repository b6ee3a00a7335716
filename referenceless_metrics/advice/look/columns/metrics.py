"""Rules that find columns of metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.choosing import first_of, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import names_metric

FEWEST_ROWS = 3  # in the mean, of each system or criterion

_MOST_NAMES = 60


def find_metrics_in_lists(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell scores by lists of numbers, as of a document's segments, if all of their columns are called as metrics.

    So are lists in one object, most of which are called so.
    """
    listed = [column.name for column in columns if column.kind == "lists of numbers" and column.part in ("", "rating")]
    holders: dict[str, list[str]] = {}
    for name in listed:
        holders.setdefault(name.partition(".")[0] if "." in name else "", []).append(name)
    scores = listed if all(map(names_metric, listed)) and first_of(columns, "system") is None else []
    for holder, names in holders.items():
        if holder and 2 * sum(map(names_metric, names)) > len(names) > 1:
            scores = [*scores, *names]
    return with_parts(columns, dict.fromkeys(scores, "score"))


def with_part(columns: Sequence[Column], part: str, chosen: Callable[[Column], bool]) -> list[Column]:
    """Return columns, of which those that are chosen play a part."""
    return [replace(column, part=part) if chosen(column) else column for column in columns]


def find_named_values(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell the names of metrics beside their values, in columns `name` and `value`."""
    value = first_of(columns, "score", "rating")
    if (
        value is None
        or first_of(columns, "metric", "criterion") is not None
        or not value.name.lower().endswith("value")
    ):
        return list(columns)
    beside = f"{value.name[: -len('value')]}name".lower()
    part = "metric" if value.part == "score" else "criterion"
    return with_part(columns, part, lambda column: column.name.lower() in (beside, "name") and column.kind == "labels")


def find_metrics_in_cells(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell the names of metrics beside their values by a column of labels that are usual metrics, half of them or more.

    The values of metrics in one column are told apart by it alone.
    """
    if first_of(columns, "score") is None or first_of(columns, "metric", "criterion") is not None:
        return list(columns)
    for column in columns:
        plain = replace(column, part="") if column.part == "item" else column
        if not may_name(plain, len(table.rows)) or column.blank:
            continue
        if name_metrics(texts_of(table, column.name)):
            return with_parts(columns, {column.name: "metric"})
    return list(columns)


def name_metrics(cells: Sequence[str]) -> bool:
    """Say whether cells name two usual metrics or more, and these are half of the names or more.

    >>> name_metrics(["bleu", "chrf", "bleu"]), name_metrics(["bleu", "bart", "t5", "gpt2"])
    (True, False)
    """
    names = set(cells)
    n_metrics = sum(map(names_metric, names))
    return n_metrics > 1 and 2 * n_metrics >= len(names)


def may_name(column: Column, n_rows: int) -> bool:
    """Say whether a column may name systems or criteria: a few labels, each in several rows."""
    is_named = column.kind == "labels" and 1 < column.distinct <= _MOST_NAMES and not column.part
    return is_named and FEWEST_ROWS * column.distinct <= n_rows
