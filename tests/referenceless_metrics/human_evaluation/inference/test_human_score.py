"""Systems' human scores: findings, and above all refusals."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng
from powered import means
from rated_systems import rated_systems
from refusals import refusals
from scipy import stats

from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference, on_scale
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.wording.drawn import Drawn
from referenceless_metrics.human_evaluation.wording.human_score_output import score_lines


def system(name, n_rated, *, mean=4.0, n=200, correlation=0.6, seed=0):
    """One system, rated independently of others: its items are its own."""
    generator = default_rng(seed)
    ratings = generator.normal(mean, 1, n)
    estimates = correlation * (ratings - mean) + np.sqrt(1 - correlation**2) * generator.normal(size=n)
    ratings[n_rated:] = np.nan
    return SystemRatings(name, ratings, estimates, items=[(name, place) for place in range(n)])


def score(ratings, estimates, **options):
    """Return the score of one system alone."""
    return human_scores([SystemRatings("a", ratings, estimates)], **options).scores[0]


def test_an_unrated_estimate_far_from_all_others_moves_nothing():
    generator = default_rng(0)
    ratings = np.full(200, np.nan)
    ratings[:30] = generator.integers(1, 6, 30)
    estimates = np.concatenate([ratings[:30], generator.integers(1, 6, 170)]) + generator.normal(0, 0.7, 200)
    known = score(ratings, estimates, scale=(1, 5)).mean
    estimates[-1] = 1000.0
    moved = score(ratings, estimates, scale=(1, 5)).mean
    assert moved.value == pytest.approx(known.value, abs=0.1)
    assert moved.width() <= 1.1 * known.width()
    _, mean, power = means(ratings[:30], estimates[:30], estimates[30:])
    assert power < 0.01
    assert mean.value == pytest.approx(ratings[:30].mean(), abs=0.5)


def test_estimates_of_no_use_with_heavy_tails_widen_nothing():
    generator = default_rng(0)
    for _ in range(20):
        ratings, estimates = generator.normal(size=100), generator.standard_t(1.5, 100)
        found = score(np.where(np.arange(100) < 40, ratings, np.nan), estimates)
        assert found.mean.width() <= found.ratings_alone.width()


@pytest.mark.parametrize(
    "outcomes, shares",
    [([5, 4, 3, 2, 1], [0.7, 0.2, 0.06, 0.03, 0.01]), ([5, 1], [0.9, 0.1]), ([1, 3], [0.5, 0.5])],
)
def test_on_a_declared_scale_intervals_hold_and_stay(outcomes, shares):
    generator, held = default_rng(0), []
    for _ in range(200):
        ratings = generator.choice(np.array(outcomes, float), 10, p=shares)
        low, high = score(ratings, np.full(10, np.nan), scale=(1, 5)).interval()
        assert 1 <= low <= high <= 5
        held.append(low <= np.dot(outcomes, shares) <= high)
    assert np.mean(held) >= 0.93


def test_rated_outputs_that_look_better_than_the_others_are_told():
    one = system("a", 0)
    ratings = np.full(200, np.nan)
    ratings[np.argsort(one.estimates)[-40:]] = default_rng(1).normal(size=40)
    values = np.arange(60.0)
    fewer = rated_systems(*(np.where(values < n, values, np.nan) for n in (58, 30)))
    for systems, told in (
        ([SystemRatings("a", ratings, one.estimates)], "rated outputs of a have higher estimates"),
        (fewer, "how much of them is rated"),
    ):
        assert any(told in line for line in human_scores(systems).warnings)


def test_each_system_is_compared_with_the_first_or_with_each():
    rated = rated_systems(*default_rng(0).normal(size=(3, 12)))
    for comparisons, pairs in (("baseline", ["ab", "ac"]), ("all", ["ba", "ca", "bc"])):
        found = human_scores(rated, comparisons=comparisons).differences
        assert [one.baseline + one.system for one in found] == pairs
    assert all(one.mean.value > 0 for one in found)  # of all pairs, the higher less the lower
    two = human_scores(rated[:2], comparisons="all").differences
    assert [one.baseline + one.system for one in two] == ["ab"]


def of_numbers(**ratings):
    """Return scores of systems from ratings of the same items, without estimates and a named scale."""
    known = {name: np.array(values, dtype=float) for name, values in ratings.items()}
    systems = [SystemRatings(name, values, np.full(len(values), np.nan)) for name, values in known.items()]
    return human_scores(systems).scores


def test_a_share_of_single_answers_has_wilsons_interval():
    few, most = of_numbers(few=[1] * 2 + [0] * 10, most=[1] * 9 + [0] * 3)
    assert few.interval() == pytest.approx((0.0470, 0.4480), abs=1e-4)
    assert most.interval() == pytest.approx((0.4677, 0.9111), abs=1e-4)


def test_intervals_of_whole_numbers_stay_on_the_scale_that_they_tell():
    best, worse = of_numbers(best=[5] * 12, worse=[4, 4, 5, 5, 5, 4, 5, 2, 5, 3, 5, 5])
    assert best.interval() == on_scale(Inference(5.0, 0.0, 11.0, 0.0), 0.95, (1.0, 5.0), 12)
    assert worse.interval()[1] < 5
    skewed, _ = of_numbers(skewed=[5] * 11 + [2], other=[1, 2, 3] * 4)
    assert skewed.interval()[1] == 5


def test_ratings_all_alike_without_points_have_no_interval():
    alike, varied = of_numbers(alike=[62.5] * 12, varied=[50.5, 70.5] * 6)
    assert alike.interval() == (-np.inf, np.inf)
    assert varied.interval()[0] > 50


def test_abstentions_stand_for_the_mean_estimate():
    whole = system("ours", 50)
    holes = score(whole.ratings, np.where(np.arange(200) % 4 == 0, np.nan, whole.estimates))
    assert holes.ratings_alone == human_scores([whole]).scores[0].ratings_alone
    nothing = score(whole.ratings, np.full(200, np.nan))
    assert nothing.mean == nothing.ratings_alone
    assert np.isnan(nothing.correlation)


test_what_supports_no_claim_is_refused = refusals(
    human_scores,
    [
        ([], "there is no system"),
        ([system("a", 50), system("b", 0)], r"b: none of its 200 outputs is rated, and nothing can be said"),
        ([system("a", 9)], "a: 9 of its 200 outputs are rated, too few"),
        ([system("a", 1)], "a: 1 of its 200 outputs is rated"),
        ([SystemRatings("a", np.full(20, 3.0), np.arange(20.0))], "a: all 20 ratings are 3"),
        ([system("a", 50), system("b", 50, mean=80)], "different scales: a from .* and b from"),
    ],
    error=InputError,
)


test_arguments_that_do_not_fit_are_refused = refusals(
    lambda ratings, estimates, options: score(ratings, estimates, **options),
    [
        (np.ones(3), np.ones(2), {}, "vectors of one length"),
        (np.array([np.inf, 1.0]), np.ones(2), {}, "infinite"),
        (np.arange(20.0), np.ones(20), {"level": 1.0}, "`level`"),
    ],
)


def test_a_mean_near_an_end_of_the_scale_has_clopper_and_pearsons_bound():
    share, error = 0.975, 0.0125  # of 1 to 5: 4.9, with a standard error of .05
    low, _ = on_scale(Inference(4.9, 0.05, 11.0, 0.0), 0.95, (1.0, 5.0), 12)
    n = share * (1 - share) / error**2 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 11)) ** 2  # Korn & Graubard 1998
    assert low == pytest.approx(1 + 4 * stats.beta.ppf(0.025, n * share, n * (1 - share) + 1))


def test_differences_stay_within_what_the_scale_allows():
    far = np.repeat([[1.0, 5.0], [5.0, 1.0]], [9, 1], axis=1)
    (difference,) = human_scores(rated_systems(*far), scale=(1, 5)).differences
    assert difference.mean.interval()[1] > 4
    assert difference.interval()[1] == 4


def test_estimates_of_items_that_one_system_alone_has_rated_leave_the_contrast():
    generator = default_rng(0)
    truth = generator.normal(size=(2, 300))
    rated = np.arange(300) < 60
    systems = [
        SystemRatings(name, np.where(rated, values, np.nan), values + 0.3 * generator.normal(size=300))
        for name, values in zip("ab", truth, strict=True)
    ]
    (difference,) = human_scores(systems).differences
    assert difference.shrinkage > 0.2
    extra = replace(systems[0], ratings=np.where(np.arange(300) < 66, truth[0], np.nan))
    changed = replace(extra, estimates=np.where(np.arange(300) // 6 == 10, 3.0, extra.estimates))
    (one,), (other,) = (human_scores([first, systems[1]]).differences for first in (extra, changed))
    assert one.n_unpaired == 6
    assert one.mean == other.mean  # the estimates of the six items say nothing of a difference that is rated of one


def test_systems_that_share_some_items_are_paired_where_they_share_most_and_else_go_without_estimates():
    def scored(start):
        one, other = system("a", 60), system("b", 60, seed=1)
        return human_scores([replace(one, items=range(200)), replace(other, items=range(start, start + 200))])

    differences = [scored(start).differences[0] for start in (0, 10, 30, 200)]
    assert [difference.paired for difference in differences] == ["item", "item", "some items", ""]
    assert differences[2].shrinkage == 0 < differences[3].shrinkage
    first, second = scored(200).scores
    assert differences[3].mean.value == pytest.approx(second.mean.value - first.mean.value)


def test_estimates_count_from_thirty_rated_outputs_on():
    shrinkages = [human_scores([system("a", n, correlation=0.95)]).scores[0].shrinkage for n in (29, 30)]
    assert shrinkages[0] == 0 < shrinkages[1]


def test_the_plan_is_of_the_interval_that_is_shown():
    def plan(ratings, raters=None):
        lines = score_lines(human_scores(rated_systems(*ratings, raters=raters)), Drawn())
        return next(line for line in lines if "such a study finds a true difference" in line)

    alike = default_rng(0).normal(size=(2, 80))
    assert "one of four times as many items finds " in plan(alike)
    raters = np.arange(80) % 8  # of views of their own of the second system
    views = plan(alike / 10 + [0 * raters, raters], (raters, raters))
    assert "one of four times as many items by four times as many raters finds " in views


def test_a_pair_that_holm_tests_last_is_planned_at_the_level_of_the_first():
    ratings = default_rng(0).normal([[0.0], [0.05], [3.0]], size=(3, 60))
    pairs = human_scores(rated_systems(*ratings), comparisons="all").differences
    last = max(pairs, key=lambda pair: pair.p_value)
    assert last.level_adjusted == pytest.approx(0.95)
    for pair in pairs:
        assert pair.detectable() == pytest.approx(pair.mean.detectable(1 - 0.05 / 3))
    lines = score_lines(human_scores(rated_systems(*ratings), comparisons="all"), Drawn())
    assert any("with a probability of 80% or more; " in line for line in lines)


def test_means_of_equal_ratings_do_not_differ_by_their_rounding():
    ratings = np.arange(40) / 10 + 0.3
    thrice = (ratings + ratings + ratings) / 3
    assert (thrice != ratings).any()
    difference = human_scores(rated_systems(ratings, thrice)).differences[0]
    assert (difference.mean.value, difference.mean.is_known) == (0.0, False)


def test_answers_of_0_and_1_are_tested_exactly():
    base = np.array([1.0] * 5 + [0.0] * 9)
    ours = np.array([1.0] * 9 + [0.0] * 5)
    of = [SystemRatings("base", base, np.zeros(14)), SystemRatings("ours", ours, np.zeros(14))]
    for scale in (None, (0.0, 1.0)):
        (found,) = human_scores(of, scale=scale).differences
        assert found.p_value == 0.125  # four wins, no loss
        assert found.interval()[0] <= 0 < found.interval()[1]
        assert found.borrowed_from == ""
    (of_points,) = human_scores(of, scale=(0.0, 4.0)).differences  # no shares
    assert of_points.shares is None


def _samples_of_documents(n):
    """Systems with outputs of their own for the same 60 documents, some unrated: what suits one spoils the other."""
    generator = default_rng(3)
    documents = [f"d{place % 60}" for place in range(n)]
    moods = {name: generator.normal() for name in documents}
    found = []
    for name, sign in (("base", 1), ("ours", -1)):
        ratings = np.array([sign * moods[document] + generator.normal() for document in documents])
        ratings[::9] = np.nan
        items = [(name, place) for place in range(n)]
        found.append(SystemRatings(name, ratings, np.full(n, np.nan), items=items, clusters=documents))
    return found


def test_without_estimates_samples_that_share_documents_have_the_interval_of_the_ratings():
    """The documents in common count in it: two means taken as independent have another interval, and no estimates."""
    difference = human_scores(_samples_of_documents(120)).differences[0]
    assert difference.paired == ""
    assert difference.mean == difference.ratings_alone
    assert (difference.shrinkage, difference.n_estimated) == (0, 0)


@pytest.mark.parametrize("n, is_small", [(120, False), (50, True)])
def test_samples_of_two_systems_are_small_by_their_own_size(n, is_small):
    lines = score_lines(human_scores(_samples_of_documents(n)), Drawn())
    assert any("fewer than 50 items" in line for line in lines) == is_small
