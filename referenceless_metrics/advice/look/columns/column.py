"""A column of a table: its name, kind, blanks and part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from referenceless_metrics.core.files.number_words import says_no_answer
from referenceless_metrics.core.files.scales_in_words import scale_with_one_more, usual_scale
from referenceless_metrics.core.support.validation import finite_number
from referenceless_metrics.human_evaluation.scores.directions import are_negated, is_lower_better_in

NUMBERS = ("whole numbers", "numbers")

LISTED_RATERS = "raters"
"""The part of a column that lists the raters of the ratings in each cell."""

JUDGED_LABEL = "label of a judge"
"""The part of a column of a judge's labels, beside people's in the same words."""

_FEWEST_COUNTED = 10  # items that are counted; fewer numbers may be a scale

WORDS = 2.5  # words of a text in the mean; ids and names have fewer

_MARKS = frozenset(("x", "✓", "✔", "☑", "✗", "✘", "×", "*", "+", "y", "yes", "j", "ja", "oui", "sí", "sì", "si", "sim"))
"""Words that say alone that something is there, if other cells are blank."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: its name; dotted for a place inside objects.
        kind: `whole numbers`, `numbers`, `means with spreads`, `dates`, `labels`, `ids`, `text`, `lists of numbers`,
            `lists of texts`, `lists of labels`, `lists`, `objects` or `blank`.
        shown: the range of numbers, the labels, or an example.
        blank: the share of blank cells.
        distinct: number of different values.
        part: the part that it may play; "" for none that is known.
    """

    name: str
    kind: str
    shown: str
    blank: float
    distinct: int
    part: str = ""

    @property
    def is_numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.kind in NUMBERS

    @property
    def holds_texts(self) -> bool:
        """Whether it holds texts, each once, or several times so that they seem to be labels."""
        words = len(self.shown.split()) / len(self.shown.split(", "))
        return self.kind == "text" or (self.kind == "labels" and words >= WORDS)

    @property
    def mark(self) -> str:
        """The mark, as `x`, that stands in all its cells but blank ones; "" for other columns."""
        if not 0 < self.blank < 1:
            return ""
        if self.kind == "whole numbers" and self.shown == "1–1":
            return "1"
        words = {word.casefold() for word in self.shown.split(", ")}
        return words.pop() if self.kind == "labels" and len(words) == 1 and words <= _MARKS else ""

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest number of a column of numbers."""
        low, _, high = self.shown.partition(", as ")[0].rpartition("–")
        return float(low), float(high)

    def is_lower_better(self, file: str) -> bool:
        """Say whether lower scores are better, by its name or its file's, and none shows that the sign was turned."""
        listed = re.findall(r"-?\d+(?:\.\d+)?", self.shown) if self.kind == "lists of numbers" else []
        numbers = self.ends if self.is_numeric else tuple(map(float, listed))
        is_turned = bool(numbers) and are_negated(np.array(numbers))
        return is_lower_better_in(self.name, file) and not is_turned


def answers_shown(column: Column) -> list[str]:
    """Return the different answers in a column of labels, without words for no answer; none for other columns."""
    words = column.shown.split(", ") if column.kind == "labels" else []
    return [word for word in words if not says_no_answer(word)]


def are_boxes(words: Collection[str]) -> bool:
    """Say whether words are those of check boxes, true and false.

    >>> are_boxes(["TRUE", "FALSE"]), are_boxes(["yes", "no"])
    (True, False)
    """
    return {word.lower() for word in words} == {"true", "false"}


def are_on_a_scale(words: Sequence[str]) -> bool:
    """Say whether words are of a usual scale, all of them or all but one.

    >>> are_on_a_scale(["n", "partly", "y"]), are_on_a_scale(["bart", "t5"])
    (True, False)
    """
    return usual_scale(words) is not None or scale_with_one_more(words) is not None


def is_number(word: str) -> bool:
    """Say whether a word is a finite number."""
    return finite_number(word) is not None


_ENDS = re.compile(
    r"[(\[]\s*(?P<low>\d{1,3})\s*(?:-|–|to|bis)\s*(?P<high>\d{1,3})\s*[)\]]"
    r"|(?P<stem>[^\W\d]{2,})_(?P<least>[01])[_-](?P<most>\d{1,2}|100)$"
)
"""The ends of a scale in a name: in brackets, or behind the last word, as in `fluency_1_5`."""


def scale_in_name(column: Column, columns: Sequence[Column]) -> str | None:
    """Return the ends of the scale that a column's name tells and its numbers keep to, as `Fluency (1-5)`; or None.

    Columns whose names differ in the last number alone are numbered, and tell none.

    Args:
        column: a column of ratings.
        columns: all columns.

    >>> scale_in_name(fluency := Column("fluency_1_5", "whole numbers", "2–5", 0.0, 4), [fluency])
    '1-5'
    """
    match = _ENDS.search(column.name)
    if match is None or not column.is_numeric:
        return None
    if match["stem"]:
        begin = column.name[: match.start("most")]
        if any(each.name != column.name and re.fullmatch(rf"{re.escape(begin)}\d+", each.name) for each in columns):
            return None
    low, high = int(match["low"] or match["least"]), int(match["high"] or match["most"])
    return f"{low}-{high}" if low < high and low <= column.ends[0] and column.ends[1] <= high else None


def number_items(cells: Sequence[Any]) -> bool:
    """Say whether whole numbers count items, from 0 or 1 on, each of which stands in equally many rows.

    >>> number_items([*range(12)] * 3), number_items([1, 2, 3] * 5), number_items([*range(12), 3, 3])
    (True, False, False)
    """
    counts = Counter(str(cell) for cell in cells)
    is_even = len(counts) >= _FEWEST_COUNTED and len(set(counts.values())) == 1
    numbers = sorted(float(number) for number in counts) if is_even else [-1.0]
    return numbers[0] in (0, 1) and numbers[-1] - numbers[0] + 1 == len(numbers)
