"""Does the interval of ρ hold that leaving rated texts out gives, on further texts and on outputs of a further system?

Pools are drawn from public rated sets, whose similarities are computed once. Estimates are BLEU Neighbors' with
similarity weights, at the threshold of the whole set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.pool import rated_pool
from bleu_neighbors_metric.tuning.similarity_blocks import similarity_blocks
from referenceless_metrics.assessment.agreement import Agreement, agreement
from referenceless_metrics.assessment.meta_evaluation import rank_correlation
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.public_table.rated_sets import READERS, RatedSet, sampled
from referenceless_papers.study_designs.held import HeldCell, held
from referenceless_papers.study_designs.keeping import Task

SIZES = 50, 100, 300
_MOST_TEXTS = 1200
_LARGEST_POOL = 0.6
"""Largest share of a set's texts in a pool; the others give the true value."""
_OF_TEXTS = (
    ("fluency", "fluency"),
    ("nlg-ratings", "SFRES, quality"),
    ("gug", "grammaticality"),
    ("asap-sas", "topic 3"),
    ("usr", "overall"),
)
_OF_SYSTEMS = (
    ("webnlg-2020", "fluency"),
    ("webnlg-2020", "correctness"),
    ("e2e-ratings", "quality"),
    ("e2e-ratings", "naturalness"),
    ("fluency", "fluency"),
    ("usr", "overall"),
)


@dataclass(frozen=True, eq=False)
class Similarities:
    """A rated set with the similarities of its texts.

    Attributes:
        name: the set's.
        ratings: ratings of n distinct texts, shape (n,).
        weights: weight of the rating of each other text (column) for each text (row), 0 for itself, shape (n, n).
        lengths: stand-ins for the texts, of their lengths.
        systems: the system of each.
    """

    name: str
    ratings: Floats
    weights: Floats
    lengths: list[str]
    systems: Integers

    def estimates(self, texts: Integers, pool: Integers, ratings: Floats) -> Floats:
        """Return estimates of texts from a pool's ratings, NaN if no text of it resembles them."""
        weights = self.weights[np.ix_(texts, pool)]
        with np.errstate(invalid="ignore"):
            return np.asarray(weights @ ratings / weights.sum(axis=1))

    def left_out(self, pool: Integers, ratings: Floats) -> Agreement:
        """Return how estimates of a pool's texts, each left out, agree with their ratings."""
        texts = [self.lengths[place] for place in pool]
        return agreement(self.estimates(pool, pool, ratings), ratings, texts)

    def systems_left_out(self, pool: Integers) -> Agreement:
        """Return how estimates of a pool's texts, the texts of each system left out together, agree with theirs."""
        ratings = self.ratings[pool]
        systems = np.unique(self.systems[pool], return_inverse=True)[1].ravel()
        estimates = np.full(len(pool), np.nan)
        for system in range(int(systems.max()) + 1):
            own, others = systems == system, systems != system
            values = self.estimates(pool[own], pool[others], ratings[others])
            estimates[own] = values - ratings[others].mean() + ratings.mean()
        texts = [self.lengths[place] for place in pool]
        return agreement(estimates, ratings, texts, baseline=float(ratings.mean()), systems=systems)


@lru_cache(maxsize=1)
def similarities(data_dir: str, folder: str, quality: str) -> Similarities:
    """Return a public set with its similarities.

    Args:
        data_dir: the folder that holds the sets' folders.
        folder: the set's.
        quality: the end of the set's name.
    """
    rated = next(each for each in READERS[folder](Path(data_dir) / folder) if each.name.endswith(quality))
    rated = _sampled(rated)
    merged = rated_pool(rated.texts, rated.ratings)
    texts = list(merged.texts)
    metric = BLEUNeighbors(n_jobs=1, progress=False).fit(texts, merged.ratings)
    weights = np.zeros((len(texts), len(texts)))
    for rows, block in similarity_blocks(metric):
        weights[rows] = np.where(block >= metric.threshold_, block, 0.0)
    system_of = dict(zip(reversed(rated.texts), reversed(rated.systems), strict=True))
    systems = np.unique([system_of[text] for text in texts], return_inverse=True)[1].ravel()
    return Similarities(rated.name, merged.ratings, weights, texts, systems)


def _sampled(rated: RatedSet) -> RatedSet:
    """Return at most `_MOST_TEXTS` of the texts, drawn at random."""
    if len(rated) <= _MOST_TEXTS:
        return rated
    if len(set(rated.systems)) > 1:
        return sampled(rated, _MOST_TEXTS)
    return rated.rows(np.sort(np.random.default_rng(0).permutation(len(rated))[:_MOST_TEXTS]))


