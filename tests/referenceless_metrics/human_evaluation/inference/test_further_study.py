"""What further studies with other numbers of items and raters find."""

from types import SimpleNamespace

import pytest

from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.further_study import detectable_of_others

THESE = Inference(0.0, 0.3, 23.0, 0.0)
"""A difference over 24 items, for the raters of the study alone."""

OTHERS = Inference(0.0, 0.5, 6.0, 0.0)
"""The same for raters in general: the raters add a variance of .5² − .3²."""

CONTRAST = SimpleNamespace(raters=SimpleNamespace(these=THESE, others=OTHERS, n_raters=6), level_of_plans=0.95)


def test_with_any_number_of_items_the_raters_remain_and_with_any_number_of_raters_the_items():
    of_raters = Inference(0.0, 0.4, 5.0, 0.0).detectable(0.95)
    assert detectable_of_others(CONTRAST, 1e9) == pytest.approx(of_raters, rel=1e-3)
    assert detectable_of_others(CONTRAST, 1.0, 1e9) == pytest.approx(THESE.detectable(0.95), rel=1e-3)


def test_four_times_as_many_of_both_find_at_least_half_the_difference():
    same, larger = (detectable_of_others(CONTRAST, times, times) for times in (1.0, 4.0))
    assert 0.4 * same < larger <= 0.5 * same
