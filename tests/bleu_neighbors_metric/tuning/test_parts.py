"""Estimates from parts of a pool, against an estimator that is fitted to each part."""

import numpy as np
import pytest
from example_fits import CANDIDATES, RATED_POOL
from numpy.testing import assert_allclose

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.tuning.parts import estimates_in_parts, pool_learning_curve
from referenceless_metrics.assessment.learning_curve import draw_members
from referenceless_metrics.core.support.validation import NotFittedError


@pytest.mark.parametrize("weights", ["uniform", "similarity"])
def test_each_part_is_a_pool_of_its_own(weights):
    fitted = BLEUNeighbors(0.11, 2, 0.1, weights=weights).fit(*RATED_POOL)
    candidates = [*CANDIDATES, ""]
    texts = np.array(fitted.texts_)
    parts = draw_members(len(texts), [30] * 4, np.random.default_rng(7))
    of_candidates = estimates_in_parts(fitted, parts, candidates)
    of_pool = estimates_in_parts(fitted, parts)
    assert of_candidates.shape == (len(candidates), 4)
    for place, members in enumerate(parts.T > 0):
        alone = BLEUNeighbors(0.11, 2, 0.1, weights=weights).fit(texts[members], fitted.ratings_[members])
        assert_allclose(of_candidates[:, place], alone.predict(candidates).values, atol=1e-12)
        assert_allclose(of_pool[members, place], alone.leave_one_out().values, atol=1e-9)
        assert_allclose(of_pool[~members, place], alone.predict(texts[~members]).values, atol=1e-9)


def test_parts_need_a_pool():
    for function in (lambda one: estimates_in_parts(one, np.ones((1, 1))), pool_learning_curve):
        with pytest.raises(NotFittedError, match="call `fit`"):
            function(BLEUNeighbors())
