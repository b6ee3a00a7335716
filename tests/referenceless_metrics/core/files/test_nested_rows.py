"""Rows in lists inside rows, and places inside objects of lists: read by `--rows-in`, by dotted names, in blocks."""

import json
import re

import pytest
from command_lines import done

from referenceless_metrics.core.files.reading import Condition, Reading
from referenceless_metrics.core.files.tables import BlockSize, ColumnName, read_blocks
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError

pytestmark = pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")

CONTEXTS = [
    {
        "context": f"how was day {n} ?",
        "responses": [
            {"model": system, "response": f"{system} says {n}", "Natural": [1 + (n + at) % 3, 2, 3]}
            for at, system in enumerate(("base", "ours"))
        ],
    }
    for n in range(6)
]


def written(path, rows):
    text = json.dumps(rows) if path.suffix == ".json" else "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", ["t.json", "t.jsonl", "t.csv"])
def test_objects_in_lists_are_rows(tmp_path, name):
    path = tmp_path / name
    if name == "t.csv":  # JSON in a cell
        cells = [(row["context"], json.dumps(row["responses"]).replace('"', '""')) for row in CONTEXTS]
        path.write_text("context,responses\n" + "".join(f'{context},"{cell}"\n' for context, cell in cells))
    else:
        written(path, CONTEXTS)
    table = read_table(str(path), Reading(rows_in="responses"))
    assert table.columns == ("item", "context", "model", "response", "Natural")
    assert [list(row.values()) for row in table.rows][:3] == [
        [1, "how was day 0 ?", "base", "base says 0", [1, 2, 3]],
        [1, "how was day 0 ?", "ours", "ours says 0", [2, 2, 3]],
        [2, "how was day 1 ?", "base", "base says 1", [2, 2, 3]],
    ]
    assert any("'responses'" in note and "--rows-in" in note for note in table.notes)
    assert len(read_table(str(path), Reading(rows_in="responses", where=(Condition("model", "ours"),))).rows) == 6


def test_blocks_may_end_amid_an_object(tmp_path):
    path = written(tmp_path / "t.jsonl", CONTEXTS)
    reading = Reading(rows_in="responses")
    whole = read_table(path, reading).rows
    blocks = list(read_blocks(path, reading=reading, size=BlockSize(5, 10**9)))
    assert [row for block in blocks for row in block.rows] == whole
    assert next(read_blocks(path, reading=reading, start=blocks[0].end)).rows == whole[5:]


def test_lists_of_one_length_are_rows(tmp_path):
    rows = [{"prompt": "p", "texts": ["a", "b"], "ratings": [1, 5]}, {"prompt": "q", "texts": [], "ratings": []}]
    table = read_table(written(tmp_path / "t.jsonl", rows), Reading(rows_in="texts,ratings"))
    assert [(row["item"], row["texts"], row["ratings"]) for row in table.rows] == [(1, "a", 1), (1, "b", 5)]
    assert "left out: 1 rows" in table.notes[-1]
    rows[0]["ratings"].append(3)
    with pytest.raises(
        InputError, match=r"row 1: the lists in --rows-in differ in length: 'texts' has 2, 'ratings' has 3"
    ):
        read_table(written(tmp_path / "t.jsonl", rows), Reading(rows_in="texts,ratings"))


def test_fields_of_one_name_are_told_apart(tmp_path):
    rows = [{"id": 7, "item": "x", "outputs": [{"id": 1, "text": "a"}]}]
    [row] = read_table(written(tmp_path / "t.json", rows), Reading(rows_in="outputs")).rows
    assert row == {"id": 7, "item": "x", "outputs.id": 1, "text": "a", "place": 1}


def test_what_holds_no_objects_is_refused(tmp_path):
    path = written(tmp_path / "t.json", [{"a": 1, "b": [{"text": "x"}]}])
    with pytest.raises(InputError, match=r"expected a list or objects in column 'a'.*lists of objects stand in 'b'"):
        read_table(path, Reading(rows_in="a"))
    with pytest.raises(InputError, match=r"'text' stands in the rows in 'b': --rows-in b"):
        read_table(path).column("text")


NESTED = [
    ({"choices": [{"message": {"content": "a b"}}, {"message": {"content": "c d"}}]}, "choices.message.content", 2),
    ({"content": "outer", "choices": [{"content": "a b"}]}, "choices.content", 2),
    ({"answers": ["a b", "c d"]}, "answers", 2),
    ({"call": {"parts": [{"texts": ["a b"]}]}}, "call.parts.texts", 1),
    ({"message": {}, "choices": [{"message": {"content": "a b"}}]}, "choices.message.content", 2),
]


@pytest.mark.parametrize(("row", "name", "n_ways"), NESTED)
def test_each_way_into_lists_that_a_message_tells_leads_to_their_texts(row, name, n_ways, tmp_path):
    path = written(tmp_path / "t.jsonl", [row] * 3)
    with pytest.raises(InputError) as failed:
        read_table(path).texts(ColumnName(name, "--text-column"))
    told = str(failed.value)
    places = re.findall(r"one place of the lists is (\S+?)(?:,|$)", told)
    inside = re.findall(r"--rows-in (\S+) --text-column (\S+) makes each text a row", told)
    assert len(places) + len(inside) == n_ways
    for place in places:
        assert read_table(path).texts(place) == ["a b"] * 3
    for rows_in, column in inside:
        assert set(read_table(path, Reading(rows_in=rows_in)).texts(column)) <= {"a b", "c d"}


def test_ratings_in_lists_of_objects_are_of_several_raters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"id": n, "model": s, "votes": [{"fluency": 1 + (n + at + r) % 5} for r in range(3)]}
        for n in range(10)
        for at, s in enumerate(("base", "ours"))
    ]
    written(tmp_path / "t.jsonl", rows)
    columns = "--rating-column votes.fluency --item-column id --system-column model"
    found = done(f"human-score --ratings t.jsonl {columns} -f csv").stdout
    for system in ("base", "ours"):
        votes = [vote["fluency"] for row in rows if row["model"] == system for vote in row["votes"]]
        assert f"{system},,10,10,{sum(votes) / 30}" in found
    assert f"referenceless human-score --ratings t.jsonl {columns}" in done("look t.jsonl").stdout
