"""The features of texts: that they are the sums of their words' costs."""

from numpy.testing import assert_allclose

from slor_metric import SLOR, WPSLOR
from slor_metric.fluency.features import ALL_FEATURES, FeatureReader
from slor_metric.language_models.ngram import packaged

TEXTS = ["The cat sat on the mat.", "", "He recieved it it.", "Zorb 7!"]  # no unknown word after another


def test_sums_and_shares():
    features = FeatureReader().read(TEXTS)
    assert features.values.shape == (4, len(ALL_FEATURES))
    for i in range(4):
        own = slice(features.offsets[i], features.offsets[i + 1])
        assert_allclose(features.values[i, :-1], features.costs[own].sum(axis=0))
    by_feature = dict(zip(ALL_FEATURES, features.values.T, strict=True))
    assert_allclose(by_feature["misspellings"], [0, 0, -1 / 5**0.5, -0 / 3**0.5])
    assert_allclose(by_feature["repetitions"], [0, 0, -1 / 5**0.5, 0])
    assert_allclose(by_feature["word_odds"][[0, 3]], features.slor[[0, 3]])
    assert_allclose(by_feature["piece_odds"][[0, 3]], features.wpslor[[0, 3]])
    words = packaged("word").batch_logprobs(TEXTS).log_odds
    assert by_feature["least_word"][0] == words[: features.offsets[1]].min()
    assert by_feature["lowest_classes"][0] < by_feature["worst"][0] + 1 + 1e-9
    assert_allclose(features.slor, SLOR(unknown="score").score(TEXTS).values)
    assert_allclose(features.wpslor, WPSLOR(unknown="score").score(TEXTS).values)
