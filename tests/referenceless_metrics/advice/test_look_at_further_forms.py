"""`look`, and the commands that it proposes, at tables of forms that a plain reading would get wrong."""

import json

import pytest
from command_lines import done, invoke, typed
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines
from referenceless_metrics.core.files.reading import InputNote

pytestmark = pytest.mark.filterwarnings("ignore")

TEXTS = [f"This is text {word} of them" for word in ("one", "two", "three", "four", "five", "six")]


def parts_of(found):
    return {column.name: column.part for column in found.columns if column.part}


def test_texts_that_a_system_gave_for_several_items_are_no_ratings_of_one_output(folder):
    rows = [
        (f"Source sentence {n} is this", system, version, "One answer." if n < 1 else f"{system} {version} {n}", n)
        for n in range(6)
        for system, version in (("a", "v0"), ("a", "v1"), ("b", "v0"), ("b", "v1"))
    ]
    write_table("t.csv", ("source_text", "model", "version_id", "translation", "rating"), rows)
    refused = invoke("human-score --ratings t.csv --system-column model --ratings-text-column translation")
    assert "gave a text several times" in str(refused.exception)
    write_table("u.csv", ("source_text", "model", "variant", "translation", "rating"), rows)
    found = look("u.csv")
    assert parts_of(found)["source_text"] == "cluster"
    assert parts_of(found)["variant"] == "item"
    assert "--item-column variant --system-column model --cluster-column source_text" in found.commands[0]


def test_repeated_texts_that_nothing_tells_apart_are_noted(folder):
    rows = [(system, text, n % 3 + 1) for system in "ab" for n, text in enumerate([*TEXTS, *TEXTS[:2]])]
    write_table("t.csv", ("system", "text", "rating"), rows)
    with pytest.warns(InputNote, match="4 rows repeat a text of their system, and count as further ratings of one"):
        done("human-score --ratings t.csv")


def test_columns_of_one_number_beside_texts_that_two_raters_saw(folder):
    """The texts stand twice, as labels do; sheets that are called so are of raters."""
    names = ["id", *(f"summary_{k}{end}" for k in (1, 2, 3) for end in ("", "_Fluency", "_Redundancy"))]
    rows = [
        [sheet, n, *(cell for k in (1, 2, 3) for cell in (f"Summary {k} of the text {n}", (n + k) % 5 + 1, k % 2))]
        for sheet in ("Annotator_1", "Annotator_2")
        for n in range(8)
    ]
    write_table("t.csv", ["rater", *names], rows)
    found = look("t.csv")
    parts = parts_of(found)
    assert (parts["key"], parts["rater"], parts["id"]) == ("system", "rater", "item")
    assert "item" not in parts
    assert any("taken to be of one system" in note for note in found.notes)
    line = next(line for line in found.commands if "human-score" in line)
    out = done(line.removeprefix("referenceless ")).output
    assert [words[0] for words in map(str.split, out.splitlines()) if words[1:4] == ["8", "8", "16"]] == ["1", "2", "3"]


def test_numbers_and_letters_join_items_and_systems(folder):
    write_table("t.csv", ("output_id", "overall"), [(f"{n}{s}", n % 4 + 1) for n in range(1, 13) for s in "AB"])
    found = look("t.csv")
    assert "--item-column output_id.head --system-column output_id.tail" in found.commands[0]


def test_numbered_outputs_are_systems_if_crossed_with_what_they_were_made_of(folder):
    rows = [(p, s, 0.8 + p / 100 - s / 50) for p in range(1, 7) for s in range(1, 4)]
    write_table("t.csv", ("Paragraph", "Summary", "BERTScore"), rows)
    found = look("t.csv")
    assert found.commands == (
        "referenceless compare --scores t.csv --score-column BERTScore --item-column Paragraph --system-column Summary",
    )
    assert any("taken to name systems" in note for note in found.notes)


def test_all_metrics_are_compared_and_lower_error_rates_are_better(folder):
    rows = [(n / 10, 10 * n, 90 - n) for n in range(6)]
    for name in ("a.tsv", "b.tsv"):
        write(name, ["BLEU\tchrF\tsacre_TER", *("\t".join(map(str, row)) for row in rows)])
    (line,) = joint_lines([look("a.tsv"), look("b.tsv")])
    assert line.endswith("--score-column BLEU --score-column chrF --score-column sacre_TER --lower-is-better sacre_TER")


def test_files_of_two_raters_with_the_same_rows(folder):
    """No column holds items: `id` numbers systems."""
    rows = [(n, n % 3, TEXTS[n % 6], n % 5 + 1, (2 * n) % 5 + 1) for n in range(12)]
    write_table("ann.csv", ("", "id", "response", "engaging", "specific"), rows)
    write_table("bob.csv", ("", "id", "response", "engaging", "specific"), [(*row[:3], 3, row[4]) for row in rows])
    lines = joint_lines([look("ann.csv"), look("bob.csv")])
    assert lines[0] == "referenceless agreement ann.csv bob.csv --rating-column engaging"
    with pytest.warns(InputNote, match="the n-th row of each file is of item n, for 'column 1', 'id', 'response' are"):
        out = done("agreement ann.csv bob.csv --rating-column specific").output
    assert "12 of 12 outputs were rated by two raters" in out
    write_table("cat.csv", ("", "id", "response", "engaging", "specific"), rows[::-1])
    assert invoke("agreement ann.csv cat.csv --rating-column specific").exit_code != 0


