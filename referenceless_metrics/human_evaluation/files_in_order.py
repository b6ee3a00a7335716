"""Files of one system each whose rows are paired: by their items if a column of these is named, and else by place.

If nobody names a column, each that the files share is looked at: rows of one place that differ in an id are not paired.
"""

from __future__ import annotations

import operator
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import cell_of, tell
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, finite_numbers, shortened
from referenceless_metrics.human_evaluation.source_columns import OTHER_ITEMS, last_messages, n_unlike, tells_source

FEWEST_VALUES = 3
"""Fewest values of a column that repeat in another order for a note: two alternate in any way."""


@dataclass
class Columns:
    """The columns of a file, and the fields of objects in them, whose cells are texts or whole numbers.

    Attributes:
        cells: the hash of each cell, by column, in the order of the rows.
        words: columns that hold anything but numbers.
    """

    cells: dict[str, array[int]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)

    def add(self, table: Table) -> None:
        """Add the cells of a block of the file, without columns that it does not have itself, such as one that counts.

        The last message of each list of messages is a column, too, if it was the user's.
        """
        for column in dict.fromkeys((*table.columns, *table.names(), *last_messages(table))):
            if column in table.counted:
                continue
            cells = [cell_of(row, column) for row in table.rows]
            if all(isinstance(cell, (str, int)) and not isinstance(cell, bool) for cell in cells):
                self.cells.setdefault(column, array("q")).extend(hash(str(cell).strip()) for cell in cells)
                if column not in self.words and not np.isfinite(finite_numbers(cells)).all():
                    self.words.add(column)


@dataclass
class SystemFile:
    """A file with the outputs of one system.

    Attributes:
        source: the file's name, for messages.
        texts: the outputs.
        items: the item of each; None if no column of items is named.
        clusters: the cluster of each; None if no column of them is named, and for a file without it.
        columns: the cells of the file's columns, if no column of items is named.
    """

    source: str
    texts: list[str] = field(default_factory=list)
    items: list[str] | None = None
    clusters: list[str] | None = None
    columns: Columns = field(default_factory=Columns)

    def in_order(self, order: Sequence[int]) -> SystemFile:
        """Return the file with its rows in another order, with the columns called as those of sources alone."""
        clusters = None if self.clusters is None else [self.clusters[row] for row in order]
        sources = {
            name: array("q", [cells[row] for row in order])
            for name, cells in self.columns.cells.items()
            if tells_source(name) and len(cells) == len(self.texts)
        }
        texts = [self.texts[row] for row in order]
        return SystemFile(self.source, texts, None, clusters, Columns(sources))


