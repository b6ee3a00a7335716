"""The sentence that pages and tables open with states the finding of the table beside it, and no more."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from comparisons import comparison
from rated_systems import rated_systems
from sacrebleu.metrics import CHRF
from toy_metrics import Lengths

from referenceless_metrics.assessment.agreement import Verdict
from referenceless_metrics.comparison.comparison import compare_systems
from referenceless_metrics.comparison.headline import metrics_headline
from referenceless_metrics.comparison.output import render_comparisons
from referenceless_metrics.frameworks.sacrebleu import SacrebleuAdapter
from referenceless_metrics.human_evaluation.inference.estimated_means import groups_alike
from referenceless_metrics.human_evaluation.inference.human_score import human_scores, scores_by_criterion
from referenceless_metrics.human_evaluation.inference.preferences import strengths, win_rates
from referenceless_metrics.human_evaluation.wording.drawn import Drawn
from referenceless_metrics.human_evaluation.wording.headline import on_highest, people_headline, preference_headline
from referenceless_metrics.human_evaluation.wording.preference_output import preference_lines


def rated(shifts):
    """Return systems with ratings that differ from the baseline's by a shift each, and noise."""
    rng = np.random.default_rng(0)
    items = rng.normal(3, 0.5, 60)
    return rated_systems(*(items + shift + rng.normal(0, 0.3, 60) for shift in shifts.values()), names=list(shifts))


SETS = {
    "claims": ({"base": 0, "good": 1, "fair": 0.5, "bad": -1}, "good and fair higher than base; bad lower than base ("),
    "some": (
        {"base": 0, "good": 1, "like": 0},
        "good higher than base; no difference is shown between like and base (",
    ),
    "none": (
        {"base": 0, "like": 0, "same": 0.01},
        "By the ratings, no difference is shown between base and any of like and same (",
    ),
}


@pytest.mark.parametrize("name", SETS)
def test_what_is_said_of_people_is_what_the_table_shows(name):
    shifts, expected = SETS[name]
    scores = human_scores(rated(shifts))
    sentence = people_headline(scores)
    assert expected in sentence
    assert sentence.startswith("By the ratings, " if name == "none" else "These raters rate ")
    assert sentence.endswith(f"(95%, Holm over {len(scores.differences)} comparisons).")
    told = re.sub(r" \(95%.*", "", sentence)
    untold = told.rpartition("no difference is shown between ")[2] if "no difference" in told else ""
    for one in scores.differences:
        assert (one.system in untold) == (not one.is_shown)


def test_all_pairs_are_said_as_pairs_and_systems_that_none_tells_apart_make_a_group():
    scores = human_scores(rated({"base": 0, "good": 1, "fair": 1}), comparisons="all")
    assert people_headline(scores).startswith(
        "Rated highest of 3 systems: good or fair, between which no difference is shown. These raters rate good "
        "higher than base; fair higher than base; no difference is shown between good and fair ("
    )
    assert groups_alike(["good", "fair", "base"], scores.apart) == [["good", "fair"], ["base"]]


def test_many_pairs_are_counted_and_the_best_is_named():
    names = [f"s{number}" for number in range(6)]
    scores = human_scores(rated({name: shift for shift, name in enumerate(names)}), comparisons="all")
    assert people_headline(scores).startswith(
        "Rated highest of 6 systems: s5. These raters rate the two systems differently in 15 of 15 pairs ("
    )


def test_of_all_pairs_of_preferences_the_most_preferred_are_named():
    pairs = [("a", "b", 18), ("a", "c", 18), ("b", "c", 10)]
    rows = [
        (f"{first}{second}{item}", first, second, float(item < wins))
        for first, second, wins in pairs
        for item in range(20)
    ]
    frame = pd.DataFrame(rows, columns=["item", "system_a", "system_b", "preference"])
    beside_a = preference_headline(win_rates(frame, ["a", "b", "c"]))
    assert beside_a.startswith("These raters prefer a to b and a to c (")
    every = preference_headline(win_rates(frame, ["a", "b", "c"], comparisons="all"))
    assert every.startswith(
        "Most preferred of 3 systems: a. These raters prefer a to b and a to c; no preference is shown between c and "
        "b ("
    )


