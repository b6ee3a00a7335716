"""Rows below a table that are computed from the rows above: means, sums and the like, as spreadsheets show them."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence

from referenceless_metrics.core.support.validation import finite_number

_WORDS = re.compile(
    r"(?:the |overall |grand )?(?:means?|averages?|avg|medians?|totals?|sums?|counts?|n|std|sd|stdev|st\.? ?dev|"
    r"standard deviations?|variance|min|max|minimum|maximum|mittelwerte?|mittel|durchschnitt|gesamt|summe|"
    r"standardabweichung|anzahl|moyenne|somme|écart[- ]type|media|promedio|suma|gemiddelde|totaal)"
    r"(?: (?:of|per|by) .*)?[.:]?"
)
_FEWEST = 3  # numbers above that are summed up
_MOST_ROWS = 6  # of summaries


def names_summary(row: Sequence[object]) -> bool:
    """Say whether a row begins with a word for a summary of the rows above.

    >>> names_summary(["", "Mean:", 4.1]), names_summary(["S1", "mean", 4])
    (True, False)
    """
    first = next((text for cell in row if (text := _text(cell))), "")
    return _WORDS.fullmatch(first.lower()) is not None


def n_summaries(rows: Sequence[Sequence[object]]) -> int:
    """Return the number of rows at the end that are computed from the rows above; 0 if that cannot be shown.

    Each begins with a word such as `Mean`, and each of its numbers, two or more, or one with decimals, is the mean,
    the sum, the median, the standard deviation, the number, the least or the greatest of those above in its column.

    >>> n_summaries([["a", 1, 4], ["b", 2, 4], ["c", 4, 4], ["Mean", 2.33, 4]])
    1
    >>> n_summaries([["a", 1, 4], ["b", 2, 4], ["c", 4, 4], ["Mean", 5, 5]])
    0
    """
    end = len(rows)
    while end > _FEWEST and len(rows) - end < _MOST_ROWS and names_summary(rows[end - 1]):
        end -= 1
    above = rows[:end]
    computed = 0
    for row in rows[end:]:
        if not _is_computed(row, above):
            break
        computed += 1
    return computed if computed == len(rows) - end else 0


def _is_computed(row: Sequence[object], above: Sequence[Sequence[object]]) -> bool:
    n_shown = 0
    for place, cell in enumerate(row):
        number = _number(cell)
        if number is None:
            continue
        numbers = [value for other in above if place < len(other) and (value := _number(other[place])) is not None]
        if len(numbers) < _FEWEST or not _sums_up(number, _half_a_digit(cell), numbers):
            return False
        n_shown += 1 if number.is_integer() else 2
    return n_shown > 1


def _sums_up(number: float, rounding: float, numbers: Sequence[float]) -> bool:
    """Say whether a number is a usual statistic of others, but for its rounding."""
    told = (
        statistics.fmean(numbers),
        sum(numbers),
        statistics.median(numbers),
        statistics.stdev(numbers),
        statistics.pstdev(numbers),
        float(len(numbers)),
        min(numbers),
        max(numbers),
    )
    return any(abs(number - each) <= rounding + 1e-9 * max(1.0, abs(each)) for each in told)


def _half_a_digit(cell: object) -> float:
    """Return half a unit of a number's last decimal."""
    decimals = re.search(r"[.,](\d+)$", _text(cell))
    return 0.5 * 10 ** -len(decimals[1]) if decimals else 0.0


def _number(cell: object) -> float | None:
    text = _text(cell)
    return finite_number(text.replace(",", ".", 1) if "." not in text else text) if text else None


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