def test_what_people_say_is_told_from_what_programs_say(folder):
    rows = [(text, -n / 2, 1.5 + n * 5 % 16 * 0.37, 60 + n, n * 0.21) for n, text in enumerate(4 * TEXTS)]
    rows = [(f"{text} {n}", *row) for n, (text, *row) in enumerate(rows)]
    write_table("t.csv", ("translation", "human_mqm_score", "fluency2", "gemba_mqm", "disagreement"), rows)
    parts = parts_of(look("t.csv"))
    assert parts["human_mqm_score"] == "rating"
    assert (parts["fluency2"], parts["gemba_mqm"]) == ("score", "score")
    lines = [line for line in look("t.csv").commands if " evaluate --scores " in line]
    assert [line.partition("--score-column ")[2].split()[0] for line in lines] == ["fluency2", "gemba_mqm"]


def test_votes_of_three_raters_and_turns_of_an_item(folder):
    rows = [
        (n, "a", "b", turn, "model_1" if n % 2 else "tie", "model_2", "model_1") for n in range(1, 7) for turn in (1, 2)
    ]
    write_table("t.csv", ("question_id", "model_1", "model_2", "turn", "winner1", "winner2", "winner3"), rows)
    found = look("t.csv")
    assert found.n_rows == 36
    assert any("'question_id' with 'turn'" in note for note in found.notes)
    assert any("(column 'question_id'), and items of one cluster count as dependent" in note for note in found.notes)
    out = done("human-score --ratings t.csv").output
    row = next(line.split() for line in out.splitlines() if line.startswith(("b  ", "a  ")))
    assert row[2:6] in (["12", "12", "6", "18"], ["12", "18", "6", "12"])


def test_sides_that_a_crowd_names_by_a_word(folder):
    names = ["HITId", "WorkerId", "Input.text1", "Input.text2", "Input.model1", "Input.model2", "Answer.best.label"]
    sides = [("x", "y", "Sentence A"), ("y", "x", "Sentence B"), ("x", "y", "Sentence B")]
    rows = [(n, f"w{n}", TEXTS[0], TEXTS[1], *sides[n % 3]) for n in range(30)]
    write_table("t.csv", names, rows)
    out = done("human-score --ratings t.csv").output
    assert any(line.split()[:6] == ["y", "x", "30", "10", "0", "20"] for line in out.splitlines())


def test_answers_to_several_questions_in_a_list(folder):
    rows = [
        {
            "question": f"Q {n}",
            "ans1": "some longer text",
            "ans2": "another longer text",
            "answer": [first, "Q2_neither"],
        }
        for n, first in enumerate(["Q1_Ans1", "Q1_Ans1", "Q1_Ans2", "Q1_Tie"] * 4)
    ]
    write("t.jsonl", [json.dumps(row) for row in rows])
    found = look("t.jsonl")
    assert found.commands == ("referenceless human-score --ratings t.jsonl --preference-column answer.Q1",)
    out = done("human-score --ratings t.jsonl --preference-column answer.Q1").output
    assert any(line.split()[:6] == ["ans2", "ans1", "16", "4", "4", "8"] for line in out.splitlines())


def test_a_folder_of_folders_holds_the_outputs_of_a_system_in_each(folder):
    for system in ("base", "lora"):
        (folder / "runs" / system).mkdir(parents=True)
        rows = [json.dumps({"id": n, "prediction": f"{text} by {system}"}) for n, text in enumerate(TEXTS)]
        write(folder / "runs" / system / "predictions.jsonl", rows)
    (folder / "runs" / "base" / ".cache").write_text("x")
    said = done("look runs").output
    files = "runs/base/predictions.jsonl runs/lora/predictions.jsonl"
    assert f"Together:\nreferenceless compare {files} --text-column prediction" in said
    found = done(f"compare {files} --text-column prediction --metric slor -f json --n-samples 20").output
    assert '"system": "lora"' in found
    (folder / "empty" / "inside").mkdir(parents=True)
    assert "the folder holds no files, nor do the folders in it" in str(invoke("look empty").exception)


@pytest.mark.parametrize("names, are_raters", [(("a1", "a2", "a3"), True), (("run_x", "run_y", "run_z"), False)])
def test_scores_of_the_same_outputs_in_files_that_are_called_as_raters_are_of_one_each(
    names, are_raters, tmp_path, monkeypatch
):
    """Whole numbers on a scale may be people's: the files are read together, with the options of one of them."""
    monkeypatch.chdir(tmp_path)
    systems = ("bart", "gpt", "ref", "t5")
    for at, name in enumerate(names):
        of_items = {
            f"doc-{n}": {
                str(place): {
                    "model": system,
                    "text": [f"on {n}", f"by {system}"],
                    "score": 1 + (n * (7 + at) + place) % 5,
                }
                for place, system in enumerate(systems[n % 4 :] + systems[: n % 4])
            }
            for n in range(12)
        }
        write(f"{name}_scores.json", json.dumps(of_items))
    lines = joint_lines([look(f"{name}_scores.json") for name in names])
    assert ([line.split()[1] for line in lines] == ["human-score", "agreement"]) == are_raters
    for line in lines if are_raters else ():
        told = typed(f"{line.removeprefix('referenceless ')} -f json").out
        assert "a3_scores" in told or "3 raters" in told
