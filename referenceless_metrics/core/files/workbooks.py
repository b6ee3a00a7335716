"""The rows of a workbook's sheet: .xlsx, and further formats of python-calamine."""

from __future__ import annotations

import datetime
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import IO, Any

from referenceless_metrics.core.files.headers import header_of, single_names
from referenceless_metrics.core.files.opening import MOST_AT_ONCE, MOST_RATIO, opened
from referenceless_metrics.core.files.reading import ALL_SHEETS, Reading
from referenceless_metrics.core.files.summary_rows import n_summaries, names_summary
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import InputError, Record, finite_number, shortened

EXTRA = "excel"

SHEET = "sheet"
"""The column with the name of the sheet that a row is from, if all sheets are read."""

_SAMPLED = 50  # rows from which the header is found
_MOST_KEPT = 2**22  # bytes of a workbook whose cells are kept
_SHEETS_KEPT = 4


def sheet_rows(
    stream: IO[bytes], name: str, columns: Record, reading: Reading, notes: list[str]
) -> Iterator[tuple[int, Record]]:
    """Yield the rows of a sheet, each with its number in the sheet, below a header.

    Dates are texts as ISO 8601 has them, and whole numbers are whole; a blank cell is "".

    Args:
        stream: the workbook.
        name: the file's name in messages.
        columns: receives the names of the columns.
        reading: the sheet, and the names of columns of a sheet without a header.
        notes: receives the assumptions.

    Raises:
        ImportError: without python-calamine; the message names the extra.
        InputError: for a file that is no workbook, a sheet that does not exist, and merged cells.
    """
    calamine = import_extra("python_calamine", EXTRA, "reading workbooks")
    _check_size(stream, name)
    data = stream.read()
    try:
        sheets = _sheets(_book(data).sheet_names, name, reading, notes)
        contents = {sheet: _content(data, sheet) for sheet in sheets}
    except (calamine.CalamineError, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: no workbook, or a damaged one ({error})") from None
    is_all = reading.sheet == ALL_SHEETS
    first: list[str] = []
    tables = {}
    for sheet, content in contents.items():
        tables[sheet] = _table_of(content, reading, f"{name}, sheet {sheet!r}" if is_all else name, notes)
    if is_all:
        tables = _alike(tables, name, notes)
    for sheet, (header, rows) in tables.items():
        place = f"{name}, sheet {sheet!r}" if is_all else name
        if not header:
            raise InputError(f"{name}: the sheet {sheet!r} is empty")
        first = first or header
        if header != first:
            raise InputError(
                f"{place}: its columns are {_listed(header)}, and those of the first sheet {_listed(first)}: "
                "sheets that are read together have the same columns"
            )
        columns.update(dict.fromkeys([SHEET, *header] if is_all else header))
        for number, row in rows:
            record = dict(zip(header, [*row, *[""] * (len(header) - len(row))], strict=False))
            yield number, {SHEET: sheet, **record} if is_all else record


def sheet_names(source: str) -> list[str]:
    """Return the names of the sheets of a workbook that was read before."""
    with opened(source, source) as stream:
        return list(_book(stream.read()).sheet_names)


@dataclass(frozen=True)
class _Content:
    """The cells of a sheet.

    Attributes:
        name: the sheet's name.
        cells: rows of cells, as JSON could hold them.
        merged: the corners of merged cells, each a row and a column from 0, the last ones included.
    """

    name: str
    cells: list[list[Any]]
    merged: Sequence[tuple[tuple[int, int], tuple[int, int]]]


def _content(data: bytes, sheet: str) -> _Content:
    """Return the cells of a sheet, which may be changed; a small workbook that is read again is not parsed again."""
    parsed = _parsed if len(data) <= _MOST_KEPT else _parsed.__wrapped__
    content = parsed(data, sheet)
    return _Content(content.name, [list(row) for row in content.cells], content.merged)


@lru_cache(maxsize=1)
def _book(data: bytes) -> Any:
    """Return a workbook from the bytes of its file."""
    return import_extra("python_calamine", EXTRA, "reading workbooks").CalamineWorkbook.from_filelike(BytesIO(data))


@lru_cache(maxsize=_SHEETS_KEPT)
def _parsed(data: bytes, name: str) -> _Content:
    """Return the cells of a sheet as they are parsed once."""
    sheet = _book(data).get_sheet_by_name(name)
    cells = [[_plain(cell) for cell in row] for row in sheet.to_python(skip_empty_area=False)]
    return _Content(sheet.name, cells, sheet.merged_cell_ranges or [])


_Rows = list[tuple[int, list[Any]]]
"""Rows of cells, each with its number in the sheet."""


def _table_of(content: _Content, reading: Reading, place: str, notes: list[str]) -> tuple[list[str], _Rows]:
    """Return the names of a sheet's columns and its rows that hold something, without a title.

    Raises:
        InputError: for merged cells that are not of one value for each of their rows.
    """
    if reading.columns:
        _fill_merged(content, -1, place, notes)
        return list(reading.columns), _filled(content.cells)
    content = _without_summary(content, place, notes)
    rows = _filled(content.cells)
    if not rows:
        return [], []
    found = header_of([row for _, row in rows[:_SAMPLED]])
    titles, rows = rows[: found.n_titles], rows[found.n_titles :]
    if titles:
        shown = shortened(" ".join(str(cell) for cell in titles[0][1] if cell != ""), 60)
        above = "the line above the header is" if len(titles) == 1 else f"{len(titles)} lines above the header are"
        notes.append(f"{place}: {above} a title, {shown!r}, and left out")
    n_above = found.n_rows
    _check_header_merged(content, rows[0][0] - 1, n_above, place)
    _fill_merged(content, rows[n_above - 1][0] - 1, place, notes)
    n_columns = max(len(row) - next((n for n, cell in enumerate(reversed(row)) if cell != ""), 0) for _, row in rows)
    if found.names:
        notes.append(f"{place}: {found.note}")
        header = [*found.names, *(f"column {number}" for number in range(len(found.names) + 1, n_columns + 1))]
        return header[: max(n_columns, 1)], rows[n_above:]
    return _header(rows[0][1], place, n_columns, notes), rows[1:]


def _alike(
    tables: dict[str, tuple[list[str], _Rows]], name: str, notes: list[str]
) -> dict[str, tuple[list[str], _Rows]]:
    """Return the sheets that have the same columns, if several do; the others, such as instructions, are left out."""
    counts = Counter(tuple(header) for header, _ in tables.values())
    common, count = counts.most_common(1)[0]
    if count < 2 or not common:
        return tables
    others = [sheet for sheet, (header, _) in tables.items() if tuple(header) != common]
    if others:
        notes.append(f"{name}: left out: sheets with other columns, {_listed(others)} (--sheet NAME)")
    return {sheet: table for sheet, table in tables.items() if sheet not in others}


def _without_summary(content: _Content, place: str, notes: list[str]) -> _Content:
    """Return a sheet without the rows of means, sums and the like that stand below its rows.

    They stand behind an empty row, or their numbers are those of the rows above. Others that begin with such a word
    stay, and rows below an empty one that begin otherwise: they may be of the table.
    """
    numbers = [number for number, _ in _filled(content.cells)]
    end = len(numbers)
    while end > 1 and names_summary(content.cells[numbers[end - 1] - 1]):
        end -= 1
    if end in (1, len(numbers)):
        return content
    is_apart = numbers[end] > numbers[end - 1] + 1
    if not is_apart:
        end = len(numbers) - n_summaries([row for _, row in _filled(content.cells)])
    if end == len(numbers):
        return content
    top = numbers[end - 1]
    first = next(str(cell) for cell in content.cells[numbers[end] - 1] if cell != "")
    left_out = len(numbers) - end
    told = " and an empty row" if is_apart else ", made of the rows above"
    rows = "row" if left_out == 1 else f"{left_out} rows from row"
    notes.append(f"{place}: left out: {rows} {numbers[end]}, {first!r}, below the table{told}")
    return _Content(content.name, content.cells[:top], [each for each in content.merged if each[0][0] < top])


def _filled(cells: list[list[Any]]) -> _Rows:
    return [(number, row) for number, row in enumerate(cells, 1) if any(cell != "" for cell in row)]


def _check_header_merged(content: _Content, top: int, n_rows: int, place: str) -> None:
    """Check that cells merged in the header are those of a header of two rows.

    Raises:
        InputError: for merged cells in a header of one row: the columns below have no names of their own.
    """
    for (first, left), (last, right) in content.merged:
        if first <= top + n_rows - 1 and last >= top and (n_rows == 1 or last > top + n_rows - 1):
            raise _refused(content, place, (first, left), (last, right))


def _fill_merged(content: _Content, header: int, place: str, notes: list[str]) -> None:
    """Write the value of merged cells in each of their rows below the header.

    Cells merged over rows of one column have one value for all of these. That is refused of numbers right of the first
    column without merged cells: one rating over several rows may be of all of them together.

    Args:
        content: the sheet, which is changed.
        header: the last row of the header, from 0.
        place: the sheet's name in messages.
        notes: receives the assumptions.

    Raises:
        InputError: for other merged cells.
    """
    below = [corners for corners in content.merged if corners[0][0] > header]
    keys = {left for (_, left), _ in below}
    n_keys = next(number for number in range(len(keys) + 1) if number not in keys)
    for (top, left), (bottom, right) in below:
        value = content.cells[top][left]
        if left != right or (left >= n_keys and finite_number(value) is not None):
            raise _refused(content, place, (top, left), (bottom, right))
        for row in content.cells[top + 1 : bottom + 1]:
            row[left] = value
    if below:
        (top, left), (bottom, right) = below[0]
        shown = f"{cell_name(top, left)}:{cell_name(bottom, right)}"
        notes.append(f"{place}: the value of merged cells, such as {shown}, is that of each of their rows")


def _refused(content: _Content, place: str, first: tuple[int, int], last: tuple[int, int]) -> InputError:
    shown = f"{cell_name(*first)}:{cell_name(*last)}"
    return InputError(
        f"{place}: the cells {shown} of sheet {content.name!r} are merged, so that it is not known which row or column "
        "their value is of: unmerge them, and fill each"
    )


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


def _header(cells: list[Any], place: str, n_columns: int, notes: list[str]) -> list[str]:
    """Return the names of so many columns, and note those that are changed."""
    padded = [*cells, *[""] * (n_columns - len(cells))][:n_columns]
    names, changed = single_names(padded)
    if changed:
        notes.append(f"{place}: {changed}")
    return names


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
