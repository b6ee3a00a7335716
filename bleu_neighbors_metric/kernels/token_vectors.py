"""Texts → one vector a token, by any local encoder of Transformers or by a function of the user's."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.installation import import_extra
from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import describe

EXPECTED = (
    "a name or folder of a Transformers encoder, a (model, tokenizer) pair, a sentence-transformers model, or a "
    "function from a list of texts to a list of arrays of token vectors, shape (tokens, dimensions)"
)


@dataclass(frozen=True)
class TokenVectors:
    """The tokens of n texts.

    Attributes:
        vectors: unit vectors of all tokens, text by text, shape (total, dimensions), float32.
        ids: the tokens' numbers in the encoder's vocabulary, shape (total,); -1 where there is none to know.
        special: whether a token is the encoder's own (such as [CLS]), shape (total,).
        begins: where each text begins, shape (n + 1,).
    """

    vectors: NDArray[np.float32]
    ids: NDArray[np.int64]
    special: NDArray[np.bool_]
    begins: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.begins) - 1


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


def _joined(arrays: list[NDArray[np.float32]], ids: list[NDArray[np.int64]], special: list[Any]) -> TokenVectors:
    begins = np.zeros(len(arrays) + 1, dtype=np.int64)
    np.cumsum([len(array) for array in arrays], out=begins[1:])
    filled = [array for array in arrays if len(array)]
    vectors = np.concatenate(filled) if filled else np.zeros((0, 1), dtype=np.float32)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return TokenVectors(
        (vectors / np.where(norms > 0, norms, 1.0)).astype(np.float32, copy=False),
        np.concatenate([np.zeros(0, np.int64), *ids]),
        np.concatenate([np.zeros(0, np.bool_), *special]),
        begins,
    )


class _FunctionEncoder:
    """A function of the user's as an encoder."""

    def __init__(self, function: Callable[[list[str]], Sequence[Any]]) -> None:
        self._function = function

    def __call__(self, texts: Sequence[str]) -> TokenVectors:
        returned = list(self._function(list(texts)))
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
        ids = [np.full(len(array), -1, dtype=np.int64) for array in arrays]
        return _joined(arrays, ids, [np.zeros(len(array), dtype=np.bool_) for array in arrays])


class _TransformersEncoder:
    """A model and tokenizer of Transformers as an encoder."""

    def __init__(
        self, model: Any, tokenizer: Any, layer: int | None, batch_size: int, device: str, progress: bool | None
    ) -> None:
        self._model = model.to(device).eval()
        self._tokenizer = tokenizer
        self._layer = layer
        self._batch_size = batch_size
        self._device = device
        self._progress = progress
        self._longest = _longest_input(model, tokenizer)

    def __call__(self, texts: Sequence[str]) -> TokenVectors:
        import torch

        # Batches of like length waste little on padding; the results go back to their places.
        order = sorted(range(len(texts)), key=lambda position: -len(texts[position]))
        empty = np.zeros((0, 1), dtype=np.float32)
        arrays: list[NDArray[np.float32]] = [empty] * len(texts)
        ids = [np.zeros(0, dtype=np.int64)] * len(texts)
        special = [np.zeros(0, dtype=np.bool_)] * len(texts)
        with _ENCODING, progress_bar(len(texts), "encoding", self._progress) as bar, torch.inference_mode():
            for begin in range(0, len(order), self._batch_size):
                positions = order[begin : begin + self._batch_size]
                batch = self._tokenizer(
                    [texts[position] for position in positions],
                    padding=True,
                    truncation=True,
                    max_length=self._longest,
                    return_special_tokens_mask=True,
                    return_tensors="pt",
                )
                mask = batch.pop("special_tokens_mask").numpy().astype(bool)
                kept = batch["attention_mask"].numpy().astype(bool)
                output = self._model(**batch.to(self._device), output_hidden_states=self._layer is not None)
                hidden = output.last_hidden_state if self._layer is None else output.hidden_states[self._layer]
                states = hidden.float().cpu().numpy()
                numbers = batch["input_ids"].cpu().numpy()
                for row, position in enumerate(positions):
                    arrays[position] = _within_range(states[row][kept[row]])
                    ids[position] = numbers[row][kept[row]].astype(np.int64)
                    special[position] = mask[row][kept[row]]
                bar.update(len(positions))
        return _joined(arrays, ids, special)


def _longest_input(model: Any, tokenizer: Any) -> int:
    """Return how many tokens an encoder takes at most."""
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
        encoder: a name or folder, a (model, tokenizer) pair, a sentence-transformers model, or a function.
        layer: which hidden layer, counted as Transformers does (0 for the embeddings); None for the last.
        batch_size: texts to a batch.
        device: where the model runs.
        progress: False for no progress bar, True for one, None for one on a terminal.

    Raises:
        ImportError: without torch or Transformers; the message names the extra.
        InputError: where no encoder can be loaded under the name.
        TypeError: for anything else.
        ValueError: for no encoder, or a layer that it does not have.
    """
    if encoder is None:
        raise ValueError(f"the kernel bertscore needs kernel_options={{'encoder': …}}: {EXPECTED}")
    pair = None
    if isinstance(encoder, (tuple, list)) and len(encoder) == 2:
        model, tokenizer = encoder
        pair = (model, tokenizer) if hasattr(model, "config") else (tokenizer, model)
    elif hasattr(encoder, "tokenizer") and hasattr(encoder, "encode") and hasattr(encoder, "__getitem__"):
        pair = (encoder[0].auto_model, encoder.tokenizer)  # of sentence-transformers
    elif not isinstance(encoder, (str, os.PathLike)):
        if callable(encoder) and not hasattr(encoder, "config"):
            if layer is not None:
                raise ValueError("Expected no `layer` for an `encoder` that is a function, which chooses for itself")
            return _FunctionEncoder(encoder)
        raise TypeError(f"Expected `kernel_options['encoder']` to be {EXPECTED}, but got {describe(encoder)}")
    for module in ("torch", "transformers"):
        import_extra(module, "bertscore", "the kernel bertscore")
    model, tokenizer = pair if pair is not None else _load(os.fspath(encoder))
    n_layers = getattr(model.config, "num_hidden_layers", None)
    if layer is not None and n_layers is not None and not -n_layers - 1 <= layer <= n_layers:
        raise ValueError(
            f"Expected `kernel_options['layer']` to be one of the encoder's layers 0 to {n_layers}, but got {layer}"
        )
    return _TransformersEncoder(model, tokenizer, layer, batch_size, device, progress)
