"""The packaged pool and candidates, and estimators that are fitted to the pool."""

import numpy as np

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool

POOL = example_pool()
CANDIDATES = example_candidates()


def fit(*arguments, **parameters):
    return BLEUNeighbors(*arguments, **parameters).fit(POOL.texts, POOL.ratings)


def assert_same(found, expected):
    """Check that two results have the same values and numbers of neighbours, bit for bit."""
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.n_neighbors, expected.n_neighbors)
