"""The ceiling that raters set is the correlation of estimates without error, and its interval holds it."""

import numpy as np
import pytest
from scipy import stats

from referenceless_metrics.assessment.rater_ceiling import RaterCeiling, rater_ceiling

GENERATOR = np.random.default_rng(0)


def rated(truth, n_raters, noise=1.0):
    """Return texts by their number and ratings, so many of each."""
    texts = np.repeat(np.arange(len(truth)), n_raters).astype(str).tolist()
    return texts, np.repeat(truth, n_raters) + GENERATOR.normal(size=len(texts)) * noise


def test_the_ceiling_is_the_correlation_of_the_truth_with_noisy_means():
    truth = GENERATOR.normal(size=3000)
    n_raters = GENERATOR.integers(1, 6, 3000)
    texts, ratings = rated(truth, n_raters, 1.5)
    means = np.array([chunk.mean() for chunk in np.split(ratings, np.cumsum(n_raters)[:-1])])
    ceiling = rater_ceiling(texts, ratings)
    assert ceiling.correlation == pytest.approx(np.corrcoef(truth, means)[0, 1], abs=0.02)
    assert ceiling.by_rank == pytest.approx(stats.spearmanr(truth, means).statistic, abs=0.03)
    assert ceiling.n_ratings == pytest.approx(n_raters.mean())


@pytest.mark.parametrize(
    "texts, ratings, expected",
    [
        ("aabb", [1, 1, 2, 2], 1),
        ("aabb", [1, 5, 5, 1], 0),
        ("abc", [1, 2, 3], None),
        ("aa", [1, 2], None),
        ("aabb", [3, 3, 3, 3], None),
        ("aabbcc", [1, 3, 2, 2, 3, 1], 0),  # halves of the raters are each other's opposite
    ],
)
def test_raters_that_agree_or_never_meet(texts, ratings, expected):
    found = rater_ceiling(list(texts), ratings)
    assert (found and found.correlation) == expected
    assert found is None or np.isnan(found.by_rank)  # of two texts


def crossed(n, noises, leniency, seed=0):
    """Return the truth, and texts, ratings and raters of a complete design."""
    draw = np.random.default_rng(seed)
    truth = draw.normal(size=n)
    k = len(noises)
    ratings = truth[:, None] + np.array(leniency) + draw.normal(size=(n, k)) * np.array(noises)
    texts = np.repeat(np.arange(n), k).astype(str).tolist()
    return truth, texts, ratings.ravel(), ["ann", "bob", "cem"][:k] * n


def test_the_leniency_of_raters_of_all_texts_is_no_noise():
    truth, texts, ratings, raters = crossed(3000, (1.0, 1.5, 0.5), (0.0, 3.0, -2.0))
    means = ratings.reshape(-1, 3).mean(axis=1)
    ceiling = rater_ceiling(texts, ratings, raters)
    assert ceiling.correlation == pytest.approx(np.corrcoef(truth, means)[0, 1], abs=0.02)
    assert ceiling.by_rank == pytest.approx(stats.spearmanr(truth, means).statistic, abs=0.02)
    counted = rater_ceiling(texts, ratings)
    assert counted.correlation < ceiling.correlation - 0.2
    assert "leniency counted as noise" in str(counted)
    assert "leniency" not in str(ceiling)


def test_a_rater_who_rates_all_texts_higher_leaves_the_ceiling_as_it_is():
    _, texts, ratings, raters = crossed(40, (1.0, 1.0), (0.0, 0.0))
    before = rater_ceiling(texts, ratings, raters)
    after = rater_ceiling(texts, ratings + 5 * np.array([who == "bob" for who in raters]), raters)
    assert vars(after) == pytest.approx(vars(before))
    first, second = ratings.reshape(-1, 2).T
    covariance = np.cov(first, second)
    stepped = 4 * covariance[0, 1] / covariance.sum()  # Spearman and Brown's formula for raters of two variances
    assert before.reliability == pytest.approx(stepped)


def test_leniency_breaks_no_ties_of_ranks():
    draw = np.random.default_rng(3)
    truth = draw.integers(0, 3, 90)
    slip = draw.random((90, 2)) < 0.2
    ratings = np.where(slip, draw.integers(0, 3, (90, 2)), truth[:, None]).astype(float)
    ratings[:, 1] -= ratings[:, 1].mean() - ratings[:, 0].mean()
    texts, raters = np.repeat(np.arange(90), 2).astype(str).tolist(), ["ann", "bob"] * 90
    alike = rater_ceiling(texts, ratings.ravel(), raters)
    lenient = rater_ceiling(texts, (ratings + np.array([0, 0.01])).ravel(), raters)
    assert lenient.by_rank == pytest.approx(alike.by_rank, abs=1e-9)
    rank_of_one = stats.spearmanr(ratings[:, 0], ratings[:, 1]).statistic
    assert lenient.by_rank == pytest.approx(np.sqrt(2 * rank_of_one / (1 + rank_of_one)), abs=0.03)


