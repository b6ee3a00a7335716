import pytest
from numpy.testing import assert_array_equal

from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS


@pytest.fixture(scope="module")
def estimator():
    return QualityEstimator(seed=1).fit(TEXTS, RATINGS, sources=SOURCES)


@pytest.mark.parametrize("texts", [True, False])
def test_a_model_that_was_read_estimates_as_the_one_that_was_written(estimator, tmp_path, texts):
    estimator.save(tmp_path / "m", texts=texts)
    read = QualityEstimator.load(tmp_path / "m")
    one, other = (each.predict(TEXTS, sources=SOURCES) for each in (estimator, read))
    assert_array_equal(one.values, other.values)
    assert_array_equal(one.lower, other.lower)
    assert one.signature == other.signature
    assert read.needs_sources
    assert read.get_params() == estimator.get_params()
    explained = read.explain(TEXTS[0], SOURCES[0])
    assert len(explained.neighbors) == (3 if texts else 0)
    assert explained.contributions == estimator.explain(TEXTS[0], SOURCES[0]).contributions


def test_without_texts_none_is_in_the_file(estimator, tmp_path):
    estimator.save(tmp_path / "m", texts=False)
    content = (tmp_path / "m").read_bytes()
    assert not any(text.lower().encode() in content.lower() for text in TEXTS)
