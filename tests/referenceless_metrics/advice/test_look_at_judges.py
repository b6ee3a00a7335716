"""A look at what judges wrote: their replies in batches of requests, and notes beside scores that name these."""

import json
from zlib import crc32

import pytest
from command_lines import done, typed
from text_files import write, write_table

from referenceless_metrics import look

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def reply(key, content, judge="gpt-4o"):
    """Return a line of a batch's output, as platform.openai.com/docs/guides/batch shows it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    body = {"id": f"chatcmpl-{crc32(key.encode())}", "object": "chat.completion", "created": 1741001054, "model": judge}
    body |= {"choices": [choice], "usage": {"total_tokens": 100 + len(content)}}
    own = f"batch_req_{crc32(key.encode()):x}"
    return {"id": own, "custom_id": key, "response": {"status_code": 200, "body": body}, "error": None}


@pytest.mark.parametrize("seam", ["_", "__news_"])
def test_the_model_of_a_reply_with_ratings_is_their_judge_and_no_system(seam):
    systems = ("base", "ours", "big")
    rows = [
        reply(f"{system}{seam}{n}", json.dumps({"reason": "It is fine.", "coherence": (n + len(system)) % 5 + 1}))
        for n in range(12)
        for system in systems
    ]
    write("batch.jsonl", map(json.dumps, rows))
    found = look("batch.jsonl")
    parts = {column.name: column.part for column in found.columns if column.part}
    content = "response.body.choices.message.content.coherence"
    expected = {"custom_id.head": "system", "custom_id.tail": "item", "response.body.model": "rater"}
    assert parts == {**expected, content: "rating"}
    out = done(found.commands[0].removeprefix("referenceless ")).output
    assert all(f"\n{system} " in out for system in systems)
    assert "\ngpt-4o" not in out


def test_the_callers_own_keys_of_requests_are_items():
    rows = [reply(f"text{n}", json.dumps({"fluency": n % 5 + 1})) for n in range(12)]
    write("batch.jsonl", map(json.dumps, rows))
    parts = {column.name: column.part for column in look("batch.jsonl").columns}
    assert (parts["custom_id"], parts["id"], parts["response.body.model"]) == ("item", "", "rater")


def test_notes_on_scores_that_name_these_are_no_systems():
    names = ["id", "grounded", "relevant"]
    names += [f"{score}_{note}" for score in names[1:] for note in ("reason", "result", "threshold")]
    rows = [[n, n % 5, (n + 1) % 4, *["It says so.", "pass", 3] * 2] for n in range(12)]
    write_table("t.csv", names, rows)
    found = look("t.csv")
    assert not [column.name for column in found.columns if column.part == "system"]
    assert not [line for line in found.commands if "--rows-in" in line]


def test_criteria_of_one_judge_are_scores_with_means_and_the_worst():
    names = ["question", "answer", "gpt_faithfulness_score", "gpt_faithfulness_reason", "gpt_relevance_score"]
    rows = [[f"What is {n}?", f"It is the number {n} of all.", 1 + n % 5, "It is so.", 1 + n % 4] for n in range(24)]
    write_table("t.csv", names, rows)
    found = look("t.csv")
    parts = {column.name: column.part for column in found.columns}
    assert parts["gpt_faithfulness_score"] == parts["gpt_relevance_score"] == "score"
    both = "--score-column gpt_faithfulness_score --score-column gpt_relevance_score"
    assert [line for line in found.commands if line.endswith((both, f"{both} --worst 10"))]
    assert not [line for line in found.commands if line.split()[1] == "evaluate"]
    assert "gpt_relevance_score" in done(found.commands[0].removeprefix("referenceless ")).output


def test_ratings_are_told_by_names_of_one_form():
    rows = [[f"The cat {n} sat on the mat.", 1 + n % 5, "so", 1 + n % 4] for n in range(24)]
    write_table("t.csv", ["text", "faithfulness_score", "why", "relevance_score"], rows)
    parts = {column.name: column.part for column in look("t.csv").columns}
    assert parts["faithfulness_score"] == parts["relevance_score"] == "rating"


def test_a_judges_scores_beside_a_column_for_each_person_are_held_against_these():
    names = ["item", "system", "response", "human1", "human2", "human3", "gpt4o"]
    systems = ("base", "ours", "big", "old")
    rows = [
        [n, system, f"The {system} answer to question {n} is short.", *((n + k * m) % 5 + 1 for m in (1, 2, 3, 4))]
        for n in range(12)
        for k, system in enumerate(systems)
    ]
    write_table("t.csv", names, rows)
    found = look("t.csv")
    assert {column.name: column.part for column in found.columns}["gpt4o"] == "score"
    people = "--rating-column human1 --rating-column human2 --rating-column human3"
    both = f"--scores t.csv --ratings t.csv --score-column gpt4o {people}"
    assert f"referenceless evaluate {both}" in found.commands
    assert f"referenceless compare {both}" in found.commands
    assert not [line for line in found.commands if "--rating-column gpt4o" in line]


def test_a_judges_labels_are_held_against_those_of_people():
    words = ("pass", "fail", "pass")
    rows = [[f"q{n}", f"An answer to question {n}.", words[n % 3], words[n % 2]] for n in range(24)]
    write_table("t.csv", ["id", "output", "human_label", "judge_label"], rows)
    found = look("t.csv")
    assert {column.name: column.part for column in found.columns}["judge_label"] == "label of a judge"
    assert found.commands[:2] == (
        "referenceless agreement t.csv --rating-column human_label --rating-column judge_label --item-column id",
        "referenceless evaluate --scores t.csv --ratings t.csv --score-column judge_label --rating-column human_label "
        "--item-column id",
    )
    assert "judge_label and people" in done(found.commands[1].removeprefix("referenceless ")).stdout
    write_table("u.csv", ["id", "human_label", "judge_label"], [[row[0], *row[2:]] for row in rows])
    assert "agreement" in look("u.csv").commands[0]


def test_labels_without_known_numbers_are_held_against_people_as_labels_alone():
    words = ("supported", "refuted", "unclear")
    rows = [[f"q{n}", f"An answer to question {n}.", words[n % 3], words[(n + n % 5 // 4) % 3]] for n in range(24)]
    write_table("t.csv", ["id", "output", "human_label", "llm_label"], rows)
    lines = look("t.csv").commands
    both = "--rating-column human_label --rating-column llm_label"
    assert lines[0] == f"referenceless agreement t.csv {both} --item-column id"
    assert not any("--score-column llm_label" in line for line in lines)


def test_the_line_for_criteria_of_one_judge_names_all():
    rows = [[f"The cat {n} sat on the mat.", 1 + n % 5, 1 + n % 4] for n in range(24)]
    write_table("t.csv", ["text", "judge_style_score", "judge_creativity_score"], rows)
    both = "--score-column judge_style_score --score-column judge_creativity_score"
    assert f"referenceless compare --scores t.csv {both}" in look("t.csv").commands


@pytest.mark.parametrize("file", ["llm_judge.json", "judge_scores.json"])
def test_the_model_that_judged_all_rows_is_no_system_beside_ratings_of_several(file):
    turns = [
        {
            "conv_id": f"c{n // 2}",
            "query": f"How is the {n}th part of it made?",
            **{
                f"{s}_{c}": 1 + (n * at + k) % 5
                for at, s in enumerate(("plain", "ours"), 1)
                for k, c in enumerate(CRITERIA)
            },
        }
        for n in range(12)
    ]
    write(file, json.dumps({"n": 12, "model": "llama-3.3-70b-versatile", "turns": turns}))
    found = look(file)
    told = {column.name: column.part for column in found.columns}
    assert (told["model"], told["key"]) == ("", "system")
    assert not any("--system-column model" in line for line in found.commands)
    line = next(line for line in found.commands if "human-score" in line)
    assert "--columns-are criteria --system-column key" in line
    assert "ours less plain" in done(line.removeprefix("referenceless ")).stdout


CRITERIA = ("rel", "comp", "cov", "div")


def test_a_kind_of_systems_parts_no_items_and_runs_are_told_from_raters(folder):
    rows = [
        {
            "idx": n,
            "run": run,
            "model": m,
            "shown as": m.upper(),
            "ratings": {"clear": 1 + (n * at + run) % 5},
            "type": kind,
        }
        for n in range(12)
        for run in (0, 1)
        for at, (m, kind) in enumerate((("aa", "model"), ("bb", "model"), ("reference", "sanity")), 1)
    ]
    write("judge.json", json.dumps(rows))
    found = look("judge.json")
    told = {column.name: column.part for column in found.columns}
    assert told["type"] == told["shown as"] == "about systems"
    assert not any("share no item" in note or "begin again" in note for note in found.notes)
    line = next(line for line in found.commands if "human-score" in line)
    assert "--item-column run --cluster-column idx" in line
    by_item = "--rating-column ratings.clear --item-column idx --system-column model"
    message = typed(f"human-score --ratings judge.json {by_item}", status=1).err
    assert "'run' tells them apart: --item-column run --cluster-column idx if systems or raters ran again" in message
