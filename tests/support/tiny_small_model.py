"""Small language models of random weights, in files."""

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from metric_commons.files.archive import pack_strings, write_archive
from slor_metric.language_models.lstm.storage import SCHEMA, NetworkShape, shrink
from slor_metric.tokenizers.words import SPECIALS

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
TOKENS = [*SPECIALS, "the", ".", "##s", *_LETTERS, *(f"##{letter}" for letter in _LETTERS if letter != "s")]


def save_random_model(path, shape, tokens, counts, scale=1.0):
    draw = np.random.default_rng(0).standard_normal
    sizes = {name: size for parts in shape.matrices.values() for name, size in parts.items()}
    arrays = {name: scale * draw(size).astype(np.float32) for name, size in sizes.items()}
    header = {"shape": asdict(shape), "tokenizer": "wordpiece", "oov": "unk", "training": {}}
    with TemporaryDirectory() as room:
        trained = Path(room) / "lstm.npz"
        write_archive(trained, SCHEMA, header, {"tokens": pack_strings(tokens), "counts": counts, **arrays})
        shrink(trained, path)


def save_small_model(path):
    size = len(TOKENS)
    save_random_model(path, NetworkShape(size, 1, 5, 4, 0.0, 4, (10,)), TOKENS, np.arange(size)[::-1].copy())
