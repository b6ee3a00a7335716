"""Intervals of differences that hold if the items that make most of the variance were not drawn."""

import numpy as np
import pytest
from command_lines import as_json, done
from numpy.random import default_rng
from rated_systems import rated_systems
from text_files import write_table

from referenceless_metrics.human_evaluation.inference.borrowed_variance import added_variances
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference, holm, holm_levels
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.wording.contrast_notes import contrast_basis
from referenceless_metrics.human_evaluation.wording.drawn import Drawn
from referenceless_metrics.human_evaluation.wording.human_score_output import score_lines
from referenceless_metrics.human_evaluation.wording.next_steps import after_ratings


def difference(*ratings, raters=None, **options):
    """The difference of the first two, and the finding on it."""
    scores = human_scores(rated_systems(*ratings, raters=raters), **options)
    return scores.differences[0], " ".join(score_lines(scores, Drawn(10)))


@pytest.mark.parametrize("n, weight", [(12, 2 + 12 / 5), (60, 10)])
def test_the_variance_is_the_formula_and_never_lowered(n, weight):
    rng = default_rng(0)
    a, b, c = rng.normal(4, 1, (3, n))
    c[0] -= 40
    alone = (b - a).var(ddof=1)
    others = np.mean([(c - a).var(ddof=1), (c - b).var(ddof=1)])
    borrowing = ((n - 1) * alone + weight * others) / (n - 1 + weight)
    assert difference(a, b, c)[0].mean.standard_error ** 2 == pytest.approx(borrowing / n)
    of_scale = ((n - 1) * alone + 0.1 * 100**2) / (n - 0.9)
    assert difference(a, b, scale=(-60, 40))[0].mean.standard_error ** 2 == pytest.approx(of_scale / n)
    of_narrow_scale = ((n - 1) * alone + 0.1 * 48**2) / (n - 0.9)
    larger = max(borrowing, of_narrow_scale)
    assert difference(a, b, c, scale=(-40, 8))[0].mean.standard_error ** 2 == pytest.approx(larger / n)
    assert difference(a, b)[0].mean.standard_error ** 2 == pytest.approx(alone / n)
    estimates = [Inference(0.0, error, 11.0, 0.0) for error in (9.0, 1.0, 1.0)]
    assert added_variances(estimates, [12, 12, 12])[0] == 0


def test_caption_and_sentence_say_that_variance_is_borrowed():
    rng = default_rng(0)
    a, b, c = rng.normal(4, 1, (3, 20))
    borrowed, told = difference(a, b, scale=(-10, 20))
    assert borrowed.borrowed_from == "the scale"
    assert "; Student's t, paired by item, whose variance borrows from the scale from -10 to 20)" in told
    (basis,) = [line for line in contrast_basis([borrowed], "Means") if "Differences" in line]
    assert basis.endswith("p by Student's t, whose variance borrows from the scale.")
    own, told = difference(a, b)
    assert own.borrowed_from == ""
    assert "borrows" not in told
    assert "; Student's t, paired by item)" in told
    assert "by Student's t." in " ".join(contrast_basis([own], "Means"))
    c[0] -= 40
    assert difference(a, b, c)[0].borrowed_from == "the other differences"


def test_systems_rated_on_other_items_are_told_by_their_outputs():
    """Items that two systems share by chance are not the study: a paper's table is of all rated outputs."""
    rng = default_rng(0)
    items = [range(12), range(8, 22)]
    ratings = [rng.normal(3, 1, len(own)) for own in items]
    systems = [
        SystemRatings(name, of_system, np.full(len(own), np.nan), [str(item) for item in own])
        for name, own, of_system in zip("ab", items, ratings, strict=True)
    ]
    scores = human_scores(systems)
    (found,) = scores.differences
    assert (found.paired, found.n_items, found.n_rated) == ("some items", 4, (14, 12))
    caption = " ".join(contrast_basis([found], "Mean ratings"))
    assert caption.startswith("Mean ratings of 12 to 14 outputs of each system with 95% intervals")
    (sentence,) = [line for line in score_lines(scores, Drawn(), "style") if line.startswith("For the paper")]
    assert '"On 14 outputs of b and 12 of a, b was not shown to be rated differently from a in style (mean' in sentence
    on_common = np.mean(ratings[1][:4] - ratings[0][8:])
    assert found.on_common == pytest.approx(on_common)
    assert f"Student's t of two samples that share 4 items, on which the mean difference is {on_common:.3g}" in sentence
    steps = " ".join(after_ratings({"style": [found]}))
    assert "Ratings of 14 outputs of b and 12 of a find a difference of" in steps


def test_what_pairs_of_shared_and_of_other_items_rest_on_is_one_sentence():
    rng = default_rng(0)
    items = {"a": range(12), "b": range(12), "c": range(8, 22)}
    systems = [
        SystemRatings(name, rng.normal(3, 1, len(own)), np.full(len(own), np.nan), [str(item) for item in own])
        for name, own in items.items()
    ]
    scores = human_scores(systems)
    assert {each.paired for each in scores.differences} == {"item", "some items"}
    caption = " ".join(contrast_basis(scores.differences, "Mean ratings"))
    assert caption.startswith("Mean ratings on 12 items or on 12 to 14 outputs of each system with 95% intervals")


