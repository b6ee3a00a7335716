"""Constants of BLEU* (Ethayarajh & Sadigh 2020, Eq. 2) from n-gram counts; the formula is `native/bleu_star.h`.

Pools are matched by blocks and bit rows (see `matching`). A list of a few hundred texts is too small for these: there
each n-gram has a posting list, and each text walks those of its own (see `within_lists`).

Neighbours that count by their similarity have weights in whole numbers, which add up exactly. Without smoothing, BLEU*
is β / (Π possible n-grams)^(1/N), which lengths alone decide, times the N-th root of each order's count; those roots
stand in a table, so that a neighbour costs some multiplications. Its weight is the nearest multiple of 2^-36. Weights
times narrow pieces of ratings (limbs) are summed in 64 bits, a tile at a time.
"""

from __future__ import annotations

from bleu_neighbors_metric.kernels.inverted_index import TILE_BITS

NONE, FLOOR, ADD_K, EXP = 0, 1, 2, 3
SMOOTHING = {"none": (NONE, 0.0), "floor": (FLOOR, 0.1), "add-k": (ADD_K, 1.0), "exp": (EXP, 0.0)}
"""sacrebleu's smoothing methods by name: the number by which compiled code knows each, and its default value."""


WEIGHT_BITS = 36
"""A weight is a multiple of 2^-36."""

LIMB_BITS = 62 - TILE_BITS - WEIGHT_BITS
"""So wide are the pieces of a rating: the sum over a tile then fits 63 bits."""
