"""Columns of yes and no that say which of two outputs is better, and codes that say it in several ways."""

import pytest
from command_lines import done
from text_files import write_table

from referenceless_metrics import look
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = {"item": "1", "model_a": "base", "model_b": "ours"}
TEXTS = {"id": "1", "output_1": "a cat sat down", "output_2": "it sat on a mat"}
NAMED = {"source": "what was seen then", "base": "a cat sat down", "ours": "it sat on a mat"}
OWN = {"item": "1", "system_a": "base", "system_b": "ours"}


def table(path, row, column, cells):
    write_table(path, [*row, column], [[*row.values(), cell] for cell in cells])
    return str(path)


@pytest.mark.parametrize(
    ("row", "column", "better"),
    [
        (SYSTEMS, "a_is_better", "ab"),
        (SYSTEMS, "model_b_wins", "ba"),
        (SYSTEMS, "base_preferred_over_ours", "ab"),
        (SYSTEMS, "oursBeatsBase", "ba"),
        (TEXTS, "output_1_better", "ab"),
        (TEXTS, "prefers_2", "ba"),
        (NAMED, "ours_is_better", "ba"),
        (OWN, "b_won", "ba"),
    ],
)
@pytest.mark.parametrize("cells", [("yes", "no"), ("1", "0"), ("True", "False")])
def test_yes_is_a_win_of_the_output_that_the_name_names(row, column, better, cells, tmp_path):
    read = read_rating_rows(table(tmp_path / "t.csv", row, column, cells))
    assert "".join(row["preference"] for row in read.rows) == better
    assert f"'{column}' tells wins of" in " ".join(read.notes)


@pytest.mark.parametrize(
    ("row", "column", "better"),
    [
        (NAMED, "base_vs_ours", "ab"),
        (SYSTEMS, "b versus a", "ba"),
        ({"prompt": "p", "model": "ours", "opponent": "base"}, "result", "ab"),
    ],
)
def test_win_and_lose_are_of_the_system_that_is_named_first(row, column, better, tmp_path):
    read = read_rating_rows(table(tmp_path / "t.csv", row, column, ["win", "Loss", "tie", "lose"]))
    assert "".join(row["preference"][0] for row in read.rows) == f"{better}t{better[1]}"
    alone = {"prompt": "p", "model": "ours"}  # against nobody
    assert "preference" not in read_rating_rows(table(tmp_path / "u.csv", alone, "result", ["win", "lose"])).columns


