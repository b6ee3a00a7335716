"""Examples in docstrings become code blocks in the reference."""

from __future__ import annotations

import re
from typing import Any

import griffe

_STAR = re.compile(r"\b(BLEU)\*")  # a metric's name, no emphasis
_EXAMPLE = re.compile(r"^Example:$", re.MULTILINE)


class FencedDoctests(griffe.Extension):
    """Makes every example one that the reference shows as code: Markdown takes `>>>` for quotations."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Mark the examples of an object's docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return a docstring with its unindented examples between fences, and `Example:` as griffe knows the section."""
    lines: list[str] = []
    inside = False
    for line in _EXAMPLE.sub("Examples:", text).split("\n"):
        if not inside and line.startswith(">>> "):
            lines += ["", "```pycon"]
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line if inside else _STAR.sub(r"\1\*", line))
    return "\n".join([*lines, "```"] if inside else lines)
