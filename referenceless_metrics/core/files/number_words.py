"""Numbers in columns that people fill: `4 : rather good`, `7/10`, `85%`, `0,7`, and words that stand for numbers.

A column is read by one form, and only if every cell that holds something has that form; how it was read is said in a
sentence, unless it holds plain numbers. A cell that marks a missing value (`NA`, `nan`, `null`, `-`) is NaN.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from referenceless_metrics.core.files.column_values import ColumnNumbers, holds_nothing, text_of, with_point, word_of
from referenceless_metrics.core.files.marked_numbers import (
    NUMBER,
    THOUSANDS,
    decimal_commas,
    fractions,
    labelled,
    labelled_behind,
    marked_numbers,
    percentages,
    stars,
)
from referenceless_metrics.core.files.scales_in_words import (
    by_graded_sides,
    by_usual_scale,
    scale_with_one_more,
    truths,
)
from referenceless_metrics.core.support.validation import InputError, describe, finite_number, finite_numbers, shortened

MISSING_MARKS = frozenset(("", "na", "n/a", "#n/a", "n.a.", "nan", "null", "none", "-", "--", "–", "—", ".", "?"))
"""Cells that mark a missing value, in small letters and without spaces around them."""

NO_ANSWERS = frozenset(
    (
        "unrated",
        "unjudged",
        "not rated",
        "not judged",
        "missing",
        "skip",
        "skipped",
        "no answer",
        "not applicable",
        "prefer not to say",
        "prefer not to answer",
    )
)
"""Words in place of an answer that was not given, in small letters."""

_UNABLE = re.compile(
    r"(?:i |we )?(?:(?:can(?:not| not|['’]?t)|(?:could|do) not|(?:could|do)n['’]?t|unable to) )"
    r"(?:judge|tell|say|rate|assess|evaluate|answer|know)"
)
"""Words of a rater who does not answer."""

BY_VALUES = "--values: "
"""Beginning of the note on words whose numbers are given."""

_WITH_SPREAD = re.compile(rf"({NUMBER})\s*(?:±|\+/-|\+-|\\pm)\s*{NUMBER}\s*%?")

_PAIR = re.compile(r"\s*((?:[^,=][^=]*?)?)\s*=\s*([^,=]*?)\s*(?:,|$)")

BLANK = ""
"""The word that stands for a cell in which there is nothing."""


class NotNumbersError(InputError):
    """A column that holds something else than numbers.

    Attributes:
        row: the first cell that is no number, counted from 0.
    """

    def __init__(self, message: str, row: int) -> None:
        super().__init__(message)
        self.row = row


def parse_values(text: str) -> dict[str, float]:
    """Return the numbers of words, from the option `--values`.

    Nothing behind `=` stands for a missing value, and nothing before it for a blank cell. Letters are large or small.

    Raises:
        InputError: for anything but pairs with a number each, or a word that is given two numbers.

    >>> parse_values("no=0, yes=1, no answer=")
    {'no': 0.0, 'yes': 1.0, 'no answer': nan}
    >>> parse_values("x=1,=0")
    {'x': 1.0, '': 0.0}
    """
    values: dict[str, float] = {}
    end = 0
    for pair in _PAIR.finditer(text):
        word, number = word_of(pair[1]), pair[2]
        value = math.nan if not number else finite_number(number)
        if pair.start() != end or value is None:
            break
        if str(values.get(word, value)) != str(value):
            raise InputError(f"the word {pair[1]!r} stands twice in {text!r}, with two numbers")
        values[word] = value
        end = pair.end()
        if end == len(text):
            return values
    raise InputError(f'expected words and their numbers, as "no=0,yes=1", but got {text!r}')


def column_numbers(
    cells: Sequence[object], *, words: Mapping[str, float] | None = None, decimal_comma: bool = False
) -> ColumnNumbers:
    """Read the cells of a column as numbers.

    Args:
        cells: the cells, as a file holds them.
        words: the numbers that words stand for, as `parse_values` returns them; numbers stand for themselves.
        decimal_comma: whether the file is known to have decimal commas, as if semicolons separate its fields.

    Raises:
        NotNumbersError: for a cell that is neither a number nor marks a missing value, in a column that no form fits;
            the message says how to go on, if there is a way.

    >>> column_numbers(["7/10", "", "9/10"])
    ColumnNumbers(values=array([ 7., nan,  9.]), note='7/10 is read as 7')
    """
    held = _held_alone(cells)
    if held is not None:
        inside = column_numbers(held, words=words, decimal_comma=decimal_comma)
        told = ("a list of one is read as what it holds", inside.note)
        return ColumnNumbers(inside.values, "; ".join(filter(None, told)))
    if words is not None:
        return _by_words(cells, words)
    plain = finite_numbers([with_point(cell) for cell in cells] if decimal_comma else cells)
    left = [row for row in np.flatnonzero(np.isnan(plain)).tolist() if not _is_missing(cells[row])]
    if not left:
        return ColumnNumbers(plain)
    known = [row for row, cell in enumerate(cells) if not _is_missing(cell)]
    texts = [text_of(cells[row]) for row in known]
    for form in (
        truths,
        by_usual_scale,
        by_graded_sides,
        percentages,
        fractions,
        decimal_commas,
        labelled,
        labelled_behind,
        stars,
        marked_numbers,
    ):
        read = form(texts)
        if read is not None:
            values = np.full(len(cells), math.nan)
            values[known] = read.values
            return ColumnNumbers(values, read.note)
    mark = mark_in(cells)
    proposal = f"; {told_mark(mark)}" if mark else _proposal(texts)
    raise NotNumbersError(f"expected a number, but got {describe(cells[left[0]])}{proposal}", left[0])


def _by_words(cells: Sequence[object], words: Mapping[str, float]) -> ColumnNumbers:
    """Read words as the numbers that they stand for, and numbers as themselves.

    Where a number stands for another one, as a rank for its rating, all numbers of the column have to be named.
    """
    values = np.full(len(cells), math.nan)
    _check_mark(cells, words)
    of_number = {number: value for word, value in words.items() if (number := finite_number(word)) is not None}
    are_named = any(value != number and not math.isnan(value) for number, value in of_number.items())
    for row, cell in enumerate(cells):
        if holds_nothing(cell):
            values[row] = words.get(BLANK, math.nan)
            continue
        of_labels = {words.get(word_of(label)) for label in _labels_of(cell)}
        if len(of_labels) == 1 and None not in of_labels:
            values[row] = of_labels.pop()
            continue
        number = finite_number(cell)
        if number in of_number:
            values[row] = of_number[number]
        elif number is not None and not are_named:
            values[row] = number
        elif not _is_missing(cell):
            known = ", ".join(words)
            raise NotNumbersError(f"--values says nothing of {describe(cell)}; it knows {shortened(known, 80)}", row)
    labels = [
        BLANK if holds_nothing(cell) else " ".join(str(label).split()) for cell in cells for label in _labels_of(cell)
    ]
    written = {word_of(label): label for label in reversed(labels)}  # as the first cell writes a word
    numbers = {finite_number(cell) for cell in cells} & set(of_number)
    written |= {word: word for word in words if finite_number(word) in numbers}
    told = [
        f"{repr(written[word]) if word else 'blank'} is {'missing' if math.isnan(number) else f'{number:g}'}"
        for word, number in words.items()
        if word in written
    ]
    return ColumnNumbers(values, f"{BY_VALUES}{', '.join(told)}" if told else "")


def _held_alone(cells: Sequence[object]) -> list[object] | None:
    """Return what lists hold if each cell is a list of one, or marks a missing value; None for other cells.

    >>> _held_alone([[True], None, [False]]), _held_alone([[True], [True, False]]), _held_alone([None])
    ([True, None, False], None, None)
    """
    lists = [cell for cell in cells if isinstance(cell, (list, tuple))]
    are_alone = bool(lists) and all(len(cell) == 1 for cell in lists)
    if not are_alone or not all(isinstance(cell, (list, tuple)) or _is_missing(cell) for cell in cells):
        return None
    return [cell[0] if isinstance(cell, (list, tuple)) else cell for cell in cells]


def _labels_of(cell: object) -> Sequence[object]:
    """Return the labels of a cell: those of a list, which all have to stand for one number, or the cell itself."""
    return cell if isinstance(cell, (list, tuple)) and cell else [cell]


def mark_in(cells: Sequence[object]) -> str:
    """Return the one word that stands in cells, in small letters, if others are blank: a cross, say; "" for none.

    >>> mark_in(["x", None, "X", ""]), mark_in(["x", "y", ""]), mark_in(["x", "x"]), mark_in(["1", ""])
    ('x', '', '', '')
    """
    filled = [cell for cell in cells if not holds_nothing(cell)]
    held = {word_of(label) for cell in filled for label in _labels_of(cell)}
    if len(held) != 1 or len(filled) == len(cells):
        return ""
    word = next(iter(held))
    is_number = finite_number(word) is not None or word in MISSING_MARKS
    return "" if is_number or not can_be_given(word) else word


def told_mark(mark: str) -> str:
    """Return the end of a message on cells that hold one word or nothing: the two ways to read them."""
    return (
        f'each cell holds {mark!r} or nothing, so that a blank may be the other answer or none: --values "{mark}=1,=0" '
        f'takes it for 0, and --values "{mark}=1,=" for a missing one'
    )


def _check_mark(cells: Sequence[object], words: Mapping[str, float]) -> None:
    """Check that blank cells have a meaning if all others hold the one word that is given a number.

    Raises:
        NotNumbersError: if they have none: left out, they would leave nothing but that number.
    """
    mark = mark_in(cells)
    numbers = {number for word, number in words.items() if not math.isnan(number)}
    if mark in words and mark and BLANK not in words and len(numbers) == 1:
        row = next(row for row, cell in enumerate(cells) if not holds_nothing(cell))
        raise NotNumbersError(told_mark(mark), row)


def says_no_answer(word: str) -> bool:
    """Say whether a word tells that no answer was given, whatever the scale.

    >>> says_no_answer("Cannot judge"), says_no_answer("skipped"), says_no_answer("poor")
    (True, True, False)
    """
    plain = word_of(word)
    return plain in MISSING_MARKS or plain in NO_ANSWERS or _UNABLE.fullmatch(plain) is not None


def _proposal(texts: Sequence[str]) -> str:
    """Return a remedy for words, if the column holds few of them."""
    if any(map(is_mean_with_spread, texts)):
        return ": a mean with its spread stands for several ratings or scores, which are needed themselves"
    words = list(dict.fromkeys(text for text in texts if finite_number(text) is None))
    if any(THOUSANDS.fullmatch(word) for word in words):
        return "; a comma may be a decimal mark or stand between thousands: write 1.234 or 1234"
    words = list({word_of(word): word for word in words}.values())  # large or small letters
    if len(words) > 8 or not all(map(can_be_given, words)):
        return ""
    known = scale_with_one_more(words) or {}
    numbers = [known.get(word_of(word), math.nan) for word in words]
    pairs = ",".join(
        f"{word}={'…' if math.isnan(number) else f'{number:g}'}" for word, number in zip(words, numbers, strict=True)
    )
    return f'; say what the words stand for: --values "{pairs}" (nothing behind = is missing)'


def can_be_given(word: str) -> bool:
    """Say whether a word can stand in the option `--values`, and is none of a sentence."""
    return len(word) <= 30 and not {",", "="} & set(word)


def is_mean_with_spread(text: str) -> bool:
    """Say whether a cell holds a mean with its spread or interval.

    >>> is_mean_with_spread("3.4 ± 0.8"), is_mean_with_spread("3.4")
    (True, False)
    """
    return _WITH_SPREAD.fullmatch(text.strip()) is not None


def _is_missing(cell: object) -> bool:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return True
    return isinstance(cell, str) and (
        word_of(cell) in MISSING_MARKS or word_of(cell).lstrip("+-") in ("inf", "infinity")
    )
