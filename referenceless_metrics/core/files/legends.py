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
    >>> is_legend({"id": "Scale:", "rating": "1 = bad, 5 = good"}, rows), is_legend({"id": "", "rating": "1-5"}, rows)
    (True, True)
    >>> is_legend({"id": "7", "rating": "1-5"}, rows)
    False
    """
    filled = {name: text for name, cell in row.items() if (text := _text(cell))}
    told = [name for name, text in filled.items() if means_several(text) or _RANGE.fullmatch(text)]
    others = [text for name, text in filled.items() if name not in told]
    if not told or not all(map(_CALLED.fullmatch, others)):
        return False
    return all(
        sum(finite_number(_text(each.get(name))) is not None for each in below) >= _FEWEST_BELOW for name in told
    )


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
