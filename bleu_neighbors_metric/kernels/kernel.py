"""Base of kernels: a pool of texts prepared for matching, and the options by which texts are read.

A kernel computes the similarities of a few candidates to all texts of the pool. Neighbours are counted block by block,
so that the whole candidates × pool matrix never exists. A kernel with an index of its own counts them itself.

To add a kernel, write a function from `KernelInput` to a `Pool`, and name it in a `Kernel`: here, or in any
distribution as an entry point of the group `referenceless_metrics.kernels`.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TypeVar

import numpy as np

from bleu_neighbors_metric.kernels.neighbors import (
    NeighborRule,
    NeighborTally,
    Ratings,
    leave_absent,
    summing_at,
    tally,
)
from bleu_neighbors_metric.tokenizers import DOWNLOADED, WITHOUT_SACREBLEU, known_tokenizers
from referenceless_metrics.core.support.computing import in_batches
from referenceless_metrics.core.support.installation import KERNELS_GROUP, imported, plugged_in
from referenceless_metrics.core.support.validation import (
    Floats,
    Integers,
    Options,
    check_choice,
    check_flag,
    check_number,
    check_whole,
    describe,
)

NONE, FLOOR, ADD_K, EXP = 0, 1, 2, 3
SMOOTHING = {"none": (NONE, 0.0), "floor": (FLOOR, 0.1), "add-k": (ADD_K, 1.0), "exp": (EXP, 0.0)}
"""Number of each of sacrebleu's smoothing methods in compiled code, and its default value."""

SMOOTH_METHODS = tuple(SMOOTHING)

MOST_ORDERS = 32
"""Most n-gram orders: a product of so many counts below 2^31 is still a float64."""

_MOST_CELLS = 1 << 22
"""Most similarities in one block, unless the pool alone has more: 32 MB, and three times that during a tally."""

Found = TypeVar("Found")


@dataclass(frozen=True)
class TextOptions:
    """Options by which a kernel reads texts. They are checked here, before compiled code reads them.

    Raises:
        TypeError: for an option of the wrong kind.
        ValueError: for one outside its range.

    Attributes:
        tokenize: a tokeniser's name (see `tokenizers.known_tokenizers`).
        ngram_orders: n-gram orders, which are sorted.
        smooth_method: sacrebleu's smoothing of n-gram precisions: `none`, `floor`, `add-k` or `exp`.
        smooth_value: the value of `floor` and `add-k`; None for sacrebleu's default.
        clip: True for clipped n-gram counts, as in BLEU's reference implementations; False for Eq. 1 as printed.
    """

    tokenize: str = "char"
    ngram_orders: Sequence[int] = (2, 3, 4)
    smooth_method: str = "none"
    smooth_value: float | None = None
    clip: bool = True

    def __post_init__(self) -> None:
        if self.tokenize not in WITHOUT_SACREBLEU:
            check_choice(self.tokenize, "tokenize", known_tokenizers())
        orders: object = self.ngram_orders
        if isinstance(orders, (str, bytes)) or not isinstance(orders, Sequence):
            raise TypeError(
                f"Expected argument `ngram_orders` to be a tuple of whole numbers, but got {describe(orders)}"
            )
        for order in orders[: MOST_ORDERS + 1]:
            check_whole(order, "ngram_orders", 1, 2**31 - 1)
        if not 1 <= len(orders) <= MOST_ORDERS or len(set(orders)) < len(orders):
            raise ValueError(
                f"Expected argument `ngram_orders` to hold 1 to {MOST_ORDERS} distinct n-gram orders, but got "
                f"{describe(orders)}"
            )
        object.__setattr__(self, "ngram_orders", tuple(sorted(map(int, orders))))
        check_choice(self.smooth_method, "smooth_method", SMOOTH_METHODS)
        if self.smooth_value is not None:
            most = 1.0 if self.smooth_method == "floor" else np.inf  # a floor above 1 makes similarities above 1
            check_number(self.smooth_value, "smooth_value", 0, most)
        check_flag(self.clip, "clip")

    @property
    def smoothing(self) -> tuple[int, float]:
        """The number of the smoothing method in compiled code, and its value."""
        number, default = SMOOTHING[self.smooth_method]
        return number, default if self.smooth_value is None else float(self.smooth_value)


