"""A row below the header that says what the numbers of its columns mean, as `1 = bad, 5 = good`: it is no data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from referenceless_metrics.core.support.validation import finite_number

_PAIR = re.compile(r"(?<![\w.])\d+\s*(?:=|:|–|-)\s*[^\W\d]")
_RANGE = re.compile(r"[(\[]?\d+\s*(?:-|–|—|to|bis|à)\s*\d+[)\]]?(?:\s*\(.*\))?", re.IGNORECASE)
_CALLED = re.compile(r"(?:rating )?(?:scale|skala|échelle|escala|scala|legende?|note)\b.*", re.IGNORECASE)
_FEWEST_BELOW = 3  # numbers in a column


def means_several(text: str) -> bool:
    """Say whether a text names two numbers or more with what each means: it is none of them.

    >>> means_several("1 = bad, 5 = good"), means_several("4: rather good")
    (True, False)
    """
    return len(_PAIR.findall(text)) > 1


def is_legend(row: Mapping[str, object], below: Sequence[Mapping[str, object]]) -> bool:
    """Say whether the filled cells of a row tell the scale of numbers below; a word such as `Scale` may stand beside.

    >>> rows = [{"id": n, "rating": n % 5} for n in range(9)]
    >>> is_legend({"id": "Scale:", "rating": "1 = bad, 5 = good"}, rows), is_legend({"id": "", "rating": "0-4"}, rows)
    (True, True)
    >>> is_legend({"id": "7", "rating": "0-4"}, rows), is_legend({"id": "", "rating": "3-4"}, rows)
    (False, False)
    """
    filled = {name: text for name, cell in row.items() if (text := _text(cell))}
    told = [name for name, text in filled.items() if means_several(text) or _RANGE.fullmatch(text)]
    others = [text for name, text in filled.items() if name not in told]
    if not told or not all(map(_CALLED.fullmatch, others)):
        return False
    return all(_is_scale_of(filled[name], [_text(each.get(name)) for each in below]) for name in told)


def _is_scale_of(text: str, cells: Sequence[str]) -> bool:
    """Say whether a text may tell the scale of a column: there are numbers, and a range holds all of them."""
    numbers = [number for cell in cells if (number := finite_number(cell)) is not None]
    if len(numbers) < _FEWEST_BELOW or means_several(text):
        return len(numbers) >= _FEWEST_BELOW
    low, high = map(int, re.findall(r"\d+", text)[:2])
    return low <= min(numbers) and max(numbers) <= high


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
