"""The worth of estimates beside ratings, and beside baselines that cost nothing."""

import math

import numpy as np
import pytest
from scipy import stats

from referenceless_metrics.assessment.agreement import (
    CANNOT_TELL,
    NO_BETTER,
    OTHER_SYSTEMS,
    SYSTEMS,
    USEFUL,
    WEAK,
    WITHIN,
    agreement,
    verdict_from,
)

GENERATOR = np.random.default_rng(0)
RATINGS = GENERATOR.normal(size=300)
NOISE = GENERATOR.normal(size=300)
TEXTS = ["x" * length for length in GENERATOR.integers(1, 80, 300)]


def of_correlation(r):
    """Return estimates that correlate so with the ratings, and are their best guess."""
    return abs(r) * (r * RATINGS + math.sqrt(1 - r * r) * NOISE)


def around_the_others(estimates, ratings=RATINGS):
    """Return estimates as leaving each text out gives them: around the mean of the other ratings."""
    return estimates + (ratings.sum() - ratings) / (len(ratings) - 1)


@pytest.mark.parametrize("r, verdict", [(0.6, WITHIN), (0.2, WEAK), (0.0, NO_BETTER), (-0.6, NO_BETTER)])
def test_the_verdict_has_degrees(r, verdict):
    result = agreement(of_correlation(r), RATINGS, TEXTS)
    assert verdict_from(result).verdict == verdict
    assert (OTHER_SYSTEMS in verdict_from(result).summary) == (verdict != NO_BETTER)
    of_systems = verdict_from(result, SYSTEMS)
    assert of_systems.verdict == (USEFUL if verdict == WITHIN else verdict)
    assert OTHER_SYSTEMS not in of_systems.summary
    if r > 0:
        assert result.r_squared == pytest.approx(r * r, abs=0.08)


def test_abstentions_count_as_the_mean_of_the_others():
    estimates = of_correlation(0.6)
    half = np.where(np.arange(300) % 2, estimates, np.nan)
    result = agreement(half, RATINGS, TEXTS)
    others = (RATINGS.sum() - RATINGS) / 299
    filled = np.where(np.isnan(half), others, half)
    expected = 1 - ((filled - RATINGS) ** 2).sum() / ((others - RATINGS) ** 2).sum()
    assert result.r_squared == pytest.approx(expected)
    assert result.coverage == 0.5
    assert result.mean_squared_error == pytest.approx(((half - RATINGS)[1::2] ** 2).mean())
    assert result.baseline_error == pytest.approx(((others - RATINGS)[1::2] ** 2).mean())
    assert result.r_squared < agreement(estimates, RATINGS, TEXTS).r_squared


def test_estimates_that_know_the_length_alone_are_never_useful():
    lengths = np.array([len(text) for text in TEXTS], dtype=float)
    ratings = lengths / 20 + GENERATOR.normal(size=300)
    result = agreement(around_the_others(lengths / 20 - 2, ratings), ratings, TEXTS)
    assert result.length.value == pytest.approx(stats.spearmanr(lengths, ratings).statistic)
    assert result.corrected.value == pytest.approx(result.length.value)
    assert math.isnan(result.given_length.value)
    assert verdict_from(result).verdict == WEAK


def test_holding_the_length_fixed_is_partial_rank_correlation():
    lengths = np.array([len(text) for text in TEXTS], dtype=float)
    estimates = of_correlation(0.5) + lengths / 40
    ratings = RATINGS + lengths / 30
    ranks = np.array([stats.rankdata(values) for values in (estimates, ratings, lengths)])
    inverse = np.linalg.inv(np.corrcoef(ranks))
    expected = -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])
    assert agreement(around_the_others(estimates, ratings), ratings, TEXTS).given_length.value == pytest.approx(
        expected
    )


def test_the_bias_of_leaving_texts_out_is_taken_off_and_the_interval_counts_the_pool():
    generator = np.random.default_rng(1)
    plain, corrected, held = [], [], []
    for _ in range(150):
        ratings, weights = generator.normal(size=60), generator.random((60, 60))
        weights = (weights + weights.T) ** 3
        np.fill_diagonal(weights, 0.0)
        found = agreement(weights @ ratings / weights.sum(axis=1), ratings, TEXTS[:60])
        plain.append(found.spearman.value)
        corrected.append(found.corrected.value)
        held.append(found.corrected.low <= 0 <= found.corrected.high)
    assert np.mean(plain) < -0.08
    assert abs(np.mean(corrected)) < 0.04
    assert np.mean(held) >= 0.93


def test_a_wide_interval_is_no_finding_against_the_metric():
    few = slice(0, 60)
    result = agreement(of_correlation(0.2)[few], RATINGS[few], TEXTS[few])
    assert result.corrected.low < 0
    assert result.corrected.high > 0.32
    assert verdict_from(result).verdict == CANNOT_TELL
    assert "includes 0 as well as 0.32, which would be useful" in verdict_from(result).summary


def test_estimates_that_are_all_one_correlate_with_nothing():
    result = agreement(np.full(300, 2.0), RATINGS, TEXTS)
    assert math.isnan(result.corrected.value)
    assert verdict_from(result).verdict == NO_BETTER


def test_tied_ratings_that_are_told_in_full_have_an_interval():
    ratings = np.repeat([1.0, 2.0], 30)
    result = agreement(around_the_others(10 * ratings, ratings), ratings, TEXTS[:60])
    assert result.corrected.value == pytest.approx(1)
    assert 0.8 < result.corrected.low < result.corrected.high <= 1
    assert "nan" not in verdict_from(result).summary


def test_within_systems_their_differences_count_for_nothing():
    system, guessed = np.arange(300) % 2, of_correlation(0.3)
    apart = 5.0 * system
    within = [values - np.array([values[system == k].mean() for k in (0, 1)])[system] for values in (guessed, RATINGS)]
    result = agreement(guessed + apart, RATINGS + apart, TEXTS, systems=system)
    assert result.spearman.value == pytest.approx(stats.spearmanr(*within).statistic)
    assert agreement(guessed + apart, RATINGS + apart, TEXTS).spearman.value > 0.7
    some = np.where(np.arange(300) < 200, guessed, np.nan)
    assert agreement(some, RATINGS, TEXTS, systems=system).spearman.n == 200
