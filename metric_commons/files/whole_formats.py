"""Rows of files that have no lines: .parquet, .json (a list of objects) and .xlsx (one sheet, extra `xlsx`)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any

from metric_commons.support.errors import InputError
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import describe

WHOLE_FORMATS = ("parquet", "json", "xlsx")

Rows = tuple[tuple[str, ...], list[dict[str, Any]], Any]
"""Names of columns, some rows, and the columns' types (a `pyarrow.Schema`), where the file tells them."""


def rows_of_whole(stream: IO[bytes], kind: str, name: str, most: int | None, start: int) -> Iterator[Rows]:
    """Yield the rows of a file, as many at once as its format gives; nothing for a file without rows but its columns.

    Args:
        stream: the file, which can be sought in.
        kind: one of `WHOLE_FORMATS`.
        name: what messages call the file.
        most: rows that are held at once, where the format allows; None for all.
        start: the row to begin with: the first one after some that were yielded earlier.

    Raises:
        InputError: for a file that is not of the format.
        ImportError: for .xlsx without openpyxl; the message names the extra.
    """
    if kind == "parquet":
        yield from _parquet(stream, name, most, start)
        return
    columns, rows = (_json if kind == "json" else _xlsx)(stream, name)
    size = most or max(1, len(rows))
    for first in range(start, len(rows), size) or [0]:
        yield columns, rows[first : first + size], None


def _parquet(stream: IO[bytes], name: str, most: int | None, start: int) -> Iterator[Rows]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Buffered: a group of rows may be most of the file, and is not to be held at once.
        file = pq.ParquetFile(stream, buffer_size=2**20 if most is not None else 0)
        schema = file.schema_arrow
        columns = tuple(schema.names)
        if len(set(columns)) < len(columns):
            raise InputError(f"{name}: two columns have the same name")
        first = 0
        for group in range(file.num_row_groups):
            end = first + file.metadata.row_group(group).num_rows
            if end <= start:
                first = end
                continue
            for batch in file.iter_batches(most or 65536, row_groups=[group]):
                begun, first = first, first + len(batch)
                if begun >= start:
                    yield columns, batch.to_pylist(), schema
        if not first:
            yield columns, [], schema
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:  # the last: texts that are not UTF-8
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"{name}: not a Parquet file, or a damaged one ({reason})") from None


def _json(stream: IO[bytes], name: str) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    try:
        rows = json.loads(stream.read().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{name}: not JSON ({error}); a file with an object on each line is JSON lines: --input-format jsonl"
        ) from None
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        odd = next((row for row in rows if not isinstance(row, dict)), rows) if isinstance(rows, list) else rows
        raise InputError(
            f'{name}: expected a list of objects, one a row, as [{{"text": "…"}}, …], but got {describe(odd)}'
        )
    return tuple(dict.fromkeys(key for row in rows for key in row)), rows


def _xlsx(stream: IO[bytes], name: str) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    openpyxl = import_extra("openpyxl", "xlsx", f"{name} (or save it as .csv)")
    try:
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        sheets = {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}
    except Exception as error:  # whatever a foreign file makes a reader of spreadsheets stumble over
        raise InputError(f"{name}: not an .xlsx file, or a damaged one ({error}); save it as .csv") from None
    filled = {title: rows for title, rows in sheets.items() if any(cell is not None for row in rows for cell in row)}
    if len(filled) != 1:
        told = f"its sheets {', '.join(map(repr, filled))} all hold cells" if filled else "it is empty"
        raise InputError(f"{name}: {told}; expected one sheet: save the one that is meant as .csv")
    header, *rows = (list(row) for row in next(iter(filled.values())) if any(c is not None for c in row))
    while header and header[-1] is None:
        header.pop()
    columns = tuple(str(cell) for cell in header)
    if None in header or len(set(columns)) < len(columns):
        raise InputError(f"{name}: expected a name for each column in the first row, each once, but got {columns}")
    wide = next((row for row in rows if any(cell is not None for cell in row[len(columns) :])), None)
    if wide is not None:
        raise InputError(f"{name}: expected {len(columns)} cells in a row ({', '.join(columns)}), but got {wide}")
    return columns, [
        {column: "" if cell is None else cell for column, cell in zip(columns, row, strict=False)} for row in rows
    ]
