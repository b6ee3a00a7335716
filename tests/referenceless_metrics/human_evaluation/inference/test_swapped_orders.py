"""Preferences that were given in both orders of two outputs."""

import pandas as pd
import pytest
from numpy.random import default_rng

from referenceless_metrics.human_evaluation.inference.preferences import strengths, win_rates
from referenceless_metrics.human_evaluation.inference.swapped_orders import merge_swapped


def judged(n, towards_first, *, raters=("judge",), seed=0):
    """Preferences of base and ours in both orders, by judges who take the first with a probability, else ours."""
    generator, rows = default_rng(seed), []
    for item in range(n):
        for rater in raters:
            for pair in (("base", "ours"), ("ours", "base")):
                first = generator.random() < towards_first or pair[0] == "ours"
                rows.append((str(item), rater, *pair, float(first)))
    return pd.DataFrame(rows, columns=["item", "rater", "system_a", "system_b", "preference"])


def test_a_bias_for_the_first_is_told_and_cancels():
    rows = judged(200, 0.4)
    merged, (bias,) = merge_swapped(rows)
    assert (bias.n_pairs, bias.rater) == (200, "judge")
    assert bias.mean.value == pytest.approx(0.7, abs=0.05)  # always where ours is first, else in 4 of 10
    low, high = bias.interval()
    assert 0.5 < low < bias.mean.value < high
    assert bias.p_value() < 0.001
    assert bias.consistent == pytest.approx(0.6, abs=0.08)
    (one,) = win_rates(merged, ["base", "ours"])
    assert one.wins + one.ties + one.losses == 200
    assert one.ties == round(200 * (1 - bias.consistent))
    assert strengths(merged.assign(preference=[0.25, *merged["preference"][1:]]), ["base", "ours"])["ours"].value > 0
    (as_rows,) = win_rates(rows, ["base", "ours"])
    assert one.mean.value == pytest.approx(as_rows.mean.value)
    assert one.mean.standard_error == pytest.approx(as_rows.mean.standard_error)


def test_what_was_seen_in_one_order_stays():
    rows = judged(12, 0.5, raters=("ann", "bob"))
    rows = rows.drop(rows.index[(rows["rater"] == "bob") & (rows["system_a"] == "ours")])
    merged, biases = merge_swapped(rows)
    assert [bias.rater for bias in biases] == ["ann"]
    assert len(merged) == 24
    once = rows[rows["rater"] == "bob"]
    assert merge_swapped(once)[0] is once
