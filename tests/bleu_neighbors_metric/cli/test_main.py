"""The command line as a user meets it: input and output formats, exit status, one-line errors."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest
from click.testing import CliRunner
from command_lines import with_metric

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from referenceless_metrics.__main__ import main
from referenceless_metrics.cli import cli


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path_factory.mktemp("files")
    pool = example_pool()
    quality = pool.quality.tolist()
    for name, delimiter in (("pool.csv", ","), ("pool.tsv", "\t")):
        with (folder / name).open("w", newline="") as file:
            writer = csv.writer(file, delimiter=delimiter)
            writer.writerow(["text", "quality"])
            writer.writerows(zip(pool.texts, quality, strict=True))
    rows = [{"text": text, "quality": q} for text, q in zip(pool.texts, quality, strict=True)]
    (folder / "pool.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.table({"text": pool.texts, "quality": quality}), folder / "pool.parquet")
    (folder / "candidates.txt").write_text("\n".join(example_candidates()) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def expected():
    pool = example_pool()
    return BLEUNeighbors().fit(pool.texts, pool.quality).predict(example_candidates())


def run(capsys, *arguments) -> tuple[int, str, str]:
    """Run the command line as the installed script does, and return exit status, stdout and stderr."""
    with pytest.raises(SystemExit) as stop:
        main(with_metric("bleu_neighbors", *arguments))
    out, err = capsys.readouterr()
    return stop.value.code, out, err


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_fit_and_score_from_every_format(files, tmp_path, capsys, expected, kind):
    index = tmp_path / "pool.index"
    status, out, err = run(capsys, "fit", files / f"pool.{kind}", "-o", index)
    assert (status, out) == (0, "")
    assert "96 distinct rated texts" in err
    status, out, _ = run(capsys, "score", files / "candidates.txt", "--pool", index, "--format", "json")
    assert status == 0
    result = json.loads(out)
    assert result["mean"] == pytest.approx(expected.mean)
    assert result["coverage"] == expected.coverage
    assert [row["n_neighbors"] for row in result["rows"]] == expected.n_neighbors.tolist()
    assert [row["text"] for row in result["rows"]] == example_candidates()
    assert [row["value"] is None for row in result["rows"]] == [not covered for covered in expected.covered]


def test_score_with_a_pool_and_parameters(files, capsys):
    pool = example_pool()
    metric = BLEUNeighbors(0.2, 2, 0.9, tokenize="13a", ngram_orders=(1, 2), smooth_method="exp", weights="similarity")
    expected = metric.fit(pool.texts, pool.quality).predict(example_candidates())
    arguments = "--threshold .2 --min-neighbors 2 --max-fraction .9 --tokenize 13a --ngram-orders 1,2"
    arguments += " --smooth-method exp --weights similarity --format csv"
    status, out, _ = run(capsys, "score", files / "candidates.txt", "--pool", files / "pool.csv", *arguments.split())
    assert status == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [int(row["n_neighbors"]) for row in rows] == expected.n_neighbors.tolist()
    for row, quality, covered in zip(rows, expected.values, expected.covered, strict=True):
        assert (row["value"] != "") == covered
        assert not covered or float(row["value"]) == pytest.approx(quality)


def test_a_table_is_the_default_and_shows_abstentions(files, capsys):
    status, out, _ = run(capsys, "score", files / "candidates.txt", "--pool", files / "pool.csv")
    assert status == 0
    assert out.splitlines()[0].split() == ["text", "value", "n_neighbors", "reason"]
    assert "–" in out
    assert "mean 0.6261 over 6 of 12 texts (coverage 0.500)" in out
    assert "without a value: 4 too many neighbours, 2 too few neighbours" in out


def test_output_files_are_written_whole(files, tmp_path, capsys):
    target = tmp_path / "scores.jsonl"
    arguments = ("--pool", files / "pool.csv", "--format", "jsonl", "-o", target)
    status, out, _ = run(capsys, "score", files / "candidates.txt", *arguments)
    assert (status, out) == (0, "")
    assert len(target.read_text().splitlines()) == 12
    assert list(tmp_path.iterdir()) == [target]
    status, _, err = run(capsys, "score", files / "candidates.txt", *arguments[:-1], tmp_path / "no" / "x")
    assert status == 1
    assert "Cannot write" in err


def test_standard_input(files):
    command = with_metric("bleu_neighbors", "score", "-", "--pool", files / "pool.csv", "--format", "jsonl")
    result = CliRunner().invoke(cli, command, input="the blue kettle\n\n")
    assert result.exit_code == 0
    assert [json.loads(line)["text"] for line in result.stdout.splitlines()] == ["the blue kettle", ""]


def test_dataset_specs(data_dir, capsys, tmp_path):
    huse = data_dir("huse")
    status, out, _ = run(capsys, "calibrate", "huse:summarization", "--data-dir", huse, "--format", "json")
    assert status == 0
    result = json.loads(out)
    assert result["rows"][0]["spearman"] == pytest.approx(0.324, abs=0.003)
    assert result["rows"][0]["coverage"] == pytest.approx(0.995, abs=0.001)
    assert result["verdict"] == "useful"
    assert "coverage" in result["rows"][0]
    status, out, _ = run(capsys, "calibrate", "huse:summarization", "--data-dir", huse, "--tokenize", "none")
    assert status == 0
    assert "must share a 4-gram of 'none' tokens" in out
    assert "--tokenize char" in out


def test_calibrate_reads_an_index_as_well_as_a_pool(files, tmp_path, capsys):
    index = tmp_path / "pool.index"
    run(capsys, "fit", files / "pool.csv", "-o", index)
    assert run(capsys, "calibrate", index)[1] == run(capsys, "calibrate", files / "pool.csv")[1]


BAD_INPUT = [
    # arguments, what standard error says
    (("score", "nowhere.txt", "--pool", "{pool}"), "nowhere.txt: there is no such file"),
    (("score", "{candidates}", "--pool", "{candidates}"), "a .txt file holds no ratings"),
    (("score", "{candidates}", "--pool", "{zip}"), "truncated or damaged"),
    (("fit", "{pool}", "-o", "x", "--quality-column", "score"), "there is no column 'score' (--quality-column)"),
    (("fit", "{pool}", "-o", "x", "--text-column", "body"), "the columns are 'text', 'quality'"),
    (("fit", "{pool}", "-o", "no/folder/x"), "Cannot write no/folder/x: there is no folder"),
    (("fit", "{ragged}", "-o", "x"), "ragged.csv:3: expected 2 fields (text, quality), but got 3"),
    (("fit", "{words}", "-o", "x"), "words.csv:2: expected a finite number in column 'quality', but got str 'good'"),
    (("fit", "{latin}", "-o", "x"), "latin.csv:2: not UTF-8 (byte 0xe9)"),
    (("fit", "{empty}", "-o", "x"), "empty.csv: it is empty"),
    (("fit", "{header}", "-o", "x"), "header.csv: it holds no rated texts"),
    (("calibrate", "{pool}", "--threshold", "2"), "`threshold` to be a number in [0, 1], but got 2.0"),
    (("calibrate", "{pool}", "--tokenize", "words"), "`tokenize` to be one of {'char', 'char-nospace'"),
    (("calibrate", "huse:nothing", "--data-dir", "."), "nothing"),
    (("calibrate", "huse:summarization", "--data-dir", "nowhere"), "nowhere"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD_INPUT)
def test_bad_input_is_one_line_and_status_1(files, tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    contents = {
        "ragged": b"text,quality\na,1\nb,2,3\n",
        "words": b"text,quality\na,good\n",
        "latin": "text,quality\ncafé,1\n".encode("latin-1"),
        "empty": b"",
        "header": b"text,quality\n",
        "zip": b"PK\x03\x04 and no more",
    }
    names = {"pool": files / "pool.csv", "candidates": files / "candidates.txt"}
    for name, content in contents.items():
        names[name] = tmp_path / f"{name}.csv"
        names[name].write_bytes(content)
    status, out, err = run(capsys, *(argument.format(**names) for argument in arguments))
    assert (status, out) == (1, "")
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err


WRONG_USAGE = [
    ("score", "x.txt"),
    ("score", "-", "--pool", "-"),
    ("score", "x.txt", "--pool", "p.csv", "--weights", "distance"),
    ("score", "x.txt", "--pool", "p.csv", "--pool-format", "xml"),
    ("fit", "p.csv", "-o", "-"),
    ("calibrate", "p.csv", "--kernel", "cosine"),
    ("fit", "x.csv"),
    ("calibrate",),
    ("calibrate", "x.csv", "--threshold", "high"),
    ("calibrate", "x.csv", "--ngram-orders", "2;3"),
    ("calibrate", "x.csv", "--format", "xml"),
    ("frobnicate",),
    ("score", "x.txt", "--frobnicate"),
]


@pytest.mark.parametrize("arguments", WRONG_USAGE)
def test_wrong_usage_is_status_2(capsys, arguments):
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert "Usage:" in err
    assert "Error:" in err


def test_a_pool_too_small_warns_on_standard_error(tmp_path, capsys):
    (tmp_path / "small.csv").write_text("text,quality\na text,1\nanother,0\n")
    (tmp_path / "c.txt").write_text("a text\n")
    status, out, err = run(capsys, "score", tmp_path / "c.txt", "--pool", tmp_path / "small.csv", "--format", "json")
    assert status == 0
    assert json.loads(out)["coverage"] == 0.0
    assert err.startswith("warning: no text can be covered")


def test_the_installed_script_runs_and_leaves_quietly_when_its_reader_does(files):
    command = [sys.executable, "-c", "from referenceless_metrics.__main__ import main; main()"]
    command += with_metric("bleu_neighbors", "score", files / "candidates.txt", "--pool", files / "pool.csv")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(timeout=300) == 1  # as every click command
    assert process.stderr.read() == ""
    process.stderr.close()
