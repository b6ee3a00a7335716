import subprocess
import sys

import numpy as np
import pytest

from metric_commons.support.errors import InputError
from quality_estimation_metric.gru_model import GRUModel, GRUSettings

TEXTS = ["Chow is cheap.", "Chow is is", "Chow is a good place.", "bad bad", "it is near Chow"] * 8
SOURCES = ["inform(name=chow)"] * 40
RATINGS = [50.0, 20.0, 100.0, 0.0, 70.0] * 8
SMALL = GRUSettings(embedding=6, units=5, passes=4, batch_size=10)


@pytest.fixture(scope="module")
def model() -> GRUModel:
    pytest.importorskip("torch")
    return GRUModel(SMALL, n_models=2).fit(TEXTS, SOURCES, RATINGS, dev=(TEXTS[:10], SOURCES[:10], RATINGS[:10]))


def test_estimates_are_on_the_scale_of_the_ratings(model: GRUModel) -> None:
    values = model.predict(TEXTS, SOURCES)
    assert values.shape == (40,)
    assert values.dtype == np.float64
    assert ((values >= 0) & (values <= 100)).all()
    assert model.predict([], []).shape == (0,)
    assert model.best_pass_.shape == (2,)


def test_the_state_is_plain_and_complete(model: GRUModel) -> None:
    state = model.state()
    assert all(isinstance(value, np.ndarray) and value.dtype.kind in "fu" for value in state.values())
    again = GRUModel.from_state(state)
    np.testing.assert_array_equal(again.predict(TEXTS, SOURCES), model.predict(TEXTS, SOURCES))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("facts", np.zeros(3), "no state of a GRUModel"),
        ("facts", np.frombuffer(b"{}", dtype=np.uint8), "no state of a GRUModel"),
        ("parameters.output", np.zeros((2, 10), dtype=np.float32), "'output'.*but got float32"),
        ("parameters.tanh_0", np.full((2, 10, 10), np.nan, dtype=np.float32), "finite"),
        ("parameters.output", None, "but got none"),
    ],
)
def test_a_bad_state(model: GRUModel, name: str, value: object, message: str) -> None:
    state = {key: each for key, each in {**model.state(), name: value}.items() if each is not None}
    with pytest.raises(InputError, match=message):
        GRUModel.from_state(state)  # type: ignore[arg-type]


def test_synthetic_and_human_texts() -> None:
    pytest.importorskip("torch")
    model = GRUModel(SMALL.with_(passes=2, synthetic_passes=1)).fit(
        TEXTS, None, RATINGS, augment=2, human_texts=["It is a very good place."]
    )
    assert "very" in model._vocabulary.words
    assert model.predict(["a very good place"]).shape == (1,)
    with pytest.raises(ValueError, match="Expected no sources, as at fit, but got sources"):
        model.predict(["a"], ["inform(a=b)"])


def test_bad_input(model: GRUModel) -> None:
    with pytest.raises(ValueError, match="Expected sources, as at fit"):
        model.predict(["a"])
    with pytest.raises(RuntimeError, match="not fitted"):
        GRUModel().predict(["a"])
    with pytest.raises(RuntimeError, match="not fitted"):
        GRUModel().state()
    with pytest.raises(ValueError, match="finite numbers that differ"):
        GRUModel(SMALL).fit(["a", "b"], None, [1.0, 1.0])
    with pytest.raises(ValueError, match="as many ratings and sources"):
        GRUModel(SMALL).fit(["a", "b"], ["inform(a=b)"], [1.0, 2.0])


def test_without_torch_the_error_names_the_extra() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from quality_estimation_metric.gru_model import GRUModel\n"
        "try: GRUModel().fit(['a', 'b'], None, [1.0, 2.0])\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "referenceless-metrics[qe]"' in done.stdout
