"""Preferences in the words of people and tools, as numbers on scales, and refused if they can be read in two ways."""

import math
import warnings

import pytest
from command_lines import typed
from refusals import refused
from text_files import write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines
from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table


@pytest.fixture(autouse=True)
def _quiet(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        yield


def read(cells, *, scale=None, first="x", second="y", **columns):
    rows = [(n, first, second, cell) for n, cell in enumerate(cells)]
    write_table("preferences.csv", ["item", "system_a", "system_b", "preference"], rows)
    return read_rating_table(["preferences.csv"], RatingColumns(**columns), scale=scale)


@pytest.mark.parametrize(
    "cells",
    [
        ["a", "B", " tie "],
        ["left", "Right", "same"],
        ["model_a", "model b", "both_bad"],
        ["first", "second", "tie (bothbad)"],
        ["model_1", "model_2", "tie"],
        ["A is better", "B is better", "Both are bad"],
        ["I prefer A", "we like B more", "No preference"],
        ["Response 1 wins", "the second response", "A and B are equally good"],
    ],
)
def test_sides(cells):
    assert read(cells).frame["preference"].tolist() == [1, 0, 0.5]


def test_how_words_for_a_side_were_read_is_told():
    found = read(["A is better", "b", "Both are bad"])
    told = "preferences for the first system of a row: a is better is 1, both are bad is 0.5 (--values)"
    assert found.notes == (told,)


@pytest.mark.parametrize("cell", ["A is worse", "not A", "A and B", "2 of 3", "cannot tell"])
def test_words_that_do_not_name_a_side_are_refused_with_a_way_on(cell):
    with refused(f"got str '{cell}'; or say what the words stand for, --values .a=1,b=0,{cell}=…., 1 for the first"):
        read(["a", "b", cell])


def test_a_word_may_stand_for_no_preference():
    found = read(["a", "b", "-", "="], words={"a": 1.0, "b": 0.0, "=": 0.5, "-": math.nan})
    assert found.frame["preference"].dropna().tolist() == [1, 0, 0.5]
    assert any("- is none" in note for note in found.notes)


def test_the_same_two_outputs_before_several_raters_are_one_item():
    def rows(raters):
        for n in range(8):
            for place, rater in enumerate(raters):
                texts = [f"It is the text of number {n}.", f"The text of number {n} is this."]
                sides = [*zip(("base", "ours"), texts, strict=True)][:: 1 - 2 * (place % 2)]
                yield rater, *(cell for side in sides for cell in side), "ab"[n % 2]

    head = ["rater", "system_a", "output_a", "system_b", "output_b", "preference"]
    write_table("pairs.csv", head, list(rows(["ann", "bob"])))
    table = read_rating_table(["pairs.csv"])
    assert table.frame["item"].tolist() == [str(1 + n // 2) for n in range(16)]
    assert "'output_a' and 'output_b' tell them" in table.notes[0]
    for raters in (["ann"], ["ann", "ann"]):  # nobody compared the same, or one again
        write_table("pairs.csv", head, list(rows(raters)))
        assert "each row is of an item of its own" in read_rating_table(["pairs.csv"]).notes[0]


def test_items_whose_two_outputs_are_the_same_text_are_counted():
    head = ["item", "system_a", "output_a", "system_b", "output_b", "preference"]
    rows = [(n, "base", f"The text {n} is short.", "ours", f"The text {max(n, 2)} is short.", "a") for n in range(6)]
    write_table("pairs.csv", head, rows)
    told = "'output_a' and 'output_b' hold the same text in 4 of 6 items, where no system can be preferred"
    assert read_rating_table(["pairs.csv"]).notes == (told,)
    write_table("pairs.csv", head, rows[:2])
    assert read_rating_table(["pairs.csv"]).notes == ()


def test_prompts_that_repeat_over_comparisons_are_told():
    rows = [(f"c{n}", f"Say {n % 3}.", "x", "y", "ab"[n % 2]) for n in range(12)]
    write_table("pairs.csv", ["item", "prompt", "system_a", "system_b", "preference"], rows)
    assert "column 'prompt' groups items" in read_rating_table(["pairs.csv"]).notes[0]
    assert not read_rating_table(["pairs.csv"], RatingColumns(cluster="prompt")).notes
    assert not any(
        "groups items" in note for note in read_rating_table(["pairs.csv"], RatingColumns(item="prompt")).notes
    )


def test_a_systems_own_name_and_blanks():
    assert read(["x", "y", "tie", ""]).frame["preference"].fillna(-1).tolist() == [1, 0, 0.5, -1]


def test_a_name_that_is_also_another_side_is_refused():
    with refused("'a' in column 'preference' is a side and also a system of another side"):
        read(["a"], first="b", second="a")
    assert read(["a"], first="a", second="b").frame["preference"].tolist() == [1]


def test_what_is_neither_is_named_with_its_row():
    with refused(r"preferences\.csv:3: expected a, b or tie .*'x' and 'y'.*but got str 'z'"):
        read(["a", "z"])


def test_numbers_around_0_are_shares_and_the_end_is_named():
    found = read([-2, 0, 1, 2])
    assert found.frame["preference"].tolist() == [0, 0.5, 0.75, 1]
    assert "2 prefers the first system of a row and -2 the second (--a-is low turns it)" in found.notes[0]
    assert read([-2, 0, 1, 2], a_is="low").frame["preference"].tolist() == [1, 0.5, 0.25, 0]


def test_a_slider_needs_its_ends():
    with refused("may number the systems or be shares: write a, tie and b; or .*--scale 0-100 --a-is high, or"):
        read([0, 50, 100])
    assert read([0, 50, 100], scale=(0, 100), a_is="low").frame["preference"].tolist() == [1, 0.5, 0]
    with refused("a preference of 100 .*outside the scale from 0 to 10"):
        read([0, 100], scale=(0, 10))


@pytest.mark.parametrize("cells", [[0, 1], [1, 2], ["1", ".5", "0"]])
def test_0_and_1_are_refused_with_what_to_say(cells):
    with refused("write a, tie and b"):
        read(cells)


def test_rows_of_one_pair_that_a_column_tells_apart_are_refused():
    rows = [(n, turn, "x", "y", "ann", "a") for n in range(3) for turn in (1, 2)]
    write_table("p.csv", ["item", "turn", "system_a", "system_b", "rater", "preference"], rows)
    with refused("column 'turn' tells them apart.*--where turn=VALUE"):
        read_rating_table(["p.csv"])


def test_a_system_against_itself_is_refused():
    with refused("x is compared with itself"):
        read(["a"], second="x")


def test_other_columns_by_their_options():
    write_table("p.csv", ["id", "left_model", "right_model", "choice"], [(1, "x", "y", "left")])
    columns = RatingColumns(item="id", system_a="left_model", system_b="right_model", preference="choice")
    assert read_rating_table(["p.csv"], columns).frame["preference"].tolist() == [1]


def _judged(file, system, *, rater=None, column="item"):
    """A judge's verdicts on a system and the base, each pair in both orders."""
    rows = [
        (f"q{n}", first, second, "ab"[turned] if n % (4 - 2 * turned) else "tie", *([rater] if rater else []))
        for n in range(12)
        for turned, (first, second) in enumerate([(system, "base"), ("base", system)])
    ]
    write_table(file, [column, "system_a", "system_b", "preference", *(["rater"] if rater else [])], rows)


def test_preferences_of_several_files_are_read_together():
    _judged("dpo.csv", "dpo", rater="j")
    _judged("sft.csv", "sft", rater="j")
    found = read_rating_table(["dpo.csv", "sft.csv"])
    assert len(found.frame) == 48
    assert found.frame["item"].nunique() == 12
    (line,) = [line for line in joint_lines([look("dpo.csv"), look("sft.csv")]) if line.split()[1] == "human-score"]
    told = typed(line.removeprefix("referenceless ")).out
    assert "Bradley-Terry" in told
    assert "A pair that was judged in both orders is one win, tie or loss" in told
    assert "raters who judged much" not in told


def test_rows_that_are_items_are_of_their_file():
    for name in ("dpo", "sft"):
        _judged(f"{name}.csv", name, column="number of no item")
    assert read_rating_table(["dpo.csv", "sft.csv"]).frame["item"].nunique() == 48


def test_files_of_the_same_pairs_are_of_a_rater_each_or_refused():
    _judged("ann.csv", "dpo")
    _judged("bob.csv", "dpo")
    found = read_rating_table(["ann.csv", "bob.csv"])
    assert set(found.frame["rater"]) == {"ann", "bob"}
    assert "each file holds the preferences of one rater: ann, bob (--rater-column)" in found.notes
    _judged("again.csv", "dpo", rater="j")
    _judged("more.csv", "dpo", rater="j")
    with refused("again.csv: another file holds a rater's preference on the same pair of an item"):
        read_rating_table(["again.csv", "more.csv"])
    write_table("ratings.csv", ["item", "system", "rating"], [(1, "a", 3)])
    with refused("ann.csv holds preferences, and ratings.csv does not"):
        read_rating_table(["ann.csv", "ratings.csv"])
