"""Labels that stand for no numbers, as categories: kinds of errors, emotions, topics.

Two labels are alike or not, and nothing else. A rater may give several: together they are one category. Cells become
the numbers of their categories, so that all else is read as of ratings.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import finite_number, shortened
from referenceless_metrics.human_evaluation.ratings.columns import RATERS, RatingColumns
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATER, RATING

JOIN = " + "
"""Sign between the labels of a category, if a rater gave several."""

NO_LABEL = "(none)"
"""The category of a rater who gave an empty list of labels."""

_MOST = 60  # categories
_MISSING = frozenset(("nan", "null", "na", "n/a", "#n/a"))  # and not `none`, which is a label if kinds are asked for
_SEVERAL = re.compile(r"\s*[;|]\s*")

_Cell = list[str] | str | None
"""A category; or one for each rater, if a cell holds the labels of several; or None for a missing label."""


def with_categories(tables: Sequence[Table], columns: RatingColumns) -> tuple[list[Table], tuple[str, ...]]:
    """Return tables whose labels are the numbers of their categories, and the categories; none for other ratings.

    Args:
        tables: tables with a row for each rating, or a column of labels for each rater.
        columns: names of the columns. If words stand for numbers, there are no categories.
    """
    chosen = list(dict.fromkeys(columns.ratings or (RATING,)))
    as_they_are = list(tables), ()
    if columns.words is not None or columns.preference is not None:
        return as_they_are
    read: list[dict[str, list[_Cell]]] = []
    for table in tables:
        cells = {name: [cell_of(row, name) for row in table.rows] for name in chosen}
        if any(cell is MISSING for of in cells.values() for cell in of) or _are_numbers(table, cells):
            return as_they_are
        several = len(chosen) > 1 and columns.columns_are == RATERS
        is_of_rater = several or columns.rater is not None or RATER in table.columns
        labels = _labels_of(cells, is_of_rater=is_of_rater)
        if labels is None:
            return as_they_are
        read.append(labels)
    counts = Counter(each for of in read for cells in of.values() for cell in cells for each in _flat(cell))
    shown: dict[str, str] = {}
    for category in counts:
        shown.setdefault(category.casefold(), category)
    if not 1 < len(shown) <= min(_MOST, sum(counts.values()) // 2):  # so many are texts
        return as_they_are
    names = sorted(shown)
    number = {name: place for place, name in enumerate(names)}
    coded = [_coded(table, labels, number) for table, labels in zip(tables, read, strict=True)]
    return coded, tuple(shown[name] for name in names)


def note_on_categories(categories: Sequence[str]) -> str:
    """Return how labels were read, in a sentence without an end."""
    listed = shortened(", ".join(categories), 100)
    return f"labels are categories, which are alike or not: {listed} (--values WORD=NUMBER,… if they stand for numbers)"


def _are_numbers(table: Table, cells: Mapping[str, Sequence[Any]]) -> bool:
    """Say whether cells, or the elements of their lists, are numbers, with words among them or not, or hold objects.

    Words among numbers stand for no answer: such a column has a scale, and is of no categories.
    """
    for of_column in cells.values():
        inside = [each for cell in of_column for each in elements(from_json(cell))]
        if any(isinstance(each, Mapping) or finite_number(each) is not None for each in inside):
            return True
        try:
            column_numbers(inside, decimal_comma=table.comma)
        except NotNumbersError:
            return False
    return True


def elements(cell: object) -> list[Any]:
    """Return the elements of lists, and of lists inside them."""
    if isinstance(cell, (list, tuple)):
        return [inner for each in cell for inner in elements(each)]
    return [cell]


def _labels_of(cells: Mapping[str, Sequence[Any]], *, is_of_rater: bool) -> dict[str, list[_Cell]] | None:
    """Return the categories in cells; None if they hold anything but texts.

    Args:
        cells: cells by column.
        is_of_rater: whether a cell is of one rater, who may have given several labels; else it holds those of several.
    """
    found: dict[str, list[_Cell]] = {}
    for name, of_column in cells.items():
        read = [from_json(cell) for cell in of_column]
        if not is_of_rater:
            read = _parted(read)
            if not of_several_raters(read):
                return None
        if not all(isinstance(each, str) or each is None for cell in read for each in elements(cell)):
            return None
        if is_of_rater:
            found[name] = [_category(cell) for cell in read]
        else:
            found[name] = [
                [_category(each) or "" for each in cell] if isinstance(cell, (list, tuple)) else _category(cell)
                for cell in read
            ]
    return found


def of_several_raters(cells: Sequence[Any]) -> bool:
    """Say whether lists of labels hold one label of each of several raters, and not the labels of one.

    They are all of one length, or a label stands twice in one, or lists stand inside lists.

    >>> of_several_raters([["a", "b"], ["a"]]), of_several_raters([["a", "a"], ["a"]]), of_several_raters([["a", "b"]])
    (False, True, True)
    """
    lists = [cell for cell in cells if isinstance(cell, (list, tuple)) and cell]
    if any(isinstance(each, (list, tuple)) for cell in lists for each in cell):
        return True
    return len({len(cell) for cell in lists}) < 2 or any(len(set(map(str, cell))) < len(cell) for cell in lists)


def _parted(cells: Sequence[Any]) -> list[Any]:
    """Return cells of texts as lists, if all have as many labels with signs between them: one of each rater."""
    if parts_of_cells(cells) is None:
        return list(cells)
    return [_SEVERAL.split(cell) if isinstance(cell, str) and cell.strip() else cell for cell in cells]


def parts_of_cells(cells: Sequence[Any]) -> list[list[str]] | None:
    """Return the labels in filled cells of texts, if all have as many, two or more, with `;` or `|` between them.

    >>> parts_of_cells(["a; b", "b; b"]), parts_of_cells(["a", "b; b"])
    ([['a', 'b'], ['b', 'b']], None)
    """
    filled = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    if not filled or _SEVERAL.search(filled[0]) is None:
        return None
    parts = [_SEVERAL.split(cell) for cell in filled]
    return parts if len({len(each) for each in parts}) == 1 else None


def _category(cell: Any) -> str | None:
    """Return the category of one rater's label or labels; None for a missing one."""
    labels = {label for each in elements(cell) for label in _split(each)}
    return JOIN.join(sorted(labels)) or (NO_LABEL if isinstance(cell, (list, tuple)) else None)


def _split(label: object) -> list[str]:
    if is_blank(label) or str(label).strip().lower() in _MISSING:
        return []
    return [" ".join(part.split()) for part in _SEVERAL.split(str(label)) if part.strip()]


def _flat(cell: _Cell) -> list[str]:
    if cell is None:
        return []
    return [each for each in cell if each] if isinstance(cell, list) else [cell]


def _coded(table: Table, labels: Mapping[str, Sequence[_Cell]], number: Mapping[str, int]) -> Table:
    """Return a table with numbers in place of labels."""
    rows = []
    for place, row in enumerate(table.rows):
        codes: dict[str, Any] = {}
        for name, cells in labels.items():
            cell = cells[place]
            if isinstance(cell, list):
                codes[name] = [number[each.casefold()] if each else None for each in cell]
            else:
                codes[name] = None if cell is None else number[cell.casefold()]
        rows.append({**row, **codes})
    columns = tuple(dict.fromkeys((*table.columns, *labels)))
    return replace(table, columns=columns, rows=rows)
