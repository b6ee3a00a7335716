"""The rated pool: its distinct texts, or a random part of them, and a threshold that covers them.

And what parameters make of it: the index, the threshold in use, the signature.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from bleu_neighbors_metric.kernels.kernel import Pool, PoolData, TextOptions, prepare_pool
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, Ratings, most_neighbors
from bleu_neighbors_metric.options import AUTO, check_parameters, signature_of, text_options
from metric_commons.metric import RatingEstimator
from metric_commons.results import MetricResult
from metric_commons.support.validation import Floats, Integers, NotFittedError, Options, Record

if TYPE_CHECKING:
    from bleu_neighbors_metric.tuning.stored_calibration import StoredCalibration
    from metric_commons.assessment.agreement import Verdict


GRID = np.round(np.concatenate([np.arange(0.0, 0.30, 0.01), np.arange(0.30, 0.96, 0.05)]), 2)
"""The thresholds that are tried, ascending, shape (44,): by words, or by embeddings, short texts are very similar."""

SAMPLE = 2_000
"""Of a larger pool so many texts are tried: their coverage is that of the pool within two points."""

_SEED = 3


class RatedPool(NamedTuple):
    """Rated texts, equal ones merged, or a random part of them.

    Attributes:
        texts: n distinct texts, in order of first appearance.
        ratings: their mean ratings, shape (n,).
        counts: how many ratings each one had, shape (n,), int64.
    """

    texts: list[str]
    ratings: Floats
    counts: Integers


def rated_pool(texts: Sequence[str], ratings: Floats, max_pool: int | None = None, random_state: int = 0) -> RatedPool:
    """Return the distinct texts of a pool; of more than `max_pool`, so many drawn at random, each as likely."""
    places: dict[str, int] = {}
    where = np.fromiter((places.setdefault(text, len(places)) for text in texts), np.int64, len(texts))
    distinct, counts = list(places), np.bincount(where)
    means = np.bincount(where, weights=ratings) / counts
    if max_pool is None or len(distinct) <= max_pool:
        return RatedPool(distinct, means, counts)
    drawn = _drawn(len(distinct), max_pool, random_state)
    return RatedPool([distinct[place] for place in drawn.tolist()], means[drawn], counts[drawn])


def pool_hash(texts: Sequence[str], ratings: Floats) -> str:
    """Return eight hexadecimal digits that tell a pool from others."""
    digest = hashlib.sha256()
    for text, rating in zip(texts, ratings, strict=True):
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0" + repr(float(rating)).encode() + b"\0")
    return digest.hexdigest()[:8]


def covering_threshold(
    pool: Pool, texts: Sequence[str], min_neighbors: int, max_fraction: float, n_jobs: int | None = None
) -> float:
    """Return the highest threshold of `GRID` that covers the most of a pool, each text being left out in turn.

    The highest, because what covers alike rates by the nearer neighbours. No rating plays a part, so whatever is
    measured on the pool by leave-one-out with this threshold is not flattered by its choice.

    Args:
        pool: the n texts, prepared for matching.
        texts: the same texts.
        min_neighbors: a.
        max_fraction: b.
        n_jobs: threads.

    Returns:
        A member of `GRID`; 0 where no threshold covers any text.
    """
    most = int(most_neighbors(max_fraction, len(pool) - 1))
    sample = np.arange(len(pool)) if len(pool) <= SAMPLE else _drawn(len(pool), SAMPLE, _SEED)
    n_neighbors = pool.count_neighbors([texts[i] for i in sample.tolist()], GRID, excluded=sample, n_jobs=n_jobs)
    covered = ((n_neighbors >= max(min_neighbors, 1)) & (n_neighbors <= most)).sum(axis=1)
    return float(GRID[np.flatnonzero(covered == covered.max())[-1]]) if covered.any() else 0.0


def _drawn(n: int, size: int, seed: int) -> Integers:
    """Return the places of `size` of n texts drawn at random, ascending."""
    return np.sort(np.random.default_rng(seed).choice(n, size, replace=False))


MOST_LEFT_OUT = 5_000
"""Texts of the largest pool that is left out, text by text, where one is fitted for good: by `fit`, and on the page."""

_MOST_ON_DEMAND = 2_000  # texts of the largest pool that is left out for its verdict alone: .2 s


Index: TypeAlias = tuple[str, TextOptions, Record]
"""What an index depends on, beside the texts: the kernel, how it reads texts, its own options."""


@dataclass
class PoolInUse:
    """What the parameters make of the pool: the fitted state.

    Attributes:
        parameters: their values when this was worked out, as text: one may change in place.
        index: what the index depends on.
        pool: the texts, indexed for the kernel.
        ratings: of the pool.
        covering: the threshold that `"auto"` chose, and `min_neighbors` and `max_fraction` then; None for no search.
        rule: who is a neighbour.
        signature: what determines estimates.
        verdict: what leaving each text out shows of the estimates, once it was asked for.
        left_out: the estimates of the pool's texts, each from the others, once they were asked for.
    """

    parameters: str
    index: Index
    pool: Pool
    ratings: Ratings
    covering: tuple[float, int, float] | None
    rule: NeighborRule
    signature: str
    verdict: Verdict | None = None
    left_out: MetricResult | None = None


class FittedPool(RatingEstimator):
    """The fitted state of `BLEUNeighbors`, whose parameters and attributes are told there."""

    threshold: float | str
    min_neighbors: int
    max_fraction: float
    kernel: str
    kernel_options: Options | None
    weights: str
    max_pool: int | None
    exclude_pool: bool
    n_jobs: int | None
    progress: bool | None
    texts_: Sequence[str]
    ratings_: Floats
    counts_: Integers
    pool_hash_: str

    _known_texts: frozenset[str]
    _in_use: PoolInUse | None = None
    _calibration: StoredCalibration | None = None

    def __sklearn_is_fitted__(self) -> bool:
        return self._in_use is not None

    def __getstate__(self) -> Record:
        """Leave out what was measured on demand: what is pickled does not change with use."""
        state = self.__dict__.copy()
        if self._in_use is not None:
            state["_in_use"] = replace(self._in_use, verdict=None, left_out=None)
        return state

    def hold(
        self,
        rated: RatedPool,
        indexed: Pool | None = None,
        known_hash: str | None = None,
        threshold: float | None = None,
        calibration: StoredCalibration | None = None,
    ) -> None:
        """Take rated texts as the pool, or leave all as it was where they cannot be indexed.

        Args:
            rated: the texts.
            indexed: the same texts, indexed for the kernel with the parameters; None to do so.
            known_hash: what tells the pool from others; None to find it.
            threshold: that `auto` chooses, where that is known.
            calibration: of the estimator, where there is one.
        """
        index, values = self._index(), Ratings.of(rated.ratings)
        pool = self._indexed(index, rated.texts, rated.ratings) if indexed is None else indexed
        self.texts_, self.ratings_, self.counts_ = rated
        self.pool_hash_ = known_hash or pool_hash(rated.texts, rated.ratings)
        self._known_texts = frozenset(rated.texts)
        self._calibration = calibration
        covering = None if threshold is None else (threshold, self.min_neighbors, self.max_fraction)
        self._in_use = self._use(index, pool, values, covering)

    def attach_calibration(self, calibration: StoredCalibration) -> None:
        """Keep a calibration of the estimator."""
        self._calibration = calibration

    def in_use(self) -> PoolInUse:
        """Return what the parameters make of the pool: read once a call, and worked out where one of them has changed.

        Raises:
            NotFittedError: before `fit`.
            TypeError: for a parameter of the wrong kind.
            ValueError: for one outside its range.
        """
        use = self._in_use
        if use is None:
            raise NotFittedError("This BLEUNeighbors has no pool yet: call `fit` or `load` first")
        if use.parameters != repr(self.get_params()):
            check_parameters(vars(self))
            n, index, pool, covering = len(self.texts_), self._index(), use.pool, use.covering
            if self.max_pool is not None and n > self.max_pool:
                raise ValueError(f"Expected `max_pool` before `fit`: the pool has {n} texts, more than {self.max_pool}")
            if index != use.index:
                pool, covering = self._indexed(index, self.texts_, self.ratings_), None
            use = self._in_use = self._use(index, pool, use.ratings, covering)
        return use

    def _index(self) -> Index:
        return self.kernel, text_options(vars(self)), dict(self.kernel_options or {})

    def _indexed(self, index: Index, texts: Sequence[str], ratings: Floats) -> Pool:
        return prepare_pool(index[0], PoolData(texts, ratings, *index[1:], self.n_jobs, self.progress))

    def _use(self, index: Index, pool: Pool, ratings: Ratings, covering: tuple[float, int, float] | None) -> PoolInUse:
        """Work out what the parameters make of the pool; `covering` is what `"auto"` chose last, if it was asked."""
        if self.threshold != AUTO:
            threshold = float(self.threshold)
        else:
            chosen_for = self.min_neighbors, self.max_fraction
            if covering is None or covering[1:] != chosen_for:
                covering = covering_threshold(pool, self.texts_, *chosen_for, self.n_jobs), *chosen_for
            threshold = covering[0]
        signature = signature_of(vars(self), threshold, f"{len(self.texts_)}.{self.pool_hash_}")
        return PoolInUse(
            repr(self.get_params()), index, pool, ratings, covering, NeighborRule(threshold, self.weights), signature
        )

    @property
    def pool(self) -> Pool:
        """The pool's texts, indexed for the kernel."""
        return self.in_use().pool

    @property
    def mean_rating(self) -> float:
        """The mean rating of the pool: what is known of a text of which nothing else is known."""
        return float(self.ratings_.mean())

    @property
    def rule(self) -> NeighborRule:
        """Who is a neighbour: the threshold and the weights."""
        return self.in_use().rule

    @property
    def threshold_(self) -> float:
        """τ in use: the parameter, or what `"auto"` chose, anew where a parameter that it depends on has changed."""
        return self.in_use().rule.threshold

    @property
    def calibration(self) -> StoredCalibration | None:
        """What the estimates are worth; None before it was measured, or where parameters have changed since."""
        calibration = self._calibration
        return calibration if calibration is not None and calibration.holds_for(self.signature) else None

    @property
    def known_verdict(self) -> Verdict | None:
        """What the estimates are worth, where a calibration says so or `verdict` was asked for; else None."""
        return None if self._in_use is None else self.calibration or self.in_use().verdict

    @property
    def verdict(self) -> Verdict | None:
        """What leaving each rated text out shows of the estimates: measured when it is first asked for, and kept.

        None before `fit`, and of a pool of more than 2,000 texts without a calibration.
        """
        known = self.known_verdict
        if known is None and self._in_use is not None and 2 <= len(self.texts_) <= _MOST_ON_DEMAND:
            from metric_commons.assessment.agreement import agreement, verdict_from

            known = verdict_from(agreement(self.leave_one_out().values, self.ratings_, self.texts_))
            self.in_use().verdict = known
        return known

    @abstractmethod
    def leave_one_out(self) -> MetricResult:
        """Estimate each distinct pool text from all the others."""

    @property
    def signature(self) -> str:
        """What determines the estimates, in sacrebleu's style; of a fitted estimator also the pool's size and hash."""
        return signature_of(vars(self)) if self._in_use is None else self.in_use().signature
