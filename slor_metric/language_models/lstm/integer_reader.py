"""ln p of each token under a network with weights in 8 bits, by whole numbers: `native/levels/small_lstm.cpp`.

States are rounded to whole numbers of about 15 bits. Sums of products are exact then, and a text's values depend
neither on the processor nor on the other texts or the number of threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from metric_commons.support import native
from metric_commons.support.computing import thread_count
from metric_commons.support.validation import Floats, Floats32, Integers, Integers32
from slor_metric.language_models.lstm.storage import CodedMatrix, CodedWeights, NetworkShape

_LANES = 16  # columns of a matrix that the kernel multiplies together
_ROWS, _TOKENS = 96, 1 << 13  # sentences read side by side, and their tokens, at most
_MOST_CLUSTERS = 8


class SmallNetwork(NamedTuple):
    """A network's matrices as the kernel reads them.

    Attributes:
        embedding: shape (vocabulary, e), int8.
        embedding_scales: what each row is multiplied by, shape (vocabulary,).
        packed: the matrices by token and by state, each with the gates of 16 units side by side (input, forget, cell,
            output), the projection, the head, and those of each cluster; one after the other, int8. Of every 16 columns
            and every two rows the 32 numbers stand together.
        scales: what their columns are multiplied by, one matrix after the other.
        sizes: the columns and rows of each.
        gate_bias: in the order of the gates, shape (4 · units,), units being a multiple of 16.
        head_bias: shape (columns of the head,).
        cutoffs: where the vocabulary is cut into clusters.
    """

    embedding: NDArray[np.int8]
    embedding_scales: Floats32
    packed: NDArray[np.int8]
    scales: Floats32
    sizes: Integers
    gate_bias: Floats32
    head_bias: Floats32
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
        embedding, gates = matrices["embedding"], _gates_together(shape.hidden)
        lstm, scales = _padded(matrices["lstm"].codes)[gates], _padded(matrices["lstm"].scales)[gates]
        by_token, by_state = np.split(lstm, [shape.embedding], axis=1)
        tails = [matrices[f"{part}_{i}"] for i in range(len(shape.cutoffs)) for part in ("inner", "outer")]
        others = [matrices["projection"], matrices["head"], *tails]
        parts = [CodedMatrix(by_token, scales), CodedMatrix(by_state, scales), *others]
        self._network = SmallNetwork(
            np.ascontiguousarray(embedding.codes),
            embedding.scales,
            np.concatenate([_packed(part.codes) for part in parts]),
            np.concatenate([part.scales for part in parts]),
            np.array([part.codes.shape for part in parts], dtype=np.int64),
            _padded(biases["lstm_bias"])[gates],
            biases["head_bias"],
            np.array(shape.cutoffs, dtype=np.int64),
        )

    def read(self, framed: Integers32, starts: Integers) -> Floats:
        """Return ln p of each token after the ones before it in its text.

        Args:
            framed: the tokens of all texts after one another, each as ``<s> … </s>``, shape (t,).
            starts: where each text begins, shape (n,).

        Returns:
            Shape (t,); 0 for ``<s>``.
        """
        logprobs = np.zeros(len(framed))
        lengths = np.diff(starts, append=len(framed)) - 1  # predictions
        order = np.argsort(-lengths, kind="stable")
        n_threads = thread_count(None)

        def read_rows(rows: Integers) -> None:
            found = np.empty(int(lengths[rows].sum()))
            native.call("read_small", framed, starts[rows], lengths[rows], self._network, found)
            first = np.cumsum(lengths[rows]) - lengths[rows]
            logprobs[np.repeat(starts[rows] + 1 - first, lengths[rows]) + np.arange(len(found))] = found

        blocks, at = [], 0
        while at < len(order):
            size = min(_ROWS, -(-len(order) // n_threads), max(1, _TOKENS // int(lengths[order[at]])))
            blocks.append(order[at : at + size])
            at += size
        with ThreadPoolExecutor(n_threads) as threads:
            list(threads.map(read_rows, blocks))
        return logprobs


def _gates_together(units: int) -> Integers:
    """Return which row of the recurrent matrix stands where; −1, the row of zeros, for units that fill up 16."""
    rows = np.full((4, -(-units // _LANES) * _LANES), -1)
    rows[:, :units] = np.arange(4 * units).reshape(4, units)
    return rows.reshape(4, -1, _LANES).transpose(1, 0, 2).ravel()


def _padded(values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([values, np.zeros_like(values[:1])])


def _packed(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    n, k = codes.shape
    filled = np.zeros((-(-n // _LANES) * _LANES, -(-k // 2) * 2), dtype=np.int8)
    filled[:n, :k] = codes
    return filled.reshape(-1, _LANES, filled.shape[1] // 2, 2).transpose(0, 2, 1, 3).ravel()
