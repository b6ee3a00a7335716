"""The cost of a million lines is measured in processes of their own, and told as a table."""

import json
import lzma

import pytest
from command_lines import typed

from referenceless_papers.speed.command import METRICS, Cost, speed_markdown
from referenceless_papers.speed.process import MAKERS

SHORT = "too short"


@pytest.fixture
def corpus(tmp_path):
    """A folder with a corpus of 40 different lines that are long enough."""
    folder = tmp_path / "lm-corpus"
    folder.mkdir()
    lines = [f"the mayor of town number {n} opened the new bridge in the presence of the council" for n in range(40)]
    with lzma.open(folder / "english.txt.xz", "wt", encoding="utf-8") as file:
        file.write("\n".join([SHORT, *lines, *lines]))
    return tmp_path


@pytest.mark.long
def test_costs_of_a_process_of_its_own(corpus):
    line = f"reproduce speed --data-dir {corpus} -n 40 --rounds 1 --n-jobs 2"
    found = json.loads(typed(f"{line} --metric bleu_neighbors --metric quality_estimator --format json").out)
    # The quality estimator has one thread.
    assert [(one["metric"], one["n_jobs"]) for one in found] == [("bleu_neighbors", 2), ("quality_estimator", 1)]
    assert all(one["processor"] > 0 and one["clock"] > 0 and 20 < one["peak"] < 2000 for one in found)


def test_every_metric_scores(corpus):
    texts = [f"a small house number {n} stands on the hill" for n in range(30)]
    for name in METRICS.keys() - {"fluency"}:
        found = MAKERS[name](1, texts)(texts)
        assert len(found.values) == len(texts), name
    assert METRICS.keys() == MAKERS.keys()


def test_a_corpus_that_is_too_small_is_named(corpus):
    told = typed(f"reproduce speed --data-dir {corpus} -n 41", 1).err
    assert "it holds 40 different lines of 60 to 140 characters; give `--texts 40`" in told


def test_the_table():
    text = speed_markdown([Cost("slor", 2, 4.04, 12.34, 512.2), Cost("fluency", 1, 1234.5, 9.96, 1024.0)], 20_000, 3)
    rows = text.splitlines()
    assert rows[2] == "| SLOR | 2 | 4.0 | 12 | 250,000 | 512 |"
    assert rows[3] == "| Fluency | 1 | 1,200 | 10 | 810 | 1,024 |"
    assert "20,000 lines of 60 to 140 characters (median of 3) and scaled; processors: " in rows[-1]
