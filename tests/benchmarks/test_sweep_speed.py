"""Sweeps and learning curves beside fitting and leaving one out anew for every setting or draw."""

import pytest
from numpy.random import default_rng

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.subsampling import pool_learning_curve
from bleu_neighbors_metric.tuning.sweep import MAX_FRACTIONS, MIN_NEIGHBORS, THRESHOLDS, sweep

SIZE = 1000


@pytest.fixture(scope="module")
def fitted():
    rng = default_rng(0)
    words = ["".join(rng.choice(list("etaoinshrdlu"), rng.integers(2, 8))) for _ in range(400)]
    texts = [" ".join(rng.choice(words, rng.integers(5, 15))) for _ in range(SIZE)]
    return BLEUNeighbors().fit(texts, rng.random(SIZE))


def test_sweep(benchmark, fitted):
    result = benchmark.pedantic(sweep, (fitted,), rounds=2, warmup_rounds=1)
    assert len(result.settings) == len(THRESHOLDS) * len(MIN_NEIGHBORS) * len(MAX_FRACTIONS)


def test_sweep_anew_for_every_threshold(benchmark, fitted):
    def anew():
        for threshold in THRESHOLDS:
            BLEUNeighbors(threshold).fit(fitted.texts_, fitted.ratings_).leave_one_out()

    benchmark.pedantic(anew, rounds=2, warmup_rounds=1)


def test_learning_curve(benchmark, fitted):
    assert len(benchmark.pedantic(pool_learning_curve, (fitted,), rounds=2, warmup_rounds=1).points) == 10


def test_learning_curve_anew_for_one_size(benchmark, fitted):
    rng = default_rng(0)

    def anew():
        for _ in range(20):
            drawn = rng.choice(SIZE, SIZE // 2, replace=False)
            BLEUNeighbors().fit([fitted.texts_[i] for i in drawn], fitted.ratings_[drawn]).predict(fitted.texts_)

    benchmark.pedantic(anew, rounds=2, warmup_rounds=1)
