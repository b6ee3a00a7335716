"""Sums of ratings that depend on no order: ratings as whole multiples of one small unit.

Whole numbers add up to the same sum in any order, so estimates depend on no block size, no thread count and no division
of a pool into parts, texts with equal neighbours have equal estimates, and the addition vectorises.

One 64-bit word holds the ratings of nearly every pool. Where ratings differ so much in size that the smallest would
lose more than a billionth of itself (0.0001 among a million up to 1), each is held as several words, the most
significant first, as are the sums.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.compiled.weighing import LIMB_BITS
from metric_commons.support.types import Floats, Integers

_MOST_LOST = 2e-9
"""A unit may be this large beside the smallest rating: rounding then takes no more than a billionth of it."""

_FEWEST_LIMBS = 3
"""With limbs of 17 bits, a rating keeps 51 of its 53."""

_LEAST_UNIT = 1000
"""A unit of 2^-1000 at least, where one word does: its product with a sum is then a number."""


@dataclass(frozen=True)
class Unit:
    """What whole numbers stand for, fixed for a whole pool.

    A rating is Σ_i word_i · 2^(bits · (n_words - 1 - i) - exponent).

    Attributes:
        exponent: the last word counts multiples of 2^-exponent.
        bits: how many bits a word of a rating holds, its sign aside. 62 - bits bits are left for carries, so that the
            sums of all n ratings fit a word of 64.
        n_words: words to a rating.
    """

    exponent: int
    bits: int
    n_words: int


def unit_of(ratings: Floats, bits: int, fewest: int = 1) -> Unit:
    """Return the unit for ratings: of the fewest words, or of as many as lose nothing where sizes differ a lot.

    Args:
        ratings: of a pool, shape (n,).
        bits: to a word.
        fewest: words to a rating, at least.
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


def _in_words(ratings: Floats, unit: Unit) -> Integers:
    """Return ratings as words, shape (n_words, n): the first rounded to the nearest, each next the remainder."""
    words = np.empty((unit.n_words, len(ratings)), dtype=np.int64)
    rest = np.ldexp(ratings, unit.exponent - unit.bits * (unit.n_words - 1))
    for row in words:
        whole = np.rint(rest)
        row[:] = whole
        rest = np.ldexp(rest - whole, unit.bits)  # exact: the difference of a number and its nearest whole one
    return words


@dataclass(frozen=True)
class Ratings:
    """A pool's ratings, ready to be summed.

    Attributes:
        values: shape (n,), float64.
        words: the same in `unit`, shape (n_words, n), int64, the most significant first.
        unit: what the words count.
        limb_unit: what narrower words count, which are multiplied by weights (see `compiled.weighing`).
    """

    values: Floats
    words: Integers
    unit: Unit
    limb_unit: Unit

    @classmethod
    def of(cls, values: Floats) -> Ratings:
        """Return n finite ratings, shape (n,); for 20,000 in [0, 1], the unit, of one word, is 2^-46."""
        unit = unit_of(values, 62 - int(np.ceil(np.log2(len(values) + 1))))
        return cls(values, _in_words(values, unit), unit, unit_of(values, LIMB_BITS, _FEWEST_LIMBS))

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, which: slice | Integers) -> Ratings:
        """Return some of the ratings, or all in another order, in the same unit."""
        return Ratings(self.values[which], self.words[:, which], self.unit, self.limb_unit)

    def limbs(self) -> NDArray[np.int32]:
        """Return the ratings in `limb_unit`, shape (n_limbs, n): words that 64 bits hold multiplied by a weight."""
        return _in_words(self.values, self.limb_unit).astype(np.int32)

    def halves(self) -> Floats:
        """Return the words in halves, shape (2 · n_words, n), float64, whose sums float64 holds exactly.

        `ExactSums.of_halves` puts their sums together.
        """
        half = self.unit.bits // 2
        high, low = self.words >> half, self.words & ((1 << half) - 1)
        return np.stack((high, low), axis=1).reshape(-1, len(self)).astype(np.float64)


@dataclass(frozen=True)
class ExactSums:
    """Sums of ratings.

    Attributes:
        words: shape (n_words, …), int64, as those of the ratings.
        unit: that of the ratings.
    """

    words: Integers
    unit: Unit

    @classmethod
    def of_halves(cls, sums: Floats, unit: Unit) -> ExactSums:
        """Return sums from those of `Ratings.halves`, shape (2 · n_words, …)."""
        pairs = sums.astype(np.int64).reshape(unit.n_words, 2, *sums.shape[1:])
        return cls((pairs[:, 0] << (unit.bits // 2)) + pairs[:, 1], unit)

    def __add__(self, other: ExactSums) -> ExactSums:
        """Return the sums over two parts of one pool, whose ratings have one unit."""
        return ExactSums(self.words + other.words, self.unit)

    def values(self) -> Floats:
        """Return the sums as numbers; equal sums give equal numbers, whatever they were added up from."""
        unit = self.unit
        words = self.words
        if unit.n_words > 1:
            words = words.copy()
            # Carried until the words of a sum are the only ones that make it up, and none outweighs those before it.
            half = 1 << (unit.bits - 1)
            for place in range(unit.n_words - 1, 0, -1):
                carry = (words[place] + half) >> unit.bits
                words[place] -= carry << unit.bits
                words[place - 1] += carry
        total = np.zeros(words.shape[1:], dtype=np.float64)
        for place in range(unit.n_words - 1, -1, -1):
            total += np.ldexp(words[place].astype(np.float64), unit.bits * (unit.n_words - 1 - place) - unit.exponent)
        return total
