"""`look` at rows inside lists, outputs in several files, ids of systems, and metrics beside people's criteria."""

import json

import pytest
from command_lines import as_json, done
from text_files import write, write_table

from referenceless_metrics.advice.look.looking import look

SENTENCES = ["A lake in the north is cold.", "The lake is cold and deep.", "It rains over the lake.", "Nobody swims."]


def claims(path, false):
    """Write outputs with a list of claims each, of which so many are false; the last output has none."""
    rows = [
        {
            "id": n,
            "said": [{"claim": ["a", "is", "b"], "verdict": "false" if k < false[n] else "true"} for k in range(3)],
        }
        for n in range(4)
    ]
    return str(write(path, json.dumps([*rows, {"id": 4, "said": []}])))


def test_claims_of_two_systems_are_compared_as_they_lie_in_outputs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    claims(tmp_path / "base.json", [0, 1, 0, 0])
    claims(tmp_path / "ours.json", [3, 1, 2, 0])
    together = done("look base.json ours.json").output.partition("Together:\n")[2].strip()
    found = as_json(together.removeprefix("referenceless "))
    means = {row["system"]: row["mean"] for row in found["rows"][:2]}
    assert (means["base"], means["ours"]) == pytest.approx((11 / 12, 6 / 12))


def test_outputs_of_a_system_in_each_file_are_compared_together(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ours"):
        rows = [{"out": text, "tokens": {"in": 9, "out": 4 + n}} for n, text in enumerate(SENTENCES)]
        write(tmp_path / f"{name}.json", json.dumps({"model": name, "generated": rows}))
    told = done("look base.json ours.json").output
    assert "referenceless compare base.json ours.json --text-column out" in told.partition("Together:")[2]
    assert {column.name: column.part for column in look("base.json").columns}["tokens.out"] == ""


def test_places_in_lists_of_different_texts_are_no_common_items(tmp_path):
    rows = [
        {
            "source": f"text {n} to make simpler",
            "system": "ab"[n % 2],
            "annotator": f"ann{n}",
            "edits": [{"id": k, "grammar_error": "yes" if k % 2 else "no"} for k in range(1 + n % 3, 5)],
        }
        for n in range(6)
    ]
    found = look(write(tmp_path / "edits.json", json.dumps(rows)))
    assert not [line for line in found.commands if " agreement " in line or "--item-column place" in line]
    assert any("no output was rated by two raters" in note for note in found.notes)


SYSTEMS = {"bert_large": 9, "ptgen": 7, "tconv": 6}


def scores(path):
    """Write scores of three systems, each on items of its own for the most part, with ids that join both."""
    rows = []
    for place, (system, n) in enumerate(SYSTEMS.items()):
        for k in range(n):
            item = 1000 + 50 * place * (k > 0) + k
            rows.append(
                [f"{system}_{item}", k / 10 + 0.011, (k * 3 % 10) / 10 + 0.017, (k * 7 % 10) / 10 + 0.013, k / 9]
            )
    write_table(path, ["system_docid", "ROUGE1", "ROUGE2", "BERTScore", "Faithful"], rows)
    return path


def test_ids_of_a_column_called_as_systems_join_them_with_numbers(tmp_path):
    found = look(scores(tmp_path / "t.csv"))
    parts = {column.name: (column.part, column.distinct) for column in found.columns}
    assert parts["system_docid.head"] == ("system", 3)
    assert parts["system_docid.tail"][0] == "item"
    assert "means of systems" not in found.shape


def test_metrics_are_held_against_a_criterion_beside_them(tmp_path):
    found = look(scores(tmp_path / "t.csv"))
    [line] = [line for line in found.commands if line.split()[1] == "evaluate"]
    values = {row["score"]: row["value"] for row in as_json(line.removeprefix("referenceless "))["rows"][:0:-1]}
    assert {"ROUGE1", "BERTScore"} <= set(values)
    assert "'Faithful' may be of people: `evaluate` holds the others against them" in found.notes


def test_lists_of_ratings_count_as_so_many(tmp_path):
    rows = [{"item": n, "system": s, "grades": [1 + n % 3, 4, 5]} for n in range(3) for s in "ab"]
    path = write(tmp_path / "t.jsonl", map(json.dumps, rows))
    found = as_json(f"human-score --ratings {path} --rating-column grades")["rows"]
    assert [(row["system"], row["rated"], row["ratings"]) for row in found] == [("a", 3, 9), ("b", 3, 9)]
