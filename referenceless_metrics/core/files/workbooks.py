"""The rows of a workbook's sheet: .xlsx, and what else python-calamine reads."""

from __future__ import annotations

import datetime
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from referenceless_metrics.core.files.opening import MOST_AT_ONCE, MOST_RATIO
from referenceless_metrics.core.files.reading import ALL_SHEETS, Reading
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import InputError, Record, shortened

EXTRA = "excel"

SHEET = "sheet"
"""The column with the name of the sheet that a row is from, if all sheets are read."""

_MOST_TITLES = 5


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
        sheets = _sheets(book.sheet_names, name, reading, notes)
        contents = {sheet: _content(book.get_sheet_by_name(sheet), name) for sheet in sheets}
    except (calamine.CalamineError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: no workbook, or a damaged one ({error})") from None
    is_all = reading.sheet == ALL_SHEETS
    first: list[str] = []
    for sheet, cells in contents.items():
        header = list(reading.columns)
        place = f"{name}, sheet {sheet!r}" if is_all else name
        rows = _without_title(cells, place, notes) if not header else list(enumerate(cells, 1))
        for number, row in rows:
            if not any(cell != "" for cell in row):
                continue
            if not header:
                header = _header(row, place, number)
                first = first or header
                if header != first:
                    raise InputError(
                        f"{place}: its columns are {_listed(header)}, and those of the first sheet {_listed(first)}: "
                        "sheets that are read together have the same columns"
                    )
            else:
                record = dict(zip(header, [*row, *[""] * (len(header) - len(row))], strict=False))
                yield number, {SHEET: sheet, **record} if is_all else record
            columns.update(dict.fromkeys([SHEET, *header] if is_all else header))
        if not header:
            raise InputError(f"{name}: the sheet {sheet!r} is empty")


def _content(sheet: Any, name: str) -> list[list[Any]]:
    """Return the cells of a sheet, as JSON could hold them."""
    merged = sheet.merged_cell_ranges or []
    if merged:
        (top, left), (bottom, right) = merged[0]
        place = f"{cell_name(top, left)}:{cell_name(bottom, right)}"
        raise InputError(
            f"{name}: the cells {place} of sheet {sheet.name!r} are merged, so that it is not known which row their "
            "value is of: unmerge them, and fill each"
        )
    return [[_plain(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]


def _without_title(cells: list[list[Any]], place: str, notes: list[str]) -> list[tuple[int, list[Any]]]:
    """Return rows with their numbers, without a title: lines of one filled cell above a header of several."""
    rows = [(number, row) for number, row in enumerate(cells, 1) if any(cell != "" for cell in row)]
    titles = 0
    while titles < len(rows) and sum(cell != "" for cell in rows[titles][1]) == 1:
        titles += 1
    several = [row for _, row in rows[titles:] if sum(cell != "" for cell in row) > 1]
    if 0 < titles <= _MOST_TITLES and 2 * len(several) > len(rows) - titles:
        shown = shortened(" ".join(str(cell) for cell in rows[0][1] if cell != ""), 60)
        notes.append(f"{place}: {titles} lines above the header are a title, {shown!r}, and left out")
        return rows[titles:]
    return rows


def _listed(names: list[str]) -> str:
    return shortened(", ".join(map(repr, names)), 120)


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


def _sheets(names: list[str], name: str, reading: Reading, notes: list[str]) -> list[str]:
    """Return the names of the sheets that are read."""
    if reading.sheet == ALL_SHEETS:
        return names
    return [_sheet_name(names, name, reading, notes)]


def _sheet_name(names: list[str], name: str, reading: Reading, notes: list[str]) -> str:
    asked = reading.sheet
    known = shortened(", ".join(map(repr, names)), 200)
    if asked is None:
        if len(names) > 1:
            others = shortened(", ".join(map(repr, names[1:])), 200)
            notes.append(
                f"{name}: read is the sheet {names[0]!r}; the others are {others} (--sheet NAME, or * for all)"
            )
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
