"""Texts are read some at a time: the values are those of each alone, and memory is taken for few."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from slor_metric import ROUGELM, SLOR, WPSLOR, Fluency, FluencyNgram, pieces
from slor_metric.fluency import features
from slor_metric.pieces import in_pieces

WORDS = "the a dog house walks tree green very people said of in on and water lightt runs Zorb 7 , (night) old".split()


def text_of(n_words, seed=0):
    return " ".join(np.random.default_rng(seed).choice(WORDS, n_words))


def test_what_is_read_together(monkeypatch):
    monkeypatch.setattr(pieces, "_PIECE", 10)
    monkeypatch.setattr(pieces, "_LEAST_PIECE", 4)
    assert in_pieces(["abc", "abcdefg", "a" * 99, "", "", "abcdef", "abcdef"]) == [
        slice(0, 2),
        slice(2, 3),
        slice(3, 6),
        slice(6, 7),
    ]
    assert in_pieces(["abc"] * 4, n_jobs=2) == [slice(0, 2), slice(2, 4)]
    assert in_pieces(["abc"] * 8, n_jobs=2) == [slice(0, 2), slice(2, 4), slice(4, 6), slice(6, 8)]  # not 3, 3 and 2
    assert in_pieces([]) == [slice(0, 0)]


@pytest.mark.parametrize("metric", [FluencyNgram, Fluency])
def test_no_value_depends_on_what_is_read_together(monkeypatch, metric):
    texts = [*(f"{text_of(9, seed).capitalize()}. {text_of(3, seed)}" for seed in range(30)), "", text_of(400)]
    expected = metric().predict(texts)
    costs = [each.contributions for each in metric().contributions(texts)]
    monkeypatch.setattr(pieces, "_PIECE", 200)
    monkeypatch.setattr(features, "LARGE_PIECE", 200)
    monkeypatch.setattr(pieces, "_LEAST_PIECE", 50)
    for n_jobs in (None, 2):
        found = metric(n_jobs=n_jobs).predict(texts)
        assert_array_equal(found.values, expected.values)
        for name, column in expected.columns.items():
            assert_array_equal(found.columns[name], column)
    for own, wanted in zip(metric().contributions(texts), costs, strict=True):
        assert_array_equal(own.contributions, wanted)


@pytest.mark.parametrize("metric", [SLOR, WPSLOR, ROUGELM])
def test_threads_change_no_value(monkeypatch, metric):
    texts = [text_of(9, seed).capitalize() for seed in range(300)]
    references = {"references": [[texts[-i], text_of(7, i)] for i in range(len(texts))]} if metric is ROUGELM else {}
    expected = metric().predict(texts, **references)
    monkeypatch.setattr(pieces, "_LEAST_PIECE", 500)
    found = metric(n_jobs=2).predict(texts, **references)
    assert_array_equal(found.values, expected.values)
    assert found.reasons == expected.reasons
    for name, column in expected.columns.items():
        assert_array_equal(found.columns[name], column)


@pytest.mark.long
@pytest.mark.parametrize("metric, most", [(FluencyNgram, 30), (Fluency, 45)])
def test_memory_for_one_long_sentence(metric, most):
    made, text = metric(), text_of(15_000)
    made.predict([text])
    peaks = []
    for _ in range(3):  # a model that has read enough makes a table, once, which is not of this text
        tracemalloc.start()
        made.predict([text])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert min(peaks) / len(text) < most  # bytes a character
