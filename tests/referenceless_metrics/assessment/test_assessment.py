"""One assessment for every command: the units left out, the mean, and the way of leaving out to be expected."""

import numpy as np
import pytest
from refusals import refused
from scipy.stats import spearmanr

from referenceless_metrics.assessment.agreement import GROUPS, NEAR_COPIES, NO_BETTER, SYSTEMS, TEXTS, WITHIN
from referenceless_metrics.assessment.assessment import (
    assess,
    group_folds,
    groupings_of,
    left_out_estimates,
    training_means,
)
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.support.validation import InputError

GENERATOR = np.random.default_rng(0)
N = 300
RATINGS = GENERATOR.normal(size=N)
TEXTS_ = [f"{number} " + "x" * length for number, length in enumerate(GENERATOR.integers(1, 80, N))]
SYSTEM = np.arange(N) % 3


def means_of_parts(members):
    """Estimate each text as the mean rating of the part, itself left out: worth nothing."""
    others = members.sum(axis=0) - members
    return (RATINGS @ members - members * RATINGS[:, None]) / others


def of_own_system(members):
    """Estimate well if a part holds texts of the same system, else by noise."""
    good = RATINGS + GENERATOR.normal(size=N)
    known = np.array([[part[system == SYSTEM].any() for part in members.T] for system in SYSTEM])
    return np.where(known, good[:, None], GENERATOR.normal(size=(N, 1)))


def test_groups_are_estimated_from_the_others_and_brought_to_one_mean():
    seen = []

    def from_parts(members):
        seen.append(members)
        return means_of_parts(members)

    estimates = left_out_estimates(from_parts, RATINGS, {GROUPS: SYSTEM})
    np.testing.assert_array_equal(seen[0], np.ones((N, 1)))
    np.testing.assert_array_equal(seen[1], (SYSTEM[:, None] != np.arange(3)).astype(float))
    np.testing.assert_allclose(estimates[GROUPS], RATINGS.mean())  # worthless parts do not speak against their ratings
    assert spearmanr(estimates[TEXTS], RATINGS).statistic < -0.9  # as single texts left out do by construction


