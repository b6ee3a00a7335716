"""The LSTM of Kann et al. (2018), two layers of 512 units, on 2 million words of the trigrams' corpus."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from referenceless_metrics.core.files.archive import read_archive
from referenceless_papers.common.record import read_record, write_record
from referenceless_papers.open_questions.language_models import (
    CORPUS,
    LSTM,
    SETTINGS,
    first_words,
    held_out_lines,
    measured_sets,
    row_of,
)
from referenceless_papers.training.lstm import SNAPSHOTS, train_lstm
from slor_metric.language_models.lstm.model import LSTMLanguageModel
from slor_metric.language_models.lstm.storage import LSTM_FILE, SCHEMA

_MILLIONS = 2.0


def train(data_dir: Path, folder: Path, *, epochs: float = 1.0, progress: bool | None = None) -> None:
    """Train the network, or go on with an earlier call that was cut.

    The vocabulary is that of the trigrams of 2 million words. Settings that the paper leaves open were set beforehand
    and not
    tuned: the output layer is cut after 2,000 and 8,000 words, a batch has 64 sentences and not 128, so that few words
    make more steps, and Adam's step size, 0.002, falls to 0 over the last two fifths.

    Args:
        data_dir: the folder that holds `lm-corpus/`.
        folder: checkpoint, and the models that `learning_curve` measures.
        epochs: passes over the corpus's first 2 million words; fewer end the run earlier.
        progress: see `train_lstm`.
    """
    train_lstm(
        list(first_words(data_dir / CORPUS, _MILLIONS)),
        folder,
        tokenizer=SETTINGS["tokenizer"],
        vocab_size=SETTINGS["vocab_size"],
        min_count=1,
        cutoffs=(2000, 8000),
        batch_size=64,
        lr=2e-3,
        decay=0.4,
        validation=0.005,
        validate_every=125,
        epochs=epochs,
        patience=10**6,
        snapshots=True,
        progress=progress,
    )


def record_curve(data_dir: Path, folder: Path, path: str | os.PathLike[str], cpu_hours: float) -> None:
    """Write each kept model's perplexity, and SLOR's r with it on the sets of the trigrams, to a record.

    Args:
        data_dir: the folder that holds the data sets' folders.
        folder: the folder of `train`.
        path: the record; hours that it already has are added to, and models that it has are not measured again.
        cpu_hours: processor time of training since then.
    """
    held_out, sets = held_out_lines(data_dir / CORPUS), measured_sets(data_dir)
    before: dict[str, Any] = read_record(path) if Path(path).exists() else {"cpu_hours": 0.0, "rows": []}
    known, rows = {row["million words"]: row for row in before["rows"]}, []
    for snapshot in sorted((folder / SNAPSHOTS).glob(f"*/{LSTM_FILE}")):
        training = read_archive(snapshot, SCHEMA)[0]["training"]
        words = (training["tokens"] - training["batches"] * training["settings"]["batch_size"]) / 1e6  # without `</s>`
        rows.append(known.get(words) or row_of(LSTM, words, LSTMLanguageModel.load(snapshot), held_out, sets))
    write_record({"cpu_hours": before["cpu_hours"] + round(cpu_hours, 2), "rows": rows}, path)


def train_and_record(data_dir: Path, folder: Path, path: str | os.PathLike[str], epochs: float) -> None:
    """Train the network, or go on, and record its learning curve."""
    begin = time.process_time()
    train(data_dir, folder, epochs=epochs)
    record_curve(data_dir, folder, path, (time.process_time() - begin) / 3600)
