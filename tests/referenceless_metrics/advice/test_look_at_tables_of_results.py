"""Tables as people keep results: runs, columns by system and metric, winners by side, keys that stand once."""

import random

import pytest
from command_lines import done
from proposed_lines import check_lines
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


def parts(found):
    return {column.name: column.part for column in found.columns}


def runs(line):
    return done(line.removeprefix("referenceless ")).stdout


def test_runs_over_data_sets_are_no_items():
    rows = [(s, d, n, f"{0.5 + k / 10 + n / 100:.2f}") for k, s in enumerate("abc") for d in ("x", "y") for n in (1, 2)]
    write_table("t.csv", ["system", "dataset", "run_index", "precision"], rows)
    found = look("t.csv")
    assert parts(found)["run_index"] == "run"
    line = "compare --scores t.csv --score-column precision --item-column dataset --run-column run_index"
    assert found.commands == (f"referenceless {line} --slice-column dataset",)


@pytest.mark.parametrize("metrics", [("r1", "r2", "rL"), ("bleu", "chrf")])
def test_columns_by_system_and_metric_are_scores_of_systems(metrics):
    drawn = random.Random(1)
    names = [f"{system}_{metric}" for system in ("lead", "t5") for metric in metrics]
    write_table(
        "t.csv", ["id", "n_words", *names], [[f"d{n}", 9 * n, *(drawn.random() for _ in names)] for n in range(9)]
    )
    found = look("t.csv")
    scores = " ".join(f"--score-column {metric}" for metric in metrics)
    starred = ",".join(f"*_{metric}" for metric in metrics)
    assert found.commands == (
        f"referenceless compare --scores t.csv {scores} --system-column key --rows-in '{starred}'",
    )


def test_ratings_by_system_and_criterion_stand_beside_the_winner():
    rows = [
        f"{n};Wie {n}?;Es geht so {n};Sehr gut {n};{3 + n % 2},5;4,5;{4 + n % 2};5;{('ours', 'base', 'Tie')[n % 3]}"
        for n in range(12)
    ]
    rated = [f"score_{system}_{criterion}" for criterion in ("quality", "accuracy") for system in ("ours", "base")]
    write("t.csv", [";".join(["id", "question", "answer_ours", "answer_base", *rated, "winner"]), *rows])
    first, *_, preferred = look("t.csv").commands
    line = "referenceless human-score --ratings t.csv --rating-column score_quality --rating-column score_accuracy"
    assert (
        first
        == f"{line} --columns-are criteria --system-column key --rows-in 'answer_*,score_*_quality,score_*_accuracy'"
    )
    assert preferred == "referenceless human-score --ratings t.csv --preference-column winner --item-column id"


