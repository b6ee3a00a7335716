"""Prediction-powered means: against a slow twin, against ppi-python if it is installed, and by simulation."""

import math

import numpy as np
import pytest
from command_lines import python
from hypothesis import given
from hypothesis import strategies as st
from powered import mean_of_ratings, means, rated_once
from scipy import stats

from referenceless_metrics.human_evaluation.inference.estimated_means import Inference


def slow_mean(ratings, estimates, unrated):
    """Return value, standard error, degrees of freedom and λ from their definitions, number by number."""
    n, m = len(ratings), len(unrated)
    mean_y, mean_f, mean_u = sum(ratings) / n, sum(estimates) / n, sum(unrated) / m
    mean_a = sum([*estimates, *unrated]) / (n + m)
    covariance = sum((y - mean_y) * (f - mean_f) for y, f in zip(ratings, estimates, strict=True)) / (n - 1)
    variance = sum((f - mean_a) ** 2 for f in [*estimates, *unrated]) / (n + m - 1)
    power = max(covariance / variance, 0) * m / (n + m)
    value = mean_y + power * (mean_u - mean_f)
    around = [y - power * f - (mean_y - power * mean_f) for y, f in zip(ratings, estimates, strict=True)]
    lost = 2 if power > 0 else 1
    left = sum(r * r for r in around) / (n - lost) / n
    right = power**2 * sum((u - mean_u) ** 2 for u in unrated) / (m - 1) / m
    freedom = (left + right) ** 2 / (left**2 / (n - lost) + right**2 / (m - 1))
    return value, math.sqrt(left + right), freedom, power


def draw(seed, n, m, correlation):
    generator = np.random.default_rng(seed)
    truth = generator.normal(size=n + m)
    guess = correlation * truth + math.sqrt(1 - correlation**2) * generator.normal(size=n + m)
    return truth[:n] + 3, guess[:n], guess[n:]


@given(st.integers(0, 10_000), st.integers(30, 60), st.integers(2, 60), st.sampled_from([-0.5, 0.0, 0.3, 0.9]))
def test_the_mean_is_that_of_the_definition(seed, n, m, correlation):
    drawn = draw(seed, n, m, correlation)
    best = rated_once(*drawn).best_power
    alone, mean, power = means(*drawn, best)
    if not best:
        assert mean == alone
        return
    expected = slow_mean(*(part.tolist() for part in drawn))
    assert (mean.value, mean.standard_error, mean.degrees_of_freedom, power) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("power", [0.3, 1.0])
def test_point_estimates_and_errors_are_those_of_ppi_python(power):
    oracle, drawn = pytest.importorskip("ppi_py"), draw(5, 60, 400, 0.6)
    _, mean, _ = means(*drawn, power=power)
    assert mean.value == pytest.approx(oracle.ppi_mean_pointestimate(*drawn, lam=power).item())
    low, high = oracle.ppi_mean_ci(*drawn, alpha=0.1, lam=power)
    error = (high.item() - low.item()) / 2 / stats.norm.ppf(0.95)  # theirs is normal, with n degrees of freedom
    assert mean.standard_error == pytest.approx(error, rel=0.02)
    assert mean.standard_error > error
    assert means(*drawn)[1].value == pytest.approx(oracle.ppi_mean_pointestimate(*drawn).item(), abs=0.05)


def test_without_skewness_the_interval_is_that_of_students_t():
    ratings = np.array([1.0, 2.0, 3.0, 4.0, 5.0])  # symmetric
    expected = stats.t.interval(0.9, 4, loc=3.0, scale=ratings.std(ddof=1) / math.sqrt(5))
    mean = mean_of_ratings(ratings)
    assert mean.interval(0.9) == pytest.approx(expected)
    assert mean.width(0.9) == pytest.approx(expected[1] - expected[0])
    assert mean.p_value(2.0) == pytest.approx(stats.ttest_1samp(ratings, 2.0).pvalue)


@pytest.mark.long
@pytest.mark.parametrize("n", [6, 40])
def test_a_further_study_finds_the_difference_four_times_in_five(n):
    pilot, further = np.random.default_rng(0).normal(size=(2, 20_000, n))
    named = [Inference(0.0, error, n - 1.0, 0.0).detectable() for error in pilot.std(axis=1, ddof=1) / math.sqrt(n)]
    reach = stats.t.ppf(0.975, n - 1) * further.std(axis=1, ddof=1) / math.sqrt(n)
    assert 0.79 <= np.mean(further.mean(axis=1) + named > reach) <= 0.82


def found(difference, error, freedom, further, level=0.95):
    """Return the exact share of further studies that find a difference, which counts standard errors of this study."""
    shares = (np.arange(400) + 0.5) / 400
    of_this, of_further = (np.sqrt(stats.chi2.ppf(shares, of) / of) for of in (freedom, further))
    reach = stats.t.ppf((1 + level) / 2, further) * of_further
    return float(stats.norm.cdf(difference / error * of_this[:, None] - reach).mean())


@pytest.mark.parametrize("freedom", [4, 7, 19, 60])
@pytest.mark.parametrize("times", [1, 4])
def test_the_detectable_difference_counts_that_errors_are_estimated(freedom, times):
    error = 0.01
    named = Inference(0.0, error, float(freedom), 0.0).detectable(0.95, times)
    further = times * (freedom + 1) - 1
    assert found(named, error / np.sqrt(times), freedom, further) == pytest.approx(0.8, abs=0.01)


def test_four_times_as_many_clusters_gain_degrees_of_freedom_too():
    of_eight = Inference(0.0, 0.00883, 7.0, 0.0)
    assert of_eight.detectable() == pytest.approx(0.0329, abs=2e-4)  # 60 segments in 8 documents
    assert of_eight.detectable(0.95, 4) < 0.9 * of_eight.detectable() / 2


@given(st.floats(-1.5, 1.5), st.floats(-3, 3))
def test_the_ends_of_an_interval_are_where_p_is_its_level(skewness, value):
    mean = Inference(value, 0.7, 20.0, skewness)
    for end in mean.interval(0.9):
        assert mean.p_value(end) == pytest.approx(0.1, abs=1e-6)


def test_constants_differ_surely_or_not_at_all():
    same = Inference(1.0, 0.0, 5.0, 0.0)
    assert same.interval() == (1.0, 1.0)
    assert same.plus(-1.0, 0.0, 5.0).p_value() == 1.0
    assert same.plus(-2.0, 0.0, 5.0).p_value() == 0.0


def test_importing_the_room_loads_no_scipy():
    python("import sys, referenceless_metrics.human_evaluation.inference.human_score; sys.exit('scipy' in sys.modules)")
