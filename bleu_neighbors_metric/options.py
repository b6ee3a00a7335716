"""The names that several options take, and the rules for how texts are read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_neighbors_metric.tokenizers import check_tokenizer
from metric_commons.support.validation import check_choice, check_number, describe

SMOOTH_METHODS = ("none", "floor", "add-k", "exp")
"""sacrebleu's smoothing methods."""

WEIGHT_METHODS = ("uniform", "similarity")
"""How neighbours count: all alike (Eq. 3), or by their similarity."""

_HIGHEST_ORDER = 2**31 - 1


def check_text_options(
    tokenize: object, ngram_orders: object, smooth_method: object, smooth_value: object, clip: object
) -> None:
    """Check how texts are to be read (see `BLEUNeighbors`).

    Raises:
        TypeError: for an option of the wrong kind.
        ValueError: for one outside its range.
    """
    check_tokenizer(tokenize)
    if isinstance(ngram_orders, (str, bytes)) or not isinstance(ngram_orders, Sequence):
        raise TypeError(
            f"Expected argument `ngram_orders` to be a tuple of whole numbers, but got {describe(ngram_orders)}"
        )
    for order in ngram_orders:
        check_number(order, "ngram_orders", minimum=1, maximum=_HIGHEST_ORDER, integer=True)
    if not ngram_orders or len(set(ngram_orders)) < len(ngram_orders):
        raise ValueError(f"Expected argument `ngram_orders` to hold distinct n-gram orders, but got {ngram_orders!r}")
    check_choice(smooth_method, "smooth_method", SMOOTH_METHODS)
    if smooth_value is not None:
        most = 1.0 if smooth_method == "floor" else np.inf  # a floor above 1 makes similarities above 1
        check_number(smooth_value, "smooth_value", minimum=0, maximum=most)
    if not isinstance(clip, (bool, np.bool_)):
        raise TypeError(f"Expected argument `clip` to be True or False, but got {describe(clip)}")
