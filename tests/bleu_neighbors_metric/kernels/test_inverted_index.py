"""Posting lists and rows of bits, beside lists of Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from kernel_twins import postings as twin_postings

from bleu_neighbors_metric.kernels.inverted_index import (
    ROWS_AHEAD,
    postings,
    split_features,
    without_dense,
)

TEXTS = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=10), min_size=2, max_size=12)


def flat(lists):
    numbers = np.array([number for one in lists for number in one], dtype=np.int32)
    return numbers, np.cumsum([0, *map(len, lists)], dtype=np.int64)


@given(TEXTS, st.sets(st.integers(0, 9)))
def test_lists_equal_the_twins(texts, dense):
    lists = texts[: len(texts) // 2 * 2]  # of two orders
    features, begins = flat(lists)
    starts, inverted = postings(features, begins, 2, 10)
    expected_starts, expected = twin_postings(features.tolist(), begins.tolist(), 2, 10)
    assert starts.tolist() == expected_starts.tolist()
    assert inverted.tolist() == expected

    dense_row = np.full(10, -1, dtype=np.int32)
    dense_row[sorted(dense)] = np.arange(len(dense))
    kept, rare = without_dense(starts, inverted, dense_row)
    rare_lists = [[] if feature in dense else inverted[starts[feature] : starts[feature + 1]] for feature in range(10)]
    assert kept.tolist() == np.cumsum([0, *map(len, rare_lists)]).tolist()
    assert rare.tolist() == [text for one in rare_lists for text in one]

    empty = len(dense)
    rows, row_begins, rare_begins, rare_ends, list_begins = split_features(features, begins, kept, dense_row, empty)
    assert rows[len(rows) - ROWS_AHEAD :].tolist() == [empty] * ROWS_AHEAD
    assert len(rows) == row_begins[-1] + ROWS_AHEAD
    for which, own in enumerate(lists):
        of_list = rows[row_begins[which] : row_begins[which + 1]].tolist()
        expected_rows = [int(dense_row[feature]) for feature in own if feature in dense]
        assert of_list == expected_rows + [empty] * (-len(expected_rows) % 8)
        place = slice(list_begins[which], list_begins[which + 1])
        spans = [(kept[feature], kept[feature + 1]) for feature in own if kept[feature] < kept[feature + 1]]
        assert list(zip(rare_begins[place], rare_ends[place], strict=True)) == spans
