"""The open questions' measures on small input whose answer is known."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from text_files import ROOT, read

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_pool
from referenceless_papers.open_questions import neighbour_theory, ranking
from referenceless_papers.open_questions.peoples_texts import fallback_rows
from referenceless_papers.open_questions.run import PARTS
from referenceless_papers.public_table.rated_sets import RatedSet

PAGE = ROOT / "papers" / "docs" / "open_questions.md"


def rated_set(texts, ratings, **others):
    given = {"sources": None, "references": None} | others
    items = np.arange(len(texts)) // 2
    return RatedSet("small", texts, ratings, items, [""] * len(texts), judged=(texts, ratings), **given)  # type: ignore[arg-type]


def judgements():
    """Eight judgements of four items, three outputs each, that rise from one to the next but in the fourth."""
    table = pd.DataFrame({"judgement": np.repeat(np.arange(8), 3), "place": np.tile(np.arange(3), 8)})
    table["item"] = table["judgement"] % 4
    table["magnitude"] = np.where((table["judgement"] == 3) & (table["place"] == 0), 90, 10 * table["place"])
    logs = np.log(np.maximum(table["magnitude"], 1.0))
    return table.assign(output=table["item"] * 10 + table["place"], log=logs)


def test_values_in_the_raters_order_are_right_and_the_reverse_wrong():
    table, values, folds = judgements(), np.tile([0.0, 1, 2], 7), np.zeros(21, dtype=np.int64)
    rising = table[table["judgement"] != 3].reset_index(drop=True)
    right = ranking.figures(rising, values, folds)
    assert (right["accuracy"], right["pairs"]) == (1.0, 21)
    assert right["τ-b within MR"] == pytest.approx(1.0)
    assert ranking.figures(rising, -values, folds)["accuracy"] == 0.0
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
    text = read(PAGE)
    for part in PARTS.values():
        section = text.split(f"\n## {part.title}\n")[1].split("\n## ")[0]
        assert "|" in section or "Not measured: see the end." in section, part.title
