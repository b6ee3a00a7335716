"""Variance components found again in drawn ratings, and the width that follows from them."""

from itertools import product

import numpy as np
import pytest
from numpy.random import default_rng

from referenceless_metrics.human_evaluation.inference.crossed import crossed
from referenceless_metrics.human_evaluation.studies.criteria import Criterion, Scale
from referenceless_metrics.human_evaluation.studies.planning import (
    WEBNLG_PREFERENCES,
    WEBNLG_RATINGS,
    Plan,
    VarianceComponents,
    items_to_find,
    plan_to_find,
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
    for seed in range(12):
        places, ratings = drawn(seed, 60, 12, 4)
        some = default_rng(seed).random(len(places)) < 0.4  # no balance
        kept = [place for place, one in zip(places, some, strict=True) if one]
        items, systems, raters = zip(*kept, strict=True)
        found.append(list(vars(variance_components(items, systems, raters, ratings[some])).values()))
    # Systems' means are taken out, and with them a little of the effects of raters and items on all.
    assert np.mean(found, axis=0) == pytest.approx(list(vars(TRUE).values()), abs=0.08)


@pytest.mark.parametrize("overlap", [1, 4])
def test_the_width_is_that_of_rated_differences(overlap):
    generator, n, widths = default_rng(0), 200, []
    items = np.repeat(np.arange(n), overlap)
    for _ in range(20):
        raters = np.concatenate([generator.permutation(20) for _ in range(n * overlap // 20)])
        views = np.sqrt(2 * TRUE.rater_system) * generator.normal(size=(20, 50))[raters]
        of_items = np.sqrt(2 * TRUE.item_system) * generator.normal(size=(n, 50))[items]
        differences = views + of_items + np.sqrt(2 * TRUE.rest) * generator.normal(size=(len(items), 50))
        found = crossed(differences, np.full(len(items), 1 / len(items)), items, raters)
        widths.append([found.these.width(), found.others.width()])
    planned = [Plan(TRUE, n, 20, overlap).inference(all_raters=everyone).width() for everyone in (False, True)]
    assert planned == pytest.approx(np.mean(widths, axis=(0, 2)), rel=0.02)


@pytest.mark.parametrize(
    "points, most",
    [(2, 2.4), pytest.param(3, 1.2, marks=pytest.mark.long), pytest.param(5, 1.4, marks=pytest.mark.long)],
)
def test_ratings_are_planned_for_the_middle_of_their_scale_where_they_vary_most(points, most):
    planned, basis, _ = study_components(Criterion("", Scale(0, points - 1), ""))
    assert "about the middle of the scale" in basis
    places, ratings = drawn(1, 200, 200, 2, WEBNLG_RATINGS)
    some = default_rng(0).random(len(places)) < 0.3
    items, systems, raters = np.indices((200, 2, 200)).reshape(3, -1)[:, some]

    def times_as_wide(mean: float) -> float:
        rounded = np.round(np.clip(mean + ratings[some], 0, 1) * (points - 1))
        true = variance_components(items, systems, raters, rounded)
        widths = [Plan(of, 200, 6, 6).inference(all_raters=True).width() for of in (planned, true)]
        return widths[0] / widths[1]

    assert times_as_wide(0.5) == pytest.approx(1, rel=0.05)
    assert 0.85 < times_as_wide(0.7) < times_as_wide(0.85) < most


def test_raters_in_general_never_get_a_narrower_interval():
    assert Plan(TRUE, 20, 1, 1).inference(all_raters=True).width() == np.inf
    views_alone = VarianceComponents(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    assert Plan(views_alone, 400, 6, 6).inference(all_raters=True).degrees_of_freedom == pytest.approx(5)
    for n_items, n_raters, overlap in product((20, 50, 400), (2, 5, 20), (1, 2)):
        study = Plan(WEBNLG_RATINGS, n_items, n_raters, overlap)
        assert study.inference(all_raters=True).width() >= study.inference(all_raters=False).width()


@pytest.mark.parametrize("difference, n_raters", [(0.1, 24), (0.25, 3)])
def test_four_times_in_five_is_four_times_in_five(difference, n_raters):
    plan = Plan(WEBNLG_RATINGS, items_to_find(difference, n_raters, 3), n_raters, 3, scale_width=1.0)
    said, generator = plan.inference(all_raters=n_raters == 24), default_rng(0)
    differences = generator.normal(difference, np.sqrt(sum(plan.variances[:2])), 100_000)
    errors = np.sqrt(generator.chisquare(said.degrees_of_freedom, 100_000) / said.degrees_of_freedom)
    found = np.mean(differences > errors * said.width() / 2)
    assert found == pytest.approx(plan.power(difference, all_raters=n_raters == 24), abs=0.005)
    assert 0.79 < found < 0.85
    assert "--pilot STUDY goes by the ratings of a study of yours" in plan_to_find(difference)
    assert items_to_find(0.05, 5, 5) is None  # the views of five raters differ too much


def test_the_defaults_are_those_of_webnlg(data_dir):
    rows = rated_sentences.read(data_dir("webnlg-2020") / "judgements_en.csv", dtype=str)
    rows["fluency"] = rows["fluency"].astype(float) / 100
    of_ratings = variance_components(rows["item"], rows["system"], rows["worker"], rows["fluency"])
    rows = rows.drop_duplicates(["item", "system", "worker"], keep="last")
    pairs = rows.merge(rows, on=["item", "worker"]).query("system_x < system_y")
    preferences = (np.sign(pairs["fluency_x"] - pairs["fluency_y"]) + 1) / 2
    of_pairs = variance_components(pairs["item"], pairs["system_x"] + pairs["system_y"], pairs["worker"], preferences)
    for found, known in ((of_ratings, WEBNLG_RATINGS), (of_pairs, WEBNLG_PREFERENCES)):
        assert list(vars(found).values()) == pytest.approx(list(vars(known).values()), abs=6e-6)


def test_the_difference_that_a_plan_finds_is_that_of_its_power():
    study = Plan(TRUE, 30, 8, 3)
    assert study.power(study.detectable(0.95), all_raters=True) > 0.8
    twice = Plan(TRUE, 60, 8, 3)
    assert twice.detectable(0.95) < study.detectable(0.95) < study.detectable(0.975)
    of_these = Plan(TRUE, 30, 4, 3)
    assert of_these.power(of_these.detectable(0.95), all_raters=False) < 0.8  # of people, whose raters are drawn
    assert of_these.detectable(0.95) < study.detectable(0.95)  # raters are not drawn, and add nothing
    assert Plan(TRUE, 1, 4, 3).detectable(0.95) == np.inf
