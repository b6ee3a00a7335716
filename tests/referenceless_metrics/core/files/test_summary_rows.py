"""Rows that sum up others are left out, with a note, wherever they stand; other rows stay."""

import json
import warnings

import pytest
from text_files import write, write_table

from referenceless_metrics.core.files.reading import InputNote, Reading, condition
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.human_evaluation.scores.table import read_scores

SCORES = {"a": (0.8889, 0.9444, 0.8333, 0.9444), "b": (0.7, 0.8, 0.75, 0.65)}


@pytest.fixture(autouse=True)
def _quiet(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        yield


def rows_with(means, *, word="AVERAGE"):
    """Four items of two systems, and a row below each system's that is called as their mean."""
    rows = []
    for system, scores in SCORES.items():
        rows += [(system, f"item {n}", "formal", score) for n, score in enumerate(scores)]
        rows.append((system, word, "", means[system]))
    return rows


def n_rows(rows, **reading):
    write_table("scores.csv", ["model", "scenario", "tone", "score"], rows)
    return len(read_table("scores.csv", Reading(**reading)).rows)


# The mean of numbers with four decimals may be off by one unit in the fourth: 0.90275 is written as 0.9028.
MEANS = {"a": 0.9028, "b": 0.725}


def test_means_of_each_system_are_no_items():
    write_table("scores.csv", ["model", "scenario", "tone", "score"], rows_with(MEANS))
    with pytest.warns(InputNote, match="left out: 2 rows called 'AVERAGE', made of the rows with the same words"):
        table = read_scores(["scores.csv"], score_columns=["score"], system_column="model", item_column="scenario")
    assert table.values["score"].shape == (2, 4)


def test_they_are_left_out_of_all_forms_of_tables():
    names = ("model", "scenario", "tone", "score")
    write("scores.jsonl", (json.dumps(dict(zip(names, row, strict=True))) for row in rows_with(MEANS)))
    assert len(read_table("scores.jsonl").rows) == 8
    assert n_rows(rows_with(MEANS), where=(condition("model=b"),)) == 4


def test_rows_that_are_not_computed_stay_and_count_with_a_note():
    assert n_rows(rows_with({"a": 0.9028, "b": 0.5})) == 10  # all rows of a word are means, or none is
    table = read_scores(["scores.csv"], score_columns=["score"], system_column="model", item_column="scenario")
    assert "'AVERAGE' counts as an item: if it sums up the others, take its rows out" in table.assumed


def test_the_least_and_the_number_are_no_means():
    assert n_rows(rows_with({"a": 0.8333, "b": 0.65})) == 10
    assert n_rows(rows_with({"a": 0.8333, "b": 0.65}, word="min")) == 8


def test_a_mean_over_metrics_is_a_metric():
    rows = [(item, metric, (item + place) / 7) for item in range(5) for place, metric in enumerate("xyz")]
    rows += [(item, "mean", (item + 1) / 7) for item in range(5)]
    write_table("scores.csv", ["item", "metric", "score"], sorted(rows))
    assert len(read_table("scores.csv").rows) == 20
    write_table("scores.csv", ["item", "rater", "score"], [(f"i{item}", *others) for item, *others in sorted(rows)])
    assert len(read_table("scores.csv").rows) == 15


def test_answers_that_are_short_words_stay():
    rows = [(f"text {n}", "yn"[n % 2].replace("y", "yes"), 3) for n in range(12)]
    write_table("answers.csv", ["text", "answer", "rating"], rows)
    assert len(read_table("answers.csv").rows) == 12


RATED = [(4, 5), (5, 5), (2, 4), (5, 3), (3, 5), (4, 5), (4, 4)]  # means 3.857… and 4.428…


@pytest.mark.parametrize(
    "below, left",
    [
        ([("3.857142857", "4.428571429")], 7),
        ([("", ""), ("3.86", "4.43")], 7),
        ([("", "4.43"), ("", "")], 7),
        ([("", ""), ("3.86", "4.43"), ("1.07", "0.79")], 7),  # with standard deviations
        ([("3.86", "4.44")], 8),  # one is no mean
        ([("4", "4")], 8),  # numbers as the others
        ([("", ""), ("", "")], 7),
        ([("3.86", "4.43"), (4, 4.5)], 9),
        ([("", ""), (4, 4)], 9),  # a row between others may be one that nobody rated
    ],
)
def test_means_without_a_word_and_rows_without_anything_below_a_table_are_no_rows(folder, below, left):
    write_table("ratings.csv", ["fluency", "style"], [*RATED, *below])
    table = read_table("ratings.csv")
    assert len(table.rows) == left
    assert any("the means of the columns above" in note for note in table.notes) == (left == 7 and any(map(any, below)))
    assert any("in which no cell is filled" in note for note in table.notes) == (left == 7 and ("", "") in below)


def test_a_row_of_means_is_no_row_of_columns_side_by_side(folder):
    rows = [[f"x{n}", n / 8, (7 - n) / 16] for n in range(8)]
    write_table("wide.csv", ["id", "bleu_a", "bleu_b"], [*rows, ["mean", 0.4375, 0.21875]])
    table = read_table("wide.csv", Reading(rows_in="bleu_*"))
    assert [row["bleu"] for row in table.rows[:3]] == ["0.0", "0.4375", "0.125"]
    assert {row["id"] for row in table.rows} == {row[0] for row in rows}
