"""Outputs beside lists of right answers: the answers are references, and what else is possible is told."""

import json
from pathlib import Path

import pytest
from command_lines import done, typed
from text_files import write, write_table

from referenceless_metrics import look

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
