"""The rows of a workbook's sheet: .xlsx, and what else python-calamine reads."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from referenceless_metrics.core.files.opening import MOST_AT_ONCE, MOST_RATIO
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import InputError, Record, shortened

EXTRA = "excel"


def sheet_rows(
    stream: IO[bytes], name: str, columns: Record, reading: Reading, notes: list[str]
) -> Iterator[tuple[int, Record]]:
    """Yield the rows of a sheet, each with its number in the sheet, below a header.

    Dates are texts as ISO 8601 has them, and whole numbers are whole; a blank cell is "".

    Args:
        stream: the workbook.
        name: what messages call it.
        columns: where the names of the columns are added.
        reading: the sheet, and the names of columns of a sheet without a header.
        notes: what was assumed is added here.

    Raises:
        ImportError: without python-calamine; the message names the extra.
        InputError: for what is no workbook, a sheet that is not there, merged cells, and a name that stands twice.
    """
    calamine = import_extra("python_calamine", EXTRA, "reading workbooks")
    _check_size(stream, name)
    try:
        book = calamine.CalamineWorkbook.from_filelike(stream)
        sheet = book.get_sheet_by_name(_sheet_name(book.sheet_names, name, reading, notes))
        merged = sheet.merged_cell_ranges or []
        cells = sheet.to_python(skip_empty_area=False)
    except (calamine.CalamineError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: no workbook, or a damaged one ({error})") from None
    if merged:
        (top, left), (bottom, right) = merged[0]
        place = f"{cell_name(top, left)}:{cell_name(bottom, right)}"
        raise InputError(
            f"{name}: the cells {place} of sheet {sheet.name!r} are merged, so that it is not known which row their "
            "value is of: unmerge them, and fill each"
        )
    header = list(reading.columns)
    columns.update(dict.fromkeys(header))
    for number, row in enumerate(cells, 1):
        plain = [_plain(cell) for cell in row]
        if not any(cell != "" for cell in plain):
            continue
        if not header:
            header = _header(plain, name, number)
            columns.update(dict.fromkeys(header))
        else:
            yield number, dict(zip(header, [*plain, *[""] * (len(header) - len(plain))], strict=False))
    if not header:
        raise InputError(f"{name}: the sheet {sheet.name!r} is empty")


def _check_size(stream: IO[bytes], name: str) -> None:
    """Refuse a workbook that would take far more memory than its file; one of an older format has no such list."""
    try:
        with zipfile.ZipFile(stream) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError):
        return
    finally:
        stream.seek(0)
    whole, packed = sum(entry.file_size for entry in entries), sum(entry.compress_size for entry in entries)
    if whole > MOST_AT_ONCE and whole > MOST_RATIO * max(packed, 1):
        raise InputError(
            f"{name}: it unpacks to more than {MOST_RATIO} times its size ({whole:,} bytes), which no table does; save "
            "it anew"
        )


def _sheet_name(names: list[str], name: str, reading: Reading, notes: list[str]) -> str:
    asked = reading.sheet
    known = shortened(", ".join(map(repr, names)), 200)
    if asked is None:
        if len(names) > 1:
            others = shortened(", ".join(map(repr, names[1:])), 200)
            notes.append(f"{name}: read is the sheet {names[0]!r}; the others are {others} (--sheet)")
        return names[0]
    if asked in names:
        return asked
    if asked.isdigit() and 0 < int(asked) <= len(names):
        return names[int(asked) - 1]
    raise InputError(f"{name}: there is no sheet {asked!r} (--sheet); the sheets are {known}")


def _header(cells: list[Any], name: str, number: int) -> list[str]:
    while cells and cells[-1] == "":
        cells = cells[:-1]
    header = [str(cell).strip() or f"column {place}" for place, cell in enumerate(cells, 1)]
    if len(set(header)) < len(header):
        twice = next(each for each in header if header.count(each) > 1)
        raise InputError(f"{name}, row {number}: the column name {twice!r} stands twice")
    return header


def _plain(cell: Any) -> Any:
    """Return a cell as JSON could hold it."""
    if isinstance(cell, (datetime.datetime, datetime.date, datetime.time)):
        return cell.isoformat()
    if isinstance(cell, datetime.timedelta):
        return str(cell)
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return cell


def cell_name(row: int, column: int) -> str:
    """Return a cell's name in a sheet, from its row and column, counted from 0.

    >>> cell_name(0, 0), cell_name(9, 27)
    ('A1', 'AB10')
    """
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return f"{letters}{row + 1}"
