"""Files and formats of output: the suffix says the format, no input is overwritten, a full disk is named."""

import json
import os
import resource
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pandas as pd
import pytest
from command_lines import done, invoke, left
from text_files import read, write

POOL = "--pool pool.csv --max-fraction 1"
COMMANDS = {
    "score": f"score in.csv {POOL}",
    "compare": f"compare in.csv other.csv {POOL}",
    "calibrate": "calibrate pool.csv",
    "sweep": "calibrate --sweep pool.csv",
    "curve": "calibrate --learning-curve pool.csv",
    "human-score": "human-score in.csv --ratings ratings.csv --metric slor",
}
SUFFIXES = {".csv": pd.read_csv, ".parquet": pd.read_parquet, ".jsonl": lambda path: pd.read_json(path, lines=True)}


@pytest.fixture(autouse=True)
def files(folder):
    texts = [
        f"the {size} cat sat on the {place}" for size in ("big", "small", "old") for place in ("mat", "sofa", "bed")
    ]
    rated = "".join(f"{text} {i},{i % 3 + 1},in.csv\n" for i, text in enumerate(texts * 4))
    for name in ("in.csv", "other.csv", "pool.csv", "ratings.csv"):
        write(name, f"text,rating,system\n{rated}")


def contents():
    return {path.name: path.read_bytes() for path in Path().iterdir()}


def refused(line):
    """Return the message of a command that does nothing but refuse."""
    before = contents()
    result = invoke(line)
    assert result.exit_code == 2, result.output
    assert contents() == before
    return " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize(
    "command, suffix",
    [
        *(("compare", suffix) for suffix in (*SUFFIXES, ".json", ".html", ".txt")),
        *((command, suffix) for command in COMMANDS if command != "compare" for suffix in (".parquet", ".html")),
    ],
)
def test_the_suffix_says_the_format(command, suffix):
    done(f"{COMMANDS[command]} -o out{suffix}")
    if suffix in SUFFIXES:
        table = SUFFIXES[suffix](f"out{suffix}")
        assert len(table) >= 1
        assert len(table.columns) > 2
    elif suffix == ".json":
        assert json.loads(read("out.json"))
    else:
        content = read(f"out{suffix}")
        assert content.startswith("<!DOCTYPE html>") == (suffix == ".html")
        assert ("<table" in content) == (suffix == ".html")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (
            "-o out.csv --format json",
            "json contradicts -o out.csv, whose suffix means csv; give a file for each (-o)",
        ),
        ("-o a.html -o a.html", "expected a file each, but got a.html, a.html"),
        ("-o a.html -o b.json -f json", "it is of one -o FILE: of several, the suffixes tell the formats"),
        ("-o a.html -o b.pdf", "expected -o FILE to end in .txt, .csv, .jsonl, .json, .parquet, .html, .md, .tex, or"),
        ("-o a.html -o in.csv", "it would overwrite in.csv"),
        ("-o out.pdf", "expected -o FILE to end in .txt, .csv, .jsonl, .json, .parquet, .html, .md, .tex, or"),
        ("--format parquet", "parquet needs a file to write: give it with -o"),
    ],
)
def test_formats_that_cannot_be(arguments, message):
    assert message in refused(f"score in.csv {POOL} {arguments}")


def told_besides_notes(err):
    """Return what stands on standard error but notes, which Python gives once in a process."""
    return [line for line in err.splitlines() if not line.startswith("note: ")]


@pytest.mark.parametrize("command", ["score", "compare", "calibrate", "human-score"])
def test_several_files_hold_what_each_holds_alone_and_what_is_told_stands_once(command):
    line = COMMANDS[command]
    alone = {name: left(f"{line} -o alone{name}".split()) for name in (".csv", ".md", ".json")}
    status, out, err = left(f"{line} -o a.csv -o a.md -o a.json -o -".split())
    assert (status, told_besides_notes(err)) == (0, told_besides_notes(alone[".csv"][2]))
    assert out == left(line.split())[1]
    for name in alone:
        assert read(f"a{name}") == read(f"alone{name}")


@pytest.mark.parametrize(
    "line, computing",
    [
        (COMMANDS["compare"], "referenceless_metrics.comparison.command.measures_asked"),
        (COMMANDS["human-score"], "referenceless_metrics.human_evaluation.commands.rated_systems.findings_of_ratings"),
        (
            "evaluate --scores scores.csv --ratings scores.csv --score-column one",
            "referenceless_metrics.human_evaluation.wording.report_cards.report_card",
        ),
    ],
)
def test_several_files_are_computed_once(line, computing, monkeypatch):
    rows = "".join(f"{item},{item % 5},{item % 7}\n" for item in range(30))
    write("scores.csv", f"item,one,rating\n{rows}")
    package, _, name = computing.rpartition(".")
    compute = getattr(import_module(package), name)
    times = []
    monkeypatch.setattr(computing, lambda *given, **named: times.append(1) or compute(*given, **named))
    assert left(f"{line} -o a.csv -o a.md -o a.json".split())[0] == 0
    assert len(times) == 1


