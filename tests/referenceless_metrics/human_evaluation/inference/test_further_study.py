"""What further studies with other numbers of items and raters find."""

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from referenceless_metrics.human_evaluation.inference.crossed import Crossed
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.further_study import units_to_find
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.wording.further_study import to_find_told

THESE = Inference(0.0, 0.3, 23.0, 0.0)
"""A difference over 24 items, for the raters of the study alone."""

OTHERS = Inference(0.0, 0.5, 12.0, 0.0)
"""The same for raters in general: the raters add a variance of .5² − .3²."""

RATERS = Crossed(THESE, OTHERS, 6)


def test_with_any_number_of_items_the_raters_remain_and_with_any_number_of_raters_the_items():
    of_raters = Inference(0.0, 0.4, 5.0, 0.0).detectable(0.95)
    assert RATERS.detectable(0.95, 1e9) == pytest.approx(of_raters, rel=1e-3)
    assert RATERS.detectable(0.95, 1.0, 1e9) == pytest.approx(THESE.detectable(0.95), rel=1e-3)


def test_four_times_as_many_of_both_find_at_least_half_the_difference():
    same, larger = (RATERS.detectable(0.95, times, times) for times in (1.0, 4.0))
    assert 0.4 * same < larger <= 0.5 * same


def test_more_raters_lessen_the_noise_of_single_ratings():
    alike = Crossed(THESE, THESE, 6, of_single=0.3**2 / 2)  # raters do not differ but for noise
    assert alike.detectable(0.95) == pytest.approx(THESE.detectable(0.95))
    by_raters = alike.detectable(0.95, 1.0, 4.0)
    assert by_raters == pytest.approx(THESE.times((1 / 2 + 1 / 8) ** 0.5).detectable(0.95))
    assert alike.detectable(0.95, 4.0, 4.0) < alike.detectable(0.95, 4.0, 1.0) < by_raters
    assert alike.times(2.0).detectable(0.95, 1.0, 4.0) == pytest.approx(2 * by_raters)


@pytest.fixture
def difference():
    """The difference of two systems, of 40 items by 5 raters, whose ratings differ by noise alone."""
    drawn = default_rng(0)
    systems = []
    for name in "ab":
        ratings = drawn.normal(size=(40, 1)) + 0.8 * drawn.normal(size=(40, 5))
        outputs, raters = (each.ravel() for each in np.indices(ratings.shape))
        rows = pd.DataFrame({"output": outputs, "rater": raters, "rating": ratings.ravel()})
        systems.append(SystemRatings(name, ratings.mean(axis=1), np.full(40, np.nan), judgements=rows))
    return human_scores(systems).differences[0]


def test_more_raters_do_not_ask_for_more_items(difference):
    of_both, by_same = (units_to_find(difference, 0.4, 40, same_raters=same) for same in (False, True))
    assert 40 < of_both < by_same
    told = to_find_told(difference, 0.4, 40, "items")
    both = f"about {of_both} items and {-(-5 * of_both // 40)} raters"
    assert f"take about {by_same} items by the same number of raters, or {both} (here 40 and 5)." in told
