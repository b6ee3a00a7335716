"""Scores that `score` wrote say which texts their metric learned from, and whatever reads them heeds it."""

import pytest
from command_lines import as_json, typed
from example_fits import CANDIDATES, POOL, POOL_FILE
from text_files import read, write, write_table

from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.scores.learned import is_estimate, learned_rows

NEW = [*CANDIDATES, *(f"{text} indeed" for text in POOL.texts[20:60])]
KNOWN = POOL.texts[:16]


def flagged(columns, flags):
    rows = [{**dict.fromkeys(columns, 1.0), "learned_from": flag} for flag in flags]
    return Table("t.csv", (*columns, "learned_from"), rows)


def test_a_column_is_an_estimate_by_its_metric_or_by_the_flags_beside_it():
    table = flagged(["rating", "fluency", "bleu_neighbors"], ["True", "FALSE", True])
    assert [name for name in table.columns[:3] if is_estimate(table, name)] == ["bleu_neighbors"]
    assert learned_rows(table, "bleu_neighbors").tolist() == [True, False, True]
    assert not learned_rows(table, "fluency").any()
    renamed = flagged(["mine"], ["true", "false"])
    assert learned_rows(renamed, "mine").tolist() == [True, False]
    of_others = flagged(["mine"], ["true", "a course"])
    assert not is_estimate(of_others, "mine")
    bare = Table("t.csv", ("quality_estimation",), [{"quality_estimation": 1.0}])
    assert is_estimate(bare, "quality_estimation")
    assert not learned_rows(bare, "quality_estimation").any()


@pytest.fixture
def scores(folder):
    """The names of files of rated outputs: scored by a metric that learned from some of them, and the ratings."""
    texts = [*NEW, *KNOWN]
    rows = [(n // 2, "ab"[n % 2], text, n * 7 % 5) for n, text in enumerate(texts[: len(texts) // 2 * 2])]
    write_table("rated.csv", ["item", "system", "text", "rating"], rows)
    typed(
        f"score rated.csv --metric bleu_neighbors --pool {POOL_FILE} --min-neighbors 1 --max-fraction 1 -o scores.csv"
    )
    return "scores.csv"


def test_scores_held_against_ratings_are_those_of_other_texts(scores):
    header, *rows = read(scores).splitlines()
    assert header.endswith(",learned_from,reason")
    n_learned = sum(",True," in row for row in rows)
    assert n_learned in (len(KNOWN), len(KNOWN) - 1)
    card = f"evaluate --scores {scores} --ratings rated.csv"
    assert f"{n_learned} of " in typed(card).err
    assert "are left out: the metric learned from these texts" in typed(card).err
    n = as_json(card)["rated"]
    assert n <= len(rows) - n_learned
    write("known.csv", [header, *(row for row in rows if ",True," in row)])
    told = typed("evaluate --scores known.csv --ratings rated.csv", 1).err
    assert "the metric of column 'bleu_neighbors' learned from all of these texts (column 'learned_from')" in told
    assert "`referenceless advise RATINGS` estimates each text from the others" in told
    assert "These command lines" not in told
    judged = typed(f"compare --scores {scores} --ratings rated.csv").err
    assert "are left out: the metric learned from these texts" in judged


def test_a_comparison_takes_them_as_estimates(scores):
    told = " ".join(typed(f"compare --scores {scores}").out.split())
    assert "By the estimates of bleu_neighbors (worth not known), the order of means is" in told
    assert "are of texts that the metric learned from, and rest on these texts' own ratings." in told
    shown = typed(f"compare --scores {scores} --score-column rating").out
    assert "By the estimates" not in shown


def test_estimates_beside_ratings_that_their_metric_learned_from_are_refused(scores):
    refused = "(--estimates-column) learned from "
    assert refused in typed(f"human-score --ratings {scores} --estimates-column bleu_neighbors", 1).err
    line = f"human-score {scores} --system-column system --ratings rated.csv --estimates-column bleu_neighbors"
    assert refused in typed(line, 1).err


def test_a_table_for_readers_has_the_flags_if_any_is_true(scores):
    options = f"--metric bleu_neighbors --pool {POOL_FILE} -f markdown"
    assert "| learned from |" in typed(f"score rated.csv {options}").out
    write("new.txt", CANDIDATES)
    assert "| learned from |" not in typed(f"score new.txt {options}").out


def test_rows_that_a_filter_keeps_have_the_flags_too(scores):
    options = f"--pool {POOL_FILE} --min-neighbors 1 --max-fraction 1"
    typed(f"filter rated.csv {options} --keep 'bleu_neighbors > -9' -o kept.csv")
    header, *rows = read("kept.csv").splitlines()
    assert header.endswith(",bleu_neighbors,learned_from")
    assert sum(row.endswith(",True") for row in rows) in (len(KNOWN), len(KNOWN) - 1)
    assert "the metric learned from these texts" in typed("evaluate --scores kept.csv --ratings rated.csv").err
    told = typed(f"filter {scores} {options} --keep 'bleu_neighbors > -9' -o again.csv", 2).err
    assert "has a column 'bleu_neighbors' already" in told
