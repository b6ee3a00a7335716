"""BLEU* from n-gram counts (Ethayarajh & Sadigh 2020, Eq. 2), compiled, with sacrebleu's smoothing of precisions."""

from __future__ import annotations

import numpy as np

from metric_commons.support.compiled import compiled_within

NONE, FLOOR, ADD_K, EXP = 0, 1, 2, 3
SMOOTHING = {"none": NONE, "floor": FLOOR, "add-k": ADD_K, "exp": EXP}

DEFAULT_SMOOTH_VALUE = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}
"""sacrebleu's defaults."""


def smoothing_of(method: str, value: float | None) -> tuple[int, float]:
    """Return the number of a smoothing method and its value, sacrebleu's default for None."""
    return SMOOTHING[method], float(DEFAULT_SMOOTH_VALUE[method] if value is None else value)


@compiled_within()
def log_bleu_star(matched, possible, smoothing, smooth_value, orders, brevity):  # type: ignore[no-untyped-def]
    """Return ln BLEU* (Eq. 2) from the matched and possible n-gram counts of each order; -inf where it is 0.

    As in sacrebleu, smoothing makes nothing of texts that share no n-gram of any order.
    """
    n_orders = len(possible)
    total = 0.0
    halved = 1.0
    any_match = False
    for which in range(n_orders):
        hits: float = np.float64(matched[which])
        out_of: float = np.float64(possible[which])
        if out_of <= 0.0:
            return -np.inf
        any_match = any_match or hits > 0.0
        if smoothing == ADD_K and orders[which] > 1:
            hits += smooth_value
            out_of += smooth_value
        elif hits == 0.0:
            if smoothing == FLOOR:
                hits = smooth_value
            elif smoothing == EXP:
                halved *= 0.5
                hits = halved
        if hits <= 0.0:
            return -np.inf
        total += np.log(hits / out_of)
    if not any_match:
        return -np.inf
    return brevity + total / n_orders


@compiled_within()
def log_brevity(candidate_length, pool_length):  # type: ignore[no-untyped-def]
    """Return ln β = min(0, 1 - |s|/|x|) (Eq. 2)."""
    if candidate_length == 0:
        return 0.0
    return min(0.0, 1.0 - pool_length / candidate_length)
