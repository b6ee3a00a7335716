import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from refusals import refused

from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.model_files.file import SCHEMA
from quality_estimation_metric.sources import parse_mr
from quality_estimation_metric.sources.slot_errors import read_all
from referenceless_metrics.core.files.archive import read_archive, write_archive
from referenceless_papers.gru_estimator.inputs import GRUSettings
from referenceless_papers.gru_estimator.model import GRUModel

TEXTS = ["Chow is cheap.", "Chow is is", "Chow is a good place.", "bad bad", "it is near Chow"] * 8
READINGS = read_all(TEXTS, [parse_mr("inform(name=chow)")] * 40, "published")
RATED = TextFeatures(READINGS, sources=True, delexicalised=True)
RATINGS = np.array([50.0, 20.0, 100.0, 0.0, 70.0] * 8)
GROUPS = np.arange(40)
SMALL = GRUSettings(embedding=6, units=5, passes=2, synthetic_passes=1, batch_size=10)


@pytest.fixture(scope="module")
def model():
    pytest.importorskip("torch")
    return GRUModel.fit(RATED, RATINGS, GROUPS, settings=SMALL)


def test_estimates_and_intervals_are_on_the_scale_of_the_ratings(model):
    values, lower, upper = model.predict_interval(RATED, 0.8)
    assert values.shape == (40,)
    assert values.dtype == np.float64
    assert ((lower >= 0) & (lower <= values) & (values <= upper) & (upper <= 100)).all()
    assert len(model.errors) == 8
    assert (np.diff(model.errors) >= 0).all()


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("facts", np.zeros(3), None),
        ("facts", np.frombuffer(b"{}", dtype=np.uint8), "list of strings"),
        ("parameters.output.weight", np.zeros((2, 10), dtype=np.float32), "'output.weight' has shape"),
        ("parameters.tanh.0.weight", np.full((10, 10), np.nan, dtype=np.float32), "numbers that do not belong"),
        ("parameters.output.weight", None, "lacks the array"),
    ],
)
def test_a_bad_state(model, name, value, message):
    state = {key: each for key, each in {**model.state(), name: value}.items() if each is not None}
    with refused(message, (KeyError, TypeError, ValueError)):
        GRUModel.from_state(state, model.errors, model.bounds)


def test_ratings_that_do_not_vary_outside_of_the_held_out_ones():
    pytest.importorskip("torch")
    with refused(r"`ratings` to vary, but all that are trained on are [12]"):
        GRUModel.fit(RATED, np.array([1.0] * 39 + [2.0]), np.repeat([0, 1], [39, 1]), settings=SMALL)


def test_without_torch_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with refused(r'pip install "referenceless-papers\[networks\]"', ImportError):
        GRUModel.fit(RATED, RATINGS, GROUPS)


def test_the_estimator_finds_it_and_its_file(tmp_path):
    pytest.importorskip("torch")
    texts, ratings = TEXTS[:20], RATINGS[:20]
    estimator = QualityEstimator("gru").fit(texts, ratings)
    estimator.save(tmp_path / "gru.npz")
    loaded = QualityEstimator.load(tmp_path / "gru.npz")
    assert loaded.signature == estimator.signature
    assert_array_equal(loaded.predict(texts).values, estimator.predict(texts).values)
    with refused("estimates of this one are no sum of terms"):
        loaded.explain(texts[0])
    header, arrays = read_archive(tmp_path / "gru.npz", SCHEMA)
    for name, wrong in {"errors": np.zeros(0), "network.facts": np.zeros(1, np.uint8)}.items():
        write_archive(tmp_path / "bad.npz", SCHEMA, header, {**arrays, name: wrong})
        with refused(r"bad\.npz"):
            QualityEstimator.load(tmp_path / "bad.npz")
