"""Coefficients of agreement beside those of other packages, and the coverage of their intervals."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy import stats
from scipy.special import comb

from referenceless_metrics.human_evaluation.studies.agreement import agreement_coefficients

_TABLES = st.lists(
    st.lists(st.sampled_from([1, 2, 3, 5, None]), min_size=3, max_size=3).filter(any), min_size=2, max_size=12
)


def of_table(table):
    """The coefficients of rows of units, with one column per rater; NaN for no rating."""
    table = np.array(table, dtype=float)
    units, raters = np.nonzero(~np.isnan(table))
    return agreement_coefficients(units, raters, table[units, raters], units)


@pytest.mark.long
@given(_TABLES)
def test_alpha_is_that_of_another_implementation(rows):
    krippendorff = pytest.importorskip("krippendorff")
    table = np.array(rows, dtype=float)
    found = of_table(table)
    paired = table[(~np.isnan(table)).sum(axis=1) > 1]
    for level in ("nominal", "ordinal", "interval"):
        if len(set(paired[~np.isnan(paired)])) < 2:
            assert np.isnan(found[f"alpha {level}"].value)
        else:
            theirs = krippendorff.alpha(table.T, level_of_measurement=level)
            assert found[f"alpha {level}"].value == pytest.approx(theirs, abs=1e-9)


def test_coefficients_are_those_of_nltk_scikit_learn_and_statsmodels():
    task = pytest.importorskip("nltk.metrics.agreement").AnnotationTask
    metrics = pytest.importorskip("sklearn.metrics")
    table = default_rng(0).integers(1, 4, (40, 1)) + (default_rng(1).random((40, 3)) < 0.3)
    found = of_table(table)
    triples = [(rater, unit, value) for (unit, rater), value in np.ndenumerate(table)]
    assert found["alpha interval"].value == pytest.approx(task(triples, lambda a, b: float(a - b) ** 2).alpha())
    assert found["alpha nominal"].value == pytest.approx(task(triples, lambda a, b: float(a != b)).alpha())
    pairs = list(combinations(table.T, 2))
    assert found["kappa"].value == pytest.approx(np.mean([metrics.cohen_kappa_score(*pair) for pair in pairs]))
    weighted = [metrics.cohen_kappa_score(*pair, weights="quadratic") for pair in pairs]
    assert found["weighted kappa"].value == pytest.approx(np.mean(weighted))
    fleiss = pytest.importorskip("statsmodels.stats.inter_rater")
    assert found["fleiss kappa"].value == pytest.approx(fleiss.fleiss_kappa(fleiss.aggregate_raters(table)[0]))


def test_raters_who_share_too_little_have_no_kappa():
    table = np.full((22, 3), np.nan)
    table[:9, :2] = default_rng(0).integers(1, 4, (9, 2))
    table[9:18, 1:] = default_rng(1).integers(1, 4, (9, 2))
    table[18:, 1] = 2
    assert np.isnan(of_table(table)["kappa"]).all()
    assert not np.isnan(of_table(table)["alpha nominal"]).any()


def test_no_interval_below_ten_items_or_where_all_answers_are_equal():
    few = default_rng(0).integers(1, 4, (9, 3))
    for coefficient in of_table(few).values():
        assert np.isnan(coefficient[1:]).all()
    assert not np.isnan(of_table(few)["alpha interval"].value)
    equal = np.repeat(np.arange(20)[:, None] % 4, 3, axis=1)
    found = of_table(equal)["alpha ordinal"]
    assert found.value == 1
    assert np.isnan(found[1:]).all()


@pytest.mark.parametrize("outputs_of_item", [1, 2])
def test_the_interval_is_the_jackknife_s_student_t_of_the_logarithm(outputs_of_item):
    units = 12 * outputs_of_item
    table = default_rng(0).integers(1, 4, (units, 3)).astype(float)
    # Outputs of one item do not stand side by side, and they are left out together.
    items = np.tile(np.arange(12), outputs_of_item)
    unit_of, raters = np.divmod(np.arange(3 * units), 3)

    found = agreement_coefficients(unit_of, raters, table.ravel(), items[unit_of])["alpha interval"]

    left_out = np.array([of_table(table[items != item])["alpha interval"].value for item in range(12)])
    disagreement = 12 * (1 - found.value) - 11 * (1 - left_out).mean()
    error = np.sqrt(11 / 12 * ((left_out - left_out.mean()) ** 2).sum() * 11 / 9) / (1 - found.value)
    reach = stats.t.ppf(0.975, 9) * error
    assert found.low == pytest.approx(1 - disagreement * np.exp(reach))
    assert found.high == pytest.approx(1 - disagreement * np.exp(-reach))


@pytest.mark.long
def test_intervals_hold_over_fifteen_items_whose_outputs_come_together():
    generator, held = default_rng(0), []
    n_items = 15
    items = np.repeat(np.arange(n_items), 6)  # two outputs of an item, three raters each
    units, raters = np.repeat(np.arange(2 * n_items), 3), np.tile(np.arange(3), 2 * n_items)

    def drawn(n_items):
        truth = generator.normal(size=n_items)
        ratings = np.repeat(truth, 6) + generator.normal(size=6 * n_items)
        return np.round(ratings).clip(-2, 2)

    many = drawn(20_000).reshape(-1, 3)
    spread = many.var(axis=1, ddof=1).mean() / many.var()
    for _ in range(150):
        low, high = agreement_coefficients(units, raters, drawn(n_items), items)["alpha interval"][1:]
        held.append(low <= 1 - spread <= high)
    assert np.mean(held) >= 0.92


def of_preferences(table):
    """The coefficients of rows of pairs of outputs, with a share of wins by each rater; NaN for none."""
    table = np.array(table, dtype=float)
    units, raters = np.nonzero(~np.isnan(table))
    return agreement_coefficients(units, raters, table[units, raters], units, are_preferences=True)


_SYSTEMS = ("base", "ours", "other", "last")
_PREFERENCES = st.lists(
    st.tuples(
        st.sampled_from(list(combinations(_SYSTEMS, 2))),
        st.lists(st.sampled_from([0, 0.25, 0.3, 0.5, 1, None]), min_size=3, max_size=3).filter(
            lambda shares: shares.count(None) < 3
        ),
    ),
    min_size=2,
    max_size=15,
)


@given(_PREFERENCES)
def test_agreement_on_preferences_is_the_same_in_every_order_of_the_systems(answers):
    def in_order(order):
        rows = []
        for (one, other), shares in answers:
            is_turned = order.index(one) > order.index(other)
            rows.append([np.nan if share is None else 1 - share if is_turned else share for share in shares])
        return of_preferences(rows)

    first = in_order(_SYSTEMS)
    for order in permutations(_SYSTEMS):
        for name, coefficient in in_order(order).items():
            assert coefficient == pytest.approx(first[name], nan_ok=True, abs=1e-9)


def test_without_ties_kappa_of_preferences_is_kendall_and_babington_smith_s_u():
    table = default_rng(0).integers(0, 2, (30, 5))
    n_raters = table.shape[1]
    wins = table.sum(axis=1)
    n_agreeing = (comb(wins, 2) + comb(n_raters - wins, 2)).sum()
    u = 2 * n_agreeing / (comb(n_raters, 2) * len(table)) - 1
    found = of_preferences(table)
    assert found["fleiss kappa"].value == pytest.approx(u)
    assert 1 - found["alpha nominal"].value == pytest.approx((1 - u) * (1 - 1 / (2 * table.size)))


def test_raters_who_all_prefer_one_system_agree():
    assert of_preferences(np.ones((12, 3)))["alpha nominal"].value == 1
