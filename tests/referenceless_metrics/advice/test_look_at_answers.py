"""Outputs beside lists of right answers: the answers are references, and what else is possible is told."""

import json
from pathlib import Path

import pytest
from command_lines import as_json, done, typed
from refusals import refused
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.core.files.text_io import read_table, references_of

pytestmark = pytest.mark.filterwarnings("ignore")

NAMES = ("Oxygen", "Lima", "Curie", "Danube", "Verdi", "Quito", "Newton", "Elbe", "Oslo", "Bach", "Nile", "Rome")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Predictions of two models, of which the second one runs on."""
    monkeypatch.chdir(tmp_path)
    for model in ("llama", "qwen"):
        Path(model).mkdir()
        rows = []
        for n in range(36):
            name = f"{NAMES[n % 12]} {n}"
            output = name if model == "llama" or n % 3 else f"{name}\n\nQuestion: Which"
            right = [name, f"The {name}"]
            rows.append({"pred": output, "answers": right, "exact_match": int(output in right), "length": 3000 + n})
        write(f"{model}/trivia.jsonl", map(json.dumps, rows))


def plain(model):
    """Leave out the column of right and wrong, as a program that predicts writes none."""
    rows = [json.loads(line) for line in Path(f"{model}/trivia.jsonl").read_text().splitlines()]
    write(f"{model}/trivia.jsonl", [json.dumps({k: v for k, v in row.items() if k != "exact_match"}) for row in rows])


def test_answers_are_references_of_a_metric_that_suits_them():
    for model in ("llama", "qwen"):
        plain(model)
    told = typed("look llama/trivia.jsonl qwen/trivia.jsonl").out
    (line,) = (each for each in told.splitlines() if each.startswith("referenceless compare"))
    assert line.endswith("--text-column pred --reference-columns answers --metric chrf")
    assert "qwen is lower than llama" in done(line.removeprefix("referenceless ")).output
    assert "column 'answers' may hold several right answers" in told
    for each in told.splitlines():
        if each.startswith("referenceless sample"):
            done(each.removeprefix("referenceless "))


def test_a_metric_that_is_not_here_leads_to_the_command_for_its_scores():
    told = typed("compare llama/trivia.jsonl qwen/trivia.jsonl --text-column pred --metric exact_match", status=2).err
    assert "scores that another tool gave are compared by `referenceless compare --scores FILE" in " ".join(
        told.split()
    )
    files = "--scores llama/trivia.jsonl --scores qwen/trivia.jsonl"
    assert "qwen is lower than llama" in typed(f"compare {files} --score-column exact_match").out


def test_a_metric_with_references_leads_to_a_comparison_by_it_alone():
    told = " ".join(typed("score llama/trivia.jsonl --text-column pred --metric chrf", status=2).err.split())
    assert "did you mean `--with chrf`?" in told
    assert "`referenceless compare --metric chrf --references FILE` compares outputs by it alone" in told


@pytest.mark.parametrize("form", ["json", "csv"])
def test_lists_of_references_beside_outputs_side_by_side_are_proposed(form, folder):
    rows = [
        {
            "id": n,
            "refs": [f"the cat sat on mat number {n}", f"a cat sat on mat {n}"][: 1 + n % 2],
            "base": f"a cat is on a mat called {n}",
            "ours": f"the cat sat on mat {n}",
        }
        for n in range(24)
    ]
    if form == "json":
        write("t.json", json.dumps(rows))
    else:
        write_table("t.csv", list(rows[0]), [[*map(str, row.values())] for row in rows])
    first = look(f"t.{form}").commands[0]
    assert first == (
        f"referenceless compare t.{form} --text-column base --text-column ours --reference-columns refs --metric chrf"
    )
    assert "ours is higher than base" in done(first.removeprefix("referenceless ")).output


def test_the_last_turn_of_the_assistant_is_a_reference_beside_outputs():
    """Files from which models are fine-tuned hold the answer that they learn as the last turn."""
    rows = []
    for n in range(12):
        asked = {"role": "user", "content": f"Which of the towns lies at place {n} of the old list?"}
        told = {"role": "assistant", "content": f"It is the town of number {n}, near the river."}
        early = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello, what is it?"}]
        outputs = {
            "base_output": f"I do not know that at all, {n} times.",
            "ft_output": f"It is the town {n}, near it.",
        }
        rows.append({"messages": [*(early if n % 3 else []), asked, told], **outputs})
    write("t.jsonl", map(json.dumps, rows))
    found = look("t.jsonl")
    parts = {column.name: column.part for column in found.columns}
    assert parts["messages.-1.content"] == "reference"
    line = next(line for line in found.commands if line.split()[1] == "compare")
    assert "--text-column base_output --text-column ft_output --reference-columns messages.-1.content" in line
    assert "chrF2" in done(line.removeprefix("referenceless ")).output


def test_all_turns_are_no_references(tmp_path):
    turns = [{"role": "user", "content": "Hello there."}, {"role": "assistant", "content": "Hello."}]
    path = write(tmp_path / "t.jsonl", [json.dumps({"messages": turns, "output": "Hi."})] * 2)
    with refused("name one, such as the last, --reference-columns messages.-1.content"):
        references_of(read_table(str(path)), ["messages.content"])
    assert references_of(read_table(str(path)), ["messages.-1.content"]) == [["Hello."], ["Hello."]]


def labelled(model, right):
    """Write answers of a model to questions of multiple choice beside the right ones, and their index."""
    rows = []
    for n in range(24):
        gold = "ABCD"[n * 7 % 4]
        pred = gold if n % 4 < right else ("ABCD"[(n * 7 + 1) % 4] if n % 5 else None)
        options = [f"It is number {n + k} of the list." for k in range(4)]
        row = {"question_id": 100 + n, "options": options, "answer": gold, "answer_index": "ABCD".index(gold)}
        rows.append({**row, "pred": pred, "response": f"I think of number {n} that the answer is {pred}."})
    write(f"{model}/history.json", [json.dumps(rows)])


def test_predicted_labels_are_held_against_the_right_ones():
    """As the results of MMLU-Pro: right answers are no ratings, nor is their index a score."""
    for model, right in (("llama", 3), ("qwen", 2)):
        labelled(model, right)
    files = ("llama/history.json", "qwen/history.json")
    found = look(files[0])
    parts = {column.name: column.part for column in found.columns}
    assert (parts["answer"], parts["answer_index"], parts["pred"]) == ("gold", "", "prediction")
    assert "--score-column pred --gold-column answer --item-column question_id" in found.commands[0]
    assert not [line for line in found.commands if "rating" in line or "rerank" in line]
    rows = as_json(found.commands[1].removeprefix("referenceless ").replace("OTHER", files[1]))["rows"]
    assert {row["system"]: row["mean"] for row in rows[:2]} == {"llama": 0.75, "qwen": 0.5}
    out = typed(f"compare --scores {files[0]} --scores {files[1]}", status=1).err
    assert "column 'answer_index', are the same for all systems on all items" in out
    assert "--score-column NAME --gold-column NAME" in out


def test_several_questions_that_are_answered_with_yes_and_no_are_ratings_of_outputs(tmp_path, monkeypatch):
    """A column that is the same for all outputs of an item, or of a system, holds no answers about them."""
    monkeypatch.chdir(tmp_path)
    rows = [
        [
            f"d{n}",
            system,
            f"The {system} mayor of town {n} opened it.",
            "yes" if n % 2 else "no",
            "yes" if at else "no",
            *(["Yes", "No", "Unsure"][(n * 5 + at + question) % 3] for question in range(3)),
        ]
        for n in range(12)
        for at, system in enumerate(("base", "ours"))
    ]
    names = ["gem_id", "model", "summary", "long", "tuned", "question1", "question2", "question3"]
    write_table("t.csv", names, rows)
    found = look("t.csv")
    rated = [column.name for column in found.columns if column.part == "rating"]
    assert rated == ["question1", "question2", "question3"]
    (note,) = [note for note in found.notes if "hold labels" in note]
    assert note.startswith("columns 'question1', 'question2', 'question3' hold labels: --values")
    line = next(line for line in found.commands if line.split()[1] == "human-score")
    assert "base" in typed(line.removeprefix("referenceless ").replace("Unsure=NUMBER", "Unsure=")).out


def test_free_answers_beside_the_right_ones_are_no_texts_to_score_if_a_score_says_whether_they_are_equal(tmp_path):
    """As programs that evaluate mathematics write it, each answer and verdict in a list of one."""
    rows = []
    for n in range(40):
        right = f"x={n * n}"
        pred = right if n % 4 else f"x={n + 900}"
        rows.append({"idx": n, "question": f"What is the square of {n}?", "answer": right, "pred": [pred]})
        rows[-1]["score"] = [n % 4 > 0]
    path = write(tmp_path / "math.jsonl", [json.dumps(row) for row in rows])
    found = look(path)
    parts = {column.name: column.part for column in found.columns}
    assert (parts["answer"], parts["pred"], parts["score"]) == ("gold", "", "score")
    assert {line.split()[1] for line in found.commands} == {"compare"}
    assert as_json(found.commands[0].removeprefix("referenceless "))["rows"][0]["mean"] == 0.75


def test_a_log_of_flags_holds_questions_answers_and_how_good_these_are(tmp_path, monkeypatch):
    """As Gradio writes it: answers that repeat are no ratings, and words from bad to good are, whatever their name."""
    monkeypatch.chdir(tmp_path)
    answers = [f"You can do that in menu number {n}." for n in range(11)]
    flags = ("good", "good", "okay", "bad")
    rows = [[f"How do I open door {n}?", answers[n * 7 % 11], flags[n % 4], ""] for n in range(60)]
    write_table("log.csv", ["Your question", "Answer of the bot", "flag", "time"], rows)
    found = look("log.csv")
    parts = {column.name: column.part for column in found.columns}
    assert parts == {"Your question": "source", "Answer of the bot": "text", "flag": "rating", "time": ""}
    line = "referenceless human-score --ratings log.csv --rating-column flag"
    assert line == found.commands[0]
    told = typed(line.removeprefix("referenceless ")).out
    assert "Answers of log: good 30 (50.0%), okay 15 (25.0%), bad 15 (25.0%)." in " ".join(told.split())
    worst = found.commands[1].removeprefix("referenceless ")
    assert worst == "compare --scores log.csv --score-column flag --worst 10"
    bad = next(answer for question, answer, flag, _ in rows if flag == "bad")
    assert " ".join(bad.split()) in " ".join(typed(worst).out.split())


def test_answers_beside_lists_of_right_ones_are_held_against_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    passages = [f"Passage {n} tells of a town in the north." for n in range(3)]
    rows = [
        {
            "question": f"Which town has the number {n}?",
            "gold_answers": [f"Town {n}", f"The town {n}"],
            "contexts": passages,
            "prediction": f"Town {n}" if n % 3 else f"It is the town with the number {n + 1}.",
        }
        for n in range(24)
    ]
    write("t.json", [json.dumps(rows)])
    found = look("t.json")
    assert {column.name: column.part for column in found.columns}["contexts"] == ""
    assert found.shape == "answers beside the right ones"
    held = "--score-column prediction --gold-column gold_answers --squad"
    assert found.commands[0] == f"referenceless compare --scores t.json {held}"
    rows = as_json(found.commands[0].removeprefix("referenceless "))["rows"]
    assert {row["score"]: row["mean"] for row in rows}["exact match"] == pytest.approx(2 / 3)
    assert "--squad holds answers to the right ones" in typed("compare --scores t.json --squad", status=2).err


def split_and_predictions(number="idx", right="summary"):
    """Write a split with its references in one folder, and the predictions of two systems in another, by numbers."""
    for folder in ("data", "predictions"):
        Path(folder).mkdir()
    texts = [[n, f"The long article {n} tells much of the town.", f"Town {n} in short words."] for n in range(24)]
    write_table("data/test.csv", [number, "text", right], texts)
    for system in ("bart", "t5"):
        rows = [[n, f"The town {n} of {system} in a few words."] for n in range(24)]
        write_table(f"predictions/{system}.csv", [number, "prediction"], rows)
    return "predictions/bart.csv predictions/t5.csv"


def test_predictions_are_held_against_the_references_beside_their_inputs():
    outputs = split_and_predictions()
    line = f"compare {outputs} --text-column prediction --item-column idx --references data/test.csv"
    line = f"{line} --reference-columns summary --metric chrf"
    assert line in done("look data predictions").stdout
    assert "chrF" in done(line).stdout


def test_texts_that_are_not_called_as_outputs_are_no_references():
    split_and_predictions(right="body")
    assert "--reference-columns" not in done("look data predictions").stdout
