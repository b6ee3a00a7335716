"""How similar each text is, in the mean, to the others of its list: any kernel, on many short lists at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from bleu_neighbors_metric.kernels.inverted_index import postings
from bleu_neighbors_metric.kernels.kernel import PoolData, TextOptions, check_kernel, prepare_pool
from bleu_neighbors_metric.kernels.ngrams import NgramTrie
from bleu_neighbors_metric.tokenizers import TokenEncoder
from metric_commons.support import native
from metric_commons.support.computing import in_batches
from metric_commons.support.validation import Floats, Integers, Options

_BATCH = 64
"""Lists to a task: enough to tokenise their words in one call."""

_Means: TypeAlias = tuple[Floats, Integers]


def mean_similarities(
    kernel: str,
    texts: Sequence[str],
    begins: Integers,
    weights: Floats,
    *,
    options: TextOptions | None = None,
    kernel_options: Options | None = None,
    effective_order: bool = False,
    n_jobs: int | None = None,
) -> _Means:
    """Return the mean similarity of each text with the others of its list.

    The text is the candidate of the kernel, and the others in turn are the rated text that it is compared with.

    Args:
        kernel: one of `kernel.KERNELS`.
        texts: the texts of all lists, k of them; those of a list differ.
        begins: where each list begins in them, shape (lists + 1,).
        weights: how many equal texts each stands for, at least 1, shape (k,); it is compared with the other equals too.
        options: how texts are read; None for the published way.
        kernel_options: the kernel's own.
        effective_order: for `bleu_star`, whether orders in which a text has no n-gram do not count, as in sacrebleu's
            sentence BLEU; else such a text resembles none (Eq. 2).
        n_jobs: threads, as in scikit-learn. Results do not depend on them.

    Returns:
        The means, shape (k,), in the kernel's unit, NaN in a list of one text with the weight 1; and the number of
        tokens of each text, shape (k,).

    Raises:
        ImportError: without the extra that the kernel needs; the message names it.
        ValueError: for an unknown kernel or option.

    >>> texts, begins = ["a cat", "a dog", "a cat"], np.array([0, 2, 3])
    >>> means, _ = mean_similarities("bleu_star", texts, begins, np.array([2.0, 1.0, 1.0]))
    >>> means.round(2).tolist()
    [0.5, 0.0, nan]
    """
    check_kernel(kernel, kernel_options)
    of_lists = partial(_bleu_star, options or TextOptions(), effective_order)
    if kernel != "bleu_star":
        of_lists = partial(_any_kernel, kernel, options or TextOptions(), kernel_options or {})

    def task(batch: slice) -> _Means:
        batch_begins = begins[batch.start : batch.stop + 1]
        place = slice(int(batch_begins[0]), int(batch_begins[-1]))
        return of_lists(texts[place], batch_begins - batch_begins[0], weights[place])

    none = np.empty(0), np.empty(0, dtype=np.int64)
    batches = [none, *in_batches(task, len(begins) - 1, _BATCH, n_jobs)]
    return np.concatenate([means for means, _ in batches]), np.concatenate([n_tokens for _, n_tokens in batches])


def _bleu_star(
    options: TextOptions,
    effective: bool,
    texts: Sequence[str],
    begins: Integers,
    weights: Floats,
) -> _Means:
    orders = np.array(options.ngram_orders, dtype=np.int64)
    scoring = (orders, *options.smoothing, effective)
    tokens, offsets = TokenEncoder(options.tokenize).encode(texts, learning=True)  # once for all lists
    lengths = np.diff(offsets)
    means = np.full(len(texts), np.nan)
    for first, stop in pairwise(begins.tolist()):
        if weights[first:stop].sum() <= 1.0:
            continue
        encoded = tokens[offsets[first] : offsets[stop]], offsets[first : stop + 1] - offsets[first]
        trie = NgramTrie(options.ngram_orders, options.clip)
        features, of_order = trie.features(*encoded, learning=True)
        inverted = postings(features, of_order, len(orders), trie.n_nodes)
        if not options.clip:  # a candidate repeats an n-gram as often as it stands there, a pool text has it once
            features, of_order = trie.features(*encoded)
        place = slice(first, stop)
        others = lengths[place], weights[place], weights[place].sum()
        native.call("mean_bleu_star", features, of_order, *inverted, *others, *scoring, means[place])
    return means, lengths


def _any_kernel(
    kernel: str,
    options: TextOptions,
    kernel_options: Options,
    texts: Sequence[str],
    begins: Integers,
    weights: Floats,
) -> _Means:
    means, n_tokens = np.full(len(texts), np.nan), np.empty(len(texts), dtype=np.int64)
    for first, stop in pairwise(begins.tolist()):
        members, weight = texts[first:stop], weights[first:stop]
        data = PoolData(members, np.zeros(len(members)), options, kernel_options, progress=False)
        similarity, n_tokens[first:stop] = prepare_pool(kernel, data).compare(members)
        others = weight.sum() - 1.0
        if others > 0.0:
            counted = np.broadcast_to(weight, similarity.shape) - np.eye(len(members))
            means[first:stop] = (similarity * counted).sum(axis=1) / others
    return means, n_tokens
