"""A fitted estimator from whatever holds one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from metric_commons.registry import load_metric
from metric_commons.support.validation import NotFittedError
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, TEXTS
from quality_estimation_metric.model_files.source import quality_estimation


@pytest.fixture(scope="module")
def fitted() -> QualityEstimator:
    return QualityEstimator().fit(TEXTS, RATINGS)


def test_an_estimator_a_file_or_rated_texts(fitted: QualityEstimator, tmp_path: Path) -> None:
    assert quality_estimation(fitted) is fitted
    fitted.save(tmp_path / "model.npz")
    read = load_metric("quality_estimation", model_file=tmp_path / "model.npz", level=0.5)
    assert (read.level, read.needs_sources) == (0.5, False)
    anew = quality_estimation(rated_texts=TEXTS, ratings=RATINGS, seed=0)
    assert anew.predict(TEXTS[:3]).values.tolist() == fitted.predict(TEXTS[:3]).values.tolist()
    assert quality_estimation().needs_sources


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"model_file": "a", "rated_texts": TEXTS}, ValueError, "but got rated_texts and model_file"),
        ({"rated_texts": TEXTS}, ValueError, "one without the other"),
        ({"rated_sources": TEXTS}, ValueError, "one without the other"),
        ({"seed": 1}, TypeError, "no argument beside a model file but `level`.*`seed`"),
        ({"model_file": "nowhere.npz"}, FileNotFoundError, "no file at"),
        ({"estimator": QualityEstimator()}, NotFittedError, "call `fit` first"),
        ({"estimator": QualityEstimator(), "level": 0.5}, ValueError, "fitted estimator or level"),
    ],
)
def test_what_makes_no_estimator(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        quality_estimation(**arguments)
