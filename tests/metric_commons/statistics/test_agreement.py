"""What estimates are worth beside ratings, and beside what costs nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from metric_commons.statistics.agreement import (
    NO_BETTER,
    USEFUL,
    WEAK,
    agreement,
    rater_ceiling,
    worst,
)

GENERATOR = np.random.default_rng(0)
RATINGS = GENERATOR.normal(size=300)
NOISE = GENERATOR.normal(size=300)
TEXTS = ["x" * length for length in GENERATOR.integers(1, 80, 300)]


def of_correlation(r: float) -> np.ndarray:
    """Return estimates that correlate so with the ratings, and are their best guess."""
    return abs(r) * (r * RATINGS + math.sqrt(1 - r * r) * NOISE)


@pytest.mark.parametrize(("r", "verdict"), [(0.6, USEFUL), (0.2, WEAK), (0.0, NO_BETTER), (-0.6, NO_BETTER)])
def test_the_verdict_has_degrees(r: float, verdict: str) -> None:
    result = agreement(of_correlation(r), RATINGS, TEXTS)
    assert result.verdict == verdict
    if r > 0:
        assert result.r_squared == pytest.approx(r * r, abs=0.08)


def test_abstentions_count_as_the_mean_of_the_others() -> None:
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


def test_few_covered_texts_are_worth_nothing() -> None:
    assert agreement(np.where(np.arange(300) < 29, RATINGS, np.nan), RATINGS, TEXTS).verdict == NO_BETTER
    nothing = agreement(np.full(300, np.nan), RATINGS, TEXTS)
    assert nothing.verdict == NO_BETTER
    assert nothing.r_squared == pytest.approx(0)
    assert math.isnan(nothing.spearman.value)


def test_estimates_that_know_the_length_alone_are_never_useful() -> None:
    lengths = np.array([len(text) for text in TEXTS], dtype=float)
    ratings = lengths / 20 + GENERATOR.normal(size=300)
    result = agreement(lengths / 20, ratings, TEXTS)
    assert result.length.value == pytest.approx(stats.spearmanr(lengths, ratings).statistic)
    assert result.spearman.value == pytest.approx(result.length.value)
    assert math.isnan(result.given_length.value)
    assert result.verdict == WEAK


def test_holding_the_length_fixed_is_partial_rank_correlation() -> None:
    lengths = np.array([len(text) for text in TEXTS], dtype=float)
    estimates = of_correlation(0.5) + lengths / 40
    ratings = RATINGS + lengths / 30
    ranks = np.array([stats.rankdata(values) for values in (estimates, ratings, lengths)])
    inverse = np.linalg.inv(np.corrcoef(ranks))
    expected = -inverse[0, 1] / math.sqrt(inverse[0, 0] * inverse[1, 1])
    assert agreement(estimates, ratings, TEXTS).given_length.value == pytest.approx(expected)


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one value for each of the 2 texts"):
        agreement([1.0], [1.0, 2.0], ["a", "b"])


def test_the_worst_verdict_holds() -> None:
    assert worst([USEFUL, NO_BETTER, WEAK]) == NO_BETTER


def test_the_ceiling_is_the_correlation_of_the_truth_with_noisy_means() -> None:
    truth = GENERATOR.normal(size=3000)
    n_raters = GENERATOR.integers(1, 6, 3000)
    texts = np.repeat(np.arange(3000), n_raters).astype(str).tolist()
    ratings = np.repeat(truth, n_raters) + GENERATOR.normal(size=n_raters.sum()) * 1.5
    means = np.array([chunk.mean() for chunk in np.split(ratings, np.cumsum(n_raters)[:-1])])
    ceiling = rater_ceiling(texts, ratings)
    assert ceiling is not None
    assert ceiling.correlation == pytest.approx(np.corrcoef(truth, means)[0, 1], abs=0.02)
    assert ceiling.n_ratings == pytest.approx(n_raters.mean())


def test_raters_that_agree_or_never_meet() -> None:
    agreed = rater_ceiling(["a", "a", "b", "b"], [1, 1, 2, 2])
    assert agreed is not None
    assert agreed.correlation == 1
    noise = rater_ceiling(["a", "a", "b", "b"], [1, 5, 5, 1])
    assert noise is not None
    assert noise.correlation == 0
    assert rater_ceiling(["a", "b", "c"], [1, 2, 3]) is None
    assert rater_ceiling(["a", "a"], [1, 2]) is None
