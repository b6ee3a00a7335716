"""The compiled kernel of short lists: BLEU* of each text with the others of its list, without an index of the list.

A list of a few hundred texts is too small for blocks and bit rows (see `matching`): each n-gram has a posting list, and
each text walks those of its own. What is kept of the similarities is a mean a text.
"""

from __future__ import annotations

import numpy as np

from bleu_neighbors_metric.kernels.compiled.formula import log_bleu_star, log_brevity
from metric_commons.support.compiled import compiled


@compiled()
def mean_bleu_star(  # type: ignore[no-untyped-def]
    features, begins, starts, postings, lengths, weights, orders, smoothing, smooth_value, effective, out
):
    """Write the mean BLEU* of each text with the others of its list to `out`, a text standing in for its equals.

    `features` and `begins` are those of the list's texts as candidates (see `ngrams`), `starts` and `postings` those
    of the same texts as a pool. `weights` says how many equals a text stands for: it is compared with one fewer of its
    own; their sum is above 1. With `effective`, orders in which a text has no n-gram do not count (sacrebleu's
    effective order).
    """
    n_orders, n_texts = len(orders), len(lengths)
    counts = np.empty((n_texts, n_orders), np.int64)
    possible = np.empty(n_orders, np.int64)
    n_others = weights.sum() - 1.0
    for text in range(n_texts):
        counts[:] = 0
        for which in range(n_orders):
            for at in range(begins[text * n_orders + which], begins[text * n_orders + which + 1]):
                feature = features[at]
                for place in range(starts[feature], starts[feature + 1]):
                    counts[postings[place], which] += 1
        used = n_orders
        for which in range(n_orders):
            possible[which] = lengths[text] - orders[which] + 1
        if effective:
            while used > 0 and possible[used - 1] <= 0:
                used -= 1
        total = 0.0
        if used > 0:
            for other in range(n_texts):
                log_similarity = log_bleu_star(
                    counts[other, :used],
                    possible[:used],
                    smoothing,
                    smooth_value,
                    orders[:used],
                    log_brevity(lengths[text], lengths[other]),
                )
                weight = weights[other] - 1.0 if other == text else weights[other]
                total += weight * np.exp(log_similarity)
        out[text] = total / n_others
