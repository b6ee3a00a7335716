"""Rows below a table that are computed from the rows above: means, sums and the like, as spreadsheets show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from referenceless_metrics.core.support.validation import finite_number

_WORDS = re.compile(
    r"(?:the |overall |grand )?(?:means?|averages?|avg|medians?|totals?|sums?|counts?|n|std|sd|stdev|st\.? ?dev|"
    r"standard deviations?|variance|min|max|minimum|maximum|mittelwerte?|mittel|durchschnitt|schnitt|ø|gesamt|summe|"
    r"standardabweichung|anzahl|moyenne|somme|écart[- ]type|media|promedio|suma|gemiddelde|totaal)"
    r"(?: (?:of|per|by) .*)?[.:]?"
)
_STATISTICS = re.compile(r"n|counts?|anzahl|min|max|minimum|maximum")
"""Words for statistics that many numbers are by chance: they count for rows with such a word alone."""

_CRITERIA = re.compile(r"(?:.*[^a-z])?(?:metric|measure|criterion|aspect|dimension|statistic|stat)s?(?:[^a-z].*)?")
"""Names of columns in which a word such as mean may be a metric or a criterion of its own."""

_FEWEST = 3  # numbers above that are summed up
_MOST_ROWS = 6  # of summaries
_MOST_UNNAMED = 3  # of them without a word
_LONGEST = 60  # letters of a cell with a word for a summary
_CERTAIN = 6  # decimals that numbers by chance do not have in common with means
_MOST_SEARCHED = 20_000  # rows of a table in which summaries are looked for if its last row is none


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


def summaries_of_groups(rows: Sequence[Mapping[str, object]]) -> list[int]:
    """Return the places of rows that sum up a group of the others, such as the mean of each system's rows.

    A cell of such a row is a word such as `AVERAGE`; its other words are those of the rows that it sums up, and each of
    its numbers is a usual statistic of theirs. Either all rows with the word in this column are so, or none counts.

    >>> table = [{"system": name, "item": str(n), "score": n / 4} for name in "ab" for n in range(4)]
    >>> summaries_of_groups([*table, *({"system": name, "item": "Mean", "score": 0.375} for name in "ab")])
    [8, 9]
    >>> summaries_of_groups([*table, {"system": "a", "item": "Mean", "score": 0.45}])
    []
    """
    if not rows or (len(rows) > _MOST_SEARCHED and not any(map(is_summary, rows[-1].values()))):
        return []
    texts = {cell for row in rows for cell in row.values() if isinstance(cell, str)}
    words = set(filter(is_summary, texts))
    if not words:
        return []
    by_word: dict[tuple[str, str], list[int]] = {}
    for place, row in enumerate(rows):
        for name, cell in row.items():
            if isinstance(cell, str) and cell in words and not _CRITERIA.fullmatch(name.lower()):
                by_word.setdefault((name, cell), []).append(place)
    named = {place for places in by_word.values() for place in places}
    others = [row for place, row in enumerate(rows) if place not in named]
    groups = _Groups(others, _running(rows))
    found: list[int] = []
    for (column, _), places in by_word.items():
        if all(groups.are_summed_up(rows[place], column) for place in places):
            found += places
    return sorted(set(found))


def n_left_over(rows: Sequence[Mapping[str, object]]) -> int:
    """Return the number of rows at the end that hold zeros, and nothing else: formulas that were copied too far.

    More cells of such a row are blank than not, and those of all rows above are filled in these columns.

    >>> table = [{"fluency": 2, "style": 3, "sum": 5}] * 3
    >>> n_left_over([*table, {"fluency": "", "style": "", "sum": "0"}])
    1
    >>> n_left_over([*table, {"fluency": "", "style": "0", "sum": "0"}]), n_left_over(table)
    (0, 0)
    """
    end = len(rows)
    while end > _FEWEST and len(rows) - end < _MOST_ROWS and _is_of_zeros(rows[end - 1]):
        end -= 1
    blank = {name for row in rows[end:] for name, cell in row.items() if not _text(cell)}
    are_filled = all(_text(row.get(name)) for row in rows[:end] for name in blank)
    return len(rows) - end if are_filled else 0


def _is_of_zeros(row: Mapping[str, object]) -> bool:
    """Say whether more cells are blank than not, and the others, one at least, are zeros."""
    texts = [text for cell in row.values() if (text := _text(cell))]
    return 0 < 2 * len(texts) < len(row) and all(_number(text) == 0 for text in texts)


def n_unnamed_summaries(rows: Sequence[Mapping[str, object]]) -> int:
    """Return the number of rows at the end that hold the means of the columns above, and further statistics below them.

    No word says so: each filled cell of the first is the mean of those above, to its last decimal. By chance that is
    not so of a number with two decimals more than any above, nor of several with many decimals together.

    >>> table = [{"fluency": f, "style": s} for f, s in zip("4545343", "2241125")]
    >>> n_unnamed_summaries([*table, {"fluency": "", "style": ""}, {"fluency": "4", "style": "2.429"}])
    1
    >>> n_unnamed_summaries([*table, {"fluency": "4", "style": "2.429"}, {"fluency": "0.82", "style": "1.51"}])
    2
    >>> n_unnamed_summaries([*table, {"fluency": "4", "style": "2.5"}])
    0
    """
    for count in range(1, min(_MOST_UNNAMED, len(rows) - _FEWEST) + 1):
        first, *others = rows[-count:]
        if _holds_means(first, rows[:-count]):
            above = [list(row.values()) for row in rows[:-count]] if others else []
            return count if all(_is_computed(list(row.values()), above) for row in others) else 0
    return 0


def _holds_means(row: Mapping[str, object], above: Sequence[Mapping[str, object]]) -> bool:
    """Say whether the filled cells of a row are the means of those above, with too many decimals to be so by chance."""
    shown = {name: number for name, cell in row.items() if (number := _number(cell)) is not None}
    if not shown or len(shown) < sum(map(is_filled, row.values())):
        return False
    if max(_n_decimals(row[name]) for name in shown) < 2:  # before all rows are read
        return False
    from statistics import fmean  # not before it is needed

    n_certain = 0
    for name, number in shown.items():
        cells = [cell for each in above if is_filled(cell := each.get(name))]
        numbers = [value for cell in cells if (value := _number(cell)) is not None]
        if len(numbers) < max(_FEWEST, len(cells)):
            return False
        mean = fmean(numbers)
        if abs(number - mean) > _half_a_digit(row[name]) + 1e-9 * max(1.0, abs(mean)):
            return False
        n_decimals = _n_decimals(row[name])
        if min(numbers) < max(numbers):
            n_certain += _CERTAIN if n_decimals > 1 + max(map(_n_decimals, cells)) else n_decimals
    return n_certain >= _CERTAIN


def n_blank(rows: Sequence[Mapping[str, object]]) -> int:
    """Return the number of rows at the end in which no cell is filled.

    >>> n_blank([{"a": "1", "b": ""}, {"a": "", "b": " "}]), n_blank([{"text": ""}])
    (1, 0)
    """
    end = len(rows)
    while end and len(rows[end - 1]) > 1 and not any(map(is_filled, rows[end - 1].values())):
        end -= 1
    return len(rows) - end


def note_on_summaries(items: Iterable[object]) -> list[str]:
    """Return a note on an item that is called as a summary of the others; none for other items.

    Among names of several words, as titles are, one of several words may be a title, too.

    Args:
        items: names of items; a tuple ends with the item's own.

    >>> note_on_summaries(["Balanced Split", "Two Gaps", "Sum of Gaps"])
    []
    >>> note_on_summaries(["a", "b", "Sum of all"])[0][:12]
    "'Sum of all'"
    >>> note_on_summaries(["1", "2", "3"]), note_on_summaries(["yes", "no", "n"])
    ([], [])
    >>> note_on_summaries([("news", "1"), ("news", "2"), ("news", "AVERAGE")])[0][:35]
    "'AVERAGE' counts as an item: if it "
    """
    names = [str(item[-1] if isinstance(item, tuple) and item else item) for item in items]
    may_be = {name.strip() for name in names if not name[:1].isdigit() and is_summary(name)}
    called = sorted(name for name in may_be if not _STATISTICS.fullmatch(name.lower()))
    if 2 * sum(" " in name.strip() for name in names) > len(names):
        called = [name for name in called if " " not in name]
    if len(names) - len(called) < 2 or not called:
        return []
    return [f"{', '.join(map(repr, called))} counts as an item: if it sums up the others, take its rows out"]


def is_summary(cell: object) -> bool:
    """Say whether a cell is a word for a summary.

    >>> is_summary("AVERAGE"), is_summary("average joe")
    (True, False)
    """
    return isinstance(cell, str) and len(cell) <= _LONGEST and _WORDS.fullmatch(cell.strip().lower()) is not None


def _running(rows: Sequence[Mapping[str, object]]) -> set[str]:
    """Return the columns that number the rows."""
    first = {name: number for name, cell in rows[0].items() if (number := _number(cell)) is not None}
    return {name for name, number in first.items() if number.is_integer() and _run_from(number, rows, name)}


def _run_from(first: float, rows: Sequence[Mapping[str, object]], name: str) -> bool:
    """Say whether each number in a column is one more, for each row, than the first."""
    numbers = ((place, _number(row.get(name))) for place, row in enumerate(rows))
    return all(number is None or number == first + place for place, number in numbers)


class _Groups:
    """Rows of a table, found by the words in some of their columns.

    Args:
        rows: the rows.
        counted: columns that number the rows.
    """

    def __init__(self, rows: Sequence[Mapping[str, object]], counted: set[str]) -> None:
        self._rows, self._counted = rows, counted
        self._found: dict[tuple[str, ...], dict[tuple[str, ...], list[Mapping[str, object]]]] = {}

    def are_summed_up(self, row: Mapping[str, object], column: str) -> bool:
        """Say whether a row, with a word for a summary in a column, is computed from those with its other words."""
        names = [name for name, cell in row.items() if name not in (column, *self._counted) and _text(cell)]
        labels = tuple(name for name in names if _number(row[name]) is None)
        shown = [name for name in names if name not in labels]
        if not labels or not shown:
            return False
        group = self._with(labels).get(tuple(_text(row[name]) for name in labels), [])
        return _is_computed(
            [row[name] for name in shown], [[other.get(name) for name in shown] for other in group], str(row[column])
        )

    def _with(self, labels: tuple[str, ...]) -> dict[tuple[str, ...], list[Mapping[str, object]]]:
        if labels not in self._found:
            of_labels: dict[tuple[str, ...], list[Mapping[str, object]]] = {}
            for row in self._rows:
                of_labels.setdefault(tuple(_text(row.get(name)) for name in labels), []).append(row)
            self._found[labels] = of_labels
        return self._found[labels]


def _is_computed(row: Sequence[object], above: Sequence[Sequence[object]], word: str = "") -> bool:
    """Say whether the numbers of a row are statistics of those in the same places of others: two, or one with decimals.

    Args:
        row: its cells.
        above: the cells of the other rows.
        word: the word for what it shows; "" for any statistic.
    """
    n_shown = 0
    for place, cell in enumerate(row):
        number = _number(cell)
        if number is None:
            continue
        cells = [other[place] for other in above if place < len(other)]
        numbers = [value for each in cells if (value := _number(each)) is not None]
        if len(numbers) < _FEWEST:
            return False
        # The numbers above are rounded, too, each to as many decimals as the longest of them shows.
        of_each = min((half for each in cells if (half := _half_a_digit(each))), default=0.0)
        if not _sums_up(number, _half_a_digit(cell) + of_each, numbers, word):
            return False
        n_shown += 1 if number.is_integer() else 2
    return n_shown > 1


def _sums_up(number: float, rounding: float, numbers: Sequence[float], word: str) -> bool:
    """Say whether a number is a usual statistic of others, but for its rounding."""
    import statistics  # not before it is needed

    told = [
        statistics.fmean(numbers),
        sum(numbers),
        statistics.median(numbers),
        statistics.stdev(numbers),
        statistics.pstdev(numbers),
    ]
    if not word or _STATISTICS.fullmatch(word.strip().lower()):
        told += [float(len(numbers)), min(numbers), max(numbers)]
    return any(abs(number - each) <= rounding + 1e-9 * max(1.0, abs(each)) for each in told)


def _half_a_digit(cell: object) -> float:
    """Return half a unit of a number's last decimal."""
    n_decimals = _n_decimals(cell)
    return 0.5 * 10**-n_decimals if n_decimals else 0.0


def _n_decimals(cell: object) -> int:
    decimals = re.search(r"[.,](\d+)$", _text(cell))
    return len(decimals[1]) if decimals else 0


def _number(cell: object) -> float | None:
    text = _text(cell)
    return finite_number(text.replace(",", ".", 1) if "." not in text else text) if text else None


def is_filled(cell: object) -> bool:
    """Say whether a cell holds something other than blanks."""
    return bool(_text(cell))


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