class OtherOrderError(InputError):
    """Rows of one place in two files are of other items.

    Args:
        what: what shows it.
        remedy: what pairs them rightly.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.what = what


def paired_by_item(files: Sequence[SystemFile], item_column: str) -> list[SystemFile]:
    """Return files whose rows are in the order of the items of the first file.

    An item is told by its cluster, too, if its number begins anew in each.

    Args:
        files: the files, each with its items.
        item_column: the column of the items, for messages.

    Raises:
        InputError: if an item stands twice in a file, or two files have other items.
    """
    keys: list[list[tuple[str, ...]]] = [[(item,) for item in file.items or ()] for file in files]
    are_repeated = any(len(set(of_file)) < len(of_file) for of_file in keys)
    if are_repeated and all(file.clusters is not None for file in files):
        keys = [list(zip(file.items or (), file.clusters or (), strict=True)) for file in files]
    for file, of_file in zip(files, keys, strict=True):
        (key, n), *_ = Counter(of_file).most_common(1)
        if n > 1:
            raise InputError(
                f"column {str(item_column)!r} (--item-column) of {file.source} holds {shortened(key[0], 60)!r} in {n} "
                "rows, and an item has one output of a system: name the column that tells items apart, or several "
                f"that tell them together (--item-column {quote(str(item_column))} --item-column COLUMN)"
            )
    first = keys[0]
    ordered = [files[0].in_order(range(len(first)))]
    for file, of_file in zip(files[1:], keys[1:], strict=True):
        others = set(first) ^ set(of_file)
        if others:
            raise InputError(
                f"{files[0].source} and {file.source} have outputs of other items ({len(others)} in one file alone), "
                f"such as {shortened(min(others)[0], 60)!r}: take items that all systems have outputs of; "
                f"{OTHER_ITEMS}"
            )
        rows = {key: row for row, key in enumerate(of_file)}
        ordered.append(file.in_order([rows[key] for key in first]))
    return ordered


def check_order(files: Sequence[SystemFile], text_column: str) -> str:
    """Check that files which are paired by place do not hold the same ids in another order, or ids of other items.

    A note says if values that repeat, such as prompts, are the same in another order, and if no id of two files is the
    same: these may be of items, or of outputs.

    Args:
        files: the files, the baseline first.
        text_column: the column of the outputs, which are no ids.

    Returns:
        The condition under which rows of one place are of one item, if a column of ids leaves that open; "" if none
        does.

    Raises:
        OtherOrderError: if each file holds the same values of a column, each once, in another order, or ids of which
            some are the same in other rows, and no column of ids is in the same order.
    """
    base = files[0]
    unlike = []
    column = ""
    for file in files[1:]:
        if len(file.texts) != len(base.texts):
            continue
        found = _in_other_order(base, file, text_column)
        if found.ids:
            named = quote(found.ids[0])
            raise OtherOrderError(
                f"column {found.ids[0]!r} of {file.source} holds the same values as that of {base.source}, in another "
                "order: rows are paired by their place, and would be of other items",
                f"--item-column {named} pairs them by item (if {found.ids[0]!r} does not tell items, take the column "
                "out of the files)",
            )
        if found.moved:
            raise OtherOrderError(
                f"column {found.moved[0]!r} of {file.source} holds some values of that of {base.source} in other rows, "
                "and others: rows are paired by their place, and would be of other items",
                f"{OTHER_ITEMS} (if {found.moved[0]!r} does not tell items, take the column out of the files)",
            )
        if found.repeated:
            tell(
                [
                    f"column {found.repeated[0]!r} of {file.source} holds the same values as that of {base.source}, in "
                    "another order, and rows are paired by their place: if they are of other items, name the column "
                    "that tells items apart (--item-column NAME)"
                ]
            )
        if found.others:
            column = column or found.others[0]
            unlike.append(file.source)
            tell(
                [
                    f"rows are paired by their place, though column {found.others[0]!r} of {file.source} holds other "
                    f"values than that of {base.source}: if it tells items, {OTHER_ITEMS}"
                ]
            )
    if not unlike:
        return ""
    named = " and ".join(filter(None, [", ".join(unlike[:-1]), unlike[-1]]))
    verb = "holds" if len(unlike) == 1 else "hold"
    return (
        f"If row n of each file is of the same input ({named} {verb} other values of {column!r} than {base.source}; "
        f"{OTHER_ITEMS})"
    )


def on_sources(files: Sequence[SystemFile], text_column: str, *, by_item: bool) -> str:
    """Say that paired outputs have different sources, and return the condition under which they are of one item.

    Args:
        files: the files, the baseline first, with paired rows.
        text_column: the column of the outputs.
        by_item: whether a column tells items. If none does, `check_order` tells of sources in another order.

    Returns:
        The condition, as of `check_order`; "" if no column called as one of sources differs.
    """
    base = files[0]
    n_rows = len(base.texts)
    for file in files[1:]:
        for name, cells in base.columns.cells.items():
            others = file.columns.cells.get(name, array("q"))
            is_source = tells_source(name) and name != text_column and len(cells) == len(others) == n_rows
            is_told = is_source and not by_item and sorted(cells) == sorted(others)
            n = n_unlike([cells, others], hash("")) if is_source and not is_told else 0
            if n:
                differs = f"column {name!r} of {file.source} differs from that of {base.source} for {n} of {n_rows}"
                tell([f"outputs of one item have different sources: {differs} items; {OTHER_ITEMS}"])
                return f"If outputs of one item are of the same input ({differs}; {OTHER_ITEMS})"
    return ""


_ID = re.compile(r"(?:.*[^a-z])?(?:id|ids|key|keys|item|uuid|guid|qid)", re.IGNORECASE)


def names_ids(column: str) -> bool:
    """Say whether a column is called as one of ids is.

    >>> names_ids("request_id"), names_ids("paid")
    (True, False)
    """
    return _ID.fullmatch(column) is not None


def columns_of_ids(table: Table) -> list[str]:
    """Return the columns of a file, and fields of objects in them, that are called as ids are."""
    return [name for name in table.names() if names_ids(name) and name not in table.counted]


def ids_among(cells: Mapping[str, Sequence[object]], n_rows: int) -> list[str]:
    """Return the cells of the first column that has another one for each row, as texts; none without one.

    >>> ids_among({"user_id": [7, 7], "call_id": ["a", "b"]}, 2)
    ['a', 'b']
    """
    for of_column in cells.values():
        told = [str(cell).strip() for cell in of_column if not is_blank(cell)]
        if len(set(told)) == len(told) == n_rows:
            return told
    return []


class _OtherOrder(NamedTuple):
    """Columns that show that rows of one place in two files are of other items.

    Attributes:
        ids: columns with the same values, each once, in another order.
        moved: columns of ids of which some are the same, in other rows.
        repeated: columns with the same words, which repeat, in another order.
        others: columns of ids that hold other values.
    """

    ids: list[str]
    moved: list[str]
    repeated: list[str]
    others: list[str]


def _in_other_order(base: SystemFile, file: SystemFile, text_column: str) -> _OtherOrder:
    """Return the columns that show another order; none if another column has as many values in the same order."""
    found = _OtherOrder([], [], [], [])
    n = len(base.texts)
    is_alike = False
    for column, cells in base.columns.cells.items():
        others = file.columns.cells.get(column)
        if column == text_column or others is None or not n or len(cells) != n or len(others) != n:
            continue
        n_values = len(set(cells))
        if cells == others:
            if n_values == n:
                return _OtherOrder([], [], [], [])
            is_alike = is_alike or n_values >= FEWEST_VALUES
        elif sorted(cells) == sorted(others):
            if n_values == n:
                found.ids.append(column)
            elif n_values >= FEWEST_VALUES and column in base.columns.words:
                found.repeated.append(column)
        elif n_values == n == len(set(others)) and names_ids(column):
            n_common = len(set(cells) & set(others))
            n_in_place = sum(map(operator.eq, cells, others))
            (found.moved if n_common > n_in_place else found.others).append(column)
    if is_alike:
        found.moved.clear()
        found.others.clear()
    return found
