"""Which files were checked, as the file system knows them: checking all bytes once is enough until one changes.

A file's number, size and times change with any write to it, and no program can set the time of change (`st_ctime`).
The note `checked` beside the file holds them, with what no other machine knows (`_machine`): a note that was made
elsewhere, or before a change, fits no file.
"""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from metric_commons.files.atomic import atomic_write
from metric_commons.files.strict_json import parse_json

_NOTE = "checked"
_LARGEST = 2**16


def is_verified(file: Path) -> bool:
    """Say whether a file is the one that `note_verified` was called for."""
    try:
        with (file.parent / _NOTE).open("rb") as note:
            return bool(parse_json(note.read(_LARGEST)) == _state(file))
    except (OSError, ValueError):
        return False


def note_verified(file: Path) -> None:
    """Note that a file is sound, where its folder can be written; where not, each process checks it."""
    try:
        with atomic_write(file.parent / _NOTE, "w") as note:
            json.dump(_state(file), note)
    except OSError:
        return


def _state(file: Path) -> list[object]:
    state = file.stat()
    return [_machine(), file.name, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]


def _machine() -> str:
    """Return what tells this machine, on Linux since it was started, from all others."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return str(uuid.getnode())
