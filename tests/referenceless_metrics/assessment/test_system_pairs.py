"""Agreement about pairs: each figure beside its definition, one pair at a time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng

from referenceless_metrics.assessment.system_pairs import (
    metric_difference,
    pairwise_accuracy,
    random_signs,
    soft_accuracy_with,
    soft_difference_error,
    soft_pairwise_accuracy,
    tie_calibrated_accuracy,
)


def naive_soft(metric, human, signs):
    n_systems, distances = len(metric), []
    for i in range(n_systems):
        for j in range(i + 1, n_systems):
            p = []
            for scores in (metric, human):
                found = sum(a - b for a, b in zip(scores[i], scores[j], strict=True))
                reached = [
                    sum(sign * (a - b) for sign, a, b in zip(row, scores[i], scores[j], strict=True)) >= found - 1e-9
                    for row in signs
                ]
                p.append(sum(reached) / len(signs))
            distances.append(abs(p[0] - p[1]))
    return 1 - sum(distances) / len(distances)


def naive_ties(metric, human):
    """Accuracy at each threshold that changes anything, one pair of one item at a time."""
    n_systems, n_items = metric.shape
    pairs = [
        [(metric[i, k] - metric[j, k], human[i, k] - human[j, k]) for i in range(n_systems) for j in range(i)]
        for k in range(n_items)
    ]
    pairs = [[(m, h) for m, h in of_item if not math.isnan(m + h)] for of_item in pairs]
    pairs = [of_item for of_item in pairs if of_item]
    thresholds = sorted({0.0, *(abs(m) for of_item in pairs for m, _ in of_item)})

    def accuracy(threshold):
        of_items = []
        for of_item in pairs:
            agree = [h == 0 if abs(m) <= threshold else m * h > 0 for m, h in of_item]
            of_items.append(sum(agree) / len(agree))
        return sum(of_items) / len(of_items)

    best = max(round(accuracy(threshold), 12) for threshold in thresholds)
    return best, next(t for t in thresholds if round(accuracy(t), 12) == best)


@st.composite
def scored(draw):
    n_systems, n_items, seed = draw(st.integers(3, 5)), draw(st.integers(1, 8)), draw(st.integers(0, 10**6))
    generator = default_rng(seed)
    human = generator.integers(0, 4, (n_systems, n_items)).astype(float)
    metric = np.round(human + generator.normal(0, 1.5, human.shape), draw(st.sampled_from([0, 3])))
    return metric, human, generator


@given(scored())
def test_soft_accuracy_by_its_definition(given_scores):
    metric, human, _ = given_scores
    signs = random_signs(metric.shape[1], 40)
    found = soft_pairwise_accuracy(metric, human, signs).value
    assert found == pytest.approx(naive_soft(metric, human, signs))
    assert found == soft_accuracy_with(human, signs)(metric)


@given(scored())
def test_accuracy_with_ties_by_its_definition(given_scores):
    metric, human, generator = given_scores
    metric = np.where(generator.random(metric.shape) < 0.1, np.nan, metric)
    if not np.isfinite(metric).sum(axis=0).max() > 1:
        return
    found = tie_calibrated_accuracy(metric, human)
    value, threshold = naive_ties(metric, human)
    assert found.value == pytest.approx(value)
    assert found.threshold == pytest.approx(threshold)


def test_soft_accuracy_is_one_with_oneself_and_its_monte_carlo_error_is_that_of_new_draws():
    generator = default_rng(0)
    human = generator.normal(size=(5, 30)) + np.linspace(0, 0.8, 5)[:, None]
    assert soft_pairwise_accuracy(human, human, random_signs(30)).value == 1.0
    metric = human + generator.normal(0, 1, human.shape)
    found = [soft_pairwise_accuracy(metric, human, random_signs(30, 200, seed)) for seed in range(40)]
    spread = np.std([each.value for each in found], ddof=1)
    assert np.mean([each.error for each in found]) == pytest.approx(spread, rel=0.5)


def test_equal_means_agree_with_equal_means_alone():
    assert pairwise_accuracy(np.array([1.0, 1.0, 2.0]), np.array([1.0, 1.0, 3.0])) == 1.0
    assert pairwise_accuracy(np.array([1.0, 1.5, 2.0]), np.array([1.0, 1.0, 3.0])) == pytest.approx(2 / 3)


def test_the_error_of_p_holds_that_of_the_figures_which_are_random_themselves():
    """p of one pair of metrics, by draws of both kinds anew, varies as its error says."""
    generator = default_rng(4)
    human = generator.normal(0, 1, (4, 30)) + np.array([[0.0], [0.2], [0.4], [0.6]])
    one, two = (human + generator.normal(0, noise, human.shape) for noise in (1.0, 2.0))
    found = []
    for seed in range(12):
        signs = random_signs(30, 100, seed)
        error = soft_difference_error(one, two, human, signs)
        assert error > 0
        assert soft_difference_error(one, one, human, signs) == 0

        def soft(metric, signs=signs):
            return soft_pairwise_accuracy(metric, human, signs).value

        found.append(metric_difference(one, two, soft, n_permutations=100, seed=seed, value_error=error))
        plain = metric_difference(one, two, soft, n_permutations=100, seed=seed)
        assert (plain.value, plain.p_value) == (found[-1].value, found[-1].p_value)
        assert found[-1].error > plain.error
    spread = np.std([each.p_value for each in found], ddof=1)
    assert 0.6 < spread / np.sqrt(np.mean([each.error**2 for each in found])) < 1.6


def test_a_better_metric_is_told_from_a_worse_one_and_an_equal_one_is_not():
    generator = default_rng(1)
    human = generator.integers(1, 6, (4, 40)).astype(float)
    good, bad, equal = (human + generator.normal(0, noise, human.shape) for noise in (0.5, 6, 0.5))

    def accuracy(metric):
        return tie_calibrated_accuracy(metric, human).value

    better = metric_difference(good, bad, accuracy, n_permutations=100)
    assert better.value > 0.1
    assert better.p_value <= 0.02
    assert metric_difference(good, equal, accuracy, n_permutations=100).p_value > 0.05
    assert better.error == pytest.approx(math.sqrt(better.p_value * (1 - better.p_value) / 100))
