"""Models that other distributions bring, and their absence."""

import numpy as np
import pytest
from refusals import refused

from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.example import RATINGS, TEXTS
from referenceless_metrics.core.support import installation


class Constant:
    """A model that knows the mean rating alone."""

    errors = np.array([1.0])
    bounds = (0.0, 9.0)

    def __init__(self, mean):
        self.mean = mean

    @classmethod
    def fit(cls, texts, ratings, groups, *, augment, seed):
        return cls(float(np.mean(ratings)))

    def predict_interval(self, texts, level):
        return [np.full(len(texts), self.mean + shift) for shift in (0.0, -1.0, 1.0)]

    def state(self):
        return {"mean": np.array([self.mean])}

    @classmethod
    def from_state(cls, state, errors, bounds):
        return cls(float(state["mean"][0]))


@pytest.fixture
def installed(monkeypatch):
    """One model is installed, and no other."""
    entries = {installation.ESTIMATOR_MODELS_GROUP: {"constant": f"{__name__}:Constant"}}
    monkeypatch.setattr(installation, "_declared_elsewhere", lambda: entries)
    installation.plugged_in.cache_clear()
    yield
    installation.plugged_in.cache_clear()


def test_a_model_of_another_distribution_and_its_file(installed, tmp_path):
    estimator = QualityEstimator("constant").fit(TEXTS, RATINGS)
    assert estimator.predict(TEXTS[:2]).values.tolist() == [np.mean(RATINGS)] * 2
    assert estimator.evaluate(2).agreements
    estimator.save(tmp_path / "m.npz")
    loaded = QualityEstimator.load(tmp_path / "m.npz")
    assert loaded.predict(TEXTS[:2]).values.tolist() == [np.mean(RATINGS)] * 2
    with refused("no sum of terms"):
        loaded.explain(TEXTS[0])
    with refused('to be "kernel" for preferences'):
        QualityEstimator("constant").fit_preferences(TEXTS, TEXTS[::-1])


def test_without_its_distribution_the_error_names_what_to_install(installed):
    with refused(r'pip install "referenceless-papers\[networks\]"', ImportError):
        QualityEstimator("gru").fit(TEXTS, RATINGS)
    with refused("`model` to be one of {'kernel', 'constant'}"):
        QualityEstimator("svm").fit(TEXTS, RATINGS)
