"""Intervals of mean scores: which one, and that those of shares stay shares."""

import numpy as np
import pytest
from command_lines import as_json
from numpy.random import default_rng
from text_files import write_table

from referenceless_metrics.human_evaluation.scores.mean_intervals import mean_interval
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters, wilson_interval


def test_single_scores_of_0_and_1_have_wilson_s_interval_also_if_all_are_alike():
    assert mean_interval(np.r_[np.ones(8), 0, 0], np.arange(10), 0.95) == wilson_interval(8, 10, 0.95)
    low, high = mean_interval(np.ones(6), np.arange(6), 0.95)
    assert 0.5 < low < 0.7
    assert high == 1


def test_scores_of_0_and_1_in_clusters_have_an_interval_inside_0_and_1():
    clusters = np.repeat(np.arange(6), 2)
    values = np.ones(12)
    values[0] = 0
    assert mean_of_clusters(values, clusters).interval(0.95)[1] > 1
    low, high = mean_interval(values, clusters, 0.95)
    assert 0 < low < 11 / 12 < high <= 1
    low, high = mean_interval(np.ones(12), clusters, 0.95)
    assert (round(low, 2), high) == (0.54, 1)  # Clopper and Pearson's, of six


def test_intervals_of_shares_in_clusters_hold():
    generator, clusters = default_rng(0), np.repeat(np.arange(10), 6)
    held = []
    for _ in range(500):
        chances = generator.beta(9, 1, 10)
        low, high = mean_interval((generator.random(60) < chances[clusters]).astype(float), clusters, 0.95)
        held.append(low <= 0.9 <= high)
    assert np.mean(held) >= 0.93


@pytest.mark.parametrize("values, clusters", [([], []), ([2.0] * 6, range(6)), ([1.0, 2.0, 3.0, 4.0], range(4))])
def test_no_interval_where_nothing_tells_how_scores_vary(values, clusters):
    assert np.isnan(mean_interval(np.array(values), np.array(clusters, dtype=int), 0.95)).all()


@pytest.mark.parametrize("column, others, is_share", [("score", 1, True), ("score", 0.4, False), ("rouge1", 1, False)])
def test_scores_that_are_all_1_are_no_shares_if_others_lie_between_or_a_metric_of_texts_gave_them(
    folder, column, others, is_share
):
    rows = [row for n in range(12) for row in ((n, "source", 1), (n, "cut", others * (n % 2)))]
    write_table("scores.csv", ("item", "system", column), rows)
    source, cut, *_ = as_json(f"compare --scores scores.csv --score-column {column}")["rows"]
    assert (source["low"] is None) != is_share
    assert (cut["low"] == pytest.approx(wilson_interval(6, 12, 0.95)[0])) == is_share
