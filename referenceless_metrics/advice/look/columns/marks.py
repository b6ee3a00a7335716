"""Columns of crosses: cells that hold one mark, as `x`, or nothing, which then says that something is absent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from shlex import quote

from referenceless_metrics.advice.look.columns.choosing import first_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_comment, names_no_rating
from referenceless_metrics.core.files.tables import Table

_MAY_BE = ("", "rating", "run", "slice")
"""Parts of columns of crosses: a name such as `Repetition` may stand for a run, which is there in each row."""

_OF_WORK = re.compile(r"(?:.*[^a-z])?(?:done|checked|finished|complete[d]?|reviewed|todo|control|gold)(?:[^a-z].*)?")
"""Names of columns of crosses that tell what a rater has done, and no ratings."""


def marked_columns(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell ratings by columns of crosses beside systems or raters, if no other column is one of ratings."""
    rated = ("rating", "rating of a rater", "score", "preference", "system_a")
    others = [column for column in columns if column.part in rated and not column.mark]
    if others or first_of(columns, "system", "rater") is None:
        return list(columns)
    marked = [column for column in columns if column.mark and column.part in _MAY_BE]
    named = [column.name for column in marked if not _is_no_rating(column.name)]
    return with_parts(columns, dict.fromkeys(named, "rating"))


def _is_no_rating(name: str) -> bool:
    return names_no_rating(name) or names_comment(name) or _OF_WORK.fullmatch(name.lower()) is not None


def values_of_mark(mark: str) -> str:
    """Return the value of `--values` that takes a mark for 1 and a blank cell for 0.

    >>> values_of_mark("x")
    'x=1,=0'
    """
    return f"{mark}=1,=0"


def remarks_on_marks(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the assumption on columns of crosses that are taken for ratings."""
    marked = [column for column in columns if column.part == "rating" and column.mark]
    for mark in dict.fromkeys(column.mark for column in marked):
        names = [repr(column.name) for column in marked if column.mark == mark]
        hold = f"column {names[0]} holds" if len(names) == 1 else f"columns {', '.join(names)} hold"
        yield (
            f"{hold} {mark!r} or nothing: {mark!r} is taken for 1 and a blank for 0 (--values "
            f"{quote(values_of_mark(mark))}), so that a mean is the share of {mark!r}; if a blank is no answer: "
            f"--values {quote(f'{mark}=1,=')}"
        )
