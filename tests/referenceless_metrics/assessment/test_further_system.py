"""Expectation for a further system: its interval counts the differences between systems."""

import math

import numpy as np
import pytest
from numpy.random import default_rng

from referenceless_metrics.assessment.further_system import further_system
from referenceless_metrics.assessment.meta_evaluation import fisher_interval


def drawn(generator, n_systems, n_texts, spread, mean=0.4):
    """Estimates and ratings of systems whose correlations vary, transformed, by `spread`."""
    systems = np.repeat(np.arange(n_systems), n_texts)
    rho = np.tanh(generator.normal(np.arctanh(mean), spread, n_systems))[systems]
    ratings = generator.normal(size=len(systems))
    return rho * ratings + np.sqrt(1 - rho**2) * generator.normal(size=len(systems)), ratings, systems


@pytest.mark.parametrize("spread", [0.0, 0.15, 0.3])
@pytest.mark.parametrize("n_systems", [3, 6])
def test_the_interval_holds_the_correlation_of_a_further_system(n_systems, spread):
    generator, held = default_rng(0), []
    for _ in range(80):
        found = further_system(*drawn(generator, n_systems, 80, spread))
        of_further = np.tanh(generator.normal(np.arctanh(0.4), spread))
        held.append(found.low <= of_further <= found.high)
    assert np.mean(held) >= 0.9


def test_many_systems_that_do_not_differ_leave_little_but_the_usual_spread():
    found = further_system(*drawn(default_rng(0), 30, 200, 0.0))
    assert found.value == pytest.approx(0.4, abs=0.03)
    assert 0.1 < found.high - found.low < 0.25


def test_one_system_has_a_wider_interval_than_its_own_texts_tell():
    found = further_system(*drawn(default_rng(0), 1, 100, 0.0))
    low, high = fisher_interval(found.value, 100)
    assert found.low < low < high < found.high


def test_systems_of_few_texts_do_not_count():
    estimates, ratings, systems = drawn(default_rng(0), 4, 9, 0.0)
    assert math.isnan(further_system(estimates, ratings, systems).value)