def test_the_error_of_the_mean_has_one_meaning_whatever_is_left_out():
    """It is that of the mean of the other ratings, or of those outside the group, from which an estimate was made."""
    copies = np.where(np.arange(N) < 20, np.arange(N) // 2, np.arange(N))
    copies = np.unique(copies, return_inverse=True)[1]
    groupings = {GROUPS: SYSTEM, NEAR_COPIES: copies}
    assessment = assess(left_out_estimates(means_of_parts, RATINGS, groupings), TEXTS_, RATINGS, groupings=groupings)
    outside = {
        TEXTS: [np.delete(RATINGS, place).mean() for place in range(N)],
        GROUPS: [RATINGS[system != SYSTEM].mean() for system in SYSTEM],
        NEAR_COPIES: training_means(NEAR_COPIES, RATINGS, copies),
    }
    np.testing.assert_allclose(outside[NEAR_COPIES][20:], outside[TEXTS][20:])
    folds = group_folds(copies[:20])
    near = [RATINGS[[*np.flatnonzero(folds != fold), *range(20, N)]].mean() for fold in folds]
    np.testing.assert_allclose(outside[NEAR_COPIES][:20], near)
    for left_out, means in outside.items():
        agreed = assessment.agreements[left_out]
        assert agreed.baseline_error == pytest.approx(((means - RATINGS) ** 2).mean())
        # Estimates that are these means are neither better nor worse, and gain nothing from being brought to one mean.
        assert agreed.mean_squared_error == pytest.approx(agreed.baseline_error)
        assert agreed.r_squared == pytest.approx(0)
        assert agreed.baseline_error > RATINGS.var()


def test_what_is_left_out_most_strictly_is_to_be_expected():
    groupings = {SYSTEMS: SYSTEM}
    estimates = left_out_estimates(of_own_system, RATINGS, groupings)
    assert assess({TEXTS: estimates[TEXTS]}, TEXTS_, RATINGS).verdict.verdict == WITHIN
    both = assess(estimates, TEXTS_, RATINGS, groupings=groupings)
    assert (both.strictest, both.verdict.left_out, both.verdict.verdict) == (SYSTEMS, SYSTEMS, NO_BETTER)
    assert both.verdict.spearman == both.expected.corrected.value == both.figures()["system_spearman_corrected"]
    assert both.figures()["spearman"] > 0.5
    assert both.figures()["n_systems"] == 3
    assert both.findings()[:2] == [both.verdict.summary, "Do not report these estimates as quality."]
    said = " ".join(both.findings())
    assert f"texts {both.agreements[TEXTS].corrected.value:.2f} [" in said
    assert f"systems {both.expected.corrected.value:.2f} [" in said


def test_groups_of_distinct_texts():
    rated = RatedTexts(list("abcabd"), np.arange(6.0), {GROUPS: tuple("uvuvuv")})
    assert groupings_of(rated, list("abcd"))[GROUPS].tolist() == [0, 1, 0, 1]  # a text in two counts for the first
    one_system = RatedTexts(list("abcd"), np.arange(4.0), {SYSTEMS: ("x",) * 4})
    assert groupings_of(one_system, list("abcd")) == {}  # the verdict then says that others may get less
    with refused("all 4 texts are of one group", InputError):
        groupings_of(RatedTexts(list("abcd"), np.arange(4.0), {GROUPS: ("x",) * 4}), list("abcd"))


def test_what_no_estimate_tells_is_not_told():
    lengths = np.array([len(text) for text in TEXTS_], float)
    said = " ".join(assess({TEXTS: np.full(N, np.nan)}, TEXTS_, lengths).findings())
    assert "Length alone correlates with the ratings at ρ 1.00." in said
    assert "nan" not in said


def test_a_way_of_leaving_out_that_leaves_too_few_estimates_tells_no_correlation():
    systems = np.arange(N) % 3
    estimates = {TEXTS: RATINGS + GENERATOR.normal(size=N), SYSTEMS: np.full(N, np.nan)}
    said = " ".join(assess(estimates, TEXTS_, RATINGS, groupings={SYSTEMS: systems}).findings())
    assert "systems cannot be told, of too few estimates, at coverage 0.00, the mean of each system's own ρ" in said
    assert "is what to expect" not in said
    assert "nan" not in said


def test_equal_ratings_are_told_as_such():
    systems = np.arange(N) % 3
    estimates = dict.fromkeys((TEXTS, SYSTEMS), RATINGS)
    said = " ".join(assess(estimates, TEXTS_, np.full(N, 3.0), groupings={SYSTEMS: systems}).findings())
    assert "texts cannot be told, since all ratings, or all estimates, are equal, at coverage 1.00" in said
    assert "too few" not in said


def test_the_length_is_held_against_the_ratings_of_the_system_where_systems_are_left_out():
    systems = np.arange(N) % 3
    lengths = np.array([len(text) for text in TEXTS_], float)
    estimates = {TEXTS: lengths, SYSTEMS: lengths}
    said = " ".join(assess(estimates, TEXTS_, lengths, groupings={SYSTEMS: systems}).findings())
    assert "Within systems, length alone correlates with the ratings at ρ 1.00" in said


def test_what_belongs_together_is_asked_for_until_it_is_named():
    noisy = RATINGS + GENERATOR.normal(size=N)
    copies = {NEAR_COPIES: np.arange(N) // 2}
    asked = "Name what belongs together (--group-column)"
    found = assess({TEXTS: noisy, NEAR_COPIES: noisy}, TEXTS_, RATINGS, groupings=copies)
    assert asked in " ".join(found.findings())
    named = {GROUPS: np.arange(N) // 4}
    found = assess(dict.fromkeys((TEXTS, NEAR_COPIES, GROUPS), noisy), TEXTS_, RATINGS, groupings=copies | named)
    assert "left out together." in " ".join(found.findings())
    assert asked not in " ".join(found.findings())


def test_the_sentence_on_what_to_expect_says_why_it_is_that_of_near_copies_or_not():
    groups = {NEAR_COPIES: np.arange(N) // 2, GROUPS: np.arange(N) // 4}

    def said(near, grouped):
        estimates = {TEXTS: RATINGS + 0.1 * GENERATOR.normal(size=N), NEAR_COPIES: near, GROUPS: grouped}
        found = assess(estimates, TEXTS_, RATINGS, groupings=groups)
        return next(line for line in found.findings() if "is what to expect" in line).rpartition(". ")[2]

    good, less, poor = (RATINGS + noise * GENERATOR.normal(size=N) for noise in (0.1, 0.3, 3.0))
    assert said(less, good) == "That of near copies is what to expect: it is lower than that of groups."
    assert said(good, less) == "The last is what to expect: that of near copies is not lower."
    other = said(poor, good)
    assert other.startswith("That of near copies is what to expect: its verdict, ")
    assert other.endswith(", is lower than that with groups left out, useful for the rated systems alone.")


def test_the_ceiling_is_told_where_many_texts_were_rated_again():
    twice = RatedTexts(TEXTS_ * 2, np.concatenate([RATINGS, RATINGS + 0.1]))
    found = assess({TEXTS: RATINGS + GENERATOR.normal(size=N)}, TEXTS_, RATINGS, rated=twice)
    assert any("Rater noise caps" in finding for finding in found.findings())
    assert found.n_ratings == 2 * N
    assert found.figures()["share_of_ceiling"] == pytest.approx(found.expected.corrected.value, abs=0.02)
    few = RatedTexts([*TEXTS_, TEXTS_[0]], np.append(RATINGS, 0.0))
    assert not any(
        "Rater noise" in finding for finding in assess({TEXTS: RATINGS}, TEXTS_, RATINGS, rated=few).findings()
    )
