"""N-gram models on disk: a versioned ``.npz`` of packed arrays (format in this module; no pickle).

Members, for a model of order n (k from 1 to n):

- ``tokens``: the vocabulary as a JSON list in UTF-8; the first three are ``<unk>``, ``<s>``, ``</s>``.
- ``counts``: how often each was seen in the corpus, where that is known.
- ``words_k`` (k ≥ 2): the last words of the n-grams; within one context each is stored as its distance to the one
  before. ``children_k`` (k < n): the number of continuations of each n-gram. Both as planes of bytes.
- ``logprobs_k``, ``backoffs_k`` (k < n): float32, or 8-bit codes with ``logprob_values_k``, ``backoff_values_k``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.archive import (
    STRINGS,
    Array,
    Schema,
    pack_strings,
    read_archive,
    reading,
    unpack_strings,
    write_archive,
)
from metric_commons.support.types import Floats, Integers, PathName
from slor_metric.language_models.ngram.trie import MOST_ORDERS, Trie, assemble


def _array_rules(header: Mapping[str, Any]) -> dict[str, Array]:
    """Return what the arrays of a model must be, from the header that it has."""
    order, sizes, quantised = header["order"], header["sizes"], header["quantised"]
    if not 1 <= order <= MOST_ORDERS or len(sizes) != order or not all(type(size) is int for size in sizes):
        raise ValueError(f"it has order {order!r:.40} with sizes {sizes!r:.80}")
    if not all(0 <= size < 2**31 for size in (sum(sizes), *sizes)):
        raise ValueError(f"it has sizes {sizes!r:.80}")
    rules = {"tokens": STRINGS, "counts": Array("|u1", (None, sizes[0]), optional=True)}
    for k, size in enumerate(sizes, 1):
        if k > 1:
            rules[f"words_{k}"] = Array("|u1", (None, size))
        if k < order:
            rules[f"children_{k}"] = Array("|u1", (None, size))
        for what in ("logprob", "backoff")[: 2 - (k == order)]:
            rules[f"{what}s_{k}"] = Array("|u1" if quantised else "<f4", (size,))
            if quantised:
                rules[f"{what}_values_{k}"] = Array("<f4", (256,))
    return rules


SCHEMA = Schema(
    "ngram",
    1,
    "an n-gram model",
    arrays=_array_rules,
    fields={"order": int, "sizes": list, "quantised": bool, "tokenizer": str, "oov": str},
    optional_fields={"smoothing": float, "language": str},
)


def write_model(
    path: PathName,
    trie: Trie,
    tokens: Sequence[str],
    counts: Integers | None,
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
    write_archive(path, SCHEMA, full, arrays)


def read_model(
    path: PathName,
) -> tuple[Trie, list[str], Integers | None, dict[str, Any]]:
    """Read what `write_model` wrote: the trie, the vocabulary, the counts if any, and the header.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a truncated, damaged or foreign file, or one of a later version.
    """
    header, arrays = read_archive(path, SCHEMA)
    order, sizes, quantised = header["order"], header["sizes"], header["quantised"]
    with reading(path, SCHEMA):
        words = [np.arange(sizes[0], dtype=np.uint32)]
        logprobs = [_get(arrays, "logprob", k, quantised) for k in range(1, order + 1)]
        backoffs = [_get(arrays, "backoff", k, quantised) for k in range(1, order)]
        children: list[Integers] = []
        for k in range(1, order):
            children.append(_from_planes(arrays, f"children_{k}", below=sizes[k] + 1))
            if children[-1].sum() != sizes[k]:
                raise ValueError(f"children_{k} does not add up to {sizes[k]}")
            distances = _from_planes(arrays, f"words_{k + 1}", below=sizes[0])
            words.append(_absolute(distances, children[-1]))
        counts = _from_planes(arrays, "counts", below=2**53) if "counts" in arrays else None
        return assemble(words, logprobs, backoffs, children), unpack_strings(arrays["tokens"]), counts, header


def _put(arrays: dict[str, NDArray[Any]], what: str, k: int, values: NDArray[np.float32], quantised: bool) -> None:
    if quantised:
        arrays[f"{what}s_{k}"], arrays[f"{what}_values_{k}"] = quantise(values.astype(np.float64))
    else:
        arrays[f"{what}s_{k}"] = values.astype("<f4")


def _get(arrays: Mapping[str, NDArray[Any]], what: str, k: int, quantised: bool) -> NDArray[np.float32]:
    stored = arrays[f"{what}s_{k}"]
    return arrays[f"{what}_values_{k}"][stored] if quantised else stored


def _distances(trie: Trie, k: int) -> Integers:
    words = trie.words[trie.level(k)].astype(np.int64)
    heads = trie.first_child[trie.level(k - 1)] - trie.level(k).start  # of an empty context, the next one's
    heads = heads[heads < len(words)]
    distances = np.diff(words, prepend=0)
    distances[heads] = words[heads]
    return distances


def _absolute(distances: Integers, fan_out: Integers) -> NDArray[np.uint32]:
    sums = np.concatenate([[0], np.cumsum(distances)])
    heads = np.cumsum(fan_out) - fan_out
    found: NDArray[np.uint32] = (sums[1:] - np.repeat(sums[heads], fan_out)).astype(np.uint32)
    return found


def _planes(values: NDArray[Any]) -> NDArray[np.uint8]:
    """All lowest bytes, then all second bytes, …, as far as the largest value reaches: better to compress.

    Shape (1, 2, 4 or 8; n).
    """
    largest = int(values.max()) if len(values) else 0
    size = next(size for size in (1, 2, 4, 8) if largest < 1 << (8 * size))
    data = values.astype(f"<u{size}")
    return np.ascontiguousarray(data.view(np.uint8).reshape(len(data), size).T)


def _from_planes(arrays: Mapping[str, NDArray[Any]], name: str, *, below: int) -> Integers:
    """Return the whole numbers of an array, in [0, `below`)."""
    planes = arrays[name]
    if planes.shape[0] not in (1, 2, 4, 8):
        raise ValueError(f"its array {name!r} holds numbers of {planes.shape[0]} bytes")
    values = np.ascontiguousarray(planes.T).view(f"<u{planes.shape[0]}").reshape(-1)
    if len(values) and int(values.max()) >= below:
        raise ValueError(f"its array {name!r} holds {int(values.max())}, where less than {below} is possible")
    return values.astype(np.int64)


def quantise(values: Floats) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the code of each value, of 8 bits, and the codebook: 256 evenly spaced levels from least to largest.

    Even spacing bounds the error of every value, by (max − min) / 510, and leaves codes that compress.

    Args:
        values: finite numbers, shape (n,).

    Returns:
        Codes, shape (n,), and the 256 values that they stand for, float32, ascending.

    >>> codes, codebook = quantise(np.array([-2.0, 0.0, -1.0]))
    >>> codes, codebook[codes].round(2)
    (array([  0, 255, 128], dtype=uint8), array([-2.,  0., -1.], dtype=float32))
    """
    low = high = np.float32(0)
    if len(values):
        low, high = np.float32(values.min()), np.float32(values.max())
    codebook = np.linspace(low, high, 256, dtype=np.float64).astype(np.float32)
    if low <= 0 <= high:
        codebook[np.argmin(np.abs(codebook))] = 0  # "no back-off" stays exactly that
    spread = float(high) - float(low)
    scaled = (values - float(low)) * (255 / spread) if spread > 0 else np.zeros(len(values))
    # Half up: the same on every platform, unlike the rounding mode.
    return np.clip(np.floor(scaled + 0.5), 0, 255).astype(np.uint8), codebook
