"""The automatic threshold, against the estimator's own leave-one-out coverage at each threshold."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors, rated_pool
from bleu_neighbors_metric.rated_pool import GRID, covering_threshold

WORDS = ["a", "b", "c", "d", "the", "cat", "sat", "on", "mat", "dog", "ran", "far", "away", "from", "here", "there"]


def pool_of(n: int, seed: int = 0) -> list[str]:
    generator = np.random.default_rng(seed)
    texts = {" ".join(generator.choice(WORDS, generator.integers(1, 9))) for _ in range(3 * n)}
    return sorted(texts)[:n]


def chosen(metric: BLEUNeighbors, n_jobs: int | None = None) -> float:
    return covering_threshold(metric.pool, metric.texts_, metric.min_neighbors, metric.max_fraction, n_jobs)


@pytest.mark.parametrize(("min_neighbors", "max_fraction"), [(5, 0.66), (1, 1.0), (3, 0.1)])
@pytest.mark.parametrize("tokenize", ["char", "none"])
def test_it_is_the_highest_that_covers_most(min_neighbors: int, max_fraction: float, tokenize: str) -> None:
    texts = pool_of(60)
    metric = BLEUNeighbors(0.1, min_neighbors, max_fraction, tokenize=tokenize).fit(texts, np.arange(60))
    coverage = [metric.set_params(threshold=float(value)).leave_one_out().coverage for value in GRID]
    best = float(GRID[np.flatnonzero(np.isclose(coverage, max(coverage)))[-1]]) if max(coverage) else 0.0
    assert chosen(metric) == best == chosen(metric, n_jobs=2)


def test_ratings_play_no_part() -> None:
    texts = pool_of(40)
    one = BLEUNeighbors(0.1).fit(texts, np.zeros(40))
    other = BLEUNeighbors(0.1).fit(texts, np.random.default_rng(0).normal(size=40))
    assert chosen(one) == chosen(other)


def test_a_pool_that_nothing_covers_has_the_threshold_zero() -> None:
    with pytest.warns(UserWarning, match="no text can be covered"):
        metric = BLEUNeighbors(0.1).fit(["x y", "y z", "z w"], [1.0, 2.0, 3.0])
    assert chosen(metric) == 0.0


def test_of_a_large_pool_a_seeded_sample_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rated_pool, "SAMPLE", 30)
    texts = pool_of(80)
    metric = BLEUNeighbors(0.1).fit(texts, np.arange(80))
    first = chosen(metric)
    assert first == chosen(metric)
    monkeypatch.setattr(rated_pool, "SAMPLE", 2_000)
    covered = [metric.set_params(threshold=value).leave_one_out().coverage for value in (first, chosen(metric))]
    assert covered[0] == pytest.approx(covered[1], abs=0.15)


def test_a_text_without_tokens_is_covered_by_none() -> None:
    texts = [*pool_of(20), ""]
    metric = BLEUNeighbors(0.1, min_neighbors=1, max_fraction=1.0).fit(texts, np.arange(21))
    assert np.isnan(metric.set_params(threshold=chosen(metric)).leave_one_out().values[-1])
