"""Table of the worth of a metric's difference of two systems: the share in which people agree, by its size.

After Kocmi, Zouhar, Federmann & Post (2024), "Navigating the metrics maze: Reconciling score magnitudes and
accuracies", ACL: of pairs of systems whose means a metric has so far apart, the share that people order alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.public_table.columns import systems_of
from referenceless_papers.public_table.rated_sets import RatedSet

FEWEST_PAIRS = 20
"""Fewest pairs of systems in a row."""

LEARNED = ("BLEU Neighbors, published", "BLEU Neighbors", "quality estimation", "quality estimation, sources")
"""Metrics on the scale of a set's ratings; their differences are in standard deviations of these, as sets differ."""

_N_PARTS = 4
_FEWEST_TEXTS = 10
"""Fewest rated texts of a system that is in a pair."""


@dataclass(frozen=True)
class SystemPair:
    """Two systems of a set.

    Attributes:
        by_metric: the metric's difference of their means.
        by_people: people's.
    """

    by_metric: float
    by_people: float

    @property
    def agrees(self) -> bool:
        """Whether both order the two alike."""
        return self.by_metric * self.by_people > 0


def system_pairs(name: str, values: Floats, rated: RatedSet) -> list[SystemPair]:
    """Return all pairs of a set's systems, of texts that a metric covers; none for a set of one system.

    Args:
        name: name of the metric.
        values: the metric's, shape (n,), NaN without one.
        rated: the n texts.
    """
    systems = systems_of(rated)
    if systems is None:
        return []
    values = values / (rated.ratings.std() if name in LEARNED else 1.0)
    known = np.isfinite(values)
    sizes = np.bincount(systems[known], minlength=int(systems.max()) + 1)
    chosen = np.flatnonzero(sizes >= _FEWEST_TEXTS)
    means = {
        int(system): (values[known & (systems == system)].mean(), rated.ratings[known & (systems == system)].mean())
        for system in chosen
    }
    return [
        SystemPair(float(means[one][0] - means[other][0]), float(means[one][1] - means[other][1]))
        for one, other in combinations(means, 2)
    ]


def worth_row(name: str, pairs: Iterable[SystemPair]) -> dict[str, str] | None:
    """Return the share in which people agree with a metric, by quarters of its differences; None for few pairs.

    Args:
        name: name of the metric.
        pairs: pairs of systems of several sets, on the metric's scale.
    """
    ordered = sorted((pair for pair in pairs if pair.by_people), key=lambda pair: abs(pair.by_metric))
    if len(ordered) < FEWEST_PAIRS:
        return None
    row = {"metric": name, "pairs of systems": str(len(ordered))}
    for number, part in enumerate(np.array_split(np.arange(len(ordered)), _N_PARTS), start=1):
        held = [ordered[place] for place in part]
        share = np.mean([pair.agrees for pair in held])
        sizes = f"{abs(held[0].by_metric):.2g} to {abs(held[-1].by_metric):.2g}"
        row[f"quarter {number} of its differences"] = f"{share:.0%} ({sizes})"
    return row


def worth_table(pairs: Mapping[str, Iterable[SystemPair]]) -> list[dict[str, str]]:
    """Return the rows of all metrics with enough pairs."""
    rows = (worth_row(name, of_metric) for name, of_metric in pairs.items())
    return [row for row in rows if row is not None]
