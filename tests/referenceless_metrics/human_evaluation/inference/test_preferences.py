"""Win rates and Bradley-Terry strengths: ties, clusters, and refusals."""

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from refusals import refused
from scipy.stats import multinomial

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.preferences import strengths, win_rates, without_small_pairs
from referenceless_metrics.human_evaluation.wording.drawn import Drawn
from referenceless_metrics.human_evaluation.wording.preference_output import preference_lines


def preferences(shares, first="ours", second="base"):
    items = list(map(str, range(len(shares))))
    return pd.DataFrame({"item": items, "system_a": first, "system_b": second, "preference": shares})


def preferred(wins, ties, losses, *systems):
    return preferences(np.repeat([1.0, 0.5, 0.0], [wins, ties, losses]), *systems)


#: a and b win and lose among themselves, and so do c and d, of which each always wins against a and b.
ORDERED = [("a", "b", 1.0), ("b", "a", 1.0), ("c", "d", 1.0), ("d", "c", 1.0), ("c", "a", 1.0), ("d", "b", 1.0)]


def test_a_tie_is_half_a_win_of_each():
    (one,) = win_rates(preferred(12, 4, 4), ["base", "ours"])
    assert (one.wins, one.ties, one.losses) == (12, 4, 4)
    assert one.mean.value == pytest.approx(0.7)
    low, high = one.interval()
    assert 0 <= low < 0.7 < high <= 1


def test_a_few_alike_preferences_are_no_certainty():
    (one,) = win_rates(preferred(10, 0, 0), ["base", "ours"])
    assert 0.6 < one.interval()[0] < 0.9
    assert 0 < one.p_value < 0.01
    with refused("9 items have preferences", InputError):
        win_rates(preferred(9, 0, 0), ["base", "ours"])


def test_a_rate_that_is_no_share_of_wins_is_explained():
    explained = "Wins, ties and losses count judgements; in a win rate each item counts once"
    once = preferred(12, 4, 4)
    assert explained not in " ".join(preference_lines(win_rates(once, ["base", "ours"]), {}, Drawn()))
    again = pd.concat([once, *[once.iloc[:1]] * 5])  # one item, judged six times
    (rate,) = win_rates(again, ["base", "ours"])
    assert (rate.wins, rate.mean.value) == (17, pytest.approx(0.7))
    assert explained in " ".join(preference_lines([rate], {}, Drawn()))


def test_strengths_are_told_the_strongest_first_and_many_comparisons_in_one_sentence():
    names = ["a", "b", "c", "d", "e", "f", "g", "h"]
    rows = [preferences([1.0] * (6 + rank) + [0.0] * 6, name, "a") for rank, name in enumerate(names[1:])]
    frame = pd.concat(rows, ignore_index=True)
    lines = preference_lines(win_rates(frame, names), strengths(frame, names), Drawn())
    told = [line for line in lines if line.startswith("Bradley-Terry: ")]
    assert [line.split()[1] for line in told] == names[:0:-1]
    assert "Bradley-Terry, the strongest first: h, g, f, e, d, c, " in " ".join(lines)
    (sentence,) = [line for line in lines if line.startswith("For the paper: ")]
    for name in names[1:]:
        assert f"{name} and a" in sentence
    assert "by Holm's procedure for 7 comparisons, smallest p = " in sentence
    assert sum("such a study finds" in line.lower() for line in lines) == 1


@pytest.mark.long
def test_intervals_of_ten_items_hold_at_every_rate():
    counts = np.array([(wins, 10 - wins - losses, losses) for wins in range(11) for losses in range(11 - wins)])
    ends = np.array([win_rates(preferred(*each), ["base", "ours"])[0].interval() for each in counts])

    def coverage(rate, ties):
        holds = (ends[:, 0] < rate + 1e-9) & (rate - 1e-9 < ends[:, 1])
        return multinomial.pmf(counts[holds], 10, [rate - ties / 2, ties, 1 - rate - ties / 2]).sum()

    assert min(coverage(rate, ties) for rate in (0.5, 0.6, 0.7, 0.8) for ties in (0.0, 0.1, 0.2, 0.4)) > 0.95
    # Ten wins or losses allow no coverage between 89.1 and this.
    assert coverage(0.5, 0.0) == pytest.approx(1 - 22 / 2**10)
    assert coverage(0.5, 0.2) == pytest.approx(0.977, abs=0.0005)


