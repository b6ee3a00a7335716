"""The features of texts: that they are the sums of their words' costs."""

from __future__ import annotations

import numpy as np

from slor_metric import SLOR, WPSLOR
from slor_metric.fluency.features import ALL_FEATURES, FeatureReader

TEXTS = ["The cat sat on the mat.", "", "He recieved it it.", "Zorb 7!"]  # no unknown word after another


def test_sums_and_shares() -> None:
    features = FeatureReader().read(TEXTS)
    assert features.values.shape == (4, len(ALL_FEATURES))
    for i in range(4):
        own = slice(features.offsets[i], features.offsets[i + 1])
        np.testing.assert_allclose(features.values[i, :-1], features.costs[own].sum(axis=0))
    by_feature = dict(zip(ALL_FEATURES, features.values.T, strict=True))
    np.testing.assert_allclose(by_feature["misspellings"], [0, 0, -1 / 5**0.5, -0 / 3**0.5])
    np.testing.assert_allclose(by_feature["repetitions"], [0, 0, -1 / 5**0.5, 0])
    np.testing.assert_allclose(features.unknown_share, [0, np.nan, 1 / 4, 1])
    np.testing.assert_allclose(features.word_share, [6 / 7, np.nan, 4 / 5, 1 / 3])
    np.testing.assert_allclose(features.slor, SLOR(unknown="score").score(TEXTS).values)
    np.testing.assert_allclose(features.wpslor, WPSLOR(unknown="score").score(TEXTS).values)
