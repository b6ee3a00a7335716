"""Estimates from resampled pools, against a loop over neighbours."""

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, fit


@pytest.mark.parametrize("weights", ["uniform", "similarity"])
def test_each_resample_is_the_mean_of_the_weighted_neighbours(weights):
    metric = fit(weights=weights)
    texts = [*CANDIDATES, ""]
    found = metric.pool_resampler(3, 7)(texts)
    drawn = np.random.default_rng(7).standard_exponential((len(POOL), 3))
    for text, row in zip(texts, found, strict=True):
        near = [(i, n.similarity) for i, n in enumerate(_in_order(metric, text)) if n.counts]
        for place in range(3):
            counts = [drawn[i, place] * (1.0 if weights == "uniform" else similarity) for i, similarity in near]
            if sum(counts) > 0:
                expected = np.average([metric.ratings_[i] for i, _ in near], weights=counts)
                assert row[place] == pytest.approx(expected)
            else:
                assert np.isnan(row[place])


def _in_order(metric, text):
    by_text = {neighbor.text: neighbor for neighbor in metric.kneighbors(text, len(metric.texts_))}
    return [by_text[known] for known in metric.texts_]
