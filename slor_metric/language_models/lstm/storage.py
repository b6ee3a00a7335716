"""LSTM language models on disk: ``lstm.safetensors`` as torch trains them; ``small.safetensors`` in 8 bits.

Both are read as the same matrices. With e, h and w for the widths of embeddings, of an LSTM layer and of the states
that the output layer reads:

- ``embedding`` (vocabulary, e); ``projection`` (w, h), or none if w = h;
- ``lstm`` (4 h, e + h), the gates input, forget, cell and output by input and state, with ``lstm_bias``; those of
  further layers, (4 h, 2 h), are ``lstm_1`` and so on;
- ``head`` (k, w), the scores of the frequent tokens and one for each cluster of others, with ``head_bias``; of each
  cluster ``inner_i``, to a narrower state, and ``outer_i``, to its tokens' scores (an adaptive softmax, Grave et al.
  2017, https://arxiv.org/abs/1609.04309). Without clusters ``head`` has the scores of all tokens.

In 8 bits each row of a matrix is whole numbers from −127 to 127, with the number that they are multiplied by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archive import (
    STRINGS,
    Array,
    Schema,
    read_archive,
    reading,
    unpack_strings,
)
from referenceless_metrics.core.support.validation import (
    Arrays,
    Floats32,
    Integers,
    PathName,
    Record,
    check_ranges,
    check_whole,
)
from slor_metric.language_models.vocabulary_model import OOV_RULE, check_oov_rule

LSTM_FILE, SMALL_FILE = "lstm.safetensors", "small.safetensors"

Weights = Mapping[str, Floats32]


class CodedMatrix(NamedTuple):
    """Whole numbers from −127 to 127, shape (n, k), and the factor of each row of them, shape (n,)."""

    codes: NDArray[np.int8]
    scales: Floats32


CodedWeights = Mapping[str, Floats32 | CodedMatrix]


def as_floats(matrix: Floats32 | CodedMatrix) -> Floats32:
    """Return a matrix as the numbers that its codes stand for, or as it is."""
    return matrix.codes * matrix.scales[:, None] if isinstance(matrix, CodedMatrix) else matrix


_FLOATS = Array("<f4", (), least=-1e38, most=1e38)


@dataclass(frozen=True)
class NetworkShape:
    """The sizes of an LSTM language model.

    Attributes:
        vocabulary: tokens, special ones included.
        layers: stacked LSTM layers.
        hidden: units of each layer.
        embedding: width of the token embeddings.
        dropout: share of values dropped between layers in training.
        projection: width to which the last layer's states are brought before the output layer; 0: they are not.
        cutoffs: token ids at which the vocabulary, in order of frequency, is cut for an adaptive output layer; empty
            for one matrix
                over all tokens.

    Raises:
        TypeError, ValueError: for sizes that no network has.
    """

    vocabulary: int
    layers: int = 2
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.0
    projection: int = 0
    cutoffs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "cutoffs", tuple(self.cutoffs))
        check_ranges(self, {"vocabulary hidden embedding": (1, 2**31), "layers": (1, 64), "projection": (0, 2**31)})
        for before, cutoff in pairwise((0, *self.cutoffs)):
            check_whole(cutoff, "cutoffs", before + 1, self.vocabulary - 1)

    @property
    def width(self) -> int:
        """The width of the states that the output layer reads."""
        return self.projection or self.hidden

    @property
    def bounds(self) -> tuple[int, ...]:
        """The first token of each cluster of rare tokens, and the size of the vocabulary."""
        return *self.cutoffs, self.vocabulary

    @property
    def tails(self) -> list[tuple[int, int]]:
        """The width of each cluster's narrower state, half for the first, a quarter for the next; and its tokens."""
        sizes = [end - first for first, end in pairwise(self.bounds)]
        return [(max(1, self.width >> (i + 1)), size) for i, size in enumerate(sizes)]

    @property
    def matrices(self) -> dict[str, dict[str, tuple[int, ...]]]:
        """Each matrix's parts by torch's names, with their shapes: they stand side by side, those of a bias add up."""
        output, rows = "output.head" if self.cutoffs else "output", 4 * self.hidden
        head = self.bounds[0] + len(self.cutoffs)
        parts: dict[str, dict[str, tuple[int, ...]]] = {
            "embedding": {"embedding.weight": (self.vocabulary, self.embedding)}
        }
        for i in range(self.layers):
            name, read = (f"lstm_{i}", self.hidden) if i else ("lstm", self.embedding)
            parts[name] = {f"lstm.weight_ih_l{i}": (rows, read), f"lstm.weight_hh_l{i}": (rows, self.hidden)}
            parts[f"{name}_bias"] = {f"lstm.bias_ih_l{i}": (rows,), f"lstm.bias_hh_l{i}": (rows,)}
        if self.projection:
            parts["projection"] = {"projection.weight": (self.projection, self.hidden)}
        parts["head"] = {f"{output}.weight": (head, self.width)}
        parts["head_bias"] = {f"{output}.bias": (head,)}
        for i, (narrow, size) in enumerate(self.tails):
            parts[f"inner_{i}"] = {f"output.tails.{i}.0.weight": (narrow, self.width)}
            parts[f"outer_{i}"] = {f"output.tails.{i}.1.weight": (size, narrow)}
        return parts


