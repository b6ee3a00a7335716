"""Columns that name the better and the worse system, and raters who choose one of two texts without names."""

import json
from pathlib import Path

import pytest
from command_lines import typed
from refusals import refused
from text_files import write_table

from referenceless_metrics import look
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


@pytest.mark.parametrize(
    "better, worse", [("BETTER", "WORSE"), ("preferred", "worst_system"), ("chosen", "rejected_model")]
)
def test_columns_of_the_better_and_the_worse_system_get_a_whole_line(better, worse):
    names = ("base.1", "ours.2", "big.3")
    pairs = [(names[n % 3], names[(n + 1 + n % 2) % 3]) for n in range(60)]
    write_table("pairs.csv", ["SID", better, worse], [(n, *pair) for n, pair in enumerate(pairs)])
    found = look("pairs.csv")
    assert found.shape.startswith("preferences")
    (line,) = found.commands
    assert f"--preference-column {better} --item-column SID --system-a-column {better} --system-b-column" in line
    assert line.endswith("--all-pairs")
    assert "Bradley-Terry" in typed(line.removeprefix("referenceless ")).out


def votes(other, alone=()):
    """Write votes of 1 and -1 on a model, beside a column of the other model, and give look's answer."""
    names = ("base", "ours", "big")
    rows = [(n, names[n % 3], names[(n + 1 + n % 2) % 3], 1 - 2 * (n % 5 > 2)) for n in range(60)]
    rows = [(n, own, "" if n in alone else f'["{second}"]', vote) for n, own, second, vote in rows]
    write_table("votes.csv", ["id", "model_id", other, "rating"], rows)
    return look("votes.csv")


@pytest.mark.parametrize("other", ["sibling_model_ids", "opponent", "against_model"])
def test_votes_on_a_system_beside_its_opponent_are_preferences(other):
    found = votes(other, alone=range(6))
    assert found.shape.startswith("preferences")
    (line,) = found.commands
    assert f"--preference-column rating --item-column id --system-a-column model_id --system-b-column {other}" in line
    assert f"--a-is high --where '{other}!='" in line
    assert "--unpaired" not in line
    (note,) = (note for note in found.notes if "vote between two systems" in note)
    assert "6 of 60 rows name no other system" in note
    told = typed(line.removeprefix("referenceless ")).out
    assert "Bradley-Terry" in told
    assert "[" + "'" not in told


def test_votes_read_as_ratings_get_a_note_with_the_options_that_read_them_as_preferences():
    votes("opponent")
    columns = RatingColumns(item="id", system="model_id")
    told = " ".join(read_rating_table(["votes.csv"], columns, unpaired=True).notes)
    options = "--system-a-column model_id --system-b-column opponent --a-is high --where"
    assert "if 'rating' is a vote between the two" in told
    assert f"as preferences: --preference-column rating {options} 'opponent!='" in told
    votes("related_model")
    assert "is a vote" not in " ".join(read_rating_table(["votes.csv"], columns, unpaired=True).notes)


def test_votes_beside_a_column_of_other_labels_are_ratings():
    assert not any("--preference-column" in line for line in votes("related_model").commands)


def test_labels_that_two_columns_do_not_share_are_no_pair():
    rows = [(n, f"s{n % 3}", f"reason {n % 4}") for n in range(60)]
    write_table("labels.csv", ["id", "best", "worst"], rows)
    assert not any("--system-b-column" in line for line in look("labels.csv").commands)


def test_raters_who_choose_one_of_two_texts_are_no_systems_and_neither_are_the_texts():
    """The system that wrote text A changes from row to row: to compare A and B would be to compare nothing."""
    rows = [
        (n, f"The council of town {n} met.", f"One of {n} is here.", f"Two of {n} is there.", *letters)
        for n, letters in enumerate(zip("AB=" * 8, ["A ", "b"] * 12, "=AAB" * 6, strict=True))
    ]
    write_table("ab.csv", ["no", "article", "summary A", "summary B", "Lea", "Tom", "Yusuf"], rows)
    found = look("ab.csv")
    parts = {column.name: column.part for column in found.columns}
    assert [parts[name] for name in ("Lea", "Tom", "Yusuf")] == ["rating of a rater"] * 3
    assert any("nothing names their systems" in note for note in found.notes)
    (line,) = found.commands
    assert line.split()[1] == "agreement"
    assert "Krippendorff's α" in typed(line.removeprefix("referenceless ")).out


