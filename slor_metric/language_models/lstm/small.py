"""Training a small language model: a corpus in, a folder with a checkpoint and the model in 8 bits out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from slor_metric.language_models.corpus import Corpus
from slor_metric.language_models.lstm.model import SmallLanguageModel
from slor_metric.language_models.lstm.storage import LSTM_FILE, SMALL_FILE, shrink
from slor_metric.language_models.lstm.training import train_lstm


def train_small(
    corpus: Corpus,
    out: str | os.PathLike[str],
    *,
    vocab_size: int = 16_000,
    hidden: int = 768,
    width: int = 256,
    epochs: float = 1.25,
    lr: float = 2e-3,
    decay: float = 0.4,
    validation: float = 0.006,
    validate_every: int = 1000,
    seed: int = 0,
    bf16: bool = True,
    checkpoint_seconds: float = 180.0,
    **options: Any,
) -> SmallLanguageModel:
    """Train a small language model, or go on with it.

    One LSTM over WordPieces reads sentences; an adaptive softmax gives the probabilities (the most frequent eighth of
    the pieces, the next quarter, the rest). Torch trains it; the folder holds the checkpoint, after every validation a
    model as torch reads it, with the held-out perplexity in `curve.jsonl`, and at the end `small.npz`, the best of them
    in 8 bits. A run may be cut anywhere: the same call goes on, and on one CPU thread with the same weights, bit for
    bit. With more `epochs` a finished run goes on from where its step size began to fall.

    Args:
        corpus: a path of UTF-8 text, one sentence a line (may be compressed), or lines.
        out: the folder to write.
        vocab_size: pieces that the model knows.
        hidden: units of the LSTM.
        width: of the embeddings, and of the states that the output layer reads.
        epochs: passes over the corpus; the last may be a part of one.
        lr: Adam's step size, until it falls.
        decay: the share of the run at whose end the step size falls to 0.
        validation: share of the sentences held out.
        validate_every: batches of 128 sentences between validations.
        seed: for the first weights, the held-out sentences and the order of batches.
        bf16: multiply in bfloat16: four times as fast on processors that have it, slow on others.
        checkpoint_seconds: least time between checkpoints.
        options: `device`, `resume` and `progress`, as `train_lstm` has them.

    Returns:
        The model with the lowest perplexity of the sentences held out, in 8 bits.

    Raises:
        ImportError: without torch and safetensors (extra `lstm`).
        InputError: for a corpus that cannot be read or has too few lines, a checkpoint of another corpus or of other
            settings, or a damaged one.
        TypeError, ValueError: for an option out of its range, or a device that is not available.
    """
    train_lstm(
        corpus,
        out,
        tokenizer="wordpiece",
        vocab_size=vocab_size,
        layers=1,
        hidden=hidden,
        embedding=width,
        projection=width,
        cutoffs=(vocab_size // 8, 3 * vocab_size // 8),
        epochs=epochs,
        patience=10**6,
        lr=lr,
        decay=decay,
        max_grad_norm=1.0,
        validation=validation,
        validate_every=validate_every,
        bf16=bf16,
        snapshots=True,
        checkpoint_seconds=checkpoint_seconds,
        seed=seed,
        **options,
    )
    shrink(Path(out) / LSTM_FILE, Path(out) / SMALL_FILE)
    return SmallLanguageModel.load(out)
