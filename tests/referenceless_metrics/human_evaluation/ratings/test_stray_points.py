"""A number in very few ratings that is no point of the others' scale."""

import numpy as np
import pytest

from referenceless_metrics.human_evaluation.ratings.stray_points import note_on_stray_points


def test_a_number_above_a_gap_is_told_with_the_option_that_leaves_it_out():
    (note,) = note_on_stray_points(np.array([0.0, 1.0] * 40 + [3.0, np.nan]), ["labels"])
    assert note.startswith("column 'labels': 3 stands in 1 of 81 ratings, and the others go from 0 to 1")
    assert '--values "3="' in note


@pytest.mark.parametrize(
    "ratings",
    [
        [1, 2, 3, 4, 5] * 10 + [7] * 3,  # as many as of an end of a scale
        [1, 2, 3, 4] * 10 + [5],  # the next point
        [0, 25, 50, 75, 100] * 8 + [98],
        [0, 1] * 6 + [3],
        [0.5, 1, 1.5] * 9 + [4],
    ],
)
def test_points_of_a_scale_are_not_told(ratings):
    assert note_on_stray_points(np.array(ratings, dtype=float), ["labels"]) == []
