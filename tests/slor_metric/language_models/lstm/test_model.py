"""The LSTM language model: a twin in NumPy, training that learns and resumes bit for bit, files that are checked."""

import random
import shutil
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from refusals import refused

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

from metric_commons.files.archive import pack_strings, read_archive, unpack_strings, write_archive  # noqa: E402
from slor_metric.language_models.lstm import model as reader  # noqa: E402
from slor_metric.language_models.lstm import training as lstm_training  # noqa: E402
from slor_metric.language_models.lstm.model import LSTMLanguageModel  # noqa: E402
from slor_metric.language_models.lstm.storage import LSTM_FILE, SCHEMA  # noqa: E402
from slor_metric.language_models.lstm.training import train_lstm  # noqa: E402
from tests.support.language_model_checks import check_language_model  # noqa: E402

SUBJECTS, VERBS, OBJECTS = ("cats", "dogs", "birds"), ("see", "hear", "chase"), ("the moon", "a red ball", "no one")


def make_corpus(n=400, seed=1):
    """Sentences of a fixed pattern: far more predictable from their context than from counts."""
    choose = random.Random(seed).choice
    return [f"{choose(SUBJECTS)} {choose(VERBS)} {choose(OBJECTS)} ." for _ in range(n)]


def train(path, corpus=None, **options):
    return train_lstm(make_corpus() if corpus is None else corpus, path, **{**TINY, **options})


def assert_same_weights(one, other, atol=0.0):
    for name, value in one.weights.items():
        assert_allclose(value, other.weights[name], rtol=0, atol=atol)


TINY = {
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
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("lstm") / "model"
    train(path)
    return path


@pytest.fixture(scope="module")
def lm(folder):
    return LSTMLanguageModel.load(folder)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def one_by_one(model, text):
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
    st.lists(st.sampled_from("cats see the moon . Dogs quux <s> </s> <unk>".split()), max_size=12).map(" ".join),
    max_size=8,
)


