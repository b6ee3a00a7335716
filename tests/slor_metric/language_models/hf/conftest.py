"""Tiny models, made once per file if torch is installed."""

import pytest


@pytest.fixture(scope="module")
def tokenizer():
    from tests.support.tiny_causal_models import make_tokenizer

    return make_tokenizer()


@pytest.fixture(scope="module")
def models(tokenizer):
    from slor_metric.language_models.hf.model import HuggingFaceLanguageModel
    from tests.support.tiny_causal_models import make_model

    made = {}

    def get(kind):
        if kind not in made:
            made[kind] = HuggingFaceLanguageModel(make_model(kind), tokenizer, batch_size=4, progress=False)
        return made[kind]

    return get


@pytest.fixture(scope="module")
def saved(tmp_path_factory, models, tokenizer):
    folder = tmp_path_factory.mktemp("hf") / "tiny-llama"
    models("llama").model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
