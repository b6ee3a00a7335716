"""Rows that stand in lists inside rows: each context with the responses to it, say, as JSON and Parquet hold them.

They are a list of objects in one column, or lists of one length in several columns: the n-th cells are a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.files.reading import are_objects, cell_of, from_json
from referenceless_metrics.core.support.validation import InputError, Record, describe, shortened

ITEM = "item"
"""The column that gets the number of the outer row, if no column is called so."""


def rows_inside(
    rows: Iterator[tuple[int, Record]], names: str, lines: ByteLines, columns: Record
) -> Iterator[tuple[int, Record]]:
    """Yield the rows in a column of lists, or in several; each has the cells of its outer row, too.

    A field that is called as an outer column is `NAME.FIELD`. The number of the outer row is the column `item`, unless
    there is one.

    Args:
        rows: outer rows, each with its line or number.
        names: the column of lists, or several with commas between them.
        lines: the file; what is assumed is added to its notes.
        columns: none yet; the names of columns are added as they are met.

    Raises:
        InputError: for a row without such a column, a cell that holds anything but objects, and lists of several
            lengths.
    """
    listed = [name.strip() for name in names.split(",")]
    inside = {name.partition(".")[0] for name in listed}
    n_empty = 0
    is_first = True
    for place, (number, outer) in enumerate(rows, 1):
        objects = _objects(outer, listed, f"{lines.name}, row {number}")
        if not objects:
            n_empty += 1
            continue
        repeated = {column: cell for column, cell in outer.items() if column not in inside}
        is_numbered = ITEM not in repeated and ITEM not in objects[0]
        if is_numbered:
            repeated = {ITEM: place, **repeated}
        if is_first:
            told = " and its number as 'item'" if is_numbered else ""
            shown = ", ".join(map(repr, listed))
            lines.notes.append(
                f"{lines.name}: the rows are what stands in the lists of {shown}, each with what stands beside the "
                f"lists{told} (--rows-in)"
            )
            is_first = False
        for each in objects:
            inner = {f"{listed[0]}.{field}" if field in repeated else field: cell for field, cell in each.items()}
            row = {**repeated, **inner}
            columns.update(dict.fromkeys(row))
            yield number, row
    if n_empty:
        lines.notes.append(f"{lines.name}: left out: {n_empty} rows in which the lists of {names!r} are empty")


def _objects(outer: Record, names: Sequence[str], where: str) -> list[Record]:
    """Return the objects in a column of a row, or those made of the lists in several."""
    cells = [from_json(cell_of(outer, name)) for name in names]
    for name, cell in zip(names, cells, strict=True):
        if cell is not None and not isinstance(cell, (list, tuple)):
            raise InputError(_refusal(where, outer, name, "a list"))
    lists: list[Sequence[Any]] = [cell or [] for cell in cells]
    if len(names) > 1:
        if len(set(map(len, lists))) > 1:
            lengths = ", ".join(f"{name!r} has {len(each)}" for name, each in zip(names, lists, strict=True))
            raise InputError(f"{where}: the lists in --rows-in differ in length: {lengths}")
        return [dict(zip(names, values, strict=True)) for values in zip(*lists, strict=True)]
    [objects] = lists
    if objects and not are_objects(objects):
        raise InputError(_refusal(where, outer, names[0], "a list of objects"))
    return list(objects)


def _refusal(where: str, outer: Record, name: str, expected: str) -> str:
    lists = [column for column, cell in outer.items() if are_objects(from_json(cell))]
    told = f"; lists of objects stand in {', '.join(map(repr, lists))}" if lists else ""
    came = describe(outer[name]) if name in outer else "no such column"
    return f"{where}: expected {expected} in column {name!r} (--rows-in), but got {came}{told}"


def rows_in_proposal(rows: Sequence[Record], field: str) -> str:
    """Return the end of a message on a column that is not there: the option, if objects in lists have such a field.

    >>> rows_in_proposal([{"responses": [{"model": "a"}]}], "model")
    "; 'model' stands in the objects of the lists in 'responses': --rows-in responses"
    """
    for column in dict.fromkeys(column for row in rows for column in row):
        cells = [from_json(row.get(column)) for row in rows]
        if any(are_objects(cell) and any(field in each for each in cell) for cell in cells):
            shown = shortened(column, 60)
            return f"; {field!r} stands in the objects of the lists in {shown!r}: --rows-in {shown}"
    return ""
