"""Command lines that read the files of several raters or systems as one table."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import are_called_as_raters
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.headless import MOST_POINTS
from referenceless_metrics.advice.look.forms.shapes import OF_PEOPLE
from referenceless_metrics.advice.look.lines.checking import refusal_of
from referenceless_metrics.advice.look.lines.parts import command_line, every_pair
from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.human_evaluation.exports.mt_metrics_eval import FORM as SEGMENT_SCORES
from referenceless_metrics.human_evaluation.scores.columns import is_computed


def by_raters(looks: Sequence[Look]) -> list[str]:
    """Return the lines of agreement of files that hold ratings of the same texts: each of one rater.

    Files with outputs of several systems each have to name the same ones, of the same items, row by row.
    """
    first, *others = looks
    valued = [column.name for column in first.columns if column.part in ("rating", "score") and column.is_numeric]
    ratings = [name for name in valued if not is_computed(name)]  # which no rater gives
    parts = {column.part: column for column in reversed(first.columns)}
    texts = {column.name: (column.shown, column.distinct) for column in first.columns if column.holds_texts}
    if not ratings or not texts or {"rater", "rating of a rater"} & parts.keys() or "rating" not in parts:
        return []
    if _have_other_outputs(looks):
        return []
    for each in others:
        found = {column.name: (column.shown, column.distinct) for column in each.columns if column.holds_texts}
        names = {column.name for column in each.columns if column.is_numeric}
        if found != texts or not set(ratings) <= names or each.n_rows != first.n_rows:
            return []
    files = [each.file for each in looks]
    if all(map(is_criterion, _own_words(file_names(files)))):  # of a criterion each
        return []
    keys: list[str] = []
    if "system" in parts:
        system, item = parts["system"], parts.get("item")
        orders = {None if item is None else each.orders.get(item.name) for each in looks}
        if item is None or len(orders) > 1 or None in orders:
            return []
        if not all(names_alike(each, first, system) for each in others):
            return []
        keys = ["--item-column", item.name, "--system-column", system.name]
        text = parts.get("text")
        if text is not None and refusal_of(command_line("agreement", *files, "--rating-column", ratings[0], *keys)):
            keys = ["--item-column", item.name, "--item-column", text.name, "--system-column", system.name]
    return [command_line("agreement", *files, "--rating-column", name, *keys) for name in ratings]


def of_one_rater_each(looks: Sequence[Look]) -> list[str]:
    """Return the line of agreement of files with the choices of one named rater each; none of other files.

    The choices are of sides, whose systems nothing names. Each file alone says nothing of agreement.
    """
    named = []
    for each in looks:
        parts = {column.part: column for column in reversed(each.columns)}
        if not {"rater", "preference", "item"} <= parts.keys() or {"system_a", "system_b"} & parts.keys():
            return []
        named.append([parts[part] for part in ("preference", "item", "rater")])
    names = {tuple(column.name for column in of_file) for of_file in named}
    raters = {of_file[2].shown for of_file in named if of_file[2].distinct == 1}
    if len(looks) < 2 or len(names) > 1 or len(raters) < len(looks):
        return []
    options = [f"--{part}-column" for part in ("rating", "item", "rater")]
    by = [word for option, name in zip(options, names.pop(), strict=True) for word in (option, name)]
    return [command_line("agreement", *(each.file for each in looks), *by)]


def of_rounds(looks: Sequence[Look]) -> list[str]:
    """Return the line of agreement of files of people's scores of segments, whose names differ in a number alone.

    They are rounds, or raters without names: `en-de.ESA-1.seg.score` and `en-de.ESA-2.seg.score`.
    """
    files = [each.file for each in looks]
    are_of_people = all(each.shape == OF_PEOPLE and each.form.startswith(SEGMENT_SCORES.name) for each in looks)
    names = {re.sub(r"\d+", "", Path(file).name) for file in files}
    if len(looks) < 2 or not are_of_people or len(names) > 1 or len({frozenset(each.systems) for each in looks}) > 1:
        return []
    line = command_line("agreement", *files)
    return [] if refusal_of(line) else [line]


def _own_words(names: Sequence[str]) -> list[str]:
    """Return of each name the words that not all have, joined: the whole of one without any.

    >>> _own_words(["ratings_ann", "ratings_bob"]), _own_words(["fluency", "style"])
    (['ann', 'bob'], ['fluency', 'style'])
    """
    words = [re.findall(r"[^\W_]+", name) for name in names]
    common = set.intersection(*map(set, words))
    own = ["_".join(word for word in of if word not in common) for of in words]
    return [own_words or name for own_words, name in zip(own, names, strict=True)]


def _have_other_outputs(looks: Sequence[Look]) -> bool:
    """Say whether files have other texts in a common column of outputs, so that they are of a system each."""
    columns = {column.name for column in looks[0].columns if column.part in ("candidates", "prediction")}
    return any(len({each.orders.get(name) for each in looks}) > 1 for name in columns)


def by_raters_of_scores(looks: Sequence[Look]) -> list[str]:
    """Return the lines on files of one column of scores of the same outputs, in the same order: each of one rater.

    Whole numbers on a scale are taken for people's if no metric is called so, and files are called as raters.
    """
    first = looks[0]
    scores = [column for column in first.columns if column.part in ("score", "rating") and column.is_numeric]
    parts = {column.part: column for column in reversed(first.columns)}
    if len(scores) != 1 or "system" not in parts or {"rater", "rating of a rater", "metric"} & parts.keys():
        return []
    score, system = scores[0], parts["system"]
    may_be_ratings = score.kind == "whole numbers" and 2 < score.distinct <= MOST_POINTS
    if not may_be_ratings or names_metric(score.name) or not are_called_as_raters([each.file for each in looks]):
        return []
    common = set.intersection(*(set(each.orders.items()) for each in looks))
    same = {name for name, _ in common}
    of_outputs = {column.name for column in first.columns if column.part in ("item", "cluster")} & first.orders.keys()
    are_same = {system.name, *of_outputs} < same and len({each.n_rows for each in looks}) == 1
    if not are_same:
        return []
    line = next((line for line in first.commands if line.startswith(command_line("compare", "--scores"))), "")
    options = [word for pair in pairwise(shlex.split(line)) if pair[0] in _OF_OUTPUTS for word in pair]
    rated = ["--rating-column", score.name, *options]
    files = [each.file for each in looks]
    of_each = [word for file in files for word in ("--ratings", file)]
    scored = command_line("human-score", *of_each, *rated, *every_pair(system.distinct))
    return [scored, command_line("agreement", *files, *rated)]


_OF_OUTPUTS = ("--item-column", "--system-column", "--rows-in", "--where")
"""Options of a line on scores that say what outputs are."""


def names_alike(found: Look, other: Look, column: Column) -> bool:
    """Say whether two files have a column with the same few names."""
    both = [[(each.shown, each.distinct) for each in of.columns if each.name == column.name] for of in (found, other)]
    return both[0] == both[1]
