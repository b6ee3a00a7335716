import pytest

from quality_estimation_metric.gru_model.settings import GRUSettings


def test_the_published_network():
    settings = GRUSettings.published()
    assert (settings.layers, settings.units, settings.width, settings.tanh_layers) == (2, 300, 1200, 2)
    assert (settings.passes, settings.synthetic_passes, settings.learning_rate) == (500, 20, 1e-4)
    assert "units:300" in settings.signature


def test_bad_settings():
    for name, value in (("units", 0), ("dropout", 1.0), ("learning_rate", -1.0), ("padding", "left")):
        with pytest.raises(ValueError, match=name):
            GRUSettings(**{name: value})  # type: ignore[arg-type]
