"""The parts that a link of Fluency reads."""

from __future__ import annotations

import numpy as np
from slor_metric.fluency.fitting import LENGTH_PARTS, part_names, part_values

from referenceless_papers.ethayarajh.run import PARTS
from slor_metric.fluency.features import ALL_FEATURES, FeatureReader
from slor_metric.language_models.ngram import packaged


def test_the_columns_are_what_they_are_called() -> None:
    texts = ["The cat sat on the mat.", "It rained.", ""]
    features = FeatureReader().read(texts)
    scores = np.array([1.0, 2.0, 3.0])
    for parts in PARTS:
        names = part_names(parts, ALL_FEATURES)
        values = part_values(parts, ALL_FEATURES, features, scores)
        assert values.shape == (3, len(names))
        assert np.isfinite(values[:2]).all()
        assert np.isnan(values[2]).any()
        column = dict(zip(names, values.T, strict=True))
        np.testing.assert_allclose(column["inverse_length"][:2], [1 / 7, 1 / 3])
        flat = packaged("word").batch_logprobs(texts[:1])
        assert flat.unigram_logprobs is not None
        np.testing.assert_allclose(column["unigram"][0], flat.unigram_logprobs.mean())
        assert set(names) & LENGTH_PARTS
