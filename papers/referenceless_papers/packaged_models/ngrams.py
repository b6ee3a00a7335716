"""The making of the packaged n-gram models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from referenceless_metrics.core.support.validation import InputError
from referenceless_papers.training.word_classes import HELD_OUT_EVERY, NGRAMS, held_out_lines, train_ngrams
from slor_metric.language_models.unigram import Corpus


def train_packaged(
    corpus: Corpus, out_dir: str | os.PathLike[str], *, progress: bool | None = None
) -> dict[str, dict[str, Any]]:
    """Train the packaged models.

    On the corpus that the model card names, with the same versions of numpy, tokenizers and zlib, the files come out
    byte for byte as those in the package.

    Args:
        corpus: a path of UTF-8 text, one sentence per line, a list of paths, or lines; read once for each model, so no
            generator.
        out_dir: the folder for ``wordpiece.safetensors`` and ``word.safetensors``; made if it is missing.
        progress: show progress bars; None: on a terminal.

    Returns:
        For each model its recipe, file, size in bytes, n-grams by order and perplexity on the lines held out.

    Raises:
        InputError: for a corpus that cannot be read, or of fewer than 200 lines.
    """
    folder = Path(out_dir)
    folder.mkdir(parents=True, exist_ok=True)
    held_out = list(held_out_lines(corpus))
    if len(held_out) < 2:
        raise InputError(f"the corpus is too small for these models: it has under {2 * HELD_OUT_EVERY} lines")
    report = {}
    for name, model in train_ngrams(corpus, folder, progress=progress).items():
        path = folder / f"{name}.safetensors"
        report[name] = {
            **NGRAMS[name],
            "file": str(path),
            "bytes": path.stat().st_size,
            "ngrams": list(model.trie.sizes),
            "held_out_perplexity": model.perplexity(held_out),
        }
    return report