def test_an_end_that_a_single_rating_moves_is_named():
    skewed = np.array([1.0] * 8 + [2.0] * 4 + [4.0])
    even = np.array([1.0, 2.0, 3.0, 4.0] * 3 + [2.0])
    _, told = difference(even, skewed)
    assert "b: one end of the interval of the mean lies more than twice as far off as that of Student's t." in told
    assert "lies more than twice as far off" not in difference(even, even[::-1])[1]


@pytest.mark.parametrize("draws", [80, pytest.param(400, marks=pytest.mark.long)])
def test_intervals_hold_where_a_system_fails_on_three_items_of_a_hundred(draws):
    n, rng, held = 10, default_rng(10), []
    for _ in range(draws):
        base = rng.integers(3, 6, n).astype(float)
        low, high = difference(base, np.where(rng.random(n) < 0.03, 1.0, base), scale=(1, 5))[0].interval()
        held.append(low <= -0.03 * 3 <= high)
        assert low < high
    assert np.mean(held) >= 0.945


def test_differences_that_do_not_vary_are_no_certainty():
    base = np.arange(12) % 3 + 1.0
    tied, told = difference(base, base, scale=(1, 5))
    assert tied.interval() == pytest.approx((-1.06, 1.06), abs=0.01)  # 1 - .025 ** (1 / 12) of 4
    assert (tied.p_value, tied.is_shown) == (1.0, False)
    assert "differently: 0.00 [" in told
    assert '"On 12 items, b was not shown to be rated differently from a (mean difference 0.00, 95% interval [' in told
    assert "p = 1.0000; a bound by the scale from 1 to 5, since no difference varied, paired by item)" in told
    unknown, told = difference(base, base + 1)
    assert unknown.interval() == (-np.inf, np.inf)
    assert "For the paper" not in told
    assert unknown.p_value == 1
    assert "Whether people rate b and a differently cannot be told: no difference varied" in told
    rated_higher, _ = difference(base, base + 2, scale=(1, 5))
    low, high = rated_higher.interval()
    assert 0 < low < 2 < high
    assert rated_higher.p_value == pytest.approx(2 * (4 / 6) ** 12)
    third = base + default_rng(0).normal(size=12)
    assert 0 < difference(base, base, third)[0].mean.standard_error < 1  # borrowed from the other pairs


@pytest.mark.parametrize("n_raters, told", [(1, "no rater rated both"), (2, "no rater rated both"), (4, "People rate")])
def test_systems_of_different_raters(n_raters, told):
    rng = default_rng(0)
    ours, theirs = ([f"{name} {place % n_raters}" for place in range(40)] for name in "xy")
    found, said = difference(rng.normal(4, 1, 40), rng.normal(9, 1, 40), raters=(ours, theirs), scale=(-9, 19))
    assert told in said
    assert found.raters.these is None
    assert "These" not in said
    assert found.is_shown == (n_raters == 4)


def test_one_missing_rating_leaves_whom_it_is_said_of():
    rng = default_rng(0)
    raters = np.arange(50) % 5
    ratings = rng.normal(size=(2, 50))
    for n in (50, 49):
        found = difference(*ratings[:, :n], raters=(raters[:n], raters[:n]))[0]
        assert found.raters.about_others
        assert found.raters.n_raters == 5


def test_others_are_never_narrower_than_these():
    rng, seen = default_rng(1), set()
    for _ in range(15):
        n, n_raters = int(rng.integers(10, 30)), int(rng.integers(2, 40))
        raters = rng.integers(0, n_raters, n)
        found = difference(*rng.normal(size=(2, n)), raters=(raters, raters))[0].raters
        if found.others is not None:
            assert found.others.width() >= found.these.width()
            assert found.others.width(0.5) >= found.these.width(0.5)
            # If no rater's view shows, the figures for others are those for these raters.
            alike = found.others.standard_error == found.these.standard_error
            seen.add(alike)
            assert not alike or found.others == found.these
    assert seen == {False, True}


def test_interval_and_p_in_a_sentence_agree():
    rng = default_rng(2)
    for p_values in [np.array([0.0101, 0.0102, 0.5, 0.5, 0.5]), *rng.random((100, 5)) ** 3]:
        levels = holm_levels(p_values, 0.95)
        for p, adjusted, level in zip(p_values, holm(p_values), levels, strict=True):
            assert (p <= 1 - level + 1e-12) == (adjusted <= 0.05 + 1e-12)
    for _ in range(12):
        scores = human_scores(
            rated_systems(*rng.normal(0, 0.5, (4, 15)) + rng.normal(0, 0.3, (4, 1))), comparisons="all"
        )
        for each in scores.differences:
            low, high = each.adjusted_interval
            assert each.is_shown == (not low <= 0 <= high)


def test_means_that_do_not_vary_between_two_clusters_are_no_certainty(folder):
    """The differences of items vary: that of the clusters is the same by chance, and two tell next to nothing."""
    gains = [1, 1, 1, 1, 0, 0]
    rows = [
        (f"{cluster}{n}", system, cluster, 2 + (n % 2) + (gain if system == "b" else 0))
        for cluster in "xy"
        for n, gain in enumerate(gains)
        for system in "ab"
    ]
    write_table("t.csv", ["item", "system", "document", "rating"], rows)
    line = "human-score --ratings t.csv --cluster-column document"
    told = done(line).stdout
    assert "cannot be told: means do not vary between the 2 clusters, and nothing tells how far clusters can" in told
    found = as_json(f"{line} --scale 1-5")
    (row,) = (row for row in found["rows"] if row.get("p") is not None)
    assert row["p"] > 0.5
