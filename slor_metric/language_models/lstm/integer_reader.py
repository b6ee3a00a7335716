"""ln p of each token under a network with weights in 8 bits, by whole numbers: `native/levels/small_lstm.cpp`.

States are rounded to whole numbers of about 15 bits. Sums of products are exact then, and a text's values depend
neither on the processor nor on the other texts or the number of threads.
"""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.support import native
from referenceless_metrics.core.support.computing import in_order, thread_count
from referenceless_metrics.core.support.validation import Floats, Floats32, Integers, Integers32
from slor_metric.language_models.lstm.storage import CodedMatrix, CodedWeights, NetworkShape

_LANES = 16  # columns of a matrix that the kernel multiplies together
_ROWS, _TOKENS = 96, 1 << 13  # sentences read side by side, and their tokens, at most
_ALIKE = 5  # tokens in which texts that begin alike agree, the first of all texts among them
_MOST_CLUSTERS = 8
_NO_SCORE = -3e38


class SmallNetwork(NamedTuple):
    """A network's matrices as the kernel reads them.

    Each has its columns and rows filled up to multiples of 16. They stand one after the other: those by token and by
    state, each with the gates of 16 units side by side (input, forget, cell, output), the projection, the head, and two
    for each cluster.

    Attributes:
        embedding: shape (vocabulary, e), int8.
        embedding_scales: factor of each row, shape (vocabulary,).
        packed: for every 16 columns and every two rows the 32 numbers together, int8.
        scales: factor of each column.
        bias: addition to each column; for columns that fill up a softmax it is so small that their exponential is 0.
        sizes: the columns and rows of each matrix.
        cutoffs: the token ids at which the vocabulary is cut into clusters.
    """

    embedding: NDArray[np.int8]
    embedding_scales: Floats32
    packed: NDArray[np.int8]
    scales: Floats32
    bias: Floats32
    sizes: Integers
    cutoffs: Integers


class IntegerReader:
    """A network laid out for reading.

    Args:
        shape: the network's sizes.
        weights: its matrices by name, as `storage` has them.

    Raises:
        ValueError: for a network of several layers, without a projection or with more than eight clusters.
    """

    def __init__(self, shape: NetworkShape, weights: CodedWeights) -> None:
        if shape.layers != 1 or not shape.projection or len(shape.cutoffs) > _MOST_CLUSTERS:
            raise ValueError(
                f"Expected a network of one layer with a projection and at most {_MOST_CLUSTERS} clusters, "
                f"but got {shape}"
            )
        matrices = {name: matrix for name, matrix in weights.items() if isinstance(matrix, CodedMatrix)}
        biases = {name: bias for name, bias in weights.items() if not isinstance(bias, CodedMatrix)}
        codes, scales, bias = (gates_together(rows) for rows in (*matrices["lstm"], biases["lstm_bias"]))
        by_token, by_state = np.split(codes, [shape.embedding], axis=1)
        parts = [packed_matrix(by_token, scales), packed_matrix(by_state, scales, bias)]
        tails = [f"{part}_{i}" for i in range(len(shape.cutoffs)) for part in ("inner", "outer")]
        for name in ("projection", "head", *tails):
            least = 0.0 if name.startswith(("projection", "inner")) else _NO_SCORE
            parts.append(packed_matrix(*matrices[name], biases.get(f"{name}_bias"), least))
        packed, columns, added, sizes = zip(*parts, strict=True)
        self.guess_width = int(matrices["head"].codes.shape[1])
        self._network = SmallNetwork(
            np.ascontiguousarray(matrices["embedding"].codes),
            matrices["embedding"].scales,
            np.concatenate(packed),
            np.concatenate(columns),
            np.concatenate(added),
            np.array(sizes),
            np.array(shape.cutoffs, dtype=np.int64),
        )

    def read(
        self,
        framed: Integers32,
        starts: Integers,
        n_jobs: int | None = None,
        guesses: NDArray[np.int8] | None = None,
    ) -> Floats:
        """Return ln p of each token after the ones before it in its text.

        Args:
            framed: the tokens of all texts after one another, each as ``<s> … </s>``, shape (t,).
            starts: the index of each text's first token, shape (n,).
            n_jobs: threads, as scikit-learn counts them: they change no value.
            guesses: receives the network's guess at each token, shape (t, `guess_width`): its projected state in 8
                bits, relative to the largest number in it. Nothing is written at ``<s>``.

        Returns:
            Shape (t,); 0 for ``<s>``.
        """
        logprobs = np.zeros(len(framed))
        lengths = np.diff(starts, append=len(framed)) - 1  # predictions
        longest = _longest_of_alike(framed, starts, lengths)
        order = np.argsort(-longest, kind="stable")

        def read_rows(rows: Integers) -> None:
            native.call("read_small", framed, starts[rows], lengths[rows], self._network, logprobs, guesses)

        blocks, at = [], 0
        while at < len(order):
            size = min(_ROWS, -(-len(order) // thread_count(n_jobs)), max(1, _TOKENS // int(longest[order[at]])))
            rows = order[at : at + size]
            blocks.append(rows[np.argsort(-lengths[rows], kind="stable")])
            at += size
        deque(in_order(read_rows, blocks, n_jobs), maxlen=0)
        return logprobs


def _longest_of_alike(framed: Integers32, starts: Integers, lengths: Integers) -> Integers:
    """Return for each text the greatest length among it and its neighbours that begin alike, shape (n,).

    By these lengths such neighbours, as the edits of one text, are read together, and their beginnings once.
    """
    if not len(starts):
        return lengths
    places = np.minimum(
        np.arange(_ALIKE), lengths[:, None]
    )  # the last token of a shorter text stands for those it lacks
    beginnings = framed[starts[:, None] + places]
    group = np.cumsum(np.append(False, (beginnings[1:] != beginnings[:-1]).any(axis=1)))
    longest = np.zeros(int(group[-1]) + 1, dtype=np.int64)
    np.maximum.at(longest, group, lengths)
    return np.asarray(longest[group])


def gates_together(rows: NDArray[Any]) -> NDArray[Any]:
    """Return the rows of four gates in another order: those of 16 units together, filled up with zeros."""
    gates = rows.reshape(4, -1, *rows.shape[1:])
    more = -gates.shape[1] % _LANES
    if more:  # each copy of the large matrices counts when a model is loaded
        gates = np.pad(gates, [(0, 0), (0, more), *[(0, 0)] * (rows.ndim - 1)])
    return gates.reshape(4, -1, _LANES, *rows.shape[1:]).swapaxes(0, 1).reshape(-1, *rows.shape[1:])


def packed_matrix(
    codes: NDArray[np.int8], scales: Floats32, bias: Floats32 | None = None, least: float = 0.0
) -> tuple[NDArray[np.int8], Floats32, Floats32, tuple[int, int]]:
    """Return a matrix's part of `packed`, `scales`, `bias` and `sizes`; columns that fill it up get `least`.

    Args:
        codes: the matrix, shape (columns, rows).
        scales: factor of each column.
        bias: addition to each; None for 0.
        least: the bias of columns that fill it up.
    """
    n, k = codes.shape
    more, rows = -n % _LANES, k + -k % _LANES
    filled = np.pad(codes, ((0, more), (0, rows - k))) if more or rows > k else codes
    pairs = filled.view(np.int16).reshape(-1, _LANES, rows // 2)  # two numbers at once: copied several times as fast
    packed = pairs.transpose(0, 2, 1).ravel().view(np.int8)
    added = np.pad(np.zeros_like(scales) if bias is None else bias, (0, more), constant_values=least)
    return packed, np.pad(scales, (0, more)), added, (n + more, rows)