def test_a_column_of_the_labels_of_several_raters_beside_it_is_held_against_most_of_them():
    labels = ("supported", "partly", "unsupported")
    rows = [
        (
            f"c{n}",
            f"The depot of town {n} was built.",
            labels[(n + n // 8) % 3],
            *(labels[(n + n // k) % 3] for k in (5, 6, 9)),
        )
        for n in range(30)
    ]
    write_table("t.csv", ["id", "claim", "pseudo_label", "annotator_1", "annotator_2", "annotator_3"], rows)
    found = look("t.csv")
    assert {column.name: column.part for column in found.columns}["pseudo_label"] == "prediction"
    line = next(line for line in found.commands if line.split()[1] == "compare")
    assert line.count("--gold-column annotator_") == 3
    assert "accuracy" in typed(line.removeprefix("referenceless ")).out
    write_table(
        "t.csv",
        ["id", "claim", "topic", "annotator_1", "annotator_2", "annotator_3"],
        [(*row[:2], f"t{row[2]}", *row[3:]) for row in rows],
    )
    assert not any(line.split()[1] == "compare" for line in look("t.csv").commands)


def test_answers_on_one_scale_under_numbers_of_people_are_of_raters_and_their_majority_is_no_rating():
    rows = []
    for n in range(30):  # a reply and its id stand twice, and each row was rated
        answers = [n % 3 - 1, (n // 2) % 3 - 1, n % 3 - 1 if n % 4 else 1]
        most = max(answers, key=answers.count) if len({*answers}) < 3 else 0
        rows.append([f"it works again, number {n % 28}", *answers, most, n % 28])
    write_table("tones.csv", ["reply", "20110011", "20110200", "23120007", "tone_human", "reply_id"], rows)
    found = look("tones.csv")
    raters = [column.name for column in found.columns if column.part == "rating of a rater"]
    assert raters == ["20110011", "20110200", "23120007"]
    assert "rating" not in {column.part for column in found.columns}
    named = " ".join(f"--rating-column {name}" for name in raters)
    assert found.commands[0] == f"referenceless agreement tones.csv {named}"
    assert "they are taken for raters (--columns-are criteria" in " ".join(found.notes)


SYSTEMS = ("base", "ours", "big")


def placed(n):
    """Return the systems on the two sides of a row."""
    return SYSTEMS[n % 3], SYSTEMS[(n + 1 + n % 2) % 3]


def judged(**cells):
    """Write comparisons whose sides are called A and B, with further cells made from the number of a row."""
    rows = [
        {"comparison": "_vs_".join(sorted(placed(n))), **dict(zip("AB", placed(n), strict=True))}
        | {name: made(n) for name, made in cells.items()}
        for n in range(60)
    ]
    Path("judged.json").write_text(json.dumps(rows), encoding="utf-8")
    return look("judged.json")


def test_systems_that_stood_on_a_side_are_no_preferences_and_criteria_inside_are_no_systems():
    found = judged(scores=lambda n: {each: {"A": 1 + n % 4, "B": 2 + n % 3} for each in ("style", "facts", "depth")})
    assert not found.commands
    assert {column.name: column.part for column in found.columns if column.name in "AB"} == {
        "A": "system_a",
        "B": "system_b",
    }
    (told,) = found.notes
    assert told.startswith(
        "'A', 'B' name the systems of the two outputs that 'scores.style.A', 'scores.style.B' are of"
    )
    with refused("'A' and 'B' tell which system is on which side.*--system-a-column A --system-b-column B"):
        read_rating_table(["judged.json"], RatingColumns(preference="B"))


def test_a_verdict_between_sides_finds_the_systems_that_stood_there():
    found = judged(scores_a=lambda n: {"style": 1 + n % 4}, overall_winner=lambda n: ("A", "B", "tie")[n % 5 % 3])
    assert found.shape.startswith("preferences")
    (line,) = found.commands
    assert "--preference-column overall_winner --system-a-column A --system-b-column B --all-pairs" in line
    told = read_rating_table(["judged.json"], RatingColumns(preference="overall_winner"))
    assert list(told.frame["system_a"]) == [placed(n)[0] for n in range(60)]
    assert "columns 'A' and 'B' name the systems of a row" in " ".join(told.notes)


def test_sides_of_one_judge_are_no_raters():
    rows = [
        {
            "task_id": f"t{n}",
            **dict(zip(("label_a", "label_b"), placed(n), strict=True)),
            "nonsense_a": n % 7 == 0,
            "nonsense_b": n % 5 == 0,
            "scores_a": {"style": 1 + n % 4, "facts": 1 + n % 5},
            "scores_b": {"style": 1 + n % 3, "facts": 2 + n % 4},
            "overall_winner": ("A", "B", "tie")[n % 5 % 3],
            "reason": f"Side {n} says what was asked for and is clearer than the other one, whose end is lost.",
        }
        for n in range(60)
    ]
    Path("judged.json").write_text(json.dumps(rows), encoding="utf-8")
    found = look("judged.json")
    (line,) = found.commands
    assert "further columns of ratings" not in " ".join(found.notes)
    keys = "--item-column task_id --system-a-column label_a --system-b-column label_b"
    assert f"--preference-column overall_winner {keys}" in line


@pytest.mark.parametrize(
    "names", [("first_choice", "second_choice"), ("first language", "second language")], ids=["ranks", "languages"]
)
def test_columns_called_first_and_second_name_no_sides(names):
    write_table("ranked.csv", ["item", *names], [(n, *placed(n)) for n in range(30)])
    assert not {"system_a", "system_b"} & {column.part for column in look("ranked.csv").columns}


@pytest.mark.parametrize("words", [("yes", "no"), ("win", "loss"), ("1", "2")])
def test_answers_for_both_sides_are_no_systems(words):
    rows = [(n, words[n % 2], words[1 - n % 2]) for n in range(30)]
    write_table("answers.csv", ["item", "right_a", "right_b"], rows)
    assert not {"system_a", "system_b"} & {column.part for column in look("answers.csv").columns}
