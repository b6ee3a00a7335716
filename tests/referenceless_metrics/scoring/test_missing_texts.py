"""Texts that are null in a file: no text, in each command that scores texts."""

import json
from pathlib import Path

import pytest
from command_lines import typed
from text_files import write_table

TEXTS = [None, *(f"The cat number {number} sat on the mat." for number in range(9))]


@pytest.fixture
def log(folder):
    for name, more in (("a", ""), ("b", " Yes.")):
        rows = [{"id": n, "text": text and text + more} for n, text in enumerate(TEXTS)]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    write_table("empty.csv", ("id", "text"), [(n, text or "") for n, text in enumerate(TEXTS)])


def test_score_gives_a_reason(log):
    told = typed("score a.jsonl --metric slor -f json")
    found = json.loads(told.out)
    assert "a.jsonl: 1 of 10 texts is null, and read as empty" in told.err
    assert (found["rows"][0]["slor"], found["rows"][0]["reason"]) == (None, "empty text")
    assert found["mean"] == json.loads(typed("score empty.csv --metric slor -f json").out)["mean"]


def test_filter_drops_it_with_a_reason_and_whole(log):
    typed("filter a.jsonl --metric slor --keep 'slor > -100' -o kept.jsonl --dropped dropped.jsonl")
    (dropped,) = map(json.loads, Path("dropped.jsonl").read_text().splitlines())
    assert (dropped["id"], dropped["text"]) == (0, None)
    assert "empty text" in dropped.values()
    assert len(Path("kept.jsonl").read_text().splitlines()) == 9


def test_compare_covers_the_others(log):
    rows = json.loads(typed("compare a.jsonl b.jsonl --metric slor -f json").out)["rows"]
    assert [row["coverage"] for row in rows] == [0.9, 0.9]
    joined = [{"m": name, "text": text} for text in TEXTS for name in ("x", "y")]
    Path("c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in joined))
    told = typed("compare c.jsonl --system-column m --metric slor")
    assert "c.jsonl, column 'text': 2 of 20 texts are null, and read as empty" in told.err
