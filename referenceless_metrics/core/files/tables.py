"""Files with rows, read in blocks: .txt (one column, `text`), .csv, .tsv, .jsonl, .json and .parquet.

A .csv file may have semicolons between its fields, as spreadsheets write it if the comma is the decimal mark. A file
whose name ends in .gz is decompressed while it is read; the suffix before that says the format.

Every error is an `InputError` that names the file and, if there is one, the line.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from shlex import quote
from typing import IO, Any, NamedTuple

import numpy as np

from referenceless_metrics.core.files.delimited import (
    are_texts,
    example_columns,
    holds_data,
    looks_like_text,
    texts_of,
)
from referenceless_metrics.core.files.documents import (
    are_documents,
    as_json_lines,
    check_one_kind,
    note_on_documents,
)
from referenceless_metrics.core.files.filled_down import columns_to_fill, fill_down
from referenceless_metrics.core.files.formats import (
    FORMATS,
    START,
    SUFFIXES,
    WITHOUT_LINES,
    ByteLines,
    Columns,
    Place,
    rows_of,
)
from referenceless_metrics.core.files.json_rows import NUMBER
from referenceless_metrics.core.files.label_rows import is_row_of_labels
from referenceless_metrics.core.files.legends import is_legend
from referenceless_metrics.core.files.n_best import are_n_best
from referenceless_metrics.core.files.nested_rows import rows_in_proposal, rows_inside, ways_into_lists
from referenceless_metrics.core.files.opening import PACKED, STDIN, opened, sniffed, sniffed_stdin
from referenceless_metrics.core.files.reading import (
    BY_SUFFIX,
    MISSING,
    Condition,
    Reading,
    cell_of,
    cell_text,
    from_json,
    joined_name,
    names_in,
    paths_of,
    places_of_ids,
)
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
from referenceless_metrics.core.support.validation import (
    Floats,
    InputError,
    Record,
    describe,
    did_you_mean,
    finite_numbers,
    lone_surrogate,
    shortened,
)

TABLES = ".csv, .tsv, .jsonl, .json, .parquet or .xlsx"
"""The files with columns, for messages and documentation."""
_BINARY = ("parquet", "xlsx")
_DELIMITED = ("csv", "tsv")
_SEEN_TWICE = ("csv", "tsv", "parquet", "xlsx")
_NESTED = 100  # rows in which names inside objects are looked for
_MOST_VALUES = 5
_SAMPLED = 20  # lines from which a file of numbers is recognised


class ColumnName(str):
    """A column's name with the option that chose it, such as `--pool-text-column`, for messages.

    >>> name = ColumnName("output", "--text-column")
    >>> name == "output", name.option
    (True, '--text-column')
    """

    option: str

    def __new__(cls, name: str, option: str = "") -> ColumnName:
        """Return the name; one that knows its option already keeps it."""
        self = super().__new__(cls, name)
        self.option = getattr(name, "option", option)
        return self


def column_names(names: str | Sequence[str], option: str) -> tuple[ColumnName, ...]:
    """Return one column or several as names with the option that chose them.

    >>> column_names("rating", "--rating-column"), column_names(["ann", "bob"], "--rating-column")
    (('rating',), ('ann', 'bob'))
    """
    return tuple(ColumnName(name, option) for name in ([names] if isinstance(names, str) else names))


class BlockSize(NamedTuple):
    """Size of a block: a number of rows, or fewer if they take a number of bytes of the file."""

    rows: int = 8192
    bytes: int = 2**22


@dataclass(frozen=True)
class Table:
    """Rows of a file, all or a block of them, and the line on which each one stands.

    Attributes:
        source: the file's name, for messages.
        columns: the column names; for JSON lines, those that were met so far.
        rows: one dict per row, from column to value.
        lines: the line on which each row begins, counted from 1, or in a format without lines the number of each row;
            none if the rows come from no file.
        first: number of rows of the file before these.
        end: place at which these rows end.
        types: the columns' types, of pyarrow, if the file tells them.
        comma: whether numbers may have a decimal comma, as if semicolons separate the fields.
        notes: assumptions made as the file was read, in sentences, each with the option that changes it; `tell` prints
            them.
        has_lines: whether the file's format has lines.
        own_names: for an export of a tool, the file's own names of columns that are called otherwise here.
        are_scores: whether the rows are scores that a tool wrote, and no people's ratings.
        are_of_people: whether the form of the file tells that people gave the scores in it.
        scale: the ends of the scale of the column `rating`, if the form of the file tells them; else None.
        counted: columns that count rows or places, and that the file does not have: two files share no items by them.
        added: columns that the file does not have, and that stand for what it leaves open: messages do not list them.
    """

    source: str
    columns: tuple[str, ...]
    rows: list[Record]
    lines: list[int] = field(default_factory=list)
    first: int = 0
    end: Place = START
    types: Columns = field(default_factory=dict)
    comma: bool = False
    notes: tuple[str, ...] = ()
    has_lines: bool = True
    own_names: Mapping[str, str] = field(default_factory=dict)
    are_scores: bool = False
    are_of_people: bool = False
    scale: tuple[float, float] | None = None
    counted: frozenset[str] = frozenset()
    added: frozenset[str] = frozenset()

    def where(self, row: int) -> str:
        """Return `file:line` of a row, or its number in a format without lines."""
        number = self.lines[row] if self.lines else 0
        if number and self.has_lines:
            return f"{self.source}:{number}"
        return f"{self.source}, row {number or self.first + row + 1}"

    def column(self, name: str, option: str = "", *, numeric: bool = False) -> list[Any]:
        """Return one column's values; None in a row without it, as of JSON, where null says the same.

        Args:
            name: the column; a `ColumnName` brings the option that chose it.
            option: the option or argument that chose it, for messages.
            numeric: whether a message is to list the columns of numbers, with their ranges.

        Raises:
            InputError: if there is no such column; the message names the option and lists the columns.
        """
        if numeric and self.columns == (NUMBER,):  # a file of numbers: whatever they are called
            name = NUMBER
        if not self.has(name):
            name = self._lacking_of(name)
            problem = f"there is no column {str(name)!r}{_chosen_by(name, option)}"
            raise InputError(f"{self.source}: {problem}; {self._told(name, numeric)}")
        try:
            return [row[name] for row in self.rows]
        except KeyError:
            cells = [cell_of(row, name) for row in self.rows]
            return [None if cell is MISSING else cell for cell in cells]

    def key_cells(self, name: str, option: str = "") -> list[Any]:
        """Return the values of a column that names systems, items, raters or the like.

        Args:
            name: the column.
            option: the option or argument that chose it; see `column`.

        Raises:
            InputError: like `column`, and for an object, which is no name; the message names the places inside.
        """
        cells = self.column(name, option)
        for row, cell in enumerate(cells):
            if isinstance(cell, dict):
                chosen = getattr(name, "option", option)
                ways = [f"{chosen} {quote(f'{name}.{path}')}".strip() for path in paths_of(cell)]
                raise InputError(
                    f"{self.where(row)}: expected a name in column {str(name)!r}{_chosen_by(name, option)}, but got an "
                    f"object; name a place in it: {shortened(', '.join(ways))}"
                )
        return cells

    def _lacking_of(self, name: str) -> str:
        """Return the first column that is not there of those that a name joins, with the option of the name."""
        parts = names_in(name)
        if len(parts) == 1:
            return name
        lacking = next((part for part in parts if not self.has(part)), name)
        return ColumnName(lacking, getattr(name, "option", ""))

    def has(self, name: str) -> bool:
        """Say whether there is a column of this name, or a place inside one, such as `scores.fluency`."""
        return name in self.columns or any(cell_of(row, name) is not MISSING for row in self.rows[:_NESTED])

    def has_own(self, name: str) -> bool:
        """Say whether there is a column of this name here, or in the tool's file that this was read from."""
        return self.has(self.called_here(name))

    def called_here(self, name: str) -> ColumnName:
        """Return the name here of a column of the tool's file that this was read from."""
        parts = [self.own_names.get(part, part) for part in names_in(name)]
        return ColumnName(joined_name(parts), getattr(name, "option", ""))

    def names(self) -> tuple[str, ...]:
        """Return the names of the columns, with those of the places inside objects in place of a column of them.

        Objects whose keys are ids are one column.
        """
        named: dict[str, None] = {}
        for column in self.columns:
            held = [cell for cell in self._first_cells(column) if isinstance(cell, (dict, list, tuple))]
            closed = places_of_ids(held, column)
            inside = [f"{column}.{path}" for cell in held for path in paths_of(cell, closed, column)]
            named |= dict.fromkeys(inside or [column])
        return tuple(named)

    def keyed_by_ids(self) -> list[str]:
        """Return the places of objects whose keys are ids, and no names of fields."""
        return [place for column in self.columns for place in places_of_ids(self._first_cells(column), column)]

    def _first_cells(self, column: str) -> list[Any]:
        """Return the cells of a column in the first rows, those that hold JSON as its value."""
        return [from_json(row.get(column)) for row in self.rows[:_NESTED]]

    def _told(self, name: str, numeric: bool) -> str:
        """List the columns that there are, for a message on one that is not there."""
        names = [each for each in self.names() if each not in self.added]
        columns = [each for each in self.columns if each not in self.added]
        known = "the columns are " + shortened(", ".join(map(repr, names)))
        if numeric:
            known = self.told_numeric() or f"no column holds numbers alone, and {known}"
        near = self._told_several(name) or did_you_mean(name, names)
        near += rows_in_proposal(self.rows[:_NESTED], name)
        if self.has_lines and holds_data(columns, self.rows):
            near += f"; if the first line holds data, name the columns: --columns {example_columns(len(columns))}"
        if self.has_lines and are_texts(columns):
            near += f"; if the first line holds texts, name the columns: --columns {texts_of(len(columns))}"
        if self.has_lines and looks_like_text(columns):
            near += "; if the first line is a text, name the column: --columns text"
        return known + near

    def _told_several(self, name: str) -> str:
        """Return how to name several columns, if a name is those of several with commas between; "" else."""
        parts = [part.strip() for part in str(name).split(",")]
        if len(parts) < 2 or not all(part in self.columns for part in parts):
            return ""
        option = getattr(name, "option", "")
        ways = f": {' '.join(f'{option} {quote(part)}' for part in parts)}" if option else ""
        return f"; these are {len(parts)} columns, and each is named by itself{ways}"

    def numbers(self, name: str, option: str, *, blank: bool = False) -> Floats:
        """Return one column's values as finite numbers, shape (rows,).

        Args:
            name: the column.
            option: the option or argument that chose it; see `column`.
            blank: whether a cell may hold nothing, which is NaN.

        Raises:
            InputError: like `column`, and for a value that is no finite number; the message lists the columns of
                numbers.
        """
        values = self.column(name, option, numeric=True)
        numbers = self.as_numbers(values)
        wrong = np.isnan(numbers)
        if blank:
            wrong &= [not is_blank(cell) for cell in values]
        if wrong.any():
            row = int(wrong.argmax())
            others, nothing = self.told_numeric() if wrong.all() else "", ", or nothing," if blank else ""
            raise InputError(
                f"{self.where(row)}: expected a finite number{nothing} in column {str(name)!r}"
                f"{_chosen_by(name, option)}, but got {describe(values[row])}{others and '; ' + others}"
            )
        return numbers

    def told_numeric(self) -> str:
        """Return the columns of numbers with their ranges, in words; nothing if there are none."""
        ranges = {name: self.range_of(name) for name in self.names() if name not in self.added}
        described = [f"{str(name)!r} ({ends[0]:.6g} to {ends[1]:.6g})" for name, ends in ranges.items() if ends]
        return f"the columns of numbers are {shortened(', '.join(described))}" if described else ""

    def range_of(self, name: str) -> tuple[float, float] | None:
        """Return the least and the greatest number of a column; None for one that holds anything else."""
        numbers = self.as_numbers([cell_of(row, name) for row in self.rows])
        return (float(numbers.min()), float(numbers.max())) if np.isfinite(numbers).all() and len(numbers) else None

    def as_numbers(self, cells: Sequence[object]) -> Floats:
        """Return cells as numbers, shape (cells,); NaN for each that is no finite number (see `finite_number`)."""
        if self.comma:
            cells = [cell.replace(",", ".", 1) if isinstance(cell, str) and "." not in cell else cell for cell in cells]
        return finite_numbers(cells)

    def texts(self, name: str, *, null: bool = False) -> list[str]:
        """Return one column's values as texts.

        Args:
            name: the column.
            null: whether a null is an empty text, as of texts that are scored.

        Raises:
            InputError: like `column`, and for a value that is no text, or none that a file can hold.
        """
        values = self.column(name, "text_column")
        if null and None in values:
            values = ["" if value is None else value for value in values]
        try:
            "".join(values).encode()
        except (TypeError, UnicodeEncodeError):  # one of them is no text, or none that can be written
            for row, value in enumerate(values):
                self.check_text(row, name, value)
        return values

    def check_text(self, row: int, name: str, value: object) -> None:
        """Check that a value of a row is a text that a file can hold.

        Raises:
            InputError: for anything else, such as the lone surrogates that JSON can escape.
        """
        expected, came = "a text", describe(value)
        if isinstance(value, (list, tuple)):
            came += ways_into_lists(self.rows[:_NESTED], name, getattr(name, "option", "--text-column"))
        if isinstance(value, str):
            if lone_surrogate(value) is None:
                return
            expected, came = "valid Unicode", f"a lone surrogate in {came}"
        problem = f"expected {expected} in column {str(name)!r}{_chosen_by(name)}, but got {came}"
        raise InputError(f"{self.where(row)}: {problem}")


