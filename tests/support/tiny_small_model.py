"""A small language model of few random weights, in a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from slor_metric.language_models.small.storage import write_small
from slor_metric.tokenizers.words import SPECIALS

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
TOKENS = [*SPECIALS, "the", ".", "##s", *_LETTERS, *(f"##{letter}" for letter in _LETTERS if letter != "s")]


def save_small_model(path: Path) -> None:
    size, draw = len(TOKENS), np.random.default_rng(0).standard_normal
    shapes = {
        "embedding.weight": (size, 4),
        "lstm.weight_ih_l0": (20, 4),
        "lstm.weight_hh_l0": (20, 5),
        "lstm.bias_ih_l0": (20,),
        "lstm.bias_hh_l0": (20,),
        "projection.weight": (4, 5),
        "output.head.weight": (11, 4),
        "output.head.bias": (11,),
        "output.tails.0.0.weight": (2, 4),
        "output.tails.0.1.weight": (size - 10, 2),
    }
    state = {name: draw(shape).astype(np.float32) for name, shape in shapes.items()}
    write_small(path, state, (10,), TOKENS, np.arange(size)[::-1].copy(), {})
