"""Labels that are a score, cut at a value: a metric's own verdicts, and no ratings beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.scores.columns import cells_of, numeric_columns

_FEWEST = 30
"""Fewest pairs of a score and a label by which a cut is told."""

_FEWEST_OF_EACH = 5
"""Fewest of them with each label: people's labels could be told by a score, too, if they were few."""

_FEWEST_SCORES = 10
"""Fewest different scores: one of a few points may well agree with people's labels wholly."""

_FIRST = 2000  # rows, by which most columns are told to be no cut


class Cut(NamedTuple):
    """The scores between which labels change.

    Attributes:
        below: the highest score with the one label.
        above: the lowest score with the other.
    """

    below: float
    above: float

    def told(self, label: str, score: str) -> str:
        """Return the finding in words.

        >>> Cut(0.47, 0.5).told("label", "score")
        "'label' is 'score', cut between 0.47 and 0.5"
        """
        return f"{label!r} is {score!r}, cut between {self.below:.6g} and {self.above:.6g}"


def cut_of(scores: Floats, labels: Sequence[object]) -> Cut | None:
    """Return the cut of scores that tells two labels, one below it and one above; None if none does.

    Whole numbers alone may count items, of which a table has those with one label first.

    Args:
        scores: shape (n,), NaN where there is none.
        labels: the label of each; None for none.

    >>> scores = np.arange(40) / 4
    >>> cut_of(scores, [int(score > 2) for score in scores]), cut_of(scores, [int(score) % 2 for score in scores])
    (Cut(below=2.0, above=2.25), None)
    """
    both = [(score, label) for score, label in zip(scores.tolist(), labels, strict=True) if label is not None]
    known = [(score, label) for score, label in both if np.isfinite(score)]
    names = list(dict.fromkeys(label for _, label in known))
    if len(names) != 2 or len(known) < _FEWEST:
        return None
    one, other = ([score for score, label in known if label == name] for name in names)
    distinct = {*one, *other}
    if min(len(one), len(other)) < _FEWEST_OF_EACH or len(distinct) < _FEWEST_SCORES:
        return None
    if all(score.is_integer() for score in distinct):
        return None
    low, high = (one, other) if max(one) < min(other) else (other, one)
    return Cut(max(low), min(high)) if max(low) < min(high) else None


def cut_column(table: Table, label: str, scores: Sequence[str] | None = None) -> str:
    """Say that a column of labels is another column of numbers, cut at a value; "" if it is none.

    Args:
        table: the table.
        label: the name of the column of labels.
        scores: the columns that it may be; None for all columns of numbers.
    """
    cells = ["" if is_blank(cell) else str(cell).strip() for cell in cells_of(table, label)]
    if len({*cells} - {""}) != 2:
        return ""
    labels = [cell or None for cell in cells]
    for name in numeric_columns(table, {label}, n_systems=1) if scores is None else scores:
        try:
            values = column_numbers(cells_of(table, name), decimal_comma=table.comma).values
        except NotNumbersError:
            continue
        may_be = len(values) <= _FIRST or cut_of(values[:_FIRST], labels[:_FIRST]) is not None
        cut = cut_of(values, labels) if may_be else None
        if cut is not None:
            return cut.told(label, name)
    return ""