def null_notes(source: str, n_null: int, n_texts: int, n_before: int = 0) -> list[str]:
    """Return a note on texts that are null, and so are read as empty ones; none without any.

    Args:
        source: the file's name.
        n_null: the number of texts that are null.
        n_texts: the number of texts that were read.
        n_before: the number of rows before these, which were read in an earlier run.

    >>> null_notes("a.csv", 1, 30, 20)
    ['a.csv: 1 of the 30 texts after the first 20 rows is null, and read as empty']
    """
    if not n_null:
        return []
    base = f"the {n_texts} texts after the first {n_before} rows" if n_before else f"{n_texts} texts"
    return [f"{source}: {n_null} of {base} {'is' if n_null == 1 else 'are'} null, and read as empty"]


def is_blank(cell: object) -> bool:
    """Say whether there is nothing in a cell."""
    return cell is None or str(cell).strip() == ""


def _chosen_by(name: str, option: str = "") -> str:
    option = getattr(name, "option", option)
    return f" ({option})" if option else ""


@dataclass(frozen=True)
class RatedTexts:
    """Texts and their ratings, in the order in which they were read.

    Attributes:
        texts: n texts.
        ratings: one finite rating per text, shape (n,), float64, in whatever unit the source uses.
        groupings: the name of each text's system or group, by the kind of grouping (`systems`, `groups`); a kind that
            is not known is missing.
        sources: the source of each text; None if not known.
    """

    texts: list[str]
    ratings: Floats
    groupings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sources: list[Any] | None = None

    def __len__(self) -> int:
        return len(self.texts)


