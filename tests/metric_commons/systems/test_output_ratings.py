"""Ratings find the outputs that they are of; scales that cannot be one are named, and joined by declared ends alone."""

from __future__ import annotations

import math

import numpy as np
import pytest

from metric_commons.support.errors import InputError
from metric_commons.systems.output_ratings import check_same_scale, ratings_of_outputs, rescaled


@pytest.mark.parametrize(
    ("outputs", "rated", "ratings", "expected"),
    [
        (["a", "b", "c"], ["b", "b", "a"], [1, 2, 5], [5, 1.5, np.nan]),
        (["a"] * 5 + ["b"], ["a", "a"], [1, 3], [2, 2, np.nan, np.nan, np.nan, np.nan]),
        (["a"], [], [], [np.nan]),
    ],
)
def test_several_ratings_are_averaged_and_an_output_counts_as_often_as_it_was_rated(
    outputs: list[str], rated: list[str], ratings: list[float], expected: list[float]
) -> None:
    np.testing.assert_array_equal(ratings_of_outputs(outputs, rated, ratings), expected)


@pytest.mark.parametrize(
    ("rated", "message"), [(["x", "y"], "none of the 2 rated texts are"), (["a", "x"], "1 of the 2")]
)
def test_ratings_of_other_texts_are_refused(rated: list[str], message: str) -> None:
    with pytest.raises(InputError, match=rf"labels\.csv: {message}.*'x'"):
        ratings_of_outputs(["a", "b"], rated, [1, 2], source="labels.csv")


@pytest.mark.parametrize(
    ("one", "other"),
    [([1, 6], [2, 5]), ([0.0, 1.0], [0.2, 0.9]), ([3, 88], [12, 100]), ([], [1]), ([1, 5], [math.nan])],
)
def test_ratings_that_can_be_of_one_scale_pass(one: list[float], other: list[float]) -> None:
    check_same_scale({"one": np.array(one, float), "other": np.array(other, float)})


@pytest.mark.parametrize(("one", "other"), [([0.1, 1.0], [1, 5]), ([1, 7], [3, 95]), ([math.nan, 0.4], [4])])
def test_scales_of_different_sizes_are_named(one: list[float], other: list[float]) -> None:
    with pytest.raises(InputError, match=r"different scales: one\.csv from .* and other\.csv from .*--rescale"):
        check_same_scale({"one.csv": np.array(one, float), "other.csv": np.array(other, float)})


def test_ratings_become_shares_of_their_scale_and_not_of_their_range() -> None:
    np.testing.assert_array_equal(rescaled([4, 5, math.nan], 1, 5), [0.75, 1.0, math.nan])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(([1.0], 5, 1), "`high` to be above `low`"), (([6.0], 1, 5), "lies outside the scale from 1 to 5")],
)
def test_wrong_ends_are_refused(arguments: tuple[list[float], float, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rescaled(*arguments)
