"""Other ratings: what is linear in the weights, against models that are fitted with the weights."""

import numpy as np
import pytest
from numpy.random import default_rng

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import gram_matrices, kernel_of
from quality_estimation_metric.kernel_model.pool_resampling import kernel_resampler
from quality_estimation_metric.kernel_model.ridge import INTERCEPT
from quality_estimation_metric.sources.slot_errors import read_all

POOL = [f"{word} {text}" for word in ("so", "well", "now", "then") for text in TEXTS]


@pytest.fixture(scope="module")
def estimator():
    noise = default_rng(0).normal(0, 0.7, len(POOL))
    return QualityEstimator().fit(POOL, np.tile(RATINGS, 4) + noise)


def test_the_spread_is_that_of_models_fitted_with_weights(estimator):
    model = estimator.model_
    rated, wanted, everyone = (
        TextFeatures(read_all(texts, None, "none"), sources=False, delexicalised=False)
        for texts in (POOL, TEXTS[:12], [*POOL, *TEXTS[:12]])
    )
    resampled = kernel_resampler(model, rated, estimator.ratings_, np.arange(len(POOL)), 200, 3)(wanted)
    assert resampled.shape == (12, 200)
    vectors = {kind: vectoriser.transform(everyone.symbols[kind]) for kind, vectoriser in model.vectorisers.items()}
    kernel = kernel_of(gram_matrices(vectors), model.features(everyone), model.parts) + INTERCEPT
    n = len(rated)
    generator = default_rng(5)
    residual = estimator.ratings_ - estimator.ratings_.mean()
    exact = []
    for _ in range(200):
        penalties = model.penalty / np.maximum(generator.standard_exponential(n), 1e-6)
        exact.append(kernel[n:, :n] @ np.linalg.solve(kernel[:n, :n] + np.diag(penalties), residual))
    of_exact, of_linear = np.std(exact, axis=0), resampled.std(axis=1)
    assert of_linear.mean() == pytest.approx(of_exact.mean(), rel=0.25)
    assert np.corrcoef(of_exact, of_linear)[0, 1] > 0.7


def test_a_comparison_draws_pool_and_segments(tmp_path):
    from metric_commons.systems.comparison import compare_systems
    from quality_estimation_metric.integrations.sacrebleu import QualityEstimationMetric

    estimator = QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES)
    systems = [("one", TEXTS), ("other", [f"{text} It is good." for text in TEXTS])]
    metric = QualityEstimationMetric(estimator=estimator, sources=SOURCES)
    drawn = compare_systems(systems, metric, n_samples=200)
    assert drawn.pool_resampled
    assert drawn.verdict is not None
    estimator.texts_ = None  # as of a model without its texts
    fixed = compare_systems(systems, metric, n_samples=200)
    assert not fixed.pool_resampled
    ours, theirs = (result.rows[1].results[metric.name].ci for result in (drawn, fixed))
    assert ours > theirs


def test_what_cannot_be_drawn_anew_is_held_fixed():
    assert QualityEstimator.load("default").pool_resampler(10, 1) is None
