"""Ids that tell which rows of several files belong together."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import pairwise

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.lines.parts import command_line


def shared_ids(looks: Sequence[Look]) -> str:
    """Return the first column of ids most of which are the same in all files; "" for none."""
    first, *others = looks
    for name, ids in first.ids.items():
        held = [each.ids.get(name, frozenset()) for each in others]
        if all(2 * len(ids & other) > min(len(ids), len(other)) for other in held):
            return name
    return ""


def shared_item(looks: Sequence[Look]) -> str:
    """Return the column of items, each in one row, that all files have; "" for none."""
    names = {next((column.name for column in each.columns if column.part == "item"), "") for each in looks}
    are_once = all(each.items and len(each.items) == each.n_rows for each in looks)
    return names.pop() if len(names) == 1 and are_once else ""


def by_shared_ids(line: str, looks: Sequence[Look]) -> str:
    """Return a line that compares files by the ids that they share: in place of others, and of rows in another order.

    Outputs are paired by ids only if all files have the same.
    """
    words = shlex.split(line)
    name = shared_ids(looks)
    if words[1] != "compare" or not name or {"--unpaired", "--system-column"} & set(words):
        return line
    named = dict(pairwise(words)).get("--item-column")
    if named is not None:
        are_others = named in looks[0].ids and not set.intersection(*(set(each.ids.get(named, ())) for each in looks))
        return command_line(*(name if word == named else word for word in words[1:])) if are_others else line
    are_moved = len({each.orders.get(name) for each in looks}) > 1 and len({each.ids[name] for each in looks}) == 1
    return f"{line} {shlex.join(['--item-column', name])}" if are_moved and "--scores" not in words else line


def of_scores_by_ids(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares the scores in files of one system each, which share ids; none of other files."""
    name = shared_ids(looks)
    numeric = [{column.name for column in each.columns if column.is_numeric or _are_listed(column)} for each in looks]
    common = set.intersection(*numeric)
    scores = [each.name for each in looks[0].columns if each.part in ("rating", "score") and each.name in common]
    if not name or not scores or any(column.part in OF_NO_SYSTEM for each in looks for column in each.columns):
        return []
    files = [word for each in looks for word in ("--scores", each.file)]
    columns = [word for score in scores[:_MOST_SCORES] for word in ("--score-column", score)]
    told = {column.name for each in looks for column in each.columns if column.is_lower_better(looks[0].file)}
    turned = [word for score in scores[:_MOST_SCORES] if score in told for word in ("--lower-is-better", score)]
    return [command_line("compare", *files, *columns, "--item-column", name, *turned)]


def _are_listed(column: Column) -> bool:
    """Say whether the cells of a column are lists of scores, each of which counts by its mean."""
    return column.part == "score" and column.kind == "lists of numbers"


OF_NO_SYSTEM = ("system", "rater", "rating of a rater", "preference", "system_a", "criterion", "metric")
"""Parts of columns beside which a file's numbers are not the scores of one system."""

_MOST_SCORES = 8
"""Most scores that a line for several files names."""
