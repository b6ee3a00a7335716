"""Reading sentences with a small model: numpy's matrix products, many sentences at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ROWS = 256  # sentences read side by side
_STATES = 1024  # states whose tokens' scores are held at once: 8 MB

Floats = NDArray[np.float32]


class Reader:
    """A small model's network, with its matrices laid out for reading.

    σ(x) = ½ tanh(½ x) + ½, so that one call of `tanh` serves all four gates: the weights of those that are sigmoids
    are halved beforehand, and they stand side by side.

    Args:
        weights: matrices by name, as `storage` has them.
        bounds: the first token of each cluster, and the size of the vocabulary.
    """

    def __init__(self, weights: Mapping[str, Floats], bounds: Sequence[int]) -> None:
        self.hidden, self.width = weights["projection"].shape[1], weights["embedding"].shape[1]
        gates = np.arange(4 * self.hidden).reshape(4, self.hidden)
        order = gates[[0, 1, 3, 2]].ravel()  # input, forget and output; cell
        halves = np.where(np.arange(4 * self.hidden) < 3 * self.hidden, np.float32(0.5), np.float32(1))
        self.embedding, self.bounds = weights["embedding"], bounds
        self.lstm = np.ascontiguousarray((weights["lstm"][order] * halves[:, None]).T)
        self.lstm_bias, self.head_bias = weights["lstm_bias"][order] * halves, weights["head_bias"]
        tails = [f"{part}_{i}" for i in range(len(bounds) - 1) for part in ("inner", "outer")]
        self.by_state = {name: np.ascontiguousarray(weights[name].T) for name in ("projection", "head", *tails)}

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
        hidden, width = self.hidden, self.width
        inputs = np.zeros((len(starts), width + hidden), dtype=np.float32)
        gates = np.empty((len(starts), 4 * hidden), dtype=np.float32)
        cells = np.zeros((len(starts), hidden), dtype=np.float32)
        scratch = np.empty_like(cells)
        states = np.empty((_STATES, hidden), dtype=np.float32)
        places = np.empty(_STATES, dtype=np.int64)
        filled = 0
        still = np.searchsorted(-lengths, -np.arange(lengths[0]), side="left")  # texts longer than t
        for t, n in enumerate(still.tolist()):
            at = starts[:n] + t
            inputs[:n, :width] = self.embedding[framed[at]]
            gate, cell, new, h = gates[:n], cells[:n], scratch[:n], inputs[:n, width:]
            np.matmul(inputs[:n], self.lstm, out=gate)
            gate += self.lstm_bias
            np.tanh(gate, out=gate)
            sigmoids = gate[:, : 3 * hidden]
            sigmoids *= np.float32(0.5)
            sigmoids += np.float32(0.5)
            cell *= gate[:, hidden : 2 * hidden]
            np.multiply(gate[:, :hidden], gate[:, 3 * hidden :], out=new)
            cell += new
            np.tanh(cell, out=new)
            np.multiply(new, gate[:, 2 * hidden : 3 * hidden], out=h)
            if filled + n > _STATES:
                self._score(states[:filled], places[:filled], framed, found)
                filled = 0
            states[filled : filled + n], places[filled : filled + n] = h, at + 1
            filled += n
        self._score(states[:filled], places[:filled], framed, found)

    def _score(
        self, states: Floats, places: NDArray[np.int64], framed: NDArray[np.int32], found: NDArray[np.float64]
    ) -> None:
        """Fill in ln p of the tokens at some places, from the states before them."""
        narrow: Floats = states @ self.by_state["projection"]
        targets = framed[places]
        head = self.bounds[0]
        cluster = np.searchsorted(self.bounds[:-1], targets, side="right")
        wanted = np.where(cluster == 0, targets, head + cluster - 1)
        logits: Floats = narrow @ self.by_state["head"]
        logits += self.head_bias
        logprobs = _of_targets(logits, wanted)
        for i, (first, _) in enumerate(pairwise(self.bounds)):
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
