"""The parts that readers of exports share: the raw rows of a file in, a long table with a row for each answer out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referenceless_metrics.core.support.validation import Record

ITEM, RATER, RATING, SYSTEM, TEXT, PREFERENCE = "item", "rater", "rating", "system", "text", "preference"
"""The columns that a converted table has by these names if the export has them."""

SAMPLE = 100
"""Number of rows that tell a form."""

BOTH_TEXTS = "texts of a pair"
"""The place in a row, beside the columns, of the two texts of a pair whose systems nothing names, with their source."""


class TextPair(NamedTuple):
    """Two texts in the order in which they stood, and the source that they were written for.

    Attributes:
        first: the text that stood first.
        second: the other.
        source: what both were written for; "" if it is not known.
    """

    first: str
    second: str
    source: str

    @property
    def unordered(self) -> tuple[str, str, str]:
        """The same, whichever text stood first."""
        return min(self.first, self.second), max(self.first, self.second), self.source


NO_ITEMS = "nothing tells which rows are of one item: each counts as an item of its own"


@dataclass(frozen=True)
class Export:
    """The content of a file that may be an export.

    Attributes:
        source: the file's name, for messages.
        columns: the names of its columns, or of the fields of its objects.
        rows: one dict for each row or object; nested values are nested.
        words: the numbers that words in answers stand for, as the user gives them; None if they stand for none.
    """

    source: str
    columns: tuple[str, ...]
    rows: Sequence[Record]
    words: Mapping[str, float] | None = None


@dataclass
class Answers:
    """A long table under construction.

    Attributes:
        rows: one dict for each answer of a rater, with `item` and `rater`, the fields of the rated item, and a column
            for each question.
        questions: the columns that hold answers, in order.
        notes: assumptions made and answers left out, in sentences without an end.
        holder: the column of the file whose values hold items together, as a question does its turns; "" for none.
    """

    rows: list[Record] = field(default_factory=list)
    questions: dict[str, None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    holder: str = ""
    _left_out: Counter[str] = field(default_factory=Counter)

    def leave_out(self, why: str) -> None:
        """Count an answer that is left out."""
        self._left_out[why] += 1

    def add(self, fields: Mapping[str, Any], item: object, rater: object, answers: Mapping[str, Any]) -> None:
        """Add the answers of one rater about one item; the item's own fields do not replace an answer."""
        row = {name: value for name, value in fields.items() if name not in (ITEM, RATER)}
        row |= {ITEM: item, RATER: rater, **answers}
        self.questions.update(dict.fromkeys(answers))
        self.rows.append(row)

    @property
    def all_notes(self) -> list[str]:
        """The notes, with the numbers of answers that were left out."""
        counted = [f"left out: {n} {why}" for why, n in self._left_out.items()]
        return [*self.notes, *counted]


def fields_of(content: Mapping[str, Any], prefix: str = "") -> Record:
    """Return the fields of an object, those of objects inside it by dotted names.

    >>> fields_of({"text": "a", "meta": {"system": "ours"}})
    {'text': 'a', 'meta.system': 'ours'}
    """
    fields: Record = {}
    for name, value in content.items():
        if isinstance(value, Mapping):
            fields |= fields_of(value, f"{prefix}{name}.")
        else:
            fields[f"{prefix}{name}"] = value
    return fields


def column_called(columns: Iterable[str], form: re.Pattern[str]) -> str | None:
    """Return the first column whose name, in lower case, has a form; None if none has.

    >>> column_called(["Item", "Worker_1"], re.compile("worker.*")), column_called([], re.compile("item"))
    ('Worker_1', None)
    """
    return next((name for name in columns if form.fullmatch(name.lower())), None)


def single(values: Iterable[object]) -> object | None:
    """Return the one value that there is, or None if there are none or several.

    >>> single(["4"]), single([]), single([1, 2])
    ('4', None, None)
    """
    listed = list(values)
    return listed[0] if len(listed) == 1 else None
