"""Columns whose names are criteria by raters are not as many raters: they are read so, or refused."""

import pytest
from command_lines import as_json, typed
from text_files import write_table

from referenceless_metrics.human_evaluation.ratings.column_grid import grid_of
from referenceless_metrics.human_evaluation.ratings.columns import CRITERIA, RATERS, SYSTEMS

FOUR = ("fluency_r1", "fluency_r2", "style_r1", "style_r2")
OF_SYSTEMS = ("base_fluency", "base_style", "ours_fluency", "ours_style")


def columns(names):
    return " ".join(f"--rating-column {name}" for name in names)


def write_wide(names):
    """Write two systems' ratings in four columns, and the same with a row for each rating."""
    rows = [
        (n, system, *((n + place + (system == "b")) % 5 + 1 for place in range(4)))
        for n in range(12)
        for system in "ab"
    ]
    write_table("wide.csv", ("item", "system", *names), rows)
    long = [(*row[:2], *name.split("_"), row[2 + place]) for row in rows for place, name in enumerate(names)]
    write_table("long.csv", ("item", "system", "criterion", "rater", "rating"), long)


def test_criteria_by_raters_are_those_of_a_long_table(folder):
    write_wide(FOUR)
    long = as_json("human-score --ratings long.csv --scale 1-5")["rows"]
    for options in ("", "--columns-are criteria"):
        line = f"human-score --ratings wide.csv --scale 1-5 {columns(FOUR)} {options}"
        assert "are of 2 criteria (fluency, style) by 2 raters (r1, r2)" in typed(line).err
        assert as_json(line)["rows"] == long
    rows = as_json(f"agreement wide.csv {columns(FOUR)}")["rows"]
    assert [(row["criterion"], row["rater"], row["n"]) for row in rows] == [
        (criterion, rater, 24) for criterion in ("fluency", "style") for rater in ("r1", "r2")
    ]


def test_parts_that_are_not_told_are_refused_with_the_options_that_read_them(folder):
    names = ("x_r1", "x_r2", "y_r1", "y_r2")
    write_wide(names)
    told = typed(f"human-score --ratings wide.csv --scale 1-5 {columns(names)}", 1).err
    assert "have names of two parts, so that they are not 4 raters" in told
    assert "These command lines fit" not in told
    options = told.partition("if the first parts are criteria and the others raters, give ")[2].partition(";")[0]
    read = as_json(f"human-score --ratings wide.csv --scale 1-5 {options}")["rows"]
    assert read == as_json("human-score --ratings long.csv --scale 1-5")["rows"]
    assert "if those parts are systems" not in told


def test_parts_that_may_be_systems_are_told_as_such_if_nothing_names_systems(folder):
    names = ("x_r1", "x_r2", "y_r1", "y_r2")
    write_table("wide.csv", ("item", *names), [(n, *(1 + (n * at + at) % 5 for at in (1, 2, 3, 4))) for n in range(24)])
    told = " ".join(typed(f"human-score --ratings wide.csv --scale 1-5 {columns(names)}", 1).err.split())
    assert "if those parts are systems, --columns-are systems takes the place of criteria" in told
    options = told.partition("if the first parts are criteria and the others raters, give ")[2].partition(";")[0]
    options = options.replace("--columns-are criteria", "--columns-are systems")
    read = as_json(f"human-score --ratings wide.csv --scale 1-5 {options}")["rows"]
    assert [row["system"] for row in read] == ["x", "y", "y"]


@pytest.mark.parametrize(
    "names, columns_are, systems_known, kinds",
    [
        (FOUR, RATERS, True, (CRITERIA, RATERS)),
        (FOUR, RATERS, False, (CRITERIA, RATERS)),
        (("ann fluency", "bob fluency", "ann style", "bob style"), RATERS, True, (RATERS, CRITERIA)),
        (OF_SYSTEMS, SYSTEMS, False, (SYSTEMS, CRITERIA)),
        (OF_SYSTEMS, RATERS, False, None),
        (("fluency1", "fluency2", "style1", "style2"), CRITERIA, False, (CRITERIA, RATERS)),
        (("a_1", "a_2", "b_1", "b_2"), RATERS, True, None),
    ],
)
def test_one_part_is_criteria_by_its_words_and_the_other_raters_or_systems(names, columns_are, systems_known, kinds):
    assert grid_of(names).meanings(columns_are, systems_known=systems_known) == kinds


@pytest.mark.parametrize(
    "names", [("rater_1", "rater_2", "rater_3"), ("ann", "bob"), ("a_1", "a_2", "b_1"), ("x", "y_1", "y_2", "z_1")]
)
def test_other_names_are_no_grid(names):
    assert grid_of(names) is None


def test_systems_in_two_sizes_are_systems_as_a_whole(folder):
    names = ("t5_small", "t5_large", "bart_small", "bart_large")
    write_table("sizes.csv", ("item", *names), [(n, *((n + place) % 5 + 1 for place in range(4))) for n in range(12)])
    rows = as_json(f"human-score --ratings sizes.csv --scale 1-5 --columns-are systems {columns(names)}")["rows"]
    assert {row["system"] for row in rows if row.get("system")} >= set(names)
    assert grid_of(["A1", "A2", "B1", "B2"]) is None  # a letter with a number names one rater
    assert grid_of(["fluency_1", "fluency_2", "style-1", "style-2"]).patterns[0] == ["fluency_*", "style-*"]


def test_criteria_in_two_parts_are_criteria_as_a_whole_if_a_column_names_raters(folder):
    names = ("fluency_1", "fluency_2", "style_1", "style_2")
    rows = [(n, system, "ann", *((n + place) % 5 + 1 for place in range(4))) for n in range(12) for system in "ab"]
    write_table("named.csv", ("item", "system", "rater", *names), rows)
    line = f"human-score --ratings named.csv --scale 1-5 {columns(names)}"
    assert "give --columns-are criteria, or one column" in typed(line, 1).err
    rows = as_json(f"{line} --columns-are criteria")["rows"]
    assert {row["criterion"] for row in rows} == set(names)
