"""Ratings that are looked at while they come in: complete items count, for these raters, and no others."""

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.any_time import AsymptoticSequence, BettingSequence, Looks
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.inference.watched_ratings import complete_items, watched_scores

LOOKS = Looks(20, 40)


def systems(n=30, lacking=()):
    """Two systems' ratings of n items by two raters; `lacking` names missing ones: system, item and rater."""
    generator = default_rng(0)
    made = []
    for name, mean in (("base", 3.0), ("ours", 4.0)):
        rows = [
            (item, rater, float(np.clip(round(generator.normal(mean, 0.8)), 1, 5)))
            for item in range(n)
            for rater in ("ann", "bob")
            if (name, item, rater) not in lacking
        ]
        judgements = pd.DataFrame(rows, columns=["output", "rater", "rating"])
        ratings = judgements.groupby("output")["rating"].mean().reindex(range(n)).to_numpy()
        items = [f"item {item}" for item in range(n)]
        made.append(SystemRatings(name, ratings, np.full(n, np.nan), items, judgements))
    return made


def scores_of(made, looks=LOOKS, **asked):
    return watched_scores(made, looks, **{"level": 0.95, "scale": (1.0, 5.0), "comparisons": "baseline"} | asked)


def test_a_difference_is_that_of_the_means_of_complete_items():
    made = systems(lacking=[("ours", 3, "bob"), ("base", 7, "ann")])
    complete, n_open = complete_items(made)
    assert (len(complete), n_open) == (28, 2)
    assert "item 3" not in complete.index
    scores = scores_of(made)
    (difference,) = scores.differences
    values = (complete["ours"] - complete["base"]).to_numpy()
    assert difference.interval() == pytest.approx(AsymptoticSequence(values, LOOKS).interval(0.95))
    assert difference.is_shown
    assert scores.scores[0].interval() == pytest.approx(
        BettingSequence(complete["base"].to_numpy(), (1.0, 5.0), LOOKS).interval(0.95)
    )
    assert not difference.raters.about_others
    assert any("28 items are complete; 12 more items by the plan of 40" in note for note in scores.notes)
    assert any("2 items are not complete" in note for note in scores.notes)
    of_unjudged = " ".join(scores_of(made, n_unjudged=2).notes)
    assert "28 items are complete; 10 more items by the plan of 40. 2 items have a cannot judge" in of_unjudged
    assert "not complete" not in of_unjudged


def test_a_verdict_without_the_ends_of_the_scale_says_on_what_it_rests():
    (early,) = scores_of(systems(58), scale=None).differences
    assert "without them the first look is at 59 complete items, and there are 58" in early.watched.obstacle
    scores = scores_of(systems(60), scale=None)
    (difference,) = scores.differences
    said = [note for note in scores.notes if "no item differs" in note]
    assert said == [difference.watched.bounds.ends.sentence]
    assert said[0].startswith("Holds if no item differs by more than ")
    assert not any("no item differs" in note for note in scores_of(systems()).notes)


def test_a_plan_of_three_raters_makes_no_item_complete():
    (difference,) = scores_of(systems(), asked_of={f"item {item}": 3 for item in range(30)}).differences
    assert difference.watched.n == 0
    assert not difference.is_shown


def test_several_comparisons_are_corrected_by_holm():
    made = systems()
    third = SystemRatings("third", made[1].ratings, made[1].estimates, made[1].items, made[1].judgements)
    first, second = scores_of([*made, third]).differences
    assert first.p_adjusted == second.p_adjusted == pytest.approx(2 * first.p_value)


def test_items_in_clusters_are_refused():
    made = [SystemRatings(s.name, s.ratings, s.estimates, s.items, s.judgements, ["a"] * 30) for s in systems()]
    with pytest.raises(InputError, match="leave out --every-look, or --cluster-column"):
        scores_of(made)
