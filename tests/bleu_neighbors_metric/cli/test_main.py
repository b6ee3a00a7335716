"""The command line as a user meets it: input and output formats, exit status, one-line errors."""

import csv
import io
import json
import shutil

import pytest
from command_lines import as_json, typed
from example_fits import CANDIDATES, POOL_FILE, RATED_POOL
from text_files import read, write

from bleu_neighbors_metric import BLEUNeighbors


@pytest.fixture(autouse=True)
def files(folder):
    shutil.copy(POOL_FILE, "pool.csv")
    write("candidates.txt", CANDIDATES)


def score(options, status=0):
    return typed(f"score candidates.txt --metric bleu_neighbors {options}", status)


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
    assert result["verdict"] == "useful for the rated systems alone"
    typed(f"score {huse} --metric bleu_neighbors --pool huse:summarization --format csv -o scores.csv")
    assert len(read("scores.csv").splitlines()) == 201
    out = typed(f"calibrate {huse} --preset published --tokenize none").out
    assert "seldom share a 4-gram of 'none' tokens" in out
    assert "--tokenize char" in out


def test_a_pool_too_small_warns_on_standard_error():
    write("small.csv", "text,rating\na text,1\nanother,0\n")
    out, err = score("--pool small.csv --format json")
    assert json.loads(out)["coverage"] == 0.0
    assert err.startswith("warning: no text can be covered")
