"""Quality estimation as `evaluate` loads it."""

import math

import pytest

from metric_commons.hub.modules import load
from quality_estimation_metric.example import RATINGS, TEXTS


@pytest.fixture(scope="module")
def module():
    return load("quality_estimation")


def test_batches_and_records(module):
    record = {"name": "loch fyne", "food": "seafood"}
    module.add_batch(predictions=["loch fyne serves seafood.", ""], sources=[record, record])
    module.add(prediction="bye", source="goodbye()")
    results = module.compute()
    assert results["reasons"] == [None, "empty text", None]
    assert not math.isnan(results["values"][0])


def test_a_model_that_reads_no_sources():
    module = load("quality_estimation", rated_texts=TEXTS, ratings=RATINGS)
    assert module.compute(predictions=TEXTS[:2])["coverage"] == 1


@pytest.mark.parametrize(
    "sources, error, message",
    [
        (None, ValueError, "`sources`, which the model of quality_estimation reads, but got None"),
        (["goodbye()"] * 2, ValueError, "one source for each of the 1 predictions, but got 2"),
        ("goodbye()", TypeError, "list with one source for each prediction, but got"),
        ([object()], TypeError, "not JSON serializable"),
    ],
)
def test_sources_of_the_wrong_kind(module, sources, error, message):
    with pytest.raises(error, match=message):
        module.compute(predictions=["a"], sources=sources)
