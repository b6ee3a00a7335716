"""Neighbours, sums over neighbours, and the estimates of Eq. 3 (Ethayarajh & Sadigh 2020).

q̂(x) is the mean of q(s) over N = {s : BLEU*(x, s) ≥ τ} if a ≤ |N| ≤ b · |S|, and undefined otherwise. All estimates,
for one threshold, for several or from parts of the pool, follow the rules of this module. The kernel of BLEU* alone
counts neighbours itself (`matching`), for speed, by the same rules.

Ratings are whole multiples of one small unit. Whole numbers have the same sum in any order, so that estimates depend
neither on block size nor on threads, texts with equal neighbours have equal estimates, and the addition vectorises.

One 64-bit word holds a rating of nearly every pool. If ratings differ so much in size that the smallest would lose more
than a billionth of itself (0.0001 among a million up to 1), ratings and sums are held as several words, the most
significant first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.kernels.inverted_index import TILE_BITS
from referenceless_metrics.core.support.computing import matmul
from referenceless_metrics.core.support.validation import Floats, Integers

WEIGHT_BITS = 36
"""Weights are multiples of 2^-36."""

LIMB_BITS = 62 - TILE_BITS - WEIGHT_BITS
"""Bits of one piece of a rating (limb): the sum of weighted limbs over a tile fits 63 bits."""

_MOST_LOST = 2e-9
"""Largest unit relative to the smallest rating, so that rounding changes it by a billionth at most."""

_FEWEST_LIMBS = 3
"""Limbs of a rating: with 17 bits each, 51 of its 53 bits are kept."""

_LEAST_UNIT = 1000
"""A one-word unit is at least 2^-1000, so that unit × sum does not underflow."""


@dataclass(frozen=True)
class Unit:
    """Unit of a pool's ratings as whole numbers.

    A rating is Σ_i word_i · 2^(bits · (n_words - 1 - i) - exponent).

    Attributes:
        exponent: the last word counts multiples of 2^-exponent.
        bits: number of bits in a word of a rating, without the sign. The other 62 - bits bits are for carries, so that
            the sum of all n ratings fits 64 bits.
        n_words: number of words of a rating.
    """

    exponent: int
    bits: int
    n_words: int

    def words(self, ratings: Floats) -> Integers:
        """Return ratings as words, shape (n_words, n): the nearest multiple of the first, then of each remainder."""
        words = np.empty((self.n_words, len(ratings)), dtype=np.int64)
        rest = np.ldexp(ratings, self.exponent - self.bits * (self.n_words - 1))
        for row in words:
            whole = np.rint(rest)
            row[:] = whole
            rest = np.ldexp(rest - whole, self.bits)  # exact: the difference of a number and the nearest whole number
        return words

    def numbers(self, sums: Integers) -> Floats:
        """Return summed words, shape (n_words, …), as numbers. Equal sums give equal numbers, added in any order."""
        words = sums.copy()
        # Propagate carries, so that equal sums have equal words.
        half = 1 << (self.bits - 1)
        for place in range(self.n_words - 1, 0, -1):
            carry = (words[place] + half) >> self.bits
            words[place] -= carry << self.bits
            words[place - 1] += carry
        total = np.zeros(words.shape[1:])
        for place in range(self.n_words - 1, -1, -1):
            total += np.ldexp(words[place].astype(float), self.bits * (self.n_words - 1 - place) - self.exponent)
        return total


def unit_of(ratings: Floats, bits: int, fewest: int = 1) -> Unit:
    """Return the unit for ratings, with as few words as keep the smallest rating exact enough.

    Args:
        ratings: the ratings of a pool, shape (n,).
        bits: bits of one word.
        fewest: fewest words of a rating.
    """
    sizes = np.abs(ratings[ratings != 0])
    if len(sizes) == 0:
        return Unit(0, bits, fewest)
    largest, smallest = (int(np.frexp(size)[1]) for size in (sizes.max(), sizes.min()))  # ratings are below 2^largest
    exponent = fewest * bits - largest
    if fewest == 1:
        exponent = min(exponent, _LEAST_UNIT)
    if np.ldexp(1.0, -exponent) <= _MOST_LOST * sizes.min():
        return Unit(exponent, bits, fewest)
    n_words = max(2, fewest, -(-(largest - smallest + 53) // bits))  # down to the last bit of the smallest
    return Unit(n_words * bits - largest, bits, n_words)


@dataclass(frozen=True)
class Ratings:
    """A pool's ratings in the forms that are summed.

    Attributes:
        values: shape (n,), float64.
        words: the ratings in `unit`, shape (n_words, n), int64, the most significant word first.
        unit: the unit of the words.
        limb_unit: the unit of the limbs, which are multiplied with weights (see `matching`).
    """

    values: Floats
    words: Integers
    unit: Unit
    limb_unit: Unit

    @classmethod
    def of(cls, values: Floats) -> Ratings:
        """Return the forms of n finite ratings, shape (n,). For 20,000 in [0, 1] the unit is 2^-46, in one word."""
        unit = unit_of(values, 62 - int(np.ceil(np.log2(len(values) + 1))))
        return cls(values, unit.words(values), unit, unit_of(values, LIMB_BITS, _FEWEST_LIMBS))

    def halves(self) -> Floats:
        """Return the halves of all words, shape (2 · n_words, n), as float64, which holds their sums exactly."""
        half = self.unit.bits // 2
        high, low = self.words >> half, self.words & ((1 << half) - 1)
        return np.stack((high, low), axis=1).reshape(-1, len(self.values)).astype(float)

    def sums_of_halves(self, sums: Floats) -> Floats:
        """Return sums of ratings from sums of `halves`, shape (2 · n_words, …)."""
        pairs = sums.astype(np.int64).reshape(self.unit.n_words, 2, *sums.shape[1:])
        return self.unit.numbers((pairs[:, 0] << (self.unit.bits // 2)) + pairs[:, 1])


TOO_FEW = "too few neighbours"
TOO_MANY = "too many neighbours"
"""Reasons for an abstention."""

REMEDIES = {
    TOO_FEW: "a lower threshold (`threshold=`, --threshold), fewer neighbours that are needed (`min_neighbors=`, "
    "--min-neighbors), or more rated texts like these",
    TOO_MANY: "a higher threshold (`threshold=`, --threshold), or a larger share of the pool that may be neighbours "
    "(`max_fraction=`, --max-fraction)",
}
"""Remedies that give more texts an estimate, by the reason of an abstention."""

SLACK = 1e-9
"""Tolerance: a similarity this close below the threshold still counts, and b · |S| this close below a whole number is
that number, so that rounding never decides."""

LEAST_WHOLE = 1e-3
"""Smallest threshold at which BLEU* sums similarity weights in whole units (see `matching`): each weight then has at
least eight digits."""

ABSENT = -1.0
"""Similarity of a text that cannot be a neighbour; it is below every threshold."""


@dataclass(frozen=True)
class Neighbor:
    """A rated text with its similarity to a candidate.

    Attributes:
        text: the rated text.
        similarity: the candidate's similarity to it, in [0, 1].
        rating: its rating.
        counts: whether it is a neighbour: the similarity reaches the threshold.
    """

    text: str
    similarity: float
    rating: float
    counts: bool


@dataclass(frozen=True)
class NeighborRule:
    """Rule for neighbours: least similarity, weight, and the numbers of neighbours that make an estimate.

    Attributes:
        threshold: τ; a pool text at least this similar is a neighbour.
        weights: `uniform` (Eq. 3), or `similarity`: a neighbour counts by its similarity.
        min_neighbors: a; fewest neighbours of an estimate.
        max_fraction: b; largest share of the pool that may be neighbours.
    """

    threshold: float
    weights: str = "uniform"
    min_neighbors: int = 1
    max_fraction: float = 1.0

    @property
    def least(self) -> float:
        """Least similarity of a neighbour, with the tolerance."""
        return self.threshold * (1.0 - SLACK)

    def weigh(self, similarity: Floats) -> Floats:
        """Return the weight of each text, 0 if it is no neighbour, in the shape of `similarity`."""
        return np.where(similarity >= self.least, similarity if self.weights == "similarity" else 1.0, 0.0)


@dataclass(frozen=True)
class NeighborTally:
    """Sums over the neighbours of c candidates. All arrays have one shape, (c,) unless another is named.

    Attributes:
        n_neighbors: |N|, int64.
        weight: the summed weights of the neighbours: |N| for uniform weights, float64.
        rating_sums: the weighted sum of their ratings, float64.
    """

    n_neighbors: Integers
    weight: Floats
    rating_sums: Floats

    def mean(self) -> Floats:
        """Return the (weighted) mean rating of the neighbours; NaN if there are none, or all weights are 0."""
        out = np.full(self.weight.shape, np.nan)
        np.divide(self.rating_sums, self.weight, out=out, where=self.weight > 0)
        return out


def most_neighbors(max_fraction: float, pool_size: ArrayLike) -> Integers:
    """Return the largest number of neighbours of an estimate: b · |S|, rounded down.

    >>> most_neighbors(0.66, [198, 100]).tolist(), int(most_neighbors(0.29, 100))
    ([130, 66], 29)
    """
    return np.floor(np.multiply(max_fraction, pool_size) + SLACK).astype(np.int64)


def estimates(mean: Floats, n_neighbors: Integers, min_neighbors: int, most: int | Integers) -> Floats:
    """Return the estimates of Eq. 3: the neighbours' mean, NaN if there are too few of them or too many.

    Args:
        mean: the result of `NeighborTally.mean`.
        n_neighbors: |N|, of the same shape.
        min_neighbors: a.
        most: the result of `most_neighbors`, one number or an array that broadcasts to the shape.
    """
    return np.where((n_neighbors >= min_neighbors) & (n_neighbors <= most), mean, np.nan)


def leave_absent(similarity: Floats, n_tokens: Integers, excluded: Integers | None = None) -> Floats:
    """Mark the texts that cannot be neighbours, in place, and return the similarities.

    A candidate without tokens has no neighbours, though at τ = 0 a similarity of 0 would reach the threshold. A text
    that is left out is no neighbour of its own.

    Args:
        similarity: the similarity of each candidate and each pool text, shape (c, n).
        n_tokens: number of tokens of each candidate, shape (c,).
        excluded: for each candidate the pool text that must not count, or -1; shape (c,).
    """
    similarity[n_tokens == 0] = ABSENT
    if excluded is not None:
        rows = np.flatnonzero(excluded >= 0)
        similarity[rows, excluded[rows]] = ABSENT
    return similarity


def tally(similarity: Floats, ratings: Ratings, rule: NeighborRule) -> NeighborTally:
    """Count and sum the neighbours of c candidates, from similarities as `leave_absent` marks them, shape (c, n)."""
    hit = similarity >= rule.least
    n_neighbors = hit.sum(axis=1, dtype=np.int64)
    if rule.weights == "uniform":
        words = np.stack([np.where(hit, row, 0).sum(axis=1) for row in ratings.words])
        return NeighborTally(n_neighbors, n_neighbors.astype(float), ratings.unit.numbers(words))
    weight = rule.weigh(similarity)
    return NeighborTally(n_neighbors, weight.sum(axis=1), (weight * ratings.values).sum(axis=1))


def tally_thresholds(
    similarity: Floats, ratings: Ratings, thresholds: Floats, weights: str = "uniform"
) -> NeighborTally:
    """Count and sum the neighbours of c candidates at several thresholds at once; arrays of shape (t, c).

    Args:
        similarity: as `leave_absent` marks them, shape (c, n).
        ratings: the ratings of the pool.
        thresholds: values of τ in any order, shape (t,).
        weights: as in `NeighborRule`.
    """
    summed = summing_at(similarity, thresholds)
    counts = summed()
    n_neighbors = counts.astype(np.int64)
    if weights == "uniform":
        halves = np.stack([summed(half) for half in ratings.halves()])
        return NeighborTally(n_neighbors, counts, ratings.sums_of_halves(halves))
    return NeighborTally(n_neighbors, summed(similarity), summed(similarity * ratings.values))


def summing_at(similarity: Floats, thresholds: Floats) -> Callable[..., Floats]:
    """Return a function that sums values of pool texts over the neighbours at each threshold, shape (t, c).

    It takes values of shape (n,) or (c, n); None to count.
    """
    ascending = np.argsort(thresholds, kind="stable")
    # The number of thresholds that each similarity reaches. A text that reaches one reaches all below it.
    reached = np.searchsorted(thresholds[ascending] * (1.0 - SLACK), similarity, side="right")
    rows, width = len(similarity), len(thresholds) + 1
    place = (reached + width * np.arange(rows)[:, None]).ravel()
    back = np.argsort(ascending)

    def summed(worth: Floats | None = None) -> Floats:
        spread = None if worth is None else np.broadcast_to(worth, similarity.shape).ravel()
        bins = np.bincount(place, spread, minlength=rows * width).reshape(rows, width)
        # From the highest threshold downwards.
        return np.asarray(np.cumsum(bins[:, :0:-1], axis=1)[:, ::-1].T[back], dtype=float)

    return summed


def tally_parts(members: Floats, ratings: Ratings, rule: NeighborRule) -> Callable[[Floats], NeighborTally]:
    """Return a function that tallies candidates' neighbours in each of d parts of a pool, such as random draws.

    It takes similarities as `leave_absent` marks them, shape (c, n), and its arrays have the shape (c, d).

    Args:
        members: one column per part, 1 if a pool text belongs to it and 0 if not, shape (n, d).
        ratings: the ratings of the pool.
        rule: the rule for neighbours.
    """
    by_similarity = rule.weights == "similarity"
    rated = [members * worth[:, None] for worth in (ratings.values[None] if by_similarity else ratings.halves())]

    def tally(similarity: Floats) -> NeighborTally:
        neighbor = (similarity >= rule.least).astype(float)
        counts = np.rint(matmul(neighbor, members))
        if by_similarity:
            weight = rule.weigh(similarity)
            return NeighborTally(counts.astype(np.int64), matmul(weight, members), matmul(weight, rated[0]))
        halves = np.stack([matmul(neighbor, part) for part in rated])
        return NeighborTally(counts.astype(np.int64), counts, ratings.sums_of_halves(halves))

    return tally
