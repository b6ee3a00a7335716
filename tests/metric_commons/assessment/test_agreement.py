"""What estimates are worth beside ratings, and beside what costs nothing."""

import math

import numpy as np
import pytest
from refusals import refused
from scipy import stats

from metric_commons.assessment.agreement import NO_BETTER, USEFUL, WEAK, agreement, on_common_mean, worst

GENERATOR = np.random.default_rng(0)
RATINGS = GENERATOR.normal(size=300)
NOISE = GENERATOR.normal(size=300)
TEXTS = ["x" * length for length in GENERATOR.integers(1, 80, 300)]


def of_correlation(r):
    """Return estimates that correlate so with the ratings, and are their best guess."""
    return abs(r) * (r * RATINGS + math.sqrt(1 - r * r) * NOISE)


@pytest.mark.parametrize("r, verdict", [(0.6, USEFUL), (0.2, WEAK), (0.0, NO_BETTER), (-0.6, NO_BETTER)])
def test_the_verdict_has_degrees(r, verdict):
    result = agreement(of_correlation(r), RATINGS, TEXTS)
    assert result.verdict == verdict
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


def test_few_covered_texts_are_worth_nothing():
    assert agreement(np.where(np.arange(300) < 29, RATINGS, np.nan), RATINGS, TEXTS).verdict == NO_BETTER
    nothing = agreement(np.full(300, np.nan), RATINGS, TEXTS)
    assert nothing.verdict == NO_BETTER
    assert nothing.r_squared == pytest.approx(0)
    assert math.isnan(nothing.spearman.value)


def test_estimates_that_know_the_length_alone_are_never_useful():
    lengths = np.array([len(text) for text in TEXTS], dtype=float)
    ratings = lengths / 20 + GENERATOR.normal(size=300)
    result = agreement(lengths / 20, ratings, TEXTS)
    assert result.length.value == pytest.approx(stats.spearmanr(lengths, ratings).statistic)
    assert result.spearman.value == pytest.approx(result.length.value)
    assert math.isnan(result.given_length.value)
    assert result.verdict == WEAK


def test_holding_the_length_fixed_is_partial_rank_correlation():
    lengths = np.array([len(text) for text in TEXTS], dtype=float)
    estimates = of_correlation(0.5) + lengths / 40
    ratings = RATINGS + lengths / 30
    ranks = np.array([stats.rankdata(values) for values in (estimates, ratings, lengths)])
    inverse = np.linalg.inv(np.corrcoef(ranks))
    expected = -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])
    assert agreement(estimates, ratings, TEXTS).given_length.value == pytest.approx(expected)


def test_unequal_lengths_are_refused():
    with refused("one value for each of the 2 texts"):
        agreement([1.0], [1.0, 2.0], ["a", "b"])


def test_parts_that_are_left_out_do_not_speak_against_their_ratings():
    fold = np.arange(300) % 5
    centres = np.array([RATINGS[fold != k].mean() for k in range(5)])[fold]
    worthless = centres + 0.01 * NOISE
    assert stats.spearmanr(worthless, RATINGS).statistic < -0.05
    assert abs(stats.spearmanr(on_common_mean(worthless, centres, RATINGS), RATINGS).statistic) < 0.12
    agreed = agreement(on_common_mean(worthless, centres, RATINGS), RATINGS, TEXTS, baseline=float(RATINGS.mean()))
    assert agreed.baseline_error == pytest.approx(RATINGS.var())
    assert agreed.r_squared == pytest.approx(0, abs=0.005)
    same = on_common_mean(of_correlation(0.5), np.full(300, RATINGS.mean()), RATINGS)
    np.testing.assert_allclose(same, of_correlation(0.5), atol=0.02)


def test_the_worst_verdict_holds():
    assert worst([USEFUL, NO_BETTER, WEAK]) == NO_BETTER