def read_blocks(
    source: str,
    *,
    reading: Reading = BY_SUFFIX,
    default: str = "csv",
    size: BlockSize | None = None,
    start: Place = START,
) -> Iterator[Table]:
    """Yield a file block by block: at least one block, which is empty if the file holds no rows.

    Args:
        source: a file, or `-` for standard input.
        reading: the way to read it.
        default: the format of standard input if none is named.
        size: size of the blocks; None for as large ones as there are. The blocks after a block's `end` do not depend on
            earlier ones.
        start: place to begin at: the `end` of a block that was read earlier.

    Raises:
        InputError: for a file that cannot be read, is not UTF-8 or is malformed, and if no row meets the conditions.
    """
    name = source_name(source)
    kind, notes = _format(source, reading, default)
    most_rows, most_bytes = size or BlockSize(sys.maxsize, sys.maxsize)
    columns: Columns = {}
    chosen = _Chosen(reading.where, name, columns)
    is_first = is_whole = not start.row
    with _opened(source, name) as content:
        stream: Any = content
        if kind in _SEEN_TWICE and not stream.seekable():
            stream = io.BytesIO(stream.read())
        lines = ByteLines(stream, name, reading)
        lines.notes += notes
        if reading.rows_in is None:
            rows = rows_of(kind, lines, columns, start)
        else:  # a block may end amid the rows of one object: those before it are read again, and passed over
            outer = _outer_rows(kind, lines, most_rows, most_bytes)
            rows = islice(rows_inside(outer, reading.rows_in, lines, columns), start.row, None)
        while True:
            block: list[Record] = []
            numbers: list[int] = []
            n_read = 0
            longest = csv.field_size_limit(2**31 - 1)  # a C long, which some systems make 32 bits
            try:
                for number, row in rows:
                    n_read += 1
                    if not reading.where or chosen.takes(row):
                        block.append(row)
                        numbers.append(number)
                    if len(block) >= most_rows or lines.offset >= start.offset + most_bytes:
                        break
                    if len(block) > reading.most_rows:
                        raise InputError(
                            f"{name}: it holds more than {reading.most_rows:,} rows, the most that are held at once; "
                            "--most-rows NUMBER allows more"
                        )
                else:
                    if is_whole:
                        chosen.check_columns()
            finally:
                csv.field_size_limit(longest)
            first, start = start.row, Place(start.row + n_read, lines.offset, lines.number)
            if not block and n_read:  # other rows may meet the conditions
                continue
            if not block and not is_first:
                if lines.notes:  # notes that are known only at the end
                    yield Table(name, tuple(columns), [], first=first, end=start, notes=tuple(lines.notes))
                return
            if not block:
                chosen.check()
            if not block and kind == "jsonl":
                raise InputError(f"{name}: it is empty")
            types = columns.copy() if kind == "parquet" else {}
            if is_first and kind != "txt" and len(block) < most_rows and reading.rows_in is None:
                block, numbers = _without_made_rows(kind, block, numbers, lines, are_all=not reading.where)
            yield Table(
                name,
                tuple(columns),
                block,
                numbers,
                first,
                start,
                types,
                comma=lines.delimiter == ";",
                notes=tuple(lines.notes),
                has_lines=kind not in WITHOUT_LINES,
                counted=frozenset(lines.counted),
            )
            if not block:
                return
            lines.notes.clear()
            is_first = False