def test_strengths_are_those_of_evalica_with_errors_that_know_of_items():
    evalica = pytest.importorskip("evalica")
    generator, names, truth = default_rng(1), np.array(["a", "b", "c"]), np.array([0.0, 0.5, 1.0])
    found = []
    for _ in range(40):
        left, right = np.array([generator.choice(3, 2, replace=False) for _ in range(120)]).T
        shares = (generator.random(120) < 1 / (1 + np.exp(truth[right] - truth[left]))).astype(float)
        given = preferences(shares, names[left], names[right])
        found.append(strengths(given, list(names))["c"])
    winners = [evalica.Winner.X if share else evalica.Winner.Y for share in shares]
    theirs = evalica.bradley_terry(list(given["system_a"]), list(given["system_b"]), winners, tolerance=1e-10).scores
    assert found[-1].value == pytest.approx(np.log(theirs["c"] / theirs["a"]), abs=1e-6)
    values = [one.value for one in found]
    assert np.mean(values) == pytest.approx(1.0, abs=0.12)
    assert np.mean([one.standard_error for one in found]) == pytest.approx(np.std(values), rel=0.2)
    doubled = strengths(pd.concat([given, given]), list(names))["c"]
    assert doubled.standard_error == pytest.approx(found[-1].standard_error, rel=0.02)  # nothing new was learned
    with refused("all preferences are ties", InputError):  # else log odds of 0 would be certain
        strengths(preferred(0, 12, 0), ["base", "ours"])
    with refused("won or lost throughout", InputError):
        strengths(preferred(12, 0, 0), ["base", "ours"])
    always = pd.concat([preferences([share] * 9, *pair) for *pair, share in ORDERED])
    with refused("always win against others", InputError):
        strengths(always, list("abcd"))
    apart = pd.concat([preferred(9, 0, 9, *pair) for pair in ("ab", "cd")])
    with refused("not all systems are compared", InputError):  # else c and a would differ, of which nobody knows
        strengths(apart, list("abcd"))


def test_a_weight_of_an_item_is_that_of_so_many_items_in_the_mean():
    """The rate is the weighted mean, and unequal weights tell less than as many items of one weight."""
    weighted = preferred(6, 0, 6).assign(weight=[3.0] * 6 + [1.0] * 6)
    (one,) = win_rates(weighted, ["base", "ours"])
    assert one.mean.value == pytest.approx(0.75)
    assert one.n_effective == pytest.approx(24**2 / (6 * 9 + 6))
    (alike,) = win_rates(weighted.assign(weight=2.0), ["base", "ours"])
    (plain,) = win_rates(preferred(6, 0, 6), ["base", "ours"])
    assert alike.interval() == pytest.approx(plain.interval())
    repeated = strengths(preferences([*[1.0] * 18, *[0.0] * 6]), ["base", "ours"])["ours"]
    assert strengths(weighted, ["base", "ours"])["ours"].value == pytest.approx(repeated.value)


def test_pairs_with_few_items_are_left_out_if_others_have_enough():
    both = pd.concat([preferred(6, 0, 6), preferred(3, 0, 0, "third", "base")])
    kept, notes = without_small_pairs(both, ["base", "ours", "third"], "baseline")
    assert len(kept) == 12
    assert notes == ["left out: pairs with preferences on fewer than 10 items: third and base (3)"]
    only_small = preferred(3, 0, 0)
    assert without_small_pairs(only_small, ["base", "ours"], "baseline") == (only_small, [])
