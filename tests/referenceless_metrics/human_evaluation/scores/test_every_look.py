"""`compare --scores --every-look`: sequences in place of intervals, and their requirements."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from command_lines import typed
from numpy.random import default_rng
from text_files import write_table

from referenceless_metrics.human_evaluation.inference.any_time import BettingSequence, Looks


@pytest.fixture(autouse=True)
def files(folder):
    generator = default_rng(0)
    base = np.clip(generator.normal(0.5, 0.1, 80), 0, 1).round(3)
    ours = np.clip(base + generator.normal(0.15, 0.1, 80), 0, 1).round(3)
    rows = [(i, name, values[i]) for i in range(80) for name, values in (("base", base), ("ours", ours))]
    write_table("scores.csv", ("item", "system", "score"), rows)
    write_table("few.csv", ("item", "system", "score"), rows[:30])
    write_table("docs.csv", ("item", "system", "score", "doc"), [(*row, row[0] // 4) for row in rows])


def test_a_difference_has_its_sequence_and_says_what_is_left():
    out = typed("compare --scores scores.csv --every-look --planned-items 120 --format json").out
    found = json.loads(out)
    (row,) = [each for each in found["rows"] if each["system"] == "ours"]
    rows = {s: [] for s in ("base", "ours")}
    for each in csv.DictReader(Path("scores.csv").read_text().splitlines()):
        rows[each["system"]].append(float(each["score"]))
    values = np.array(rows["ours"]) - np.array(rows["base"])
    sequence = BettingSequence(values, (-1.0, 1.0), Looks(20, 120))
    assert (row["from"], row["to"]) == pytest.approx(sequence.interval(0.95))
    assert row["p"] == pytest.approx(sequence.p_value(0.0))
    told = " ".join(found["findings"])
    assert "40 more items by the plan of 120" in told
    assert "Scores seem to lie from 0 to 1; --scale LOW-HIGH says otherwise." in told
    assert "ours scores higher than base" in told


@pytest.mark.parametrize(
    "line, status, told",
    [
        (
            "--scores few.csv --every-look --fail-if-worse",
            3,
            "the first look is at 20 complete items (--first-look), and there are 15",
        ),
        ("--scores few.csv --every-look --first-look 10 --baseline ours --fail-if-worse", 0, "not shown to be worse"),
        ("--scores scores.csv --every-look --baseline ours --fail-if-worse", 1, "base (score): worse: "),
        ("--scores scores.csv --first-look 10", 2, "--first-look and --planned-items are for --every-look"),
        ("--scores docs.csv --score-column score --cluster-column doc --every-look", 1, "leave out --every-look, or"),
        ("--scores scores.csv --unpaired --every-look", 1, "leave out --unpaired"),
    ],
)
def test_gates_and_what_sequences_need(line, status, told):
    assert told in typed(f"compare {line}", status).err
