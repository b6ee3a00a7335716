"""Files of networks: as torch trains them, and in 8 bits, as the product reads them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from referenceless_metrics.core.files.archive import pack_strings, write_archive
from referenceless_metrics.core.support.validation import Arrays, Floats32, Integers, PathName, Record
from slor_metric.language_models.lstm.storage import (
    SCHEMA,
    SMALL,
    CodedMatrix,
    NetworkShape,
    Weights,
    as_floats,
    read_network,
)


def write_network(
    path: PathName,
    shape: NetworkShape,
    parameters: Weights,
    tokens: Sequence[str],
    counts: Integers,
    tokenizer: str,
    training: Record,
) -> None:
    """Write a network as torch trains it, its parameters by torch's names; `read_network` reads it with `SCHEMA`."""
    header = {"shape": asdict(shape), "tokenizer": tokenizer, "oov": "unk", "training": training}
    arrays: Arrays = {"tokens": pack_strings(tokens), "counts": counts, **parameters}
    write_archive(path, SCHEMA, header, arrays)


def in_8_bits(matrix: Floats32) -> CodedMatrix:
    """Return a matrix as whole numbers of 8 bits, and the factor of each row of them.

    >>> codes, scales = in_8_bits(np.array([[1.0, -0.5], [0.0, 0.0]], dtype=np.float32))
    >>> codes.tolist(), (codes * scales[:, None]).round(2).tolist()
    ([[127, -63], [0, 0]], [[1.0, -0.5], [0.0, 0.0]])
    """
    scales = (np.abs(matrix).max(axis=1) / np.float32(127)).astype(np.float32)
    scaled = matrix / np.where(scales > 0, scales, 1)[:, None]
    return CodedMatrix(np.floor(scaled + 0.5).astype(np.int8), scales)  # half up: the same on every platform


def shrink(trained: PathName, out: PathName) -> None:
    """Write a network as torch trained it in 8 bits; the same bytes each time.

    Args:
        trained: the `lstm.safetensors` of `train_small`, or one in its `snapshots`.
        out: the file to write.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a damaged or foreign file, or another network than `train_small` makes.
    """
    shape, weights, tokens, counts, tokenizer, training = read_network(trained, SCHEMA)
    if shape.layers != 1 or not shape.projection or tokenizer != "wordpiece":
        raise ValueError(
            f"Expected {os.fspath(trained)} to be a network of one layer over WordPieces, with a projection, but it is "
            f"over {tokenizer}: {shape}"
        )
    arrays: Arrays = {"tokens": pack_strings(tokens), "counts": counts}
    for name, matrix in weights.items():
        if as_floats(matrix).ndim == 1:
            arrays[name] = as_floats(matrix)
        else:
            arrays[name], arrays[f"{name}_scales"] = in_8_bits(as_floats(matrix))
    sizes = {"embedding": shape.embedding, "hidden": shape.hidden, "width": shape.width}
    write_archive(out, SMALL, {**sizes, "bounds": shape.bounds, "training": training}, arrays)
