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
from slor_metric.language_models.ngram.trie import MOST_ORDERS, Trie, assemble

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
    types = {"order": int, "sizes": list, "quantised": bool, "tokenizer": str, "oov": str}
    header, arrays = read_archive(path, KIND, VERSION, required=("tokens", "logprobs_1"), header_types=types)
    try:
        order, sizes = header["order"], header["sizes"]
        if not 1 <= order <= MOST_ORDERS or len(sizes) != order or not all(type(size) is int for size in sizes):
            raise ValueError(f"order {order!r:.40} with sizes {sizes!r:.80}")
        if not all(0 <= size < 2**31 for size in (sum(sizes), *sizes)):
            raise ValueError(f"sizes {sizes!r:.80}")
        known = _array_names(order, header["quantised"])
        unknown = [name for name in arrays if name not in known]
        if unknown:
            raise ValueError(f"an array {unknown[0]!r:.40} that is not known")
        words = [np.arange(sizes[0], dtype=np.uint32)]
        logprobs: list[NDArray[np.float32]] = []
        backoffs: list[NDArray[np.float32]] = []
        children: list[NDArray[np.int64]] = []
        for k in range(1, order + 1):
            logprobs.append(_get(arrays, "logprob", k, sizes[k - 1], header["quantised"]))
            if k > 1:
                distances = _from_planes(arrays, f"words_{k}", sizes[k - 1], below=sizes[0])
                words.append(_absolute(distances, children[-1]))
            if k < order:
                children.append(_from_planes(arrays, f"children_{k}", sizes[k - 1], below=sizes[k] + 1))
                if children[-1].sum() != sizes[k]:
                    raise ValueError(f"children_{k} does not add up to {sizes[k]}")
                backoffs.append(_get(arrays, "backoff", k, sizes[k - 1], header["quantised"]))
        tokens = unpack_strings(arrays["tokens"])
        if len(tokens) != sizes[0]:
            raise ValueError(f"{len(tokens)} tokens for {sizes[0]} 1-grams")
        counts = _from_planes(arrays, "counts", sizes[0], below=2**53) if "counts" in arrays else None
        if counts is not None and type(header.get("smoothing")) not in (int, float):
            raise ValueError("counts without a smoothing")
        trie = assemble(words, logprobs, backoffs, children)
    except (KeyError, ValueError, IndexError, TypeError) as error:
        raise ValueError(f"Expected {path} to be an n-gram model, but its arrays do not fit ({error})") from error
    return trie, tokens, counts, header


def _array_names(order: int, quantised: bool) -> set[str]:
    """Return the names of the arrays that a model of this order may have."""
    names = {"tokens", "counts", *(f"words_{k}" for k in range(2, order + 1))}
    names |= {f"children_{k}" for k in range(1, order)}
    for what, highest in (("logprob", order), ("backoff", order - 1)):
        for k in range(1, highest + 1):
            names |= {f"{what}s_{k}", f"{what}_values_{k}"} if quantised else {f"{what}s_{k}"}
    return names


def _put(arrays: dict[str, NDArray[Any]], what: str, k: int, values: NDArray[np.float32], quantised: bool) -> None:
    if quantised:
        arrays[f"{what}s_{k}"], arrays[f"{what}_values_{k}"] = quantise(values.astype(np.float64))
    else:
        arrays[f"{what}s_{k}"] = values.astype("<f4")


def _get(arrays: Mapping[str, NDArray[Any]], what: str, k: int, size: int, quantised: bool) -> NDArray[np.float32]:
    name = f"{what}s_{k}"
    stored = arrays[name]
    if stored.shape != (size,) or stored.dtype != (np.uint8 if quantised else np.float32):
        raise ValueError(f"{name} has shape {stored.shape} of {stored.dtype}")
    if not quantised:
        return stored
    values = arrays[f"{what}_values_{k}"]
    if values.shape != (256,) or values.dtype != np.float32:
        raise ValueError(f"{what}_values_{k} has shape {values.shape} of {values.dtype}")
    return dequantise(stored, values)


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


def _from_planes(arrays: Mapping[str, NDArray[Any]], name: str, size: int, *, below: int) -> NDArray[np.int64]:
    """Return `size` whole numbers in [0, `below`)."""
    planes = arrays[name]
    if planes.dtype != np.uint8 or planes.ndim != 2 or planes.shape[0] not in (1, 2, 4, 8) or planes.shape[1] != size:
        raise ValueError(f"{name} has shape {planes.shape} of {planes.dtype}")
    values = np.ascontiguousarray(planes.T).view(f"<u{planes.shape[0]}").reshape(-1)
    if size and int(values.max()) >= below:
        raise ValueError(f"{name} holds {int(values.max())}, where less than {below} is possible")
    return values.astype(np.int64)
