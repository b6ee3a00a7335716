"""Command lines on several criteria, in columns of numbers or groups of rows."""

from __future__ import annotations

from referenceless_metrics.advice.look.columns.column_parts import is_of_own_metric
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.lines.options_of_parts import MOST_RATINGS, option_for_each
from referenceless_metrics.advice.look.lines.parts import Parts, command_line
from referenceless_metrics.core.support.metric_names import names_metric

MOST_SYSTEMS = 8
"""Most columns of texts that a command line names."""


def of_groups(file: str, parts: Parts) -> list[str]:
    """Return the command lines that hold one group's ratings, as lists in cells, against another's by one criterion.

    The name of a column joins group and criterion, as `experts.fluency` and `crowd.fluency`.
    """
    item = parts.first("item") or parts.text
    groups: dict[str, list[str]] = {}
    for column in parts.all("rating"):
        group, _, criterion = column.name.rpartition(".")
        if group and column.kind == "lists of numbers":
            groups.setdefault(criterion, []).append(column.name)
    both = [names for names in groups.values() if len(names) > 1]
    if item is None or not both:
        return []
    keys = [*([] if item == "item" else ["--item-column", item]), *parts.option("system", "system")]
    files = ["--scores", file, "--ratings", file]
    return [
        command_line("evaluate", *files, "--score-column", names[1], "--rating-column", names[0], *keys, *parts.reading)
        for names in both[:MOST_RATINGS]
    ]


def criteria_beside_metrics(parts: Parts) -> list[str]:
    """Return columns of scores that are called as criteria, beside others that are called as metrics: of people, maybe.

    There are none beside ratings, and without metrics.
    """
    scores = [column for column in parts.all("score") if column.is_numeric]
    if parts.all("rating") or not any(names_metric(column.name) for column in scores):
        return []
    others = [column.name for column in scores if not is_of_own_metric(column.name, column.kind, column.shown)]
    return [name for name in others if is_criterion(name) and not names_metric(name)]


def of_criteria(file: str, parts: Parts) -> list[str]:
    """Return the command lines that hold metrics against scores that are called as criteria which people rate by."""
    criteria = criteria_beside_metrics(parts)
    metrics = [column.name for column in parts.all("score") if column.is_numeric and column.name not in criteria]
    item = parts.first("item")
    if item is None or parts.first("rater"):
        return []
    keys = [] if item == "item" else ["--item-column", item]
    keys += [*parts.option("system", "system"), *parts.reading, *parts.one_criterion]
    scores = option_for_each("--score-column", metrics[:MOST_SYSTEMS])
    both = ["--scores", file, "--ratings", file]
    return [
        command_line("evaluate", *both, *scores, "--rating-column", name, *keys) for name in criteria[:MOST_RATINGS]
    ]
