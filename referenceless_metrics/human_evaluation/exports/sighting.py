"""The beginning of a file, from which its form is told, and ways to the rest of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import IO, Any

from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import Table, suffix_of
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.forms import Sighting

_HEAD = 5  # lines from which a form is told


def sight(path: str) -> Sighting:
    """Look at the beginning of a file, or at the whole content of a `.json` file.

    A file that cannot be read has an empty sighting: the reader of tables says what is wrong with it.
    """
    place = Path(path)
    if place.is_dir():
        return Sighting(place)
    try:
        if suffix_of(path) == "json":
            return Sighting(place, content=json_of(place))
        with opened(place) as stream:
            lines = [line.decode("utf-8-sig") for line in islice(stream, _HEAD)]
        rows = list(_objects(lines)) if suffix_of(path) == "jsonl" else []
    except (OSError, EOFError, ValueError, RecursionError):
        return Sighting(place)
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return Sighting(place, columns, rows, lines=tuple(line.rstrip("\r\n") for line in lines))


def opened(path: Path) -> IO[bytes]:
    """Open a file to read its bytes, decompressed if its name ends in `.gz`."""
    is_compressed = path.name.lower().endswith(".gz")
    stream: Any = gzip.open(path) if is_compressed else path.open("rb")  # noqa: SIM115  # the caller closes it
    opened_stream: IO[bytes] = stream
    return opened_stream


def json_of(path: Path) -> Any:
    """Return what a file of JSON holds; NaN and infinities, which loggers write, are numbers.

    Raises:
        ValueError: for anything but JSON in UTF-8.
    """
    with opened(path) as stream:
        return json.loads(stream.read().decode("utf-8-sig"))


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
    """Yield the lines of a text file that hold something, each with its place, `file:line`."""
    try:
        with opened(path) as stream:
            for number, line in enumerate(stream, start=1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                if text.strip():
                    yield f"{path}:{number}", text
    except UnicodeDecodeError:
        raise InputError(f"{path}: it is not UTF-8") from None


def refuse_where(sighting: Sighting, reading: Reading, tool: str) -> None:
    """Refuse `--where` for a form without columns.

    Raises:
        InputError: if there are conditions.
    """
    if reading.where:
        raise InputError(f"{sighting.path}: --where is for columns, and this is an export of {tool}, which has none")


def _objects(lines: list[str]) -> Iterator[Record]:
    for line in lines:
        if line.strip():
            row = json.loads(line)
            if not isinstance(row, Mapping):
                return
            yield dict(row)
