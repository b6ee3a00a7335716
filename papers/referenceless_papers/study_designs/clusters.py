"""Do the intervals of `human-score --cluster-column` hold if few clusters hold the items?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from referenceless_metrics.core.support.validation import Integers
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task

_SCALE = 1.0, 7.0
_PROPORTIONS = np.array([1, 2, 3, 4, 6, 8, 10, 14])
"""Sizes of unequal clusters, relative to one another; fewer clusters have the last ones."""

_ITEMS = 6
"""Mean number of items of a cluster."""


def cluster_tasks(_: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals of a difference, and of a mean, that held, by number of clusters."""
    for n_clusters in (5, 6, 8, 20):
        for unequal in (False, True):
            for shared in (0.0, 0.3):
                yield partial(_cells, n_clusters, unequal, shared, n_draws, seed)


def _cells(n_clusters: int, unequal: bool, shared: float, n_draws: int, seed: int) -> list[HeldCell]:
    generator = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(n_clusters), _sizes(n_clusters, unequal))
    n_items = len(clusters)
    inside: dict[str, list[bool]] = {"difference": [], "mean": []}
    widths: dict[str, list[float]] = {"difference": [], "mean": []}
    # Each system's ratings have one mean, by which the scale's ends cut them off alike.
    for _ in range(n_draws):
        systems = []
        for name in ("one", "other"):
            of_cluster = generator.normal(0, np.sqrt(shared), n_clusters)
            rest = generator.normal(0, np.sqrt(1 - shared), n_items)
            ratings = np.clip(np.round(4 + of_cluster[clusters] + rest), *_SCALE)
            systems.append(SystemRatings(name, ratings, np.full(n_items, np.nan), clusters=clusters.tolist()))
        found = human_scores(systems, scale=_SCALE)
        for what, interval, truth in (
            ("difference", found.differences[0].interval(), 0.0),
            ("mean", found.scores[0].interval(), 4.0),
        ):
            low, high = interval
            inside[what].append(low <= truth <= high)
            widths[what].append(high - low)
    return [
        held(
            f"{what}, items in clusters",
            f"{shared:.0%} of the variance is of clusters of {'unequal' if unequal else 'equal'} sizes",
            f"{n_clusters} clusters, {n_items} items",
            of_what,
            width=float(np.mean(widths[what])),
        )
        for what, of_what in inside.items()
    ]


def _sizes(n_clusters: int, unequal: bool) -> Integers:
    if not unequal:
        return np.full(n_clusters, _ITEMS)
    proportions = np.resize(_PROPORTIONS, n_clusters) if n_clusters > 8 else _PROPORTIONS[-n_clusters:]
    sizes = np.round(proportions * _ITEMS * n_clusters / proportions.sum())
    return np.asarray(np.maximum(1, sizes), dtype=np.int64)
