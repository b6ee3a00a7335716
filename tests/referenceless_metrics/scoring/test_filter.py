"""`filter`: what meets conditions is kept, the rest is dropped with its reason."""

import json

import numpy as np
import pytest
from command_lines import typed
from example_fits import CANDIDATES, POOL_FILE, fit
from text_files import read, write

from slor_metric import SLOR

TEXTS = ["The cat sat on the mat.", "mat the On cat. sat the", "", "She opened the door.", "door"]


def test_lines_that_score_well_are_kept(folder):
    write("in.txt", TEXTS)
    err = typed("filter in.txt --keep 'slor > 0' -o kept.txt --dropped dropped.jsonl").err
    values = SLOR().predict(TEXTS).values
    expected = [text for text, value in zip(TEXTS, values, strict=True) if value > 0]
    assert read("kept.txt").splitlines() == expected
    dropped = [json.loads(line) for line in read("dropped.jsonl").splitlines()]
    assert [row["text"] for row in dropped] == [text for text in TEXTS if text not in expected]
    reasons = {row["text"]: row["reason"] for row in dropped}
    assert reasons[""] == "empty text"
    assert reasons[TEXTS[1]].startswith("slor -")
    assert f"kept {len(expected)} of {len(TEXTS)} texts: slor > 0" in err


def test_rows_keep_their_columns_and_several_conditions_hold(folder):
    write("in.jsonl", [json.dumps({"n": n, "text": text}) for n, text in enumerate(CANDIDATES)])
    keep = "--keep 'bleu_neighbors >= 0.6 and n_neighbors >= 8'"
    typed(f"filter in.jsonl --pool {POOL_FILE} {keep} -o kept.jsonl")
    result = fit().predict(CANDIDATES)
    places = np.flatnonzero((result.values >= 0.6) & (result.n_neighbors >= 8)).tolist()
    assert [json.loads(line)["n"] for line in read("kept.jsonl").splitlines()] == places
    assert 0 < len(places) < len(CANDIDATES)


def test_fluency_is_read_as_for_a_corpus(folder):
    write("in.txt", TEXTS[:2])
    assert "fluency as for a corpus: --lm ngram" in typed("filter in.txt --keep 'fluency > 0' -o kept.csv").err
    assert read("kept.csv").splitlines() == ["text", TEXTS[0]]


@pytest.mark.parametrize(
    "line, status, told",
    [
        ("--keep 'slor > x' -o kept.txt", 2, "expected conditions such as 'fluency > 0'"),
        ("--keep 'slor = 1' -o kept.txt", 2, "expected conditions such as"),
        ("--keep 'slor > 1 and worst > 1' -o kept.txt", 1, "the metric has no 'worst', but"),
        ("--keep 'slor > 1' -o kept.parquet", 2, "ends in .txt or .csv or .jsonl"),
        ("--keep 'slor > 1' -o kept.txt --dropped gone.txt", 2, "ends in .csv or .jsonl"),
        ("--keep 'rouge_lm > 1' -o kept.txt", 2, "does not score texts alone"),
    ],
)
def test_what_is_refused_leaves_nothing(folder, line, status, told):
    write("in.txt", TEXTS)
    assert told in " ".join(typed(f"filter in.txt {line}", status).err.split())
    assert [path.name for path in folder.iterdir()] == ["in.txt"]