def test_pairs_without_a_shown_preference_are_parted_in_words():
    rows = [(n, *pair, n % 2) for n in range(20) for pair in ("ab", "ac", "bc")]
    frame = pd.DataFrame(rows, columns=["item", "system_a", "system_b", "preference"])
    told = preference_headline(win_rates(frame, ["a", "b", "c"], comparisons="all"))
    assert told.startswith("No preference is shown between b and a, between c and a and between c and b (")


def test_the_best_stand_in_the_order_of_their_means_or_strengths():
    scores = human_scores(rated({"base": 0, "good": 1, "better": 1.05}), comparisons="all")
    means = {score.system: score.mean.value for score in scores.scores}
    first, second = sorted(["good", "better"], key=lambda name: -means[name])
    assert people_headline(scores).startswith(f"Rated highest of 3 systems: {first} or {second}, between which")
    pairs = [("a", "b", 20), ("a", "c", 9), ("c", "b", 20)]
    rows = [(f"{n}{one}{other}", one, other, float(n < wins)) for one, other, wins in pairs for n in range(20)]
    frame = pd.DataFrame(rows, columns=["item", "system_a", "system_b", "preference"])
    told = preference_headline(win_rates(frame, ["a", "b", "c"], comparisons="all"))
    assert told.startswith("Most preferred of 3 systems: c or a, between which no preference is shown.")


def test_preferences_of_other_items_for_each_pair_tell_how_many_these_are():
    pairs = list(combinations("abcd", 2))
    rows = [(f"{n}{one}{other}", one, other, n % 2) for one, other in pairs for n in range(20)]
    frame = pd.DataFrame(rows, columns=["item", "system_a", "system_b", "preference"])
    rates = win_rates(frame, list("abcd"), comparisons="all")
    for n_items, told in ((120, "On 20 items of each pair, 120 in all: no"), (20, "On 20 items: no")):
        assert any(told in line for line in preference_lines(rates, {}, Drawn(), n_items=n_items))


def test_of_some_pairs_alone_none_is_called_the_most_preferred():
    pairs = [("a", "b", 18), ("b", "c", 18)]
    rows = [
        (f"{first}{second}{item}", first, second, float(item < wins))
        for first, second, wins in pairs
        for item in range(20)
    ]
    frame = pd.DataFrame(rows, columns=["item", "system_a", "system_b", "preference"])
    rates = win_rates(frame, ["a", "b", "c"], comparisons="all")
    assert all(rate.lead >= 0 for rate in rates)
    assert preference_headline(rates, strengths(frame, ["a", "b", "c"], "t")).startswith(
        "By Bradley-Terry, the strongest first, without a test: a, b, c. These raters prefer"
    )
    assert preference_headline(rates).startswith("These raters prefer")


@pytest.mark.parametrize("estimates", [False, True])
def test_a_metric_speaks_for_itself_alone(estimates):
    figures = {"base": (0.5, None), "better": (0.7, 0.001), "alike": (0.6, 0.04), "worse": (0.3, 0.01)}
    sentence = metrics_headline([comparison(figures, estimates_ratings=estimates)])
    assert sentence.endswith("This says nothing about people.")
    if estimates:  # of ratings: no difference is claimed
        assert sentence.startswith(
            "By the estimates of M (worth not known), the order of means is better (0.7), alike (0.6), base (0.5) and"
        )
    else:
        expected = (
            "By M, better and alike are higher than base; worse is lower than base (95%, Holm over 3 comparisons)."
        )
        assert sentence.startswith(expected)


def test_a_metric_that_tells_no_difference_is_named():
    sentence = metrics_headline([comparison(dict.fromkeys(("base", "gong", "zhang"), (0.5, 1.0)))])
    shown = "By M, no difference is shown between base and any of gong and zhang (95%, Holm over 2 comparisons)."
    assert sentence.startswith(shown)


