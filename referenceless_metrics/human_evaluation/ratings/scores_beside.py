"""Scores that stand beside ratings, and the line that leads to what they are worth in place of some ratings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from shlex import quote
from typing import TYPE_CHECKING

import numpy as np

from referenceless_metrics.core.files.number_words import column_numbers
from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Integers
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING
from referenceless_metrics.human_evaluation.ratings.model_raters import names_judge
from referenceless_metrics.human_evaluation.scores.columns import cells_of, is_of_metric, numeric_columns

if TYPE_CHECKING:
    import pandas as pd

_OPTIONS = ("item", "system", "rater", "cluster")
_KEYS = ("item", "system", "text", "criterion")


def replacing(table: Table, columns: RatingColumns, frame: pd.DataFrame) -> str:
    """Return the line that leads to the worth of scores as estimates of the ratings beside them; "" without scores.

    If outputs without ratings have scores, too, `human-score` says by how much these narrow the intervals; else
    `evaluate` says how far they agree with the ratings.

    Args:
        table: the table of ratings, without systems in columns.
        columns: its columns.
        frame: the ratings in long form, with the row of the table that each is of.
    """
    keys = list(zip(*(frame[name] for name in _KEYS if name in frame), strict=True)) or list(frame["row"])
    used = {str(name) for name in (*columns.named, *columns.keys, *(columns.ratings or (RATING,)))}
    scores = _scores_beside(table, used, keys, frame["row"].to_numpy())
    if not scores:
        return ""
    rated = {key for key, rating in zip(keys, frame["rating"].tolist(), strict=True) if np.isfinite(rating)}
    file = quote(table.source)
    named = [("rating", name) for name in columns.ratings]
    named += [(kind, part) for kind in _OPTIONS if (name := getattr(columns, kind)) for part in names_in(name)]
    options = "".join(f" --{kind}-column {quote(name)}" for kind, name in named)
    if rated != set(keys) and columns.cluster is None:
        call = f"referenceless human-score --ratings {file}{options} --estimates-column {quote(scores[0])}"
        return narrowing_line(scores[0], call)
    options = "".join(f" --score-column {quote(name)}" for name in scores) + options
    call = f"referenceless evaluate --scores {file} --ratings {file}{options}"
    they_agree = "it agrees" if len(scores) == 1 else "they agree"
    return (
        f"{_question(' or '.join(scores))} Rated outputs alone do not tell: `human-score --estimates-column` takes "
        f"others, too. `{call}` says how far {they_agree} with these ratings."
    )


def replacing_in_files(tables: Sequence[Table], ratings: str) -> str:
    """Return the same line on scores in the tables of the systems' outputs, one for each system.

    Args:
        tables: the tables.
        ratings: the file or the folder of the ratings.
    """
    of_each = [_scores_beside(table, (), range(len(table.rows)), np.arange(len(table.rows))) for table in tables]
    shared = [name for name in of_each[0] if all(name in others for others in of_each)] if of_each else []
    if not shared:
        return ""
    files = " ".join(quote(table.source) for table in tables)
    call = f"referenceless human-score {files} --ratings {quote(ratings)} --estimates-column {quote(shared[0])}"
    return narrowing_line(shared[0], call)


def narrowing_line(name: str, call: str) -> str:
    """Return the line that leads to the call that says by how much estimates narrow intervals.

    >>> narrowing_line("slor", "referenceless human-score")
    'Could slor replace some of the ratings? `referenceless human-score` says by how much it narrows the intervals.'
    """
    return f"{_question(name)} `{call}` says by how much it narrows the intervals."


def _question(name: str) -> str:
    return f"Could {name} replace some of the ratings?"


def _scores_beside(table: Table, used: Collection[str], keys: Sequence[object], rows: Integers) -> list[str]:
    """Return the columns of numbers that are called as a metric or a judge, and have one value for each output.

    People rate fluency and quality, too: a column that is called as such a criterion is none. Whole numbers in a column
    that is called as a judge may be numbers of judges.
    """
    may_be = [name for name in table.names() if name not in used and (is_of_metric(name) or names_judge(name))]
    if not may_be:
        return []
    found = []
    for name in numeric_columns(table, set(table.names()) - set(may_be), n_systems=1):
        values = column_numbers(cells_of(table, name), decimal_comma=table.comma).values[rows]
        known = values[np.isfinite(values)]
        may_number = names_judge(name) and bool((known == np.floor(known)).all())
        pairs = set(zip(keys, np.nan_to_num(values, nan=np.inf).tolist(), strict=True))
        if not may_number and len(set(known.tolist())) > 1 and len(pairs) == len(set(keys)):
            found.append(name)
    return found
