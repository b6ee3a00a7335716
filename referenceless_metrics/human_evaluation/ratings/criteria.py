"""Rating tables of several criteria: one table per criterion, and the overall mean of the criteria."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.exports.spans import weights_told
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.studies.criteria import OVERALL
from referenceless_metrics.human_evaluation.studies.spans import SPANS

if TYPE_CHECKING:
    import pandas as pd

Analysed = TypeVar("Analysed")

CRITERION = "criterion"
"""Column of long tables that names the criterion of each rating."""

_OF_OUTPUT = ("system", "item", "rater", "text", "cluster", "slice", "place")
"""Columns that tell an output and its rater, as far as they are known."""


def by_criterion(table: RatingTable) -> tuple[dict[str, RatingTable], list[str]]:
    """Return the ratings by each criterion as a table of its own, by name, and notes on ratings that are left out.

    A table without criteria is returned as it is, under the name "".

    Raises:
        InputError: for a table in which no criterion has a rating.
    """
    frame = table.frame
    if CRITERION not in frame:
        return {"": table}, []
    value = "preference" if table.are_preferences else "rating"
    parts: dict[str, RatingTable] = {}
    notes = []
    for name in frame[CRITERION].drop_duplicates():
        rows = frame[frame[CRITERION] == name]
        if not rows[value].notna().any():
            notes.append(f"{name}: left out, since none of its {len(rows)} ratings is given")
            continue
        parts[name] = _of_criterion(table, name, rows)
    if not parts:
        raise InputError(f"{table.source}: no criterion has a rating: {'; '.join(notes)}")
    return parts, notes


def with_overall(table: RatingTable, *, asked: bool) -> tuple[dict[str, RatingTable], list[str]]:
    """Return the ratings by each criterion, with the overall mean if it was chosen, and notes.

    Args:
        table: the ratings.
        asked: whether the analysis asks for the overall mean; a study may have named it before the ratings.

    Raises:
        InputError: like `by_criterion` and `overall_table`.
    """
    parts, notes = by_criterion(table)
    if not asked and not table.overall:
        return parts, notes
    mean, told = overall_table({name: part for name, part in parts.items() if name != SPANS})
    if not table.overall:
        told.append(f"{OVERALL}: this mean was chosen for the analysis, and not before the ratings: it is exploratory")
    return {**parts, OVERALL: mean}, [*notes, *told]


def _of_criterion(table: RatingTable, name: str, rows: pd.DataFrame) -> RatingTable:
    """Return the ratings by one criterion, with its scale; of marked errors, negative sums of their weights."""
    plain = rows.drop(columns=CRITERION).reset_index(drop=True)
    are_of_errors = bool(table.marked) and name == SPANS
    scale = table.scales.get(name, table.scale)
    of_criterion = replace(table, frame=plain, scale=scale, scales={}, overall=False)
    return replace(of_criterion, are_penalties=True, mqm_weights=weights_told()) if are_of_errors else of_criterion


def each_criterion(
    tables: Mapping[str, RatingTable], analyse: Callable[[str, RatingTable], Analysed]
) -> tuple[dict[str, Analysed], list[str]]:
    """Return the result for each criterion, by name, and notes on criteria that are left out.

    Args:
        tables: the ratings by each criterion, by its name.
        analyse: makes a result of a criterion's name and ratings; an `InputError` leaves the criterion out.

    Raises:
        InputError: if no criterion has a result.
    """
    found = {}
    left_out = []
    for name, table in tables.items():
        try:
            found[name] = analyse(name, table)
        except InputError as error:
            if len(tables) == 1:
                raise
            left_out.append(f"{name}: left out, since {error}")
    if not found:
        raise InputError("; ".join(left_out))
    return found, left_out


def overall_table(parts: Mapping[str, RatingTable]) -> tuple[RatingTable, list[str]]:
    """Return each output's mean over the criteria, by each rater, as ratings of their own, and notes.

    Criteria on one scale are averaged as they are; on several scales, each rating is first brought to its share of the
    scale, from 0 to 1. An output that lacks a rating by one of the criteria has no mean.

    Args:
        parts: the ratings by each criterion, by its name.

    Raises:
        InputError: for fewer than two criteria, preferences, and several criteria on scales that are not known.
    """
    tables = list(parts.values())
    first = tables[0]
    if len(tables) < 2 or first.are_preferences:
        raise InputError(f"{first.source}: an overall mean is of two criteria or more, which are ratings")
    scales = {table.scale for table in tables}
    scale = first.scale
    if len(scales) > 1:
        if None in scales:
            raise InputError(
                f"{first.source}: an overall mean of criteria on several scales needs the ends of each: --scale "
                "LOW-HIGH, or --criterion-scale NAME=LOW-HIGH"
            )
        scale = (0.0, 1.0)
    keys = [name for name in _OF_OUTPUT if all(name in table.frame for table in tables)]
    rows = _shares(tables) if len(scales) > 1 else [table.frame for table in tables]
    mean, n_incomplete = _means(rows, keys, len(tables))
    notes = []
    if n_incomplete:
        notes.append(
            f"{OVERALL}: {n_incomplete} of {len(mean)} ratings lack a criterion, and have no mean over the criteria"
        )
    return replace(first, frame=mean, scale=scale), notes


def _shares(tables: list[RatingTable]) -> list[pd.DataFrame]:
    """Return ratings as shares of their scales, from 0 to 1."""
    rows = []
    for table in tables:
        if table.scale is not None:
            low, high = table.scale
            rows.append(table.frame.assign(rating=(table.frame["rating"] - low) / (high - low)))
    return rows


def _means(rows: list[pd.DataFrame], keys: list[str], n_criteria: int) -> tuple[pd.DataFrame, int]:
    """Return the mean of ratings with equal keys, NaN unless every criterion has one, and the number of NaN."""
    import pandas as pd

    stacked = pd.concat([frame[[*keys, "rating"]].assign(_by=place) for place, frame in enumerate(rows)])
    of_criteria = stacked.groupby([*keys, "_by"], sort=False, dropna=False)["rating"].mean()
    grouped = of_criteria.groupby(level=keys, sort=False, dropna=False)
    is_complete = grouped.count() == n_criteria
    mean = grouped.mean().where(is_complete)
    return mean.reset_index(), int((~is_complete).sum())
