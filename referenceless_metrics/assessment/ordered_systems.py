"""The order of systems by estimates that were made without ratings of theirs, beside their order by people."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from referenceless_metrics.assessment.agreement import GROUPS, SYSTEMS
from referenceless_metrics.assessment.system_pairs import (
    FEWEST_SYSTEMS,
    pairwise_accuracy,
    random_signs,
    soft_pairwise_accuracy,
    tie_calibrated_accuracy,
)
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.validation import Floats, Integers


def ordered_systems_findings(
    estimates: Mapping[str, Floats], ratings: Floats, groupings: Mapping[str, Integers], *, by: str = ""
) -> list[str]:
    """Return the finding on systems that were left out, if any were, in a list.

    Args:
        estimates: estimates of n texts, by the units left out together, each of shape (n,), NaN without one.
        ratings: ratings of the texts, shape (n,).
        groupings: the number of each text's system, and of its group, shape (n,), as far as they are known.
        by: the name of the metric that made the estimates; "" if the reader knows it.
    """
    if SYSTEMS not in groupings:
        return []
    finding = ordered_systems_finding(estimates[SYSTEMS], ratings, groupings[SYSTEMS], groupings.get(GROUPS), by=by)
    return [finding] if finding else []


def ordered_systems_finding(
    estimates: Floats, ratings: Floats, systems: Integers, items: Integers | None = None, *, by: str = ""
) -> str:
    """Return how estimates of systems left out order them, in a sentence; "" for few systems or equal ratings.

    A system with too few estimates for an interval has no place in an order. If estimates are missing, the sentence
    says of how many texts they are.

    Args:
        estimates: estimates of n texts, each made without ratings of its system, shape (n,), NaN without one.
        ratings: ratings of the texts, shape (n,).
        systems: the number of each text's system, shape (n,).
        items: the number of each text's item (its source), shape (n,); None if it is not known.
        by: the name of the metric that made the estimates; "" if the reader knows it.
    """
    n_texts = len(estimates)
    known = np.isfinite(estimates) & np.isfinite(ratings)
    known &= np.bincount(systems, weights=known)[systems] >= FEWEST_FOR_INTERVAL
    numbers = np.unique(systems[known], return_inverse=True)[1]
    n_systems = int(numbers.max(initial=-1)) + 1
    estimates, ratings = estimates[known], ratings[known]
    if n_systems < FEWEST_SYSTEMS or not np.ptp(ratings) > 0:
        return ""
    sizes = np.bincount(numbers)
    accuracy = pairwise_accuracy(np.bincount(numbers, estimates) / sizes, np.bincount(numbers, ratings) / sizes)
    n_pairs = n_systems * (n_systems - 1) // 2
    made = f"estimates{f' by {by}' if by else ''} made without their ratings"
    covered = "" if known.all() else f", for {known.sum()} of {n_texts} texts,"
    said = f"Of {n_pairs} pairs of systems, {made}{covered} order {accuracy:.0%} as people do"
    return f"{said}{_of_items(estimates, ratings, numbers, None if items is None else items[known])}."


def _of_items(estimates: Floats, ratings: Floats, systems: Integers, items: Integers | None) -> str:
    """Return soft accuracy over the items that all systems share, and accuracy with ties, in words; "" without any."""
    if items is None:
        return ""
    by_output = _table(estimates, systems, items)
    people = _table(ratings, systems, items)
    shared = np.isfinite(by_output).all(axis=0)
    parts = []
    n_shared, n_items = int(shared.sum()), len(np.unique(items))
    if n_shared > 1:
        soft = soft_pairwise_accuracy(by_output[:, shared], people[:, shared], random_signs(n_shared))
        over = f"{n_shared} items"
        if n_shared < n_items:
            over = f"the {n_shared} of {n_items} items of which each system has a text of its own"
        parts.append(f"soft pairwise accuracy {soft.value:.2f} ± {soft.error:.2f} over {over}")
    ties = tie_calibrated_accuracy(by_output, people)
    if np.isfinite(ties.value):
        parts.append(f"accuracy with ties {ties.value:.2f} of outputs of one group")
    return f" ({'; '.join(parts)})" if parts else ""


def _table(values: Floats, systems: Integers, items: Integers) -> Floats:
    """Return the mean value of each system's texts of an item, shape (systems, items), NaN without one."""
    shape = int(systems.max()) + 1, int(items.max()) + 1
    cells = systems * shape[1] + items
    with np.errstate(invalid="ignore"):
        means = np.bincount(cells, values, shape[0] * shape[1]) / np.bincount(cells, minlength=shape[0] * shape[1])
    return means.reshape(shape)
