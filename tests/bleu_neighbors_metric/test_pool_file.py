"""Saved estimators: the same estimates after a round trip."""

import pytest
from example_fits import CANDIDATES, POOL
from numpy.testing import assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors


def assert_same(loaded, metric):
    candidates = [*CANDIDATES, "", "word never seen"]
    assert loaded.signature == metric.signature
    assert loaded.texts_ == metric.texts_
    assert_array_equal([loaded.ratings_, loaded.counts_], [metric.ratings_, metric.counts_])
    assert_array_equal(loaded.predict(candidates).values, metric.predict(candidates).values)
    assert_array_equal(loaded.leave_one_out().values, metric.leave_one_out().values)
    assert loaded.kneighbors(candidates[0]) == metric.kneighbors(candidates[0])


@pytest.mark.parametrize("tokenize", ["char", "13a"])
def test_a_round_trip_keeps_parameters_and_estimates(tmp_path, tokenize):
    options = {"tokenize": tokenize, "smooth_method": "exp", "n_jobs": 2, "progress": False}
    strange = "|\x00\x00|a\tb\nc\r\nd|e\u0301 \U0001f469\u200d|\ud800 a lone surrogate".split("|")
    texts = [*POOL.texts, *strange, POOL.texts[0]]
    metric = BLEUNeighbors("auto", 2, 1.0, **options).fit(texts, range(len(texts)))
    metric.save(tmp_path / "pool")
    loaded = BLEUNeighbors.load(tmp_path / "pool")
    assert_same(loaded, metric)
    assert {**loaded.get_params(), "n_jobs": 2, "progress": False} == metric.get_params()
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "pool").read_bytes()
    other = {"ngram_orders": (1, 2), "threshold": 0.2}
    again = BLEUNeighbors.load(tmp_path / "pool", **other)  # with other parameters the rated texts are fitted anew
    assert_same(again, metric.set_params(**other).fit(texts, range(len(texts))))
    with pytest.raises(ValueError, match="`threshold` to be a number in"):
        BLEUNeighbors.load(tmp_path / "pool", threshold=2)
