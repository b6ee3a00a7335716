import pytest

from quality_estimation_metric.gru_model.settings import GRUSettings


def test_bad_settings():
    for name, value in (("units", 0), ("dropout", 1.0), ("learning_rate", -1.0), ("padding", "left")):
        with pytest.raises(ValueError, match=name):
            GRUSettings(**{name: value})  # type: ignore[arg-type]
