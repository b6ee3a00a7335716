"""The columns of a rating table: which ones are read, and their cells as names and as ratings."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from shlex import quote
from typing import Any

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.reading import joined_name, names_in
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Floats, InputError
from referenceless_metrics.human_evaluation.ratings.texts_as_names import check_are_no_texts

RATERS, SYSTEMS, CRITERIA = "raters", "systems", "criteria"
COLUMNS_ARE = (RATERS, SYSTEMS, CRITERIA)
"""Meanings of several rating columns: raters, systems or criteria."""

LOW, HIGH = "low", "high"
ENDS = (LOW, HIGH)
"""The end of a scale of preferences."""


_OF_ANY_RATING = frozenset(
    (
        *(
            "rating",
            "ratings",
            "rate",
            "rated",
            "score",
            "scores",
            "grade",
            "points",
            "stars",
            "label",
            "labels",
            "value",
        ),
        *("values", "answer", "answers", "response", "judgement", "judgment", "annotation", "evaluation", "eval"),
        *("human", "likert", "mean", "average", "avg", "median", "raw", "z", "da", "esa", "mqm", "mos", "result"),
    )
)
"""Words in names of columns of ratings that do not say by what criterion people rated."""

_OF_PAIRS = ("preference", "system_a", "system_b")
_KEYS = ("system", "item", "rater", "criterion")


@dataclass(frozen=True)
class RatingColumns:
    """The names of the columns of a rating table, and how their cells are read.

    Attributes:
        ratings: the columns of ratings; none for `rating`. Several are one for each rater, system or
            criterion.
        text: the column of the rated outputs; None for `text` if there is one.
        system: the column of systems; None for `system` if there is one. So with `item` and `rater`.
        item: the column of each output's item (its input).
        rater: the column of raters.
        criterion: the column of criteria; None for `criterion` if there is one.
        cluster: the column of the items' clusters; None for none.
        slice: the column whose values part the items; None for none.
        estimates: the column of a metric's estimates; None for none.
        preference: the column of preferences; None for `preference` if there is one.
        system_a: the column of the first of two compared systems; None for `system_a`.
        system_b: the column of the second; None for `system_b`.
        columns_are: whether several columns of ratings are of `raters`, of `systems` or of `criteria`.
        a_is: the end of a scale of preferences, `low` or `high`, that prefers the output of `system_a`; None for `high`
            in a column `preference`, and to ask in any other.
        words: the numbers that words stand for, as `parse_values` returns them; None if words stand for none.
        fixed_sides: whether the sides that preferences name, as A and B, are of one system each in all rows.
    """

    ratings: Sequence[str] = ()
    text: str | None = None
    system: str | None = None
    item: str | None = None
    rater: str | None = None
    criterion: str | None = None
    cluster: str | None = None
    slice: str | None = None
    estimates: str | None = None
    preference: str | None = None
    system_a: str | None = None
    system_b: str | None = None
    columns_are: str = RATERS
    a_is: str | None = None
    words: Mapping[str, float] | None = field(default=None)
    fixed_sides: bool = False

    def renamed(self, own_names: Mapping[str, str]) -> RatingColumns:
        """Return the columns as a table calls them that a tool's file calls otherwise."""
        kinds = ("item", "rater", "text", "cluster", "slice")
        renamed: dict[str, Any] = {"ratings": tuple(own_names.get(name, name) for name in self.ratings)}
        for kind in kinds:
            name = getattr(self, kind)
            if name and not own_names.keys().isdisjoint(names_in(name)):
                renamed[kind] = joined_name([own_names.get(part, part) for part in names_in(name)])
        return replace(self, **renamed)

    @property
    def asked(self) -> str:
        """The only column of ratings that is named, if its name may say what raters were asked; "" for others.

        >>> RatingColumns(("fluency",)).asked, RatingColumns(("human_score",)).asked, RatingColumns(("a1", "a2")).asked
        ('fluency', '', '')
        """
        name = str(self.ratings[0]).strip() if len(self.ratings) == 1 else ""
        return "" if _OF_ANY_RATING.issuperset(re.findall(r"[^\W\d_]+", name.lower())) else name

    @property
    def named(self) -> list[str]:
        """The columns that are named."""
        kinds = (*("text", "system", "item", "rater", "criterion", "cluster", "slice", "estimates"), *_OF_PAIRS)
        return [*self.ratings, *(name for kind in kinds if (name := getattr(self, kind)) is not None)]

    @property
    def keys(self) -> list[str]:
        """The columns that a rating is read by: those that are named, and others by their usual names."""
        return [getattr(self, kind) or kind for kind in _KEYS]


def name_of(cell: object) -> str:
    """Return a cell as a name: without spaces around it, and a whole number without a decimal point.

    >>> name_of(" ours "), name_of(3.0), name_of(None)
    ('ours', '3', '')
    """
    if cell is None or (isinstance(cell, (float, np.floating)) and math.isnan(cell)):
        return ""
    if isinstance(cell, (float, np.floating)) and float(cell).is_integer():
        return str(int(cell))
    return str(cell).strip()


def names(table: Table, column: str, option: str) -> list[str]:
    """Return a column's cells as names.

    Args:
        table: the table.
        column: the column's name.
        option: the option that names it.

    Raises:
        InputError: for a column that is not there, a cell that holds nothing (the message names the row), and texts in
            place of the names of raters or systems.
    """
    read = [name_of(cell) for cell in table.key_cells(column, option)]
    if "" in read:
        row, n_blank = read.index(""), read.count("")
        kinds = ""
        if n_blank < len(read):
            rows = "row is" if n_blank == 1 else "rows are"
            kinds = (
                f"; {n_blank} of {len(read)} {rows} blank there: if of another kind, leave them out (--where "
                f"{quote(f'{column}!=')}) or take them alone (--where {quote(f'{column}=')})"
            )
        raise InputError(f"{table.where(row)}: there is nothing in column {str(column)!r} ({option}){kinds}")
    check_are_no_texts(table.source, str(column), option, read)
    return read


def names_if_there(table: Table, column: str | None, kind: str) -> list[str] | None:
    """Return a column's cells as names; None if nobody named the column and there is none of the usual name.

    Args:
        table: the table.
        column: the column that was asked for, if any.
        kind: the usual name, such as `system`, after which the option is called too.

    Raises:
        InputError: like `names`.
    """
    if column is None and kind not in table.columns:
        return None
    return names(table, column or kind, f"--{kind}-column")


def numbers(table: Table, column: str, option: str, words: Mapping[str, float] | None) -> tuple[Floats, list[str]]:
    """Return a column's cells as numbers, shape (rows,), NaN for a blank one, and notes on how they were read.

    Args:
        table: the table.
        column: the column's name.
        option: the option that names it.
        words: the numbers that words stand for; None if they stand for none.

    Raises:
        InputError: for a column that is not there, and a cell that is no number; the message names the row.
    """
    cells = table.column(column, option, numeric=True)
    try:
        read = column_numbers(cells, words=words, decimal_comma=table.comma)
    except NotNumbersError as error:
        others = table.told_numeric()
        if str(column) in others:
            others = ""
        raise InputError(
            f"{table.where(error.row)}: column {str(column)!r} ({getattr(column, 'option', '') or option}): {error}"
            f"{others and '; ' + others}"
        ) from None
    return read.values, [f"column {str(column)!r}: {read.note}"] if read.note else []


def is_missing(cell: Any) -> bool:
    """Say whether a cell holds nothing, or a number that is none."""
    return is_blank(cell) or (isinstance(cell, (float, np.floating)) and math.isnan(cell))
