"""Ratings find the outputs that they are of."""

import numpy as np
import pandas as pd
import pytest

from metric_commons.support.errors import InputError
from metric_commons.systems.rating_files import Given
from metric_commons.systems.rating_tables import systems_of_files


def found(outputs, rated, ratings):
    table = pd.DataFrame({"text": rated, "rating": np.array(ratings, float)})
    (system,) = systems_of_files(Given("rated_outputs.csv", table), [("ours", outputs)])
    return system.ratings


@pytest.mark.parametrize(
    "outputs, rated, ratings, expected",
    [
        (["a", "b", "c"], ["b", "b", "a"], [1, 2, 5], [5, 1.5, np.nan]),
        (["a"] * 5 + ["b"], ["a", "a"], [1, 3], [2, 2, np.nan, np.nan, np.nan, np.nan]),
        (["a"], [], [], [np.nan]),
    ],
)
def test_several_ratings_are_averaged_and_an_output_counts_as_often_as_it_was_rated(outputs, rated, ratings, expected):
    np.testing.assert_array_equal(found(outputs, rated, ratings), expected)


@pytest.mark.parametrize("rated, message", [(["x", "y"], "none of the 2 rated texts are"), (["a", "x"], "1 of the 2")])
def test_ratings_of_other_texts_are_refused(rated, message):
    with pytest.raises(InputError, match=rf"rated_outputs\.csv \(ours\): {message}.*'x'"):
        found(["a", "b"], rated, [1, 2])
