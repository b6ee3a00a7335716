"""A fitted estimator from whatever holds one."""

import pytest
from refusals import refusals

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, TEXTS
from quality_estimation_metric.model_files.source import quality_estimation
from referenceless_metrics.core.registry import load_metric
from referenceless_metrics.core.support.validation import NotFittedError


@pytest.fixture(scope="module")
def fitted():
    return QualityEstimator().fit(TEXTS, RATINGS)


def test_an_estimator_a_file_or_rated_texts(fitted, tmp_path):
    assert quality_estimation(fitted) is fitted
    fitted.save(tmp_path / "model.npz")
    read = load_metric("quality_estimation", model_file=tmp_path / "model.npz", level=0.5)
    assert (read.level, read.needs_sources) == (0.5, False)
    anew = quality_estimation(rated_texts=TEXTS, ratings=RATINGS, seed=0)
    assert anew.predict(TEXTS[:3]).values.tolist() == fitted.predict(TEXTS[:3]).values.tolist()
    assert quality_estimation().needs_sources


test_what_makes_no_estimator = refusals(
    lambda arguments: quality_estimation(**arguments),
    [
        ({"model_file": "a", "rated_texts": TEXTS}, "but got rated_texts and model_file"),
        ({"rated_texts": TEXTS}, "one without the other"),
        ({"rated_sources": TEXTS}, "one without the other"),
        ({"seed": 1}, "no argument but `level`.*`seed`: a file of a model is given as `model_file=`", TypeError),
        ({"model_file": "nowhere.npz"}, "no file at", FileNotFoundError),
        ({"estimator": QualityEstimator()}, "call `fit` first", NotFittedError),
        ({"estimator": QualityEstimator(), "level": 0.5}, "fitted estimator or level"),
    ],
)
