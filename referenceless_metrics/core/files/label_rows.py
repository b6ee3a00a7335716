"""A row below the header that says in words what each column holds, as surveys have it: it is no data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referenceless_metrics.core.files.number_words import says_no_answer
from referenceless_metrics.core.support.validation import finite_number

_FEWEST_BELOW = 3  # numbers in a column
_FEWEST_LABELS = 2  # columns of numbers below a row of labels
_READ_BY_TOOL = "responseid"  # the reader of Qualtrics' exports tells their form by this label


def is_row_of_labels(row: Mapping[str, object], below: Sequence[Mapping[str, object]]) -> bool:
    """Say whether a row tells in words what each column holds, as surveys have it below the names of their columns.

    Above each of several columns of numbers stands a text of its own. No cell of the row is a number, or says that
    there is no answer, and none stands below again in its column.

    >>> rows = [{"CASE": n, "V1": n % 5, "MODE": "web"} for n in range(9)]
    >>> is_row_of_labels({"CASE": "Interview", "V1": "Easy to read", "MODE": "How it was answered"}, rows)
    True
    >>> is_row_of_labels({"CASE": "failed", "V1": "failed", "MODE": "web"}, rows)
    False
    """
    filled = {name: text for name, cell in row.items() if (text := _text(cell))}
    labels = list(filled.values())
    if len(labels) < _FEWEST_LABELS or any(finite_number(text) is not None or says_no_answer(text) for text in labels):
        return False
    if any(label.replace(" ", "").lower() == _READ_BY_TOOL for label in labels):
        return False
    of_numbers = [name for name in row if _holds_numbers(name, below)]
    above = {filled[name] for name in of_numbers if name in filled}
    if len(of_numbers) > len(above) or len(above) < _FEWEST_LABELS:
        return False
    return not any(_text(each.get(name)) == label for name, label in filled.items() for each in below)


def _holds_numbers(name: str, rows: Sequence[Mapping[str, object]]) -> bool:
    """Say whether the filled cells of a column are several numbers."""
    n = 0
    for row in rows:
        text = _text(row.get(name))
        if text and finite_number(text) is None:
            return False
        n += text != ""
    return n >= _FEWEST_BELOW


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
