"""The verdict that fitting gives: for ratings that texts tell something of, for noise, and through a file."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng
from refusals import refused

from quality_estimation_metric import QualityEstimator

LETTERS = [f"{'very ' * (i % 4)}{'good' if i % 2 else 'bad'} text number {i}" for i in range(80)]
RATINGS = np.array([float(i % 2) for i in range(80)])


def test_a_fitted_estimator_says_what_it_is_worth(tmp_path):
    noise = default_rng(1).normal(0, 0.3, 80)
    estimator = QualityEstimator().fit(LETTERS, RATINGS + noise)
    assert estimator.verdict_.summary.startswith(
        "Useful for the rated systems alone: a straight line through the estimates of rated texts left out ex"
    )
    estimator.save(tmp_path / "m.npz", texts=False)
    assert QualityEstimator.load(tmp_path / "m.npz").verdict_.summary == estimator.verdict_.summary


def test_a_file_tells_figures_to_the_last_place_as_the_estimator_does(tmp_path):
    estimator = QualityEstimator().fit(LETTERS, RATINGS)
    estimator.attach_verdict(replace(estimator.verdict_, spearman=0.39496, low=0.12496))
    estimator.save(tmp_path / "m.npz")
    assert "ρ 0.39 [0.12, " in estimator.verdict_.summary
    assert QualityEstimator.load(tmp_path / "m.npz").verdict_.summary == estimator.verdict_.summary


def test_systems_may_be_an_array():
    noisy, systems = RATINGS + default_rng(0).normal(0, 0.3, 80), [f"system {i % 4}" for i in range(80)]
    verdicts = [QualityEstimator().fit(LETTERS, noisy, systems=each).verdict_ for each in (systems, np.array(systems))]
    assert verdicts[0].summary == verdicts[1].summary


def test_repeated_texts_count_once_and_groups_are_told():
    noise = default_rng(0).normal(0, 0.3, 160)
    estimator = QualityEstimator().fit(LETTERS * 2, np.tile(RATINGS, 2) + noise, groups=[i % 8 for i in range(160)])
    assert "of texts of groups left out" in estimator.verdict_.summary
    once = QualityEstimator().fit(LETTERS, RATINGS + noise[:80])
    width = estimator.verdict_.high - estimator.verdict_.low
    assert width > 0.5 * (once.verdict_.high - once.verdict_.low)


@pytest.mark.parametrize("change", [{"reason": "great"}, {"low": "x"}, {"left_out": "all"}, {"spearman": 2.0}])
def test_a_damaged_calibration_is_refused(tmp_path, monkeypatch, change):
    estimator = QualityEstimator().fit(LETTERS, RATINGS)
    header = {**estimator.verdict_.header(), **change}
    monkeypatch.setattr(type(estimator.verdict_), "header", lambda _: header)
    estimator.save(tmp_path / "m.npz")
    with refused("its calibration"):
        QualityEstimator.load(tmp_path / "m.npz")
