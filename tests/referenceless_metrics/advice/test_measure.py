"""Folds, correlations within them, and a choice that is not measured on what it was made with."""

from __future__ import annotations

import numpy as np
import pytest
from referenceless_metrics.advice.measure import (
    Candidate,
    LeftOut,
    RepeatedFolds,
    group_folds,
    leave_out,
    pooled,
    repeated_folds,
)

FOLDS = repeated_folds(40)[0]


class _Length:
    def __init__(self, sign: float) -> None:
        self.sign = sign

    def predict(self, texts):
        class Result:
            values = np.array([self.sign * len(text) for text in texts], dtype=np.float64)

        return Result()


def test_candidates_see_the_other_folds_alone():
    texts = ["x" * (i + 1) for i in range(40)]
    ratings = np.arange(40.0)
    seen = []

    def make(given, _):
        seen.append(len(given))
        return _Length(1)

    found = leave_out([Candidate("length", "", make, "")], texts, ratings, FOLDS)
    assert seen == [32] * 5
    assert found.means == pytest.approx([0.999])
    seen.clear()
    leave_out([Candidate("length", "", make, "")], texts, ratings, FOLDS, share=0.5)
    assert seen == [16] * 5


def test_the_choice_is_measured_on_folds_that_did_not_make_it():
    # in each fold another of two worthless candidates looks good: the best by all folds flatters
    correlations = np.array([[0.9, -0.5, 0.3], [-0.5, 0.9, -0.1]])
    fold = np.repeat([0, 1, 2], 20)
    found = LeftOut(fold, np.stack([np.arange(60.0), -np.arange(60.0)]), correlations, np.zeros(60))
    assert found.means.argmax() == 0
    assert found.choices[0] == 1
    expected = pooled(np.array([-0.5, -0.5, -0.1 if found.choices[2] else 0.3]), found.weights)
    assert found.nested_cv_score == pytest.approx(float(expected))
    assert found.nested_cv_score < found.means[0]
    signs = 1 - 2 * found.choices
    np.testing.assert_array_equal(found.nested_estimates, signs[fold] * np.arange(60.0))


def test_repeated_folds_are_averaged():
    fold = np.repeat([0, 1], 20)
    repeats = [
        LeftOut(fold, np.zeros((2, 40)), np.array([[high, high], [0.3, 0.3]]), np.zeros(40)) for high in (0.2, 0.6)
    ]
    both = RepeatedFolds(tuple(repeats))
    assert both.means[0] == pytest.approx(np.tanh((np.arctanh(0.2) + np.arctanh(0.6)) / 2))
    assert both.means.argmax() == 0
    assert both.nested_cv_score == pytest.approx(np.tanh((np.arctanh(0.3) + np.arctanh(0.6)) / 2))
    assert [len(repeated_folds(n)) for n in (299, 300, 1000)] == [3, 2, 1]
    first, second, _ = repeated_folds(50)
    assert (first != second).any()


def test_groups_stay_together():
    fold = group_folds(np.repeat(np.arange(7), 10))
    assert len(set(fold)) == 5
    assert all(len(set(part)) == 1 for part in fold.reshape(7, 10))
    assert np.bincount(repeated_folds(1000)[0]).tolist() == [334, 333, 333]