def left_out_tasks(data_dir: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals of the corrected ρ that hold: of shuffled ratings 0, of real ones the mean.

    The mean is over pools, of ρ on all texts that are not in the pool.
    """
    for folder, quality in _OF_TEXTS:
        for size in SIZES:
            for shuffled in (True, False):
                yield partial(_cells_of_texts, (data_dir, folder, quality), size, shuffled, n_draws, seed)


def _cells_of_texts(
    rated_set: tuple[str, str, str], size: int, shuffled: bool, n_draws: int, seed: int
) -> list[HeldCell]:
    """Return the cell of pools of so many texts; none of a set that is too small for them."""
    known = similarities(*rated_set)
    if size > _LARGEST_POOL * len(known.ratings):
        return []
    return [cell_of_texts(known, size, shuffled, n_draws, np.random.default_rng(seed))]


def cell_of_texts(
    known: Similarities, size: int, shuffled: bool, n_draws: int, generator: np.random.Generator
) -> HeldCell:
    """Return the share of intervals that held, for pools of so many texts, with real or with shuffled ratings."""
    n = len(known.ratings)
    found, further = [], []
    for _ in range(n_draws):
        order = generator.permutation(n)
        pool, others = order[:size], order[size:]
        ratings = known.ratings[pool]
        if shuffled:
            ratings = generator.permutation(known.ratings)[:size]
        else:
            estimates = known.estimates(others, pool, ratings)
            covered = ~np.isnan(estimates)
            further.append(rank_correlation(estimates[covered], known.ratings[others][covered]))
        if np.ptp(ratings) > 0:
            found.append(known.left_out(pool, ratings))
    truth = 0.0 if shuffled else float(np.nanmean(further))
    plain, corrected = (np.array([getattr(each, name).value for each in found]) for name in ("spearman", "corrected"))
    ends = np.array([(each.corrected.low, each.corrected.high) for each in found])
    plain_ends = np.array([(each.spearman.low, each.spearman.high) for each in found])
    of_plain = np.mean((plain_ends[:, 0] <= truth) & (truth <= plain_ends[:, 1]))
    return held(
        "ρ of texts left out, corrected",
        f"{known.name}, {'shuffled' if shuffled else 'real'} ratings",
        f"{size} texts",
        (ends[:, 0] <= truth) & (truth <= ends[:, 1]),
        width=float(np.mean(ends[:, 1] - ends[:, 0])),
        beside=float(np.mean(plain_ends[:, 1] - plain_ends[:, 0])),
        note=(
            f"True ρ {truth:.3f}; mean {np.nanmean(corrected):.3f} corrected, {np.nanmean(plain):.3f} not, whose "
            f"interval held in {of_plain:.1%}; useful in {np.mean([each.reason == 'useful' for each in found]):.1%}"
        ),
    )


def further_system_tasks(data_dir: str, n_draws: int, seed: int) -> Iterator[Task]:
    """Yield tasks that count intervals of ρ for a further system that hold the ρ of one without ratings."""
    for folder, quality in _OF_SYSTEMS:
        for n_systems in (3, 5):
            yield partial(_cells_of_systems, (data_dir, folder, quality), n_systems, n_draws, seed)


def _cells_of_systems(rated_set: tuple[str, str, str], n_systems: int, n_draws: int, seed: int) -> list[HeldCell]:
    return [cell_of_systems(similarities(*rated_set), n_systems, n_draws, np.random.default_rng(seed))]


def cell_of_systems(known: Similarities, n_systems: int, n_draws: int, generator: np.random.Generator) -> HeldCell:
    """Return the share of intervals that held the ρ of one more system, by pools of so many systems of a set."""
    names = np.unique(known.systems)
    inside: list[bool] = []
    widths: list[float] = []
    beside: list[float] = []
    for _ in range(n_draws):
        drawn = generator.permutation(names)[: n_systems + 1]
        pool = np.flatnonzero(np.isin(known.systems, drawn[:-1]))
        other = np.flatnonzero(known.systems == drawn[-1])
        # A random two thirds of the rated texts, so that draws of the same systems differ.
        pool = np.sort(generator.permutation(pool)[: 2 * len(pool) // 3])
        found = known.systems_left_out(pool)
        estimates = known.estimates(other, pool, known.ratings[pool])
        covered = ~np.isnan(estimates)
        measured = rank_correlation(estimates[covered], known.ratings[other][covered])
        if np.isnan(measured) or np.isnan(found.corrected.low):
            continue
        inside.append(bool(found.corrected.low <= measured <= found.corrected.high))
        widths.append(found.corrected.high - found.corrected.low)
        beside.append(found.spearman.high - found.spearman.low)
    return held(
        "ρ measured on a further system",
        known.name,
        f"{n_systems} rated systems",
        inside,
        nominal=0.95,
        width=float(np.mean(widths)),
        beside=float(np.mean(beside)),
        note="What is measured has an error of its own, which the interval does not count.",
    )
