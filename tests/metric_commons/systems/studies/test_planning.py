"""Variance components found again in drawn ratings, and the width that follows from them."""

from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng

from metric_commons.systems.borrowed_variance import added_variances
from metric_commons.systems.crossed import crossed
from metric_commons.systems.studies.design import Scale
from metric_commons.systems.studies.planning import (
    WEBNLG_PREFERENCES,
    WEBNLG_RATINGS,
    Plan,
    VarianceComponents,
    items_to_find,
    study_components,
    variance_components,
)
from tests.support import rated_sentences

TRUE = VarianceComponents(0.3, 0.5, 0.4, 0.1, 0.2, 0.8)


def drawn(seed, n_items, n_raters, n_systems, components=TRUE):
    generator = default_rng(seed)
    shapes = [(n_items, 1, 1), (n_items, n_systems, 1), (1, 1, n_raters), (1, n_systems, n_raters)]
    shapes += [(n_items, 1, n_raters), (n_items, n_systems, n_raters)]
    variances = vars(components).values()
    of = [value**0.5 * generator.normal(size=shape) for value, shape in zip(variances, shapes, strict=True)]
    return list(product(range(n_items), range(n_systems), range(n_raters))), sum(of).ravel()


def test_components_are_found_again():
    found = []
    for seed in range(20):
        places, ratings = drawn(seed, 60, 12, 4)
        some = default_rng(seed).random(len(places)) < 0.4  # no balance
        kept = [place for place, one in zip(places, some, strict=True) if one]
        items, systems, raters = zip(*kept, strict=True)
        found.append(list(vars(variance_components(items, systems, raters, ratings[some])).values()))
    # Systems' means are taken out, and with them a little of what raters and items add to all.
    assert np.mean(found, axis=0) == pytest.approx(list(vars(TRUE).values()), abs=0.07)


@pytest.mark.parametrize("all_raters", [False, True])
def test_the_width_is_that_of_the_difference(all_raters):
    differences = []
    for seed in range(1500):
        _, ratings = drawn(seed, 20, 5, 2)
        by_system = ratings.reshape(20, 2, 5)
        differences.append(by_system[:, 0].mean() - by_system[:, 1].mean())
    spread = float(np.std(differences))  # of new items and new raters
    of_these = (spread**2 - 2 * TRUE.rater_system / 5) ** 0.5
    error = Plan(TRUE, 20, 5, 5).inference(all_raters=all_raters).standard_error
    assert error == pytest.approx(spread if all_raters else of_these, rel=0.05)


def test_views_of_different_raters_widen_the_interval_of_these():
    generator, n, squares = default_rng(0), 200, []
    for _ in range(20):
        raters = np.concatenate([generator.permutation(20) for _ in range(n // 20)])
        views = np.sqrt(2 * TRUE.rater_system) * generator.normal(size=(20, 50))[raters]
        differences = views + np.sqrt(2 * (TRUE.item_system + TRUE.rest)) * generator.normal(size=(n, 50))
        squares.append(crossed(differences, np.full(n, 1 / n), np.arange(n), raters).these.standard_error ** 2)
    error = Plan(TRUE, n, 20, 1).inference(all_raters=False).standard_error
    assert error == pytest.approx(np.mean(squares) ** 0.5, rel=0.01)


@pytest.mark.parametrize("points, most", [(2, 2.4), (3, 1.2), (5, 1.4)])
def test_ratings_are_planned_for_the_middle_of_their_scale_where_they_vary_most(points, most):
    planned, basis = study_components(Scale(0, points - 1))
    assert "about the middle of the scale" in basis
    places, ratings = drawn(1, 200, 200, 2, WEBNLG_RATINGS)
    some = default_rng(0).random(len(places)) < 0.3
    items, systems, raters = np.indices((200, 2, 200)).reshape(3, -1)[:, some]

    def times_as_wide(mean: float) -> float:
        rounded = np.round(np.clip(mean + ratings[some], 0, 1) * (points - 1))
        true = variance_components(items, systems, raters, rounded)
        widths = [Plan(of, 100, 24, 3).inference(all_raters=True).width() for of in (planned, true)]
        return widths[0] / widths[1]

    assert times_as_wide(0.5) == pytest.approx(1, rel=0.05)
    assert 0.9 < times_as_wide(0.7) < times_as_wide(0.85) < most


def test_raters_in_general_never_get_a_narrower_interval():
    assert Plan(TRUE, 20, 1, 1).inference(all_raters=True).width() == np.inf
    for n_items, n_raters, overlap in product((20, 50, 400), (2, 5, 20), (1, 2)):
        study = Plan(WEBNLG_RATINGS, n_items, n_raters, overlap)
        assert study.inference(all_raters=True).width() >= study.inference(all_raters=False).width()


@pytest.mark.parametrize("difference, n_raters", [(0.1, 24), (0.1, 3)])
def test_four_times_in_five_is_four_times_in_five(difference, n_raters):
    n_items, generator, shown = items_to_find(difference, n_raters, 3), default_rng(0), []
    of = WEBNLG_RATINGS
    for _ in range(20):
        loads, raters = np.zeros(n_raters), []
        for _ in range(n_items):
            chosen = np.lexsort((generator.random(n_raters), loads))[:3]
            loads[chosen] += 1
            raters.append(chosen)
        raters, items = np.concatenate(raters), np.repeat(np.arange(n_items), 3)
        sizes = (n_items, items, 2 * of.item_system), (n_raters, raters, 2 * of.rater_system)
        drawn = [np.sqrt(variance) * generator.normal(size=(n, 150))[codes] for n, codes, variance in sizes]
        values = difference + sum(drawn) + np.sqrt(2 * of.rest) * generator.normal(size=(len(items), 150))
        said = crossed(values, np.full(len(items), 1 / len(items)), items, raters).said
        (added,) = added_variances([said], [n_items], 1.0)
        shown.append(np.mean(said.value > said.widened(added).width() / 2))
    assert 0.77 <= np.mean(shown) <= 0.83
    assert items_to_find(0.05, 5, 5) is None  # the views of five raters differ too much


def test_the_defaults_are_those_of_webnlg(data_dir):
    rows = rated_sentences.read(data_dir("webnlg-2020") / "judgements_en.csv", dtype=str).to_dict("records")
    items, systems, raters = ([row[name] for row in rows] for name in ("item", "system", "worker"))
    fluency = np.array([float(row["fluency"]) for row in rows]) / 100
    found = vars(variance_components(items, systems, raters, fluency))
    assert list(found.values()) == pytest.approx(list(vars(WEBNLG_RATINGS).values()), abs=6e-6)
    places = {}
    for item, system, rater, rating in zip(items, systems, raters, fluency, strict=True):
        places.setdefault((item, rater), []).append((system, rating))
    pairs = [
        (item, f"{first} {second}", rater, (np.sign(a - b) + 1) / 2)
        for (item, rater), rated in places.items()
        for (first, a), (second, b) in ((x, y) for x, y in product(sorted(dict(rated).items()), repeat=2) if x < y)
    ]
    found = vars(variance_components(*map(list, zip(*pairs, strict=True))))
    assert list(found.values()) == pytest.approx(list(vars(WEBNLG_PREFERENCES).values()), abs=6e-6)
