"""Modified Kneser–Ney: interpolated probabilities and back-off weights from n-gram counts.

Source: Chen & Goodman 1999 (discounts: Equation 26); Heafield et al. 2013 for the treatment of the sentence start,
of count cut-offs, and of the unigrams, which are interpolated with the uniform distribution.

Counting n-grams: from token ids to sorted tables, one for each order.

The tables are a trie. The n-grams of order k are sorted by (parent, word), and the parent is the position of the
n-gram's first k − 1 words in the table of order k − 1, so that all continuations of a context lie together. Each
n-gram also knows its suffix: the position of its last k − 1 words in the table below.

Entropy pruning of a back-off model to a given size, and the back-off weights that keep it normalised.

Source: Stolcke 1998, Equations 5 and 6. The probability of a context is taken from its count and not from the
model's lower orders, which under Kneser–Ney do not estimate it (Chelba et al. 2010).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Booleans, Floats, Integers, Integers32, Unsigned32
from slor_metric.tokenizers.words import BOS, EOS


@dataclass
class CountTable:
    """All n-grams of one order, m of them.

    Attributes:
        words: the last word of each, shape (m,), uint32.
        parents: the position of its first words in the table of the order below, shape (m,), int32; 0 for unigrams.
        suffixes: the position of its last words there, shape (m,), int32; 0 for unigrams.
        counts: number of times that each was seen, shape (m,), int64.
        at_start: whether it begins with ``<s>``, shape (m,), bool.
    """

    words: Unsigned32
    parents: Integers32
    suffixes: Integers32
    counts: Integers
    at_start: Booleans

    def __len__(self) -> int:
        return len(self.words)


def count_ngrams(tokens: Unsigned32, order: int, vocab_size: int) -> list[CountTable]:
    """Count all n-grams of orders 1 to `order` within sentences.

    Each position of the text carries the rank of the n-gram that starts there; a longer n-gram's key is that rank and
    the next word, so that one 64-bit sort an order is enough, whatever the vocabulary and the order.

    Args:
        tokens: ids of all sentences after one another, each as ``<s> … </s>``, shape (t,).
        order: the highest order, at least 1.
        vocab_size: the number of ids; ids never seen get count 0.

    Returns:
        The tables of order 1, 2, …; the memory needed is about 50 bytes per token.
    """
    tokens = np.ascontiguousarray(tokens, dtype=np.uint32)
    size = len(tokens)
    unigram_counts = np.bincount(tokens, minlength=vocab_size)
    at_start = np.zeros(vocab_size, dtype=bool)
    at_start[BOS] = True
    zeros = np.zeros(vocab_size, dtype=np.int32)
    tables = [CountTable(np.arange(vocab_size, dtype=np.uint32), zeros, zeros, unigram_counts, at_start)]
    ranks = tokens.astype(np.int32)  # of the (k−1)-gram that starts at each position
    starts = np.arange(size, dtype=np.int32)  # positions at which a (k−1)-gram starts
    for k in range(2, order + 1):
        # A longer n-gram starts here if the shorter one does not end its sentence.
        starts = starts[tokens[starts + (k - 2)] != EOS]
        keys = ranks[starts].astype(np.uint64) << np.uint64(32)
        keys |= tokens[starts + (k - 1)]
        by_key = np.argsort(keys)
        keys = keys[by_key]
        first = np.empty(len(keys), dtype=bool)
        first[:1] = True
        np.not_equal(keys[1:], keys[:-1], out=first[1:])
        heads = np.flatnonzero(first)
        keys = keys[heads]
        counts = np.diff(heads, append=len(by_key))
        suffixes = ranks[starts[by_key[heads]] + 1]
        ranks_of_run = np.cumsum(first, dtype=np.int32) - np.int32(1)
        ranks = np.full(size, -1, dtype=np.int32)
        ranks[starts[by_key]] = ranks_of_run
        del by_key, first, heads, ranks_of_run
        parents = (keys >> np.uint64(32)).astype(np.int32)
        words = (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        tables.append(CountTable(words, parents, suffixes, counts, tables[-1].at_start[parents]))
    return tables


FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)
"""Discounts of an order whose counts of counts give none, as on very small text."""


def adjusted_counts(tables: list[CountTable]) -> list[Integers]:
    """Kneser–Ney's counts: for the highest order, the number of occurrences; below, of different words before it.

    An n-gram that starts a sentence has no word before it and keeps its own count. ``<s>`` itself is never
    predicted: 0.
    """
    adjusted = []
    for table, above in itertools.pairwise(tables):
        continued = np.bincount(above.suffixes, minlength=len(table))
        adjusted.append(np.where(table.at_start, table.counts, continued))
    adjusted.append(tables[-1].counts.copy())
    adjusted[0][BOS] = 0
    return adjusted


def discounts(counts: Integers) -> tuple[float, ...]:
    """D1, D2 and D3+ of one order, from the numbers of n-grams with adjusted counts of 1, 2, 3 and 4.

    If these are not defined, or out of their range as on text that is very small or artificial, the fallback (0.5, 1,
    1.5) is returned.
    """
    n = [0, *(int(np.count_nonzero(counts == i)) for i in range(1, 5))]
    if min(n[1:4]) == 0:
        return FALLBACK_DISCOUNTS
    y = n[1] / (n[1] + 2 * n[2])
    of_counts = tuple(i - (i + 1) * y * n[i + 1] / n[i] for i in (1, 2, 3))
    if any(not 0 <= d <= i for i, d in enumerate(of_counts, start=1)):
        return FALLBACK_DISCOUNTS
    return of_counts


def estimate(tables: list[CountTable], thresholds: tuple[int, ...]) -> tuple[list[Floats], list[Floats]]:
    """Estimate the model.

    `<unk>` is estimated like any other word. If it was never counted, it has a uniform share of the mass of order 0.

    Args:
        tables: counts, from `count_ngrams`; none is left out.
        thresholds: for each order, n-grams seen at most so often will be dropped: their mass goes to the back-off.
            The discounts and totals still come from all n-grams.

    Returns:
        For all n-grams of `tables`, also those that will be dropped: the interpolated p(w | h), one array (m_k,) for
        each order; and the weight with which each, as a context, backs off, one array for all orders but the highest, 1
        for n-grams that are never a context.
    """
    probabilities: list[Floats] = []
    gammas: list[Floats] = []
    for k, (table, counts) in enumerate(zip(tables, adjusted_counts(tables), strict=True)):
        taken = np.array([0.0, *discounts(counts)])[np.minimum(counts, 3)]
        contexts = len(tables[k - 1]) if k else 1
        totals = np.bincount(table.parents, weights=counts, minlength=contexts)
        dropped = (table.counts <= thresholds[k]) if k else np.zeros(len(table), dtype=bool)
        given_up = np.where(dropped, counts, taken)
        free = np.bincount(table.parents, weights=given_up, minlength=contexts)
        gamma = np.divide(free, totals, out=np.ones(contexts), where=totals > 0)
        discounted = (counts - taken) / totals[table.parents]
        if k == 0:
            lower = np.full(len(table), 1.0 / (len(table) - 1))  # uniform over all that can be predicted
        else:
            gammas.append(gamma)
            lower = probabilities[-1][table.suffixes]
        probability = discounted + gamma[table.parents] * lower
        if k == 0:
            probability[BOS] = 1.0  # by convention; it is never predicted
        probabilities.append(probability)
    return probabilities, gammas


_TINY = 1e-12


def losses(tables: list[CountTable], probabilities: list[Floats], keep: list[Booleans], total: int) -> list[Floats]:
    """Rise of the cross-entropy by the removal of each n-gram alone, in nats per token.

    Args:
        tables: all n-grams.
        probabilities: p(w | h) of each, order by order.
        keep: masks of the n-grams that are in the model, order by order.
        total: the number of tokens of the corpus.

    Returns:
        One array (m_k,) for each order from 2 up; −inf for n-grams that are not in the model.
    """
    by_order = []
    for k in range(1, len(tables)):
        rows = np.flatnonzero(keep[k])
        parents = tables[k].parents[rows]
        p, lower = probabilities[k][rows], probabilities[k - 1][tables[k].suffixes[rows]]
        size = len(tables[k - 1])
        free = np.maximum(1 - np.bincount(parents, weights=p, minlength=size), _TINY)[parents]
        denominator = np.maximum(1 - np.bincount(parents, weights=lower, minlength=size), _TINY)[parents]
        weight = np.log(free / denominator)
        new_weight = np.log((free + p) / (denominator + lower))
        context = tables[k - 1].counts[parents] / total
        loss = np.full(len(tables[k]), -np.inf)
        loss[rows] = -context * (p * (np.log(lower) + new_weight - np.log(p)) + (new_weight - weight) * free)
        by_order.append(loss)
    return by_order


def keep_best(tables: list[CountTable], loss: list[Floats], size: int) -> list[Booleans]:
    """Mark the n-grams of orders 2 and up whose removal costs most, `size` of them at most (unigrams always stay).

    An n-gram is worth at least as much as the best of its continuations, which cannot be stored without it.

    Returns:
        One mask (m_k,) for each order from 1 up.
    """
    worth = [array.copy() for array in loss]
    for k in range(len(worth) - 1, 0, -1):
        parents = tables[k + 1].parents  # ascending
        if len(parents):
            heads = np.flatnonzero(np.diff(parents, prepend=-1))
            best = np.maximum.reduceat(worth[k], heads)
            owners = parents[heads]
            worth[k - 1][owners] = np.maximum(worth[k - 1][owners], best)
    everything = np.concatenate(worth) if worth else np.zeros(0)
    cut = -np.inf
    if size < len(everything):
        ranked = np.partition(everything, len(everything) - size - 1)
        cut = ranked[len(everything) - size - 1]  # the best one that has to go
    return [np.ones(len(tables[0]), dtype=bool), *(array > cut for array in worth)]


def backoff_weights(tables: list[CountTable], probabilities: list[Floats], keep: list[Booleans]) -> list[Floats]:
    """The back-off weights under which the kept n-grams, with these probabilities, make a normalised model.

    α(h) = (1 − Σ p(w|h)) / (1 − Σ p(w|h')), both sums over the kept continuations w of h, and h' is h without its
    first word.

    Args:
        tables: all n-grams.
        probabilities: p(w | h), order by order; only the kept ones count.
        keep: masks, order by order.

    Returns:
        One array (m_k,) for all orders but the highest; 1 for n-grams that are not, or no longer, a context.
    """
    weights: list[Floats] = []
    current = probabilities[0]  # p(w | h) under the pruned model, of the n-grams of the order below
    for k in range(1, len(tables)):
        table, kept = tables[k], keep[k]
        size = len(tables[k - 1])
        parents = table.parents[kept]
        lower = current[table.suffixes]
        numerator = 1 - np.bincount(parents, weights=probabilities[k][kept], minlength=size)
        denominator = 1 - np.bincount(parents, weights=lower[kept], minlength=size)
        is_context = np.bincount(parents, minlength=size) > 0
        weight = np.ones(size)
        np.divide(np.maximum(numerator, _TINY), np.maximum(denominator, _TINY), out=weight, where=is_context)
        weights.append(weight)
        current = np.where(kept, probabilities[k], weight[table.parents] * lower)
    return weights
