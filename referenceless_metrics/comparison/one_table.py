"""Systems' outputs from one table: with a column of systems, or with a column of outputs for each."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.core.files.joined_names import with_single_names
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.tables import Table, is_blank
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, shortened

_ITEM = "item"


def systems_in_columns(file: str, *, text_columns: Sequence[str], reading: Reading) -> list[tuple[str, list[str]]]:
    """Return systems, which are called as their columns, and their outputs, of which each row holds one of each.

    Args:
        file: the table.
        text_columns: the columns of the outputs, the baseline's first.
        reading: how to read the file.

    Raises:
        InputError: for a file that cannot be read, a column that is not there or is named twice, and a cell that holds
            no text.
    """
    names = [str(column) for column in text_columns]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"expected a column of its own for each system, but --text-column names {twice[0]!r} twice")
    table = read_table(file, reading)
    return [(name, table.texts(column)) for name, column in zip(names, text_columns, strict=True)]


def systems_of_one_table(
    file: str, *, text_column: str, system_column: str, item_column: str | None, reading: Reading
) -> list[tuple[str, list[str]]]:
    """Return each system's name and outputs, in the order of the table, for the same items in the same order.

    Args:
        file: the table.
        text_column: the column of the outputs.
        system_column: the column of the systems.
        item_column: the column of what outputs were made for; None for `item` if there is one, and else the order
            within each system.
        reading: how to read the file.

    Raises:
        InputError: for a file that cannot be read, a row without a system or item, a system that has two outputs of an
            item, and systems with outputs of other items or other numbers of outputs.
    """
    table = read_table(file, reading)
    table, joined = with_single_names(table, system_column)
    tell(joined)
    texts = table.texts(text_column)
    systems = _names(table, system_column, "--system-column")
    if item_column is None and _ITEM not in table.columns:
        return _by_order(table, texts, systems)
    items = _names(table, item_column or _ITEM, "--item-column")
    outputs: dict[str, dict[str, str]] = {}
    for row, (system, item, text) in enumerate(zip(systems, items, texts, strict=True)):
        of_system = outputs.setdefault(system, {})
        if item in of_system:
            raise InputError(
                f"{table.where(row)}: system {system!r} has a second output of item {item!r}: name the column that "
                "tells items apart (--item-column), or take a part of the rows (--where COLUMN=VALUE)"
            )
        of_system[item] = text
    first = next(iter(outputs))
    for system, of_system in outputs.items():
        other = set(outputs[first]) ^ set(of_system)
        if other:
            raise InputError(
                f"{table.source}: {first} and {system} have outputs of other items, such as {min(other)!r}: take items "
                "that all systems have outputs of"
            )
    return [(system, [of_system[item] for item in outputs[first]]) for system, of_system in outputs.items()]


def _by_order(table: Table, texts: list[str], systems: list[str]) -> list[tuple[str, list[str]]]:
    """Return systems whose n-th outputs are of one item."""
    outputs: dict[str, list[str]] = {}
    for system, text in zip(systems, texts, strict=True):
        outputs.setdefault(system, []).append(text)
    if len({len(of_system) for of_system in outputs.values()}) > 1:
        listed = shortened(", ".join(f"{system} {len(of_system)}" for system, of_system in outputs.items()), 120)
        raise InputError(
            f"{table.source}: systems have different numbers of outputs ({listed}), so that their order does not tell "
            "items: name the column of items (--item-column)"
        )
    tell(["there is no column of items: the n-th output of each system is of item n (--item-column NAME)"])
    return list(outputs.items())


def _names(table: Table, column: str, option: str) -> list[str]:
    cells = table.column(column, option)
    for row, cell in enumerate(cells):
        if is_blank(cell):
            raise InputError(f"{table.where(row)}: there is nothing in column {str(column)!r} ({option})")
    return [str(cell).strip() for cell in cells]
