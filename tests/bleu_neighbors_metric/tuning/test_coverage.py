"""Coverage over thresholds is what the estimator says at each of them."""

from __future__ import annotations

import numpy as np
import pytest
import text_strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.tuning.coverage import coverage_by_threshold
from metric_commons.support.errors import NotFittedError

THRESHOLDS = [0.0, 0.02, 0.08, 0.2, 0.5, 1.0]


@settings(deadline=None, max_examples=60)
@given(
    text_strategies.pools,
    text_strategies.candidates,
    st.integers(1, 3),
    st.sampled_from([0.3, 0.66, 1.0]),
    st.sampled_from(["uniform", "similarity"]),
)
@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_as_the_estimator_at_each_threshold(
    pool: list[str], candidates: list[str], min_neighbors: int, max_fraction: float, weights: str
) -> None:
    metric = BLEUNeighbors(min_neighbors=min_neighbors, max_fraction=max_fraction, weights=weights)
    metric.fit(pool, np.arange(len(pool)))
    got = coverage_by_threshold(metric, candidates, THRESHOLDS)
    expected = [metric.set_params(threshold=t).predict(candidates).coverage for t in THRESHOLDS]
    np.testing.assert_array_equal(got, expected)


def test_more_candidates_than_a_batch() -> None:
    pool = example_pool()
    metric = BLEUNeighbors().fit(pool.texts, pool.quality)
    candidates = (pool.texts + example_candidates()) * 3
    assert len(candidates) > 256
    expected = [BLEUNeighbors(t).fit(pool.texts, pool.quality).predict(candidates).coverage for t in THRESHOLDS]
    np.testing.assert_array_equal(coverage_by_threshold(metric, candidates, THRESHOLDS), expected)


def test_neighbours_that_weigh_nothing_cover_nothing() -> None:
    metric = BLEUNeighbors(0.0, 1, 1.0, weights="similarity").fit(["the cat sat", "a dog ran off"], [1, 0])
    candidates = ["the cat sat", "zzzzzzz"]
    assert metric.predict(candidates).coverage == 0.5
    assert coverage_by_threshold(metric, candidates, [0.0, 0.9]).tolist() == [0.5, 0.5]


def test_bad_input() -> None:
    with pytest.raises(NotFittedError):
        coverage_by_threshold(BLEUNeighbors(), ["text"], THRESHOLDS)
    metric = BLEUNeighbors(min_neighbors=1).fit(["a text", "another text"], [0, 1])
    with pytest.raises(TypeError, match="bare str"):
        coverage_by_threshold(metric, "text", THRESHOLDS)
    with pytest.raises(ValueError, match="at least one text"):
        coverage_by_threshold(metric, [], THRESHOLDS)
