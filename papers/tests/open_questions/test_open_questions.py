"""The open questions' measures on small input whose answer is known."""

import lzma

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from text_files import ROOT, read

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_pool
from referenceless_papers.common.record import read_record
from referenceless_papers.open_questions import lstm, neighbour_theory, ranking
from referenceless_papers.open_questions.language_models import HELD_OUT_LINES
from referenceless_papers.open_questions.peoples_texts import fallback_rows
from referenceless_papers.open_questions.run import PARTS, open_questions
from referenceless_papers.public_table.rated_sets import RatedSet

CARD = ROOT / "hub_cards" / "reproduction_open_questions.md"


def rated_set(texts, ratings, **others):
    given = {"sources": None, "references": None} | others
    items = np.arange(len(texts)) // 2
    return RatedSet("small", texts, ratings, items, [""] * len(texts), judged=(texts, ratings), **given)  # type: ignore[arg-type]


def judgements():
    rows = [
        (judgement, judgement % 4, output, output * 10 + 10 * (judgement == 3 and output == 0) * 9)
        for judgement in range(8)
        for output in range(3)
    ]
    table = pd.DataFrame(rows, columns=["judgement", "item", "place", "magnitude"])
    logs = np.log(np.maximum(table["magnitude"], 1.0))
    return table.assign(output=table["item"] * 10 + table["place"], log=logs)


def test_values_in_the_raters_order_are_right_and_the_reverse_wrong():
    table = judgements()
    folds = np.zeros(len(table), dtype=np.int64)
    right = ranking.figures(table[table["judgement"] != 3].reset_index(drop=True), np.tile([0.0, 1, 2], 7), folds[:21])
    assert (right["accuracy"], right["pairs"]) == (1.0, 21)
    assert right["τ-b within MR"] == pytest.approx(1.0)
    wrong = ranking.figures(table[table["judgement"] != 3].reset_index(drop=True), -np.tile([0.0, 1, 2], 7), folds[:21])
    assert wrong["accuracy"] == 0.0
    # Judgements 3 and 7 are of one item, and disagree on two of its three pairs; the other three items agree.
    assert ranking.rater_agreement(table) == pytest.approx(10 / 12)


def test_the_simulated_rule_is_the_published_one():
    pool = example_pool()
    metric = BLEUNeighbors.published(progress=False).fit(pool.texts, pool.ratings)
    rated = rated_set(list(metric.texts_), metric.ratings_)
    found = neighbour_theory.rule(neighbour_theory.similarities_of(rated), rated.ratings)
    assert_allclose(found, metric.leave_one_out().values)
    both = neighbour_theory.rule(neighbour_theory.similarities_of(rated), np.stack([rated.ratings] * 2, axis=1))
    assert_allclose(both[:, 1], found)


def test_less_noise_predicts_a_higher_correlation_and_no_covariance_none():
    n = 80
    near = np.abs(np.arange(n)[:, None] - np.arange(n)) < 6
    alike = np.where(near, 0.5, 0.0)
    np.fill_diagonal(alike, -1.0)
    smooth = np.exp(-((np.arange(n)[:, None] - np.arange(n)) ** 2) / 50.0)
    quiet, loud = (neighbour_theory.predicted(alike, smooth, noise)[0] for noise in (0.1, 5.0))
    assert quiet > loud + 0.2
    assert abs(neighbour_theory.predicted(alike, np.eye(n), 0.1)[0]) < 0.15


@pytest.mark.long
def test_a_learned_map_leaves_out_what_does_not_count():
    pytest.importorskip("torch")
    from referenceless_papers.open_questions.embedding_kernel import kernel_regression

    generator = np.random.default_rng(0)
    vectors = generator.standard_normal((160, 12))
    ratings = np.sin(vectors[:, 0])
    errors = [
        float(
            np.mean(
                (kernel_regression(vectors[:120], ratings[:120], vectors[120:], learned=learned) - ratings[120:]) ** 2
            )
        )
        for learned in (False, True)
    ]
    assert errors[1] < errors[0] / 2


@pytest.mark.long
def test_a_cut_run_of_the_lstm_goes_on_and_adds_to_its_record(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    corpus = tmp_path / lstm.CORPUS
    corpus.parent.mkdir()
    with lzma.open(corpus, "wt", encoding="utf-8") as file:
        file.write("a cat sat here .\n" * HELD_OUT_LINES + "a cat sat here .\na dog ran there .\n" * 320)
    rated = rated_set(["a cat sat here .", "cat a here sat .", "a dog ran there ."], np.array([3.0, 1.0, 3.0]))
    monkeypatch.setattr(lstm, "measured_sets", lambda data_dir: {"small": rated})
    for epochs in (0.5, 1.0):
        lstm.train_and_record(tmp_path, tmp_path / "network", tmp_path / "lstm.json", epochs)
    rows = read_record(tmp_path / "lstm.json")["rows"]
    assert [row["million words"] for row in rows] == pytest.approx([1600e-6, 3185e-6], rel=0.02)
    assert 2 >= float(rows[0]["perplexity"]) >= float(rows[1]["perplexity"]) >= 1


def test_a_limit_hands_over_the_worst_picks():
    good = [f"{name} serves good food" for name in "abcdefghijklmnopqrst"]
    bad = [f"{name} food food is is" for name in "abcdefghijklmnopqrst"]
    texts = [text for pair in zip(good[:10] + bad[:10], good[10:] + bad[10:], strict=True) for text in pair]
    ratings = np.repeat([5.0, 1.0], 20) + np.tile([0.0, 0.25], 20)
    rated = rated_set(texts, ratings, sources=[f"inform(name={place})" for place in np.arange(40) // 2])
    rows = fallback_rows(rated, np.arange(40) // 2 % 5)
    assert {row["MRs"] for row in rows} == {20}
    assert all(row["rating, kept"] > row["rating, all picks"] for row in rows if row["limit: quantile"] == 0.3)


def test_every_part_stands_in_the_committed_report():
    text = read(CARD)
    for part in PARTS.values():
        section = text.split(f"\n## {part.title}\n")[1].split("\n## ")[0]
        assert "|" in section or "Not measured: see the end." in section, part.title


def test_missing_data_are_told(tmp_path):
    report = open_questions(tmp_path, ["ranking"])
    assert "judgements.csv" in report.missing[0].why
