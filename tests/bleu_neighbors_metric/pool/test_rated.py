"""The automatic threshold beside the leave-one-out coverage at each; a random part of a pool."""

import numpy as np
import pytest
from numpy.random import default_rng
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric import pool as rated_module
from bleu_neighbors_metric.pool import GRID, covering_threshold

WORDS = "a b c d the cat sat on mat dog ran far away from here there".split()


def pool_of(n, seed=0):
    generator = default_rng(seed)
    texts = {" ".join(generator.choice(WORDS, generator.integers(1, 9))) for _ in range(3 * n)}
    return sorted(texts)[:n]


def chosen(metric, n_jobs=None):
    return covering_threshold(metric.pool, metric.texts_, metric.min_neighbors, metric.max_fraction, n_jobs)


@pytest.mark.parametrize("min_neighbors, max_fraction", [(5, 0.66), (1, 1.0), (3, 0.1)])
@pytest.mark.parametrize("tokenize", ["char", "none"])
def test_it_is_the_highest_that_covers_most(min_neighbors, max_fraction, tokenize):
    texts = pool_of(60)
    metric = BLEUNeighbors(0.1, min_neighbors, max_fraction, tokenize=tokenize, weights="uniform").fit(
        texts, np.arange(60)
    )
    coverage = [metric.set_params(threshold=float(value)).leave_one_out().coverage for value in GRID]
    best = float(GRID[np.flatnonzero(np.isclose(coverage, max(coverage)))[-1]]) if max(coverage) else 0.0
    assert chosen(metric) == best == chosen(metric, n_jobs=2)


def test_of_a_large_pool_a_seeded_sample_is_tried(monkeypatch):
    monkeypatch.setattr(rated_module, "SAMPLE", 30)
    texts = pool_of(80)
    metric = BLEUNeighbors(0.1).fit(texts, np.arange(80))
    first = chosen(metric)
    assert first == chosen(metric)
    monkeypatch.setattr(rated_module, "SAMPLE", 2_000)
    covered = [metric.set_params(threshold=value).leave_one_out().coverage for value in (first, chosen(metric))]
    assert covered[0] == pytest.approx(covered[1], abs=0.15)


# --- a random part


def test_a_part_is_drawn_from_the_distinct_texts_by_the_seed(tmp_path):
    texts, ratings = [f"{text} {place}" for place, text in enumerate(pool_of(60))], np.arange(60.0)
    drawn = [BLEUNeighbors(max_pool=20, random_state=seed).fit(texts * 2, np.tile(ratings, 2)) for seed in (0, 0, 1)]
    assert [len(metric.texts_) for metric in drawn] == [20, 20, 20]
    assert drawn[0].texts_ == drawn[1].texts_ != drawn[2].texts_
    assert drawn[0].texts_ == sorted(drawn[0].texts_, key=texts.index)
    assert drawn[0].counts_.tolist() == [2] * 20
    assert drawn[0].ratings_.tolist() == [ratings[texts.index(text)] for text in drawn[0].texts_]
    assert "|draw:20.0|pool:20." in drawn[0].signature
    drawn[2].save(tmp_path / "file", index=True)
    loaded = BLEUNeighbors.load(tmp_path / "file")
    assert (loaded.max_pool, loaded.random_state, loaded.signature) == (20, 1, drawn[2].signature)
    with refused("Expected `max_pool` before `fit`: the pool has 20 texts, more than 10"):
        loaded.set_params(max_pool=10).predict(texts)
    for most in (None, 60, 10**9):  # no more texts than that
        assert BLEUNeighbors(max_pool=most, random_state=4).fit(texts, ratings).texts_ == texts
