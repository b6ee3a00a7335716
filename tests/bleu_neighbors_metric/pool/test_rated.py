"""The automatic threshold beside the leave-one-out coverage at each; a random part of a pool beside redraws."""

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.testing import assert_array_equal
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


def rated(n, seed=0):
    """Return texts whose ratings depend on their first word, so that ratings of neighbours differ less than all do."""
    generator = default_rng(seed)
    texts = [f"{WORDS[i % 16]} {' '.join(generator.choice(WORDS, 4))} {i}" for i in range(n)]
    return texts, (np.arange(n) % 16) / 4 + generator.normal(size=n)


@pytest.mark.parametrize("parameters", [{"max_pool": None}, {"max_pool": 50}, {"max_pool": 10**9}])
def test_a_pool_no_larger_than_the_most_is_kept_whole(parameters):
    texts, ratings = rated(50)
    metric = BLEUNeighbors(**parameters, random_state=4).fit(texts, ratings)
    assert (metric.texts_, metric.n_distinct_, metric.draw_error) == (texts, 50, None)
    result, whole = metric.predict(texts), BLEUNeighbors().fit(texts, ratings).predict(texts)
    assert_array_equal(result.values, whole.values)
    assert result.details == whole.details


def test_a_part_is_drawn_from_the_distinct_texts_by_the_seed():
    texts, ratings = rated(60)
    drawn = [BLEUNeighbors(max_pool=20, random_state=seed).fit(texts * 2, np.tile(ratings, 2)) for seed in (0, 0, 1)]
    assert [len(metric.texts_) for metric in drawn] == [20, 20, 20]
    assert drawn[0].texts_ == drawn[1].texts_ != drawn[2].texts_
    assert drawn[0].texts_ == sorted(drawn[0].texts_, key=texts.index)
    assert drawn[0].counts_.tolist() == [2] * 20
    assert drawn[0].ratings_.tolist() == [ratings[texts.index(text)] for text in drawn[0].texts_]
    assert "|draw:20.0|pool:20." in drawn[0].signature
    assert "|draw:20.1|" in drawn[2].signature


@pytest.mark.parametrize("threshold, weights", [(0.1, "similarity"), (0.3, "uniform")])
def test_the_stated_error_is_that_of_redraws(threshold, weights):
    texts, ratings = rated(900)
    new, _ = rated(60, seed=7)
    estimates, stated = [], []
    for seed in range(120):
        metric = BLEUNeighbors(threshold, 5, 1.0, weights=weights, max_pool=200, random_state=seed, progress=False)
        estimates.append(metric.fit(texts, ratings).predict(new).values)
        stated.append(metric.draw_error.standard_error)
    known = np.isfinite(estimates).all(axis=0)
    assert known.mean() > 0.8
    measured = np.sqrt(np.var(np.array(estimates)[:, known], axis=0, ddof=1).mean())
    assert np.sqrt(np.mean(np.square(stated))) == pytest.approx(measured, rel=0.12)


def test_the_error_of_the_mean_of_all_is_the_textbooks():
    texts, ratings = rated(900)
    metric = BLEUNeighbors(0.0, 5, 1.0, weights="uniform", max_pool=200).fit(texts, ratings)
    expected = metric.ratings_.std() * np.sqrt((1 - 200 / 900) / 200)
    assert metric.draw_error.standard_error == pytest.approx(expected, rel=0.01)


def test_the_error_stands_in_results_and_in_files(tmp_path):
    texts, ratings = rated(300)
    metric = BLEUNeighbors(0.05, max_pool=100, random_state=3).fit(texts, ratings)
    result, error = metric.predict(texts[:5]), metric.draw_error
    assert (result.draw_error, result.draw_error_share) == (error.standard_error, error.share)
    assert error.share == pytest.approx(error.standard_error / metric.ratings_.std())
    assert str(error).startswith("100 of 300 distinct rated texts were drawn: estimates have a standard error of 0.")
    for index in (False, True):
        metric.save(tmp_path / "file", index=index)
        loaded = BLEUNeighbors.load(tmp_path / "file")
        assert (loaded.max_pool, loaded.random_state, loaded.n_distinct_) == (100, 3, 300)
        assert loaded.signature == metric.signature
        assert loaded.draw_error == error
    with refused("Expected `max_pool` before `fit`: the pool has 100 texts, more than 50"):
        metric.set_params(max_pool=50).predict(texts)