def test_a_verdict_is_the_status_of_several_files_and_standard_input_is_of_one():
    write("low.csv", read("other.csv").replace("the big cat sat on the mat 0", ""))
    line = f"compare in.csv low.csv {POOL} --fail-if-worse --min-coverage 1"
    _, _, told = left(f"{line} -o alone.json".split())
    status, out, err = left(f"{line} -o gate.json -o gate.html".split())
    assert (status, out, told_besides_notes(err)) == (3, "", told_besides_notes(told))
    assert json.loads(read("gate.json"))["gate"]["status"] == 3
    assert "The gate cannot tell" in read("gate.html")
    assert "standard input can be read once" in refused("score - -o a.csv -o a.html")


def test_the_format_option_decides_where_the_suffix_does_not():
    for name, format in (("out", "jsonl"), ("out.log", "jsonl"), ("out.csv", "csv-safe"), ("out.txt", "csv")):
        done(f"score in.csv {POOL} -o {name} --format {format}")
    assert Path("out").read_bytes() == Path("out.log").read_bytes()
    assert read("out.txt").startswith("text,rating,system,bleu_neighbors")


@pytest.mark.parametrize(
    "command, named",
    [
        (f"score in.csv {POOL} -o", "in.csv"),
        (f"score in.csv {POOL} -o", "pool.csv"),
        (f"score out.csv.partial {POOL} --input-format csv -o", "out.csv"),  # which it would write in between
        (f"score in.csv {POOL} --plot", "in.csv"),
        (f"score in.csv {POOL} -o out.csv --plot", "out.csv"),
        (f"compare in.csv other.csv {POOL} -o", "other.csv"),
        (f"report index.html other.csv {POOL} --input-format csv -o", "."),
        ("advise advice.html --input-format csv -o", "."),
        ("calibrate pool.csv -o", "pool.csv"),
        ("fit pool.csv -o", "pool.csv"),
        ("fit --metric quality_estimation pool.csv -o", "pool.csv"),
        ("human-score in.csv --ratings ratings.csv -o", "ratings.csv"),
        ("rerank in.csv --candidates-column system -o", "in.csv"),
        ("train ngram in.csv -o model.npz --arpa", "in.csv"),
        ("train measure pool.csv -o", "pool.csv"),
    ],
)
@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_no_input_is_overwritten(command, named, link):
    for name in ("index.html", "advice.html", "out.csv.partial"):
        Path(name).write_bytes(Path("in.csv").read_bytes())
    if link and Path(named).is_file():
        link(named, f"link{Path(named).suffix}")
        named = f"link{Path(named).suffix}"
    told = refused(f"{command} {named}")
    assert "it would overwrite" in told or "expected a file that ends in" in told


@pytest.mark.parametrize("end", [100, -1])
def test_a_damaged_pool_is_not_read_as_rated_texts(end):
    done("fit pool.csv -o fitted.index")
    content = Path("fitted.index").read_bytes()
    for damaged in (content[:end], b"\0" + content, b"text,rating\n" + content):
        Path("fitted.index").write_bytes(damaged)
        result = invoke("score in.csv --pool fitted.index")
        assert isinstance(result.exception, ValueError)
        assert "fitted.index to be a file of referenceless-metrics that holds a pool" in str(result.exception)


def test_the_page_of_a_pool_that_visitors_bring_takes_none():
    assert "--pool: visitors of this page bring the rated texts" in refused("app --pool pool.csv")


def started(words, **options):
    command = [sys.executable, "-m", "referenceless_metrics", "score", *words.split(), *POOL.split()]
    return subprocess.run(command, capture_output=True, text=True, **options)


def test_standard_input_is_not_overwritten():
    before = Path("in.csv").read_bytes()
    with Path("in.csv").open("rb") as stream:
        found = started("- --input-format csv -o in.csv", stdin=stream)
    assert (found.returncode, Path("in.csv").read_bytes()) == (2, before)
    assert "it would overwrite -" in found.stderr


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.json", "out.html"])
def test_a_full_disk_names_the_file(name):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, before[1]))
    try:
        status, _, err = left(["score", "in.csv", *POOL.split(), "-o", name])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert status == 1
    assert "File too large" in err
    assert name in err
    assert not Path(name).exists()
