"""The registry: declared metrics are found, from an installation and from a tree that was never installed."""

import pytest
from refusals import refused

from referenceless_metrics.core.registry import load_metric, metric_spec
from referenceless_metrics.core.support import installation
from referenceless_metrics.core.support.installation import METRICS_GROUP, plugged_in


@pytest.fixture
def fresh():
    plugged_in.cache_clear()
    yield
    plugged_in.cache_clear()


def test_unknown_names():
    with refused(r"one of {'bleu_neighbors'.*}, but got 'bleu'"):
        load_metric("bleu")


def test_an_entry_that_is_no_metric(fresh, monkeypatch):
    monkeypatch.setattr(installation, "_declared_elsewhere", lambda: {METRICS_GROUP: {"theirs": "string:digits"}})
    with refused(r"'theirs' of referenceless_metrics\.metrics to be a MetricSpec", TypeError):
        metric_spec("theirs")
