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
from shlex import quote
from typing import IO, Any, NamedTuple

import numpy as np

from referenceless_metrics.core.files.delimited import are_texts, example_columns, holds_data, looks_like_text, texts_of
from referenceless_metrics.core.files.documents import are_documents, as_json_lines
from referenceless_metrics.core.files.formats import START, WITHOUT_LINES, ByteLines, Columns, Place, rows_of
from referenceless_metrics.core.files.formats_of_files import format_and_note, source_name
from referenceless_metrics.core.files.json_rows import NUMBER
from referenceless_metrics.core.files.left_out_rows import DELIMITED, is_blank, without_made_rows
from referenceless_metrics.core.files.nested_rows import rows_in_proposal, rows_inside, ways_into_lists
from referenceless_metrics.core.files.opening import opened
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

_SEEN_TWICE = ("csv", "tsv", "parquet", "xlsx")

_NESTED = 100  # rows in which names inside objects are looked for

_MOST_VALUES = 5


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
    kind, notes = format_and_note(source, reading, default)
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
                block, numbers = without_made_rows(kind, block, numbers, lines, are_all=not reading.where)
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
    for each in rows if kind in (*DELIMITED, "xlsx") else ():
        read.append(each)
        if len(read) >= most_rows or lines.offset >= most_bytes:
            yield from chain(read, rows)
            return
    numbers, block = [number for number, _ in read], [row for _, row in read]
    block, numbers = without_made_rows(kind, block, numbers, lines, are_all=True)
    yield from chain(zip(numbers, block, strict=True), rows)


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
