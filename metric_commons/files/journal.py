"""The journal of an unfinished output: what was written of it, so that the work goes on from there after a kill."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from metric_commons.files.atomic import atomic_write
from metric_commons.files.strict_json import parse_json
from metric_commons.files.tables import START, Place
from metric_commons.results import RunningSummary
from metric_commons.support.errors import InputError

_VERSION = 1
_HEAD = 2**20


@dataclass(frozen=True)
class Record:
    """How far a run is.

    Attributes:
        run: what the output depends on, by name: another run must not go on from here.
        read: where in the input the next text begins.
        written: how much of the output is good: bytes, or parts.
        summary: of the results so far.
        columns: the output's columns, where the first rows decide them.
        complete: whether everything was written.
    """

    run: Mapping[str, Any]
    read: Place = START
    written: int = 0
    summary: RunningSummary = field(default_factory=RunningSummary)
    columns: tuple[str, ...] | None = None
    complete: bool = False


def write_journal(path: Path, record: Record) -> None:
    """Write a record, whole or not at all, and on the disk when this returns."""
    summary = {**vars(record.summary), "abstentions": dict(record.summary.abstentions), "details": {}}
    content = {**vars(record), "version": _VERSION, "read": vars(record.read), "summary": summary}
    with atomic_write(path, "w") as file:
        json.dump(content, file, ensure_ascii=False)


def read_journal(path: Path, run: Mapping[str, Any]) -> Record:
    """Read a record of the same run.

    Raises:
        InputError: for a file that is no journal, or one of a run whose output would be another.
    """
    try:
        found = parse_json(path.read_bytes())
        if found.pop("version") != _VERSION:
            raise ValueError("another version")
        summary = found.pop("summary")
        summary["abstentions"] = Counter(summary["abstentions"])
        columns = found.pop("columns")
        record = Record(
            read=Place(**found.pop("read")),
            summary=RunningSummary(**summary),
            columns=None if columns is None else tuple(columns),
            **found,
        )
        numbers = (record.read.row, record.read.offset, record.read.line, record.written, record.summary.n)
        if any(type(number) is not int or number < 0 for number in numbers):
            raise ValueError("no place in a file")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{path}: not a journal that this version wrote; remove it and start anew ({error})") from None
    for name, value in run.items():
        if record.run.get(name) != value:
            raise InputError(
                f"{path}: the unfinished run had another {name} ({record.run.get(name)}, now {value}); give the same "
                "again, or --no-resume to start anew"
            )
    return record


def fingerprint(path: str) -> str:
    """Return a file's size and a hash of its first megabyte: enough to notice that it is another."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        digest.update(file.read(_HEAD))
        size = os.fstat(file.fileno()).st_size
    return f"{size} bytes, sha256 {digest.hexdigest()[:16]}"
