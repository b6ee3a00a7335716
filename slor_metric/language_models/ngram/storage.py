"""N-gram models on disk: a versioned ``.npz`` of packed arrays (format in this module; no pickle).

Members, for a model of order n (k from 1 to n):

- ``tokens``: the vocabulary as a JSON list in UTF-8; the first three are ``<unk>``, ``<s>``, ``</s>``.
- ``counts``: how often each was seen in the corpus, where that is known.
- ``words_k`` (k ≥ 2): the last words of the n-grams; within one context each is stored as its distance to the one
  before. ``children_k`` (k < n): the number of continuations of each n-gram. Both as planes of bytes.
- ``logprobs_k``, ``backoffs_k`` (k < n): float32, or 8-bit codes with ``logprob_values_k``, ``backoff_values_k``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from slor_metric.language_models.archive import pack_strings, read_archive, unpack_strings, write_archive
from slor_metric.language_models.ngram.quantisation import dequantise, quantise
from slor_metric.language_models.ngram.trie import Trie, assemble

__all__ = ["read_model", "write_model"]

KIND = "ngram"
VERSION = 1


def write_model(
    path: str | os.PathLike[str],
    trie: Trie,
    tokens: Sequence[str],
    counts: NDArray[np.int64] | None,
    header: Mapping[str, Any],
    *,
    quantised: bool,
) -> None:
    """Write a model to `path`, atomically.

    Args:
        path: the file, usually ``*.npz``.
        trie: the n-grams.
        tokens: the vocabulary, by word id.
        counts: unigram counts, by word id, or None.
        header: what else has to be known, as JSON values.
        quantised: store log-probabilities and back-offs in 8 bits each instead of 32.
    """
    arrays: dict[str, NDArray[Any]] = {"tokens": pack_strings(tokens)}
    if counts is not None:
        arrays["counts"] = _planes(counts)
    for k in range(1, trie.order + 1):
        level = trie.level(k)
        if k > 1:
            arrays[f"words_{k}"] = _planes(_distances(trie, k))
        if k < trie.order:
            fan_out = np.diff(trie.first_child[level.start : level.stop + 1])
            arrays[f"children_{k}"] = _planes(fan_out)
            _put(arrays, "backoff", k, trie.backoffs[level], quantised)
        _put(arrays, "logprob", k, trie.logprobs[level], quantised)
    full = {**header, "order": trie.order, "sizes": list(trie.sizes), "quantised": quantised}
    write_archive(path, KIND, VERSION, full, arrays)


def read_model(
    path: str | os.PathLike[str],
) -> tuple[Trie, list[str], NDArray[np.int64] | None, dict[str, Any]]:
    """Read what `write_model` wrote: the trie, the vocabulary, the counts if any, and the header.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a truncated, damaged or foreign file, or one of a later version.
    """
    header, arrays = read_archive(path, KIND, VERSION, required=("tokens", "logprobs_1"))
    try:
        order = int(header["order"])
        words: list[NDArray[np.uint32]] = []
        logprobs: list[NDArray[np.float32]] = []
        backoffs: list[NDArray[np.float32]] = []
        children: list[NDArray[np.int64]] = []
        for k in range(1, order + 1):
            logprobs.append(_get(arrays, "logprob", k))
            if k == 1:
                words.append(np.arange(len(logprobs[0]), dtype=np.uint32))
            else:
                words.append(_absolute(_from_planes(arrays[f"words_{k}"]), children[-1]))
            if k < order:
                children.append(_from_planes(arrays[f"children_{k}"]))
                backoffs.append(_get(arrays, "backoff", k))
        trie = assemble(words, logprobs, backoffs, children)
        tokens = unpack_strings(arrays["tokens"])
        counts = _from_planes(arrays["counts"]) if "counts" in arrays else None
        sizes = list(trie.sizes)
        sound = (
            sizes == header["sizes"]
            and sizes == [len(values) for values in logprobs]
            and sizes[:-1] == [len(values) for values in backoffs] == [len(values) for values in children]
            and sizes[1:] == [int(values.sum()) for values in children]
            and len(tokens) == sizes[0]
            and (counts is None or len(counts) == sizes[0])
        )
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise ValueError(f"Expected {path} to be an n-gram model, but its arrays do not fit ({error})") from error
    if not sound:
        raise ValueError(f"Expected {path} to be an n-gram model, but its arrays have different lengths")
    return trie, tokens, counts, header


def _put(arrays: dict[str, NDArray[Any]], what: str, k: int, values: NDArray[np.float32], quantised: bool) -> None:
    if quantised:
        arrays[f"{what}s_{k}"], arrays[f"{what}_values_{k}"] = quantise(values.astype(np.float64))
    else:
        arrays[f"{what}s_{k}"] = values.astype("<f4")


def _get(arrays: Mapping[str, NDArray[Any]], what: str, k: int) -> NDArray[np.float32]:
    stored, values = arrays[f"{what}s_{k}"], arrays.get(f"{what}_values_{k}")
    return stored.astype(np.float32) if values is None else dequantise(stored, values.astype(np.float32))


def _heads(fan_out: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The position of each context's first continuation, and the number of its continuations; empty ones left out."""
    filled = fan_out[fan_out > 0]
    return np.cumsum(filled) - filled, filled


def _distances(trie: Trie, k: int) -> NDArray[np.int64]:
    words = trie.words[trie.level(k)].astype(np.int64)
    below = trie.level(k - 1)
    heads, _ = _heads(np.diff(trie.first_child[below.start : below.stop + 1]).astype(np.int64))
    distances = np.diff(words, prepend=0)
    distances[heads] = words[heads]
    return distances


def _absolute(distances: NDArray[np.int64], fan_out: NDArray[np.int64]) -> NDArray[np.uint32]:
    heads, sizes = _heads(fan_out)
    sums = np.cumsum(distances)
    sums -= np.repeat(sums[heads] - distances[heads], sizes)
    return sums.astype(np.uint32)


def _planes(values: NDArray[Any]) -> NDArray[np.uint8]:
    """All lowest bytes, then all second bytes, …, as far as the largest value reaches: better to compress.

    Shape (1, 2, 4 or 8; n).
    """
    largest = int(values.max()) if len(values) else 0
    size = next(size for size in (1, 2, 4, 8) if largest < 1 << (8 * size))
    data = values.astype(f"<u{size}")
    return np.ascontiguousarray(data.view(np.uint8).reshape(len(data), size).T)


def _from_planes(planes: NDArray[np.uint8]) -> NDArray[np.int64]:
    data = np.ascontiguousarray(planes.T).view(f"<u{planes.shape[0]}")
    return data.reshape(-1).astype(np.int64)
