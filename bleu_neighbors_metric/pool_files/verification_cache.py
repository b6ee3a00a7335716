"""Which files were checked, as the file system knows them: checking all bytes once is enough until one changes.

A file's number, size and times change with any write to it, and no program can set the time of change (`st_ctime`).
The note `checked` beside the file holds them, with what no other machine knows (`_machine`): a note that was made
elsewhere, or before a change, fits no file. Another user could forge a note, so it counts only where the folder, the
file and the note are this user's, and nobody else may write to them. A small file is checked each time.
"""

from __future__ import annotations

import json
import os
import stat
import uuid
from pathlib import Path

from metric_commons.files.atomic import atomic_write
from metric_commons.files.strict_json import parse_json

NOTE = "checked"
_LARGEST = 2**16
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_SMALL = 2**22  # bytes that are checked in less than 5 ms


def is_verified(file: Path) -> bool:
    """Say whether a file is the one that `note_verified` was called for."""
    path = file.parent / NOTE
    try:
        if file.stat().st_size <= _SMALL or not all(map(_is_private, (file.parent, file, path))):
            return False
        with path.open("rb") as note:
            return bool(parse_json(note.read(_LARGEST)) == _state(file))
    except (OSError, ValueError):
        return False


def note_verified(file: Path) -> None:
    """Note that a file is sound, where its folder can be written; where not, each process checks it."""
    try:
        with atomic_write(file.parent / NOTE, "w") as note:
            json.dump(_state(file), note)
        make_private(file.parent / NOTE)
    except OSError:
        return


def make_private(file: Path) -> None:
    """Let no other user write to a file, where the file system knows users."""
    file.chmod(file.stat().st_mode & ~_BY_OTHERS)


def _is_private(path: Path) -> bool:
    """Say whether a file or folder is this user's, and nobody else may write to it; not known without user numbers."""
    state = path.stat()
    return hasattr(os, "geteuid") and state.st_uid == os.geteuid() and not state.st_mode & _BY_OTHERS


def _state(file: Path) -> list[object]:
    state = file.stat()
    return [_machine(), file.name, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]


def _machine() -> str:
    """Return what tells this machine, on Linux since it was started, from all others."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return str(uuid.getnode())
