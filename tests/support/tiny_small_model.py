"""Small language models of random weights, in files."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from referenceless_papers.training.network_files import shrink, write_network
from slor_metric.language_models.lstm.storage import NetworkShape
from slor_metric.tokenizers.words import SPECIALS

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
TOKENS = [*SPECIALS, "the", ".", "##s", *_LETTERS, *(f"##{letter}" for letter in _LETTERS if letter != "s")]
SMALL_SHAPE = NetworkShape(len(TOKENS), 1, 5, 4, 0.0, 4, (10,))


def save_random_network(path, shape, scale=1.0, tokens=TOKENS, tokenizer="wordpiece"):
    """Write a network as torch trains it."""
    draw = np.random.default_rng(0).standard_normal
    sizes = {name: size for parts in shape.matrices.values() for name, size in parts.items()}
    parameters = {name: scale * draw(size).astype(np.float32) for name, size in sizes.items()}
    write_network(path, shape, parameters, tokens, np.arange(len(tokens))[::-1].copy(), tokenizer, {})


def save_random_model(path, shape, scale=1.0):
    """Write a network in 8 bits."""
    with TemporaryDirectory() as room:
        trained = Path(room) / "lstm.safetensors"
        save_random_network(trained, shape, scale)
        shrink(trained, path)


def save_small_model(path):
    save_random_model(path, SMALL_SHAPE)
