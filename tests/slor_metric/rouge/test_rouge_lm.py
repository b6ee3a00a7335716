"""ROUGE-LM: the sum of two z-scores, over the scored set or with given statistics."""

import math
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from refusals import refusals, refused

from slor_metric.rouge.rouge_lm import EvenFluencyWarning, ZStatistics, rouge_lm, warn_if_even

FINITE = st.floats(-100, 100).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(FINITE, FINITE), min_size=2, max_size=30))
def test_equals_scipys_zscores(pairs):
    first, second = np.array(pairs).T
    expected = np.zeros(len(pairs))
    for column in (first, second):
        if np.ptp(column) > 0:
            expected += scipy.stats.zscore(column)
    assert_allclose(rouge_lm(first, second), expected, atol=1e-8)
    assert rouge_lm(first, second).mean() == pytest.approx(0.0, abs=1e-8)


def test_an_undefined_part_makes_the_score_undefined_and_takes_no_part_in_z():
    found = rouge_lm([0.1, 0.2, 0.9, 0.3], [1.0, 2.0, math.nan, 3.0])
    assert np.isnan(found).tolist() == [False, False, True, False]
    assert_allclose(found[[0, 1, 3]], rouge_lm([0.1, 0.2, 0.3], [1.0, 2.0, 3.0]))
    assert np.isnan(rouge_lm([0.1, 0.2], [math.nan, math.nan])).all()
    assert np.isnan(rouge_lm([0.1, 0.2, 0.3], [1.0, 2.0, -math.inf])).tolist() == [False, False, True]


test_bad_statistics = refusals(
    lambda values: ZStatistics.from_dict(values),
    [
        ([1, 2, 3, 4], "`statistics`.*mapping.*list", TypeError),
        ({"rouge_l_mean": 1.0}, "`statistics`.*rouge_l_std"),
        ({"rouge_l_mean": 0, "rouge_l_std": -1, "wpslor_mean": 0, "wpslor_std": 1}, "rouge_l_std"),
        ({"rouge_l_mean": "a", "rouge_l_std": 1, "wpslor_mean": 0, "wpslor_std": 1}, "rouge_l_mean", TypeError),
    ],
)


def test_unequal_lengths():
    with refused(r"\(2,\) and \(1,\)"):
        rouge_lm([0.1, 0.2], [1.0])


def test_a_warning_where_fluency_says_little():
    even = ZStatistics(0.4, 0.2, 1.0, 0.3)
    with pytest.warns(EvenFluencyWarning, match="ROUGE-L alone may do better"):
        warn_if_even(even, 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_if_even(even, 19)  # too few to tell
        warn_if_even(ZStatistics(0.4, 0.2, 1.0, 0.5), 1000)
        warn_if_even(ZStatistics(*[float("nan")] * 4), 1000)
        warn_if_even(ZStatistics(0.4, 0.0, 1.0, 0.0), 1000)
