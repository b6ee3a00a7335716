"""No text is estimated by a model that has seen it, or its group."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from metric_commons.assessment.cross_validation import cross_validated, leave_one_group_out
from metric_commons.support.errors import InputError


def seen(texts: list[str], ratings: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
    """Return 1 for texts that were trained on, and 0 for others."""
    return lambda wanted: [float(text in texts) for text in wanted]


def mean(texts: list[str], ratings: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
    return lambda wanted: np.full(len(wanted), ratings.mean())


def test_a_group_is_estimated_from_the_others() -> None:
    ratings = np.array([1.0, 3.0, 10.0, 20.0, 100.0, 200.0])
    result = leave_one_group_out(mean, list("abcdef"), ratings, ["x", "x", "y", "y", "z", "z"])
    np.testing.assert_array_equal(result, [82.5, 82.5, 76.0, 76.0, 8.5, 8.5])


def test_equal_texts_share_a_fold() -> None:
    texts = ["a", "b", "c", "a", "b", "d"] * 3
    for n_folds in (2, 3, 10):
        assert not cross_validated(seen, texts, np.arange(18.0), n_folds=n_folds).any()


def test_nothing_can_be_left_out_of_one_text() -> None:
    assert np.isnan(cross_validated(mean, ["a", "a"], np.ones(2))).all()


@pytest.mark.parametrize(
    ("groups", "message"), [(["x"] * 3, "all 3 texts are of one group"), (["x", "x", "y"], "the group y has one text")]
)
def test_groups_that_show_nothing_are_refused(groups: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        leave_one_group_out(mean, list("abc"), np.ones(3), groups)
