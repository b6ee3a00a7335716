"""Entropy pruning of a back-off model to a given size, and the back-off weights that keep it normalised.

Source: Stolcke 1998, Equations 5 and 6. The probability of a context is taken from its count and not from the
model's lower orders, which under Kneser–Ney do not estimate it (Chelba et al. 2010).
"""

from __future__ import annotations

import numpy as np

from metric_commons.support.types import Booleans, Floats
from slor_metric.language_models.ngram.counting import CountTable

_TINY = 1e-12


def losses(tables: list[CountTable], probabilities: list[Floats], keep: list[Booleans], total: int) -> list[Floats]:
    """How much each n-gram's removal alone would raise the cross-entropy, in nats a token.

    Args:
        tables: all n-grams.
        probabilities: p(w | h) of each, order by order.
        keep: which there are, order by order.
        total: the number of tokens of the corpus.

    Returns:
        One array (m_k,) for each order from 2 up; −inf for those that there are not.
    """
    found = []
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
        found.append(loss)
    return found


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
    return [np.ones(len(tables[0]), dtype=np.bool_), *(array > cut for array in worth)]


def backoff_weights(tables: list[CountTable], probabilities: list[Floats], keep: list[Booleans]) -> list[Floats]:
    """The back-off weights under which the kept n-grams, with these probabilities, make a normalised model.

    α(h) = (1 − Σ p(w|h)) / (1 − Σ p(w|h')), both sums over the kept continuations w of h, and h' is h without its
    first word.

    Args:
        tables: all n-grams.
        probabilities: p(w | h), order by order; only the kept ones count.
        keep: masks, order by order.

    Returns:
        One array (m_k,) for all orders but the highest; 1 for what is not, or no longer, a context.
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
