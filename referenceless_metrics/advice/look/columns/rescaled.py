"""Columns that hold people's ratings once more on another scale, as z-scores, and no scores to hold against them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from referenceless_metrics.advice.look.columns.choosing import first_of, texts_of
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_no_rating, parted
from referenceless_metrics.assessment.meta_evaluation import pearson
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.scores.columns import cells_of

RESCALED = "rating, rescaled"
_LINEAR = 0.9999  # least |r| of numbers that are others on another scale; rounding takes from 1
_OF_STANDARDISED = 0.8  # least r of ratings and of their z-scores for each rater
_FEWEST_VALUES = 5  # different ones, of which a line tells anything

_RAW = re.compile(r"(?:.*[^a-z])?raw(?:[^a-z].*)?")
"""Names of ratings as they were given, which are called so beside others made of them."""

_STANDARDISED = re.compile(
    r"(?:(?:avg|average|mean|norm|normali[sz]ed|standardi[sz]ed|z)[ _.-]?)*(?:z|scores?|scr|da|rating)"
)
"""Names of ratings made of raw ones, and of no metric or judge."""


def rescaled_ratings(table: Table, columns: Sequence[Column]) -> list[str]:
    """Return the names of scores that are a column's ratings on another scale: over all rows, or those of each rater.

    Of raters that the table does not name, names tell: `score` beside `raw`, of both signs and close to it.
    """
    rated = [column for column in columns if column.part == "rating" and column.is_numeric]
    may_be = [column for column in columns if _may_be_rescaled(column)]
    if not rated or not may_be:
        return []
    rater = first_of(columns, "rater")
    raters = np.array(texts_of(table, rater.name) if rater else [""] * len(table.rows))
    numbers = {column.name: table.as_numbers(cells_of(table, column.name)) for column in (*rated, *may_be)}
    return [
        column.name
        for column in may_be
        if any(_is_rescaled(column, numbers[column.name], each, numbers[each.name], raters) for each in rated)
    ]


def _may_be_rescaled(column: Column) -> bool:
    """Say whether a column may hold ratings on another scale: numbers that lines would take for a score."""
    is_score = column.part == "score" or (not column.part and column.kind == "numbers")
    is_plain = column.is_numeric and not names_no_rating(column.name) and not names_metric(column.name)
    return is_score and is_plain and column.distinct >= _FEWEST_VALUES


def _is_rescaled(column: Column, scores: Floats, rated: Column, ratings: Floats, raters: np.ndarray) -> bool:
    if _correlation(scores, ratings) >= _LINEAR:
        return True
    groups = [raters == rater for rater in np.unique(raters)]
    each = [_correlation(scores[rows], ratings[rows]) for rows in groups]
    told = [r for r in each if not np.isnan(r)]
    if told and min(told) >= _LINEAR:
        return True
    are_named = _RAW.fullmatch(parted(rated.name)) and _STANDARDISED.fullmatch(parted(column.name))
    return bool(are_named) and column.ends[0] < 0 < column.ends[1] and _correlation(scores, ratings) >= _OF_STANDARDISED


def _correlation(scores: Floats, ratings: Floats) -> float:
    """Return |r| over the rows with both; NaN for too few different values."""
    both = np.isfinite(scores) & np.isfinite(ratings)
    if min(len(np.unique(scores[both])), len(np.unique(ratings[both]))) < _FEWEST_VALUES:
        return float("nan")
    return abs(pearson(scores[both], ratings[both]))
