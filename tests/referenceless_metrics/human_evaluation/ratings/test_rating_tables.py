"""Ratings find the outputs that they are of."""

import numpy as np
import pandas as pd
import pytest

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
from referenceless_metrics.human_evaluation.ratings.system_ratings import systems_of_files


def found(outputs, rated, ratings, **further):
    table = pd.DataFrame({"text": list(rated), "rating": np.array(ratings, float), **further})
    (system,) = systems_of_files(RatingTable("rated_outputs.csv", table), [("ours", list(outputs))])
    return system.ratings


@pytest.mark.parametrize(
    "outputs, rated, ratings, expected",
    [
        ("abc", "bba", [1, 2, 5], [5, 1.5, np.nan]),
        ("aaaaab", "aa", [1, 3], [2, 2, *[np.nan] * 4]),
        ("a", "", [], [np.nan]),
    ],
)
def test_several_ratings_are_averaged_and_an_output_counts_as_often_as_it_was_rated(outputs, rated, ratings, expected):
    np.testing.assert_array_equal(found(outputs, rated, ratings), expected)


@pytest.mark.parametrize("rated, message", [("xy", "none of the 2 rated texts are"), ("ax", "1 of the 2")])
def test_ratings_of_other_texts_are_refused(rated, message):
    with pytest.raises(InputError, match=rf"rated_outputs\.csv \(ours\): {message}.*'x'"):
        found("ab", rated, [1, 2])


@pytest.mark.parametrize(
    "texts, items, expected",
    [
        ("aaba", [1, 4], [2, np.nan, np.nan, 5]),
        ("aaaa", ["0", "2"], [2, np.nan, 5, np.nan]),
        ("aabb", [1, 3], [2, 5, np.nan, np.nan]),  # the items do not number the outputs
        ("aaba", ["x", "y"], [2, 5, np.nan, np.nan]),
    ],
)
def test_items_that_number_the_outputs_tell_equal_ones_apart(texts, items, expected):
    np.testing.assert_array_equal(found(texts, "aa", [2, 5], item=items), expected)
