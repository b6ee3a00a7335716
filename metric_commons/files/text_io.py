"""Texts and rated texts from files: .txt, .csv, .tsv, .jsonl, .parquet, standard input and dataset specs.

Every error is an `InputError` that names the file and, where there is one, the line.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.rated_texts import RatedTexts
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe, finite_number, lone_surrogate

FORMATS = ("txt", "csv", "tsv", "jsonl", "parquet")
STDIN = "-"
_SPEC = re.compile(r"^[a-z_]+:[\w-]+(:[\w-]+)?$")


@dataclass(frozen=True)
class Table:
    """Columns of a file, and the line on which each row stands.

    Attributes:
        source: the file's name, for messages.
        columns: the column names.
        rows: one dict a row, from column to value.
        lines: the line on which each row begins, counted from 1; empty where a format has no lines.
    """

    source: str
    columns: tuple[str, ...]
    rows: list[dict[str, Any]]
    lines: list[int]

    def where(self, row: int) -> str:
        """Return `file:line` of a row."""
        return f"{self.source}:{self.lines[row]}" if self.lines else f"{self.source}, row {row + 1}"

    def column(self, name: str, option: str) -> list[Any]:
        """Return one column's values.

        Raises:
            InputError: where there is no such column; the message lists those that there are.
        """
        if name not in self.columns:
            known = ", ".join(repr(column) for column in self.columns)
            raise InputError(f"{self.source}: there is no column {name!r} ({option}); the columns are {known}")
        for row, values in enumerate(self.rows):
            if name not in values:
                raise InputError(f"{self.where(row)}: this row has no {name!r} ({option})")
        return [row[name] for row in self.rows]

    def numbers(self, name: str, option: str) -> NDArray[np.float64]:
        """Return one column's values as finite numbers, shape (rows,).

        Raises:
            InputError: as `column`, and for a value that is no finite number.
        """
        numbers = np.empty(len(self.rows), dtype=np.float64)
        for row, value in enumerate(self.column(name, option)):
            number = finite_number(value)
            if number is None:
                raise InputError(
                    f"{self.where(row)}: expected a finite number in column {name!r}, but got {describe(value)}"
                )
            numbers[row] = number
        return numbers


def is_dataset_spec(source: str) -> bool:
    """Say whether `source` names a data set (`huse:summarization`, or `huse` alone) and not a file."""
    from metric_commons.datasets import is_spec

    return (is_spec(source) or bool(_SPEC.match(source))) and not Path(source).exists()


def read_texts(
    source: str, *, text_column: str = "text", format: str | None = None, data_dir: str | None = None
) -> list[str]:
    """Read texts.

    Args:
        source: a file, `-` for standard input, or a dataset spec.
        text_column: the column that holds the texts, in formats that have columns.
        format: one of `FORMATS`; None to go by the file's suffix (standard input: txt).
        data_dir: where a dataset spec's files lie.

    Returns:
        The texts in order; a blank line is an empty text.

    Raises:
        InputError: for a file that cannot be read, is not UTF-8, is malformed, or holds no texts.
    """
    if is_dataset_spec(source):
        return _dataset(source, data_dir).texts
    kind = _format(source, format, default="txt")
    if kind == "txt":
        texts = _lines(_decode(_read_bytes(source), _name(source)))
    else:
        table = read_table(source, format=kind)
        texts = _strings(table, text_column)
    if not texts:
        raise InputError(f"{_name(source)}: it holds no texts")
    return texts


def read_rated(
    source: str,
    *,
    text_column: str = "text",
    quality_column: str = "quality",
    group_column: str | None = None,
    format: str | None = None,
    data_dir: str | None = None,
) -> RatedTexts:
    """Read rated texts; the arguments are those of `read_texts`, with the columns of the ratings and of the groups.

    Raises:
        InputError: as `read_texts`, and for a rating that is not a finite number.
    """
    if is_dataset_spec(source):
        if group_column is not None:
            raise InputError(
                f"{source}: a data set that is named so has no columns of groups; write it to a file first"
            )
        return _dataset(source, data_dir)
    kind = _format(source, format, default="csv")
    if kind == "txt":
        raise InputError(
            f"{_name(source)}: a .txt file holds no ratings; a pool needs two columns, text and quality "
            "(.csv, .tsv, .jsonl or .parquet)"
        )
    table = read_table(source, format=kind)
    texts = _strings(table, text_column)
    quality = table.numbers(quality_column, "--quality-column")
    if not texts:
        raise InputError(f"{table.source}: it holds no rated texts")
    if group_column is None:
        return RatedTexts(texts, quality)
    return RatedTexts(texts, quality, tuple(map(str, table.column(group_column, "--group-column"))))


def read_table(source: str, *, format: str | None = None) -> Table:
    """Read a file with columns (csv, tsv, jsonl or parquet), whole.

    Raises:
        InputError: for a file that cannot be read, is not UTF-8 or is malformed.
    """
    kind = _format(source, format, default="csv")
    name = _name(source)
    if kind == "txt":
        raise InputError(f"{name}: a .txt file has no columns; give a .csv, .tsv, .jsonl or .parquet file")
    content = _read_bytes(source)
    if kind == "parquet":
        return _read_parquet(content, name)
    text = _decode(content, name)
    return _read_jsonl(text, name) if kind == "jsonl" else _read_csv(text, name, "\t" if kind == "tsv" else ",")


def _lines(text: str) -> list[str]:
    """Split at line ends only (`str.splitlines` also splits at U+2028 and others, which stand inside texts)."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _name(source: str) -> str:
    return "standard input" if source == STDIN else source


