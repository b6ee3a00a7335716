"""The kind of a column's cells: texts, numbers, labels, ids, times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from referenceless_metrics.advice.look.columns.column import NUMBERS, WORDS
from referenceless_metrics.core.files.marked_numbers import are_times
from referenceless_metrics.core.files.number_words import (
    MISSING_MARKS,
    NotNumbersError,
    column_numbers,
    is_mean_with_spread,
)
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import lists_of_texts
from referenceless_metrics.core.support.validation import Floats, finite_number, shortened
from referenceless_metrics.core.support.word_counts import n_words
from referenceless_metrics.human_evaluation.ratings.categories import elements, parts_of_cells
from referenceless_metrics.human_evaluation.ratings.lists import are_several_numbers
from referenceless_metrics.human_evaluation.scores.columns import are_answers_with_numbers

MEANS = "means with spreads"

LABELS = "lists of labels"

LISTS_OF_TEXTS = "lists of texts"

ANSWERS = "lists of answers with numbers"
"""Answers of a judge that was asked several times, each of which begins with a number."""

FEW = 12  # labels that may be answers of raters

_NUMBER_LIST = re.compile(r"\s*\[\s*-?[\d.]+(\s*,\s*-?[\d.]+)*\s*\]\s*")

_WITH_COMMA = re.compile(r"\s*-?\d+(?:[.,]\d+)?\s*")

_EMPTY_LIST = re.compile(r"\s*\[\s*\]\s*")

_DATE = re.compile(
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})(?:(?:T|,?\s)\s*\d{1,2}[:.h]?\d\d.*|Z)?", re.DOTALL
)
"""A date, and a time of day behind it, if any: ids may begin with dates."""


def kind_of(table: Table, cells: Sequence[Any], *, may_be_times: bool = True) -> tuple[str, str, int]:
    """Return the kind of filled cells, a description of them, and the number of different ones."""
    if not cells:
        return "blank", "", 0
    if all(isinstance(cell, (list, tuple)) and len(cell) == 1 for cell in cells):
        alone = kind_of(table, [cell[0] for cell in cells])
        if alone[0] in ("labels", *NUMBERS):
            return alone
    if all(isinstance(cell, (list, tuple)) for cell in cells):
        if _are_answers(cells):
            return ANSWERS, _example(cells), len(cells)
        if _are_labels([each for cell in cells for each in elements(cell)]):
            return LABELS, _example(cells), len(cells)
        inside = [each for cell in cells for each in cell]
        if inside and all(isinstance(each, str) for each in inside):
            return LISTS_OF_TEXTS, _example(cells), len(cells)
        numeric = inside and all(isinstance(each, (int, float)) for each in inside)
        return "lists of numbers" if numeric else "lists", _example(cells), len(cells)
    if all(isinstance(cell, dict) for cell in cells):
        return "objects", _example(cells), len(cells)
    texts = [str(cell) for cell in cells]
    counts = Counter(texts)
    values = list(counts)  # a form that all of them have is that of all cells
    parts = parts_of_cells(texts)
    if parts is not None and _are_labels([each for cell in parts for each in cell]):
        return LABELS, _example(values), len(values)
    if (listed := lists_of_texts(texts)) is not None:
        are_labels = _are_labels([each for of_cell in listed for each in of_cell])
        return (LABELS if are_labels else LISTS_OF_TEXTS), _example(values), len(values)
    lists = [text for text in values if not _EMPTY_LIST.fullmatch(text)]
    if lists and all(map(_NUMBER_LIST.fullmatch, lists)):
        return "lists of numbers", _example(values), len(values)
    numbers = table.as_numbers(list(dict(zip(texts, cells, strict=True)).values()))
    if (numbers != numbers).any() and all(map(_WITH_COMMA.fullmatch, values)):
        numbers = _decimal_commas(values)
    if not (numbers != numbers).any():
        if may_be_times and are_times(numbers):
            return "dates", _example(values), len(values)
        low, high = numbers.min(), numbers.max()
        kind = "whole numbers" if (numbers == numbers.round()).all() else "numbers"
        return kind, f"{low:.6g}–{high:.6g}", len(values)
    labelled = _labelled_numbers(values)
    if labelled is not None:
        return (
            "whole numbers",
            f"{labelled.min():.6g}–{labelled.max():.6g}, as {values[0]!r}"[:60],
            len(set(labelled.tolist())),
        )
    if all(is_mean_with_spread(text) for text in values):
        return MEANS, _example(values), len(values)
    if all(_DATE.fullmatch(text.strip()) for text in values):
        return "dates", _example(sorted(values)), len(values)
    if are_several_numbers(values):
        return "lists of numbers", _example(values), len(values)
    words = sum(count * n_words(text) for text, count in counts.items()) / len(texts)
    if len(values) <= FEW and (len(values) < len(texts) or words < WORDS):
        return "labels", shortened(", ".join(sorted(values)), 60), len(values)
    if words >= WORDS:
        return "text", _example(values), len(values)
    return ("ids" if len(values) == len(texts) else "labels"), _example(values), len(values)


def among_marks(table: Table, cells: Sequence[Any]) -> list[Any]:
    """Return the numbers among cells that mark missing values, as N/A does; none if something else stands there."""
    marks = {cell for cell in set(map(str, cells)) if cell.strip().lower() in MISSING_MARKS}
    if not marks:
        return []
    others = [cell for cell in cells if str(cell) not in marks]
    return others if others and np.isfinite(table.as_numbers(others)).all() else []


def _are_answers(cells: Sequence[Any]) -> bool:
    """Say whether lists hold a judge's answers: texts that begin with numbers, and some of them with words.

    Plain numbers may be the ratings of several raters.
    """
    inside = [each for cell in cells for each in cell]
    if min(map(len, cells)) < 2 or not are_answers_with_numbers(inside):
        return False
    return any(finite_number(each) is None for each in inside)


def _are_labels(cells: Sequence[Any]) -> bool:
    """Say whether all are texts, of a few words, and of few different ones.

    >>> _are_labels(["a", "b", "a", "a", "b", "a"]), _are_labels(["a cat sat there"] * 6), _are_labels([1, 2, 1])
    (True, False, False)
    """
    if not cells or not all(isinstance(cell, str) for cell in cells):
        return False
    distinct = set(cells)
    return len(distinct) <= FEW and 3 * len(distinct) <= len(cells) and max(map(n_words, distinct)) < 4


def _decimal_commas(texts: Sequence[str]) -> Floats:
    """Return numbers of which some have a decimal comma; NaN if all commas may stand between thousands."""
    try:
        return column_numbers(texts).values
    except NotNumbersError:
        return np.full(len(texts), np.nan)


def _labelled_numbers(texts: Sequence[str]) -> Floats | None:
    """Return the whole numbers at the beginning of labels, such as `4 : rather good`; None unless all have some."""
    first = texts[0].strip()
    if not (first[:1].isdigit() or first[:1] in "★⭐☆" or re.search(r"\d\s*[)\]]$", first)):
        return None
    try:
        values = column_numbers(texts).values
    except NotNumbersError:
        return None
    are_few = len(set(values.tolist())) <= FEW
    return values if are_few and np.isfinite(values).all() and (values == values.round()).all() else None


def _example(cells: Sequence[object]) -> str:
    return shortened(" ".join(str(cells[0]).split()), 60)


def are_answers(cells: Sequence[Any]) -> bool:
    """Say whether labels are answers, and no texts: a word or two each, and each several times.

    >>> are_answers(["yes", "no", "yes", "no", "yes", "no"]), are_answers(["a cat sat", "it sat"])
    (True, False)
    """
    texts = [str(cell) for cell in cells]
    return max(map(n_words, texts)) < 4 and 3 * len(set(texts)) <= len(texts) and len(set(texts)) > 1


def is_share(kind: str, shown: str) -> bool:
    """Say whether a column holds numbers from 0 to 1 that are not all whole, by its kind and what is shown of it."""
    low, _, high = shown.rpartition("–")
    return kind == "numbers" and float(low) >= 0 and float(high) <= 1
