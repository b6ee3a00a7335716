"""Files of tests, in UTF-8 on every system."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def write(path: str | Path, content: str | Iterable[str]) -> Path:
    """Write a text, or one line each of several texts, and return the path."""
    text = content if isinstance(content, str) else "".join(f"{line}\n" for line in content)
    Path(path).write_text(text, encoding="utf-8")
    return Path(path)


def read(path: str | Path) -> str:
    return Path(path).read_text(encoding="utf-8")
