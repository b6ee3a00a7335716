"""Quality estimation as `evaluate` loads it."""

import pytest

from referenceless_metrics.frameworks.hub.modules import load


@pytest.fixture(scope="module")
def module():
    return load("quality_estimation")


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
