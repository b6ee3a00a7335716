"""Williams' test and Fisher's z against published examples, and by simulation if none is at hand."""

import math

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from referenceless_metrics.assessment.meta_evaluation import CORRELATIONS
from referenceless_papers.statistics import (
    linear_map_mse,
    mean_absolute_error,
    permutation_p_value,
    root_mean_squared_error,
    williams_test,
)

NAN = math.nan
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}


def test_williams_agrees_with_the_example_of_nlp_williams():
    # Its readme: r12 0.65, r13 0.55, r23 0.3, n 50, one-sided
    result = williams_test(0.65, 0.55, 0.3, 50, alternative="greater")
    assert result.p_value == pytest.approx(0.20928617286753592, rel=1e-12)


def test_williams_at_the_edges():
    assert williams_test(0.4, 0.4, 0.9, 30).p_value == 1.0
    assert williams_test(0.4, 0.4, 1.0, 30).statistic == 0.0
    assert williams_test(1.0, 0.0, 0.0, 30).p_value < 1e-6
    assert all(math.isnan(williams_test(*r, 30).p_value) for r in ((math.nan, 0, 0), (0, np.nan, 0), (0, 0, math.nan)))


def test_errors_are_those_of_scikit_learn_over_the_covered_pairs():
    from sklearn import metrics

    x, y = default_rng(0).normal(size=(2, 30))
    holes = np.where(np.arange(30) % 7 == 0, NAN, x)
    kept = ~np.isnan(holes)
    assert mean_absolute_error(holes, y) == pytest.approx(metrics.mean_absolute_error(y[kept], x[kept]))
    assert root_mean_squared_error(holes, y) == pytest.approx(math.sqrt(metrics.mean_squared_error(y[kept], x[kept])))
    slope, intercept = np.polyfit(x[kept], y[kept], 1)
    assert linear_map_mse(holes, y) == pytest.approx(np.mean((slope * x[kept] + intercept - y[kept]) ** 2))


@pytest.mark.parametrize("method", CORRELATIONS)
def test_permutation_p_values_are_exact_for_few_texts(method):
    from itertools import permutations

    x, y = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 4.0, 3.0, 7.0]
    observed = SCIPY[method](x, y).statistic
    every = [SCIPY[method](x, order).statistic for order in permutations(y)]
    above = np.mean([value >= observed - 1e-12 for value in every])
    below = np.mean([value <= observed + 1e-12 for value in every])
    assert permutation_p_value(x, y, method) == pytest.approx(min(1, 2 * min(above, below)))
