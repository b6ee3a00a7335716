"""Confidence sequences: by their definitions, one value after another; and equal means that are seldom told apart."""

import math

import numpy as np
import pytest
from numpy.random import default_rng

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.any_time import AsymptoticSequence, BettingSequence, Looks
from referenceless_metrics.human_evaluation.inference.every_look import watched_difference, watched_mean
from referenceless_metrics.human_evaluation.inference.one_sided import ends_of

LOOKS = Looks()


def capitals(values, mean, looks, most=0.9):
    """Return the capital of who bets that the mean is above, and below, this one: a bet at a time."""
    above = below = 1.0
    seen = []
    for value in values:
        # The mean of the first k values has one value of 1/2 more, and their variance one of 1/4.
        means = [(0.5 + sum(seen[: k + 1])) / (k + 2) for k in range(len(seen))]
        variance = (0.25 + sum((x - m) ** 2 for x, m in zip(seen, means, strict=True))) / (len(seen) + 1)
        bet = math.sqrt(2 * math.log(2 / (1 - looks.level)) / (looks.planned * variance))
        above *= 1 + min(bet, most / mean) * (value - mean)
        below *= 1 - min(bet, most / (1 - mean)) * (value - mean)
        seen.append(value)
    return above, below


def test_bets_are_made_of_the_values_before_and_pay_out_one_after_another():
    values = default_rng(0).beta(2, 1, 60)
    sequence = BettingSequence(values * 4 - 1, (-1.0, 3.0), LOOKS)
    for mean in (0.3, 0.6, 0.75):
        assert sequence.p_value(mean * 4 - 1) == pytest.approx(min(1.0, 2 / max(capitals(values, mean, LOOKS))))
    low, high = ((end + 1) / 4 for end in sequence.interval(0.9))
    for end in (low, high):
        assert max(capitals(values, end, LOOKS)) == pytest.approx(2 / 0.1, rel=1e-6)


def test_an_asymptotic_interval_leaves_out_what_its_p_does():
    values = default_rng(1).normal(0.3, 1, 80)
    sequence = AsymptoticSequence(values, LOOKS)
    low, high = sequence.interval(0.95)
    assert sequence.p_value(low) == pytest.approx(0.05)
    assert sequence.p_value(high) == pytest.approx(0.05)
    assert sequence.p_value(values.mean()) == 1.0


def test_an_asymptotic_sequence_is_narrowest_beside_one_look_at_the_planned_number():
    def times_as_wide(n, planned):
        values = np.tile([0.0, 1.0], n // 2)
        low, high = AsymptoticSequence(values, Looks(planned=planned)).interval(0.95)
        return (high - low) / (2 * 1.96 * values.std(ddof=1) / math.sqrt(n))

    assert times_as_wide(100, 100) == pytest.approx(1.5, abs=0.05)
    assert times_as_wide(100, 100) < min(times_as_wide(100, 30), times_as_wide(100, 400))


def findings(draw, n_draws, ends_known=False):
    """Return the share of equal means that differ at any look, every 5 items to 200 from the 20th on."""
    generator = default_rng(2)
    shown = 0
    for _ in range(n_draws):
        values = draw(generator, 200)
        scale = (0.0, 1.0) if ends_known else None
        for n in range(20, 201, 5):
            ends = ends_of(np.array([]), values[:n], scale)
            watched = watched_difference(values[:n], LOOKS, ends, by_betting=False)
            if watched.p_value() <= 0.05:
                shown += 1
                break
    return shown / n_draws


@pytest.mark.parametrize("draws", [40, pytest.param(150, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "draw, ends_known",
    [
        (lambda generator, n: generator.normal(size=n), False),
        (lambda generator, n: generator.lognormal(size=n) - math.exp(0.5), False),
        (lambda generator, n: (generator.random(n) < 0.05) - 0.05 + generator.normal(0, 0.01, n), True),
    ],
)
def test_equal_means_are_seldom_told_apart_however_often_one_looks(draw, ends_known, draws):
    assert findings(draw, draws, ends_known) <= 0.05


def test_scores_with_known_ends_are_looked_at_by_betting_and_others_only_if_they_are_not_skewed():
    skewed = default_rng(3).lognormal(size=60)
    known = watched_difference(skewed / 100, LOOKS, ends_of(np.array([]), skewed, (0.0, 1.0)), by_betting=True)
    assert isinstance(known.sequence, BettingSequence)
    unknown = watched_difference(skewed, LOOKS, ends_of(np.array([]), skewed, None), by_betting=True)
    assert "--scale LOW-HIGH" in unknown.obstacle
    assert math.isnan(unknown.p_value())
    assert np.isnan(unknown.interval(0.95)).all()


def test_nothing_is_said_before_the_first_look():
    values = default_rng(4).normal(5, 1, 19)
    watched = watched_mean(values, LOOKS, (1.0, 9.0))
    assert watched.obstacle == "the first look is at 20 complete items (--first-look), and there are 19"
    assert (watched.left, watched.value) == (81, values.mean())
    with pytest.raises(InputError, match=r"at least as many planned items .* 30, but got 20"):
        Looks(30, 20)


def test_a_difference_that_does_not_vary_is_bounded_by_the_scale():
    values = np.ones(40)
    known = watched_difference(values, LOOKS, ends_of(np.array([]), values, (1.0, 5.0)), by_betting=False)
    assert known.p_value() == pytest.approx(2 * 0.75**40)
    assert known.interval(0.95) == pytest.approx((1 - 4 * (1 - 0.025 ** (1 / 40)), 1 + 4 * (1 - 0.025 ** (1 / 40))))
    unknown = watched_difference(values, LOOKS, ends_of(np.array([]), values, None), by_betting=False)
    assert "nothing varies" in unknown.obstacle


def test_what_was_not_drawn_widens_an_asymptotic_interval():
    values = default_rng(5).normal(-0.05, 0.001, 40)
    watched = watched_difference(values, LOOKS, ends_of(np.array([]), values, (0.0, 1.0)), by_betting=False)
    assert watched.p_value() > 0.05
    low, high = watched.interval(0.95)
    assert low < values.mean() - 0.08
    assert high > 0
    level = 1 - watched.p_value()
    assert watched.interval(level)[1] == pytest.approx(0.0, abs=1e-9)
