"""Bit rows added by carry-save adders, beside plain sums of the bits."""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from bleu_neighbors_metric.kernels.compiled.bit_rows import add_bit_rows, fill_bit_rows

compiled_sum = njit(add_bit_rows)  # which otherwise is a part of other compiled functions


@pytest.mark.parametrize("n_rows", [0, 1, 7, 8, 9, 247, 248, 249, 600])
@pytest.mark.parametrize("n_texts", [512, 500, 1024])
def test_counts_equal_plain_sums(n_rows, n_texts):
    rng = np.random.default_rng(n_rows)
    words = 8 * -(-n_texts // 512)
    has = rng.random((n_rows, n_texts)) < 0.7
    starts = np.concatenate([[0], np.cumsum(has.sum(axis=1))]).astype(np.int64)
    texts = np.concatenate([np.zeros(0, np.int32), *(np.flatnonzero(row) for row in has)]).astype(np.int32)
    rows = np.zeros((1, n_rows + 1, words), dtype=np.uint64)
    fill_bit_rows(starts, texts, np.arange(n_rows), rows)
    counts = np.full(n_texts, 3, dtype=np.uint16)
    planes, unpacked = np.empty((8, words), dtype=np.uint64), np.empty(8 * words, dtype=np.uint64)
    compiled_sum(counts, rows[0], np.arange(n_rows, dtype=np.int32), planes, unpacked)
    np.testing.assert_array_equal(counts, 3 + has.sum(axis=0))
