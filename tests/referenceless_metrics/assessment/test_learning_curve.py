"""Learning curves: the results of parts of each size, and their meaning for buying ratings."""

import math

import numpy as np
import pytest
from refusals import refused

from referenceless_metrics.assessment.learning_curve import CurvePoint, LearningCurve, learning_curve

N = 96
RATINGS = np.random.default_rng(0).normal(size=N)
NOISE = np.random.default_rng(1).normal(size=N)


def estimates(members):
    """Estimate better from larger parts."""
    share = members.sum(axis=0) / N
    found = share * RATINGS[:, None] + NOISE[:, None]
    found[0] = np.nan
    return found


def test_draws_depend_on_the_seed_and_their_size_alone():
    seen = {}

    def from_parts(members):
        for part in members.T:
            seen.setdefault(int(part.sum()), []).append(part.tolist())
        return estimates(members)

    first = learning_curve(from_parts, RATINGS, (20, 60), seed=1)
    drawn = dict(seen)
    seen.clear()
    assert learning_curve(from_parts, RATINGS, (60, 20, 20, 96), seed=1).points[:2] == first.points
    assert {size: seen[size] for size in drawn} == drawn
    assert [len(seen[size]) for size in (20, 60, 96)] == [20, 20, 1]
    assert learning_curve(from_parts, RATINGS, (20,), seed=2).points[0].n_draws == 20
    assert seen[20][-1] != drawn[20][-1]


def test_the_gain_is_that_of_the_last_doubling():
    curve = learning_curve(estimates, RATINGS)
    half, last = (next(point for point in curve.points if point.size == size) for size in (48, 96))
    assert curve.gain == pytest.approx(last.spearman - half.spearman)
    assert f"The last doubling brought {curve.gain:+.3f}" in curve.findings[1]
    assert learning_curve(estimates, RATINGS, (48, 96)).gain == curve.gain
    assert math.isnan(learning_curve(estimates, RATINGS, (90, 96)).gain)
    constant = learning_curve(estimates, np.full(N, 0.3))
    assert "all ratings are equal" in constant.findings[0]


@pytest.mark.parametrize(
    "arguments, error, name",
    [
        ({"sizes": (0,)}, ValueError, "sizes"),
        ({"sizes": [2.5]}, TypeError, "sizes"),
        ({"n_draws": 0}, ValueError, "n_draws"),
        ({"seed": -1}, ValueError, "seed"),
    ],
)
def test_bad_arguments_are_named(arguments, error, name):
    with refused(f"argument `{name}` to ", error):
        learning_curve(estimates, RATINGS, **arguments)


def test_a_few_draws_have_no_spread():
    curve = learning_curve(estimates, RATINGS, (48, 96), n_draws=9)
    assert all(math.isnan(point.spearman_std) for point in curve.points)
    assert "do not tell how much of that is chance" in curve.findings[1]
    assert learning_curve(estimates, RATINGS, (48, 96), n_draws=10).points[0].spearman_std >= 0


@pytest.mark.parametrize(
    "gain, spread, told",
    [
        (0.3, 0.1, "more ratings are likely to help"),
        (0.06, 0.13, "100 texts do not tell whether more ratings would help"),
        (0.01, 0.015, "are not likely to help much"),
    ],
)
def test_advice_on_more_ratings_follows_the_spread(gain, spread, told):
    half, whole = (CurvePoint(n, rho, spread, 1.0, 0.1, 1.0, 0.0, 20, 20) for n, rho in ((50, 0.3), (100, 0.3 + gain)))
    assert told in LearningCurve((half, whole)).findings[1]