@settings(max_examples=30)
@given(texts=TEXTS, rows=st.integers(1, 9), seed=st.integers(0, 99))
def test_equals_twin_in_any_batch(lm, texts, rows, seed):
    order = list(range(len(texts)))
    random.Random(seed).shuffle(order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_ROWS", rows)
        results = lm.token_logprobs([*(texts[i] for i in order), "cats see " * 20])
    for i, result in zip(order, results, strict=False):
        expected = one_by_one(lm, texts[i])
        assert_allclose([*result.logprobs, result.end_logprob], expected, atol=1e-5, rtol=0)


def test_contract(lm):
    check_language_model(lm)
    (text,) = lm.token_logprobs(["Cats see  the\tmoon."])
    assert text.pieces == ("cats", "see", "the", "moon", ".")


def test_unknown_words(lm):
    (result,) = lm.token_logprobs(["cats see xyzzy <s> ."])
    assert result.pieces == ("cats", "see", "<unk>", "<unk>", "<unk>", "<unk>", ".")  # "<", "s" and ">" are words


# --- training


def test_training_learns(folder, lm):
    note = read_archive(folder / LSTM_FILE, SCHEMA)[0]["training"]
    held_out = lm.token_logprobs(make_corpus(50, seed=2))
    perplexity = np.exp(-np.mean(np.concatenate([text.logprobs for text in held_out])))
    of_unigrams = np.exp(-np.mean(lm.unigram.logprobs([piece for text in held_out for piece in text.pieces])))
    assert max(perplexity, note["perplexity"]) < of_unigrams / 2
    # Three subjects, verbs and objects, equally often: 3 · 3 · 3 sentences of 5 or 6 tokens; no model does better.
    assert perplexity > 27 ** (1 / 6)


def test_unigram_counts_are_those_of_the_training_part(tmp_path):
    unigram = train(tmp_path, ["a b", "a b", "a b", "a c"], tokenizer="whitespace", epochs=1).unigram
    assert unigram.tokens[0] == "<unk>"
    assert set(unigram.tokens) == {"<unk>", "a", "b"}  # "c" was seen once
    assert unigram.counts.sum() == 6  # one of the four is held out


@pytest.mark.parametrize("tokenizer", ["word", "words", "wordpiece", "whitespace"])
def test_tokenizers(tmp_path, tokenizer):
    model = train(tmp_path, make_corpus(120) * 2, tokenizer=tokenizer, vocab_size=60, epochs=1)
    assert model.tokenizer_name == ("words" if tokenizer == "word" else tokenizer)
    (result,) = model.token_logprobs(["cats chase a red ball ."])
    joined = "".join(piece.removeprefix("##") for piece in result.pieces)
    assert joined == "catschasearedball."
    assert LSTMLanguageModel.load(tmp_path).signature == model.signature


def test_continuing_equals_one_run(tmp_path):
    whole = train(tmp_path / "whole", epochs=3, dropout=0.2)
    train(tmp_path / "parts", epochs=1, dropout=0.2)
    torch.rand(7)  # whatever else drew random numbers in between
    parts = train(tmp_path / "parts", epochs=3, dropout=0.2)
    assert_same_weights(whole, parts)
    assert whole.signature == parts.signature


@pytest.mark.parametrize("stop_at", [5, 24, 30])
def test_interrupted_run_resumes_where_it_was(tmp_path, interrupted, stop_at, folder):
    done = interrupted(lambda: train(tmp_path, checkpoint_seconds=0), stop_at)
    resumed = interrupted(lambda: train(tmp_path))
    assert sum(done) + sum(resumed) == 2 * 380  # every sentence but the 20 held out, twice
    assert_same_weights(LSTMLanguageModel.load(folder), LSTMLanguageModel.load(tmp_path))


def test_early_stopping_keeps_the_best(tmp_path, capsys):
    train(tmp_path, make_corpus(100), epochs=50, lr=0.5, progress=None, validate_every=5, patience=2)
    lines = [line for line in capsys.readouterr().err.splitlines() if "validation perplexity" in line]
    perplexities = [float(line.split("perplexity ")[1].split(" ")[0]) for line in lines]
    assert 3 <= len(perplexities) < 50
    assert min(perplexities) == min(perplexities[:-2])
    note = read_archive(tmp_path / LSTM_FILE, SCHEMA)[0]["training"]
    assert note["perplexity"] == pytest.approx(min(perplexities), abs=0.06)


def test_large_batches_go_in_parts(tmp_path, monkeypatch):
    whole = train(tmp_path / "whole", make_corpus(60), epochs=1)
    monkeypatch.setattr(lstm_training, "_MAX_LOGITS", 300)
    assert_same_weights(whole, train(tmp_path / "parts", make_corpus(60), epochs=1), atol=1e-4)


def test_long_sentences_are_cut_in_training_only(tmp_path):
    lines = [" ".join(make_corpus(3, seed)) for seed in range(20)]
    model = train(tmp_path, lines, epochs=1, max_length=4)
    assert int(model.unigram.counts.sum()) == 4 * 19
    assert len(model.token_logprobs([lines[0]])[0]) > 4


# --- files and errors


def test_other_settings_or_corpus_do_not_resume(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "copy")
    with refused(r"is of a run with hidden=24: .*resume=False \(--restart\)"):
        train(copy, hidden=32)
    with refused("another corpus"):
        train(copy, make_corpus(seed=9))
    assert train(copy, hidden=32, resume=False).shape.hidden == 32


@pytest.mark.parametrize("keep", [0, 5, 1000, -1])
def test_damaged_checkpoint(folder, tmp_path, keep):
    path = shutil.copytree(folder, tmp_path / "copy") / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    with refused(r"checkpoint\.safetensors is truncated"):
        train(path.parent)


@pytest.mark.parametrize(
    "name, change",
    [
        ("shape", lambda own: {"vocabulary": 3}),
        ("shape", lambda own: {"size": 3}),
        ("shape", lambda own: {**own, "hidden": 10**9}),
        ("shape", lambda own: {**own, "layers": 10**9}),
        ("shape", lambda own: {**own, "layers": True}),
        ("oov", lambda own: "other"),
        ("tokenizer", lambda own: "other"),
        ("counts", lambda own: own[:1]),
        ("counts", lambda own: np.full_like(own, -1)),
        ("tokens", lambda own: pack_strings(["a"] * len(unpack_strings(own)))),
        ("output.bias", lambda own: np.full_like(own, np.nan)),
        ("output.bias", lambda own: own.astype(np.float64)),
        ("more", lambda own: np.zeros(1)),
    ],
)
def test_foreign_models(folder, tmp_path, name, change):
    header, arrays = read_archive(folder / LSTM_FILE, SCHEMA)
    own = header if name in header else arrays
    own[name] = change(own.get(name))
    write_archive(tmp_path / LSTM_FILE, SCHEMA, header, arrays)
    with refused(r"lstm\.safetensors"):
        LSTMLanguageModel.load(tmp_path)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"tokenizer": "bpe"}, "argument `tokenizer`"),
        ({"layers": 0}, "argument `layers`"),
        ({"vocab_size": 0}, "argument `vocab_size`"),
        ({"dropout": 1.0}, "argument `dropout`"),
        ({"lr": 0}, "argument `lr`"),
        ({"validation": 0.9}, "argument `validation`"),
        ({"device": "gpu"}, "argument `device`"),
        ({"corpus": []}, "no usable line"),
        ({"corpus": ["", " "]}, "no usable line"),
        ({"corpus": ["one line", ""]}, "at least two usable lines"),
        ({"path": __file__}, "to be a folder"),
    ],
)
def test_options_are_checked(tmp_path, options, message):
    with refused(message):
        train(**{"path": tmp_path / "model", **options})


def test_a_folder_without_a_model(tmp_path):
    with refused(r"no file at .*lstm\.safetensors; expected one that holds an LSTM", FileNotFoundError):
        LSTMLanguageModel.load(tmp_path)


@pytest.mark.parametrize("module", ["torch", "safetensors"])
def test_missing_packages_name_the_extra(folder, monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with refused(rf'needs {module}.*pip install "referenceless-metrics\[lstm\]"', ImportError):
        train(folder)
