"""The files of figures: JSON with a version."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.validation import InputError

VERSION = 1


def to_json(content: Mapping[str, Any]) -> str:
    """Return figures as the text of a file; an undefined one is null."""
    return json.dumps(_plain({"version": VERSION, **content}), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_record(content: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write figures to a file."""
    with atomic_write(path, "w") as file:
        file.write(to_json(content))


def read_record(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the content of a file of `write_record`.

    Raises:
        InputError: for a file of another kind or version.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: no record of figures: {error}") from None
    if not isinstance(content, dict) or content.get("version") != VERSION:
        raise InputError(f"{path}: expected a record of version {VERSION}")
    return content


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
