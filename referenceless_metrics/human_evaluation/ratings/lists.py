"""Cells that hold several numbers: lists, or whole numbers with signs between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.files.tables import is_blank

_SEVERAL = re.compile(r"\s*\d{1,3}(?:\s*[,;/|]\s*\d{1,3}|\s+\d{1,3})*\s*")
"""Whole numbers with signs between them."""


def lists_in(cells: Sequence[object]) -> list[Any]:
    """Return cells with lists as such: JSON, or whole numbers with signs between them, as `4,2,3`.

    Two numbers alone may be one with a decimal comma: some cells have to hold three or more.
    """
    lists = [from_json(cell) for cell in cells]
    if not are_several_numbers([cell for cell in lists if not is_blank(cell)]):
        return lists
    return [None if is_blank(cell) else re.findall(r"\d+", str(cell)) for cell in lists]


def are_several_numbers(cells: Sequence[object]) -> bool:
    """Say whether filled cells hold whole numbers with signs between them, and some three or more.

    >>> are_several_numbers(["4,2,3", "5,5"]), are_several_numbers(["4,2", "5,5"]), are_several_numbers(["4", "5"])
    (True, False, False)
    """
    if not cells or not all(isinstance(cell, str) and _SEVERAL.fullmatch(cell) for cell in cells):
        return False
    return any(len(re.findall(r"\d+", str(cell))) > 2 for cell in cells)
