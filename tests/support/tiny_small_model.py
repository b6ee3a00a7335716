"""Small language models of random weights, in files."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from referenceless_papers.training.network_files import shrink, write_network
from slor_metric.language_models.lstm.storage import NetworkShape
from slor_metric.tokenizers.words import SPECIALS

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
TOKENS = [*SPECIALS, "the", ".", "##s", *_LETTERS, *(f"##{letter}" for letter in _LETTERS if letter != "s")]


def save_random_model(path, shape, tokens, counts, scale=1.0):
    draw = np.random.default_rng(0).standard_normal
    sizes = {name: size for parts in shape.matrices.values() for name, size in parts.items()}
    parameters = {name: scale * draw(size).astype(np.float32) for name, size in sizes.items()}
    with TemporaryDirectory() as room:
        trained = Path(room) / "lstm.safetensors"
        write_network(trained, shape, parameters, tokens, counts, "wordpiece", {})
        shrink(trained, path)


def save_small_model(path):
    size = len(TOKENS)
    save_random_model(path, NetworkShape(size, 1, 5, 4, 0.0, 4, (10,)), TOKENS, np.arange(size)[::-1].copy())
