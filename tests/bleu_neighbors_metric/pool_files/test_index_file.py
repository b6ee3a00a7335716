"""Saved estimators: the same estimates after a round trip, and clear errors for any other file."""

import numpy as np
import pytest
import text_strategies as strategies
from example_fits import CANDIDATES, RATED_POOL
from hypothesis import HealthCheck, given, settings
from numpy.testing import assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors


@pytest.fixture
def saved(tmp_path):
    metric = BLEUNeighbors(0.1, tokenize="13a", smooth_method="exp", weights="similarity", n_jobs=2)
    metric.fit(*RATED_POOL)
    path = tmp_path / "pool.index"
    metric.save(path)
    return metric, path


def test_a_round_trip_keeps_parameters_and_estimates(saved):
    metric, path = saved
    loaded = BLEUNeighbors.load(path)
    assert loaded.signature == metric.signature
    assert {**loaded.get_params(), "n_jobs": 2} == metric.get_params()
    assert_array_equal(loaded.predict(CANDIDATES).values, metric.predict(CANDIDATES).values)
    assert_array_equal(loaded.leave_one_out().values, metric.leave_one_out().values)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(strategies.pools)
def test_any_texts_survive(tmp_path, texts):
    texts = [*texts, "\ud800 a lone surrogate"]
    metric = BLEUNeighbors(min_neighbors=1, max_fraction=1.0).fit(texts, np.linspace(-1, 1, len(texts)))
    metric.save(tmp_path / "index")
    loaded = BLEUNeighbors.load(tmp_path / "index")
    assert loaded.texts_ == metric.texts_
    assert_array_equal(loaded.ratings_, metric.ratings_)
    assert_array_equal(loaded.counts_, metric.counts_)
