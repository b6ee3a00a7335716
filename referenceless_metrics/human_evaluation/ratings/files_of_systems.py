"""Files that hold the ratings of a system each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.files.reading import cell_of, names_in, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.training_logs import check_is_no_training_log
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.ratings.columns import SYSTEMS, RatingColumns
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, RATER, SYSTEM, TEXT

if TYPE_CHECKING:
    pass


_MAY_NAME = re.compile(
    r"(?:.*[._ -])?(?:system|model|generator|summarizer|policy|method|key)(?:[._ -]?(?:id|name))?", re.I
)
"""Names of columns that may name systems: a table with one is not taken for the ratings of one system."""

_BY_FILE = "each file is of one system"


def with_systems(tables: Sequence[Table], columns: RatingColumns) -> tuple[list[Table], str]:
    """Return tables that name no systems with one each, called as its file; as they are if a column may name them.

    Rows of tables without items, texts and raters are items by their order. With the tables comes what is assumed if
    several are compared so.
    """
    are_systems = columns.columns_are == SYSTEMS and len(columns.ratings) > 1
    others = {part for name in columns.named for part in names_in(name)}  # than those that are named for another part
    names_own = any(
        table.has_own(SYSTEM) or any(map(_MAY_NAME.fullmatch, set(table.columns) - others)) for table in tables
    )
    if columns.system is not None or are_systems or names_own or any(_repeats(table, columns) for table in tables):
        return list(tables), ""
    names = file_names([table.source for table in tables])
    named = (columns.item or ITEM, columns.text or TEXT, columns.rater or RATER)
    are_by_order = not any(table.has_own(name) for table in tables for name in named)
    whose = f"all ratings are of one system, {names[0]!r}" if len(names) == 1 else _BY_FILE
    names_raters = any(table.has_own(columns.rater or RATER) for table in tables)
    more = "" if len(names) == 1 or names_raters else "; if each is of one rater, `agreement` takes them so"
    more += ", given a column of items" if more and are_by_order else ""
    told = [f"there is no column of systems: {whose} (--system-column){more}"]
    if are_by_order:
        for table in tables:
            check_is_no_training_log(table)
        told.append(
            "there is no column of items: the n-th row of each file is of item n (--item-column NAME, or --unpaired)"
        )
    tell(told)
    found = []
    for table, name in zip(tables, names, strict=True):
        rows: list[Record] = [{**row, SYSTEM: name} for row in table.rows]
        added = [SYSTEM]
        if are_by_order:
            rows = [{**row, ITEM: str(number)} for number, row in enumerate(rows, 1)]
            added.append(ITEM)
        found.append(replace(table, columns=(*table.columns, *added), rows=rows, added=table.added | {*added}))
    assumed = "" if len(names) == 1 else f"{_BY_FILE} and its n-th row of item n" if are_by_order else _BY_FILE
    return found, assumed


def _repeats(table: Table, columns: RatingColumns) -> bool:
    """Say whether items stand in several rows, and nothing known tells these apart: a column may name systems."""
    item, rater, criterion = (columns.item or ITEM, columns.rater or RATER, columns.criterion or "criterion")
    if not table.has(item) or table.has_own(rater):
        return False
    further = [name for name in (criterion, columns.cluster) if name is not None and table.has(name)]
    names = [item, *further]
    keys = [tuple(str(cell_of(row, name)) for name in names) for row in table.rows]
    return len(set(keys)) < len(keys)
