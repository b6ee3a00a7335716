"""The compiled kernel of many short lists: BLEU* of each text with the others of its list, without an index of each.

A list of a few hundred texts is too small for blocks and bit rows (see `matching`): its n-grams become a trie, each of
them a posting list, and each text walks those of its own. What is kept of the similarities is a mean a text.
"""

from __future__ import annotations

import numpy as np

from bleu_neighbors_metric.kernels.compiled.formula import log_bleu_star, log_brevity
from bleu_neighbors_metric.kernels.compiled.matching import postings
from bleu_neighbors_metric.kernels.compiled.ngrams import _extract
from metric_commons.support.compiled import compiled


@compiled()
def mean_bleu_star(  # type: ignore[no-untyped-def]
    tokens, offsets, list_begins, weights, orders, clip, smoothing, smooth_value, effective, out
):
    """Write the mean BLEU* of each text with the others of its list to `out`, a text standing in for its equals.

    `weights` says how many equals it stands for: it is compared with one fewer of its own. NaN where there is no
    other. With `effective`, orders in which a text has no n-gram do not count (sacrebleu's effective order).
    """
    n_orders = len(orders)
    for which in range(len(list_begins) - 1):
        first, stop = list_begins[which], list_begins[which + 1]
        n_texts = stop - first
        others = -1.0
        for text in range(first, stop):
            others += weights[text]
        if others <= 0.0:
            out[first:stop] = np.nan
            continue
        own_tokens = tokens[offsets[first] : offsets[stop]]
        own_offsets = offsets[first : stop + 1] - offsets[first]
        table = np.full((1024, 2), np.int64(-1))
        features, begins, table, n_nodes = _extract(own_tokens, own_offsets, orders, table, 1, True, clip, False)
        starts, texts = postings(features, begins, n_orders, n_nodes)
        if not clip:  # a text repeats an n-gram as often as it stands there; its list has it once
            features, begins, table, n_nodes = _extract(
                own_tokens, own_offsets, orders, table, n_nodes, False, clip, True
            )
        counts = np.empty((n_texts, n_orders), np.int64)
        possible = np.empty(n_orders, np.int64)
        for text in range(n_texts):
            counts[:] = 0
            for order in range(n_orders):
                at = text * n_orders + order
                for feature in features[begins[at] : begins[at + 1]]:
                    for other in texts[starts[feature] : starts[feature + 1]]:
                        counts[other, order] += 1
            length = own_offsets[text + 1] - own_offsets[text]
            possible[:] = length - orders + 1
            used = n_orders
            if effective:
                while used > 0 and possible[used - 1] <= 0:
                    used -= 1
            total = 0.0
            if used > 0:
                for other in range(n_texts):
                    brevity = log_brevity(length, own_offsets[other + 1] - own_offsets[other])
                    similarity = np.exp(
                        log_bleu_star(
                            counts[other, :used], possible[:used], smoothing, smooth_value, orders[:used], brevity
                        )
                    )
                    total += (weights[first + other] - (1.0 if other == text else 0.0)) * similarity
            out[first + text] = total / others