def test_the_proposed_command_counts_wins_of_both(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [[n, "base", "ours", "no" if n % 4 else "yes"] for n in range(24)]
    write_table("t.csv", ["item", "model_a", "model_b", "a_is_better"], rows)
    assert look("t.csv").commands == ("referenceless human-score --ratings t.csv",)
    assert "ours,base,24,18,0,6" in done("human-score --ratings t.csv -f csv").stdout


def test_a_cell_may_say_that_both_are_alike_and_nothing_else(tmp_path):
    read = read_rating_rows(table(tmp_path / "t.csv", SYSTEMS, "a_wins", ["yes", "no", "tie", ""]))
    assert [row["preference"] for row in read.rows] == ["a", "b", "tie"]
    for name in ("a_is_worse", "fluent", "a_wins"):  # no column of wins, or cells of something else
        assert "preference" not in read_rating_rows(table(tmp_path / f"{name}.csv", SYSTEMS, name, ["4", "2"])).columns


def test_1_and_0_beside_outputs_1_and_2_are_not_guessed(tmp_path):
    path = table(tmp_path / "t.csv", TEXTS, "label", ["1", "0", "1"])
    ends = [line.rpartition(" --scale 0-1 --a-is ")[2] for line in look(path).commands]
    assert ends == ["high", "low"]  # with a 2, as PandaLM has it, 0 is a tie
    with_ties = read_rating_rows(table(tmp_path / "ties.csv", TEXTS, "label", ["1", "0", "2"]))
    assert [row["preference"] for row in with_ties.rows] == ["a", "tie", "b"]


def test_the_name_of_a_column_of_texts_is_its_system(tmp_path):
    read = read_rating_rows(table(tmp_path / "t.csv", NAMED, "preferred", ["ours", "base", "tie"]))
    assert [row["preference"] for row in read.rows] == ["b", "a", "tie"]
    assert {(row["system_a"], row["system_b"]) for row in read.rows} == {("base", "ours")}


def test_a_later_cell_that_is_neither_is_refused(tmp_path):
    path = table(tmp_path / "t.csv", SYSTEMS, "a_wins", [*["yes", "no"] * 60, "perhaps"])
    with pytest.raises(InputError, match="row 121: expected yes or no in column 'a_wins', got 'perhaps'"):
        read_rating_rows(path)


def test_words_with_a_strength_name_a_side(tmp_path):
    cells = [
        "A is much better",
        "Response B is slightly better",
        "strongly prefer a",
        "About the same",
        "B better than A",
    ]
    row = {"id": "1", "response_a": "a cat sat down", "response_b": "it sat on a mat"}
    read = read_rating_rows(table(tmp_path / "t.csv", row, "preference", cells))
    assert [row["preference"] for row in read.rows] == ["a", "b", "a", "tie", "b"]
    assert any(
        "each answer counts for a side or as a tie, however much better an output is" in note for note in read.notes
    )


def test_several_columns_that_tell_the_better_output_are_told_together(tmp_path):
    head = ["idx", "response1", "response2", "annotator1", "annotator2"]
    write_table(tmp_path / "t.csv", head, [[n, f"a b {n}", f"c d {n}", n % 3, (n + 1) % 3] for n in range(9)])
    notes = " ".join(read_rating_rows(str(tmp_path / "t.csv")).notes)
    assert "'annotator1', 'annotator2' tell the better output: 1 is 'response1', 2 'response2'" in notes


def judged_summaries(path):
    """Write 24 judgements of 12 pairs of summaries by two raters, by two criteria."""
    rows = []
    for number in range(24):
        article, writer = divmod(number % 12, 3)
        texts = [f"{kind} {article} {writer} in short" for kind in ("article", "written", "made")]
        overall = ("yes", "no", "Equally Good")[number % 3]
        rows.append([f"a{article}", f"w{writer}", f"r{number // 12}", *texts, overall, "no"])
    names = ["article_id", "writer_id", "evaluator_id", "article_text", "writer_summary", "bart-2_summary"]
    write_table(path, [*names, "overall_writer_better", "informative_writer_better"], rows)
    return str(path)


def test_summaries_are_named_by_their_columns_and_criteria_by_the_flags(tmp_path):
    read = read_rating_rows(judged_summaries(tmp_path / "t.csv"))
    assert {(row["system_a"], row["system_b"]) for row in read.rows} == {("writer", "bart-2")}
    assert [row["preference"] for row in read.rows[:3]] == ["a", "b", "tie"]
    assert {row["informative_writer_better"] for row in read.rows} == {"b"}
    assert (
        "'overall_writer_better' tells wins of 'writer' (yes, win) and of 'bart-2' (no, lose), and ties" in read.notes
    )


def test_the_ids_within_which_both_outputs_are_the_same_tell_items(tmp_path):
    read = read_rating_rows(judged_summaries(tmp_path / "t.csv"))
    assert len({row["item"] for row in read.rows}) == 12
    assert read.rows[0]["item"] == "a0 / w0"
    assert "an item is 'article_id' with 'writer_id', within which both outputs are the same" in read.notes


def test_flags_by_criteria_have_a_line_each_and_are_no_raters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    judged_summaries("t.csv")
    scored = "referenceless human-score --ratings t.csv --preference-column"
    assert look("t.csv").commands == (
        f"{scored} overall_writer_better",
        f"{scored} informative_writer_better",
        "referenceless agreement t.csv",
    )
    told = done("human-score --ratings t.csv --preference-column informative_writer_better -f csv").stdout
    assert "bart-2,writer,12,24,0,0" in told
