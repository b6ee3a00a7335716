"""Training of LSTM language models: it learns, goes on bit for bit, and the product reads its files."""

import json
import random
import shutil

import numpy as np
import pytest
from lazily import lazily
from refusals import refused
from text_files import write

from referenceless_metrics.core.files.archive import read_archive
from referenceless_papers.training.lstm import Settings, TrainingData, train_lstm, train_small
from slor_metric.language_models.lstm.model import LSTMLanguageModel, SmallLanguageModel
from slor_metric.language_models.lstm.storage import LSTM_FILE, SCHEMA

torch = lazily("torch")
lazily("safetensors")

SUBJECTS, VERBS, OBJECTS = ("cats", "dogs", "birds"), ("see", "hear", "chase"), ("the moon", "a red ball", "no one")
BOTH = {"hidden": 16, "validation": 0.05, "device": "cpu", "progress": False}
TINY = {**BOTH, "embedding": 12, "batch_size": 16, "lr": 0.02, "epochs": 2}
SMALL = {**BOTH, "vocab_size": 80, "width": 12, "epochs": 3, "lr": 0.01, "validate_every": 2}


def make_corpus(n=300, seed=1):
    """Sentences of a fixed pattern: far more predictable from their context than from counts."""
    choose = random.Random(seed).choice
    return [f"{choose(SUBJECTS)} {choose(VERBS)} {choose(OBJECTS)} ." for _ in range(n)]


def train(path, corpus=None, **options):
    return train_lstm(make_corpus() if corpus is None else corpus, path, **{**TINY, **options})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("lstm") / "model"
    train(path)
    return path


def test_training_learns(folder):
    lm = LSTMLanguageModel.load(folder)
    note = read_archive(folder / LSTM_FILE, SCHEMA)[0]["training"]
    held_out = lm.token_logprobs(make_corpus(50, seed=2))
    perplexity = np.exp(-np.mean(np.concatenate([text.logprobs for text in held_out])))
    of_unigrams = np.exp(-np.mean(lm.unigram.logprobs([piece for text in held_out for piece in text.pieces])))
    assert max(perplexity, note["perplexity"]) < of_unigrams / 2
    # Three subjects, verbs and objects, equally often: 3 · 3 · 3 sentences of 5 or 6 tokens; no model does better.
    assert perplexity > 27 ** (1 / 6)


@pytest.mark.parametrize("tokenizer", ["word", "wordpiece", "whitespace"])
def test_tokenizers(tmp_path, tokenizer):
    model = train(tmp_path, make_corpus(60) * 2, tokenizer=tokenizer, vocab_size=60, epochs=1)
    assert model.tokenizer_name == ("words" if tokenizer == "word" else tokenizer)
    (result,) = model.token_logprobs(["cats chase a red ball ."])
    assert "".join(piece.removeprefix("##") for piece in result.pieces) == "catschasearedball."


@pytest.mark.long
def test_early_stopping_keeps_the_best(tmp_path, capsys):
    train(tmp_path, make_corpus(100), epochs=50, lr=0.5, progress=None, validate_every=5, patience=2)
    lines = [line for line in capsys.readouterr().err.splitlines() if "validation perplexity" in line]
    perplexities = [float(line.split("perplexity ")[1].split(" ")[0]) for line in lines]
    assert 3 <= len(perplexities) < 50
    assert min(perplexities) == min(perplexities[:-2])
    note = read_archive(tmp_path / LSTM_FILE, SCHEMA)[0]["training"]
    assert note["perplexity"] == pytest.approx(min(perplexities), abs=0.06)


@pytest.mark.parametrize("keep", [0, 5, 1000, -1])
def test_damaged_checkpoint(folder, tmp_path, keep):
    path = shutil.copytree(folder, tmp_path / "copy") / "checkpoint.safetensors"
    path.write_bytes(path.read_bytes()[:keep])
    with refused(r"checkpoint\.safetensors is truncated"):
        train(path.parent)


# --- the small model


@pytest.fixture(scope="module")
def small_folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("small") / "model"
    train_small(make_corpus(), path, **SMALL)
    return path


@pytest.mark.long
def test_a_small_model_is_gone_on_with_on_other_files_beside_faulty_twins(small_folder, tmp_path, capsys):
    start, files = small_folder / "small.safetensors", [tmp_path / "a.txt", tmp_path / "b.txt"]
    for seed, file in enumerate(files):
        write(file, "\n".join(make_corpus(100, seed=seed)))
    options = {**SMALL, "twins": 4, "lr": 1e-3, "warm_up": 2, "decay": 1.0, "epochs": 1, "batch_size": 20}
    model = train_small(files, tmp_path / "model", **{**options, "start": start, "progress": None})
    assert model.tokens == SmallLanguageModel.load(start).tokens
    assert "CPU seconds" in capsys.readouterr().err
    points = [json.loads(line) for line in (tmp_path / "model" / "curve.jsonl").read_text("utf-8").splitlines()]
    assert len(points[-1]["of_files"]) == len(files)
    assert max(points[-1]["of_files"]) < 40  # of 80 pieces, after ten small steps: the weights are those of the start
    with refused("is of a run with from_model="):
        train_small(files, tmp_path / "model", **{**options, "start": tmp_path / "model"})


def test_a_run_from_another_model_reads_in_another_order():
    lines = [f"word{i} here ." for i in range(60)]
    runs = [TrainingData(lines, Settings(from_model=name, batch_size=1), False) for name in ("", "a", "a", "b")]
    orders = [np.concatenate(run.batches(0)).tolist() for run in runs]
    assert orders[1] == orders[2]
    assert len({tuple(order) for order in orders}) == 3
    assert len({tuple(sorted(order)) for order in orders}) == 1
