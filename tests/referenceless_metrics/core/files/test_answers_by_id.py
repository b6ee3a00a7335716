"""Predictions by the ids of questions, and data sets of questions on paragraphs, as SQuAD has them."""

import json

import pytest
from command_lines import done
from refusals import refused

from referenceless_metrics import look
from referenceless_metrics.core.files.text_io import read_table

pytestmark = pytest.mark.filterwarnings("ignore")

N = 12


def question(n):
    """Return a question in the form of rajpurkar.github.io/SQuAD-explorer."""
    answers = [{"text": f"the old town of {n}", "answer_start": n}, {"text": f"town {n}", "answer_start": n + 4}]
    return {"id": f"5a{n:02}", "question": f"Which town is number {n} of those?", "answers": answers}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paragraphs = [{"context": f"It is about the towns {part}.", "qas": []} for part in range(2)]
    for n in range(N):
        paragraphs[n % 2]["qas"].append(question(n))
    data = {"version": "1.1", "data": [{"title": "Towns", "paragraphs": paragraphs}]}
    (tmp_path / "dev.json").write_text(json.dumps(data))
    right = {f"5a{n:02}": f"town {n}" for n in range(N)}
    (tmp_path / "ours.json").write_text(json.dumps(right))
    wrong = {key: "a river" if n % 3 else text for n, (key, text) in enumerate(reversed(right.items()))}
    (tmp_path / "base.json").write_text(json.dumps(wrong))


def test_an_object_of_texts_is_a_row_for_each_id():
    table = read_table("ours.json")
    assert table.rows[1] == {"id": "5a01", "text": "town 1"}
    assert len(table.rows) == N


def test_an_object_of_settings_is_no_table(tmp_path):
    (tmp_path / "settings.json").write_text(json.dumps({"name": "a", "model": "b", "task": "c", "seed": "1"}))
    with refused("expected a list of objects"):
        read_table("settings.json")


def test_questions_are_rows_with_their_context_and_answers():
    row = read_table("dev.json").rows[0]
    assert (row["title"], row["context"], row["id"]) == ("Towns", "It is about the towns 0.", "5a00")
    assert row["answers"]["text"] == ["the old town of 0", "town 0"]


def test_predictions_are_compared_with_the_answers_in_the_data_set():
    """Predictions stand in another order than the questions, and in another one in each file."""
    line = look_together()
    assert "--item-column id --references dev.json --reference-columns answers.text --metric chrf" in line
    out = done(line.removeprefix("referenceless ")).output
    assert "ours" in out
    assert "100.00" in out
    found = look("dev.json")
    assert not found.commands
    assert "--references dev.json --reference-columns answers.text --metric chrf" in " ".join(found.notes)


def look_together():
    told = done("look .").output
    return told[told.index("Together:\n") :].splitlines()[1]


def test_the_draw_of_predictions_takes_no_column_of_the_data_set(tmp_path):
    contexts = [f"It is about the old town of {n}, which lies on the river and is not large." for n in range(N)]
    paragraphs = [{"context": context, "qas": [question(n)]} for n, context in enumerate(contexts)]
    (tmp_path / "answers.json").write_text(json.dumps({"data": [{"title": "Towns", "paragraphs": paragraphs}]}))
    told = done("look answers.json base.json ours.json").output
    line = told[told.index("To let people rate") :].splitlines()[1]
    assert "answers.json" not in line
    done(line.removeprefix("referenceless "))
