"""`filter`: texts that meet conditions are kept, the rest is dropped with its reason."""

import csv
import json
import re

import numpy as np
import pytest
from command_lines import done, invoke, typed
from example_fits import CANDIDATES, POOL_FILE, fit
from numpy.testing import assert_allclose
from text_files import read, write

from quality_estimation_metric import QualityEstimator
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
    n_dropped = len(TEXTS) - len(expected)
    why = f"({n_dropped - 1} by the limit, 1 without a score)"
    assert f"kept {len(expected)} of {len(TEXTS)} texts, dropped {n_dropped} {why}: slor > 0" in err


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


def test_the_meaning_of_0_stands_beside_the_counts(folder):
    """A limit of 0 drops half of edited prose: the line says so before anybody takes it."""
    write("in.txt", [TEXTS[0]])
    told = typed("filter in.txt --keep 'fluency_ngram > -2' -o kept.txt").err.splitlines()
    assert told[0] == "kept 1 of 1 texts, dropped 0: fluency_ngram > -2"
    assert told[1].startswith("scale: 0 is the mean of edited prose, 1 its standard deviation; of 100 sentences of")


def test_a_slow_metric_says_how_long_it_takes(capsys):
    _say_how_long(metric_spec("fluency"), n_read=1_000, n_left=1_000_000, seconds=2.0)
    told = "fluency: 500 texts a second, about 33 minutes for the 1,000,000 that are left; fluency_ngram is far faster"
    assert told in capsys.readouterr().err


def test_sources_are_read_from_a_column_by_a_metric_that_needs_them(folder):
    mr = "inform(name='loch fyne';food=seafood;area=soma)"
    texts = [
        "loch fyne is a nice restaurant in soma that serves seafood.",
        "loch fyne in in the soma serves food food.",
    ]
    write("in.jsonl", [json.dumps({"text": text, "mr": mr}) for text in texts])
    line = "filter in.jsonl --metric quality_estimation --keep 'quality_estimation > 4'"
    assert "reads sources here: give the column of FILE that holds them, --source-column" in typed(line, 2).err
    values = QualityEstimator.load().predict(texts, sources=[mr, mr]).values
    assert (values > 4).tolist() == [True, False]
    kept = json.loads(typed(f"{line} --source-column mr").out)
    assert (kept["text"], kept["quality_estimation"]) == (texts[0], values[0])
    assert "this slor reads no sources" in typed("filter in.jsonl --keep 'slor > 0' --source-column mr", 2).err


@pytest.mark.parametrize(
    "line, status, told",
    [
        ("--keep 'slor > x' -o kept.txt", 2, "expected conditions such as 'fluency_ngram > -2'"),
        ("--keep 'slor = 1' -o kept.txt", 2, "expected conditions such as"),
        ("--keep 'slor > 1 and worst > 1' -o kept.txt", 1, "the metric has no 'worst', but"),
        ("--keep 'slor > 1' -o kept.parquet", 2, "ends in .txt or .csv or .tsv or .jsonl"),
        ("--keep 'slor > 1' -o kept.txt --dropped gone.txt", 2, "ends in .csv or .tsv or .jsonl"),
        ("--keep 'rouge_lm > 1' -o kept.txt", 2, "then `referenceless filter scored.jsonl --scored --keep …`"),
    ],
)
def test_what_is_refused_leaves_nothing(folder, line, status, told):
    write("in.txt", TEXTS)
    assert told in " ".join(typed(f"filter in.txt {line}", status).err.split())
    assert [path.name for path in folder.iterdir()] == ["in.txt"]


