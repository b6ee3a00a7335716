"""A key to pairs in a workbook: a second sheet that tells, for each item, the system of each side.

So raters do not see which system wrote text A and text B. The sheet of answers has a row for each item and a column for
each rater, whose cells are sides; the key has the same items, each in one row, and a column for each of two sides.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.reading import InputNote, Reading, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.files.workbooks import sheet_names
from referenceless_metrics.core.support.validation import InputError, Record, shortened
from referenceless_metrics.human_evaluation.ratings.columns import name_of
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER
from referenceless_metrics.human_evaluation.ratings.key_files import holds_sides, joined_by, key_of_sides, sided_columns
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES

FORM = "a workbook with a key to the systems of two sides"
"""The form of such a file, in words."""

_PAIR = ("system_a", "system_b")
_MOST_SYSTEMS = 30


@dataclass(frozen=True)
class _Key:
    """The systems of the two sides of each item.

    Attributes:
        sheet: the sheet that tells them.
        item: the column of the answers that names the item.
        systems: the systems of each item.
    """

    sheet: str
    item: str
    systems: dict[str, tuple[str, str]]


def with_key_of_sides(source: str, reading: Reading, table: Table) -> Table | None:
    """Return a row for each rater's choice between two systems, if another sheet of a workbook tells these; else None.

    Args:
        source: the file.
        reading: the way to read it.
        table: the rows of its first sheet.
    """
    is_plain = not (reading.sheet or reading.columns or reading.rows_in)
    if not is_plain or file_format(source, reading, "csv") != "xlsx":
        return None
    raters = [name for name in table.columns if holds_sides(table, name)]
    if not raters:
        return _with_rows_of_sides(source, reading, table)
    key = next(_keys(source, reading, table), None)
    if key is None:
        return None
    others = [name for name in table.columns if name not in raters]
    rows: list[Record] = []
    for row in table.rows:
        of_row = {name: row.get(name) for name in others}
        item = name_of(row.get(key.item))
        told = dict(zip(_PAIR, key.systems[item], strict=True))
        rows += [{**of_row, ITEM: item, RATER: rater, PREFERENCE: name_of(row.get(rater)), **told} for rater in raters]
    names = shortened(", ".join(dict.fromkeys(name for pair in key.systems.values() for name in pair)), 80)
    notes = (
        f"{source}: sheet {key.sheet!r} tells the systems of both sides ({names}), by column {key.item!r}",
        f"{source}: {shortened(', '.join(map(repr, raters)), 80)} hold the choices of a rater each",
    )
    tell(notes)
    columns = tuple(dict.fromkeys((*others, ITEM, RATER, PREFERENCE, *_PAIR)))
    return Table(source, columns, rows, notes=(*table.notes, *notes))


def _with_rows_of_sides(source: str, reading: Reading, table: Table) -> Table | None:
    """Return a row for each system, if columns hold ratings of two sides, and another sheet is their key; else None."""
    if not (sided_columns(table.columns) or sided_columns(table.columns, numbered=True)):
        return None
    for sheet, other in _other_sheets(source, reading):
        key = key_of_sides(other)
        joined = None if key is None else joined_by(table, replace(key, told=f"{source}: sheet {sheet!r}"))
        if joined is not None:
            tell(joined.notes[-1:])
            return joined
    return None


def _other_sheets(source: str, reading: Reading) -> Iterator[tuple[str, Table]]:
    """Yield the name and the rows of each sheet but the first that can be read."""
    for sheet in sheet_names(source)[1:]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputNote)
            try:
                table = read_table(source, replace(reading, sheet=sheet, where=()))
            except InputError:
                continue
        yield sheet, table


def _keys(source: str, reading: Reading, table: Table) -> Iterator[_Key]:
    """Yield the keys in the other sheets of a workbook."""
    for sheet, key in _other_sheets(source, reading):
        sides = {share: [name for name in key.columns if _side_of(name) == share] for share in (1.0, 0.0)}
        if [len(names) for names in sides.values()] != [1, 1]:
            continue
        pairs = list(zip(*(_cells(key, names[0]) for names in sides.values()), strict=True))
        are_pairs = all(first and second and first != second for first, second in pairs)
        if not are_pairs or len({name for pair in pairs for name in pair}) > _MOST_SYSTEMS:
            continue
        for name in key.columns:
            items = _cells(key, name)
            item = next((each for each in _same_name_first(table, name) if _are_same(_cells(table, each), items)), None)
            if item is not None:
                yield _Key(sheet, item, dict(zip(items, pairs, strict=True)))


def _same_name_first(table: Table, name: str) -> list[str]:
    return sorted(table.columns, key=lambda each: each != name)


def _are_same(items: Sequence[str], others: Sequence[str]) -> bool:
    """Say whether two columns hold the same items, each once."""
    return len(set(items)) == len(items) == len(others) and set(items) == set(others) and "" not in items


def _side_of(name: str) -> float | None:
    """Return the share of the first side that the last word of a column's name tells; None for no side.

    >>> _side_of("System A"), _side_of("right"), _side_of("Note")
    (1.0, 0.0, None)
    """
    share = SIDES.get(re.split(r"[\W_]+", name.strip().lower())[-1])
    return share if share in (0.0, 1.0) else None


def _cells(table: Table, name: str) -> list[str]:
    return [name_of(row.get(name)) for row in table.rows]
