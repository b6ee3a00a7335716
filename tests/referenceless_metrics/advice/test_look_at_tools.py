"""A look at tools' exports: columns, and the numbers of systems, items and raters; of few systems all are compared."""

import json

import pytest
from command_lines import done
from text_files import write

from referenceless_metrics import look

pytestmark = pytest.mark.filterwarnings("ignore")

SYSTEMS = ("base", "ours", "big")
SIDES = ("model_a", "model_b", "tie")


def battles(systems):
    pairs = [(one, other) for one in systems for other in systems if one != other]
    return [
        {
            "model_a": one,
            "model_b": other,
            "winner": ("model_a", "model_b", "tie")[(n + len(one)) % 3],
            "judge": f"j{n}",
        }
        for n in range(6)
        for one, other in pairs
    ]


@pytest.mark.parametrize(("n", "ending"), [(2, "votes.jsonl"), (3, "votes.jsonl --all-pairs")])
def test_votes_have_columns_and_of_three_systems_all_pairs_are_compared(n, ending, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = battles(SYSTEMS[:n])
    write("votes.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    found = look("votes.jsonl")
    assert found.n_rows == len(rows)
    assert {column.part for column in found.columns} >= {"system_a", "system_b", "preference", "rater"}
    assert f"{n} systems: {', '.join(SYSTEMS[:n])}" in found.notes
    (line,) = found.commands
    assert line.endswith(ending)
    done(*line.split()[1:])


def test_scores_have_numbers_of_systems_and_items(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content = {name: [{"src": "s", "mt": "m", "COMET": n / 20} for n in range(12)] for name in SYSTEMS}
    write("comet.json", json.dumps(content))
    assert look("comet.json").notes == ("3 systems: base, ours, big", "12 items", "scores: COMET")
