"""Figures of networks that take long to train, kept with the package: where they were measured, and what they are."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.atomic import atomic_write
from metric_commons.support.errors import InputError

FILE = "networks.json"
VERSION = 1


def read_record(path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Return the recorded figures.

    Args:
        path: a file that `write_record` wrote; None for the package's own.

    Returns:
        `small` and `published`: `how` they were measured, `cpu_seconds` and `summaries` by key (`pair/S1`), and
        `estimates` of the published folds by set-up, as `pack_halves` writes them.

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


def add_to_record(name: str, found: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write the figures of some networks to a record; what the file holds of others stays.

    Args:
        name: `small` or `published`.
        found: `how`, and by key `summaries`, `estimates` and `cpu_seconds`.
        path: the file, which need not exist.

    Raises:
        InputError: for a file of another kind or version, or one whose networks of that name were trained otherwise.
    """
    content = read_record(path) if Path(path).exists() else {}
    kept = content.get(name, {"how": found["how"]})
    if kept["how"] != found["how"]:
        raise InputError(f"{path}: it holds networks of {kept['how']}, and these are of {found['how']}")
    merged = {part: {**kept.get(part, {}), **found[part]} for part in ("cpu_seconds", "summaries", "estimates")}
    write_record({**content, name: {"how": found["how"], **merged}}, path)


def pack_halves(values: NDArray[np.float64]) -> str:
    """Write ratings in steps of a half as a letter each, from `a` for 0.

    >>> pack_halves(np.array([0.5, 1.0, 6.0]))
    'bcm'
    """
    return "".join(chr(ord("a") + round(2 * value)) for value in values.tolist())


def unpack_halves(text: str) -> NDArray[np.float64]:
    """Read what `pack_halves` wrote, shape (n,)."""
    return np.array([(ord(letter) - ord("a")) / 2 for letter in text], dtype=np.float64)
