"""The small language model: text in, log-probabilities of its WordPieces out, by numpy's matrix products alone."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.archive import reading
from metric_commons.support.validation import check_path, check_texts
from slor_metric.language_models.base import BatchLogprobs, TokenLogprobs, packaged_file
from slor_metric.language_models.known import KnownTokens
from slor_metric.language_models.small.storage import SCHEMA, read_small
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.encoder import TextEncoder
from slor_metric.tokenizers.wordpiece import vocabulary_tokeniser
from slor_metric.tokenizers.words import BOS, EOS, SPECIALS, UNK

MODEL_FILE = "small.npz"
_BLOCK = 1 << 13  # texts read at a time: changes no score
_ROWS = 256  # sentences read side by side
_STATES = 1024  # states whose tokens' scores are held at once: 8 MB

Floats = NDArray[np.float32]


class SmallLanguageModel:
    """An LSTM over WordPieces with weights in 8 bits (a `LanguageModel`). Made by `load` or `load_small`.

    A text is one sentence: the state starts at zero, the first piece is conditioned on `<s>`. The model carries the
    unigram counts of its training corpus as `unigram`.

    Args:
        weights: the network's matrices by name, as `storage` has them.
        bounds: where its output layer cuts the vocabulary, and its size.
        tokens: the vocabulary by id; the first three are `<unk>`, `<s>` and `</s>`.
        counts: how often the training corpus had each token, shape (len(tokens),).

    Raises:
        ValueError: for tokens that are not the network's.
    """

    language: str | None = None

    def __init__(
        self,
        weights: Mapping[str, NDArray[np.float32]],
        bounds: Sequence[int],
        tokens: Sequence[str],
        counts: NDArray[np.int64],
    ) -> None:
        self.tokens = list(tokens)
        if tuple(self.tokens[:3]) != SPECIALS or len(set(self.tokens)) != bounds[-1]:
            raise ValueError(
                f"Expected argument `tokens` to begin with {', '.join(SPECIALS)} and to have {bounds[-1]} "
                f"entries, each once, but got {len(self.tokens)}: {self.tokens[:3]}"
            )
        self.weights, self.bounds = weights, bounds
        self.tokenizer = vocabulary_tokeniser("wordpiece", self.tokens)
        self.tokenizer_name = self.tokenizer.name
        ids = {token: i for i, token in enumerate(self.tokens)} | dict.fromkeys(SPECIALS, UNK)
        self._encoder = TextEncoder(self.tokenizer, ids, UNK, BOS, EOS)
        self.unigram = UnigramTable.by_id(self.tokens, counts, "wordpiece")
        self._unigram_by_id = self.unigram.logprobs(self.tokens)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is found on demand: what is pickled does not change with use."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_reader", "known", "signature")}

    def __repr__(self) -> str:
        return f"SmallLanguageModel({self.units} units, {len(self.tokens)} pieces)"

    @cached_property
    def known(self) -> KnownTokens:
        """Which tokens the model knows, by their ids."""
        return KnownTokens(self.tokens, self.unigram.counts_of(self.tokens))

    @cached_property
    def signature(self) -> str:
        """Kind, units, tokenisation and a hash of vocabulary and weights."""
        digest = hashlib.sha256("\n".join(self.tokens).encode())
        for name in sorted(self.weights):
            digest.update(self.weights[name].astype("<f4").tobytes())
        return f"small{self.units}-{self.tokenizer_name}-unk-{digest.hexdigest()[:8]}"

    @property
    def units(self) -> int:
        """The number of the LSTM's units."""
        return int(self.weights["projection"].shape[1])

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self.weights, self.bounds)

    def token_logprobs(self, texts: Iterable[str]) -> list[TokenLogprobs]:
        """Return the pieces of each text and their log-probabilities.

        Args:
            texts: n texts, not a bare string. An empty one has no pieces.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        return self.batch_logprobs(texts).by_text(self.tokens)

    def batch_logprobs(self, texts: Iterable[str]) -> BatchLogprobs:
        """Return the same log-probabilities as flat arrays, with the unigram model's.

        Args:
            texts: n texts, not a bare string. An empty one has no pieces.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        checked = check_texts(texts, "texts")
        blocks = [self._encoder.encode(checked[first : first + _BLOCK]) for first in range(0, len(checked), _BLOCK)]
        found = [self._reader.read(framed, np.flatnonzero(framed == BOS)) for framed in blocks]
        framed = np.concatenate([np.zeros(0, np.int32), *blocks])
        logprobs = np.concatenate([np.zeros(0), *found])
        is_end = framed == EOS
        is_token = ~is_end & (framed != BOS)
        ids = framed[is_token]
        ends = np.flatnonzero(is_end)
        offsets = np.concatenate([[0], np.cumsum(is_token)[ends]]).astype(np.int64)
        return BatchLogprobs(logprobs[is_token], self._unigram_by_id[ids], offsets, logprobs[is_end], ids)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SmallLanguageModel:
        """Read a model that `train small` wrote.

        Args:
            path: the folder, or the `small.npz` in it.

        Raises:
            FileNotFoundError: where there is no such file.
            TypeError: for what is no path.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        file = check_path(path)
        if file.is_dir():
            file /= MODEL_FILE
        content = read_small(file)
        with reading(file, SCHEMA):
            return cls(*content)


def load_small(name: str = "small", *, path: str | os.PathLike[str] | None = None) -> SmallLanguageModel:
    """Load the small model that comes with the package, or another.

    Args:
        name: not used; a loader is called with the model's name.
        path: a folder of `train small`, or the `small.npz` in one; None for the packaged model, of which a second call
            gives the same object.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a file of another kind, or a damaged one.
    """
    return _packaged() if path is None else SmallLanguageModel.load(path)


@cache
def _packaged() -> SmallLanguageModel:
    model = SmallLanguageModel.load(packaged_file(MODEL_FILE))
    model.language = "en"
    return model


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
