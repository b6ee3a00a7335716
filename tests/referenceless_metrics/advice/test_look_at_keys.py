"""Columns that are not what they seem: keys of two columns, comments, a judge's answers, ranks and winners."""

import json
from itertools import permutations

import pytest
from command_lines import done
from proposed_lines import check_lines
from text_files import write, write_table

from referenceless_metrics import look
from referenceless_metrics.advice.look.together.joint import joint_lines

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def parts_of(found):
    return {column.name: column.part for column in found.columns}


def test_a_judges_answers_are_no_outputs_and_two_columns_tell_items():
    def row(generator, concept, way, place):
        scores = {"usefulness": 3 + (place + len(way)) % 3, "clarity": 1 + (place + len(concept)) % 5}
        raw = "\n".join(f"{name}: {score}" for name, score in scores.items())
        named = {"judge": "qwen2.5:3b", "generator": generator, "concept_id": concept, "subject": concept[:3]}
        return {**named, "grade": 8 + len(concept) % 2, "strategy": way, "scores": scores, "raw": raw}

    concepts, ways = ("che_acid", "mat_sum", "phy_law3"), ("free", "cooking", "sport", "home")
    rows = [row(g, c, w, n + k) for n, g in enumerate("xy") for k, c in enumerate(concepts) for w in ways]
    write("judged.jsonl", map(json.dumps, rows))
    found = look("judged.jsonl")
    parts = parts_of(found)
    assert (parts["raw"], parts["subject"], parts["grade"]) == ("comment", "", "")
    assert parts["concept_id + strategy"] == "item"
    line = found.commands[0]
    assert "--item-column concept_id --item-column strategy" in line
    told = check_lines(found.commands, "judged.jsonl")
    assert set(told) == {"human-score"}
    assert "on 12 items" in told["human-score"].lower()
    assert any("if items of one 'concept_id', or of one 'strategy', are rated alike" in note for note in found.notes)


def test_items_are_keys_and_no_texts_with_blanks():
    tones = ("warm and clear", "firm and clear", "cool and calm", "dry and brief", "loud and glad", "")
    rows = [(s, f"case-{n}", tones[n], 1, (n + at) / 7) for at, s in enumerate("xy") for n in range(6)]
    write_table("scores.csv", ["model", "scenario_id", "tone", "coverage", "overall"], rows)
    found = look("scores.csv")
    parts = parts_of(found)
    assert (parts["scenario_id"], parts["tone"], parts["coverage"]) == ("item", "", "")
    assert set(check_lines(found.commands, "scores.csv")) == {"compare"}


def test_ranks_by_systems_and_abbreviated_criteria():
    orders = [*permutations((1, 2, 3))] * 2
    names = [f"{system}_{criterion}" for system in ("LED", "Ours", "Big") for criterion in ("Info", "Fact")]
    rows = [
        (rater, f"doc{n}", *(rank for pair in zip(order, orders[n - 5], strict=True) for rank in pair), note)
        for rater in ("ann", "bob")
        for n, order in enumerate(orders)
        for note in ["repeats a sentence" if n == 1 else ""]
    ]
    write_table("ranks.csv", ["annotator", "doc_id", *names, "notes"], rows)
    found = look("ranks.csv")
    assert "notes" not in " ".join(found.commands)
    assert "put the systems of each item in an order: ranks from 1 to 3" in " ".join(found.notes)
    assert "--values 1=3,2=2,3=1" in found.commands[0]
    assert "--item-column doc_id" in found.commands[0]
    assert set(check_lines(found.commands, "ranks.csv")) == {"human-score", "agreement"}