def test_ratings_beside_ratings_of_their_range_are_ratings():
    rows = [(n, n % 2, (n // 2) % 2, n % 3 % 2, n) for n in range(20)]
    write_table("t.csv", ["system_id", "accuracy", "usable", "appropriateness", "n_steps"], rows)
    found = parts(look("t.csv"))
    assert [found[name] for name in ("accuracy", "usable", "appropriateness", "n_steps")] == ["rating"] * 3 + [""]


def test_numbers_beside_ratings_are_held_against_each_of_these():
    drawn = random.Random(2)
    rows = [[drawn.randint(10, 28) / 10, drawn.randint(10, 28) / 10, drawn.random(), drawn.random()] for _ in range(15)]
    write_table("t.csv", ["Fluency", "Emotion", "novelty_index", "CLiN"], [*rows, ["", "", "", 0]])
    found = look("t.csv")
    assert "left out: the last row, which holds zeros and nothing else" in found.notes[0]
    line = "referenceless evaluate --scores t.csv --ratings t.csv --score-column CLiN --rating-column"
    assert found.commands == (f"{line} Fluency", f"{line} Emotion")


def test_two_judges_winners_are_held_against_each_other():
    rows = [(f"q{n}", ("ours", "base", "tie")[n % 3], "tie") for n in range(12)]
    write_table("t.csv", ["id", "human_winner", "judge_winner"], rows)
    _, agreement = look("t.csv").commands
    assert agreement.endswith("--rating-column human_winner --rating-column judge_winner --item-column id")
    assert "Both gave the same label to 4 of 12 outputs (33.3%)." in runs(agreement)


@pytest.mark.parametrize(
    ("column", "cells", "option"),
    [
        ("left_system", ("ours", "base"), " --system-a-column left_system"),
        ("left_is_ours", ("True", "False"), ""),
        ("order", ("ours_first", "base_first"), ""),
    ],
)
def test_sides_are_read_by_a_column_that_tells_one_of_them(column, cells, option):
    rows = [(n, cells[n % 2], ("left", "right")[n % 2]) for n in range(12)]
    write_table("t.csv", ["item", column, "verdict"], rows)
    (line,) = look("t.csv").commands
    assert line == f"referenceless human-score --ratings t.csv --preference-column verdict{option}"


def test_preferences_between_outputs_of_systems_that_nothing_names_are_told():
    write_table("t.csv", ["item", "lang", "winner"], [(n, "de", "AB"[n % 2]) for n in range(9)])
    (note,) = look("t.csv").notes
    assert "column 'winner' seems to prefer one of two outputs, and no columns are known to name their systems" in note


def test_all_answers_of_one_rater_say_nothing_of_agreement():
    write_table("t.csv", ["item", "system", "judge", "rating"], [(n, s, "kim", n % 5) for n in range(9) for s in "ab"])
    assert "all ratings are of one rater, 'kim', so that nothing is said of how far raters agree" in look("t.csv").notes


def test_questions_of_a_grid_tell_items_systems_and_criteria():
    asked = [f"Text {n}: is {s} good? [{c}]" for n in (1, 2) for s in "AB" for c in ("Style", "Sense")]
    drawn = random.Random(3)
    rows = [["12/05/2024 10:00:00", *(drawn.randint(1, 5) for _ in asked)] for _ in range(6)]
    write_table("t.csv", ["Timestamp", *asked], rows)
    first = look("t.csv").commands[0]
    assert (
        first == "referenceless human-score --ratings t.csv --questions 'Text {item}: is {system} good? [{criterion}]'"
    )


def test_lines_that_a_command_would_refuse_are_not_proposed():
    asked = enumerate(("long", "short"), 1)
    rows = [(f"d{n}", s, how, 1 + n * k % 5) for k, how in asked for n in range(12) for s in "ab"]
    write_table("t.csv", ["doc_id", "model_name", "prompting", "fluency"], rows)
    found = look("t.csv")
    assert found.commands == ()
    assert "`human-score` asks for more: t.csv:2: system 'a', item 'd0' stands in several rows" in " ".join(found.notes)


def test_rows_of_other_kinds_that_lines_leave_out_are_counted():
    rated = [["likert", f"s{n}", s, 1 + n % 5] for n in range(6) for s in "ab"]
    write_table("t.csv", ["trial_type", "item", "system", "rating"], [["button", "", "", ""], *rated])
    found = look("t.csv")
    assert "1 of 13 rows have no ratings: the lines leave them out (--where trial_type=likert)" in found.notes


def test_lines_are_tried_if_a_column_may_hold_items_that_begin_again():
    rows = [(f"p{r}", f"f00{r}", f"s{n}", s, 1 + n * r % 5) for r in range(4) for n in range(6) for s in "ab"]
    write_table("t.csv", ["PID", "SESSION_ID", "item_id", "system", "rating"], rows)
    found = look("t.csv")
    check_lines(found.commands, "t.csv")
    assert "column 'SESSION_ID' tells them apart: --rater-column SESSION_ID" in " ".join(found.notes)


def test_errors_without_a_weight_ask_for_it():
    names = ["system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity"]
    rows = [(s, "d", n, n, "kim", "Es geht", f"It {s} goes", "Fluency", "critical") for n in range(3) for s in "ab"]
    write_table("t.tsv", names, rows, delimiter="\t")
    found = look("t.tsv")
    asked = ["--mqm-weights critical=WEIGHT" in line for line in found.commands]
    assert asked == ["--errors" not in line for line in found.commands]  # counting needs no weights
    assert any("there is no weight for the severity 'critical'" in note for note in found.notes)


def test_raters_of_preferences_have_a_line_on_agreement():
    rows = [(n, "x", "y", ("a", "b")[(n + r) % 2], f"r{r}") for n in range(12) for r in range(2)]
    write_table("t.csv", ["item", "system_a", "system_b", "preference", "rater"], rows)
    assert look("t.csv").commands == ("referenceless human-score --ratings t.csv", "referenceless agreement t.csv")


def test_the_best_of_several_columns_is_preferred_to_each_other_one():
    rows = [(n, *(f"a text of {s} {n}" for s in "xyzw"), ("x", "y", "w", "tie", "")[n % 5]) for n in range(10)]
    write_table("t.csv", ["id", "x", "y", "z", "w", "best"], rows)
    found = look("t.csv")
    assert found.commands == ("referenceless human-score --ratings t.csv --all-pairs",)
    frame = read_rating_table(["t.csv"]).frame
    first = frame[frame["item"] == "0"]
    told = list(zip(first["system_a"], first["system_b"], first["preference"], strict=True))
    assert told == [("x", other, 1) for other in "yzw"]
    assert frame["preference"].value_counts().to_dict() == {0.5: 12, 1.0: 10, 0.0: 8}


def test_answers_in_the_words_of_ratings_beside_them_are_ratings():
    drawn = random.Random(4)
    rows = [(f"A text {n // 2}", f"r{n % 2}", *(drawn.choice(["True", "False"]) for _ in range(3))) for n in range(24)]
    write_table("t.csv", ["text", "rater", "on_topic", "helpful", "safe"], rows)
    assert [parts(look("t.csv"))[name] for name in ("on_topic", "helpful", "safe")] == ["rating"] * 3
