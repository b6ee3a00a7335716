"""Ratings that share items and raters: known tests as special cases, a mixed model as the oracle, coverage by draws."""

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from scipy import stats

from referenceless_metrics.human_evaluation.inference.crossed import crossed


def mean_of(values, *groups):
    """Return the inference on the mean of values that share items, and raters if they are given."""
    return crossed(values, np.full(len(values), 1 / len(values)), *groups)


def two_way(n_items, n_raters, seed=0):
    generator = default_rng(seed)
    items, raters = (codes.ravel() for codes in np.indices((n_items, n_raters)))
    values = generator.normal(size=n_items)[items] + generator.normal(size=n_raters)[raters]
    return values + generator.normal(size=len(items)), items, raters


def test_items_alone_are_the_paired_t_test_and_welchs_and_that_of_partial_overlap():
    generator = default_rng(0)
    one = generator.normal(size=12)
    other = 0.8 * one + generator.normal(size=12)
    systems, weights = np.repeat([0, 1], 12), np.repeat([1 / 12, -1 / 12], 12)
    values, places = np.concatenate([one, other]), np.arange(12)
    paired = crossed(values, weights, np.concatenate([places, places]), systems=systems).said
    assert paired.p_value() == pytest.approx(stats.ttest_rel(one, other).pvalue)
    welch = crossed(values, weights, np.arange(24), systems=systems).said
    assert welch.p_value() == pytest.approx(stats.ttest_ind(one, other, equal_var=False).pvalue)
    partly = crossed(values, weights, np.concatenate([places, places + 4]), systems=systems).said
    shared = np.cov(one[4:], other[:8], ddof=1)[0, 1] * 8 / 144  # Derrick et al. 2017, up to how covariance is centred
    expected = one.var(ddof=1) / 12 + other.var(ddof=1) / 12 - 2 * shared
    assert partly.standard_error**2 == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("n_items, n_raters", [(8, 6), (25, 5)])
def test_all_raters_on_all_items_are_the_analysis_of_variance(n_items, n_raters):
    values, items, raters = two_way(n_items, n_raters)
    n = len(values)
    found = mean_of(values, items, raters)
    table = values.reshape(n_items, n_raters)
    rest = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    squares = (
        n_raters * table.mean(axis=1).var(ddof=1),
        n_items * table.mean(axis=0).var(ddof=1),
        (rest**2).sum() / (n_items - 1) / (n_raters - 1),
    )
    variance = (squares[0] + squares[1] - squares[2]) / n
    freedoms = (n_items - 1, n_raters - 1, (n_items - 1) * (n_raters - 1))
    freedom = variance**2 / sum((square / n) ** 2 / left for square, left in zip(squares, freedoms, strict=True))
    assert found.said is found.others
    assert found.said.standard_error**2 == pytest.approx(variance)
    assert found.said.degrees_of_freedom == pytest.approx(min(max(freedom, n_raters - 1), n_items - 1))
    assert found.these.standard_error**2 == pytest.approx(squares[0] / n)


@pytest.mark.long
def test_errors_are_those_of_a_mixed_model():
    formula = pytest.importorskip("statsmodels.formula.api")
    generator = default_rng(3)
    items = np.repeat(np.arange(60), 3)
    raters = np.concatenate([generator.choice(12, 3, replace=False) for _ in range(60)])
    values = generator.normal(size=60)[items] + generator.normal(size=12)[raters] + generator.normal(size=180)
    found = mean_of(values, items, raters).said
    data = pd.DataFrame({"y": values, "item": items, "rater": raters, "all": 1})
    parts = {"item": "0 + C(item)", "rater": "0 + C(rater)"}
    model = formula.mixedlm("y ~ 1", data, groups="all", vc_formula=parts).fit(reml=True)
    assert found.value == pytest.approx(model.params["Intercept"], abs=0.1)
    assert found.standard_error == pytest.approx(model.bse["Intercept"], rel=0.15)


@pytest.mark.parametrize("many", [False, True])
def test_one_rater_or_few_say_nothing_of_others(many):
    values, items, raters = two_way(20, 4 if many else 1)
    found = mean_of(values, items, raters)
    assert not found.about_others
    assert found.said is found.these
    assert (found.others is not None) == many


@pytest.mark.parametrize("rater_system", [0.0, 0.1])
def test_intervals_of_differences_hold_for_raters_drawn_anew(rater_system):
    generator = default_rng(1)
    items, draws = np.repeat(np.arange(20), 2), 2000
    raters = np.concatenate([generator.choice(12, 2, replace=False) for _ in range(20)])
    views = np.sqrt(rater_system) * generator.normal(size=(12, draws))[raters]
    differences = views + generator.normal(size=(20, draws))[items] + generator.normal(size=(40, draws))
    reach = mean_of(differences, items, raters).said.width() / 2
    assert 0.935 <= np.mean(np.abs(differences.mean(axis=0)) <= reach) <= 0.98


def test_clusters_of_items_widen_the_interval_until_it_holds():
    generator = default_rng(2)
    clusters, items = np.repeat(np.arange(20), 5), np.arange(100)
    held = []
    for levels in (items, clusters):
        values = default_rng(2).normal(size=(20, 1000))[clusters] + generator.normal(size=(100, 1000))
        reach = mean_of(values, levels).said.width() / 2
        held.append(np.mean(np.abs(values.mean(axis=0)) <= reach))
    assert held[0] < 0.8
    assert 0.93 <= held[1] <= 0.97


def test_degrees_of_freedom_are_no_fewer_than_the_raters_and_no_more_than_the_items():
    for seed in range(20):
        values, items, raters = two_way(9, 5, seed)
        for drawn in (values, values - values[items * 5], default_rng(seed).normal(size=45)):
            others = mean_of(drawn, items, raters).others
            assert 4 <= others.degrees_of_freedom <= 8
