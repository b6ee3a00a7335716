"""`filter`: texts that meet conditions are kept, the rest is dropped with its reason."""

import csv
import json
import re

import numpy as np
import pytest
from command_lines import typed
from example_fits import CANDIDATES, POOL_FILE, fit
from numpy.testing import assert_allclose
from text_files import read, write

from referenceless_metrics.core.registry import metric_spec
from referenceless_metrics.scoring.filter import _say_how_long
from slor_metric import SLOR, Fluency, FluencyNgram

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


@pytest.mark.parametrize(
    "keep",
    ["--keep 'bleu_neighbors >= 0.6 and n_neighbors >= 8'", "--keep 'n_neighbors >= 8' --keep 'bleu_neighbors >= 0.6'"],
)
def test_rows_keep_their_columns_and_several_conditions_hold(folder, keep):
    write("in.jsonl", [json.dumps({"n": n, "text": text}) for n, text in enumerate(CANDIDATES)])
    typed(f"filter in.jsonl --pool {POOL_FILE} {keep} -o kept.jsonl")
    result = fit().predict(CANDIDATES)
    places = np.flatnonzero((result.values >= 0.6) & (result.n_neighbors >= 8)).tolist()
    assert [json.loads(line)["n"] for line in read("kept.jsonl").splitlines()] == places
    assert 0 < len(places) < len(CANDIDATES)


@pytest.mark.parametrize(
    ("condition", "metric"), [("fluency > 0", Fluency()), ("fluency_ngram > 0", FluencyNgram()), ("n_tokens > 3", None)]
)
def test_a_name_means_one_metric_and_none_the_fast_one(folder, condition, metric):
    write("in.txt", TEXTS)
    typed(f"filter in.txt --keep '{condition}' -o kept.csv --dropped dropped.csv")
    metric = metric or FluencyNgram()
    rows = [row for name in ("kept.csv", "dropped.csv") for row in csv.DictReader(read(name).splitlines())]
    values = metric.predict([row["text"] for row in rows]).values
    shown = [float(row[metric.name] or "nan") for row in rows]
    assert len(rows) == len(TEXTS)
    assert_allclose(shown, values)


@pytest.mark.parametrize(
    ("file", "options", "expected"),
    [
        ("in.txt", "", TEXTS[0] + "\n"),
        ("in.txt", "-o -", TEXTS[0] + "\n"),
        ("in.csv", "", "n,text,slor\n0,The cat sat on the mat.,VALUE\n"),
        ("in.csv", "-f txt", TEXTS[0] + "\n"),
    ],
)
def test_without_a_file_it_goes_to_standard_output(folder, file, options, expected):
    write("in.txt", TEXTS[:2])
    write("in.csv", ["n,text", *(f"{n},{text}" for n, text in enumerate(TEXTS[:2]))])
    value = SLOR().predict(TEXTS[:1]).values[0]
    shown = typed(f"filter {file} --keep 'slor > 0' {options}").out
    assert re.sub(r"-?\d+\.\d+(?=\n)", "VALUE", shown) == expected
    if "VALUE" in expected:
        assert float(shown.split(",")[-1]) == pytest.approx(value)


def test_a_slow_metric_says_how_long_it_takes(capsys):
    _say_how_long(metric_spec("fluency"), n_read=1_000, n_left=1_000_000, seconds=2.0)
    told = "fluency: 500 texts a second, about 33 minutes for the 1,000,000 that are left; fluency_ngram is far faster"
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    "line, status, told",
    [
        ("--keep 'slor > x' -o kept.txt", 2, "expected conditions such as 'fluency_ngram > 0'"),
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
