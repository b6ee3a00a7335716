"""`look` at folders whose files stand in folders of their own."""

import json
from pathlib import Path

import pytest
from command_lines import typed

from referenceless_metrics import look

N = 24
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("folder")]


def write(file, mark):
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    Path(file).write_text("".join(f"the {mark} cat sat on mat {n}{' again' * (n % 3)}.\n" for n in range(N)))


def test_targets_beside_sources_are_the_references_of_outputs_in_folders():
    for file, mark in {"test.source": "first", "test.target": "right", "bart/out.txt": "a", "t5/out.txt": "b"}.items():
        write(f"run/{file}", mark)
    together = typed("look run").out.split("Together:\n")[1].splitlines()[0]
    assert together == (
        "referenceless compare run/bart/out.txt run/t5/out.txt --references run/test.target --with bleu,chrf "
        "--sources run/test.source"
    )


def test_results_far_below_a_folder_are_found_and_compared_by_their_verdicts():
    for model, step in (("small", 2), ("large", 3)):
        file = Path(f"outputs/default/20240618/results/{model}/gsm8k.json")
        file.parent.mkdir(parents=True)
        details = [{"pred": n * 7 % 90 + (n % step == 0), "answer": n * 7 % 90} for n in range(60)]
        details = [{**each, "correct": each["pred"] == each["answer"]} for each in details]
        file.write_text(json.dumps({"accuracy": 50, "details": details}))
    together = typed("look outputs").out.split("Together:\n")[1].splitlines()[0]
    files = [f"--scores outputs/default/20240618/results/{model}/gsm8k.json" for model in ("large", "small")]
    assert together == f"referenceless compare {' '.join(files)} --score-column correct"


def test_numbers_are_answers_if_a_verdict_says_where_they_are_equal():
    for name, verdict in (("told", lambda same: same), ("untold", lambda same: not same)):
        rows = [{"pred": n % 9, "answer": n % 9 + (n % 4 == 0)} for n in range(40)]
        rows = [{**each, "correct": verdict(each["pred"] == each["answer"])} for each in rows]
        Path(f"{name}.json").write_text(json.dumps(rows))
    parts = [{column.name: column.part for column in look(f"{name}.json").columns} for name in ("told", "untold")]
    assert parts[0] == {"pred": "", "answer": "gold", "correct": "score"}
    assert parts[1]["answer"] != "gold"
