"""Figures of networks that take long to train, kept with the package: where they were measured, and what they are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from metric_commons.files.atomic import atomic_write
from metric_commons.support.errors import InputError

FILE = "networks.json"
VERSION = 1


def read_record(path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Return the recorded figures.

    Args:
        path: a file that `write_record` wrote; None for the package's own.

    Returns:
        `small` and `published`: `how` they were measured, `summaries` by key (`pair/S1`) and `williams` tests.

    Raises:
        InputError: for a file of another kind or version.
    """
    source = Path(__file__).with_name(FILE) if path is None else Path(path)
    try:
        content = json.loads(source.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{source}: no record of figures: {error}") from None
    if not isinstance(content, dict) or content.get("version") != VERSION:
        raise InputError(f"{source}: expected a record of version {VERSION}")
    return content


def write_record(content: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write recorded figures."""
    with atomic_write(path, "w") as file:
        file.write(json.dumps({"version": VERSION, **content}, indent=1, ensure_ascii=False) + "\n")
