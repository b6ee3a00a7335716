"""Rows with two texts are no preferences unless something in them is a verdict."""

import json

import pytest
from text_files import write

from referenceless_metrics.advice.look.looking import look

N = 12


def chat(n, n_choices):
    """Return one call of a chat API."""
    answers = [f"An answer of some words, number {n} of {place}." for place in range(n_choices)]
    choices = [
        {"index": place, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
        for place, answer in enumerate(answers)
    ]
    asked = [
        {"role": "system", "content": "You are brief and polite to everybody."},
        {"role": "user", "content": f"How do I return parcel {n}?"},
    ]
    return {"id": f"call-{n}", "model": "bot", "messages": asked, "choices": choices}


@pytest.mark.parametrize("n_choices", [1, 2])
def test_a_log_of_a_chat_api_holds_no_preferences(n_choices, tmp_path):
    """Turns of one conversation are no pair of outputs, and a place in a list is no verdict."""
    log = str(write(tmp_path / "log.jsonl", (json.dumps(chat(n, n_choices)) for n in range(N))))
    found = look(log)
    assert found.shape != "preferences"
    assert not any("preference" in line for line in found.commands)
    assert f"referenceless score {log} --text-column message.content --rows-in choices" in found.commands[-1]


def test_an_index_in_a_list_is_no_verdict(tmp_path):
    rows = [{"a": f"one text {n}", "b": f"two texts {n}", "choices": [{"index": n % 2}]} for n in range(N)]
    rows = [{f"text_{name}" if name in "ab" else name: cell for name, cell in row.items()} for row in rows]
    found = look(str(write(tmp_path / "t.jsonl", map(json.dumps, rows))))
    assert not any("--preference-column" in line for line in found.commands)


@pytest.mark.parametrize(
    ("name", "cells", "is_told"),
    [
        ("label", ["a"] * N, False),
        ("human", ["a", "tie"] * (N // 2), False),
        ("label", ["a", "b"] * (N // 2), True),
        ("preferred", ["a"] * N, True),
        ("winner", ["b", "tie"] * (N // 2), True),
    ],
)
def test_a_column_that_names_one_side_alone_decides_only_by_its_own_name(name, cells, is_told, tmp_path):
    rows = [
        {"prompt": f"question {n}", "response_a": f"some answer {n}", "response_b": f"another answer {n}", name: cell}
        for n, cell in enumerate(cells)
    ]
    found = look(str(write(tmp_path / "t.jsonl", map(json.dumps, rows))))
    assert any("--preference-column" in line for line in found.commands) is is_told


@pytest.mark.parametrize("role", [{}, {"role": "assistant"}])
def test_a_label_of_one_value_beside_a_list_of_answers_is_no_rating(role, tmp_path):
    rows = [
        {
            "prompt": f"What of {n}?",
            "responses": [{**role, "content": f"It is number {n}, {place} times."} for place in range(2)],
            "label": 0,
        }
        for n in range(N)
    ]
    log = str(write(tmp_path / "t.jsonl", map(json.dumps, rows)))
    assert f"referenceless score {log} --text-column content --rows-in responses" in look(log).commands
    assert not any("-column label" in line for line in look(log).commands)
