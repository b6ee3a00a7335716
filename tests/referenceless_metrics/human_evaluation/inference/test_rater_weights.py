"""Weights of raters who gave unequal numbers of ratings: generalised least squares, and else plain."""

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from referenceless_metrics.human_evaluation.inference.crossed import crossed, item_rater_rest
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.inference.rater_weights import note_on_raters, weights_of_ratings


def unequal(seed=0, n_items=60, n_raters=8, rater_spread=3.0):
    """Ratings of which the first of the raters gave most, their items and raters."""
    generator = default_rng(seed)
    chances = np.r_[0.6, np.full(n_raters - 1, 0.4 / (n_raters - 1))]
    items = np.repeat(np.arange(n_items), 2)
    raters = np.concatenate([generator.choice(n_raters, 2, replace=False, p=chances) for _ in range(n_items)])
    views = generator.normal(0, rater_spread, n_raters)
    return generator.normal(size=n_items)[items] + views[raters] + generator.normal(size=len(items)), items, raters


def plain_weights(items):
    return np.full(len(items), 1 / len(items))


def test_weights_are_those_of_generalised_least_squares_by_dense_matrices():
    values, items, raters = unequal()
    plain = plain_weights(items)
    item, rater, rest = item_rater_rest(values, plain, items, raters)
    same_item, same_rater = items[:, None] == items, raters[:, None] == raters
    covariances = item * same_item + rater * same_rater + rest * np.eye(len(items))
    expected = np.linalg.solve(covariances, np.ones(len(items)))
    weights = weights_of_ratings(values, plain, items, raters)
    assert weights == pytest.approx(expected / expected.sum(), abs=1e-8)
    assert weights.sum() == pytest.approx(1)


@pytest.mark.long
def test_the_components_are_those_that_were_drawn():
    drawn = []
    for seed in range(60):
        values, items, raters = unequal(seed)
        drawn.append(item_rater_rest(values, plain_weights(items), items, raters))
    errors = np.std(drawn, axis=0) / np.sqrt(60)
    assert (np.abs(np.mean(drawn, axis=0) - [1, 9, 1]) < 3 * errors).all()


def test_raters_who_differ_much_count_nearly_alike_and_the_interval_is_shorter():
    values, items, raters = unequal(rater_spread=10.0)
    plain = plain_weights(items)
    weights = weights_of_ratings(values, plain, items, raters)
    of_raters = np.bincount(raters, weights)
    assert np.bincount(raters, plain).max() > 0.35
    assert of_raters.max() < 1.2 / 8
    widths = [crossed(values, each, items, raters).said.width() for each in (weights, plain)]
    assert widths[0] < 0.8 * widths[1]


def test_raters_who_do_not_differ_count_by_their_ratings():
    values, items, raters = unequal(rater_spread=0.0, n_items=400)
    weights = weights_of_ratings(values, plain_weights(items), items, raters)
    assert np.bincount(raters, weights)[0] > 0.3


@pytest.mark.parametrize("raters", [np.tile(np.arange(6), 20), np.repeat(np.arange(4), [60, 30, 20, 10])])
def test_equal_raters_and_fewer_than_five_have_plain_weights(raters):
    values = default_rng(0).normal(size=120)
    items = np.arange(120)
    plain = plain_weights(items)
    assert weights_of_ratings(values, plain, items, raters) is plain


def test_human_score_weights_raters_and_says_so():
    generator = default_rng(0)
    views = np.r_[-35.0, np.linspace(-30, -10, 11)]  # the rater who gave most has a view of their own
    rows = [(item, rater) for item in range(60) for rater in ((0, 1 + item % 11) if item % 3 else (0,))]
    items, raters = np.array(rows).T
    base = generator.normal(60, 5, 60)[items]
    systems = []
    for name, views_of in (("base", np.zeros(12)), ("ours", views)):
        ratings = base + views_of[raters] + generator.normal(0, 5, len(items))
        judgements = pd.DataFrame({"output": items, "rater": raters, "rating": ratings})
        means = judgements.groupby("output")["rating"].mean().to_numpy()
        systems.append(SystemRatings(name, means, np.full(60, np.nan), judgements=judgements))
    found = human_scores(systems, scale=(0, 100))
    assert found.notes == ("1 of 12 raters gave 60% of the ratings.",)
    assert found.differences[0].mean.value == pytest.approx(views.mean(), abs=2.0)
    plain = systems[1].ratings.mean() - systems[0].ratings.mean()
    assert plain < views.mean() - 4.0
    assert found.differences[0].plain == pytest.approx(plain)
    assert [score.plain for score in found.scores] == pytest.approx([system.ratings.mean() for system in systems])
    assert found.differences[0].is_weighted


def test_a_note_is_made_only_where_few_raters_gave_many_ratings():
    assert note_on_raters(["a", "b", "c"] * 10) == ""
    assert note_on_raters(["a"] * 20 + ["b", "c"]) == "1 of 3 raters gave 91% of the ratings."
    assert note_on_raters(list("abcdef") * 3 + ["a"]) == ""
    assert (
        note_on_raters([f"heavy {i}" for i in range(4)] * 168 + [f"light {i}" for i in range(36)] * 8)
        == "4 of 40 raters gave 70% of the ratings."
    )
