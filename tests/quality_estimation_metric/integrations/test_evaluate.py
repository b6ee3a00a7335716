"""Quality estimation as `evaluate` loads it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from metric_commons.hub.modules import load
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import DEMO_SOURCES, DEMO_TEXTS, RATINGS, TEXTS


@pytest.fixture(scope="module")
def module() -> Any:
    return load("quality_estimation")


def test_compute(module: Any) -> None:
    results = module.compute(predictions=DEMO_TEXTS, sources=DEMO_SOURCES)
    expected = QualityEstimator.load().predict(DEMO_TEXTS, sources=DEMO_SOURCES)
    assert results["values"] == expected.values.tolist()
    assert results["lower"] == expected.lower.tolist()
    assert results["quality_estimation"] == pytest.approx(expected.mean)
    assert results["level"] == 0.9


def test_batches_and_records(module: Any) -> None:
    record = {"name": "loch fyne", "food": "seafood"}
    module.add_batch(predictions=["loch fyne serves seafood.", ""], sources=[record, record])
    module.add(prediction="bye", source="goodbye()")
    results = module.compute()
    assert results["reasons"] == [None, "empty text", None]
    assert not math.isnan(results["values"][0])


def test_a_model_that_reads_no_sources() -> None:
    module = load("quality_estimation", training_texts=TEXTS, training_ratings=RATINGS)
    assert module.compute(predictions=TEXTS[:2])["coverage"] == 1


def test_sources_of_the_wrong_kind(module: Any) -> None:
    with pytest.raises(ValueError, match="Expected argument `sources`, without which there is no quality_estimation"):
        module.compute(predictions=["a"])
    with pytest.raises(ValueError, match="one source for each of the 2 predictions, but got 1"):
        module.compute(predictions=["a", "b"], sources=["goodbye()"])
    with pytest.raises(TypeError, match="list with one source for each prediction, but got"):
        module.compute(predictions=["a"], sources="goodbye()")
    with pytest.raises(TypeError, match="`sources` to hold texts, mappings or lists of triples"):
        module.compute(predictions=["a"], sources=[object()])
