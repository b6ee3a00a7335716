import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from refusals import refused

from metric_commons.files.archive import read_archive, write_archive
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from quality_estimation_metric.model_files.file import SCHEMA


@pytest.fixture(scope="module")
def estimator():
    people = [f"{text} It is good." for text in TEXTS]
    return QualityEstimator(seed=1).fit(TEXTS, RATINGS, sources=SOURCES, references=people)


@pytest.fixture
def path(estimator, tmp_path):
    estimator.save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


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
    with zipfile.ZipFile(tmp_path / "m") as archive:
        content = b"".join(archive.read(name) for name in archive.namelist())
    assert not any(text.lower().encode() in content.lower() for text in TEXTS)


def test_equal_models_are_equal_files(path, tmp_path):
    QualityEstimator.load(path).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_a_recurrent_model_estimates_as_before_once_read(tmp_path):
    pytest.importorskip("torch")
    fitted = QualityEstimator("gru").fit(TEXTS, RATINGS, sources=SOURCES)
    fitted.save(tmp_path / "gru.npz")
    read = QualityEstimator.load(tmp_path / "gru.npz")
    one, other = (model.predict(TEXTS[:6], sources=SOURCES[:6]) for model in (fitted, read))
    assert other.values.tolist() == one.values.tolist()
    assert other.lower.tolist() == one.lower.tolist()
    assert read.texts_ == list(TEXTS)
    with refused('estimates of "gru" are no sum of terms'):
        read.explain(TEXTS[0], SOURCES[0])
    header, arrays = read_archive(tmp_path / "gru.npz", SCHEMA)
    for name, wrong in {"errors": np.zeros(0), "network.facts": np.zeros(1, np.uint8)}.items():
        write_archive(tmp_path / "bad.npz", SCHEMA, header, {**arrays, name: wrong})
        with refused(r"bad\.npz"):
            QualityEstimator.load(tmp_path / "bad.npz")
