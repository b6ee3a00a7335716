"""The header of a table of cells: titles above it, two rows of names, and names of rows that it does not count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from referenceless_metrics.core.support.validation import finite_number, shortened

ROW_NAMES = "row.names"
"""Name of the column of row names, which stand in front of each row, and have no name in the header."""

_MOST_TITLES = 5
_WIDE = 0.6  # share of the usual number of filled cells that a header has
_FEWEST_BELOW = 3  # numbers below a name
_FEWEST_OF_SCALE = 10  # numbers of a scale, of which a larger one is no point
_MOST_POINTS = 11
_BEYOND = 10  # times the largest point of a scale
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
            return Header(place) if place == 0 or _may_be_header(rows[place], rows[place + 1 :]) else Header()
    return Header()


def _may_be_header(row: Sequence[object], below: Sequence[Sequence[object]]) -> bool:
    """Say whether a row below titles may be a header: its names are different, or words that stand above numbers."""
    texts = list(map(_text, row))
    has_numbers = any(finite_number(text) is not None for text in texts)
    return _are_names(row) or (not has_numbers and names_columns(texts, below))


def _are_names(row: Sequence[object]) -> bool:
    """Say whether cells may be names of columns: no number, and none twice."""
    texts = [text for cell in row if (text := _text(cell))]
    return len(set(texts)) == len(texts) and not any(finite_number(text) is not None for text in texts)


def block_names(upper: Sequence[object], lower: Sequence[object]) -> tuple[str, ...]:
    """Return the names of columns whose header has two rows: names of blocks, and the same names in each block.

    A block's name stands above its first column, or above each. A column that has a name in one of the rows alone is
    called so. There are no names unless two blocks or more have the same two names or more, or all columns that have a
    name above them the same one.

    >>> block_names(["item", "base", "", "ours", ""], ["", "fluency", "style", "fluency", "style"])
    ('item', 'base_fluency', 'base_style', 'ours_fluency', 'ours_style')
    >>> block_names(["", "base", "ours"], ["item", "score", "score"])
    ('item', 'base_score', 'ours_score')
    >>> block_names(["item", "text", "rating"], ["1", "a cat", "4"])
    ()
    """
    n = max(len(upper), len(lower))
    tops, names = ([_text(cell) for cell in [*row, *[""] * (n - len(row))]] for row in (upper, lower))
    if any(finite_number(text) is not None for text in (*tops, *names) if text):
        return ()
    places = [place for place, top in enumerate(tops) if top]
    are_beside = _FEWEST_BLOCKS <= len(places) < n and places[-1] - places[0] == len(places) - 1
    if are_beside and len({names[place] for place in places}) == 1 and _are_names([*tops, names[places[0]]]):
        joined = [f"{top}_{name}" if top else name for top, name in zip(tops, names, strict=True)]
        return tuple(joined) if all(names) and len(set(joined)) == len(joined) else ()
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
    joined = []
    for place, (top, block, name) in enumerate(zip(tops, blocks, names, strict=True), 1):
        plain = name or top or f"column {place}"
        joined.append(f"{block}_{name}" if block in alike else plain)
    return tuple(joined) if len(set(joined)) == len(joined) else ()


def names_columns(fields: Sequence[str], rows: Sequence[Sequence[object]]) -> bool:
    """Say whether the rows below the first line of a table show that it names columns, some of them by numbers.

    A word then stands above numbers, nothing above the numbers of rows, as pandas writes its index, or a large number,
    such as a rater's id, above those of a scale; or a number above a few words. Numbers from 1 on name columns beside a
    word above longer texts.

    >>> names_columns(["reply", "7", "mean"], [["a", "1", "2"], ["b", "3", "2"], ["c", "1", "4"]])
    True
    >>> names_columns(["", "0"], [["0", "0.9"], ["1", "0.8"], ["2", "0.8"]])
    True
    """
    columns = [[row[place] for row in rows if len(row) > place] for place in range(len(fields))]
    return _are_numbered(fields, columns) or any(
        _names_numbers(field, place, cells) for place, (field, cells) in enumerate(zip(fields, columns, strict=True))
    )


def _names_numbers(field: str, place: int, cells: Sequence[object]) -> bool:
    """Say whether a column holds numbers alone, and none of them is like what stands in the first line."""
    from referenceless_metrics.core.files.number_words import says_no_answer  # not before it is needed

    filled = [cell for cell in cells if not says_no_answer(str(cell))]
    numbers = [number for cell in filled if (number := finite_number(cell)) is not None]
    if field.strip().isdecimal() and not numbers and len(filled) >= _FEWEST_OF_SCALE:
        return len(set(map(str, filled))) <= _MOST_POINTS
    if len(numbers) < _FEWEST_BELOW or len(numbers) < len(filled):
        return False
    if field.strip() in ("", f"column {place + 1}"):
        return place == 0 and numbers in (list(range(len(cells))), list(range(1, len(cells) + 1)))
    if finite_number(field) is None:
        return not says_no_answer(field)
    return _is_beyond(field, numbers)


def _are_numbered(fields: Sequence[str], columns: Sequence[Sequence[object]]) -> bool:
    """Say whether names are numbers from 1 on, two or more, beside single words, each above longer texts."""
    numbered = [field.strip() for field in fields if field.strip().isdecimal()]
    if len(numbered) < 2 or numbered != [str(number) for number in range(1, len(numbered) + 1)]:
        return False
    others = [(field, cells) for field, cells in zip(fields, columns, strict=True) if not field.strip().isdecimal()]
    return bool(others) and all(
        len(field.split()) == 1 and len(cells) >= _FEWEST_BELOW and all(len(str(cell).split()) > 1 for cell in cells)
        for field, cells in others
    )


def _is_beyond(field: str, numbers: Sequence[float]) -> bool:
    """Say whether a whole number is far larger than those of a scale of few points, and so none of these."""
    points = set(numbers)
    if len(numbers) < _FEWEST_OF_SCALE or len(points) > _MOST_POINTS or not all(map(float.is_integer, points)):
        return False
    return field.strip().isdecimal() and float(field) > _BEYOND * max(map(abs, points))


def single_names(cells: Sequence[object]) -> tuple[list[str], str]:
    """Return the names of columns, each once and without blanks around it, and what is said of those that were changed.

    A column without a name is called after its place. A name that stands again gets a number; if the same names stand
    behind each of several others, as a rating behind the outputs of each system, columns are called by both.

    >>> single_names(["text", "rating", "", "rating"])[0]
    ['text', 'rating', 'column 3', 'rating (2)']
    >>> single_names(["item", "base", "rating", "ours", "rating"])[0]
    ['item', 'base', 'base_rating', 'ours', 'ours_rating']
    """
    plain = [_text(cell) for cell in cells]
    joined = _behind_others(plain)
    names, repeated = _numbered(joined)
    if repeated:
        shown = shortened(", ".join(map(repr, repeated)), 100)
        return names, f"names stand twice in the header; the further columns are called {shown}"
    changed = [name for name, cell in zip(joined, plain, strict=True) if name != cell]
    if changed:
        shown = shortened(", ".join(map(repr, changed)), 100)
        return names, f"the same names stand behind several others, and columns are called by both: {shown}"
    return names, ""


def _numbered(cells: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return names, each once, and those that got a number."""
    names: dict[str, None] = {}
    numbers: dict[str, int] = {}  # of the last column of a name: of many alike, none is counted up from the first
    repeated = []
    for place, cell in enumerate(cells, 1):
        plain = name = cell or f"column {place}"
        number = numbers.get(plain, 1)
        while name in names:
            number += 1
            name = f"{plain} ({number})"
        if number > 1:
            repeated.append(name)
        numbers[plain] = number
        names[name] = None
    return list(names), repeated


def _behind_others(names: Sequence[str]) -> list[str]:
    """Return names, those called by both that stand behind each of several others, which stand side by side."""
    counts = Counter(names)
    heads = [place for place in range(len(names) - 1) if counts[names[place]] == 1 < counts[names[place + 1]]]
    widths = {after - before for before, after in pairwise(heads)}
    if len(widths) != 1 or not all(names[head] for head in heads):
        return list(names)
    width = widths.pop()
    behind = [tuple(names[head + 1 : head + width]) for head in heads]
    n_repeated = sum(count for count in counts.values() if count > 1)
    if len(set(behind)) > 1 or n_repeated != len(heads) * (width - 1):
        return list(names)
    found = list(names)
    for head in heads:
        for place in range(head + 1, head + width):
            found[place] = f"{names[head]}_{names[place]}"
    return found


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
