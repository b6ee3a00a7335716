"""Small language models on disk: a checked ``.npz`` of matrices in 8 bits, and how they are made from torch's weights.

Each row of a matrix is stored as whole numbers from −127 to 127 and the number that they are multiplied by. With e, h
and w for the widths of embeddings, of the LSTM and of the states that the output layer reads, the matrices are:

- ``embedding`` (vocabulary, e); ``projection`` (w, h); ``lstm`` (4 h, e + h), the gates input, forget, cell and output
  by input and state, with ``lstm_bias``;
- ``head`` (k, w), the scores of the frequent tokens and one for each cluster of others, with ``head_bias``; of each
  cluster ``inner_i``, to a narrower state, and ``outer_i``, to its tokens' scores. ``bounds`` has the first token of
  each cluster, and the size of the vocabulary.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
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
from metric_commons.support.validation import check_number

_LARGEST = 1e6  # of a weight


def _array_rules(header: Mapping[str, Any]) -> dict[str, Array]:
    """Return what the arrays of a model must be, from its header.

    Raises:
        TypeError, ValueError: for sizes that no model has.
    """
    names = ("embedding", "hidden", "width")
    embedding, hidden, width = (header[name] for name in names)
    for name in names:
        check_number(header[name], name, minimum=1, maximum=2**16, integer=True)
    bounds, least = header["bounds"], 4
    if not bounds:
        raise ValueError("it has no tokens")
    for bound in bounds:
        check_number(bound, "bounds", minimum=least, maximum=2**24, integer=True)
        least = bound + 1
    head = bounds[0] + len(bounds) - 1
    shapes = {
        "embedding": (bounds[-1], embedding),
        "lstm": (4 * hidden, embedding + hidden),
        "projection": (width, hidden),
        "head": (head, width),
    }
    for i, (first, end) in enumerate(pairwise(bounds)):
        narrow = max(1, width >> (i + 1))
        shapes |= {f"inner_{i}": (narrow, width), f"outer_{i}": (end - first, narrow)}
    rules = {
        "tokens": STRINGS,
        "counts": Array("<i8", (bounds[-1],), least=0, most=2**53),
        "lstm_bias": Array("<f4", (4 * hidden,), least=-_LARGEST, most=_LARGEST),
        "head_bias": Array("<f4", (head,), least=-_LARGEST, most=_LARGEST),
    }
    for name, shape in shapes.items():
        rules[name] = Array("|i1", shape)
        rules[f"{name}_scales"] = Array("<f4", shape[:1], least=0, most=_LARGEST)
    return rules


SCHEMA = Schema(
    "small",
    1,
    "a small language model",
    arrays=_array_rules,
    fields={"embedding": int, "hidden": int, "width": int, "bounds": list, "training": dict},
)


def in_8_bits(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return a matrix as whole numbers of 8 bits, and what each row of them is multiplied by.

    >>> codes, scales = in_8_bits(np.array([[1.0, -0.5], [0.0, 0.0]], dtype=np.float32))
    >>> codes.tolist(), (codes * scales[:, None]).round(2).tolist()
    ([[127, -63], [0, 0]], [[1.0, -0.5], [0.0, 0.0]])
    """
    scales = (np.abs(matrix).max(axis=1) / np.float32(127)).astype(np.float32)
    scaled = matrix / np.where(scales > 0, scales, 1)[:, None]
    return np.floor(scaled + 0.5).astype(np.int8), scales  # half up: the same on every platform


def write_small(
    path: str | os.PathLike[str],
    state: Mapping[str, NDArray[np.float32]],
    cutoffs: Sequence[int],
    tokens: Sequence[str],
    counts: NDArray[np.int64],
    training: Mapping[str, Any],
) -> None:
    """Write the weights of an `LSTMNetwork` of one layer with a projection in 8 bits.

    Args:
        path: the file, usually ``*.npz``.
        state: the network's weights by torch's names.
        cutoffs: where the vocabulary is cut.
        tokens: the vocabulary by id.
        counts: how often the training corpus had each token.
        training: what to note about the training run.
    """
    head = "output.head" if cutoffs else "output"
    matrices = {
        "embedding": state["embedding.weight"],
        "lstm": np.concatenate([state["lstm.weight_ih_l0"], state["lstm.weight_hh_l0"]], axis=1),
        "projection": state["projection.weight"],
        "head": state[f"{head}.weight"],
    }
    for i in range(len(cutoffs)):
        matrices[f"inner_{i}"], matrices[f"outer_{i}"] = (state[f"output.tails.{i}.{part}.weight"] for part in (0, 1))
    arrays: dict[str, NDArray[Any]] = {
        "tokens": pack_strings(tokens),
        "counts": counts,
        "lstm_bias": state["lstm.bias_ih_l0"] + state["lstm.bias_hh_l0"],
        "head_bias": state[f"{head}.bias"],
    }
    for name, matrix in matrices.items():
        arrays[name], arrays[f"{name}_scales"] = in_8_bits(matrix)
    width, hidden = matrices["projection"].shape
    sizes = {"embedding": matrices["embedding"].shape[1], "hidden": hidden, "width": width}
    header = {**sizes, "bounds": [*cutoffs, len(tokens)], "training": dict(training)}
    write_archive(path, SCHEMA, header, arrays)


def read_small(
    path: str | os.PathLike[str],
) -> tuple[dict[str, NDArray[np.float32]], list[int], list[str], NDArray[np.int64]]:
    """Read what `write_small` wrote: matrices by name, the bounds of the clusters, the vocabulary and its counts.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a truncated, damaged or foreign file, or one of a later version.
    """
    header, arrays = read_archive(path, SCHEMA)
    with reading(path, SCHEMA):
        tokens, counts = unpack_strings(arrays.pop("tokens")), arrays.pop("counts")
    weights: dict[str, NDArray[np.float32]] = {}
    for name in [name for name in arrays if not name.endswith("_scales")]:
        scales = arrays.get(f"{name}_scales")
        weights[name] = arrays[name] if scales is None else arrays[name] * scales[:, None]
    return weights, header["bounds"], tokens, counts
