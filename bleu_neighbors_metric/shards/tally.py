"""What candidates find in one shard of a pool, and the estimates that all shards together make.

Shard i of k holds the distinct texts i, i + k, … of the whole pool. Ratings are summed in the whole pool's unit, so
that merged tallies equal those of one machine bit for bit; a and b · |S| apply to the merged tally alone. Weights by
similarity are sums of float64, and equal up to their rounding.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.base import PoolData
from bleu_neighbors_metric.kernels.estimates import estimated
from bleu_neighbors_metric.kernels.exact_sums import ExactSums, Ratings
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally, most_neighbors
from bleu_neighbors_metric.kernels.registry import prepare_pool
from bleu_neighbors_metric.kernels.thresholds import AUTO
from bleu_neighbors_metric.options import check_parameters, signature_of, text_options
from bleu_neighbors_metric.shards.distinct import distinct_texts, pool_hash
from metric_commons.results import MetricResult
from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_number, check_quality, check_texts

KERNELS_BY_PAIR = ("bleu_star", "rouge_l", "meteor")
"""Kernels whose similarity of two texts depends on no third; the others learn from the whole pool."""

MOST_SHARDS = 1_000_000


@dataclass(frozen=True)
class Shard:
    """Shard `number` of `of`, counted from 1.

    Raises:
        TypeError: for anything but whole numbers.
        ValueError: for a number that is not in 1 … `of`.
    """

    number: int
    of: int

    def __post_init__(self) -> None:
        check_number(self.of, "of", minimum=1, maximum=MOST_SHARDS, integer=True)
        check_number(self.number, "number", minimum=1, maximum=self.of, integer=True)

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Return the shard that is written as i/k.

        >>> Shard.parse("2/7")
        Shard(number=2, of=7)
        """
        found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", text, re.ASCII)
        if not found:
            raise ValueError(f"Expected a shard as i/k, such as 2/7, but got {text!r}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


@dataclass(frozen=True)
class Whole:
    """What the tallies of all shards must agree in.

    Attributes:
        signature: what determines the estimates, with the size and the hash of the whole pool.
        pool_size: |S|, its distinct texts.
        min_neighbors: a.
        max_fraction: b.
        candidates: SHA-256 of the candidates, in hexadecimal.
        left_out: whether the candidates are the pool's own texts, none of which counts for itself.
    """

    signature: str
    pool_size: int
    min_neighbors: int
    max_fraction: float
    candidates: str
    left_out: bool


@dataclass(frozen=True)
class ShardTally:
    """The neighbours of c candidates in one shard.

    Attributes:
        shard: which one.
        whole: what it belongs to.
        tally: the sums, shape (c,).
        empty: which candidates are empty, shape (c,).
    """

    shard: Shard
    whole: Whole
    tally: NeighborTally
    empty: NDArray[np.bool_]


@dataclass(frozen=True)
class ShardedPool:
    """A pool that is tallied shard by shard: what all shards have in common, made once.

    Attributes:
        metric: the parameters.
        texts: the pool's distinct texts, n of them.
        ratings: of each, in the whole pool's unit.
        candidates: the texts to estimate, c of them.
        whole: what the tallies of all shards must agree in.
    """

    metric: BLEUNeighbors
    texts: list[str]
    ratings: Ratings
    candidates: list[str]
    whole: Whole

    @classmethod
    def of(
        cls,
        metric: BLEUNeighbors,
        texts: Iterable[str],
        ratings: ArrayLike,
        candidates: Iterable[str] | None = None,
    ) -> ShardedPool:
        """Return a pool that is ready to be tallied; nothing of it is indexed yet.

        Args:
            metric: the parameters; it need not be fitted.
            texts: the whole pool, m texts; equal ones are merged before it is sharded.
            ratings: of each, shape (m,).
            candidates: c texts; None for the pool's distinct texts, each estimated from all others.

        Raises:
            TypeError: as `BLEUNeighbors.fit` does.
            ValueError: as `BLEUNeighbors.fit` does, and for what only a whole pool can tell: the threshold `auto`, or a
                kernel that learns from it.
        """
        given = metric.get_params()
        check_parameters(given)
        if metric.threshold == AUTO:
            raise ValueError("Expected argument `threshold` to be a number for shards: 'auto' looks at the whole pool")
        if metric.kernel not in KERNELS_BY_PAIR:
            known = ", ".join(KERNELS_BY_PAIR)
            raise ValueError(f"Expected argument `kernel` to be one of {known} for shards, but got {metric.kernel!r}")
        listed = check_texts(texts, "texts", allow_empty=False)
        pool, quality, _ = distinct_texts(
            listed, check_quality(ratings, "ratings", length=len(listed), finite_sum=True)
        )
        del listed
        left_out = candidates is None
        asked = pool if candidates is None else check_texts(candidates, "candidates")
        signature = signature_of(given, float(metric.threshold), f"{len(pool)}.{pool_hash(pool, quality)}")
        least, share = int(metric.min_neighbors), float(metric.max_fraction)
        whole = Whole(signature, len(pool), least, share, _digest(asked), left_out)
        return cls(metric, pool, Ratings.of(quality), asked, whole)

    @property
    def empty(self) -> NDArray[np.bool_]:
        """Which candidates are empty, shape (c,)."""
        return np.array([not text for text in self.candidates], dtype=np.bool_)

    def tally(self, shard: Shard) -> NeighborTally:
        """Tally the neighbours of all candidates in one shard; only that shard is indexed.

        Raises:
            ValueError: for more shards than texts.
        """
        self.check_shards(shard.of)
        metric, own = self.metric, slice(shard.number - 1, None, shard.of)
        excluded = None
        if self.whole.left_out:
            everyone = np.arange(len(self.texts), dtype=np.int64)
            excluded = np.where(everyone % shard.of == shard.number - 1, everyone // shard.of, -1)
        options = dict(metric.kernel_options or {})
        reading = text_options(metric.get_params())
        data = PoolData(self.texts[own], self.ratings.values[own], reading, options, metric.n_jobs, metric.progress)
        index = prepare_pool(metric.kernel, data)
        rule = NeighborRule(float(metric.threshold), metric.weights)
        parts = index.tally(self.candidates, self.ratings[own], rule, excluded=excluded, n_jobs=metric.n_jobs)
        found: list[NeighborTally] = []
        with progress_bar(len(self.candidates), f"shard {shard}", metric.progress) as bar:
            for _, tally in parts:
                found.append(tally)
                bar.update(len(tally.n_neighbors))
        return _joined(found, self.ratings[:0], rule)

    def check_shards(self, of: int) -> None:
        """Check that a pool has a text for each of so many shards.

        Raises:
            ValueError: where it has not.
        """
        if of > len(self.texts):
            raise ValueError(f"Expected at most as many shards as distinct texts ({len(self.texts)}), but got {of}")


def tally_shard(
    metric: BLEUNeighbors,
    texts: Iterable[str],
    ratings: ArrayLike,
    shard: Shard,
    candidates: Iterable[str] | None = None,
) -> ShardTally:
    """Tally the neighbours of candidates in one shard of a pool, to be merged with those in all others.

    Args:
        metric: as `ShardedPool.of` takes it.
        texts: as `ShardedPool.of` takes them.
        ratings: as `ShardedPool.of` takes them.
        shard: which part of the pool to tally.
        candidates: as `ShardedPool.of` takes them.

    Raises:
        TypeError: as `ShardedPool.of`.
        ValueError: as `ShardedPool.of` and `ShardedPool.tally`.
    """
    pool = ShardedPool.of(metric, texts, ratings, candidates)
    return ShardTally(shard, pool.whole, pool.tally(shard), pool.empty)


def estimates_of(whole: Whole, tally: NeighborTally, empty: NDArray[np.bool_]) -> MetricResult:
    """Return the estimates that a tally over the whole pool makes: a and b · |S| apply here, and nowhere earlier."""
    most = int(most_neighbors(whole.max_fraction, whole.pool_size - whole.left_out))
    return estimated(tally.mean(), tally.n_neighbors, empty, whole.min_neighbors, most, whole.signature)


def merge(tallies: Sequence[ShardTally]) -> MetricResult:
    """Return the estimates that all shards of a pool make, in the order of the candidates.

    Raises:
        ValueError: for shards of different pools, parameters, versions or candidates, one that comes twice, and shards
            that are missing; the message names them.
    """
    if not tallies:
        raise ValueError("Expected argument `tallies` to hold every shard's tally, but it is empty")
    ordered = sorted(tallies, key=lambda tally: tally.shard.number)
    whole, of = ordered[0].whole, ordered[0].shard.of
    for other in ordered[1:]:
        if other.whole.signature != whole.signature:
            raise ValueError(
                f"Expected shards of one pool with one signature, but got {whole.signature} and {other.whole.signature}"
            )
        if other.whole != whole or len(other.empty) != len(ordered[0].empty):
            raise ValueError("Expected shards that were tallied for the same candidates, but these were not")
        if other.shard.of != of:
            raise ValueError(f"Expected shards of one division, but got {ordered[0].shard} and {other.shard}")
    numbers = [tally.shard.number for tally in ordered]
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    missing = sorted(set(range(1, of + 1)) - set(numbers))
    if twice or missing:
        told = ", ".join(f"{number}/{of}" for number in (twice or missing)[:10])
        raise ValueError(f"Expected each of {of} shards once, but {told} {'came twice' if twice else 'did not come'}")
    return estimates_of(whole, reduce(add, (each.tally for each in ordered)), ordered[0].empty)


def _joined(found: list[NeighborTally], none: Ratings, rule: NeighborRule) -> NeighborTally:
    """Return the tally of all candidates from those of batches, in their order."""
    n_neighbors = np.concatenate([np.zeros(0, dtype=np.int64), *(tally.n_neighbors for tally in found)])
    if rule.weights == "uniform":
        words = [tally.quality.words for tally in found if isinstance(tally.quality, ExactSums)]
        return NeighborTally.uniform(n_neighbors, ExactSums(np.concatenate([none.words, *words], axis=1), none.unit))
    weight = np.concatenate([np.zeros(0), *(tally.weight for tally in found)])
    return NeighborTally(n_neighbors, weight, np.concatenate([np.zeros(0), *(t.weighted_quality for t in found)]))


def _digest(texts: Sequence[str]) -> str:
    digest = hashlib.sha256()
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(content) + content)
    return digest.hexdigest()
