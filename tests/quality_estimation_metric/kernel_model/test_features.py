from numpy.testing import assert_array_equal

from quality_estimation_metric.kernel_model.features import feature_matrix, feature_names, surface_features
from quality_estimation_metric.sources import parse_mr
from quality_estimation_metric.sources.slot_errors import read, read_all


def test_repetition_is_counted():
    features = surface_features(read("near the park near the park the the end"))
    assert features["repeated_words"] == 5 / 9
    assert features["repeated_pairs"] == 2 / 9
    assert features["repeated_triples"] == 1
    assert features["doubled_words"] == 1
    assert features["repeated_content"] == 2


def test_the_share_of_words_of_a_plain_source_is_known():
    assert surface_features(read("the cat ran", parse_mr("A cat sat on the mat"), "none"))["source_overlap"] == 2 / 3


def test_features_depend_on_their_own_text():
    names = feature_names(sources=True, delexicalised=True)
    sources = [parse_mr("inform(name=chow,food=thai)")] * 3
    texts = ["Chow serves thai food.", "Chow chow chow", "?"]
    together = feature_matrix(read_all(texts, sources, "published"), names)
    for row, text in enumerate(texts):
        alone = feature_matrix([read(text, sources[0])], names)
        assert_array_equal(together[row : row + 1], alone)
    assert together.shape == (3, len(names))
    assert feature_matrix([], names).shape == (0, len(names))


def test_features_without_sources_know_none():
    names = feature_names(sources=False, delexicalised=False)
    assert not any("slot" in name or "value" in name or "spelled" in name for name in names)
