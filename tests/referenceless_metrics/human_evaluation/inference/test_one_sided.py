"""One-sided bounds: skewness as scipy has it, and equal means that are seldom called worse, rare failures too."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.one_sided import Ends, OneSided, ends_of, third_cumulant
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters


def bounds_of(values, most):
    n = len(values)
    third = third_cumulant((values - values.mean()) / n, np.arange(n))
    return OneSided.skewed(mean_of_clusters(values, np.arange(n)), third, n, Ends(most, (0.0, most), ""))


def test_the_skewness_of_a_mean_is_that_of_its_values_over_the_root_of_their_number():
    values = default_rng(0).exponential(size=40)
    expected = stats.skew(values, bias=False) / np.sqrt(40)
    assert bounds_of(values, 1.0).estimate.skewness == pytest.approx(expected)
    doubled = np.repeat(values, 2)
    third = third_cumulant((doubled - doubled.mean()) / 80, np.repeat(np.arange(40), 2))
    assert third == pytest.approx(expected * stats.sem(values) ** 3)


def test_a_bound_needs_more_items_if_the_mean_is_skewed_towards_it():
    skewed = Inference(0.1, 0.02, 39.0, 0.3)
    bounds = OneSided(skewed, 40, Ends(1.0, (0.0, 1.0), ""))
    towards, away = (int(np.ceil(40 * (0.3 / limit) ** 2)) for limit in (0.25, 0.42))
    assert bounds.needed == (away, towards) == (21, 58)
    assert OneSided(replace(skewed, skewness=-0.3), 40, bounds.ends).needed == (towards, away)
    assert OneSided(replace(skewed, skewness=0.0), 40, bounds.ends).needed == (20, 20)


def test_what_was_not_drawn_moves_a_mean_by_its_largest_share_times_the_most_of_an_item():
    bounds = OneSided(Inference(-0.05, 0.002, 19.0, 0.0), 20, Ends(1.0, (0.0, 1.0), ""))
    share = bounds.unseen(0.9)
    assert (1 - share) ** 20 == pytest.approx(0.05)
    takes = bounds.items_against_unseen(0.05, 0.9)
    assert (1 - 0.05) ** takes <= 0.05 < (1 - 0.05) ** (takes - 1)
    assert bounds.items_against_unseen(0.0, 0.9) == np.inf


@pytest.mark.parametrize("share, n", [(0.05, 20), (0.05, 50), (0.01, 100)])
def test_equal_means_are_seldom_called_worse_if_the_baseline_fails_in_few_items(share, n):
    generator = default_rng(n)
    by_bound = worse = 0
    for _ in range(400):
        values = (generator.random(n) < share) - share + generator.normal(0, 0.01, n)
        bounds = bounds_of(values, 1.0)
        is_below = bounds.bounds(0.9)[1] < 0 and n >= bounds.needed[1]
        by_bound += is_below
        worse += is_below and bounds.estimate.value + bounds.unseen(0.9) < 0
    assert by_bound / 400 > 0.065
    assert worse / 400 <= 0.065


@pytest.mark.parametrize(
    "values, scale, most",
    [([0.2, 1.0], None, 1.0), ([0.0, 55.0], None, 100.0), ([1.0, 5.0], None, 4.0), ([1.0, 5.0], (1.0, 7.0), 6.0)],
)
def test_the_ends_of_a_scale_are_named_or_seen(values, scale, most):
    ends = ends_of(np.array(values), np.array([-0.5, 0.1]), scale)  # the range of all scores, if it is wider
    assert (ends.most, ends.are_known) == (most, most != 4.0)


def test_a_difference_of_ratings_has_the_bounds_of_its_pairs():
    generator = default_rng(3)
    ratings = [generator.exponential(size=30), generator.exponential(size=30)]
    systems = [SystemRatings(name, values, np.full(30, np.nan)) for name, values in zip("ab", ratings, strict=True)]
    (difference,) = human_scores(systems).differences
    expected = bounds_of(ratings[1] - ratings[0], 1.0)
    assert difference.one_sided.bounds(0.9) == pytest.approx(expected.bounds(0.9))
    assert difference.one_sided.needed == expected.needed
    assert difference.one_sided.ends.most == pytest.approx(np.ptp(ratings))


def test_bounds_of_different_items_take_the_skewness_of_both():
    generator = default_rng(4)
    ratings = [generator.exponential(size=40), generator.normal(size=30)]
    systems = [
        SystemRatings(name, values, np.full(len(values), np.nan), items=[f"{name}{i}" for i in range(len(values))])
        for name, values in zip("ab", ratings, strict=True)
    ]
    (difference,) = human_scores(systems).differences
    first, second = (stats.skew(each, bias=False) * stats.sem(each) ** 3 / np.sqrt(len(each)) for each in ratings)
    error = difference.one_sided.estimate.standard_error
    assert difference.one_sided.estimate.skewness == pytest.approx((second - first) / error**3, rel=0.1)


@pytest.mark.parametrize("n, scale, is_said", [(58, None, False), (59, None, True), (20, (0.0, 9.0), True)])
def test_without_the_ends_of_the_scale_a_verdict_takes_59_items(n, scale, is_said):
    assert 0.95**59 <= 0.05 < 0.95**58
    generator = default_rng(5)
    base = generator.normal(5, 0.5, n)
    none = np.full(n, np.nan)
    systems = [SystemRatings("base", base, none), SystemRatings("ours", base - generator.normal(2, 0.1, n), none)]
    (difference,) = human_scores(systems, scale=scale).differences
    assert (difference.one_sided.verdict(4.0, 0.9)[0] is True) == is_said
    assert (n >= difference.one_sided.fewest) == is_said
