"""The packaged pool and candidates, and estimators that are fitted to the pool."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import bleu_neighbors_metric
from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from metric_commons.results import MetricResult

POOL = example_pool()
CANDIDATES = example_candidates()
POOL_FILE = Path(bleu_neighbors_metric.__file__).parent / "data" / "example_pool.csv"


def fit(*arguments: Any, **parameters: Any) -> BLEUNeighbors:
    return BLEUNeighbors(*arguments, **parameters).fit(POOL.texts, POOL.ratings)


def assert_same(found: MetricResult, expected: MetricResult) -> None:
    """Check that two results have the same values and numbers of neighbours, bit for bit."""
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.n_neighbors, expected.n_neighbors)
