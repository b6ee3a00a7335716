"""Calibration: its figures against their definitions, and its sentences."""

import math
from collections import Counter

import numpy as np
import pytest
from example_fits import POOL, RATED_POOL, fit

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import TOO_FEW, TOO_MANY
from bleu_neighbors_metric.tuning.calibration import calibrate
from referenceless_metrics.assessment.agreement import CANNOT_TELL, GROUPS, NO_BETTER, WEAK
from referenceless_metrics.core.files.tables import RatedTexts


def test_figures_equal_their_definitions():
    metric = fit()
    result, abstentions = calibrate(metric), Counter()
    estimates = np.full(96, np.nan)
    for i, text in enumerate(POOL.texts):
        others = np.delete(POOL.ratings, i)
        one = BLEUNeighbors(metric.threshold_).fit(POOL.texts[:i] + POOL.texts[i + 1 :], others).predict([text])
        abstentions.update(one.abstentions)
        estimates[i] = one.values[0]
    covered = ~np.isnan(estimates)
    estimates, ratings = estimates[covered], POOL.ratings[covered]
    assert (result.assessment.n_texts, result.assessment.n_ratings) == (96, 96)
    assert (result.n_too_few, result.n_too_many) == (abstentions[TOO_FEW], abstentions[TOO_MANY])
    assert result.leave_one_out.coverage == covered.mean()
    assert result.leave_one_out.mean_squared_error == pytest.approx(np.mean((estimates - ratings) ** 2), abs=1e-12)
    assert result.verdict == CANNOT_TELL
    assert calibrate(BLEUNeighbors.published().fit(*RATED_POOL)).verdict == WEAK
    assert result.assessment.ceiling is None
    assert result.figures()["spearman"] == result.leave_one_out.spearman.value
    assert result.figures()["spearman_corrected"] == result.leave_one_out.corrected.value


def test_little_coverage_is_explained(huse):
    few = calibrate(BLEUNeighbors.published(tokenize="none").fit(huse.texts, huse.ratings))
    many = calibrate(fit(0.0, weights="uniform"))
    assert (few.coverage, many.coverage, many.n_too_many) == (0.0, 0.0, 96)
    assert math.isnan(few.leave_one_out.mean_squared_error)
    for result, *expected in (
        (few, "Coverage is 0.00: 198 of 198 texts have fewer than 5 neighbours"),
        (few, "Two texts seldom share a 4-gram of 'none' tokens"),
        (few, "--tokenize char", "--smooth-method exp"),
        (many, "0 of 96 texts have fewer than 5 neighbours, and 96 have more than 66% of the pool"),
        (many, "Too many neighbours: raise the threshold"),
    ):
        said = " ".join(result.findings)
        assert [part for part in expected if part not in said] == []
    assert "Too few neighbours" not in " ".join(many.findings)


@pytest.mark.filterwarnings("ignore:no text can be covered")
def test_pools_that_hold_no_information_are_explained():
    one = calibrate(BLEUNeighbors().fit(["a text", "a text"], [0.1, 0.2]))
    assert one.findings == ("The pool holds one distinct text: nothing can be left out. Rate more texts.",)
    constant = calibrate(BLEUNeighbors().fit(POOL.texts, np.full(96, 0.5)))
    assert math.isnan(constant.spearman.value)
    assert any("same rating" in finding for finding in constant.findings)
    assert constant.verdict == NO_BETTER


def test_groups_are_left_out_whole():
    groups = np.array(["a", "b"] * 48)
    metric = fit(0.1)
    result = calibrate(metric, RatedTexts(POOL.texts, POOL.ratings, {GROUPS: tuple(groups)}))
    texts, estimates = np.array(POOL.texts, object), np.full(96, np.nan)
    for name in "ab":
        inside, known = groups == name, POOL.ratings[groups != name]
        other = BLEUNeighbors(0.1).fit(texts[~inside].tolist(), known)
        estimates[inside] = other.predict(texts[inside].tolist()).values  # around the mean that they are made with
    covered = ~np.isnan(estimates)
    of_groups = result.assessment.agreements[GROUPS]
    assert of_groups.coverage == covered.mean()
    assert of_groups.mean_squared_error == pytest.approx(((estimates - POOL.ratings)[covered] ** 2).mean())
    assert result.figures()["group_spearman"] == of_groups.spearman.value
