"""Ratings that were asked for in some rows alone, as another column decides: accuracy of what is solvable, say."""

from __future__ import annotations

from collections.abc import Collection

from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import shortened
from referenceless_metrics.human_evaluation.ratings.columns import is_missing, name_of

_FEWEST = 5
"""Fewest rows with a rating, and fewest without one, of which a column is taken to decide."""

_MOST_VALUES = 8
"""Most values of a column that decides."""


def note_on_asked_rows(table: Table, rating: str, but: Collection[str] = ()) -> list[str]:
    """Return a note on the column that decides where a rating is blank, in a list; none without one.

    Each of its values stands in rows with ratings alone, or in rows without any.

    Args:
        table: the table.
        rating: the column of ratings.
        but: the columns of systems, items, raters and the like, which do not count.
    """
    if not table.has(rating):
        return []
    are_blank = [is_missing(cell) for cell in table.column(rating)]
    n_blank = sum(are_blank)
    if min(n_blank, len(are_blank) - n_blank) < _FEWEST:
        return []
    for name in table.columns:
        if name == rating or name in but:
            continue
        cells = table.column(name)
        if any(map(is_missing, cells)):
            continue
        values = [name_of(cell) for cell in cells]
        blank = dict.fromkeys(value for value, is_blank in zip(values, are_blank, strict=True) if is_blank)
        asked = dict.fromkeys(value for value, is_blank in zip(values, are_blank, strict=True) if not is_blank)
        if not blank.keys() & asked.keys() and len(blank) + len(asked) <= _MOST_VALUES:
            return [
                f"column {rating!r} is blank in the {n_blank} rows where {name!r} is {_or(blank)}, and in no others: "
                f"its means are of the rows where {name!r} is {_or(asked)} alone, and leave out the others"
            ]
    return []


def _or(values: Collection[str]) -> str:
    return shortened(" or ".join(map(repr, values)), 80)
