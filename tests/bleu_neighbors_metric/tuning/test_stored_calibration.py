"""A calibration that travels with its estimator: into results, through an index file, and no further."""

import json
from dataclasses import replace

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, fit
from numpy.testing import assert_array_equal
from refusals import refused

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate
from referenceless_metrics.core.metric import verdict_of


@pytest.fixture
def metric():
    metric = fit("auto", weights="similarity")
    attach_calibration(metric, calibrate(metric))
    return metric


def test_an_index_keeps_the_verdict_the_threshold_and_the_intervals(metric, tmp_path):
    metric.save(tmp_path / "index")
    loaded = BLEUNeighbors.load(tmp_path / "index")

    assert loaded.threshold_ == metric.threshold_ == metric.calibration_.threshold
    assert loaded.verdict_ == metric.verdict_ == verdict_of(loaded)
    before, after = metric.predict(CANDIDATES), loaded.predict(CANDIDATES)
    for name in ("lower", "upper"):
        assert_array_equal(after.columns[name], before.columns[name])
    assert after.details["verdict"] == metric.calibration_.verdict
    assert after.details["level"] == 0.9
    json.dumps(loaded.calibration_.header(), allow_nan=False)


def test_without_a_calibration_intervals_come_when_asked_for():
    metric = fit("auto", weights="similarity")
    plain = metric.predict(CANDIDATES)
    assert "lower" not in plain.columns
    found = calibrate(metric)
    assert metric.verdict_ == found.assessment.verdict
    assert metric.verdict_.summary == found.findings[0]
    assert "lower" not in metric.predict(CANDIDATES).columns  # knowing it changes no result
    asked = metric.predict(CANDIDATES, level=0.8)
    wider = metric.predict(CANDIDATES, level=0.9)
    known = ~np.isnan(plain.values)
    assert (asked.columns["lower"][known] < plain.values[known]).all()
    assert (wider.columns["upper"][known] >= asked.columns["upper"][known]).all()
    with refused("`level`"):
        metric.predict(CANDIDATES, level=1.0)


def test_it_holds_for_its_parameters_and_its_pool_alone(metric, tmp_path):
    metric.save(tmp_path / "index")
    other = BLEUNeighbors.load(tmp_path / "index", min_neighbors=2)
    assert other.calibration_ is None
    assert "lower" not in other.predict(["a text"]).columns
    assert BLEUNeighbors.load(tmp_path / "index", min_neighbors=5).calibration_ is not None
    metric.fit(POOL.texts[1:], POOL.ratings[1:])
    assert metric.calibration_ is None


HOSTILE = [
    ({"reason": "excellent"}, "reason of its calibration"),
    ({"coverage": 7.0}, "'coverage' should be a number"),
    ({"threshold": -0.5}, "'threshold' should be a number"),
    ({"threshold": float("nan")}, "no JSON"),
    ({"estimates": [1.0, 0.5], "residuals": [0.0, 0.0]}, "residuals of its calibration"),
    ({"estimates": [0.5, 1.0], "residuals": [0.0]}, "residuals of its calibration|array 'residuals'"),
    ({"estimates": [0.5], "residuals": [np.nan]}, "residuals of its calibration|array 'residuals'"),
]


@pytest.mark.parametrize("changed, message", HOSTILE)
def test_hostile_calibrations_are_refused(metric, tmp_path, changed, message):
    found = metric.calibration_
    if "residuals" in changed:
        arrays = {name: np.array(values) for name, values in changed.items()}
        changed = {"intervals": replace(found.intervals, **arrays)}
    metric.attach_calibration(replace(found, **changed))
    metric.save(tmp_path / "index")
    with refused(message):
        BLEUNeighbors.load(tmp_path / "index")
