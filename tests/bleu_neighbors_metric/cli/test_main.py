"""The command line as a user meets it: input and output formats, exit status, one-line errors."""

import csv
import io
import json

import pytest
from click.testing import CliRunner
from command_lines import with_metric
from example_fits import CANDIDATES, POOL, fit

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_metrics.cli import cli


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    with (folder / "pool.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "rating"])
        writer.writerows(zip(POOL.texts, POOL.ratings.tolist(), strict=True))
    (folder / "candidates.txt").write_text("\n".join(CANDIDATES) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def expected():
    return fit().predict(CANDIDATES)


@pytest.fixture
def run(command):
    return lambda *arguments: command(*with_metric("bleu_neighbors", *map(str, arguments)))


def test_fit_and_score(files, tmp_path, run, expected):
    index = tmp_path / "pool.index"
    status, out, err = run("fit", files / "pool.csv", "-o", index)
    assert (status, out) == (0, "")
    assert "96 distinct rated texts" in err
    status, out, _ = run("score", files / "candidates.txt", "--pool", index, "--format", "json")
    assert status == 0
    result = json.loads(out)
    assert result["mean"] == pytest.approx(expected.mean)
    assert result["coverage"] == expected.coverage
    assert [row["n_neighbors"] for row in result["rows"]] == expected.n_neighbors.tolist()
    assert [row["text"] for row in result["rows"]] == CANDIDATES
    assert [row["value"] is None for row in result["rows"]] == [not covered for covered in expected.covered]


def test_score_with_a_pool_and_parameters(files, run):
    metric = BLEUNeighbors(0.2, 2, 0.9, tokenize="13a", ngram_orders=(1, 2), smooth_method="exp", weights="similarity")
    expected = metric.fit(POOL.texts, POOL.ratings).predict(CANDIDATES)
    arguments = "--threshold .2 --min-neighbors 2 --max-fraction .9 --tokenize 13a --ngram-orders 1,2"
    arguments += " --smooth-method exp --weights similarity --format csv"
    status, out, _ = run("score", files / "candidates.txt", "--pool", files / "pool.csv", *arguments.split())
    assert status == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [int(row["n_neighbors"]) for row in rows] == expected.n_neighbors.tolist()
    for row, ratings, covered in zip(rows, expected.values, expected.covered, strict=True):
        assert (row["value"] != "") == covered
        assert not covered or float(row["value"]) == pytest.approx(ratings)


def test_a_table_is_the_default_and_shows_abstentions(files, run):
    status, out, _ = run("score", files / "candidates.txt", "--pool", files / "pool.csv")
    assert status == 0
    assert out.splitlines()[0].split() == ["text", "value", "reason", "n_neighbors"]
    assert "–" in out
    assert "mean 0.6308 over 10 of 12 texts (coverage 0.833)" in out
    assert "without a value: 2 too few neighbours" in out
    _, published, _ = run("score", files / "candidates.txt", "--pool", files / "pool.csv", "--preset", "published")
    assert "mean 0.6261 over 6 of 12 texts (coverage 0.500)" in published
    assert "without a value: 4 too many neighbours, 2 too few neighbours" in published
    assert "|tau:0.08|a:5|b:0.66|weights:uniform|preset:published|" in published


def test_standard_input(files):
    command = with_metric("bleu_neighbors", "score", "-", "--pool", files / "pool.csv", "--format", "jsonl")
    result = CliRunner().invoke(cli, command, input="the blue kettle\n\n")
    assert result.exit_code == 0
    assert [json.loads(line)["text"] for line in result.stdout.splitlines()] == ["the blue kettle", ""]


def test_dataset_specs(data_dir, run, tmp_path):
    huse = data_dir("huse")
    status, out, _ = run("calibrate", "huse:summarization", "--data-dir", huse, "--format", "json")
    assert status == 0
    result = json.loads(out)
    assert result["rows"][0]["spearman"] == pytest.approx(0.337, abs=0.003)
    assert result["rows"][0]["coverage"] == pytest.approx(0.995, abs=0.001)
    assert result["verdict"] == "useful"
    assert "coverage" in result["rows"][0]
    texts = ("huse:summarization", "--pool", "huse:summarization", "--data-dir", huse, "--format", "csv")
    assert run("score", *texts, "-o", tmp_path / "scores.csv")[0] == 0
    assert len((tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()) == 201
    status, out, _ = run(
        "calibrate", "huse:summarization", "--data-dir", huse, "--preset", "published", "--tokenize", "none"
    )
    assert status == 0
    assert "seldom share a 4-gram of 'none' tokens" in out
    assert "--tokenize char" in out


BAD_INPUT = [  # what files can have wrong beside is tested with their readers
    # arguments, what standard error says
    (("score", "nowhere.txt", "--pool", "{pool}"), "nowhere.txt: there is no such file"),
    (("score", "{candidates}", "--pool", "{candidates}"), "a .txt file holds no ratings"),
    (("score", "{candidates}", "--pool", "{candidates}"), "a .txt file holds no ratings"),
    (("fit", "{pool}", "-o", "x", "--rating-column", "score"), "there is no column 'score' (--rating-column)"),
    (("fit", "{pool}", "-o", "x", "--text-column", "body"), "the columns are 'text', 'rating'"),
    (("fit", "{pool}", "-o", "no/folder/x"), "Cannot write no/folder/x: there is no folder"),
    (("calibrate", "{pool}", "--threshold", "2"), "option --threshold to be a number in [0, 1], but got 2.0"),
    (("calibrate", "{pool}", "--tokenize", "words"), "option --tokenize to be one of {'char', 'char-nospace'"),
    (("calibrate", "huse:nothing", "--data-dir", "."), "nothing"),
    (("calibrate", "huse:summarization", "--data-dir", "nowhere"), "nowhere"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT)
def test_bad_input_is_one_line_and_status_1(files, tmp_path, monkeypatch, run, arguments, message):
    monkeypatch.chdir(tmp_path)
    names = {"pool": files / "pool.csv", "candidates": files / "candidates.txt"}
    status, out, err = run(*(argument.format(**names) for argument in arguments))
    assert (status, out) == (1, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err


WRONG_USAGE = [
    ("score", "x.txt"),
    ("score", "-", "--pool", "-"),
    ("score", "x.txt", "--pool", "p.csv", "--weights", "distance"),
    ("fit", "p.csv", "-o", "-"),
    ("calibrate", "p.csv", "--kernel", "cosine"),
    ("calibrate", "x.csv", "--ngram-orders", "2;3"),
]


@pytest.mark.parametrize("arguments", WRONG_USAGE)
def test_wrong_usage_is_status_2(run, arguments):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert "Usage:" in err
    assert "Error:" in err


def test_a_pool_too_small_warns_on_standard_error(tmp_path, run):
    (tmp_path / "small.csv").write_text("text,rating\na text,1\nanother,0\n")
    (tmp_path / "c.txt").write_text("a text\n")
    status, out, err = run("score", tmp_path / "c.txt", "--pool", tmp_path / "small.csv", "--format", "json")
    assert status == 0
    assert json.loads(out)["coverage"] == 0.0
    assert err.startswith("warning: no text can be covered")


@pytest.mark.parametrize(
    ("command", "columns", "lacking"),
    [
        (["score", "texts.csv", "--pool", "rated.csv"], (), "--pool-text-column"),
        (["score", "texts.csv", "--pool", "rated.csv"], ("--pool-text-column", "output"), "--pool-rating-column"),
        (["report", "texts.csv", "texts.csv", "-o", "page.html", "--pool", "rated.csv"], (), "--pool-text-column"),
        (["calibrate", "rated.csv"], (), "--text-column"),
        (["calibrate", "rated.csv"], ("--text-column", "output"), "--rating-column"),
    ],
)
def test_a_missing_column_names_the_option_of_its_file(command, columns, lacking, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rated.csv").write_text("output,naturalness\na text,3\n", encoding="utf-8")
    (tmp_path / "texts.csv").write_text("text\na text\n", encoding="utf-8")
    result = CliRunner().invoke(cli, [*command, *columns])
    assert f" ({lacking}); the columns " in str(result.exception) + result.output
