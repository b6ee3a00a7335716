"""Preferences between sides, of which a column tells one system."""

import pytest
from refusals import refused
from text_files import write_table

from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


def preferences(column, rows, **columns):
    write_table("won.csv", ["better", column], rows)
    frame = read_rating_table(["won.csv"], RatingColumns(preference="better", **columns)).frame
    return list(zip(frame["system_a"], frame["system_b"], frame["preference"], strict=True))


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("left_is_ours", ("true", "false")),
        ("b_is_ours", ("0", "1")),
        ("ours_is_first", ("yes", "no")),
        ("ours_side", ("left", "right")),
    ],
)
def test_a_column_of_one_system_tells_both_sides(column, cells):
    found = preferences(column, [("left", cells[0]), ("left", cells[1]), ("tie", cells[1])])
    assert found == [("ours", "not ours", 1), ("not ours", "ours", 1), ("not ours", "ours", 0.5)]


@pytest.mark.parametrize("columns", [{}, {"system_a": "order"}])
def test_a_column_of_the_system_that_stands_first_tells_both_sides(columns):
    found = preferences("order", [("a", "ours_first"), ("a", "base_first"), ("tie", "base_first")], **columns)
    assert found == [("ours", "base", 1), ("base", "ours", 1), ("base", "ours", 0.5)]
    found = preferences("order", [("ours", "ours_first"), ("ours", "base_first")], **columns)
    assert found == [("ours", "base", 1), ("base", "ours", 0)]


def test_one_side_of_two_systems_tells_the_other():
    found = preferences("left_name", [("left", "x"), ("right", "x"), ("right", "y")], system_a="left_name")
    assert found == [("x", "y", 1), ("x", "y", 0), ("y", "x", 0)]
    found = preferences("right_name", [("left", "x"), ("right", "y")], system_b="right_name")
    assert found == [("y", "x", 1), ("x", "y", 0)]


@pytest.mark.parametrize(("column", "cells"), [("left_is_ours", ("maybe", "no")), ("left_is_ours", ("1", "1"))])
def test_cells_that_tell_no_side_are_refused(column, cells):
    with refused("there is no column 'system_a'"):
        preferences(column, [("left", cells[0]), ("right", cells[1])])
