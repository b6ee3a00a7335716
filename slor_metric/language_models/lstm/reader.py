"""What a recurrent network gives each token of texts, by numpy's matrix products alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from slor_metric.language_models.lstm.storage import NetworkShape, Weights

_ROWS = 256  # sentences read side by side
_STATES = 1024  # states whose tokens' scores are held at once, at most
_SCORES = 1 << 23  # scores that are held at once, about: 32 MB

Floats = NDArray[np.float32]


class Reader:
    """A network with its matrices laid out for reading.

    σ(x) = ½ tanh(½ x) + ½, so that one call of `tanh` serves all four gates: the weights of those that are sigmoids
    are halved beforehand, and they stand side by side.

    Args:
        shape: the network's sizes.
        weights: its matrices by name, as `storage` has them.
    """

    def __init__(self, shape: NetworkShape, weights: Weights) -> None:
        self.shape, self.embedding, self.head_bias = shape, weights["embedding"], weights["head_bias"]
        gates = np.arange(4 * shape.hidden).reshape(4, shape.hidden)
        order = gates[[0, 1, 3, 2]].ravel()  # input, forget and output; cell
        halves = np.where(np.arange(4 * shape.hidden) < 3 * shape.hidden, np.float32(0.5), np.float32(1))
        self.layers: list[tuple[Floats, Floats]] = []
        for name in ("lstm", *(f"lstm_{i}" for i in range(1, shape.layers))):
            by_state = np.ascontiguousarray((weights[name][order] * halves[:, None]).T)
            self.layers.append((by_state, weights[f"{name}_bias"][order] * halves))
        self.by_state = {
            name: np.ascontiguousarray(matrix.T)
            for name, matrix in weights.items()
            if name.startswith(("projection", "head", "inner", "outer"))
        }

    def read(self, framed: NDArray[np.int32], starts: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return ln p of each token after the ones before it in its text.

        Args:
            framed: the tokens of all texts after one another, each as ``<s> … </s>``, shape (t,).
            starts: where each text begins, shape (n,).

        Returns:
            Shape (t,); 0 for ``<s>``.
        """
        found = np.zeros(len(framed))
        lengths = np.diff(starts, append=len(framed)) - 1  # predictions
        order = np.argsort(-lengths, kind="stable")
        for first in range(0, len(order), _ROWS):
            rows = order[first : first + _ROWS]
            self._read_rows(framed, starts[rows], lengths[rows], found)
        return found

    def _read_rows(
        self,
        framed: NDArray[np.int32],
        starts: NDArray[np.int64],
        lengths: NDArray[np.int64],
        found: NDArray[np.float64],
    ) -> None:
        """Fill in ln p for texts, the longest first."""
        hidden, most = self.shape.hidden, max(len(starts), min(_STATES, _SCORES // len(self.head_bias)))
        gates = np.empty((len(starts), 4 * hidden), dtype=np.float32)
        scratch = np.empty((len(starts), hidden), dtype=np.float32)
        layers = [
            (np.zeros((len(starts), len(matrix)), dtype=np.float32), np.zeros_like(scratch), matrix, bias)
            for matrix, bias in self.layers
        ]
        states = np.empty((most, hidden), dtype=np.float32)
        places = np.empty(most, dtype=np.int64)
        filled = 0
        still = np.searchsorted(-lengths, -np.arange(lengths[0]), side="left")  # texts longer than t
        for t, n in enumerate(still.tolist()):
            at = starts[:n] + t
            gate, new, read = gates[:n], scratch[:n], self.embedding[framed[at]]
            for inputs, cells, matrix, bias in layers:
                inputs[:n, :-hidden] = read
                cell, read = cells[:n], inputs[:n, -hidden:]
                np.matmul(inputs[:n], matrix, out=gate)
                gate += bias
                np.tanh(gate, out=gate)
                sigmoids = gate[:, : 3 * hidden]
                sigmoids *= np.float32(0.5)
                sigmoids += np.float32(0.5)
                cell *= gate[:, hidden : 2 * hidden]
                np.multiply(gate[:, :hidden], gate[:, 3 * hidden :], out=new)
                cell += new
                np.tanh(cell, out=new)
                np.multiply(new, gate[:, 2 * hidden : 3 * hidden], out=read)
            if filled + n > most:
                self._score(states[:filled], places[:filled], framed, found)
                filled = 0
            states[filled : filled + n], places[filled : filled + n] = read, at + 1
            filled += n
        self._score(states[:filled], places[:filled], framed, found)

    def _score(
        self, states: Floats, places: NDArray[np.int64], framed: NDArray[np.int32], found: NDArray[np.float64]
    ) -> None:
        """Fill in ln p of the tokens at some places, from the states before them."""
        narrow: Floats = states @ self.by_state["projection"] if self.shape.projection else states
        targets = framed[places]
        cutoffs = np.array(self.shape.cutoffs, dtype=np.int64)
        cluster = np.searchsorted(cutoffs, targets, side="right")
        wanted = np.where(cluster == 0, targets, self.shape.bounds[0] + cluster - 1)
        logits: Floats = narrow @ self.by_state["head"]
        logits += self.head_bias
        logprobs = _of_targets(logits, wanted)
        for i, first in enumerate(self.shape.cutoffs):
            rows = np.flatnonzero(cluster == i + 1)
            if len(rows):
                within = narrow[rows] @ self.by_state[f"inner_{i}"] @ self.by_state[f"outer_{i}"]
                logprobs[rows] += _of_targets(within, targets[rows] - first)
        found[places] = logprobs


def _of_targets(logits: NDArray[Any], targets: NDArray[Any]) -> NDArray[np.float64]:
    """Return the log-softmax at each row's target, and overwrite the logits."""
    logits -= logits.max(axis=1, keepdims=True)
    wanted = logits[np.arange(len(targets)), targets].astype(np.float64)
    np.exp(logits, out=logits)
    return np.asarray(wanted - np.log(logits.sum(axis=1, dtype=np.float32).astype(np.float64)))
