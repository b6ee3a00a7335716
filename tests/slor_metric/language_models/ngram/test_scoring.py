"""The sums of each text in one pass, against the functions on arrays that define them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from slor_metric.formulas import sum_by_text
from slor_metric.language_models.known import (
    CONTINUES,
    LETTERED,
    add_up,
    cap_unknown_log_odds,
    capped_log_odds,
    token_flags,
    unknown_tokens,
)
from slor_metric.language_models.ngram import train_ngram
from slor_metric.language_models.ngram.scoring import build_table, score_few, score_tokens
from slor_metric.language_models.ngram.storage import Trie

TOKENS = "<unk> a ##a ##b c cat ##ty . 7 ж ##ж".split()
COUNTS = [5, 20, 3, 3, 20, 900, 90, 200, 20, 1, 1]


@pytest.mark.parametrize("counts", [COUNTS, [1] * len(TOKENS)])  # of few words, and of many that are spelled out
@given(texts=st.lists(st.lists(st.integers(0, len(TOKENS) - 1), max_size=12), max_size=5))
def test_the_sums(counts, texts):
    flags = token_flags(TOKENS, counts)
    # a piece that continues a word follows another piece
    texts = [text if not text or not flags[text[0]] & CONTINUES else [1, *text] for text in texts]
    ids = np.array([token for text in texts for token in text], dtype=np.int32)
    offsets = np.concatenate(([0], np.cumsum([len(text) for text in texts]))).astype(np.int64)
    logprobs = -1.0 - np.arange(len(ids)) % 7
    by_id = -1.0 - np.arange(len(TOKENS)) % 5
    totals = add_up(ids, offsets, logprobs, by_id, flags)
    unknown, odds = unknown_tokens(flags[ids]), logprobs - by_id[ids]
    assert_array_equal(
        capped_log_odds(ids, offsets, logprobs, by_id, flags), cap_unknown_log_odds(odds, unknown, offsets)
    )
    expected = [
        logprobs,
        by_id[ids],
        odds - cap_unknown_log_odds(odds, unknown, offsets),
        unknown,
        unknown | (flags[ids] & LETTERED > 0),
    ]
    assert_allclose(totals, np.stack([sum_by_text(column, offsets) for column in expected], axis=1))


def test_long_and_many_texts_are_scored_as_alone():
    model = train_ngram(["a b c a", "a b b", "c a b", "a a c"] * 3, order=4, tokenizer="whitespace")
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(list("abcx"), size)) for size in (5000, 3, 0, 2047, 2046, 4096, 1)]
    framed, table = model._encoder.encode(texts), build_table(model.trie)
    _, offsets, logprobs, ends = score_tokens(framed, len(texts), table)
    few = score_few(framed, model.trie)
    assert_array_equal(few[(framed != 1) & (framed != 2)], logprobs, strict=True)
    assert_array_equal(few[framed == 2], ends, strict=True)
    assert np.diff(offsets).tolist() == [len(text.split()) for text in texts]


@given(texts=st.lists(st.text(st.sampled_from("abc <")), max_size=6), options=st.sampled_from([{}, {"max_ngrams": 9}]))
def test_few_texts_are_scored_as_many_are(texts, options):
    model = train_ngram(["a b c a", "a b b", "c a b"], order=3, tokenizer="whitespace", **options)
    framed = model._encoder.encode(texts)
    _, _, logprobs, ends = score_tokens(framed, len(texts), build_table(model.trie))
    few = score_few(framed, model.trie)
    assert_array_equal(few[(framed != 1) & (framed != 2)], logprobs, strict=True)
    assert_array_equal(few[framed == 2], ends, strict=True)


@given(counts=st.lists(st.integers(0, 9), min_size=1, max_size=300), n_nodes=st.sampled_from([1, 7, 5000]))
def test_the_continuations_of_few_nodes_and_of_many(counts, n_nodes):
    nothing, children = np.zeros(0, dtype=np.float32), np.array(counts, dtype=np.uint16)
    trie = Trie(children, nothing, nothing, children, (len(counts), sum(counts)))
    nodes = np.random.default_rng(0).integers(len(counts), size=n_nodes)
    bounds = np.cumsum([len(counts), *counts])
    first, end = trie.children_of(nodes)
    assert_array_equal(first, bounds[nodes])
    assert_array_equal(end, bounds[nodes + 1])