@contextmanager
def _opened(source: str, name: str) -> Iterator[IO[bytes]]:
    """Open a file, standard input, or a folder with a text in each file, as JSON lines.

    Raises:
        InputError: as `opened`, and for a text that cannot be read.
    """
    if are_documents(source):
        yield io.BytesIO(as_json_lines(source))
        return
    with opened(source, name) as content:
        yield content


def _outer_rows(kind: str, lines: ByteLines, most_rows: int, most_bytes: int) -> Iterator[tuple[int, Record]]:
    """Yield the rows of a file that hold others; without those that are made of others, if it can be read at once."""
    rows = rows_of(kind, lines, {}, START)
    read: list[tuple[int, Record]] = []
    for each in rows if kind in (*_DELIMITED, "xlsx") else ():
        read.append(each)
        if len(read) >= most_rows or lines.offset >= most_bytes:
            yield from chain(read, rows)
            return
    numbers, block = [number for number, _ in read], [row for _, row in read]
    block, numbers = _without_made_rows(kind, block, numbers, lines, are_all=True)
    yield from chain(zip(numbers, block, strict=True), rows)


def _without_made_rows(
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
    if kind in (*_DELIMITED, "xlsx") and are_all:
        block, numbers = _without_legend(block, numbers, lines)
    if kind in _DELIMITED and are_all:
        block, numbers = _without_blank_rows(block, numbers, lines)
        block, numbers = _without_summaries(block, numbers, lines)
    if kind in (*_DELIMITED, "xlsx") and are_all:
        block, numbers = _without_unnamed_summaries(block, numbers, lines)
    block, numbers = _without_sums_of_groups(block, numbers, lines)
    if kind in (*_DELIMITED, "xlsx"):  # formulas that were copied too far
        block, numbers = _without_left_over(block, numbers, lines)
    if kind in (*_DELIMITED, "xlsx") and are_all:
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


class _Chosen:
    """The rows that meet all conditions, with the message if none does.

    Args:
        conditions: the conditions.
        name: the file's name, for messages.
        columns: the columns that were met so far.
    """

    def __init__(self, conditions: tuple[Condition, ...], name: str, columns: Columns) -> None:
        self._conditions, self._name, self._columns = conditions, name, columns
        self._others: dict[Condition, dict[str, None]] = {condition: {} for condition in conditions}

    def takes(self, row: Record) -> bool:
        """Say whether a row meets all conditions; keep the first values that do not."""
        for condition in self._conditions:
            if not condition.holds(row):
                others = self._others[condition]
                if len(others) < _MOST_VALUES:
                    others[cell_text(row.get(condition.column))] = None
                return False
        return True

    def check_columns(self) -> None:
        """Check that there are the columns of conditions which rows without these meet; all rows have been read.

        Raises:
            InputError: if one is not there.
        """
        if self._columns:
            self._check_columns([each for each in self._conditions if each.holds_without_column])

    def _check_columns(self, conditions: Sequence[Condition]) -> None:
        for condition in conditions:
            names = [condition.column, *names_in(condition.column)]
            if not any(name.partition(".")[0] in self._columns or name in self._columns for name in names):
                known = shortened(", ".join(map(repr, self._columns))) + did_you_mean(condition.column, self._columns)
                raise InputError(
                    f"{self._name}: there is no column {condition.column!r} (--where); the columns are {known}"
                )

    def check(self) -> None:
        """Say why no row was taken.

        Raises:
            InputError: if there are conditions; it names the first that cannot be met.
        """
        self._check_columns(self._conditions)
        if self._conditions:
            asked = " ".join(f"--where {condition}" for condition in self._conditions)
            others = [
                f"{each.column!r} is {', '.join(map(repr, values))}" for each, values in self._others.items() if values
            ]
            told = f"; in the first other rows {shortened('; '.join(others))}" if others else ""
            raise InputError(f"{self._name}: no row meets {asked}{told}")


def source_name(source: str) -> str:
    """Return a source as messages name it."""
    return "standard input" if source == STDIN else source


def file_format(source: str, reading: Reading, default: str) -> str:
    """Return the format of a source: the one that is named, that of its suffix, or else that of its content.

    Args:
        source: a file, or `-` for standard input.
        reading: the format that is named, if any, and the encoding.
        default: the format of text without a known suffix, such as standard input.

    Raises:
        InputError: for an unknown format, a file that cannot be opened, and one that holds no text.
    """
    return _format(source, reading, default)[0]


def _format(source: str, reading: Reading, default: str) -> tuple[str, list[str]]:
    """Return the format of a source as `file_format` does, with a note if the suffix does not tell it."""
    format = reading.format
    if format is not None:
        if format not in FORMATS:
            raise InputError(f"unknown input format {format!r}; the known ones are {', '.join(FORMATS)}")
        return format, []
    if source == STDIN:
        found = sniffed_stdin() if reading.encoding is None else None
        if found in (None, default):
            return default, []
        return str(found), [f"{source_name(source)}: read as {found} (--input-format)"]
    if are_documents(source):
        return "jsonl", [note_on_documents(source)]
    check_one_kind(source)
    suffix = suffix_of(source)
    known = SUFFIXES.get(suffix)
    if known in _BINARY:
        return known, []
    if not Path(source).is_file():
        with opened(source, source):  # there may be no such file, or it is a device
            return known or default, []
    if reading.encoding is not None:  # it is text
        return known or default, []
    found = sniffed(source, is_text=known is not None)
    if known is None or found in _BINARY or (known == "jsonl" and found == "json"):
        is_listed = found is None and (_names_several(reading) or _holds_n_best(source))
        format = found or ("csv" if is_listed else "txt" if default == "csv" and _holds_numbers(source) else default)
        if format == "txt" and len(suffix) == 2 and suffix.isalpha():  # a language, as of one side of a corpus
            return format, []
        problem = f"the suffix {'.' + suffix!r} is not known" if suffix else "there is no suffix"
        if known is not None:
            problem = f"the suffix {'.' + suffix!r} does not fit its content"
        return format, [f"{source}: {problem}; read as {format} (--input-format)"]
    if known == "txt" and (_names_several(reading) or _holds_n_best(source)):
        return "tsv", []
    return known, []


def _names_several(reading: Reading) -> bool:
    """Say whether a table is meant: several columns are named, or what separates them."""
    return len(reading.columns) > 1 or reading.delimiter is not None


def _holds_n_best(source: str) -> bool:
    """Say whether the first lines of a file are of a list of candidates."""
    with opened(source, source) as stream:
        return are_n_best(ByteLines(stream, source).peek(_SAMPLED))


def _holds_numbers(source: str) -> bool:
    """Say whether the first lines of a file hold a number each."""
    with opened(source, source) as stream:
        lines = [line for line in ByteLines(stream, source).peek(_SAMPLED) if line.strip()]
    return len(lines) > 1 and bool(np.isfinite(finite_numbers([line.strip() for line in lines])).all())


def names_lines(source: str) -> bool:
    """Say whether a file is called as one with a line for each thing: it has a suffix, and not that of a table.

    >>> names_lines("newstest.docs"), names_lines("docs.txt"), names_lines("docs.csv"), names_lines("doc")
    (True, True, False, False)
    """
    suffix = suffix_of(source)
    return suffix != "" and SUFFIXES.get(suffix, "txt") == "txt"


def suffix_of(source: str) -> str:
    """Return the format by a file's suffix, without the dot; .gz and the like say nothing.

    >>> suffix_of("a/ratings.CSV.gz")
    'csv'
    """
    plain = Path(source.lower())
    if plain.suffix in PACKED:
        plain = plain.with_suffix("")
    return plain.suffix.lstrip(".")
