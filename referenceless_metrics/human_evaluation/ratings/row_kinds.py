"""Rows of two kinds in one table: turns and dialogues, say, rated by criteria of their own and by a common one."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Record, finite_number

_SAMPLE = 2000  # rows that tell kinds
_MOST_COLUMNS = 200


def note_on_kinds(table: Table, rating: str) -> list[str]:
    """Return a note if ratings are of rows of two kinds, which other columns of numbers tell; none otherwise.

    Just where one of these is filled, another one is blank, and the column of ratings is filled in rows of both kinds.

    Args:
        table: the table.
        rating: its column of ratings.
    """
    rows, names = table.rows[:_SAMPLE], [name for name in table.names() if name != rating]
    if len(names) > _MOST_COLUMNS:
        return []
    rated = filled(rows, rating)
    masks: dict[tuple[bool, ...], str] = {}
    for name in names:
        mask = filled(rows, name)
        if any(mask) and not all(mask) and _holds_numbers(cell_of(rows[mask.index(True)], name)):
            masks.setdefault(mask, name)
    for mask, name in masks.items():
        other = masks.get(others(mask))
        if other is not None and all(_are_rated(rated, kind) for kind in (mask, others(mask))):
            return [
                f"rows are of two kinds: some hold {name!r}, the others {other!r}; {rating!r} of both counts alike: "
                f"if it means other things in them, take one kind (--where {quote(f'{name}!=')}, or --where "
                f"{quote(f'{other}!=')})"
            ]
    return []


def filled(rows: Sequence[Record], name: str) -> tuple[bool, ...]:
    """Return of each row whether a cell is filled."""
    cells = (cell_of(row, name) for row in rows)
    return tuple(cell is not MISSING and not is_blank(cell) for cell in cells)


def others(mask: Sequence[bool]) -> tuple[bool, ...]:
    """Return the rows that are not in a mask."""
    return tuple(not is_in for is_in in mask)


def _are_rated(rated: Sequence[bool], kind: Sequence[bool]) -> bool:
    """Say whether most rows of a kind are rated."""
    return 2 * sum(both for both in map(all, zip(rated, kind, strict=True))) > sum(kind)


def _holds_numbers(cell: object) -> bool:
    held = from_json(cell)
    first = held[0] if isinstance(held, list) and held else held
    return finite_number(first) is not None
