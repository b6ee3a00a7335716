"""Bootstrap intervals of correlations, against SciPy draw by draw."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.random import default_rng
from numpy.testing import assert_allclose
from scipy import stats

from referenceless_papers.resampled_correlations import resampled_correlations

NAN = math.nan
SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}


NUMBERS = st.one_of(st.integers(-3, 3).map(float), st.floats(-10, 10, width=32))


def one_by_one(left, right, method, n_resamples, seed):
    found = []
    for draw in default_rng(seed).integers(0, len(left), size=(n_resamples, len(left))):
        x, y = left[draw], right[draw]
        found.append(NAN if np.ptp(x) == 0 or np.ptp(y) == 0 else SCIPY[method](x, y).statistic)
    return found


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::scipy.stats.NearConstantInputWarning")
@pytest.mark.parametrize("method", ["pearson", "spearman"])
@given(data=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=9), seed=st.integers(0, 5))
@example(data=[(5.0, 1.0), (5.0 + 1e-9, 2.0), (5.0, 3.0)], seed=0)  # a side that hardly varies
@example(data=[(0.0, 0.0), (0.0, 0.0), (1e-30, 1.0)], seed=0)
def test_resamples_are_those_of_scipy(method, data, seed):
    left, right = np.array(data).T
    (fast,) = resampled_correlations([(left, right, method)], 40, seed)
    assert_allclose(fast, one_by_one(left, right, method, 40, seed), atol=1e-6)
