"""The command line as a user meets it: input and output formats, exit status, one-line errors."""

import csv
import io
import json
import shutil

import pytest
from command_lines import as_json, typed
from example_fits import CANDIDATES, POOL_FILE, RATED_POOL, fit
from text_files import read, write

from bleu_neighbors_metric import BLEUNeighbors


@pytest.fixture(autouse=True)
def files(folder):
    shutil.copy(POOL_FILE, "pool.csv")
    write("candidates.txt", CANDIDATES)


def score(options, status=0):
    return typed(f"score candidates.txt --metric bleu_neighbors {options}", status)


def test_fit_and_score():
    out, err = typed("fit pool.csv --metric bleu_neighbors -o pool.index")
    assert out == ""
    assert "96 distinct rated texts" in err
    result, expected = json.loads(score("--pool pool.index --format json").out), fit().predict(CANDIDATES)
    assert result["mean"] == pytest.approx(expected.mean)
    assert result["coverage"] == expected.coverage
    assert [row["n_neighbors"] for row in result["rows"]] == expected.n_neighbors.tolist()
    assert [row["text"] for row in result["rows"]] == CANDIDATES
    assert [row["value"] is not None for row in result["rows"]] == expected.covered.tolist()


def test_score_with_a_pool_and_parameters():
    metric = BLEUNeighbors(0.2, 2, 0.9, tokenize="13a", ngram_orders=(1, 2), smooth_method="exp", weights="similarity")
    expected = metric.fit(*RATED_POOL).predict(CANDIDATES)
    options = "--pool pool.csv --threshold .2 --min-neighbors 2 --max-fraction .9 --tokenize 13a --ngram-orders 1,2"
    out = score(f"{options} --smooth-method exp --weights similarity --format csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [int(row["n_neighbors"]) for row in rows] == expected.n_neighbors.tolist()
    values = [float(row["value"] or "nan") for row in rows]
    assert values == pytest.approx(expected.values.tolist(), nan_ok=True)


def test_a_table_is_the_default_and_shows_abstentions():
    out = score("--pool pool.csv").out
    assert out.splitlines()[0].split() == ["text", "value", "reason", "n_neighbors"]
    assert "–" in out
    assert "mean 0.6308 over 10 of 12 texts (coverage 0.833)" in out
    assert "without a value: 2 too few neighbours" in out
    published = score("--pool pool.csv --preset published").out
    assert "mean 0.6261 over 6 of 12 texts (coverage 0.500)" in published
    assert "without a value: 4 too many neighbours, 2 too few neighbours" in published
    assert "|tau:0.08|a:5|b:0.66|weights:uniform|preset:published|" in published


def test_dataset_specs(data_dir):
    huse = f"huse:summarization --data-dir {data_dir('huse')}"
    result = as_json(f"calibrate {huse}")
    assert result["rows"][0]["spearman"] == pytest.approx(0.337, abs=0.003)
    assert result["rows"][0]["coverage"] == pytest.approx(0.995, abs=0.001)
    assert result["verdict"] == "useful"
    typed(f"score {huse} --metric bleu_neighbors --pool huse:summarization --format csv -o scores.csv")
    assert len(read("scores.csv").splitlines()) == 201
    out = typed(f"calibrate {huse} --preset published --tokenize none").out
    assert "seldom share a 4-gram of 'none' tokens" in out
    assert "--tokenize char" in out


BAD_INPUT = [  # what files can have wrong beside is tested with their readers, and columns in `test_columns`
    ("score nowhere.txt --metric bleu_neighbors --pool pool.csv", "nowhere.txt: there is no such file"),
    ("score candidates.txt --metric bleu_neighbors --pool candidates.txt", "a .txt file holds no ratings"),
    ("fit pool.csv -o no/folder/x", "Cannot write no/folder/x: there is no folder"),
    ("calibrate pool.csv --threshold 2", "option --threshold to be a number in [0, 1], but got 2.0"),
    ("calibrate pool.csv --tokenize words", "option --tokenize to be one of {'char', 'char-nospace'"),
    ("calibrate huse:nothing --data-dir .", "nothing"),
    ("calibrate huse:summarization --data-dir nowhere", "nowhere"),
]


@pytest.mark.parametrize("line, message", BAD_INPUT)
def test_bad_input_is_one_line_and_status_1(line, message):
    out, err = typed(line, 1)
    assert (out, err[:7], err.count("\n")) == ("", "error: ", 1)
    assert message in err


WRONG_USAGE = """
score x.txt --metric bleu_neighbors
score - --metric bleu_neighbors --pool -
score x.txt --pool p.csv --weights distance
fit p.csv -o -
calibrate p.csv --kernel cosine
calibrate x.csv --ngram-orders 2;3
"""


@pytest.mark.parametrize("line", WRONG_USAGE.strip().splitlines())
def test_wrong_usage_is_status_2(line):
    out, err = typed(line, 2)
    assert out == ""
    assert "Usage:" in err
    assert "Error:" in err


def test_a_pool_too_small_warns_on_standard_error():
    write("small.csv", "text,rating\na text,1\nanother,0\n")
    out, err = score("--pool small.csv --format json")
    assert json.loads(out)["coverage"] == 0.0
    assert err.startswith("warning: no text can be covered")
