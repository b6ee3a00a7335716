"""Numbers that stand in texts beside other signs: per cent, fractions, labels, stars, times."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

import numpy as np

from referenceless_metrics.core.files.column_values import ColumnNumbers, with_point, word_of
from referenceless_metrics.core.files.legends import means_several
from referenceless_metrics.core.support.validation import Floats, finite_number

_TIMES = (1e9, 1e12)
"""Least numbers that are times, in seconds and in milliseconds since 1970; the greatest are twice as large."""

NUMBER = r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)"

_PERCENT = re.compile(rf"({NUMBER})\s*%")

_FRACTION = re.compile(rf"({NUMBER})\s*/\s*(\d+)")

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")

THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")

# The label begins with a sign between it and the number, or with a space, and holds no digit at its beginning: `12:30`,
# `2024-01-01`, `5-6` and `3rd` are no labels.
_LABELLED = re.compile(rf"({NUMBER})(?:\s*[:=.,)(\]–—-]+\s*|\s+)([^\W\d].*)", re.DOTALL)

_LABELLED_BEHIND = re.compile(rf"([^\W\d].*?)\s*[(\[]\s*({NUMBER})\s*[)\]]", re.DOTALL)

_MARKED = re.compile(
    rf"\[\[\s*({NUMBER})\s*(?:/\s*\d+\s*)?\]\]|"
    rf"\[RESULT\]\s*({NUMBER})|"
    rf"(?<![^\W_])(?:rating|score|grade)\W{{0,6}}({NUMBER})(?:\s*(?:/|out of)\s*\d+)?\W*$",
    re.IGNORECASE,
)
"""The number that a judge marks: `Rating: [[7]]` in MT-Bench, `[RESULT] 4` in Prometheus, `Score: 4` at the end."""

_FEWEST_MARKED = 0.8  # share of a judge's answers with a marked number

_STARS = re.compile("[★⭐]*[☆]*")


def percentages(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `85%` as 85, if all cells are such."""
    found = [_PERCENT.fullmatch(text) for text in texts]
    numbers = [None if match is None else finite_number(with_point(match[1])) for match in found]
    return all_of(numbers, lambda: f"{texts[0]} is read as {numbers[0]:g}, in per cent")


def fractions(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `7/10` as 7, if all cells are of 10."""
    found = [_FRACTION.fullmatch(text) for text in texts]
    if len({match[2] for match in found if match is not None}) > 1:
        return None
    numbers = [None if match is None else finite_number(with_point(match[1])) for match in found]
    return all_of(numbers, lambda: f"{texts[0]} is read as {numbers[0]:g}")


def decimal_commas(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `0,7` as 0.7, if there is a number whose comma cannot stand between thousands."""
    with_comma = [text for text in texts if _DECIMAL_COMMA.fullmatch(text)]
    if all(THOUSANDS.fullmatch(text) for text in with_comma):
        return None
    numbers = [finite_number(with_point(text)) for text in texts]
    return all_of(numbers, lambda: f"commas are decimal marks: {with_comma[0]} is {with_point(with_comma[0])}")


def labelled(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `4 : rather good` as 4, if one label stands behind each number; plain numbers may stand among them."""
    matches = [None if means_several(text) else _LABELLED.fullmatch(text) for text in texts]
    return _with_labels(texts, matches, number_at=1, label_at=2)


def labelled_behind(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `Agree (4)` as 4, if one label stands before each number."""
    return _with_labels(texts, [_LABELLED_BEHIND.fullmatch(text) for text in texts], number_at=2, label_at=1)


def _with_labels(
    texts: Sequence[str], matches: Sequence[re.Match[str] | None], *, number_at: int, label_at: int
) -> ColumnNumbers | None:
    """Return the numbers beside labels, and plain ones; None if a text is neither, or a number has two labels."""
    numbers: list[float | None] = []
    label_of: dict[float | None, str] = {}
    example = ""
    for text, match in zip(texts, matches, strict=True):
        number = finite_number(text if match is None else with_point(match[number_at]))
        numbers.append(number)
        if match is not None:
            example = example or f"{text!r} is read as {number:g}"
            if label_of.setdefault(number, word_of(match[label_at])) != word_of(match[label_at]):
                return None
    return all_of(numbers, lambda: example)


def stars(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `★★★☆☆` as 3."""
    numbers = [float(sum(text.count(star) for star in "★⭐")) if _STARS.fullmatch(text) else None for text in texts]
    return all_of(numbers, lambda: f"stars are counted: {texts[0]} is {numbers[0]:g}")


def marked_numbers(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read the number that each answer of a judge marks, if most answers mark one, and the same each time."""
    found = [{group for match in _MARKED.finditer(text) for group in match.groups() if group} for text in texts]
    numbers = [finite_number(with_point(marks.pop())) if len(marks) == 1 else None for marks in found]
    lost = numbers.count(None)
    if not texts or len(texts) - lost < _FEWEST_MARKED * len(texts):
        return None
    first = next(place for place, number in enumerate(numbers) if number is not None)
    end = " ".join(texts[first].split())[-20:].strip()
    note = f"the number that an answer marks is read, as {numbers[first]:g} of {end!r}"
    if lost:
        note += f"; {lost} of {len(texts)} answers mark no number, or several, and are missing"
    return ColumnNumbers(np.array([math.nan if number is None else number for number in numbers]), note)


def all_of(numbers: Sequence[float | None], note: Callable[[], str]) -> ColumnNumbers | None:
    """Return the numbers with a note, or None if one of them is missing."""
    if any(number is None for number in numbers):
        return None
    return ColumnNumbers(np.array(numbers, dtype=float), note())


def are_times(numbers: Floats) -> bool:
    """Say whether numbers are times: seconds or milliseconds since 1970, of the years from 2001 to 2033.

    >>> are_times(np.array([1.70601e9, 1.7e9])), are_times(np.array([3.0, 4.0])), are_times(np.array([1.7e12]))
    (True, False, True)
    """
    known = numbers[np.isfinite(numbers)]
    return bool(len(known)) and any(((known >= low) & (known <= 2 * low)).all() for low in _TIMES)


def told_times(numbers: Floats, column: str) -> str:
    """Return the message on a column of times that was named as one of scores or ratings; "" for other numbers."""
    if not are_times(numbers):
        return ""
    return (
        f"column {column!r} holds times (seconds or milliseconds since 1970), and no scores or ratings: name another; "
        "if these are no times, write them in other units"
    )
