"""Votes in the log of FastChat's arena, among the chats that they are about, and a look at chats alone."""

import json

import pytest
from text_files import write

from referenceless_metrics import look
from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows

pytestmark = pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")


def chat(model, place):
    return {"tstamp": place, "type": "chat", "model": model, "state": {"model_name": model}, "ip": "1"}


def vote(kind, models, *, shown=("", ""), user="1", place=0):
    states = [{"conv_id": f"{model}{place}", "model_name": model, "messages": [["USER", "Hi"]]} for model in models]
    return {"tstamp": place, "type": kind, "models": list(shown), "states": states, "ip": user}


def written(path, rows):
    return str(write(path, map(json.dumps, rows)))


def test_votes_are_preferences_and_chats_are_left_out(tmp_path):
    kinds = ("leftvote", "rightvote", "tievote", "bothbad_vote")
    rows = [chat("a", n) for n in range(30)]  # more than the beginning by which a form is told
    rows += [vote(kind, ("a", "b"), user=str(n), place=n) for n, kind in enumerate(kinds)]
    table = read_rating_rows(written(tmp_path / "2024-conv.json", rows))
    assert [row["preference"] for row in table.rows] == ["a", "b", "tie", "tie"]
    assert {(row["system_a"], row["system_b"]) for row in table.rows} == {("a", "b")}
    assert [row["rater"] for row in table.rows] == ["0", "1", "2", "3"]
    told = "; ".join(table.notes)
    assert "left out: 30 lines of type 'chat', which are no votes between two models" in told
    assert "a vote that both are bad counts as a tie (1)" in told


def test_models_are_told_by_the_page_if_conversations_do_not(tmp_path):
    rows = [vote("leftvote", (None, None), shown=("### Model A: x-7b", "y-7b"), place=n) for n in range(2)]
    rows += [vote("leftvote", (None, None)), vote("leftvote", ("a", "a"))]
    table = read_rating_rows(written(tmp_path / "conv.jsonl", rows))
    assert [(row["system_a"], row["system_b"]) for row in table.rows] == [("x-7b", "y-7b")] * 2
    assert not table.has("rater")  # one address tells nobody apart
    assert "left out: 1 votes without the names of both models" in table.notes
    assert "left out: 1 votes between a model and itself" in table.notes


def test_rows_of_another_kind_are_no_system(tmp_path):
    rows = [{"id": f"i{n}", "model": s, "score": n / 3} for s in "ab" for n in range(4)]
    rows += [{"id": f"other{n}", "kind": "note"} for n in range(4)]
    found = look(written(tmp_path / "t.jsonl", rows))
    assert "object object" not in str(found.notes)
