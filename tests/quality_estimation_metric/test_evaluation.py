from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quality_estimation_metric.evaluation import assign_folds, cross_validate, duplicates_ceiling, number_groups


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=10, max_size=60), st.integers(2, 5), st.integers(0, 99))
def test_groups_stay_whole_and_folds_even(keys: list[int], n_folds: int, seed: int) -> None:
    groups = number_groups(keys)
    folds = assign_folds(groups, n_folds, seed)
    for group in set(groups.tolist()):
        assert len(set(folds[groups == group].tolist())) == 1
    assert folds.max() < n_folds
    largest = np.bincount(groups).max()
    assert np.bincount(folds, minlength=n_folds).max() <= len(keys) / n_folds + largest


def test_every_rating_is_estimated_from_the_others() -> None:
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=50)

    def estimate(train, test):
        assert not set(train) & set(test)
        values = ratings[test] + 0.5
        return values, values - 1, values + 0.25

    found = cross_validate(estimate, ratings, np.arange(50), grouping="text", level=0.9, n_folds=5, seed=1)
    assert math.isclose(found.mae, 0.5)
    assert math.isclose(found.rmse, 0.5)
    assert math.isclose(found.pearson, 1)
    assert found.interval_coverage == 1
    assert math.isclose(found.interval_width, 1.25)
    assert found.constant_rmse > ratings.std()


def test_the_ceiling_is_the_agreement_of_pairs() -> None:
    keys = [*"aabbccc"]
    ratings = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
    found = duplicates_ceiling(keys, ratings)
    pairs = [(1, 2), (3, 4), (5, 6), (5, 7), (6, 7)]
    both = np.array(pairs + [(b, a) for a, b in pairs], dtype=float)
    assert found.n_pairs == 5
    assert math.isclose(found.pearson, np.corrcoef(np.array(pairs, dtype=float).T)[0, 1])
    assert math.isclose(found.exchanged, np.corrcoef(both.T)[0, 1])
    assert math.isnan(duplicates_ceiling("ab", np.array([1.0, 2.0])).pearson)
