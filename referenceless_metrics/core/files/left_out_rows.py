"""Rows of a table that are none: a legend, sums and means of others, blank ones."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.core.files.filled_down import columns_to_fill, fill_down
from referenceless_metrics.core.files.formats import ByteLines
from referenceless_metrics.core.files.label_rows import is_row_of_labels
from referenceless_metrics.core.files.legends import is_legend
from referenceless_metrics.core.files.summary_rows import (
    is_filled,
    is_summary,
    n_blank,
    n_left_over,
    n_summaries,
    n_unnamed_summaries,
    names_summary,
    summaries_of_groups,
)
from referenceless_metrics.core.support.validation import Record, shortened

DELIMITED = ("csv", "tsv")


def is_blank(cell: object) -> bool:
    """Say whether there is nothing in a cell."""
    return cell is None or str(cell).strip() == ""


def without_made_rows(
    kind: str, block: list[Record], numbers: list[int], lines: ByteLines, *, are_all: bool
) -> tuple[list[Record], list[int]]:
    """Return the rows of a file, and their numbers, without those that are made of others, and blank ones at its end.

    Keys that stand once above the rows of their groups are filled in.

    Args:
        kind: the format.
        block: the rows.
        numbers: their numbers.
        lines: the file; what was left out is added to its notes.
        are_all: whether these are all rows of the file, and not those alone that meet conditions.
    """
    if kind in (*DELIMITED, "xlsx") and are_all:
        block, numbers = _without_legend(block, numbers, lines)
    if kind in DELIMITED and are_all:
        block, numbers = _without_blank_rows(block, numbers, lines)
        block, numbers = _without_summaries(block, numbers, lines)
    if kind in (*DELIMITED, "xlsx") and are_all:
        block, numbers = _without_unnamed_summaries(block, numbers, lines)
    block, numbers = _without_sums_of_groups(block, numbers, lines)
    if kind in (*DELIMITED, "xlsx"):  # formulas that were copied too far
        block, numbers = _without_left_over(block, numbers, lines)
    if kind in (*DELIMITED, "xlsx") and are_all:
        _fill_keys(block, lines)
    return block, numbers


def _without_legend(block: list[Record], numbers: list[int], lines: ByteLines) -> tuple[list[Record], list[int]]:
    """Return the rows of a table, and their numbers, without a first one that tells what stands below it."""
    first, below = (block[0], block[1:]) if block else ({}, [])
    if is_legend(first, below):
        told = "the scale"
    elif is_row_of_labels(first, below):
        told = "in words what columns hold"
    else:
        return block, numbers
    shown = shortened(next(str(cell) for cell in first.values() if str(cell).strip()), 60)
    lines.notes.append(f"{lines.name}: left out: the row below the header, which tells {told}: {shown!r}")
    return below, numbers[1:]


def _without_summaries(block: list[Record], numbers: list[int], lines: ByteLines) -> tuple[list[Record], list[int]]:
    """Return the rows of a table, and their numbers, without rows at its end that are computed from the others."""
    if not block or not names_summary(list(block[-1].values())):
        return block, numbers
    n_computed = n_summaries([list(row.values()) for row in block])
    if n_computed:
        first = next(str(cell) for cell in block[-n_computed].values() if str(cell).strip())
        rows = "row" if n_computed == 1 else f"{n_computed} rows from that"
        lines.notes.append(f"{lines.name}: left out: the {rows} called {first!r}, which is made of the rows above")
        return _without_blank_rows(block[:-n_computed], numbers[:-n_computed], lines)
    n_apart = _n_summaries_apart(block, numbers)
    if n_apart:
        first = next(str(cell) for cell in block[-n_apart].values() if str(cell).strip())
        rows = "the row" if n_apart == 1 else f"{n_apart} rows from that"
        lines.notes.append(f"{lines.name}: left out: {rows} called {first!r}, below the table and an empty line")
        return _without_blank_rows(block[:-n_apart], numbers[:-n_apart], lines)
    return block, numbers


def _n_summaries_apart(block: Sequence[Record], numbers: Sequence[int]) -> int:
    """Return the number of rows at the end that begin with words for summaries, behind an empty line; 0 for none."""
    n = 0
    while n + 1 < len(block) and names_summary(list(block[-n - 1].values())):
        n += 1
    if not n or not numbers:
        return 0
    above = block[-n - 1]
    n_breaks = sum(str(cell).count("\n") for cell in above.values())
    is_apart = numbers[-n] > numbers[-n - 1] + 1 + n_breaks or not any(map(is_filled, above.values()))
    return n if is_apart else 0


def _without_blank_rows(block: list[Record], numbers: list[int], lines: ByteLines) -> tuple[list[Record], list[int]]:
    """Return the rows of a table, and their numbers, without those at its end in which no cell is filled."""
    n_more = n_blank(block)
    if not n_more or n_more == len(block):
        return block, numbers
    rows = "a row" if n_more == 1 else f"{n_more} rows"
    lines.notes.append(f"{lines.name}: left out: {rows} at the end, in which no cell is filled")
    return block[:-n_more], numbers[:-n_more]


def _without_unnamed_summaries(
    block: list[Record], numbers: list[int], lines: ByteLines
) -> tuple[list[Record], list[int]]:
    """Return the rows of a table, and their numbers, without means of the rows above, and figures below, at its end.

    Rows between them in which no cell is filled are left out, too.
    """
    n_more = n_unnamed_summaries(block)
    if not n_more:
        return block, numbers
    rows = "the last row, whose numbers are" if n_more == 1 else f"the last {n_more} rows, which begin with"
    lines.notes.append(f"{lines.name}: left out: {rows} the means of the columns above")
    return _without_blank_rows(block[:-n_more], numbers[:-n_more], lines)


def _without_sums_of_groups(
    block: list[Record], numbers: list[int], lines: ByteLines
) -> tuple[list[Record], list[int]]:
    """Return the rows of a table, and their numbers, without rows that are computed from a group of the others."""
    places = set(summaries_of_groups(block))
    if not places:
        return block, numbers
    first = block[min(places)]
    named = next(str(cell) for cell in first.values() if is_summary(cell))
    many = "1 row" if len(places) == 1 else f"{len(places)} rows"
    lines.notes.append(
        f"{lines.name}: left out: {many} called {named!r}, made of the rows with the same words in other columns"
    )
    kept = [place for place in range(len(block)) if place not in places]
    return [block[place] for place in kept], [numbers[place] for place in kept]


def _without_left_over(block: list[Record], numbers: list[int], lines: ByteLines) -> tuple[list[Record], list[int]]:
    """Return the rows of a table, and their numbers, without those at its end that hold zeros and nothing else."""
    n_more = n_left_over(block)
    if n_more:
        rows = "the last row, which holds" if n_more == 1 else f"the last {n_more} rows, which hold"
        lines.notes.append(f"{lines.name}: left out: {rows} zeros and nothing else")
        return block[:-n_more], numbers[:-n_more]
    return block, numbers


def _fill_keys(block: list[Record], lines: ByteLines) -> None:
    """Give each row the key that stands once above the rows of its group, with a note."""
    names = columns_to_fill(block)
    if names:
        shown = ", ".join(map(repr, names))
        stand, count = ("stands", "counts") if len(names) == 1 else ("stand", "count")
        lines.notes.append(f"{lines.name}: {shown} {stand} once for each group of rows, and {count} for all of them")
        fill_down(block, names)
