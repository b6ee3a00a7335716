"""What the arrays of an indexed pool must hold, where they come from files."""

from __future__ import annotations

import numpy as np

from bleu_neighbors_metric.kernels.bleu_star import PoolArrays
from bleu_neighbors_metric.kernels.inverted_index import MOST_DENSE, TILE, WORDS
from metric_commons.files.archive import Array
from metric_commons.support import native
from metric_commons.support.validation import Integers, Numbers

RULES = {
    "lengths": Array("<i8", (None,), least=0, most=2**31 - 1),
    "order": Array("<i8", (None,)),
    "table": Array("<i8", (None, 2)),
    "starts": Array("<i8", (None,)),
    "postings": Array("<i4", (None,)),
    "dense_row": Array("<i4", (None,)),
    "dense": Array("<u8", (None, None, WORDS)),
    "vocabulary": Array("|u1", (None,)),
}
"""The arrays of an archive that holds an index."""


def check_arrays(arrays: PoolArrays, n_texts: int) -> None:
    """Check arrays that keep to `RULES` by what compiled code relies on: it checks no bounds of its own.

    Raises:
        ValueError: for the first array that breaks one; the message begins with its name.
    """
    n_features = len(arrays.dense_row)
    n_rows = arrays.dense.shape[1] - 1
    slots = len(arrays.table)
    lengths, starts, table = arrays.lengths, arrays.starts, arrays.table
    _require("lengths", len(lengths) == n_texts and bool((np.diff(lengths) >= 0).all()))
    _require("order", len(arrays.order) == n_texts and _is_permutation(arrays.order))
    _require("dense_row", 1 <= n_features < 2**31 and _within(arrays.dense_row, -1, n_rows))
    _require(
        "dense",
        0 <= n_rows <= MOST_DENSE
        and arrays.dense.shape == (-(-n_texts // TILE), n_rows + 1, WORDS)
        and not arrays.dense[:, n_rows].any(),
    )
    _require(
        "starts",
        len(starts) == n_features + 1
        and starts[0] == 0
        and starts[-1] == len(arrays.postings)
        and bool((np.diff(starts) >= 0).all()),
    )
    _require(
        "postings", _within(arrays.postings, 0, n_texts) and native.call("lists_ascend", starts, arrays.postings) == 1
    )
    try:
        arrays.vocabulary.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise ValueError("vocabulary: not UTF-8") from None
    _require("table", slots > 0 and slots & (slots - 1) == 0 and _is_table(table, n_features))


def _require(name: str, holds: bool | np.bool_) -> None:
    if not holds:
        raise ValueError(f"{name}: its numbers are not those of an index")


def _within(values: Numbers, least: int, below: int) -> bool:
    return len(values) == 0 or bool(values.min() >= least and values.max() < below)


def _is_permutation(order: Integers) -> bool:
    return _within(order, 0, len(order)) and bool((np.bincount(order, minlength=len(order)) == 1).all())


def _is_table(table: Integers, n_features: int) -> bool:
    """Say whether look-ups end (a slot is empty), and lead to features."""
    used = table[:, 0] != -1
    return not used.all() and _within(table[used, 1], 0, n_features)
