"""The command line as a user meets it: input and output formats, exit status, one-line errors."""

import json
import shutil

import pytest
from command_lines import typed
from example_fits import CANDIDATES, POOL_FILE
from text_files import write


@pytest.fixture(autouse=True)
def files(folder):
    shutil.copy(POOL_FILE, "pool.csv")
    write("candidates.txt", CANDIDATES)


def score(options, status=0):
    return typed(f"score candidates.txt --metric bleu_neighbors {options}", status)


def test_a_table_is_the_default_and_shows_abstentions():
    out = score("--pool pool.csv").out
    assert out.splitlines()[0].split() == ["text", "bleu_neighbors", "reason"]
    assert "–" in out
    assert "mean 0.6308 over 10 of 12 texts (coverage 0.833)" in out
    assert "without a value: 2 too few neighbours" in out
    published = score("--pool pool.csv --preset published").out
    assert "mean 0.6261 over 6 of 12 texts (coverage 0.500)" in published
    assert "without a value: 4 too many neighbours, 2 too few neighbours" in published
    assert "|tau:0.08|a:5|b:0.66|weights:uniform|preset:published|" in published


def test_fit_says_how_its_file_is_used():
    told = typed("fit pool.csv -o pool.index").err
    assert "Score them over HTTP: referenceless serve --pool pool.index\n" in told
    line = next(line for line in told.splitlines() if line.startswith("Score further texts: "))
    assert line == "Score further texts: referenceless score FILE --pool pool.index"


def test_a_table_shows_intervals_and_names_the_columns_that_it_leaves_out():
    typed("fit pool.csv -o pool.index")
    out = score("--pool pool.index").out
    assert out.splitlines()[0].split() == ["text", "bleu_neighbors", "lower", "upper", "reason"]
    assert "columns not shown: n_neighbors, learned_from; -o FILE.csv has them all" in out


@pytest.mark.parametrize("more", ["", "--worst 3"])
def test_every_format_says_what_its_intervals_hold(more):
    typed("fit pool.csv -o pool.index")
    told = "lower and upper: ends of an interval that holds 90% of the ratings of texts like the rated ones"
    for format in ("table", "markdown", "html"):
        assert told in score(f"--pool pool.index {more} -f {format}").out
    assert told.replace("%", r"\%") in score(f"--pool pool.index {more} -f latex").out.partition(r"\begin{tabular}")[0]
    assert json.loads(score(f"--pool pool.index {more} -f json").out)["notes"] == [told]
    assert told in score(f"--pool pool.index {more} -f csv").err
    assert "lower" not in score("--pool pool.csv").out
