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


def test_codes_below_a_scale_are_told_however_many_they_are():
    (note,) = note_on_stray_points(np.array([1, 2, 3, 4, 5] * 4 + [-9] * 5 + [-1] * 3, dtype=float), ["V1"])
    assert note == (
        "column 'V1': -9 and -1 stand in 8 of 28 ratings, and the others go from 1 to 5: they count as ratings; if "
        'they are none, --values "-9=,-1=" leaves them out'
    )


def test_codes_are_told_below_a_scale_whose_lowest_point_nobody_gave():
    (note,) = note_on_stray_points(np.array([2, 3, 4, 5, 6] * 4 + [-77] * 5, dtype=float), ["V1"])
    assert note.startswith("column 'V1': -77 stands in 5 of 25 ratings, and the others go from 2 to 6")


@pytest.mark.parametrize(
    "ratings",
    [
        [-2, -1, 0, 1, 2] * 5,
        [-1, 0, 1] * 9,
        [-2, 0, 1, 2] * 7,  # a point that nobody gave
        [-100, 0, 50, 100] * 6,
        [-9] * 8 + [1, 2, 3],  # most of them
    ],
)
def test_points_below_0_of_a_scale_are_no_codes(ratings):
    assert note_on_stray_points(np.array(ratings, dtype=float), ["V1"]) == []
