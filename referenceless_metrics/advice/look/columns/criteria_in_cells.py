"""Rules that find criteria by the names that stand in cells, and the ratings beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.choosing import first_of, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_no_rating
from referenceless_metrics.advice.look.columns.metrics import may_name, with_part
from referenceless_metrics.advice.look.columns.ratings import is_criterion
from referenceless_metrics.core.files.tables import Table

_EVEN = 0.9  # share of the rows of the most frequent name that each name has at least
_HIGHEST = 100  # of a scale that no name tells
_TOLD_BY_CELLS = ("", "source", "metric", "rating", "slice", "item", "criterion")
"""Parts that the name of a column may tell although its cells name criteria, as `question` and `quality`."""


def find_criteria_in_cells(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell criteria by a column of labels that are called as criteria, each of which stands in equally many rows.

    Its name may tell something else, as `question`, `metric` and `quality` do.
    """
    named = [column for column in columns if _names_criteria(table, column)]
    if len(named) != 1:
        return list(columns)
    found = with_parts(columns, {named[0].name: "criterion"})
    if first_of(found, "rating", "score", "rating of a rater") is not None:
        return found
    numeric = [column for column in found if column.is_numeric and not column.part and _may_rate(column)]
    return with_part(found, "rating", lambda column: len(numeric) == 1 and column is numeric[0])


def _names_criteria(table: Table, column: Column) -> bool:
    if column.part not in _TOLD_BY_CELLS or not may_name(replace(column, part=""), len(table.rows)) or column.blank:
        return False
    counts = Counter(texts_of(table, column.name))
    are_named = all(map(is_criterion, counts))
    return are_named and min(counts.values()) >= _EVEN * max(counts.values())


def _may_rate(column: Column) -> bool:
    low, high = column.ends
    return low >= 0 and high <= _HIGHEST and not names_no_rating(column.name)
