"""The metrics as assertions of promptfoo: the function that it calls."""

import pytest
from refusals import refused
from small_metrics import CANDIDATES, ESTIMATES, FITTED
from toy_metrics import Lengths

from referenceless_metrics.frameworks.promptfoo import promptfoo_assertion


def test_a_text_passes_by_its_value():
    get_assert = promptfoo_assertion(Lengths(), threshold=3, value_range=(0, 4))
    assert get_assert("abc", {}) == {
        "pass": True,
        "score": 0.75,
        "reason": "lengths 3, at least 3",
        "namedScores": {"lengths": 3.0, "lengths_coverage": 1.0},
    }
    result = get_assert("ab", {"vars": {}})
    assert (result["pass"], result["score"], result["reason"]) == (False, 0.5, "lengths 2, below 3")
    assert get_assert("abcde", {})["score"] == 1.0


def test_a_text_without_a_value_fails_with_its_reason_and_stays_out_of_the_mean():
    assert promptfoo_assertion(Lengths(strict=True), value_range=(0, 1))("", {}) == {
        "pass": False,
        "score": 0.0,
        "reason": "no lengths: empty text",
        "namedScores": {"lengths_coverage": 0.0},
    }


def test_the_range_of_scores_is_stated_or_that_of_the_ratings():
    with refused("Expected `value_range`, the values of lengths that become"):
        promptfoo_assertion(Lengths())
    with refused("Expected `value_range` to rise, but got 1 to 1"):
        promptfoo_assertion(Lengths(), value_range=(1, 1))
    text, low, high = CANDIDATES[0], FITTED.ratings_.min(), FITTED.ratings_.max()
    assert promptfoo_assertion(FITTED)(text, {})["score"] == pytest.approx((ESTIMATES.values[0] - low) / (high - low))
