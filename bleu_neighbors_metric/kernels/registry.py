"""The kernels by name, how similar a candidate is to a rated text, with their own options.

To add a kernel, write a function from `PoolData` to a `Pool`, and name it in a `Kernel`: here, or in any distribution
as an entry point of the group `referenceless_metrics.kernels`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

import numpy as np

from bleu_neighbors_metric.kernels.base import Pool, PoolData
from bleu_neighbors_metric.tokenizers import DOWNLOADED
from metric_commons.registry import KERNELS_GROUP, imported, plugged_in
from metric_commons.support.validation import check_choice, describe

_RUNTIME = ("batch_size", "device")  # options that say how to run, not what to compute
_LONGEST_LIST = 4

BLEU_STAR_OPTIONS = ("tokenize", "ngram_orders", "smooth_method", "smooth_value", "clip")


@dataclass(frozen=True)
class Kernel:
    """One kernel, as docs, `--help` and errors tell of it.

    Attributes:
        description: what it is, in one line.
        threshold: its published threshold τ (Ethayarajh & Sadigh 2020, Table 1); None where nothing was published.
        prepare: `module:function`, which makes a `Pool` from `PoolData`; loaded when it is used.
        text_options: which of `TextOptions` it reads; its scores do not depend on the others.
        options: its own options, each with a line on it.
        models: which of its own options name a model or a folder that it opens.
        learns: whether it reads the pool's ratings, so that who is a neighbour depends on them.
    """

    description: str
    threshold: float | None
    prepare: str
    text_options: tuple[str, ...] = BLEU_STAR_OPTIONS
    options: Mapping[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = ()
    learns: bool = False


_OWN: dict[str, Kernel] = {
    "bleu_star": Kernel(
        "BLEU* over n-grams of characters or words (Eq. 2)",
        0.08,
        "bleu_neighbors_metric.kernels.parted_pool:bleu_star_pool",
    ),
    "rouge_l": Kernel(
        "word-level ROUGE-L F with Porter stemming, as rouge-score computes it",
        0.06,
        "bleu_neighbors_metric.kernels.rouge_l:rouge_l_pool",
        text_options=(),
        options={
            "stem": "Porter-stem words (true)",
            "tokenize": "'rouge_score', or a tokeniser of BLEUNeighbors such as 'intl' ('rouge_score')",
        },
    ),
}


IN_PAPERS = ("bertscore", "bleu_star_content", "bleu_star_idf", "bleu_star_learned", "bleu_star_pos", "meteor")
"""Kernels that the distribution in `papers/` brings."""


class _Kernels(Mapping[str, Kernel]):
    """This project's kernels, and after them those of installed distributions, each imported when it is asked for."""

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
"""The kernels that are installed, by name."""

KERNEL_NAMES = tuple(dict.fromkeys((*_OWN, *IN_PAPERS, *KERNELS)))
"""These, and those that an error says how to get."""


def check_kernel(kernel: object, kernel_options: object) -> None:
    """Check a kernel's name and the names of its own options.

    Raises:
        TypeError: for options that are no mapping.
        ValueError: for an unknown kernel, or an option that it does not have; the message lists those that it has. And
            for one that is not installed; the message says how to get it.
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


def named_models(kernel: str, kernel_options: Mapping[str, Any] | None, tokenize: str) -> str | None:
    """Return which model or folder a pool would open or fetch while it is prepared, for a message; None for none.

    >>> named_models("rouge_l", {"tokenize": "flores200"}, "char")
    "kernel_options['tokenize'] = 'flores200'"
    """
    options = kernel_options or {}
    for name in KERNELS[kernel].models:
        if options.get(name) is not None:
            return f"kernel_options[{name!r}] = {options[name]!r:.80}"
    for name, tokenizer in (("tokenize", tokenize), ("kernel_options['tokenize']", options.get("tokenize"))):
        if tokenizer in DOWNLOADED:
            return f"{name} = {tokenizer!r}"
    return None


def prepare_pool(kernel: str, data: PoolData) -> Pool:
    """Prepare a pool for a kernel.

    Raises:
        ImportError: without the extra that the kernel needs; the message names it.
        TypeError: for an option of the wrong kind.
        ValueError: for an unknown kernel or option; the message lists the known ones.
    """
    check_kernel(kernel, data.kernel_options)
    pool: Pool = imported(KERNELS[kernel].prepare)(data)
    return pool


def describe_options(options: Mapping[str, Any]) -> str:
    """Return options as a signature tells them: in the order of their names, without those that change no score.

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
        return "/".join(PurePath(value).parts[-2:]).replace(
            "|", "/"
        )  # of a folder's path no more than tells models apart
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(map(_told, value)) if isinstance(value, (set, frozenset)) else list(map(_told, value))
        if len(items) <= _LONGEST_LIST:
            return "+".join(items)
        return f"{len(items)}.{hashlib.sha256(chr(0).join(items).encode()).hexdigest()[:8]}"
    return str(getattr(value, "__name__", type(value).__name__))


def json_options(options: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return options as an index file can hold them.

    Raises:
        TypeError: for one that JSON cannot hold, such as a model or a function; the message names it.
    """
    if options is None:
        return None
    written = {}
    for name, value in options.items():
        plain = value.item() if isinstance(value, np.generic) else str(value) if isinstance(value, PurePath) else value
        try:
            written[str(name)] = json.loads(json.dumps(plain, allow_nan=False))
        except (TypeError, ValueError):
            raise TypeError(
                f"Expected `kernel_options[{name!r}]` to be what JSON can hold (text, numbers, lists), so that an "
                f"index file can keep it, but got {describe(value)}; name it instead of handing it over"
            ) from None
    return written
