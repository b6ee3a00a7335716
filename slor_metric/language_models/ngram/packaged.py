"""The two models that come with the package, and the one command that made them.

`referenceless train-packaged CORPUS -o DIR` writes both files anew, byte for byte.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from metric_commons.support.errors import InputError
from metric_commons.support.validation import check_choice
from slor_metric.language_models.corpus import Corpus, read_lines
from slor_metric.language_models.ngram.model import NgramLanguageModel

__all__ = ["HELD_OUT_EVERY", "PACKAGED", "RECIPES", "Recipe", "packaged", "train_packaged"]


@dataclass(frozen=True)
class Recipe:
    """The options of `train_ngram` with which a packaged model is made."""

    tokenizer: str
    vocab_size: int
    order: int
    prune: tuple[int, ...]
    max_ngrams: int


RECIPES = {
    "wordpiece": Recipe("wordpiece", vocab_size=8000, order=4, prune=(0, 0, 1, 1), max_ngrams=3_300_000),
    "word": Recipe("words", vocab_size=30000, order=4, prune=(0, 0, 1, 1), max_ngrams=3_400_000),
}
PACKAGED = tuple(RECIPES)
"""The names of the packaged models: ``"wordpiece"`` is WPSLOR's default, ``"word"`` is SLOR's."""

HELD_OUT_EVERY = 100
"""Every 100th line of the corpus takes no part in training; the perplexity in the model card is measured on these."""


def packaged(name: str = "wordpiece", *, oov: str | None = None) -> NgramLanguageModel:
    """Load a model that comes with the package; a second call gives the same object.

    Args:
        name: ``"wordpiece"`` or ``"word"``.
        oov: another rule for unknown tokens than the model's default (see `NgramLanguageModel`).

    Raises:
        ValueError: for another name.

    >>> packaged("word").token_logprobs(["It rained."])[0].pieces
    ('it', 'rained', '.')
    """
    check_choice(name, "name", PACKAGED)
    return _load(name, oov)


@cache
def _load(name: str, oov: str | None) -> NgramLanguageModel:
    model = NgramLanguageModel.load(packaged_path(name), oov=oov)
    model.language = "en"
    return model


def packaged_path(name: str) -> Path:
    """Return the file of a packaged model."""
    check_choice(name, "name", PACKAGED)
    return Path(str(files("slor_metric") / "data" / f"{name}.npz"))


def train_packaged(
    corpus: Corpus, out_dir: str | os.PathLike[str], *, progress: bool | None = None
) -> dict[str, dict[str, Any]]:
    """Train the packaged models.

    On the corpus that the model card names, with the same versions of numpy, tokenizers and zlib, the files come out
    byte for byte as those in the package.

    Args:
        corpus: a path of UTF-8 text, one sentence a line, or lines; read once for each model, so no generator.
        out_dir: the folder for ``wordpiece.npz`` and ``word.npz``; made where it is missing.
        progress: show progress bars; None: on a terminal.

    Returns:
        For each model its recipe, file, size in bytes, n-grams by order and perplexity on the lines held out.

    Raises:
        InputError: for a corpus that cannot be read, or of fewer than 200 lines.
    """
    from slor_metric.language_models.ngram.training import train_ngram

    folder = Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    held_out = [line for number, line in enumerate(read_lines(corpus), start=1) if number % HELD_OUT_EVERY == 0]
    if len(held_out) < 2:
        raise InputError(f"the corpus is too small for these models: it has under {2 * HELD_OUT_EVERY} lines")
    report = {}
    for name, recipe in RECIPES.items():
        path = folder / f"{name}.npz"
        lines = (line for number, line in enumerate(read_lines(corpus), start=1) if number % HELD_OUT_EVERY)
        model = train_ngram(lines, path, **asdict(recipe), progress=progress)
        report[name] = {
            **asdict(recipe),
            "file": str(path),
            "bytes": path.stat().st_size,
            "ngrams": list(model.trie.sizes),
            "held_out_perplexity": model.perplexity(held_out),
        }
    return report
