"""What every kernel is: a pool of texts prepared for matching, and how texts and options are read.

A kernel says how similar a few candidates are to all texts of the pool. Neighbours are counted block by block, so the
whole candidates × pool matrix never exists; a kernel with an index of its own counts for itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from bleu_neighbors_metric.kernels.exact_sums import Ratings
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally, count_thresholds, leave_absent, tally
from bleu_neighbors_metric.tokenizers import check_tokenizer
from metric_commons.support.parallel import in_batches
from metric_commons.support.types import Floats, Integers
from metric_commons.support.validation import check_choice, check_flag, check_number, describe

SMOOTH_METHODS = ("none", "floor", "add-k", "exp")
"""sacrebleu's smoothing methods."""

MOST_ORDERS = 32
"""N-gram orders at once: the product of so many counts below 2^31 is still a float64."""

BLOCK_CELLS = 1 << 20
"""Similarities to a block, at most (unless the pool alone is larger): 8 MB, and thrice that while they are tallied."""

_MOST_ROWS = 512

_LARGE_BLOCK_CELLS = 1 << 22

Found = TypeVar("Found")


@dataclass(frozen=True)
class TextOptions:
    """How a kernel reads texts; checked as it is made, so that compiled code sees nothing else.

    Raises:
        TypeError: for an option of the wrong kind.
        ValueError: for one outside its range.

    Attributes:
        tokenize: a tokeniser's name (see `tokenizers.known_tokenizers`).
        ngram_orders: n-gram orders, in ascending order whatever order they are given in.
        smooth_method: sacrebleu's smoothing of n-gram precisions: `none`, `floor`, `add-k` or `exp`.
        smooth_value: the value of `floor` and `add-k`; None for sacrebleu's default.
        clip: clipped n-gram counts (as BLEU's reference implementations count), or Eq. 1 as it is written.
    """

    tokenize: str = "char"
    ngram_orders: Sequence[int] = (2, 3, 4)
    smooth_method: str = "none"
    smooth_value: float | None = None
    clip: bool = True

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenize)
        orders: object = self.ngram_orders
        if isinstance(orders, (str, bytes)) or not isinstance(orders, Sequence):
            raise TypeError(
                f"Expected argument `ngram_orders` to be a tuple of whole numbers, but got {describe(orders)}"
            )
        for order in orders[: MOST_ORDERS + 1]:
            check_number(order, "ngram_orders", minimum=1, maximum=2**31 - 1, integer=True)
        if not 1 <= len(orders) <= MOST_ORDERS or len(set(orders)) < len(orders):
            raise ValueError(
                f"Expected argument `ngram_orders` to hold 1 to {MOST_ORDERS} distinct n-gram orders, but got "
                f"{describe(orders)}"
            )
        object.__setattr__(self, "ngram_orders", tuple(sorted(map(int, orders))))
        check_choice(self.smooth_method, "smooth_method", SMOOTH_METHODS)
        if self.smooth_value is not None:
            most = 1.0 if self.smooth_method == "floor" else np.inf  # a floor above 1 makes similarities above 1
            check_number(self.smooth_value, "smooth_value", minimum=0, maximum=most)
        check_flag(self.clip, "clip")


@dataclass(frozen=True)
class PoolData:
    """What a kernel prepares a pool from.

    Attributes:
        texts: the pool, n distinct texts.
        ratings: their quality, shape (n,); only a learned kernel reads it.
        options: how texts are read.
        kernel_options: the kernel's own options.
        n_jobs: threads, as in scikit-learn.
        progress: False for no progress bar, True for one, None for one on a terminal.
    """

    texts: Sequence[str]
    ratings: Floats
    options: TextOptions = TextOptions()
    kernel_options: Mapping[str, Any] = field(default_factory=dict)
    n_jobs: int | None = None
    progress: bool | None = None


class Pool(ABC):
    """Pool texts, prepared for matching by one kernel. Results refer to them in their given order.

    Args:
        size: how many texts there are.
    """

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    @abstractmethod
    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Compare a few candidates with the pool.

        It is called from several threads at once, and a candidate's row depends on no other candidate.

        Returns:
            The similarity of each candidate and each pool text, shape (c, n), a new array that is the caller's; and
            the number of tokens of each candidate, shape (c,): one without any has no neighbours, even at threshold 0.
        """

    def similarities(self, candidates: Sequence[str]) -> Floats:
        """Return the similarity of each candidate and each pool text, shape (c, n): the matrix, for few candidates."""
        return self.compare(candidates)[0]

    def tally(
        self,
        candidates: Sequence[str],
        ratings: Ratings,
        rule: NeighborRule,
        *,
        excluded: Integers | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count the neighbours of each candidate and sum their ratings, batch by batch.

        Args:
            candidates: c texts.
            ratings: the pool's, n of them in the pool's order.
            rule: the threshold on the similarity and the weights of neighbours.
            excluded: for each candidate the pool text that must not count (itself, when leaving one out), or -1;
                shape (c,).
            n_jobs: threads, as in scikit-learn: None for one, -1 for all processors. Results depend on neither
                threads nor batches.

        Returns:
            An iterator over batches: which candidates, and their tally.
        """

        def task(batch: slice, similarity: Floats) -> tuple[slice, NeighborTally]:
            return batch, tally(similarity, ratings, rule)

        height = max(1, min(_MOST_ROWS, BLOCK_CELLS // max(1, len(self))))
        return self.in_blocks(task, candidates, excluded, n_jobs, height)

    def count_neighbors(
        self,
        candidates: Sequence[str],
        thresholds: Floats,
        *,
        excluded: Integers | None = None,
        n_jobs: int | None = None,
    ) -> Integers:
        """Return the number of neighbours of each candidate at each threshold, shape (t, c).

        Args:
            candidates: c texts.
            thresholds: values of τ, ascending, shape (t,).
            excluded: as in `tally`.
            n_jobs: as in `tally`.
        """

        def task(_: slice, similarity: Floats) -> Integers:
            return count_thresholds(similarity, thresholds)

        empty = np.empty((len(thresholds), 0), dtype=np.int64)
        return np.concatenate([empty, *self.in_blocks(task, candidates, excluded, n_jobs)], axis=1)

    def in_blocks(
        self,
        function: Callable[[slice, Floats], Found],
        candidates: Sequence[str],
        excluded: Integers | None = None,
        n_jobs: int | None = None,
        height: int | None = None,
    ) -> Iterator[Found]:
        """Yield what a function makes of one block of candidates after the other, on `n_jobs` threads.

        Args:
            function: it takes which candidates they are, and their similarities as `leave_absent` marks them, (c, n).
            candidates: the texts.
            excluded: as in `tally`.
            n_jobs: as in `tally`.
            height: candidates to a block; None for as many as matrix products want.
        """

        def task(batch: slice) -> Found:
            similarity, n_tokens = self.compare(candidates[batch])
            return function(batch, leave_absent(similarity, n_tokens, None if excluded is None else excluded[batch]))

        height = height or max(1, min(256, _LARGE_BLOCK_CELLS // max(1, len(self))))
        return in_batches(task, len(candidates), height, n_jobs)
