"""The kernels by name: how similar a candidate is to a rated text.

A kernel turns a pool of texts into a `Pool`, which tallies the neighbours of candidates without a candidates × pool
matrix, and gives similarities for a few candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from metric_commons.validation import check_choice

from .tally import NeighborRule, NeighborTally


@dataclass(frozen=True)
class TextOptions:
    """How a kernel reads texts.

    Attributes:
        tokenize: a tokeniser's name.
        ngram_orders: n-gram orders, ascending.
        smooth_method: sacrebleu's smoothing of n-gram precisions.
        smooth_value: its value; None for sacrebleu's default.
        clip: whether n-gram counts are clipped.
    """

    tokenize: str = "char"
    ngram_orders: tuple[int, ...] = (2, 3, 4)
    smooth_method: str = "none"
    smooth_value: float | None = None
    clip: bool = True


class Pool(Protocol):
    """Pool texts, prepared for matching. Results refer to them in their given order."""

    def __len__(self) -> int: ...

    def tally(
        self,
        candidates: Sequence[str],
        quality: NDArray[np.float64],
        rule: NeighborRule,
        *,
        excluded: NDArray[np.int64] | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[tuple[slice, NeighborTally]]:
        """Count neighbours and sum their quality, batch by batch; see `bleu_star.BleuStarPool.tally`."""
        ...

    def similarities(self, candidates: Sequence[str]) -> NDArray[np.float64]:
        """Return the similarity of each candidate and each pool text, shape (c, n)."""
        ...


def _bleu_star(texts: Sequence[str], options: TextOptions) -> Pool:
    from .bleu_star import BleuStarPool

    return BleuStarPool(
        texts,
        tokenize=options.tokenize,
        ngram_orders=options.ngram_orders,
        smooth_method=options.smooth_method,
        smooth_value=options.smooth_value,
        clip=options.clip,
    )


KERNELS: dict[str, Callable[[Sequence[str], TextOptions], Pool]] = {"bleu_star": _bleu_star}
"""From a kernel's name to the function that prepares a pool for it."""


def prepare_pool(kernel: str, texts: Sequence[str], options: TextOptions) -> Pool:
    """Prepare a pool for a kernel.

    Raises:
        ValueError: for an unknown kernel; the message lists the known ones.
    """
    check_choice(kernel, "kernel", tuple(KERNELS))
    return KERNELS[kernel](texts, options)
