"""Table of how metrics order the systems of a set, as WMT's metrics tasks judge it: three shares of pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from referenceless_metrics.assessment.system_pairs import (
    FEWEST_SYSTEMS,
    pairwise_accuracy,
    random_signs,
    soft_pairwise_accuracy,
    tie_calibrated_accuracy,
)
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.public_table.columns import systems_of
from referenceless_papers.public_table.rated_sets import RatedSet

_FEWEST_SHARED = 10
"""Fewest items that all systems share for soft pairwise accuracy, whose p are of these."""


def order_rows(columns: Mapping[str, Floats], rated: RatedSet) -> list[dict[str, str]]:
    """Return a row for each metric on a set; none for a set of fewer than three systems.

    A metric's and people's means are of the texts that the metric covers.

    Args:
        columns: the values of each metric, shape (n,), NaN without one.
        rated: the n texts.
    """
    systems = systems_of(rated)
    if systems is None or int(systems.max()) + 1 < FEWEST_SYSTEMS:
        return []
    return [_row(name, values, systems, rated) for name, values in columns.items()]


def _row(name: str, values: Floats, systems: Integers, rated: RatedSet) -> dict[str, str]:
    known = np.isfinite(values)
    by_metric = _table(np.where(known, values, np.nan), systems, rated.items)
    by_people = _table(np.where(known, rated.ratings, np.nan), systems, rated.items)
    covered = np.isfinite(by_metric).any(axis=1)
    by_metric, by_people = by_metric[covered], by_people[covered]
    shared = np.isfinite(by_metric).all(axis=0)
    accuracy = soft = math.nan
    if covered.sum() >= FEWEST_SYSTEMS:
        accuracy = pairwise_accuracy(np.nanmean(by_metric, axis=1), np.nanmean(by_people, axis=1))
        if shared.sum() >= _FEWEST_SHARED:
            signs = random_signs(int(shared.sum()))
            soft = soft_pairwise_accuracy(by_metric[:, shared], by_people[:, shared], signs).value
    ties = tie_calibrated_accuracy(by_metric, by_people)
    return {
        "set": rated.name,
        "metric": name,
        "systems": str(int(covered.sum())),
        "pairwise accuracy": _short(accuracy),
        "soft": _short(soft),
        "shared items": str(int(shared.sum())),
        "accuracy with ties": _short(ties.value),
    }


def _table(values: Floats, systems: Integers, items: Integers) -> Floats:
    """Return the mean value of each system's texts of an item, shape (systems, items), NaN without one."""
    shape = int(systems.max()) + 1, int(items.max()) + 1
    known = np.isfinite(values)
    cells = (systems * shape[1] + items)[known]
    sums = np.bincount(cells, values[known], minlength=shape[0] * shape[1])
    counts = np.bincount(cells, minlength=shape[0] * shape[1])
    with np.errstate(invalid="ignore"):
        means: Floats = (sums / counts).reshape(shape)
    return means


def _short(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.2f}"
