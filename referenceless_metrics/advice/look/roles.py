"""Raters who are told by their roles or as language models, and columns of what they remarked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referenceless_metrics.advice.look.choosing import first_of, is_function, texts_of, with_parts
from referenceless_metrics.advice.look.columns import Column, names_comment, parted
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.model_raters import are_models
from referenceless_metrics.human_evaluation.scores.metric_names import names_metric

_NEARLY_ALL = 0.9  # share of all pairs of items and roles that are there
_MOST_ROLES = 12
_OF_RATERS = re.compile(
    r"(?:.*[^a-z])?(?:rater|annotator|evaluator|reviewer|judge|participant|assessor|expert)s?[ _.-]?"
    r"(?:role|type|group|kind|category|background|profile|expertise|profession)s?"
)


def raters_in_roles(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by the column of their roles, if the one that names raters has another name in each row.

    Each item has a row for nearly each role.
    """
    rater = first_of(columns, "rater")
    if rater is None or rater.distinct < len(table.rows) or first_of(columns, "rating") is None:
        return list(columns)
    roles = [column for column in columns if not column.part and _OF_RATERS.fullmatch(parted(column.name))]
    items = [column for column in columns if column.part in ("item", "cluster")]
    items += [column for column in columns if not column.part and column.name.lower().endswith("id")]
    for role in roles:
        if not 1 < role.distinct <= _MOST_ROLES:
            continue
        names = texts_of(table, role.name)
        for item in items:
            pairs = set(zip(texts_of(table, item.name), names, strict=True))
            if len(pairs) == len(table.rows) >= _NEARLY_ALL * item.distinct * role.distinct:
                parts = {column.name: "" for column in columns if column.part == "item"}
                return with_parts(columns, {**parts, rater.name: "", role.name: "rater", item.name: "item"})
    return list(columns)


def judges_by_name(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell raters by columns of whole numbers that are called as language models are, as `scores.gpt-4o`.

    A table with a column of systems, or with one text in each row, has no column of ratings per system.
    """
    if first_of(columns, "system", "text") is None or first_of(columns, "rater", "rating of a rater") is not None:
        return list(columns)
    named = [column for column in columns if column.kind == "whole numbers" and _names_judge(column.name)]
    ratings = [column for column in columns if column.part == "rating" and column not in named]
    if len(named) < 2 or ratings:  # beside ratings of people, those of judges are scores
        return list(columns)
    return with_parts(columns, {column.name: "rating of a rater" for column in named})


def _names_judge(name: str) -> bool:
    """Say whether the last part of a dotted name is a language model's, and that of no metric or criterion.

    >>> _names_judge("scores.gpt-4o"), _names_judge("gpt4_coherence"), _names_judge("scores.rouge")
    (True, False, False)
    """
    last = name.rpartition(".")[2] if not re.search(r"\.\d", name) else name
    words = re.findall(r"[a-z]+", last.lower())
    return are_models([last]) and not names_metric(name) and CRITERIA_WORDS.isdisjoint(words)


def remarks_of_raters(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell remarks by texts in a column that is called so, if the raters of an item wrote several: no rated texts."""
    item = first_of(columns, "item")
    if item is None or first_of(columns, "rater") is None:
        return list(columns)
    keys = [column.name for column in (item, first_of(columns, "system")) if column is not None]
    outputs = list(zip(*(texts_of(table, name) for name in keys), strict=True))
    remarks = [
        column.name
        for column in columns
        if column.kind == "text"
        and column.part in ("", "text")
        and names_comment(column.name)
        and not is_function(outputs, texts_of(table, column.name))
    ]
    return with_parts(columns, dict.fromkeys(remarks, "comment"))