def test_a_metric_without_a_test_has_no_finding():
    sentence = metrics_headline([comparison(dict.fromkeys(("base", "gong", "zhang"), (0.5, None)))])
    assert sentence.startswith("By M, no difference is tested (9 segments are too few for a test).")


def test_estimates_are_named_with_their_worth_and_equal_means_are_called_equal():
    verdict = Verdict("error", 0.9, 0.1, -0.1, 0.3, 0.0, "texts")
    figures = {"base": (3.9407, None), "copy": (3.9407, 1.0), "other": (3.9412, 1.0)}
    sentence = metrics_headline([comparison(figures, estimates_ratings=True, verdict=verdict)])
    assert sentence.startswith(
        "By the estimates of M (no better than the mean), the order of means is other (3.9412) and "
        "base = copy (3.9407)."
    )
    del figures["other"]
    sentence = metrics_headline([comparison(figures, estimates_ratings=True, verdict=verdict)])
    assert "(no better than the mean), the means of base and copy are equal (3.94)." in sentence


def test_what_stands_beside_a_metric_has_its_sentence_and_the_same_outputs_are_called_the_same():
    texts, others = ["an old cat", "a young dog"] * 6, ["an odd cat", "a young cat"] * 6
    systems = [("base", texts), ("copy", texts), ("other", others)]
    metric = SacrebleuAdapter(estimator=Lengths())
    compared = compare_systems(systems, metric, references=[texts], others=[CHRF()], n_samples=200)
    assert metrics_headline([compared]).startswith(
        "By lengths, no difference is shown between other and base; copy has the same outputs as base. "
        "By chrF2, other is lower than base; copy has the same outputs as base. (95%, "
    )
    assert "outputs that are the same as those of base: copy 12 of 12" in render_comparisons([compared])


BEST = {
    "one": ({"base": 0, "good": 1, "fair": 0.5, "bad": -1}, ", all others are rated lower than good."),
    "two": ({"base": 0, "good": 1, "like": 1.0}, " not shown to be rated lower than "),
    "none": ({"base": -0.1, "like": 0, "same": 0.01}, ", no other is shown to be rated lower than "),
}


@pytest.mark.parametrize("name", BEST)
def test_the_highest_mean_is_named_without_a_test_and_those_that_may_be_as_high_in_a_sentence_of_their_own(name):
    shifts, rest = BEST[name]
    scores = human_scores(rated(shifts))
    best, alike = scores.leading
    told = people_headline(scores, names_best=True)
    parts = told.partition(people_headline(scores))
    highest = parts[2] if name == "none" else parts[0]  # none leads if no difference is shown
    assert highest.strip().startswith(f"Highest mean rating: {best[0]} (")
    assert parts[1]
    assert (parts[0] + parts[2]).count("Highest") == 1
    assert told.count("Holm") == 1
    others = on_highest(scores)
    assert others.startswith(f"Over all {len(shifts) * (len(shifts) - 1) // 2} pairs (Holm), ")
    assert rest in others
    means = {each.system: each.mean.value for each in scores.scores}
    assert means[best[0]] == max(means.values())
    pairs = human_scores(rated(shifts), comparisons="all")
    lower = {each.ranked[1] for each in pairs.differences if each.is_shown and each.ranked[0] == best[0]}
    assert set(alike) == set(shifts) - lower - set(best)
    assert not on_highest(pairs)
    assert all(each.lead >= 0 for each in pairs.differences)


def test_the_highest_mean_by_several_criteria_is_tested_over_all_of_their_pairs():
    of_criteria = scores_by_criterion([human_scores(rated(BEST[name][0])) for name in ("two", "none")])
    assert all(on_highest(each).startswith("Over all 6 pairs (Holm), ") for each in of_criteria)


def test_two_systems_have_no_highest():
    scores = human_scores(rated({"base": 0, "good": 1}))
    assert people_headline(scores, names_best=True) == people_headline(scores)
    assert not on_highest(scores)