@dataclass(frozen=True)
class KernelInput:
    """Texts and options from which a kernel prepares a pool.

    Attributes:
        texts: the pool, n distinct texts.
        ratings: their ratings, shape (n,); only a learned kernel reads them.
        options: the reading of texts.
        kernel_options: the kernel's own options.
        n_jobs: threads, as in scikit-learn.
        progress: False for no progress bar, True for one, None for one on a terminal.
    """

    texts: Sequence[str]
    ratings: Floats
    options: TextOptions = TextOptions()
    kernel_options: Options = field(default_factory=dict)
    n_jobs: int | None = None
    progress: bool | None = None


class Pool(ABC):
    """Pool texts, prepared for matching by one kernel. Results refer to them in their given order.

    Args:
        size: the number of texts.
    """

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    @abstractmethod
    def compare(self, candidates: Sequence[str]) -> tuple[Floats, Integers]:
        """Compare a few candidates with the pool.

        Several threads call it at once, and a candidate's row depends on no other candidate.

        Returns:
            The similarity of each candidate and each pool text, shape (c, n), as a new array; and the number of tokens
            of each candidate, shape (c,). A candidate without tokens has no neighbours, even at threshold 0.
        """

    def similarities(self, candidates: Sequence[str]) -> Floats:
        """Return the similarity of each candidate and each pool text, shape (c, n); for few candidates."""
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
            ratings: the pool's n ratings, in the pool's order.
            rule: the threshold on the similarity and the weights of neighbours.
            excluded: for each candidate the pool text that must not count (itself, when leaving one out), or -1;
                shape (c,).
            n_jobs: threads, as in scikit-learn: None for one, -1 for all processors. Results depend on neither
                threads nor batches.

        Returns:
            An iterator over batches: the slice of candidates, and their tally.
        """

        def task(batch: slice, similarity: Floats) -> tuple[slice, NeighborTally]:
            return batch, tally(similarity, ratings, rule)

        return self.in_blocks(task, candidates, excluded, n_jobs)

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
            return summing_at(similarity, thresholds)().astype(np.int64)

        empty = np.empty((len(thresholds), 0), dtype=np.int64)
        return np.concatenate([empty, *self.in_blocks(task, candidates, excluded, n_jobs)], axis=1)

    def in_blocks(
        self,
        function: Callable[[slice, Floats], Found],
        candidates: Sequence[str],
        excluded: Integers | None = None,
        n_jobs: int | None = None,
    ) -> Iterator[Found]:
        """Yield the results of a function for one block of candidates after the other, on `n_jobs` threads.

        Args:
            function: a function of a slice of candidates and their similarities, shape (c, n), as `leave_absent` marks
                them.
            candidates: the texts.
            excluded: as in `tally`.
            n_jobs: as in `tally`.
        """

        def task(batch: slice) -> Found:
            similarity, n_tokens = self.compare(candidates[batch])
            return function(batch, leave_absent(similarity, n_tokens, None if excluded is None else excluded[batch]))

        height = max(1, min(256, _MOST_CELLS // max(1, len(self))))
        return in_batches(task, len(candidates), height, n_jobs)


_RUNTIME = ("batch_size", "device")  # options that change the run, not the result
_LONGEST_LIST = 4

BLEU_STAR_OPTIONS = ("tokenize", "ngram_orders", "smooth_method", "smooth_value", "clip")


@dataclass(frozen=True)
class Kernel:
    """One kernel as documentation, `--help` and errors describe it.

    Attributes:
        description: one line on it.
        threshold: its published threshold τ (Ethayarajh & Sadigh 2020, Table 1); None if nothing was published.
        prepare: `module:function` of a function from `KernelInput` to `Pool`, imported when it is used.
        text_options: the `TextOptions` that it reads.
        options: its own options, with one line on each.
        models: names of its own options that name a model or a folder.
        required: names of its own options that have no default.
        learns: whether similarities depend on the pool's ratings.
    """

    description: str
    threshold: float | None
    prepare: str
    text_options: tuple[str, ...] = BLEU_STAR_OPTIONS
    options: Mapping[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    learns: bool = False


_OWN: dict[str, Kernel] = {
    "bleu_star": Kernel(
        "BLEU* over n-grams of characters or words (Eq. 2)",
        0.08,
        "bleu_neighbors_metric.kernels.bleu_star:bleu_star_pool",
    ),
}


IN_PAPERS = (
    "bertscore",
    "bleu_star_content",
    "bleu_star_idf",
    "bleu_star_learned",
    "bleu_star_pos",
    "meteor",
    "rouge_l",
)
"""Kernels that the distribution in `papers/` brings."""


class _Kernels(Mapping[str, Kernel]):
    """The kernels of this project, then those of other distributions, each imported when it is used."""

    def __getitem__(self, name: str) -> Kernel:
        if name in _OWN:
            return _OWN[name]
        kernel = plugged_in(KERNELS_GROUP)[name]()
        if not isinstance(kernel, Kernel):
            raise TypeError(f"Expected the entry point {name!r} of {KERNELS_GROUP} to be a Kernel, but got {kernel!r}")
        return kernel

    def __iter__(self) -> Iterator[str]:
        return iter({**_OWN, **plugged_in(KERNELS_GROUP)})

    def __len__(self) -> int:
        return sum(1 for _ in self)


KERNELS: Mapping[str, Kernel] = _Kernels()
"""Installed kernels by name."""

KERNEL_NAMES = tuple(dict.fromkeys((*_OWN, *IN_PAPERS, *KERNELS)))
"""Names of the installed kernels, and of those that `papers/` brings."""


def check_kernel(kernel: object, kernel_options: object) -> None:
    """Check a kernel's name and the names of its own options.

    Raises:
        TypeError: for options that are no mapping.
        ValueError: for an unknown kernel, a kernel that is not installed, or an unknown option; the message lists the
            known ones, or names the distribution to install.
    """
    if not isinstance(kernel, str) or kernel not in _OWN:
        if kernel in IN_PAPERS and kernel not in KERNELS:
            raise ValueError(
                f"the kernel {kernel} is brought by the distribution in `papers/`: pip install ./papers (in a checkout)"
            )
        check_choice(kernel, "kernel", tuple(KERNELS))
    if kernel_options is None:
        return
    if not isinstance(kernel_options, Mapping):
        raise TypeError(
            f"Expected argument `kernel_options` to be None or a mapping, but got {describe(kernel_options)}"
        )
    known = KERNELS[str(kernel)].options
    for name in kernel_options:
        if not known:
            raise ValueError(
                f"Expected no `kernel_options` for the kernel {kernel!r}, which has none, but got {name!r}"
            )
        check_choice(name, f"kernel_options of {kernel}", tuple(known))


def named_models(kernel: str, kernel_options: Options | None, tokenize: str) -> str | None:
    """Return the option and the model or folder that a pool opens or fetches while it is prepared; None for none.

    >>> named_models("bleu_star", None, "flores200")
    "tokenize = 'flores200'"
    """
    options = kernel_options or {}
    for name in KERNELS[kernel].models:
        if options.get(name) is not None:
            return f"kernel_options[{name!r}] = {options[name]!r:.80}"
    for name, tokenizer in (("tokenize", tokenize), ("kernel_options['tokenize']", options.get("tokenize"))):
        if tokenizer in DOWNLOADED:
            return f"{name} = {tokenizer!r}"
    return None


def prepare_pool(kernel: str, data: KernelInput) -> Pool:
    """Prepare a pool for a kernel that `check_kernel` has checked.

    Raises:
        ImportError: without the extra that the kernel needs; the message names it.
        TypeError: for an option of the wrong kind.
        ValueError: for one outside its range.
    """
    pool: Pool = imported(KERNELS[kernel].prepare)(data)
    return pool


def describe_options(options: Options) -> str:
    """Return options as a signature has them, sorted by name and without those that change no score.

    >>> describe_options({"idf": True, "encoder": "models/minilm", "device": "cuda"})
    'encoder=models/minilm,idf=yes'
    """
    return ",".join(f"{name}={_told(options[name])}" for name in sorted(options) if name not in _RUNTIME)


def _told(value: Any) -> str:
    if value is None or isinstance(value, (bool, np.bool_)):
        return "none" if value is None else "yes" if value else "no"
    if isinstance(value, (int, float, np.number)):
        return f"{value:g}"
    if isinstance(value, (str, PurePath)):
        return "/".join(PurePath(value).parts[-2:]).replace("|", "/")  # the end of a folder's path tells models apart
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(map(_told, value)) if isinstance(value, (set, frozenset)) else list(map(_told, value))
        if len(items) <= _LONGEST_LIST:
            return "+".join(items)
        return f"{len(items)}.{hashlib.sha256(chr(0).join(items).encode()).hexdigest()[:8]}"
    return str(getattr(value, "__name__", type(value).__name__))
