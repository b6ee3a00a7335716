"""Ratings with a column per rater and criterion, told by columns of the means over raters beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from referenceless_metrics.advice.look.columns.choosing import first_of
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_rater, names_value
from referenceless_metrics.core.files.joined_ids import split_id
from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.model_raters import names_mean

_ROUNDED = 6e-3  # of a mean that is written with two decimals
_FEWEST_ROWS = 5  # whose means are those of other columns
_FEWEST_CRITERIA = 2
_MOST_VALUES = 12  # on a scale
QUESTION = re.compile(r"(?:c|q|crit|criterion|question|frage) ?\d+", re.IGNORECASE)
"""Numbers of questions, or of criteria, as parts of names."""


def averaged_ratings(table: Table, columns: Sequence[Column]) -> dict[str, list[str]]:
    """Return the columns of each criterion, by its name, if a column beside them holds their mean, row by row.

    Names join a rater and a criterion, as `T1_C1` and `T2_C1`, and `Mean_C1` is the mean of both. Means over criteria
    tell no raters, so half of the names of criteria have to be known as such, or to be numbers of questions, or else
    raters to be called so. There are none if each rater has a column of means, too.

    Args:
        table: the table.
        columns: its columns.
    """
    means = [column.name for column in columns if column.is_numeric and names_mean(column.name)]
    rated = [column.name for column in columns if column.kind == "whole numbers" and column.distinct <= _MOST_VALUES]
    sides = {name: both for name in rated if name not in means and (both := split_id(name)) is not None}
    if len(means) < _FEWEST_CRITERIA or first_of(columns, "rater") is not None:
        return {}
    numbers = {name: table.as_numbers([cell_of(row, name) for row in table.rows]) for name in (*means, *sides)}
    ways = []
    for place in (0, 1):
        found: dict[str, dict[str, str]] = {}
        for name, both in sides.items():
            found.setdefault(both[place], {})[both[1 - place]] = name
        if _are_averaged(found, means, numbers):
            ways.append({criterion: list(of.values()) for criterion, of in found.items()})
    return ways[0] if len(ways) == 1 else {}


def _are_averaged(found: Mapping[str, Mapping[str, str]], means: Sequence[str], numbers: Mapping[str, Floats]) -> bool:
    """Say whether each criterion has the same raters, and a column that is called after it and holds their mean."""
    raters = {frozenset(of) for of in found.values()}
    if len(found) < _FEWEST_CRITERIA or len(raters) != 1:
        return False
    names = raters.pop()
    if 2 * sum(map(_may_be_criterion, found)) < len(found) and not all(map(names_rater, names)):
        return False
    return (
        len(names) > 1
        and not any(map(_may_be_criterion, names))
        and all(
            any(
                _names(mean, criterion) and _is_mean(numbers[mean], [numbers[name] for name in of.values()])
                for mean in means
            )
            for criterion, of in found.items()
        )
    )


def _may_be_criterion(name: str) -> bool:
    """Say whether a part of a name is that of a criterion, or the number of a question.

    >>> _may_be_criterion("fluency"), _may_be_criterion("C1"), _may_be_criterion("T1")
    (True, True, False)
    """
    return names_value(name) or name.lower() in CRITERIA_WORDS or QUESTION.fullmatch(name) is not None


def _names(mean: str, criterion: str) -> bool:
    """Say whether the name of a column of means holds that of a criterion as words of its own.

    >>> _names("Mean_C1", "C1"), _names("Mean_C10", "C1")
    (True, False)
    """
    return re.search(rf"(?<![^\W_]){re.escape(criterion)}(?![^\W_])", mean) is not None


def _is_mean(told: Floats, rated: Sequence[Floats]) -> bool:
    """Say whether numbers are the means of others, row by row, as far as all are known."""
    both = np.isfinite(told) & np.isfinite(rated).all(axis=0)
    means = np.mean(rated, axis=0)
    return int(both.sum()) >= _FEWEST_ROWS and np.allclose(means[both], told[both], rtol=0, atol=_ROUNDED)
