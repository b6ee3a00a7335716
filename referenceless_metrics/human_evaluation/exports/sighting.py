"""The beginning of a file, which tells its form, and ways to the rest of it."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.formats_of_files import suffix_of
from referenceless_metrics.core.files.lines import ByteLines
from referenceless_metrics.core.files.opening import opened
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import BlockSize, Table, read_blocks
from referenceless_metrics.core.support.validation import InputError, Record, shortened
from referenceless_metrics.human_evaluation.forms import Sighting

_HEAD = 5  # lines that tell a form
_OPENING = 100  # lines among which those of a log's own form begin
_ROWS_OF_SHEET = 20  # that tell a form
_MOST_SHEETS = 16  # files whose first rows are kept


def sight(path: str) -> Sighting:
    """Look at the beginning of a file, or at the whole content of a `.json` file.

    A file that cannot be read has an empty sighting: the reader of tables reports the fault.
    """
    place = Path(path)
    if place.is_dir():
        return Sighting(place)
    try:
        if suffix_of(path) == "json":
            return Sighting(place, content=json_of(place))
        if suffix_of(path) == "xlsx":
            return Sighting(place, cells=_cells_of_sheet(path))
        is_jsonl = suffix_of(path) == "jsonl"
        with opened(path, path) as stream:
            opening = list(islice(ByteLines(stream, path), _HEAD if is_jsonl else _OPENING))
        rows = list(_objects(opening)) if is_jsonl else []
    except (OSError, EOFError, ValueError, RecursionError):
        return Sighting(place)
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    lines = tuple(line.rstrip("\r\n") for line in opening)
    return Sighting(place, columns, rows, lines=lines[:_HEAD], opening=lines)


def _cells_of_sheet(path: str) -> tuple[tuple[str, ...], ...]:
    """Return the names and the first rows of a sheet; none of a file that cannot be read so."""
    try:
        state = Path(path).stat()
    except OSError:
        return ()
    return _cells_as_of(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=_MOST_SHEETS)
def _cells_as_of(path: str, _changed: int, _size: int) -> tuple[tuple[str, ...], ...]:
    """Return the same of the file as it is now: several forms are tried on it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            table = next(read_blocks(path, size=BlockSize(_ROWS_OF_SHEET)))
        except (InputError, ImportError, OSError, StopIteration):
            return ()
    rows = (tuple(str(row.get(name) or "") for name in table.columns) for row in table.rows)
    return (tuple(table.columns), *rows)


def fields_of(lines: Sequence[str], delimiter: str = ",", *, marks_quote: bool = True) -> list[list[str]]:
    r"""Return the fields of each line; none if a line cannot be cut, and the reader of tables then reports the fault.

    >>> fields_of(['a,"b, c"', "d"]), fields_of(["a\rb"])
    ([['a', 'b, c'], ['d']], [])
    """
    try:
        return list(
            csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL if marks_quote else csv.QUOTE_NONE)
        )
    except csv.Error:  # a carriage return inside a line, or a field beyond the limit
        return []


def header_of(sighting: Sighting) -> tuple[str, ...]:
    """Return the names of the columns: of the rows, of the first object in a list, or on the first line."""
    content = sighting.content
    if isinstance(content, list) and content and isinstance(content[0], Mapping):
        return tuple(content[0])
    if sighting.columns or not sighting.lines:
        return sighting.columns
    first = sighting.lines[0].removeprefix("\ufeff")
    delimiter = max("\t,;|", key=first.count)
    return tuple(name.strip() for names in fields_of([first], delimiter) for name in names)


def json_of(path: Path) -> Any:
    """Return the content of a file of JSON; NaN and infinities, which loggers write, are numbers.

    Raises:
        ValueError: for anything but JSON, and for text in an encoding without a mark that is not UTF-8.
    """
    with opened(str(path), str(path)) as stream:
        return json.loads(ByteLines(stream, str(path)).whole())


def split_table(sighting: Sighting) -> Table | None:
    """Return the table in JSON that holds `columns` and `data`, as pandas and trackers of experiments write it."""
    content = sighting.content
    if not isinstance(content, Mapping) or not {"columns", "data"} <= set(content):
        return None
    columns, data = content["columns"], content["data"]
    if not isinstance(columns, list) or not isinstance(data, list):
        return None
    names = tuple(map(str, columns))
    if len(set(names)) < len(names) or any(not isinstance(row, list) or len(row) != len(names) for row in data):
        return None
    return Table(str(sighting.path), names, [dict(zip(names, row, strict=True)) for row in data], has_lines=False)


def text_lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the lines of a text file that hold something, each with its place, `file:line`.

    Raises:
        InputError: for a file that cannot be opened, and for a line that is not in the file's encoding.
    """
    name = str(path)
    with opened(name, name) as stream:
        for number, line in enumerate(ByteLines(stream, name), start=1):
            if line.strip():
                yield f"{name}:{number}", line.rstrip("\r\n")


def refuse_where(sighting: Sighting, reading: Reading, tool: str) -> None:
    """Refuse `--where` for a form without columns.

    Raises:
        InputError: if there are conditions.
    """
    if reading.where:
        raise InputError(
            f"{sighting.path}: --where is for columns, and this is an export of {tool}, which has none but `system`, "
            "if it tells systems"
        )


def meeting(
    sighting: Sighting, reading: Reading, names: Sequence[str], lines: Iterable[tuple[str, Sequence[str]]]
) -> list[tuple[str, Sequence[str]]]:
    """Return the lines of a form without a header that meet the conditions of `--where`.

    Args:
        sighting: the file.
        reading: the way to read it.
        names: names of the fields, which stand nowhere in the file.
        lines: the place of each line, and its fields.

    Raises:
        InputError: for a condition on another name, and if no line meets them.
    """
    found = list(lines)
    asked = list(dict.fromkeys(each.column for each in reading.where))
    unknown = [name for name in asked if name not in names]
    if unknown:
        raise InputError(
            f"{sighting.path}: there is no column {unknown[0]!r} (--where); the file has no header, and its columns "
            f"are called {', '.join(names)}"
        )
    rows = [dict(zip(names, fields, strict=False)) for _, fields in found]
    meets = [all(condition.holds(row) for condition in reading.where) for row in rows]
    if reading.where and not any(meets):
        conditions = " ".join(f"--where {each}" for each in reading.where)
        cells = {name: dict.fromkeys(row[name] for row in rows if name in row) for name in asked}
        held = "; ".join(f"{name} has {shortened(', '.join(of_name), 80)}" for name, of_name in cells.items())
        raise InputError(f"{sighting.path}: no row meets {conditions}; {held}")
    return [line for line, is_kept in zip(found, meets, strict=True) if is_kept]


def _objects(lines: list[str]) -> Iterator[Record]:
    for line in lines:
        if line.strip():
            row = json.loads(line)
            if not isinstance(row, Mapping):
                return
            yield dict(row)
