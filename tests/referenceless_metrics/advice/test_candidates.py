"""Texts that are read once for all folds give the estimates of the estimator that reads them each time."""

import numpy as np
from referenceless_metrics.advice.measure import Candidate, shared_reading
from refusals import refused

from bleu_neighbors_metric.example import example_pool
from quality_estimation_metric import QualityEstimator


def test_parts_are_estimated_as_by_the_estimator_itself():
    pool = example_pool()
    texts = list(dict.fromkeys(pool.texts))
    ratings = pool.ratings[: len(texts)]
    reading = shared_reading(texts)
    for known, wanted in ((slice(0, 60), slice(60, None)), (slice(30, None), slice(0, 30))):
        expected = QualityEstimator().fit(texts[known], ratings[known]).predict(texts[wanted]).values
        np.testing.assert_array_equal(reading(texts[known], ratings[known])(texts[wanted]), expected)


def test_what_the_estimator_refuses_is_refused():
    reading = shared_reading([f"text {i}" for i in range(30)])
    with refused("at least 20 rated texts"):
        reading(["text 1", "text 2"], np.array([1.0, 2.0]))
    with refused("to vary"):
        reading([f"text {i}" for i in range(25)], np.ones(25))


def test_what_cannot_be_trained_or_abstains_says_the_mean():
    def refuse(*_):
        raise ValueError("too few")

    assert Candidate("x", "", refuse, "").fit(["a", "b"], np.array([1.0, 3.0]))(["c"]).tolist() == [2.0]
