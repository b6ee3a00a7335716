"""Estimates from resampled pools, against a loop over neighbours."""

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, fit


@pytest.mark.parametrize("weights", ["uniform", "similarity"])
def test_each_resample_is_the_mean_of_the_weighted_neighbours(weights):
    metric, texts = fit(weights=weights), [*CANDIDATES, ""]
    drawn = np.random.default_rng(7).standard_exponential((len(POOL), 3))
    for text, row in zip(texts, metric.pool_resampler(3, 7)(texts), strict=True):
        near = [n for n in metric.kneighbors(text, len(POOL)) if n.counts]
        places = [metric.texts_.index(n.text) for n in near]
        for place in range(3):
            counts = drawn[places, place] * [1.0 if weights == "uniform" else n.similarity for n in near]
            expected = np.average([n.rating for n in near], weights=counts) if near else np.nan
            assert row[place] == pytest.approx(expected, nan_ok=True)
