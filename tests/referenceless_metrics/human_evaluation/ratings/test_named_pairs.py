"""Preferences by name, if no two columns name the systems of a row."""

import warnings

import pytest
from refusals import refused
from text_files import write_table

from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

WON = [("x", "x,y"), ("z", "x,z"), ("same", "y,z"), ("y", "y,x")]


@pytest.fixture(autouse=True)
def _quiet(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        yield


def preferences(rows, **columns):
    write_table("won.csv", ["style", "options", "genre"], [(*row, "prose, verse") for row in rows])
    table = read_rating_table(["won.csv"], RatingColumns(preference="style", **columns))
    frame = table.frame
    return list(zip(frame["system_a"], frame["system_b"], frame["preference"], strict=True)), " ".join(table.notes)


@pytest.mark.parametrize("columns", [{}, {"system_a": "options"}])
def test_one_cell_names_both_systems(columns):
    found, told = preferences(WON, **columns)
    assert found == [("x", "y", 1), ("x", "z", 0), ("y", "z", 0.5), ("y", "x", 1)]
    assert "column 'options' names both systems of a row" in told


def test_a_cell_that_does_not_is_named():
    with refused("won.csv:3: expected the names of two systems in column 'options' .--system-a-column.*got str 'z'"):
        preferences([("x", "x,y"), ("z", "z")], system_a="options")


@pytest.mark.parametrize("second", ['["y"]', "['y']", "y"])
def test_a_list_of_one_name_is_that_name(second):
    write_table("won.csv", ["item", "first", "second", "won"], [(1, "x", second, "x"), (2, "y", '["x"]', "y")])
    columns = RatingColumns(preference="won", system_a="first", system_b="second")
    frame = read_rating_table(["won.csv"], columns).frame
    pairs = list(zip(frame["system_a"], frame["system_b"], frame["preference"], strict=True))
    assert pairs == [("x", "y", 1), ("y", "x", 1)]


def test_a_list_of_several_names_is_refused_with_the_row():
    write_table("won.csv", ["item", "first", "second", "won"], [(1, "x", '["y"]', "x"), (2, "x", '["y", "z"]', "x")])
    columns = RatingColumns(preference="won", system_a="first", system_b="second")
    with refused(r"won.csv:3: expected the name of one system in column 'second' .*'y', 'z'.* a row of its own"):
        read_rating_table(["won.csv"], columns)


def test_winners_of_two_names_are_the_systems_of_each_row():
    found, told = preferences([("ours", "1"), ("base", "2"), ("Tie", "3"), ("", "4")])
    assert found[:3] == [("base", "ours", 0), ("base", "ours", 1), ("base", "ours", 0.5)]
    assert "they are 'base' and 'ours' in each, the two that column 'style' prefers" in told


@pytest.mark.parametrize("names", [("a", "b"), ("x", "y", "z"), ("left", "tie"), (0, 1)])
def test_sides_and_three_names_are_not(names):
    with refused("there is no column 'system_a'"):
        preferences([(name, n) for n, name in enumerate(names)])


def test_a_degree_of_preference_is_a_share():
    write_table(
        "won.csv",
        ["item", "system_a", "system_b", "preference"],
        [(n, "x", "y", word) for n, word in enumerate(["a_much", "b_slight", "tie", "a_slight", "b_much"])],
    )
    table = read_rating_table(["won.csv"])
    assert table.frame["preference"].tolist() == [1, 0.25, 0.5, 0.75, 0]
    assert "a_slight is 0.75" in " ".join(table.notes)


def test_a_degree_of_preference_is_a_rating():
    rows = [(n, rater, word) for rater in "vw" for n, word in enumerate(["a_much", "b_slight", "a_slight", "b_much"])]
    write_table("choices.csv", ["item", "rater", "choice"], rows)
    table = read_rating_table(["choices.csv"], RatingColumns(ratings=["choice"]))
    assert table.frame["rating"].tolist() == [2, -1, 1, -2] * 2
    assert "a_much is 2, a_slight is 1, b_slight is -1, b_much is -2 (--values)" in " ".join(table.notes)
