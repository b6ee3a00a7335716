from quality_estimation_metric.kernel_model.features import surface_features
from quality_estimation_metric.sources import parse_mr
from quality_estimation_metric.sources.slot_errors import read


def test_repetition_is_counted():
    features = surface_features(read("near the park near the park the the end"))
    assert features["repeated_words"] == 5 / 9
    assert features["repeated_pairs"] == 2 / 9
    assert features["repeated_triples"] == 1
    assert features["doubled_words"] == 1
    assert features["repeated_content"] == 2


def test_the_share_of_words_of_a_plain_source_is_known():
    assert surface_features(read("the cat ran", parse_mr("A cat sat on the mat"), "none"))["source_overlap"] == 2 / 3