def _shape(header: Record) -> NetworkShape:
    if "shape" in header:
        return NetworkShape(**header["shape"])
    *cutoffs, vocabulary = header["bounds"]
    return NetworkShape(vocabulary, 1, header["hidden"], header["embedding"], 0.0, header["width"], tuple(cutoffs))


def _rules(header: Record) -> dict[str, Array]:
    """Return the rules for the arrays of a file, from its header: before memory is taken for them."""
    shape = _shape(header)
    rules = {"tokens": STRINGS, "counts": Array("<i8", (shape.vocabulary,), least=0, most=2**53)}
    for name, parts in shape.matrices.items():
        (rows, *columns), *others = parts.values()
        if "shape" in header:
            rules |= {part: _FLOATS._replace(shape=size) for part, size in parts.items()}
        elif columns:
            rules[name] = Array("|i1", (rows, columns[0] + sum(size[1] for size in others)))
            rules[f"{name}_scales"] = _FLOATS._replace(shape=(rows,), least=0)
        else:
            rules[name] = _FLOATS._replace(shape=(rows,))
    return rules


SCHEMA = Schema(
    "lstm",
    1,
    "an LSTM language model",
    arrays=_rules,
    fields={"shape": dict, "tokenizer": str, "oov": str, "training": dict},
)
SMALL = Schema(
    "small",
    1,
    "a small language model",
    arrays=_rules,
    fields={"embedding": int, "hidden": int, "width": int, "bounds": list, "training": dict},
)


def read_network(
    path: PathName, schema: Schema, *, verified: bool = False
) -> tuple[NetworkShape, CodedWeights, list[str], Integers, str, Record]:
    """Read a network.

    Args:
        path: the file.
        schema: `SCHEMA` or `SMALL`.
        verified: take it as whole, as for `read_archive`.

    Returns:
        Its sizes, its matrices, the vocabulary by id and its counts, the name of the tokenisation, and the record of
        the training run.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a truncated, damaged or foreign file, or one of a later version.
    """
    header, arrays = read_archive(path, schema, mapped=True, verified=verified)
    with reading(path, schema):
        check_oov_rule(header.get("oov", OOV_RULE))
        shape, tokens = _shape(header), unpack_strings(arrays["tokens"])
    weights = {name: _matrix(arrays, name, parts) for name, parts in shape.matrices.items()}
    return shape, weights, tokens, arrays["counts"], header.get("tokenizer", "wordpiece"), header["training"]


def _matrix(arrays: Arrays, name: str, parts: Iterable[str]) -> Floats32 | CodedMatrix:
    if f"{name}_scales" in arrays:
        return CodedMatrix(arrays[name], arrays[f"{name}_scales"])
    first, *others = [arrays[part] for part in parts if part in arrays] or [arrays[name]]
    if not others:
        return first
    return np.concatenate([first, *others], axis=1) if first.ndim == 2 else first + others[0]
