"""Bit rows counted by carry-save adders, beside plain sums of the bits."""

import numpy as np
import pytest

from bleu_neighbors_metric.kernels.inverted_index import (
    MOST_ROWS,
    ROWS_AHEAD,
    TILE,
    WORDS,
    count_bit_rows,
    empty_rows,
    fill_bit_rows,
)
from metric_commons.support.compiled import compiled


@compiled()
def counted(rows, tile, chosen, begin, end, counts, which):
    count_bit_rows(rows, tile, chosen, begin, end, counts, which)


@pytest.mark.parametrize("n_rows", [0, 1, 7, 8, 9, 60, 247, 248, 249, MOST_ROWS])
@pytest.mark.parametrize("n_texts", [TILE, TILE - 12])
def test_counts_equal_plain_sums(n_rows, n_texts):
    rng = np.random.default_rng(n_rows)
    has = rng.random((n_rows, n_texts)) < 0.9
    has[:, 5] = True
    starts = np.concatenate([[0], np.cumsum(has.sum(axis=1))]).astype(np.int64)
    texts = np.concatenate([np.zeros(0, np.int32), *(TILE + np.flatnonzero(row) for row in has)]).astype(np.int32)
    rows = empty_rows(2, n_rows + 1)
    assert rows.shape == (2, n_rows + 1, WORDS)
    assert not rows.any()
    assert rows.ctypes.data % 64 == 0
    fill_bit_rows(starts, texts, np.arange(n_rows), rows)
    assert not rows[0].any()
    end = 3 + -(-n_rows // 8) * 8
    chosen = np.full(end + ROWS_AHEAD, n_rows, dtype=np.uint16)
    chosen[3 : 3 + n_rows] = rng.permutation(n_rows)
    counts = np.full((3, TILE), 77, dtype=np.uint8)
    counted(rows, 1, chosen, 3, end, counts, 1)
    np.testing.assert_array_equal(counts[1, :n_texts], has.sum(axis=0))
    assert not counts[1, n_texts:].any()
    assert (counts[::2] == 77).all()
