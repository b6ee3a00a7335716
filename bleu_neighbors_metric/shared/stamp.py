"""Which files were checked, as the file system knows them: checking all bytes once is enough until one changes.

A file's number, size and times change with any write to it, and no program can set the time of change (`st_ctime`).
A stamp holds them, with what no other machine knows (`_machine`): one that was made elsewhere, or before a change, fits
no file.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from pathlib import Path

from metric_commons.files.atomic import atomic_write
from metric_commons.files.strict_json import parse_json

STAMP = "checked"
_LARGEST = 2**26


def is_checked(folder: Path, names: Iterable[str], digest: str) -> bool:
    """Say whether a folder's files are those that `write_stamp` was called for.

    Args:
        folder: where they lie.
        names: the files.
        digest: what they were checked against.
    """
    try:
        with (folder / STAMP).open("rb") as file:
            return bool(parse_json(file.read(_LARGEST)) == _stamp(folder, names, digest))
    except (OSError, ValueError):
        return False


def write_stamp(folder: Path, names: Iterable[str], digest: str) -> None:
    """Note that a folder's files are sound, where it can be written; where not, each process checks them."""
    try:
        with atomic_write(folder / STAMP, "w") as file:
            json.dump(_stamp(folder, names, digest), file)
    except OSError:
        return


def _stamp(folder: Path, names: Iterable[str], digest: str) -> dict[str, object]:
    found: dict[str, object] = {"digest": digest, "machine": _machine()}
    for name in sorted(names):
        state = (folder / name).stat()
        found[name] = [state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns]
    return found


def _machine() -> str:
    """Return what tells this machine, on Linux since it was started, from all others."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return str(uuid.getnode())
