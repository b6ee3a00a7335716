"""Texts → one vector per token, by any local encoder of Transformers or by a function of the user's."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.installation import import_extra
from referenceless_metrics.core.support.validation import Floats, InputError, Integers, describe

EXPECTED = (
    "a name or folder of a Transformers encoder, a (model, tokenizer) pair, or a function from a list "
    "of texts to a list of arrays of token vectors, shape (tokens, dimensions)"
)


@dataclass(frozen=True)
class TokenVectors:
    """The tokens of n texts.

    Attributes:
        vectors: unit vectors of all tokens, text by text, shape (total, dimensions), float32.
        weights: 1 for a token that counts, 0 for the encoder's own (such as [CLS]), shape (total,), float64.
        begins: index of each text's first token, shape (n + 1,).
    """

    vectors: NDArray[np.float32]
    weights: Floats
    begins: Integers


_ENCODING = threading.Lock()
"""One encoding at a time: tokenizers refuse to pad in two threads at once, and a model is parallel in itself."""

Encode = Callable[[Sequence[str]], TokenVectors]


_SQUARED = (1e-15, 1e15)
"""Sizes between which the squares of single-precision numbers, and the sums of many, are numbers of full precision."""


def _within_range(array: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Return token vectors in single precision; those too large or small to be squared become vectors of size 1.

    Only their directions are compared, so nothing is lost.
    """
    sizes = np.abs(array).max(axis=1, keepdims=True, initial=0.0)
    outside = (sizes > 0) & ((sizes < _SQUARED[0]) | (sizes > _SQUARED[1]))
    if outside.any():
        array = array / np.where(outside, sizes, 1.0)
    return array.astype(np.float32, copy=False)


def _joined(arrays: list[NDArray[np.float32]], weights: list[Floats]) -> TokenVectors:
    begins = np.fromiter(accumulate(map(len, arrays), initial=0), np.int64, len(arrays) + 1)
    filled = [array for array in arrays if len(array)]
    vectors = np.concatenate(filled) if filled else np.zeros((0, 1), dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return TokenVectors(
        (vectors / np.where(norms > 0, norms, 1.0)).astype(np.float32, copy=False),
        np.concatenate([np.zeros(0), *weights]),
        begins,
    )


@dataclass(frozen=True)
class _FunctionEncoder:
    """A function of the user's as an encoder."""

    function: Callable[[list[str]], Sequence[Any]]

    def __call__(self, texts: Sequence[str]) -> TokenVectors:
        returned = list(self.function(list(texts)))
        if len(returned) != len(texts):
            raise ValueError(
                f"Expected `encoder` to give one array for each of the {len(texts)} texts, but it gave {len(returned)}"
            )
        arrays = []
        for position, item in enumerate(returned):
            array = np.asarray(item)
            if array.dtype != np.float32:
                array = array.astype(np.float64)
            if array.ndim != 2 or not np.isfinite(array).all():
                raise ValueError(
                    "Expected `encoder` to give arrays of finite token vectors, shape (tokens, dimensions), but item "
                    f"{position} has shape {array.shape}"
                )
            arrays.append(_within_range(array))
        return _joined(arrays, [np.ones(len(array)) for array in arrays])


@dataclass(frozen=True)
class _TransformersEncoder:
    """A model and tokenizer of Transformers as an encoder."""

    model: Any
    tokenizer: Any
    layer: int | None
    batch_size: int
    device: str
    progress: bool | None

    def __call__(self, texts: Sequence[str]) -> TokenVectors:
        import torch

        # Batches of like length waste little on padding; the results go back to their places.
        order = sorted(range(len(texts)), key=lambda position: -len(texts[position]))
        empty = np.zeros((0, 1), dtype=np.float32)
        arrays: list[NDArray[np.float32]] = [empty] * len(texts)
        weights = [np.zeros(0)] * len(texts)
        with _ENCODING, progress_bar(len(texts), "encoding", self.progress) as bar, torch.inference_mode():
            for begin in range(0, len(order), self.batch_size):
                positions = order[begin : begin + self.batch_size]
                batch = self.tokenizer(
                    [texts[position] for position in positions],
                    padding=True,
                    truncation=True,
                    max_length=_longest_input(self.model, self.tokenizer),
                    return_special_tokens_mask=True,
                    return_tensors="pt",
                )
                counts = 1.0 - batch.pop("special_tokens_mask").numpy()
                kept = batch["attention_mask"].numpy().astype(bool)
                output = self.model(**batch.to(self.device), output_hidden_states=self.layer is not None)
                hidden = output.last_hidden_state if self.layer is None else output.hidden_states[self.layer]
                states = hidden.float().cpu().numpy()
                for row, position in enumerate(positions):
                    arrays[position] = _within_range(states[row][kept[row]])
                    weights[position] = counts[row][kept[row]]
                bar.update(len(positions))
        return _joined(arrays, weights)


def _longest_input(model: Any, tokenizer: Any) -> int:
    """Return the most tokens that an encoder takes."""
    positions = getattr(model.config, "max_position_embeddings", None) or 512
    offset = 2 if getattr(model.config, "model_type", "") in ("roberta", "xlm-roberta", "camembert") else 0
    return int(min(int(positions) - offset, getattr(tokenizer, "model_max_length", positions)))


def _load(name: str) -> tuple[Any, Any]:
    from transformers import AutoModel, AutoTokenizer

    try:
        return AutoModel.from_pretrained(name), AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"{name}: it cannot be loaded as an encoder of Transformers: {reason}") from error


def token_encoder(encoder: Any, *, layer: int | None, batch_size: int, device: str, progress: bool | None) -> Encode:
    """Return the function from texts to their token vectors.

    Args:
        encoder: a name or folder, a (model, tokenizer) pair, or a function.
        layer: index of the hidden layer, as in Transformers (0 for the embeddings); None for the last.
        batch_size: texts to a batch.
        device: the model's device.
        progress: False for no progress bar, True for one, None for one on a terminal.

    Raises:
        ImportError: without torch or Transformers; the message names the extra.
        InputError: if no encoder can be loaded under the name.
        TypeError: for anything else.
        ValueError: for no encoder, or a layer that it does not have.
    """
    if encoder is None:
        raise ValueError(f"the kernel bertscore needs kernel_options={{'encoder': …}}: {EXPECTED}")
    is_pair = isinstance(encoder, (tuple, list)) and len(encoder) == 2
    if not is_pair and not isinstance(encoder, (str, os.PathLike)):
        if callable(encoder) and not hasattr(encoder, "eval"):  # a model alone has no tokenizer
            if layer is not None:
                raise ValueError("Expected no `layer` for an `encoder` that is a function, which chooses for itself")
            return _FunctionEncoder(encoder)
        raise TypeError(f"Expected `kernel_options['encoder']` to be {EXPECTED}, but got {describe(encoder)}")
    for module in ("torch", "transformers"):
        import_extra(module, "hf", "the kernel bertscore")
    model, tokenizer = encoder if is_pair else _load(os.fspath(encoder))
    n_layers = getattr(model.config, "num_hidden_layers", None)
    if layer is not None and n_layers is not None and not -n_layers - 1 <= layer <= n_layers:
        raise ValueError(
            f"Expected `kernel_options['layer']` to be one of the encoder's layers 0 to {n_layers}, but got {layer}"
        )
    return _TransformersEncoder(model.to(device).eval(), tokenizer, layer, batch_size, device, progress)
