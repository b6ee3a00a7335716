"""What all tests of the commands share."""

import pytest


@pytest.fixture(autouse=True)
def _few_shuffles(monkeypatch):
    """Let `compare` shuffle a hundred times where a test names no number: nearly none of them looks at a p of texts."""
    from referenceless_metrics.comparison.command import compare

    option = next(option for option in compare.params if option.name == "n_samples")
    monkeypatch.setattr(option, "default", 100)