def test_a_column_of_the_metrics_name_is_filtered_only_if_asked(folder):
    """Nobody knows whether `fluency` holds this metric's values or people's ratings: the user says."""
    write("rated.csv", ["n,text,fluency", "0,It sat.,4", "1,He ran away.,2.5", "2,She slept.,", "3,The cat sat.,5"])
    line = "filter rated.csv --keep 'fluency > 3 and n < 3'"
    told = "rated.csv has a column 'fluency' already: add --scored to filter by its numbers as they are, or rename it"
    assert told in typed(line, 2).err
    done = typed(f"{line} --scored --dropped dropped.csv")
    assert done.out.splitlines() == ["n,text,fluency", "0,It sat.,4"]
    assert "kept 1 of 4 texts, dropped 3 (2 by the limit, 1 without a score): fluency > 3 and n < 3\n" in done.err
    reasons = [row["reason"] for row in csv.DictReader(read("dropped.csv").splitlines())]
    assert reasons == ["fluency 2.5, not > 3", "no number in fluency", "n 3, not < 3"]


@pytest.mark.parametrize(
    "line, status, told",
    [
        ("--keep 'slor > 0'", 1, "in.csv: there is no column 'slor' (--keep); the columns are 'text', 'note'"),
        ("--keep 'note > 0'", 1, "in.csv:2: expected a number in column 'note', but got 'good'"),
        ("--keep 'note > 0' --metric slor", 2, "--scored compares columns of FILE, and --metric scores its texts"),
    ],
)
def test_what_is_no_number_in_a_column_is_refused(folder, line, status, told):
    write("in.csv", ["text,note", "It sat.,good"])
    assert told in typed(f"filter in.csv --scored {line} -o kept.csv", status).err


def test_pairs_between_tabs_stay_pairs_between_tabs(folder):
    """A bitext without a header: marks are letters, and no row is lost to a header."""
    pairs = [(f'Satz "{n}" ist hier.', f'The "{n}" cat sat on the mat.' if n % 2 else "mat cat the") for n in range(6)]
    write("pairs.tsv", ["\t".join(pair) for pair in pairs])
    line = "filter pairs.tsv --columns de,en --text-column en --keep 'slor > 0'"
    kept = ["\t".join(pair) for pair in pairs if pair[1] != "mat cat the"]
    typed(f"{line} -o kept.tsv --dropped dropped.tsv")
    assert [row.rpartition("\t")[0] for row in read("kept.tsv").splitlines()] == kept
    assert len(read("dropped.tsv").splitlines()) == 3
    assert typed(line).out == read("kept.tsv")
    note = "a .txt file holds the texts alone, without 'de': -o FILE.tsv, .csv or .jsonl keeps all columns"
    assert note in typed(f"{line} -o kept.txt").err
    assert "without" not in typed(f"{line} -o kept.jsonl").err


def test_a_first_row_that_looks_like_texts_is_pointed_out(folder):
    write("pairs.tsv", [f"Das ist der Satz {n}.\tThis is sentence number {n}." for n in range(3)])
    told = typed("filter pairs.tsv --keep 'slor > 0' -o kept.tsv", 1).err
    assert "if the first line holds texts, name the columns: --columns source,text" in told
    told = typed("filter pairs.tsv --text-column 'This is sentence number 0.' --keep 'slor > 0' -o kept.tsv").err
    assert "the first line is read as names of columns, and looks like texts" in told
    assert "kept 3 of 3 texts" in typed("filter pairs.tsv --columns source,text --keep 'slor > -9' -o kept.tsv").err


def test_standard_input_is_told_by_its_content(folder):
    rows = "".join(json.dumps({"id": n, "response": text}) + "\n" for n, text in enumerate(TEXTS))
    write("in.jsonl", rows.splitlines())
    line = "filter {} --text-column response --metric slor --keep 'slor > 0'"
    piped = done(line.format("-"), input=rows).stdout
    assert piped == typed(line.format("in.jsonl")).out
    assert all(json.loads(row).keys() == {"id", "response", "slor"} for row in piped.splitlines())
    named = done(line.format("-") + " --input-format jsonl", input=rows).stdout
    assert named == piped
    for command in (line.format("-"), "score - --metric slor --text-column response"):
        refused = invoke(command, input="A text.\nAnother one.\n")
        assert refused.exit_code != 0
        assert "each line is a text, and --text-column response is for files with columns" in str(refused.exception)
