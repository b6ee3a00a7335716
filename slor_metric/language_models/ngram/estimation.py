"""Modified Kneser–Ney: interpolated probabilities and back-off weights from n-gram counts.

Source: Chen & Goodman 1999 (discounts: Equation 26); Heafield et al. 2013 for the treatment of the sentence start,
of count cut-offs, and of the unigrams, which are interpolated with the uniform distribution.
"""

from __future__ import annotations

import itertools

import numpy as np

from metric_commons.support.types import Floats, Integers
from slor_metric.language_models.ngram.counting import CountTable
from slor_metric.tokenizers.words import BOS

FALLBACK_DISCOUNTS = (0.5, 1.0, 1.5)
"""Used for an order whose counts of counts give none, as on very small text."""


def adjusted_counts(tables: list[CountTable]) -> list[Integers]:
    """Kneser–Ney's counts: of the highest order, how often; below, after how many different words.

    An n-gram that starts a sentence has no word before it and keeps its own count. ``<s>`` itself is never
    predicted: 0.
    """
    adjusted = []
    for table, above in itertools.pairwise(tables):
        continued = np.bincount(above.suffixes, minlength=len(table)).astype(np.int64)
        adjusted.append(np.where(table.at_start, table.counts, continued))
    adjusted.append(tables[-1].counts.copy())
    adjusted[0][BOS] = 0
    return adjusted


def discounts(counts: Integers) -> tuple[float, ...]:
    """D1, D2 and D3+ of one order, from how many n-grams have adjusted counts of 1, 2, 3 and 4.

    Where these are not defined, or out of their range as on text that is very small or artificial, the fallback
    (0.5, 1, 1.5) is returned.
    """
    n = [0, *(int(np.count_nonzero(counts == i)) for i in range(1, 5))]
    if min(n[1:4]) == 0:
        return FALLBACK_DISCOUNTS
    y = n[1] / (n[1] + 2 * n[2])
    found = tuple(i - (i + 1) * y * n[i + 1] / n[i] for i in (1, 2, 3))
    if any(not 0 <= d <= i for i, d in enumerate(found, start=1)):
        return FALLBACK_DISCOUNTS
    return found


def estimate(tables: list[CountTable], thresholds: tuple[int, ...]) -> tuple[list[Floats], list[Floats]]:
    """Estimate the model.

    Args:
        tables: counts, from `count_ngrams`; none is left out.
        thresholds: for each order, n-grams seen at most so often will be dropped: their mass goes to the back-off.
            The discounts and totals still come from all n-grams.

    Returns:
        For all n-grams of `tables`, also those that will be dropped: the interpolated p(w | h), one array (m_k,) an
        order; and the weight with which each, as a context, backs off, one array for all orders but the highest, 1 for
        what is never a context.
    """
    probabilities: list[Floats] = []
    gammas: list[Floats] = []
    for k, (table, counts) in enumerate(zip(tables, adjusted_counts(tables), strict=True)):
        taken = np.array([0.0, *discounts(counts)])[np.minimum(counts, 3)]
        contexts = len(tables[k - 1]) if k else 1
        totals = np.bincount(table.parents, weights=counts, minlength=contexts)
        dropped = (table.counts <= thresholds[k]) if k else np.zeros(len(table), dtype=np.bool_)
        given_up = np.where(dropped, counts, taken)
        free = np.bincount(table.parents, weights=given_up, minlength=contexts)
        gamma = np.divide(free, totals, out=np.ones(contexts), where=totals > 0)
        own = (counts - taken) / totals[table.parents]
        if k == 0:
            lower = np.full(len(table), 1.0 / (len(table) - 1))  # uniform over all that can be predicted
        else:
            gammas.append(gamma)
            lower = probabilities[-1][table.suffixes]
        probability = own + gamma[table.parents] * lower
        if k == 0:
            probability[BOS] = 1.0  # by convention; it is never predicted
        probabilities.append(probability)
    return probabilities, gammas
