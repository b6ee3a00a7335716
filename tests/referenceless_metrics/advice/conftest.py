"""Fixtures of the tests of `look` and `advise`."""

import pytest

from referenceless_metrics.comparison.command import compare


@pytest.fixture(autouse=True)
def _few_shuffles(monkeypatch):
    """Let `compare` shuffle a hundred times: lines that `look` proposes run to see that they work."""
    option = next(option for option in compare.params if option.name == "n_samples")
    monkeypatch.setattr(option, "default", 100)
