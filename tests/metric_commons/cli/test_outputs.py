"""Where and how commands write: the suffix says the format, no input is overwritten, a full disk is named."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from referenceless_metrics.cli import cli

COMMANDS = {
    "score": ("score", "in.csv"),
    "compare": ("compare", "in.csv", "other.csv"),
    "calibrate": ("calibrate", "pool.csv"),
    "sweep": ("calibrate", "--sweep", "pool.csv", "--thresholds", "0.1"),
    "curve": ("calibrate", "--learning-curve", "pool.csv", "--sizes", "20,30", "--draws", "2"),
    "human-score": ("human-score", "in.csv", "--ratings", "ratings.csv", "--pool", "pool.csv"),
}
POOL = ("--pool", "pool.csv", "--max-fraction", "1")
SUFFIXES = {".csv": pd.read_csv, ".parquet": pd.read_parquet, ".jsonl": lambda path: pd.read_json(path, lines=True)}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = [
        f"the {size} cat sat on the {place}" for size in ("big", "small", "old") for place in ["mat", "sofa", "bed"]
    ]
    rated = "".join(f"{text} {i},{i % 3 + 1},in.csv\n" for i, text in enumerate(texts * 4))
    for name in ("in.csv", "other.csv", "pool.csv", "ratings.csv"):
        Path(name).write_text(f"text,rating,system\n{rated}", encoding="utf-8")
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(cli, arguments)
    return result.exit_code, " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("suffix", [*SUFFIXES, ".json", ".html", ".txt"])
def test_the_suffix_says_the_format(command, suffix):
    pool = POOL if command in ("score", "compare") else ()
    status, told = run(*COMMANDS[command], *pool, "-o", f"out{suffix}")
    assert status == 0, told
    if suffix in SUFFIXES:
        table = SUFFIXES[suffix](f"out{suffix}")
        assert len(table) >= 1
        assert len(table.columns) > 2
    elif suffix == ".json":
        assert json.loads(Path("out.json").read_text())
    else:
        content = Path(f"out{suffix}").read_text()
        assert content.startswith("<!DOCTYPE html>") == (suffix == ".html")
        assert content.count("<table>") == (suffix == ".html")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "out.csv", "--format", "json"), "json contradicts -o out.csv, whose suffix means csv"),
        (("-o", "out.tsv"), "expected -o FILE to end in .txt, .csv, .jsonl, .json, .parquet, .html, or --format"),
        (("-o", "out.md"), "Invalid value for '-o' / '--output': expected -o FILE to end in .txt, .csv"),
        (("--format", "parquet"), "parquet needs a file to write: give it with -o"),
    ],
)
def test_formats_that_cannot_be(arguments, message):
    status, told = run("score", "in.csv", *POOL, *arguments)
    assert status == 2
    assert message in told
    assert sorted(path.name for path in Path().iterdir()) == ["in.csv", "other.csv", "pool.csv", "ratings.csv"]


def test_the_format_option_decides_where_the_suffix_does_not():
    for name, format in (("out", "jsonl"), ("out.log", "jsonl"), ("out.csv", "csv-safe"), ("out.txt", "csv")):
        assert run("score", "in.csv", *POOL, "-o", name, "--format", format)[0] == 0
    assert Path("out").read_bytes() == Path("out.log").read_bytes()
    assert Path("out.txt").read_text().startswith("text,rating,system,value")


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "in.csv", *POOL, "-o", "FILE=in.csv"),
        ("score", "in.csv", *POOL, "-o", "FILE=pool.csv"),
        ("score", "FILE=out.csv.partial", *POOL, "--input-format", "csv", "-o", "out.csv"),
        ("score", "in.csv", *POOL, "--plot", "FILE=in.csv"),
        ("score", "in.csv", *POOL, "-o", "out.csv", "--plot", "FILE=out.csv"),
        ("compare", "in.csv", "other.csv", *POOL, "-o", "FILE=other.csv"),
        ("report", "index.html", "other.csv", *POOL, "--input-format", "csv", "-o", "."),
        ("advise", "estimates.csv", "-o", "."),
        ("calibrate", "pool.csv", "-o", "FILE=pool.csv"),
        ("fit", "pool.csv", "-o", "FILE=pool.csv"),
        ("fit", "--metric", "quality_estimation", "pool.csv", "-o", "FILE=pool.csv"),
        ("human-score", "in.csv", "--ratings", "ratings.csv", "-o", "FILE=ratings.csv"),
        ("rerank", "in.csv", "--input-column", "system", "-o", "FILE=in.csv"),
        ("train", "ngram", "in.csv", "-o", "model.npz", "--arpa", "FILE=in.csv"),
        ("train", "measure", "pool.csv", "-o", "FILE=pool.csv"),
    ],
)
@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_no_input_is_overwritten(arguments, link):
    for name in ("index.html", "estimates.csv", "out.csv.partial"):
        Path(name).write_bytes(Path("in.csv").read_bytes())
    given = [one.partition("=")[2] if one.startswith("FILE=") else one for one in arguments]
    named = next((one.removeprefix("FILE=") for one in arguments if one.startswith("FILE=")), "")
    if callable(link) and named and Path(named).exists() and given[-1] == named:
        link(named, f"link{Path(named).suffix}")
        given[-1] = f"link{Path(named).suffix}"
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    status, told = run(*given)
    assert status == 2, told
    assert "it would overwrite" in told or "expected a file that ends in" in told
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize("end", [100, -1])
def test_a_damaged_pool_is_not_read_as_rated_texts(end):
    assert run("fit", "pool.csv", "-o", "fitted.index")[0] == 0
    content = Path("fitted.index").read_bytes()
    for damaged in (content[:end], b"\0" + content, b"text,rating\n" + content):
        Path("fitted.index").write_bytes(damaged)
        result = CliRunner().invoke(cli, ["score", "in.csv", "--pool", "fitted.index"])
        assert isinstance(result.exception, ValueError)
        assert "fitted.index to be a file of referenceless-metrics that holds a pool" in str(result.exception)


def test_the_page_of_a_pool_that_visitors_bring_takes_none():
    status, told = run("app", "--pool", "pool.csv")
    assert status == 2
    assert "--pool: visitors of this page bring the rated texts" in told


def test_standard_input_is_not_overwritten():
    command = [sys.executable, "-m", "referenceless_metrics", "score", "-", *POOL, "--input-format", "csv"]
    before = Path("in.csv").read_bytes()
    with Path("in.csv").open("rb") as stream:
        done = subprocess.run([*command, "-o", "in.csv"], stdin=stream, capture_output=True, text=True)
    assert (done.returncode, Path("in.csv").read_bytes()) == (2, before)
    assert "it would overwrite -" in done.stderr


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.json", "out.html"])
def test_a_full_disk_names_the_file(name):
    def bound():
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))

    command = [sys.executable, "-m", "referenceless_metrics", "score", "in.csv", *POOL, "-o", name]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
    run("score", "in.csv", *POOL, "-o", "first.csv")  # which compiles, and needs files of its own
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=bound, env=environment)
    assert done.returncode == 1
    assert "File too large" in done.stderr
    assert name in done.stderr
    assert not Path(name).exists()
