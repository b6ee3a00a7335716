"""The header of a table of cells: titles above it, two rows of names, and names of rows that it does not count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referenceless_metrics.core.support.validation import finite_number

ROW_NAMES = "row.names"
"""Name of the column of row names, which stand in front of each row, and have no name in the header."""

_MOST_TITLES = 5
_WIDE = 0.6  # share of the usual number of filled cells that a header has
_FEWEST_BLOCKS = 2


@dataclass(frozen=True)
class Header:
    """The header of a table.

    Attributes:
        n_titles: number of rows with content above it.
        names: the names that two rows of names make together; none for one row of names.
        n_rows: number of its rows: a third one may hold the name of the first column alone.
    """

    n_titles: int = 0
    names: tuple[str, ...] = ()
    n_rows: int = 1

    @property
    def note(self) -> str:
        """The names of columns below two rows of names, told in a sentence without an end."""
        example = next(name for name in self.names if "_" in name)
        return f"two rows of names stand above the rows, and columns are called by both, such as {example!r}"


def header_of(rows: Sequence[Sequence[object]]) -> Header:
    """Return the header of a table, from its first rows that hold something.

    Titles are rows with far fewer filled cells than the others, above a row of different names.

    >>> header_of([["Round 2", "", ""], ["item", "system", "rating"], ["1", "a", "4"], ["2", "a", "5"]]).n_titles
    1
    """
    filled = [sum(_text(cell) != "" for cell in row) for row in rows]
    if len(rows) < 2 or max(filled) < 2:
        return Header()
    from statistics import median  # not before it is needed: its import takes longer than the reading of a text file

    usual = median(filled)
    for place in range(min(_MOST_TITLES + 1, len(rows) - 1)):
        names = block_names(rows[place], rows[place + 1])
        if names:
            third = [_text(cell) for cell in rows[place + 2]] if len(rows) > place + 2 else []
            names_first = bool(third and third[0]) and not any(third[1:]) and finite_number(third[0]) is None
            if names_first:  # as pandas writes the name of an index
                names = (third[0], *names[1:])
            return Header(place, names, 3 if names_first else 2)
        if filled[place] >= _WIDE * usual:
            return Header(place) if place == 0 or _are_names(rows[place]) else Header()
    return Header()


def _are_names(row: Sequence[object]) -> bool:
    """Say whether cells may be names of columns: no number, and none twice."""
    texts = [text for cell in row if (text := _text(cell))]
    return len(set(texts)) == len(texts) and not any(finite_number(text) is not None for text in texts)


def block_names(upper: Sequence[object], lower: Sequence[object]) -> tuple[str, ...]:
    """Return the names of columns whose header has two rows: names of blocks, and the same names in each block.

    A block's name stands above its first column, or above each. A column that has a name in one of the rows alone is
    called so. There are no names unless two blocks or more have the same two names or more.

    >>> block_names(["item", "base", "", "ours", ""], ["", "fluency", "style", "fluency", "style"])
    ('item', 'base_fluency', 'base_style', 'ours_fluency', 'ours_style')
    >>> block_names(["item", "text", "rating"], ["1", "a cat", "4"])
    ()
    """
    n = max(len(upper), len(lower))
    tops, names = ([_text(cell) for cell in [*row, *[""] * (n - len(row))]] for row in (upper, lower))
    blocks: list[str] = []
    for top, name in zip(tops, names, strict=True):
        if top:
            blocks.append(top if name and name != top else "")
        else:
            blocks.append(blocks[-1] if blocks and name else "")
    of_block: dict[str, list[str]] = {}
    for block, name in zip(blocks, names, strict=True):
        of_block.setdefault(block, []).append(name)
    of_block.pop("", None)
    alike = [block for block, inner in of_block.items() if len(inner) > 1]
    inner_names = {tuple(of_block[block]) for block in alike}
    if len(alike) < _FEWEST_BLOCKS or len(inner_names) != 1 or not _are_names(next(iter(inner_names))):
        return ()
    if any(finite_number(text) is not None for text in (*tops, *names) if text):
        return ()
    joined = []
    for place, (top, block, name) in enumerate(zip(tops, blocks, names, strict=True), 1):
        plain = name or top or f"column {place}"
        joined.append(f"{block}_{name}" if block in alike else plain)
    return tuple(joined) if len(set(joined)) == len(joined) else ()


def have_row_names(header: Sequence[str], rows: Sequence[Sequence[str]], lines: Sequence[str]) -> bool:
    """Say whether each row has a name in front, which the header does not count, as `write.table` of R writes them.

    Row names are all different. They are whole numbers that grow, or stand in quotation marks as the header's names do:
    a comma inside texts makes no row names.

    Args:
        header: the names of the columns.
        rows: the first rows.
        lines: the lines of the header and of these rows.
    """
    if len(rows) < 2 or any(len(row) != len(header) + 1 for row in rows) or not any(row[-1].strip() for row in rows):
        return False
    names = [row[0].strip() for row in rows]
    if len(set(names)) < len(names):
        return False
    if all(name.isdecimal() for name in names):
        numbers = [int(name) for name in names]
        return numbers == sorted(numbers)
    return all(line.lstrip().startswith('"') for line in lines if line.strip())


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
