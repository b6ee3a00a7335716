"""The rows of a file in each format: .txt, .csv, .tsv, .jsonl, .json, .parquet, .xlsx and .xml."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, Any

from referenceless_metrics.core.files.delimited import table_rows
from referenceless_metrics.core.files.json_rows import TEXT, JSONLinesError, json_line_rows, json_table
from referenceless_metrics.core.files.lines import START, ByteLines, Place
from referenceless_metrics.core.files.opening import MOST_AT_ONCE, MOST_RATIO
from referenceless_metrics.core.files.test_sets import XML, test_set_rows
from referenceless_metrics.core.support.validation import InputError, Record

__all__ = [
    "FORMATS",
    "START",
    "SUFFIXES",
    "TEXT",
    "WITHOUT_LINES",
    "ByteLines",
    "Columns",
    "Place",
    "Rows",
    "rows_of",
]

Columns = Record
"""Names of columns, in order, with their types (of pyarrow), if the file tells them."""

Rows = Iterator[tuple[int, Record]]
"""Rows, each with the line on which it begins, from 1, or its number in a format without lines."""

FORMATS = ("txt", "csv", "tsv", "jsonl", "json", "parquet", "xlsx", XML)

SUFFIXES = {
    **{name: name for name in FORMATS},
    "tab": "tsv",
    "ndjson": "jsonl",
    "jl": "jsonl",
    "pq": "parquet",
    "xls": "xlsx",
    "xlsm": "xlsx",
    "xlsb": "xlsx",
    "ods": "xlsx",
}
"""The format of each suffix that tells one, without the dot."""

WITHOUT_LINES = ("json", "parquet", "xlsx", XML)
"""Formats without lines."""

_ROWS = 8192


def rows_of(kind: str, lines: ByteLines, columns: Columns, start: Place) -> Rows:
    """Return the rows of a file; the names of its columns are added to `columns` as they are met.

    Args:
        kind: the format.
        lines: the file; assumptions are added to its notes.
        columns: none yet.
        start: place to begin at.

    Raises:
        InputError: while the rows are read, for a file that is not of the format; the message names the line.
    """
    if kind in ("csv", "tsv"):
        return table_rows(lines, columns, "\t" if kind == "tsv" else ",", start)
    if kind in ("txt", "jsonl"):
        lines.go_to(start)
        if kind == "jsonl":
            return json_line_rows(lines, columns)
        columns[TEXT] = None
        return ((lines.number, {TEXT: line.rstrip("\r\n")}) for line in lines)
    if kind == "json":
        return _json_rows(lines, columns, start)
    if kind == XML:
        return _rows_at_once(test_set_rows(lines.whole(), lines.name), columns, start)
    stream = lines.stream
    if not stream.seekable() or not isinstance(stream, io.BufferedReader):
        stream = io.BytesIO(stream.read())
    if kind == "parquet":
        return _parquet_rows(stream, lines.name, columns, start.row)
    from referenceless_metrics.core.files.workbooks import sheet_rows

    rows = sheet_rows(stream, lines.name, columns, lines.reading, lines.notes)
    return (row for place, row in enumerate(rows) if place >= start.row)


def _json_rows(lines: ByteLines, columns: Columns, start: Place) -> Rows:
    try:
        text = lines.whole()
        rows = json_table(text, lines.name, lines.notes, lines.reading.columns, lines.reading.rows_in)
    except JSONLinesError:
        lines.notes.append(f"{lines.name}: read as JSON lines: an object stands on each line (--input-format)")
        again = ByteLines(io.BytesIO(text.encode("utf-8", "surrogatepass")), lines.name, lines.reading)
        found = list(json_line_rows(again, columns))
        yield from found[start.row :]
        return
    yield from _rows_at_once(rows, columns, start)


def _rows_at_once(rows: list[Record], columns: Columns, start: Place) -> Rows:
    """Yield rows of a file that was read as a whole, with their numbers."""
    for row in rows:
        columns.update(dict.fromkeys(row))
    yield from enumerate(rows[start.row :], start.row + 1)


def _parquet_rows(stream: IO[bytes], name: str, columns: Columns, start: int) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(stream, buffer_size=2**20)  # a group of rows may be most of the file
        _check_size(file.metadata, name, stream.seek(0, io.SEEK_END))
        columns.update(zip(file.schema_arrow.names, file.schema_arrow.types, strict=True))
        if len(columns) < len(file.schema_arrow):
            raise InputError(f"{name}: two columns have the same name")
        begin = 0
        for batch in file.iter_batches(_ROWS):
            skipped = min(start, len(batch))
            begin += skipped
            yield from enumerate(_batch_rows(batch.slice(skipped)), begin + 1)
            begin += len(batch) - skipped
            start -= skipped
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # the last: texts that are not UTF-8
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"{name}: not a Parquet file, or a damaged one ({reason})") from None


def _check_size(metadata: Any, name: str, packed: int) -> None:
    """Refuse a Parquet file whose pages unpack to far more than the file holds."""
    whole = sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))
    if whole > MOST_AT_ONCE and whole > MOST_RATIO * max(packed, 1):
        raise InputError(
            f"{name}: it unpacks to more than {MOST_RATIO} times its size ({whole:,} bytes), which no table does; "
            "write it anew without compression"
        )


def _batch_rows(batch: Any) -> list[Record]:
    """Return the rows of a batch; of a column with dates outside Python's range all dates are texts."""
    import pyarrow as pa

    try:
        return list(batch.to_pylist())
    except (OverflowError, ValueError):
        cells = {}
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                cells[name] = column.to_pylist()
            except (OverflowError, ValueError):
                if not pa.types.is_temporal(column.type):
                    raise
                cells[name] = column.cast(pa.string()).to_pylist()
        return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]
