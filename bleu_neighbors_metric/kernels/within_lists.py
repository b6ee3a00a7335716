"""Mean similarity of each text to the others of its list, by any kernel, for many short lists at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bleu_neighbors_metric.kernels.inverted_index import postings
from bleu_neighbors_metric.kernels.kernel import KernelInput, TextOptions, check_kernel, prepare_pool
from bleu_neighbors_metric.kernels.ngrams import NgramTrie
from bleu_neighbors_metric.tokenizers import TokenEncoder
from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.computing import in_batches
from referenceless_metrics.core.support.validation import Floats, Integers

_BATCH = 64
"""Lists of one task, whose words are tokenised in one call."""


def mean_similarities(
    kernel: str,
    texts: Sequence[str],
    begins: Integers,
    weights: Floats,
    *,
    options: TextOptions | None = None,
    effective_order: bool = False,
    n_jobs: int | None = None,
) -> tuple[Floats, Integers]:
    """Return the mean similarity of each text with the others of its list.

    The text is the candidate of the kernel, and the others in turn are the rated text that it is compared with.

    Args:
        kernel: one of `kernel.KERNELS`.
        texts: the texts of all lists, k of them; those of a list differ.
        begins: the begin of each list in them, shape (lists + 1,).
        weights: number of equal texts that each stands for, at least 1, shape (k,); it is compared with the other
            equals too.
        options: the reading of texts; None for the published way.
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
    check_kernel(kernel, None)
    means, n_tokens = np.full(len(texts), np.nan), np.empty(len(texts), dtype=np.int64)
    read = options or TextOptions()

    def task(batch: slice) -> None:
        borders = begins[batch.start : batch.stop + 1]
        place = slice(int(borders[0]), int(borders[-1]))
        inputs = texts[place], borders - borders[0], weights[place], read
        if kernel == "bleu_star":
            n_tokens[place] = _bleu_star(*inputs, effective_order, means[place])
        else:
            n_tokens[place] = _any_kernel(*inputs, kernel, means[place])

    deque(in_batches(task, len(begins) - 1, _BATCH, n_jobs), maxlen=0)
    return means, n_tokens


def _bleu_star(
    texts: Sequence[str], begins: Integers, weights: Floats, options: TextOptions, effective: bool, means: Floats
) -> Integers:
    """Write the means of lists of more than one text, and return the texts' numbers of tokens."""
    orders = np.array(options.ngram_orders, dtype=np.int64)
    scoring = (orders, *options.smoothing, effective)
    tokens, offsets = TokenEncoder(options.tokenize).encode(texts, learning=True)  # once for all lists
    lengths = np.diff(offsets)
    for first, stop in pairwise(begins.tolist()):
        place = slice(first, stop)
        total = weights[place].sum()
        if total <= 1.0:
            continue
        encoded = tokens[offsets[first] : offsets[stop]], offsets[first : stop + 1] - offsets[first]
        trie = NgramTrie(options.ngram_orders, options.clip)
        features, of_order = trie.features(*encoded, learning=True)
        inverted = postings(features, of_order, len(orders), trie.n_nodes)
        if not options.clip:  # a candidate repeats an n-gram as often as it occurs, a pool text has it once
            features, of_order = trie.features(*encoded)
        others = lengths[place], weights[place], total
        native.call("mean_bleu_star", features, of_order, *inverted, *others, *scoring, means[place])
    return lengths


def _any_kernel(
    texts: Sequence[str], begins: Integers, weights: Floats, options: TextOptions, kernel: str, means: Floats
) -> Integers:
    """Write the means of lists of more than one text, and return the texts' numbers of tokens."""
    lengths = np.empty(len(texts), dtype=np.int64)
    for first, stop in pairwise(begins.tolist()):
        members, weight = texts[first:stop], weights[first:stop]
        data = KernelInput(members, np.zeros(len(members)), options, progress=False)
        similarity, lengths[first:stop] = prepare_pool(kernel, data).compare(members)
        if weight.sum() > 1.0:
            counted = weight - np.eye(len(members))
            means[first:stop] = (similarity * counted).sum(axis=1) / (weight.sum() - 1.0)
    return lengths