def _format(source: str, format: str | None, default: str) -> str:
    if format is not None:
        if format not in FORMATS:
            raise InputError(f"unknown input format {format!r}; the known ones are {', '.join(FORMATS)}")
        return format
    if source == STDIN:
        return default
    suffix = Path(source).suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        if not Path(source).exists():
            raise InputError(f"{source}: there is no such file")
        if Path(source).is_dir():
            raise InputError(f"{source}: it is a folder, not a file")
        found = f"the suffix {'.' + suffix!r} tells no format" if suffix else "there is no suffix to tell the format"
        raise InputError(f"{source}: {found}; name it with --input-format ({', '.join(FORMATS)})")
    return suffix


def _read_bytes(source: str) -> bytes:
    if source == STDIN:
        if sys.stdin is None:
            raise InputError("standard input: it is closed")
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{source}: there is no such file") from None
    except IsADirectoryError:
        raise InputError(f"{source}: it is a folder, not a file") from None
    except OSError as error:
        raise InputError(f"{source}: cannot be read ({error.strerror})") from None


def _decode(content: bytes, name: str) -> str:
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{name}:{line}: not UTF-8 (byte 0x{content[error.start]:02x}); convert the file to UTF-8"
        ) from None


def _read_csv(text: str, name: str, delimiter: str) -> Table:
    previous = csv.field_size_limit(min(len(text) + 1, 2**31 - 1))  # a C long, which some systems make 32 bits
    try:
        return _csv_rows(text, name, delimiter)
    finally:
        csv.field_size_limit(previous)


def _csv_rows(text: str, name: str, delimiter: str) -> Table:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    header: list[str] | None = None
    begin = 1
    try:
        for fields in reader:
            if not fields:  # a blank line
                begin = reader.line_num + 1
                continue
            if header is None:
                header = fields
                if len(set(header)) < len(header):
                    raise InputError(f"{name}:{begin}: a column name stands twice in the header")
            elif len(fields) != len(header):
                raise InputError(
                    f"{name}:{begin}: expected {len(header)} fields ({', '.join(header)}), but got {len(fields)}"
                )
            else:
                rows.append(dict(zip(header, fields, strict=True)))
                lines.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{name}:{begin}: malformed row ({error})") from None
    if header is None:
        raise InputError(f"{name}: it is empty")
    return Table(name, tuple(header), rows, lines)


def _read_jsonl(text: str, name: str) -> Table:
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    columns: dict[str, None] = {}
    for number, line in enumerate(_lines(text), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{name}:{number}: not JSON ({error.msg}, column {error.colno})") from None
        except (RecursionError, ValueError) as error:  # nested too deeply, or a whole number of thousands of digits
            raise InputError(f"{name}:{number}: JSON beyond what can be read ({error})") from None
        if not isinstance(row, dict):
            raise InputError(f"{name}:{number}: expected a JSON object, but got {describe(row)}")
        rows.append(row)
        lines.append(number)
        columns.update(dict.fromkeys(row))
    if not rows:
        raise InputError(f"{name}: it is empty")
    return Table(name, tuple(columns), rows, lines)


def _read_parquet(content: bytes, name: str) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(io.BytesIO(content)).read()
        columns = tuple(table.column_names)
        if len(set(columns)) < len(columns):
            raise InputError(f"{name}: two columns have the same name")
        rows = table.to_pylist()
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # the last: texts that are not UTF-8
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"{name}: not a Parquet file, or a damaged one ({reason})") from None
    return Table(name, columns, rows, [])


def _strings(table: Table, column: str) -> list[str]:
    values = table.column(column, "--text-column")
    for row, value in enumerate(values):
        if not isinstance(value, str):
            raise InputError(f"{table.where(row)}: expected a text in column {column!r}, but got {describe(value)}")
        if lone_surrogate(value) is not None:  # JSON can escape one, and nothing can write it again
            raise InputError(
                f"{table.where(row)}: expected valid Unicode in column {column!r}, but got a lone surrogate in "
                f"{describe(value)}"
            )
    return values


def _dataset(spec: str, data_dir: str | None) -> RatedTexts:
    from metric_commons.datasets import load_rated

    return load_rated(spec, data_dir=data_dir)