def test_documents_are_the_items_of_raters_without_others():
    rows = [(f"talk{n}", rater, n // 3 % 2 or at * n % 2) for n in range(12) for at, rater in enumerate(("ann", "bob"))]
    write_table("rated.csv", ["dialogue_id", "annotator", "coherence"], rows)
    found = look("rated.csv")
    assert parts_of(found)["dialogue_id"] == "item"
    assert "agreement" in check_lines(found.commands, "rated.csv")


def test_winners_by_name():
    pairs = [("x", "y"), ("y", "z"), ("x", "z")]
    rows = [(pair[n % 2], ["same", *pair][(n + 1) % 3], ",".join(pair)) for n in range(10) for pair in pairs]
    write_table("won.csv", ["plot", "overall_quality", "options"], rows)
    found = look("won.csv")
    assert found.shape.startswith("preferences")
    assert found.commands[0].endswith("--preference-column overall_quality --all-pairs")
    assert "x" in check_lines(found.commands, "won.csv")["human-score"]
    rows = [(n, ("ours", "base", "tie")[n % 3], "LRT"[n % 3]) for n in range(12)]
    write_table("two.csv", ["id", "human_winner", "user_verdict"], rows)
    found = look("two.csv")
    assert found.commands == (
        "referenceless human-score --ratings two.csv --preference-column human_winner --item-column id",
    )
    check_lines(found.commands, "two.csv")


def test_pairs_that_are_left_out_are_told_against_all_others():
    rows = [("xy"[n % 2], "x,y") for n in range(10)] + [("z", "x,z"), ("same", "y,z")]
    write_table("won.csv", ["overall_quality", "options"], rows)
    told = check_lines(look("won.csv").commands, "won.csv")["human-score"].replace("\n", " ")
    assert "Against all others, wins–ties–losses" in told
    assert "x 5–0–6 (0.455), y 5–1–5 (0.500), z 1–1–0 (0.750)" in told


def test_choices_with_a_degree_are_ratings_and_flags_are_none():
    words = ("a_much", "b_slight", "a_slight", "b_much", "")
    rows = [
        (f"r{n}{rater}", rater, f"pair{n}", n % 2, words[(n + at) % 5], int(words[(n + at) % 5] == ""))
        for n in range(12)
        for at, rater in enumerate(("ann", "bob"))
    ]
    write_table(
        "choices.csv", ["response_id", "rater_name", "pair_id", "is_duplicate", "clarity_choice", "skipped"], rows
    )
    found = look("choices.csv")
    parts = parts_of(found)
    assert (parts["is_duplicate"], parts["skipped"], parts["clarity_choice"]) == ("", "", "rating")
    assert "ordinal" in check_lines(found.commands, "choices.csv")["agreement"]


@pytest.mark.parametrize(
    ("metrics", "figures", "holder"),
    [
        (("rouge1", "rouge2", "rougeL"), ("precision", "recall", "fmeasure"), ""),
        (("rouge-1", "rouge-2", "rouge-l"), ("r", "p", "f"), ""),
        (("rouge1", "rouge2", "rougeL"), ("precision", "recall", "fmeasure"), "scores"),
    ],
)
def test_keys_that_are_called_as_metrics_are_columns_and_no_systems(metrics, figures, holder):
    for system, more in (("ours", 3), ("base", 5)):
        rows = []
        for n in range(20):
            told = {m: {f: (n * more + k + j) % 19 / 19 for k, f in enumerate(figures)} for j, m in enumerate(metrics)}
            texts = {"id": f"d{n}", "prediction": f"{system} says number {n} of these", "reference": f"the number {n}"}
            rows.append({**texts, **({holder: told} if holder else told)})
        write(f"{system}.jsonl", map(json.dumps, rows))
    lines = joint_lines([look(name) for name in ("ours.jsonl", "base.jsonl")])
    before = f"{holder}." if holder else ""
    named = " ".join(f"--score-column {before}{metric}.{figures[-1]}" for metric in metrics)
    assert named in lines[0]
    assert not [line for line in lines if "--rows-in" in line]
    assert look("ours.jsonl").n_rows == 20


@pytest.mark.parametrize("systems", [("base-3", "base-3.5"), ("base.1", "ours.2.1")])
def test_keys_with_dots_name_systems_and_places(systems):
    """So they do where one key begins as another one, with a dot behind it."""
    rows = [
        {
            "src": f"Der Zug {n} kam spät.",
            "tgt": {s: f"The train {n} of {s} came late." for s in systems},
            "scores": {s: {"human": (n + at) % 5, "comet": (n * 7 + at) % 10 / 10} for at, s in enumerate(systems)},
        }
        for n in range(12)
    ]
    write("t.jsonl", [json.dumps(row) for row in rows])
    (line,) = [line for line in look("t.jsonl").commands if line.split()[1] == "human-score"]
    assert all(s in done(line.removeprefix("referenceless ")).stdout for s in systems)
    columns = " ".join(f"--text-column tgt.{s}" for s in systems)
    assert all(s in done(f"compare t.jsonl {columns} --metric fluency").stdout for s in systems)


def test_ids_of_several_items_each_are_clusters(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        [n, 100 + n // 3, system, int((n * 7 + place * 11 + n // 5) % 4 > place)]
        for n in range(36)
        for place, system in enumerate(("a", "b", "c"))
    ]
    write_table("t.csv", ["phrase_id", "idiom_id", "model", "result"], rows)
    found = look("t.csv")
    parts = {column.name: column.part for column in found.columns}
    assert (parts["phrase_id"], parts["idiom_id"]) == ("item", "cluster")
    assert "--item-column phrase_id --system-column model --cluster-column idiom_id" in found.commands[0]
    assert "clusters" in done(found.commands[0].removeprefix("referenceless ")).output


def test_ids_of_documents_that_each_stand_in_one_row_are_items_and_no_clusters(tmp_path):
    rows = [
        {"doc_id": n, "output": f"The hotel {n % 9} is in town.", "human": {"natural": 1 + n % 5}, "unieval": n / 24}
        for n in range(24)
    ]
    found = look(write(tmp_path / "t.json", [json.dumps(rows)]))
    assert {column.name: column.part for column in found.columns}["doc_id"] == "item"
    lines = [line for line in found.commands if "--score-column" in line]
    assert lines
    assert all("--item-column doc_id" in line and "--cluster-column" not in line for line in lines)
