"""The automatic threshold beside the leave-one-out coverage at each."""

import numpy as np
import pytest
from numpy.random import default_rng

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric import pool as rated_module
from bleu_neighbors_metric.pool import GRID, covering_threshold

WORDS = "a b c d the cat sat on mat dog ran far away from here there".split()


def pool_of(n, seed=0):
    generator = default_rng(seed)
    texts = {" ".join(generator.choice(WORDS, generator.integers(1, 9))) for _ in range(3 * n)}
    return sorted(texts)[:n]


def chosen(metric, n_jobs=None):
    return covering_threshold(metric.pool_, metric.texts_, metric.min_neighbors, metric.max_fraction, n_jobs)


@pytest.mark.parametrize("min_neighbors, max_fraction", [(5, 0.66), (1, 1.0), (3, 0.1)])
@pytest.mark.parametrize("tokenize", ["char", "none"])
def test_it_is_the_highest_that_covers_most(min_neighbors, max_fraction, tokenize):
    texts = pool_of(60)
    metric = BLEUNeighbors(0.1, min_neighbors, max_fraction, tokenize=tokenize, weights="uniform").fit(
        texts, np.arange(60)
    )
    coverage = [
        metric.set_params(threshold=float(value)).fit(texts, np.arange(60)).leave_one_out().coverage for value in GRID
    ]
    best = float(GRID[np.flatnonzero(np.isclose(coverage, max(coverage)))[-1]]) if max(coverage) else 0.0
    assert chosen(metric) == best == chosen(metric, n_jobs=2)


def test_of_a_large_pool_a_seeded_sample_is_tried(monkeypatch):
    monkeypatch.setattr(rated_module, "SAMPLE", 30)
    texts = pool_of(80)
    metric = BLEUNeighbors(0.1).fit(texts, np.arange(80))
    first = chosen(metric)
    assert first == chosen(metric)
    monkeypatch.setattr(rated_module, "SAMPLE", 2_000)
    covered = [
        BLEUNeighbors(value).fit(texts, np.arange(80)).leave_one_out().coverage for value in (first, chosen(metric))
    ]
    assert covered[0] == pytest.approx(covered[1], abs=0.15)