def test_sums_in_another_order_break_no_ties_of_ranks():
    draw = np.random.default_rng(4)
    ratings = np.clip(np.round(draw.integers(1, 4, 80)[:, None] + draw.normal(size=(80, 6)) * 0.6), 1, 5)
    texts = np.repeat(np.arange(80), 6).astype(str).tolist()
    whole = rater_ceiling(texts, ratings.ravel())
    assert rater_ceiling(texts, (ratings / 10).ravel()).by_rank == pytest.approx(whole.by_rank, abs=1e-9)


@pytest.mark.parametrize("change", ["one lacks", "one stands twice", "others rated the rest"])
def test_without_a_complete_design_leniency_counts_as_noise(change):
    _, texts, ratings, raters = crossed(40, (1.0, 1.0), (0.0, 3.0))
    if change == "one lacks":
        texts, ratings, raters = texts[:-1], ratings[:-1], raters[:-1]
    elif change == "one stands twice":
        raters = [*raters[:-1], "ann"]
    else:
        raters = [*raters[:40], *("dan" if who == "ann" else who for who in raters[40:])]
    assert vars(rater_ceiling(texts, ratings, raters)) == vars(rater_ceiling(texts, ratings))


def test_raters_that_differ_in_leniency_alone_tell_nothing():
    assert rater_ceiling(list("aabbcc"), [0.1, 0.7] * 3, ["ann", "bob"] * 3) is None


@pytest.mark.long
def test_the_interval_of_a_complete_design_holds():
    held = 0
    for seed in range(400):
        _, texts, ratings, raters = crossed(30, (1.0, 1.0), (0.0, 2.0), seed)
        found = rater_ceiling(texts, ratings, raters)
        by_ranks = found.by_rank / found.correlation if found.reliability else 1.0
        held += found.low <= np.sqrt(2 / 3) * by_ranks <= found.high or found.high == 1
    assert held >= 370


@pytest.mark.long
def test_the_interval_holds_the_ceiling_of_few_repeated_texts():
    held, n_raters = 0, np.where(np.arange(60) < 25, 3, 1)
    for _ in range(10):
        found = rater_ceiling(*rated(GENERATOR.normal(size=60), n_raters))
        assert found.n_repeated == 25
        by_ranks = found.by_rank / found.correlation if found.reliability else 1.0
        reliability = 1 / (1 + (1 / n_raters).mean())
        held += found.low <= np.sqrt(reliability) * by_ranks <= found.high
    assert held >= 8


def test_few_texts_tell_no_ceiling_and_ratings_that_never_differ_give_no_interval():
    few = rater_ceiling(*rated(GENERATOR.normal(size=9), 2))
    assert np.isnan([few.by_rank, few.low, few.high, few.share(0.5)]).all()
    assert str(few) == (
        "The noise of raters, and the ρ that it allows, cannot be told (2.0 ratings a text, leniency counted as noise; "
        "9 texts were rated more than once, 10 are needed)"
    )
    assert few.summary(0.5) == f"{few}."
    alike = rater_ceiling(*rated(np.arange(20.0), 2, 0.0))
    assert (alike.by_rank, alike.why_no_interval) == (1.0, "no two ratings of a text differ")
    assert "nan" not in f"{alike} {alike.summary(0.5)} {few.summary(1.0)}"
    assert rater_ceiling(*rated(GENERATOR.normal(size=10), 2)).why_no_interval == ""


@pytest.mark.parametrize(
    "correlation, share, told",
    [
        (0.2, 0.5, "0.20 is 50% of it."),
        (-0.2, -0.5, "-0.20 is -50% of it, for texts of higher estimates have the lower ratings."),
        (-0.7, -1.0, "-0.70 is -100% of it"),
        (0.5, 1.0, "0.50 is above the figure and within its interval"),
        (0.7, 1.0, "the 12 texts that were rated more than once are not like the rest"),
    ],
)
def test_no_estimate_reaches_more_than_all_of_it(correlation, share, told):
    ceiling = RaterCeiling(reliability=0.16, n_ratings=1.2, n_repeated=12, by_rank=0.4, low=0.1, high=0.6)
    assert ceiling.share(correlation) == share
    assert told in ceiling.summary(correlation)


def test_an_interval_from_0_to_0_tells_nothing():
    ceiling = RaterCeiling(reliability=0, n_ratings=2, n_repeated=20, by_rank=0, low=0, high=0)
    told = "caps ρ near 0.00 (2.0 ratings a text, leniency counted as noise; without an interval: raters agree no more"
    for said in (f"{ceiling}.", ceiling.summary(0.1)):
        assert told in said
        assert said.endswith("than by chance).")


def test_raters_that_agree_by_chance_set_no_share():
    ceiling = RaterCeiling(reliability=0, n_ratings=2, n_repeated=9, by_rank=0, low=0, high=0.3)
    assert np.isnan(ceiling.share(0.1))
    assert "no more than by chance" in ceiling.summary(0.1)
