"""Answers about equal outputs that were shown once count once in a study's table, as they do in its folder."""

import pytest
from command_lines import done, typed
from studies import answer
from text_files import write, write_table

from referenceless_metrics import read_study
from referenceless_metrics.core.files.text_io import read_rated, read_table
from referenceless_metrics.human_evaluation.ratings.copies import without_copies
from referenceless_metrics.human_evaluation.studies.design import Design


@pytest.fixture
def exported(folder):
    """The table of a study by two raters of 20 items, of which two of three systems wrote the same for 5."""
    base = [f"text {item}" for item in range(20)]
    write("base.txt", base)
    write("ours.txt", [text if item < 5 else f"ours {item}" for item, text in enumerate(base)])
    write("third.txt", [f"third {item}" for item in range(20)])
    typed("sample base.txt ours.txt third.txt -n 20 --raters ann,bob --repeats 0 -o study")
    answer(Design.read("study"), folder / "study", lambda rater, screen, output: 1 + (screen.item + ord(output)) % 5)
    read_study("study").table.to_csv("long.csv", index=False)


def test_a_table_of_a_study_marks_the_systems_that_share_an_answer(exported):
    table = read_study("study").table
    assert len(table) == 120
    assert table["copy"].sum() == 10
    assert set(table[table["copy"]]["system"]) == {"ours"}


def test_agreement_counts_the_answers_of_a_table_as_those_of_its_study(exported):
    def quoted(source):
        return next(line for line in done(f"agreement {source}").stdout.splitlines() if "For the paper" in line)

    assert "gave 110 ratings, and 55 outputs" in quoted("study")
    assert quoted("long.csv") == quoted("study")
    assert "left out: 10 rows that column 'copy' marks" in done("agreement long.csv").stderr


def test_a_metric_learns_an_answer_once_and_each_system_keeps_its_rating(exported):
    assert len(read_rated("long.csv").ratings) == 110
    rows = done("human-score --ratings long.csv --format csv").stdout.splitlines()
    assert all(",20,20," in row for row in rows[1:4])


def test_only_a_row_that_repeats_another_one_is_left_out(folder):
    rows = [("ann", 1, "a", 4, False), ("ann", 1, "b", 4, "true"), ("ann", 2, "b", 3, True), ("bob", 1, "b", 4, False)]
    write_table("some.csv", ["rater", "item", "system", "rating", "copy"], rows)
    table, notes = without_copies(read_table("some.csv"))
    assert [row["rater"] + row["item"] for row in table.rows] == ["ann1", "ann2", "bob1"]
    assert "left out: 1 row " in notes[0]
    assert table.lines == [2, 4, 5]
    write_table("other.csv", ["rater", "item", "system", "rating", "copy"], [(*row[:4], "Buy now") for row in rows])
    other = read_table("other.csv")
    assert without_copies(other) == (other, [])
