"""The LSTM language model: a twin in NumPy, training that learns and resumes bit for bit, files that are checked."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from metric_commons.files.archive import pack_strings, read_archive, write_archive  # noqa: E402
from slor_metric.language_models.lstm import model as reader  # noqa: E402
from slor_metric.language_models.lstm import training as lstm_training  # noqa: E402
from slor_metric.language_models.lstm.model import LSTMLanguageModel  # noqa: E402
from slor_metric.language_models.lstm.storage import LSTM_FILE, SCHEMA  # noqa: E402
from slor_metric.language_models.lstm.training import train_lstm  # noqa: E402
from tests.support.language_model_checks import check_language_model  # noqa: E402

SUBJECTS, VERBS, OBJECTS = ("cats", "dogs", "birds"), ("see", "hear", "chase"), ("the moon", "a red ball", "no one")


def make_corpus(n: int = 400, seed: int = 1) -> list[str]:
    """Sentences of a fixed pattern: far more predictable from their context than from counts."""
    choose = random.Random(seed).choice
    return [f"{choose(SUBJECTS)} {choose(VERBS)} {choose(OBJECTS)} ." for _ in range(n)]


TINY: dict[str, Any] = {
    "hidden": 24,
    "embedding": 16,
    "batch_size": 16,
    "lr": 0.02,
    "epochs": 2,
    "validation": 0.05,
    "device": "cpu",
    "progress": False,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lstm") / "model"
    train_lstm(make_corpus(), path, **TINY)
    return path


@pytest.fixture(scope="module")
def lm(folder: Path) -> LSTMLanguageModel:
    return LSTMLanguageModel.load(folder)


def sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))


def one_by_one(model: LSTMLanguageModel, text: str) -> list[float]:
    """The twin: the equations of the LSTM, one token at a time, in double precision."""
    w, shape = {name: value.astype(np.float64) for name, value in model.weights.items()}, model.shape
    ids = [model.tokens.index(token) for token in model.token_logprobs([text])[0].pieces]
    h, c = np.zeros((shape.layers, shape.hidden)), np.zeros((shape.layers, shape.hidden))
    found = []
    for token, following in zip([1, *ids], [*ids, 2], strict=True):
        x = w["embedding"][token]
        for k, name in enumerate(("lstm", "lstm_1")):
            i, f, g, o = np.split(w[name] @ np.concatenate([x, h[k]]) + w[f"{name}_bias"], 4)
            c[k] = sigmoid(f) * c[k] + sigmoid(i) * np.tanh(g)
            x = h[k] = sigmoid(o) * np.tanh(c[k])
        logits = w["head"] @ x + w["head_bias"]
        found.append(float(logits[following] - np.logaddexp.reduce(logits)))
    return found


# --- scoring


TEXTS = st.lists(
    st.lists(
        st.sampled_from(["cats", "see", "the", "moon", ".", "Dogs", "quux", "<s>", "</s>", "<unk>"]), max_size=12
    ).map(" ".join),
    max_size=8,
)


@settings(max_examples=30)
@given(texts=TEXTS, rows=st.integers(1, 9), seed=st.integers(0, 99))
def test_equals_twin_in_any_batch(lm: LSTMLanguageModel, texts: list[str], rows: int, seed: int) -> None:
    order = list(range(len(texts)))
    random.Random(seed).shuffle(order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_ROWS", rows)
        results = lm.token_logprobs([*(texts[i] for i in order), "cats see " * 20])
    for i, result in zip(order, results, strict=False):
        expected = one_by_one(lm, texts[i])
        np.testing.assert_allclose([*result.logprobs, result.end_logprob], expected, atol=1e-5, rtol=0)


def test_contract(lm: LSTMLanguageModel) -> None:
    check_language_model(lm)
    (text,) = lm.token_logprobs(["Cats see  the\tmoon."])
    assert text.pieces == ("cats", "see", "the", "moon", ".")


def test_unknown_words(lm: LSTMLanguageModel) -> None:
    (result,) = lm.token_logprobs(["cats see xyzzy <s> ."])
    assert result.pieces == ("cats", "see", "<unk>", "<unk>", "<unk>", "<unk>", ".")  # "<", "s" and ">" are words


# --- training


def test_training_learns(folder: Path, lm: LSTMLanguageModel) -> None:
    note = read_archive(folder / LSTM_FILE, SCHEMA)[0]["training"]
    held_out = lm.token_logprobs(make_corpus(50, seed=2))
    perplexity = np.exp(-np.mean(np.concatenate([text.logprobs for text in held_out])))
    of_unigrams = np.exp(-np.mean(lm.unigram.logprobs([piece for text in held_out for piece in text.pieces])))
    assert max(perplexity, note["perplexity"]) < of_unigrams / 2
    # Three subjects, verbs and objects, equally often: 3 · 3 · 3 sentences of 5 or 6 tokens; no model does better.
    assert perplexity > 27 ** (1 / 6)


def test_unigram_counts_are_those_of_the_training_part(tmp_path: Path) -> None:
    model = train_lstm(["a b", "a b", "a b", "a c"], tmp_path, tokenizer="whitespace", **{**TINY, "epochs": 1})
    assert model.unigram.tokens[0] == "<unk>"
    counts = dict(zip(model.unigram.tokens, model.unigram.counts.tolist(), strict=True))
    assert set(counts) == {"<unk>", "a", "b"}  # "c" was seen once
    assert sum(counts.values()) == 6  # one of the four is held out


@pytest.mark.parametrize("tokenizer", ["word", "words", "wordpiece", "whitespace"])
def test_tokenizers(tmp_path: Path, tokenizer: str) -> None:
    lines = make_corpus(120) * 2
    model = train_lstm(lines, tmp_path, tokenizer=tokenizer, vocab_size=60, **{**TINY, "epochs": 1})
    assert model.tokenizer_name == ("words" if tokenizer == "word" else tokenizer)
    (result,) = model.token_logprobs(["cats chase a red ball ."])
    joined = "".join(piece.removeprefix("##") for piece in result.pieces)
    assert joined == "catschasearedball."
    assert LSTMLanguageModel.load(tmp_path).signature == model.signature


def test_continuing_equals_one_run(tmp_path: Path) -> None:
    whole = train_lstm(make_corpus(), tmp_path / "whole", **{**TINY, "epochs": 3, "dropout": 0.2})
    train_lstm(make_corpus(), tmp_path / "parts", **{**TINY, "epochs": 1, "dropout": 0.2})
    torch.rand(7)  # whatever else drew random numbers in between
    parts = train_lstm(make_corpus(), tmp_path / "parts", **{**TINY, "epochs": 3, "dropout": 0.2})
    for name, value in whole.weights.items():
        np.testing.assert_array_equal(value, parts.weights[name])
    assert whole.signature == parts.signature


@pytest.mark.parametrize("stop_at", [5, 24, 30])
def test_interrupted_run_resumes_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop_at: int, folder: Path
) -> None:
    step, done = lstm_training._Run._step, []

    def interrupted(self: Any, rows: Any) -> float:
        if len(done) == stop_at:
            raise KeyboardInterrupt
        done.append(len(rows))
        return step(self, rows)

    with monkeypatch.context() as patch:
        patch.setattr(lstm_training._Run, "_step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            train_lstm(make_corpus(), tmp_path, **TINY, checkpoint_seconds=0)
    resumed = []

    def counted(self: Any, rows: Any) -> float:
        resumed.append(len(rows))
        return step(self, rows)

    monkeypatch.setattr(lstm_training._Run, "_step", counted)
    model = train_lstm(make_corpus(), tmp_path, **TINY)
    assert sum(done) + sum(resumed) == 2 * 380  # every sentence but the 20 held out, twice
    for name, value in LSTMLanguageModel.load(folder).weights.items():
        np.testing.assert_array_equal(value, model.weights[name])


def test_early_stopping_keeps_the_best(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {**TINY, "epochs": 50, "lr": 0.5, "progress": None, "validate_every": 5}
    train_lstm(make_corpus(100), tmp_path, **options, patience=2)
    lines = [line for line in capsys.readouterr().err.splitlines() if "validation perplexity" in line]
    perplexities = [float(line.split("perplexity ")[1].split(" ")[0]) for line in lines]
    assert 3 <= len(perplexities) < 50
    assert min(perplexities) == min(perplexities[:-2])
    note = read_archive(tmp_path / LSTM_FILE, SCHEMA)[0]["training"]
    assert note["perplexity"] == pytest.approx(min(perplexities), abs=0.06)


def test_large_batches_go_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train_lstm(make_corpus(60), tmp_path / "whole", **{**TINY, "epochs": 1})
    monkeypatch.setattr(lstm_training, "_MAX_LOGITS", 300)
    parts = train_lstm(make_corpus(60), tmp_path / "parts", **{**TINY, "epochs": 1})
    for name, value in whole.weights.items():
        np.testing.assert_allclose(value, parts.weights[name], atol=1e-4)


def test_long_sentences_are_cut_in_training_only(tmp_path: Path) -> None:
    lines = [" ".join(make_corpus(3, seed)) for seed in range(20)]
    model = train_lstm(lines, tmp_path, **{**TINY, "epochs": 1, "max_length": 4})
    assert int(model.unigram.counts.sum()) == 4 * 19
    assert len(model.token_logprobs([lines[0]])[0]) > 4


# --- files and errors


def test_other_settings_or_corpus_do_not_resume(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    with pytest.raises(ValueError, match=r"is of a run with hidden=24: .*resume=False \(--restart\)"):
        train_lstm(make_corpus(), tmp_path / "copy", **{**TINY, "hidden": 32})
    with pytest.raises(ValueError, match="another corpus"):
        train_lstm(make_corpus(seed=9), tmp_path / "copy", **TINY)
    model = train_lstm(make_corpus(), tmp_path / "copy", **{**TINY, "hidden": 32}, resume=False)
    assert model.shape.hidden == 32


@pytest.mark.parametrize("keep", [0, 5, 1000, -1])
def test_damaged_checkpoint(folder: Path, tmp_path: Path, keep: int) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    path = tmp_path / "copy" / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ValueError, match=r"checkpoint\.safetensors is truncated"):
        train_lstm(make_corpus(), tmp_path / "copy", **TINY)


def test_foreign_models(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no file at .*lstm\.npz; expected one that holds an LSTM"):
        LSTMLanguageModel.load(tmp_path)
    header, arrays = read_archive(folder / LSTM_FILE, SCHEMA)
    n_tokens = header["shape"]["vocabulary"]
    shapes: list[dict[str, Any]] = [
        {"vocabulary": 3},
        {"size": 3},
        *({**header["shape"], **change} for change in ({"hidden": 10**9}, {"layers": 10**9}, {"layers": True})),
    ]
    changes: list[tuple[dict[str, Any], dict[str, Any]]] = [
        *(({"shape": shape}, {}) for shape in shapes),
        ({"oov": "other"}, {}),
        ({"tokenizer": "other"}, {}),
        ({}, {"counts": np.ones(1, np.int64)}),
        ({}, {"counts": np.full(n_tokens, -1)}),
        ({}, {"tokens": pack_strings(["a"] * n_tokens)}),
        ({}, {"output.bias": np.full(n_tokens, np.nan, np.float32)}),
        ({}, {"output.bias": np.zeros(n_tokens)}),
        ({}, {"more": np.zeros(1)}),
    ]
    for own_header, own_arrays in changes:
        write_archive(tmp_path / LSTM_FILE, SCHEMA, {**header, **own_header}, {**arrays, **own_arrays})
        with pytest.raises(ValueError, match=r"lstm\.npz"):
            LSTMLanguageModel.load(tmp_path)


def test_options_are_checked(tmp_path: Path) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"tokenizer": "bpe"}, "argument `tokenizer`"),
        ({"layers": 0}, "argument `layers`"),
        ({"vocab_size": 0}, "argument `vocab_size`"),
        ({"dropout": 1.0}, "argument `dropout`"),
        ({"lr": 0}, "argument `lr`"),
        ({"validation": 0.9}, "argument `validation`"),
        ({"device": "gpu"}, "argument `device`"),
    ]
    for options, message in wrong:
        with pytest.raises(ValueError, match=message):
            train_lstm(make_corpus(), tmp_path / "model", **{**TINY, **options})
    for corpus in ([], ["", " "]):
        with pytest.raises(ValueError, match="no usable line"):
            train_lstm(corpus, tmp_path / "model", **TINY)
    with pytest.raises(ValueError, match="at least two usable lines"):
        train_lstm(["one line", ""], tmp_path / "model", **TINY)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="to be a folder"):
        train_lstm(make_corpus(), tmp_path / "file", **TINY)


@pytest.mark.parametrize("module", ["torch", "safetensors"])
def test_missing_packages_name_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf'needs {module}.*pip install "referenceless-metrics\[lstm\]"'):
        train_lstm(make_corpus(), folder, **TINY)
