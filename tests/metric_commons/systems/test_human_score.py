"""Systems' human scores: what is said, and above all what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from metric_commons.support.errors import InputError
from metric_commons.systems.human_score import HumanScores, SystemRatings, human_scores


def system(
    name: str, n_rated: int, *, mean: float = 4.0, n: int = 200, correlation: float = 0.6, seed: int = 0
) -> SystemRatings:
    generator = np.random.default_rng(seed)
    ratings = generator.normal(mean, 1, n)
    estimates = correlation * (ratings - mean) + np.sqrt(1 - correlation**2) * generator.normal(size=n)
    ratings[n_rated:] = np.nan
    return SystemRatings(name, ratings, estimates)


def test_each_system_is_scored_and_compared_with_the_first() -> None:
    result = human_scores([system("old", 60), system("new", 40, mean=5.0, seed=1)])
    assert isinstance(result, HumanScores)
    old, new = result.scores
    assert (old.system, old.n_outputs, old.n_rated, old.coverage) == ("old", 200, 60, 1.0)
    assert 0 < new.shrinkage < 0.4
    assert new.shrinkage == pytest.approx(new.expected_shrinkage, abs=0.08)
    assert new.ratings_needed(0.3) < new.ratings_needed(0.3, with_estimates=False)
    (difference,) = result.differences
    assert (difference.system, difference.baseline) == ("new", "old")
    assert difference.mean.value == pytest.approx(new.mean.value - old.mean.value)
    assert difference.p_value < 0.001
    assert difference.shrinkage > 0


def test_abstentions_stand_for_the_mean_estimate() -> None:
    whole = system("ours", 50)
    holes = SystemRatings("ours", whole.ratings, np.where(np.arange(200) % 4 == 0, np.nan, whole.estimates))
    score = human_scores([holes]).scores[0]
    assert score.coverage == 0.75
    assert score.ratings_alone == human_scores([whole]).scores[0].ratings_alone
    nothing = human_scores([SystemRatings("ours", whole.ratings, np.full(200, np.nan))]).scores[0]
    assert nothing.mean == nothing.ratings_alone
    assert np.isnan(nothing.correlation)
    assert nothing.expected_shrinkage == 0
    assert nothing.ratings_needed(0.5) == nothing.ratings_needed(0.5, with_estimates=False)


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ([], "there is no system"),
        ([system("a", 50), system("b", 0)], r"b: none of its 200 outputs is rated, and nothing can be said"),
        ([system("a", 9)], "a: 9 of its 200 outputs are rated, too few"),
        ([system("a", 1)], "a: 1 of its 200 outputs is rated"),
        ([SystemRatings("a", np.full(20, 3.0), np.arange(20.0))], "a: all 20 ratings are 3"),
        ([system("a", 50), system("b", 50, mean=80)], "different scales: a from .* and b from"),
    ],
)
def test_what_supports_no_claim_is_refused(systems: list[SystemRatings], message: str) -> None:
    with pytest.raises(InputError, match=message):
        human_scores(systems)


@pytest.mark.parametrize(
    ("ratings", "estimates", "message"),
    [
        (np.ones(3), np.ones(2), "vectors of one length"),
        (np.array([np.inf, 1.0]), np.ones(2), "infinite"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(ratings: np.ndarray, estimates: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        human_scores([SystemRatings("a", ratings, estimates)])


def test_a_level_outside_the_unit_interval_is_refused() -> None:
    with pytest.raises(ValueError, match="`level`"):
        human_scores([system("a", 20)], level=1.0)
