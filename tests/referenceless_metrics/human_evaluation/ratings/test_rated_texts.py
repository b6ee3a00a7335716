"""Rated texts from files: rows left out are counted, several columns are raters, exports are read."""

import json

import pytest
from refusals import refused
from text_files import write, write_table

from referenceless_metrics.core.files.reading import InputNote
from referenceless_metrics.core.files.text_io import read_rated


def test_missing_ratings_are_left_out_with_a_note_and_groups_may_have_one_text(folder):
    rows = [
        ("one", 1, "a"),
        ("two", 2, "a"),
        ("three", "", "a"),
        ("four", 4, "b"),
        ("five", 5, ""),
        ("six", 3, "c"),
        ("seven", 1, "c"),
    ]
    write_table("pool.csv", ["text", "rating", "topic"], rows)
    with pytest.warns(InputNote) as told:
        rated = read_rated("pool.csv", groupings={"groups": "topic"})
    assert rated.texts == ["one", "two", "four", "five", "six", "seven"]
    assert rated.groupings["groups"] == ("a", "a", "b", "row 5 without a group", "c", "c")
    notes = [str(note.message) for note in told]
    assert "left out: 1 rating that is missing" in notes
    assert not any("one text" in note for note in notes)


def test_a_system_with_one_text_is_left_out(folder):
    write_table("pool.csv", ["text", "rating", "system"], [(f"text {n}", n, "aabcc"[n]) for n in range(5)])
    with pytest.warns(InputNote, match="left out: 1 text of a system with one text: b"):
        rated = read_rated("pool.csv", groupings={"systems": "system"})
    assert rated.groupings["systems"] == tuple("aacc")


def test_a_text_without_a_system_is_refused(folder):
    write_table("pool.csv", ["text", "rating", "system"], [("one", 1, "a"), ("two", 2, "")])
    with refused(r"pool\.csv:3: there is nothing in column 'system' \(--system-column\)"):
        read_rated("pool.csv", groupings={"systems": "system"})


@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_each_of_several_columns_is_a_rating_of_the_text(folder):
    write_table("pool.csv", ["text", "r1", "r2"], [("one", 1, 2), ("two", "", 4)])
    rated = read_rated("pool.csv", rating_column=["r1", "r2"])
    assert (rated.texts, rated.ratings.tolist()) == (["one", "one", "two"], [1, 2, 4])


@pytest.mark.filterwarnings("ignore::referenceless_metrics.core.files.reading.InputNote")
def test_an_export_and_lists_in_cells(folder):
    entry = {"from_name": "quality", "type": "rating", "value": {"rating": 4}}
    annotations = [{"completed_by": who, "result": [entry]} for who in (1, 2)]
    write("export.json", json.dumps([{"id": 1, "data": {"text": "one"}, "annotations": annotations}]))
    assert read_rated("export.json").ratings.tolist() == [4, 4]
    write("pool.jsonl", json.dumps({"text": "one", "rating": [1, 2, 3]}))
    assert read_rated("pool.jsonl").texts == ["one"] * 3
