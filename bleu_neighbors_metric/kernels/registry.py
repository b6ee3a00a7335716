"""The kernels by name: how similar a candidate is to a rated text.

A kernel turns a pool of texts into a `Pool`, which tallies the neighbours of candidates without a candidates × pool
matrix, and gives similarities for a few candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.neighbors import NeighborRule, NeighborTally
from metric_commons.support.validation import check_choice, describe


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


@dataclass(frozen=True)
class PoolData:
    """What a kernel prepares a pool from.

    Attributes:
        texts: the pool, n distinct texts.
        quality: their quality, shape (n,); only a learned kernel reads it.
        options: how texts are read.
        kernel_options: the kernel's own options.
        n_jobs: threads, as in scikit-learn.
        progress: False for no progress bar, True for one, None for one on a terminal.
    """

    texts: Sequence[str]
    quality: NDArray[np.float64]
    options: TextOptions = TextOptions()
    kernel_options: Mapping[str, Any] = field(default_factory=dict)
    n_jobs: int | None = None
    progress: bool | None = None


_BLEU_STAR_OPTIONS = ("tokenize", "ngram_orders", "smooth_method", "smooth_value", "clip")


@dataclass(frozen=True)
class Kernel:
    """One kernel, as docs, `--help` and errors tell of it.

    Attributes:
        description: what it is, in one line.
        threshold: its published threshold τ (Ethayarajh & Sadigh 2020, Table 1); None where nothing was published.
        prepare: prepares a pool for it.
        text_options: which of `TextOptions` it reads; its scores do not depend on the others.
        options: its own options, each with a line on it.
        extra: the extra that it needs; None for none.
    """

    description: str
    threshold: float | None
    prepare: Callable[[PoolData], Pool]
    text_options: tuple[str, ...] = _BLEU_STAR_OPTIONS
    options: Mapping[str, str] = field(default_factory=dict)
    extra: str | None = None


def _bleu_star(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool

    options = data.options
    return BleuStarPool(
        data.texts,
        tokenize=options.tokenize,
        ngram_orders=options.ngram_orders,
        smooth_method=options.smooth_method,
        smooth_value=options.smooth_value,
        clip=options.clip,
    )


def _rouge_l(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.rouge_l import rouge_l_pool

    return rouge_l_pool(data)


def _meteor(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.meteor import meteor_pool

    return meteor_pool(data)


def _bertscore(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.bertscore import bertscore_pool

    return bertscore_pool(data)


def _content(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.bleu_star_rewritten import content_pool

    return content_pool(data)


def _part_of_speech(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.bleu_star_rewritten import part_of_speech_pool

    return part_of_speech_pool(data)


def _idf(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.bleu_star_idf import IdfPool

    return IdfPool(data.texts, data.options)


def _learned(data: PoolData) -> Pool:
    from bleu_neighbors_metric.kernels.bleu_star_learned import LearnedPool

    return LearnedPool(data)


KERNELS: dict[str, Kernel] = {
    "bleu_star": Kernel("BLEU* over n-grams of characters or words (Eq. 2)", 0.08, _bleu_star),
    "rouge_l": Kernel(
        "word-level ROUGE-L F with Porter stemming, as rouge-score computes it",
        0.06,
        _rouge_l,
        text_options=(),
        options={
            "stem": "Porter-stem words (true)",
            "tokenize": "'rouge-score', or a tokeniser of BLEUNeighbors such as 'intl' ('rouge-score')",
        },
        extra="rouge",
    ),
    "meteor": Kernel(
        "METEOR with stems and WordNet's synonyms, as nltk computes it",
        0.18,
        _meteor,
        text_options=(),
        options={
            "wordnet": "folder of WordNet's files (nltk's data, else /usr/share/wordnet)",
            "tokenize": "'rouge-score', or a tokeniser of BLEUNeighbors such as '13a' ('none': white space)",
            "alpha": "weight of precision against recall (0.9)",
            "beta": "exponent of the fragmentation penalty (3)",
            "gamma": "size of the fragmentation penalty (0.5)",
        },
        extra="meteor",
    ),
    "bertscore": Kernel(
        "BERTScore F1: greedy matching of a local encoder's token vectors, rescaled with a baseline",
        0.10,
        _bertscore,
        text_options=(),
        options={
            "encoder": "name or folder of a Transformers encoder, a (model, tokenizer) pair, or a function from texts "
            "to arrays of token vectors (required)",
            "layer": "which hidden layer, as BERTScore counts them (the last)",
            "idf": "weight tokens by inverse document frequency in the pool (false)",
            "baseline": "score that becomes 0; 'pool' for the mean of random pairs of the pool, null for none ('pool')",
            "batch_size": "texts to a batch of the encoder (32)",
            "device": "where the encoder runs ('cpu')",
        },
        extra="bertscore",
    ),
    "bleu_star_content": Kernel(
        "BLEU* on texts without their stop words",
        None,
        _content,
        options={"stop_words": "'english', or a list of words ('english')"},
        extra="stop-words",
    ),
    "bleu_star_pos": Kernel(
        "BLEU* on n-grams of part-of-speech tags",
        None,
        _part_of_speech,
        text_options=tuple(name for name in _BLEU_STAR_OPTIONS if name != "tokenize"),
        options={"tagger": "'textblob', or a function from a text to its tags ('textblob')"},
        extra="pos",
    ),
    "bleu_star_idf": Kernel("BLEU* with n-grams weighted by inverse document frequency in the pool", None, _idf),
    "bleu_star_learned": Kernel(
        "n-gram precisions weighted by order, the weights fitted on the pool by leave-one-out", None, _learned
    ),
}
"""The kernels by name."""


def kernel_lines() -> list[str]:
    """Return a line on each kernel: its name, its published threshold and what it is."""
    width = max(map(len, KERNELS))
    return [
        f"{name:<{width}}  τ {'–' if kernel.threshold is None else f'{kernel.threshold:g}':<5} {kernel.description}"
        for name, kernel in KERNELS.items()
    ]


def check_kernel(kernel: object, kernel_options: object) -> None:
    """Check a kernel's name and the names of its own options.

    Raises:
        TypeError: for options that are no mapping.
        ValueError: for an unknown kernel, or an option that it does not have; the message lists those that it has.
    """
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


def prepare_pool(kernel: str, data: PoolData) -> Pool:
    """Prepare a pool for a kernel.

    Raises:
        ImportError: without the extra that the kernel needs; the message names it.
        TypeError: for an option of the wrong kind.
        ValueError: for an unknown kernel or option; the message lists the known ones.
    """
    check_kernel(kernel, data.kernel_options)
    return KERNELS[kernel].prepare(data)
