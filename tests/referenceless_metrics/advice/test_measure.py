"""Folds, correlations within them, and a choice that is not measured on what it was made with."""

from __future__ import annotations

import numpy as np
import pytest

from referenceless_metrics.advice.candidates import Candidate
from referenceless_metrics.advice.measure import LeftOut, group_folds, leave_out, pooled, random_folds


class _Length:
    def __init__(self, sign: float) -> None:
        self.sign = sign

    def predict(self, texts: list[str]) -> object:
        class Result:
            values = np.array([self.sign * len(text) for text in texts], dtype=np.float64)

        return Result()


def test_candidates_see_the_other_folds_alone() -> None:
    texts = ["x" * (i + 1) for i in range(40)]
    ratings = np.arange(40.0)
    seen: list[int] = []

    def make(given: object, _: object) -> _Length:
        seen.append(len(given))  # type: ignore[arg-type]
        return _Length(1)

    found = leave_out([Candidate("length", "", make, "")], texts, ratings, random_folds(40))
    assert seen == [32] * 5
    assert found.mean("length") == pytest.approx(0.999)
    seen.clear()
    leave_out([Candidate("length", "", make, "")], texts, ratings, random_folds(40), share=0.5)
    assert seen == [16] * 5


def test_what_cannot_be_trained_or_abstains_says_the_mean() -> None:
    def refuse(*_: object) -> object:
        raise ValueError("too few")

    assert Candidate("x", "", refuse, "").fit(["a", "b"], np.array([1.0, 3.0]))(["c"]).tolist() == [2.0]


def test_the_choice_is_measured_on_folds_that_did_not_make_it() -> None:
    # in each fold another of two worthless candidates looks good: the best by all folds flatters
    correlations = {"a": np.array([0.9, -0.5, 0.3]), "b": np.array([-0.5, 0.9, -0.1])}
    fold = np.repeat([0, 1, 2], 20)
    found = LeftOut(fold, {}, correlations, np.zeros(60))
    assert found.best() == "a"
    assert found.best(without=0) == "b"
    expected = pooled(np.array([-0.5, -0.5, -0.1 if found.best(without=2) == "b" else 0.3]), found.weights)
    assert found.of_the_choice == pytest.approx(expected)
    assert found.of_the_choice < found.mean("a")


def test_groups_stay_together() -> None:
    groups = [name for name in "abcdefg" for _ in range(10)]
    fold = group_folds(groups)
    assert len(set(fold)) == 5
    assert all(len({fold[i] for i in range(70) if groups[i] == name}) == 1 for name in "abcdefg")
    assert np.bincount(random_folds(1000)).tolist() == [334, 333, 333]
