"""Texts that share rows: every text once, no more in a row or a batch than fit, and none that sees another."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lazily import lazily
from numpy.testing import assert_array_equal

from slor_metric.language_models.hf.shared_rows import (
    ROOT,
    alike_beginnings,
    row_of,
    within_texts,
)
from slor_metric.language_models.hf.torch_support import SHARED_WIDTH, row_batches

torch = lazily("torch")


@given(st.lists(st.integers(1, 2 * SHARED_WIDTH), max_size=80), st.integers(1, 40), st.integers(1, 1000))
def test_every_text_stands_in_one_row(lengths, batch_size, max_tokens):
    batches = list(row_batches(lengths, batch_size, max_tokens, SHARED_WIDTH))
    assert sorted(i for batch in batches for row in batch for i in row) == list(range(len(lengths)))
    for batch in batches:
        widths = [1 + sum(lengths[i] for i in row) for row in batch]
        assert len(batch) <= batch_size
        assert len(batch) * max(widths) <= max_tokens or len(batch) == 1
        assert all(width <= SHARED_WIDTH or len(row) == 1 for width, row in zip(widths, batch, strict=True))


TEXTS = st.lists(st.lists(st.integers(0, 2), max_size=9), max_size=12)  # few tokens: many begin alike


@given(TEXTS)
def test_a_row_says_each_beginning_once(texts):
    row = row_of(7, texts)
    beginnings = {tuple(text[:end]) for text in texts for end in range(len(text) + 1)} | {()}
    assert len(row.tokens) == len(row.before) == len(beginnings)
    for text, columns in zip(texts, row.columns, strict=True):
        assert [row.tokens[column] for column in columns] == [7, *text]
        assert [row.before[column] for column in columns] == [ROOT, *columns[:-1]]


@given(TEXTS, st.integers(0, 3))
def test_a_token_sees_its_own_text_up_to_itself(texts, padding):
    row = row_of(7, texts)
    width = len(row.tokens) + padding
    mask, positions = within_texts([row.before], width, torch.float32, torch.device("cpu"))
    sees = np.eye(width, dtype=bool)
    for columns in row.columns:
        for place, column in enumerate(columns):
            sees[column, columns[: place + 1]] = True
            assert positions[0, column] == place
    assert_array_equal(mask[0, 0] == 0, sees)
    assert_array_equal(mask[0, 0][~sees], np.finfo(np.float32).min)
    assert_array_equal(positions[0, len(row.tokens) :], 0)


@given(TEXTS, st.integers(1, 20))
def test_texts_that_begin_alike_are_put_together(texts, width):
    groups = alike_beginnings(texts, width)
    assert sorted(place for group in groups for place in group) == list(range(len(texts)))
    for group in groups:
        own = [texts[place] for place in group]
        assert len(group) == 1 or len(row_of(7, own).tokens) - 1 <= width
        for one, other in pairwise(own):
            assert one[:1] == other[:1] != []


def test_a_list_of_variants_fills_one_row():
    variants = [[1, 2, 3, 4, 5, ending] for ending in range(8)]
    assert alike_beginnings([[9], *variants, [2, 2], []], 13) == [[10], [*range(1, 9)], [9], [0]]
    assert alike_beginnings(variants, 12) == [[*range(7)], [7]]
