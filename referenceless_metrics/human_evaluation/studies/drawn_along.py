"""Items drawn along a metric's difference of two systems: every k-th in its order, or at random within strata of it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.support.validation import Floats, InputError, Integers
from referenceless_metrics.human_evaluation.inference.along_metric import (
    FEWEST_IN_STRATUM,
    AlongMetric,
    DrawnItem,
    Stratum,
)


class DifferenceByItem(NamedTuple):
    """A metric's difference of two systems, the second's less the first's, of N items.

    Attributes:
        metric: the metric's name.
        values: shape (N,); NaN if the metric abstains.
    """

    metric: str
    values: Floats


def drawn_along(
    metric: DifferenceByItem, places: Integers, n: int, generator: np.random.Generator, *, strata: bool
) -> AlongMetric:
    """Draw n items along a metric's difference.

    Args:
        metric: the metric, with its differences of all items.
        places: the items that may be drawn.
        n: number of these to draw.
        generator: source of all random choices; items of equal differences are in random order.
        strata: draw items at random within strata that leave `FEWEST_IN_STRATUM` ratings each, and not every k-th.

    Raises:
        InputError: for a metric that does not tell the systems apart.
    """
    values = metric.values[places]
    known = values[np.isfinite(values)]
    if not len(known) or not np.ptp(known) > 0:
        raise InputError(
            f"{metric.metric} finds the same difference in all of the {len(places)} items, so that there is no order "
            "to draw along: leave out --along, or name another metric"
        )
    # An abstention tells nothing, and stands in the middle.
    values = np.where(np.isfinite(values), values, np.median(known))
    shuffled = generator.permutation(len(values))
    order = shuffled[np.argsort(values[shuffled], kind="stable")]
    parts = np.array_split(np.arange(len(order)), max(1, n // FEWEST_IN_STRATUM) if strata else 1)
    if strata:
        sizes = map(len, np.array_split(np.arange(n), len(parts)))
        chosen = np.concatenate(
            [generator.choice(part, size, replace=False) for part, size in zip(parts, sizes, strict=True)]
        )
    else:
        step = len(order) / n
        reached = np.floor(generator.uniform(0, step) + step * np.arange(n)).astype(np.int64)
        chosen = np.minimum(reached, len(order) - 1)  # rounding may reach the end
    stratum_of = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    return AlongMetric(
        metric.metric,
        len(order),
        tuple(
            DrawnItem(int(places[order[at]]), int(at), float(values[order[at]]), int(stratum_of[at])) for at in chosen
        ),
        tuple(Stratum(len(part), float(values[order[part]].mean())) for part in parts) if strata else (),
    )
