"""The packaged pool and candidates, and estimators that are fitted to the pool."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import bleu_neighbors_metric
from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool

POOL = example_pool()
RATED_POOL = POOL.texts, POOL.ratings
CANDIDATES = example_candidates()
#: Texts as frames and batches hold them, with an empty text and none at all.
NULLABLE = [*CANDIDATES, "", None, "the cat sat on the mat ."]
POOL_FILE = Path(bleu_neighbors_metric.__file__).parent / "data" / "example_pool.csv"


def fit(*arguments, **parameters):
    return BLEUNeighbors(*arguments, **parameters).fit(*RATED_POOL)


def values_or_none(metric, texts):
    """Return the values of texts, None if there is no text or no value."""
    values = iter(metric.predict([text for text in texts if text is not None]).values.tolist())
    found = [None if text is None else next(values) for text in texts]
    return [None if value != value else value for value in found]


def check_texts_without_tokens(metric, n_pool):
    """Check that texts without tokens have no neighbours, even at threshold 0, whatever reads the pool."""
    from bleu_neighbors_metric.tuning.coverage import coverage_by_threshold
    from bleu_neighbors_metric.tuning.parts import estimates_in_parts
    from bleu_neighbors_metric.tuning.sweep import sweep

    pool = ["a cat sat", "a dog sat", "the cat ran", "!!!", "???", "a big cat", "of the", "  "][:n_pool]
    candidates = ["!!!", "cat", "", "   ", ". . .", "of", "zebra"]
    metric.fit(pool, np.arange(float(n_pool)))
    predicted, left_out = metric.predict(candidates), metric.leave_one_out()
    assert coverage_by_threshold(metric, candidates, [0.0]) == [predicted.coverage]
    (setting,) = sweep(metric, thresholds=[0.0], min_neighbors=[1], max_fractions=[1.0]).settings
    assert setting.coverage == left_out.coverage
    whole = np.ones((n_pool, 1))
    assert_allclose(estimates_in_parts(metric, whole, candidates)[:, 0], predicted.values)
    assert_allclose(estimates_in_parts(metric, whole)[:, 0], left_out.values)


def check_leave_one_out(metric, rated, rho, mse, coverage, tolerance):
    """Check Spearman's ρ, the mean squared error and the coverage of rated texts left out."""
    from scipy.stats import spearmanr

    estimates = metric.fit(rated.texts, rated.ratings).leave_one_out()
    covered = estimates.covered
    assert estimates.coverage == pytest.approx(coverage, abs=tolerance[2])
    if coverage:
        found, people = estimates.values[covered], metric.ratings_[covered]
        assert spearmanr(found, people).statistic == pytest.approx(rho, abs=tolerance[0])
        assert np.mean((found - people) ** 2) == pytest.approx(mse, abs=tolerance[1])


def assert_same(found, expected):
    """Check that two results have the same values and numbers of neighbours, bit for bit."""
    assert_array_equal(found.values, expected.values)
    assert_array_equal(found.n_neighbors, expected.n_neighbors)
