"""Hugging Face models by name, path, precision and device, and the message if there is none."""

import sys
from pathlib import Path

import numpy as np
import pytest
from lazily import lazily
from numpy.testing import assert_allclose
from refusals import refused

from slor_metric.language_models.hf import loading as hf_loading
from slor_metric.language_models.hf.model import HuggingFaceLanguageModel
from tests.support.tiny_causal_models import CORPUS, SMALL, TOLERANCE, make_tokenizer

torch = lazily("torch")
transformers = lazily("transformers")


def test_dtype(saved, tmp_path, tokenizer):
    full = HuggingFaceLanguageModel(saved)
    half = HuggingFaceLanguageModel(saved, dtype="bfloat16")
    double = HuggingFaceLanguageModel(saved, dtype=torch.float64)
    assert half.model.dtype == torch.bfloat16
    assert ",dtype=bfloat16," in half.signature
    texts = CORPUS[:2]
    for a, b, c in zip(*(lm.token_logprobs(texts) for lm in (full, half, double)), strict=True):
        assert_allclose(a.logprobs, c.logprobs, atol=TOLERANCE, rtol=0)
        assert_allclose(a.logprobs, b.logprobs, atol=1.0, rtol=0)
        assert np.abs(a.logprobs - b.logprobs).max() > TOLERANCE
    half.model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert HuggingFaceLanguageModel(tmp_path).model.dtype == torch.float32
    assert HuggingFaceLanguageModel(tmp_path, dtype="auto").model.dtype == torch.bfloat16
    for wrong in ("int8", torch.int64):
        with refused("argument `dtype`"):
            HuggingFaceLanguageModel(saved, dtype=wrong)
    with refused("argument `dtype`", TypeError):
        HuggingFaceLanguageModel(saved, dtype=16)


# --- errors


@pytest.mark.parametrize(
    "path, content, error, message",
    [
        ("./absent", None, FileNotFoundError, "there is nothing at"),
        ("./empty", None, ValueError, r"no config\.json"),
        ("./notes.txt", b"no model", ValueError, "GGUF file, but it is neither"),
        ("./folder/config.json", b'{"model_type": "llama"}', ValueError, "Cannot load a causal language model from"),
        ("./model.gguf", b"GGUF\x03\0\0\0", ValueError, r"Cannot load .* from .*model\.gguf"),
    ],
)
def test_what_holds_no_model(path, content, error, message, tmp_path, saved, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("empty", "folder"):
        Path(folder).mkdir()
    if content is not None:
        Path(path).write_bytes(content)
    options = {"tokenizer": str(saved)} if "folder" in path else {}
    for kind in (str, Path):
        with refused(message, error):
            HuggingFaceLanguageModel(kind(path.removesuffix("/config.json")), **options)
    with refused("argument `model`", TypeError):
        HuggingFaceLanguageModel(3, make_tokenizer())


@pytest.mark.parametrize(
    "error, expected",
    [
        ("LocalEntryNotFoundError", "cannot be reached"),
        ("RepositoryNotFoundError", "no public model of that name"),
        ("GatedRepoError", "accept terms"),
        ("RevisionNotFoundError", "no revision 'v9'"),
        ("EntryNotFoundError", r"no config\.json"),
        ("OSError", "cannot be reached"),
    ],
)
def test_hub_errors_are_one_sentence(monkeypatch, error, expected):
    from huggingface_hub import constants, errors

    kind = OSError if error == "OSError" else getattr(errors, error)

    def fail(*args, **kwargs):
        raise kind.__new__(kind)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", fail)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with refused(f"Cannot load the language model 'owner/name'.*{expected}") as caught:
        hf_loading.open_pair("owner/name", None, revision="v9")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("module, extra", [("torch", "hf"), ("transformers", "hf"), ("gguf", "gguf")])
def test_missing_packages_name_the_extra(monkeypatch, module, extra, saved, tmp_path):
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / "model.gguf").write_bytes(b"GGUF\x03\0\0\0")
    with refused(rf'needs {module}.*pip install "referenceless-metrics\[{extra}\]"', ImportError):
        HuggingFaceLanguageModel(tmp_path / "model.gguf" if module == "gguf" else saved)


def test_devices(saved):
    if not torch.cuda.is_available():
        with refused("argument `device` .*'cuda'"):
            HuggingFaceLanguageModel(saved, device="cuda")
    assert str(HuggingFaceLanguageModel(saved, device="cpu").device) == "cpu"


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"batch_size": 0}, ValueError, "argument `batch_size`"),
        ({"max_length": 65}, ValueError, "argument `max_length` to be at most 64"),
        ({"max_length": 0}, ValueError, "argument `max_length`"),
        ({"tokenizer": None}, TypeError, "argument `tokenizer`"),
        ({"device": "gpu"}, ValueError, r"argument `device` .*'gpu'"),
        ({"device": 0}, TypeError, "argument `device`"),
    ],
)
def test_options_are_checked(models, tokenizer, options, error, message):
    with refused(message, error):
        HuggingFaceLanguageModel(models("gpt2").model, **{"tokenizer": tokenizer, **options})


def test_a_tokenizer_of_another_model(tokenizer):
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    small = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=300, n_embd=8, n_layer=1, n_head=1, **ends))
    with refused("argument `tokenizer` to be the model's own"):
        HuggingFaceLanguageModel(small, tokenizer)


def test_models_that_are_not_causal(tokenizer):
    torch.manual_seed(0)
    config = transformers.BertConfig(
        **SMALL, intermediate_size=64, initializer_range=0.3, is_decoder=False, pad_token_id=0
    )
    with refused("depends on later tokens"):
        HuggingFaceLanguageModel(transformers.BertLMHeadModel(config), tokenizer)
    t5 = transformers.T5Config(vocab_size=400, d_model=16, d_ff=16, num_layers=1, num_heads=2, d_kv=8)
    with refused("encoder–decoder"):
        HuggingFaceLanguageModel(transformers.T5ForConditionalGeneration(t5), tokenizer)
