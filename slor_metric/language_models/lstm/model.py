"""LSTM language models (Kann, Rothe & Filippova 2018: two layers of 512 units): text in, log-probabilities out.

The log-probability of each token of texts under a recurrent network, by numpy's matrix products alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from referenceless_metrics.core.files.archive import read_digest, reading
from referenceless_metrics.core.support.computing import one_blas_thread
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.validation import (
    Floats,
    Floats32,
    Integers,
    Integers32,
    Numbers,
    PathName,
    check_path,
    check_texts,
)
from slor_metric.language_models.base import BatchLogprobs, packaged_file
from slor_metric.language_models.lstm.integer_reader import IntegerReader
from slor_metric.language_models.lstm.storage import (
    LSTM_FILE,
    SCHEMA,
    SMALL,
    SMALL_FILE,
    CodedMatrix,
    CodedWeights,
    NetworkShape,
    Weights,
    as_floats,
    read_network,
)
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.language_models.vocabulary_model import OOV_RULE, VocabularyModel
from slor_metric.tokenizers.words import BOS, EOS

_ROWS = 256  # sentences read side by side
_STATES = 1024  # states whose tokens' scores are held at once, at most
_SCORES = 1 << 23  # scores that are held at once, about: 32 MB


class Reader:
    """A network of floats.

    Args:
        shape: the network's sizes.
        weights: its matrices by name, as `storage` has them.
    """

    def __init__(self, shape: NetworkShape, weights: Weights) -> None:
        self.shape, self.weights = shape, weights
        names = ("lstm", *(f"lstm_{i}" for i in range(1, shape.layers)))
        self.layers = [(weights[name].T, weights[f"{name}_bias"]) for name in names]

    def read(self, framed: Integers32, starts: Integers, n_jobs: int | None = None) -> Floats:
        """Return ln p of each token after the ones before it in its text.

        Args:
            framed: the tokens of all texts after one another, each as ``<s> … </s>``, shape (t,).
            starts: the index of each text's first token, shape (n,).
            n_jobs: not used: a step waits for the one before.

        Returns:
            Shape (t,); 0 for ``<s>``.
        """
        logprobs = np.zeros(len(framed))
        lengths = np.diff(starts, append=len(framed)) - 1  # predictions
        order = np.argsort(-lengths, kind="stable")
        with one_blas_thread():
            for first in range(0, len(order), _ROWS):
                rows = order[first : first + _ROWS]
                self._read_rows(framed, starts[rows], lengths[rows], logprobs)
        return logprobs

    def _read_rows(self, framed: Integers32, starts: Integers, lengths: Integers, logprobs: Floats) -> None:
        """Fill in ln p for texts, the longest first."""
        nothing = np.zeros((len(starts), self.shape.hidden), dtype=np.float32)
        memory = [(nothing, nothing)] * len(self.layers)  # state and cell of each layer
        states: list[Floats32] = []
        places: list[Integers] = []
        most = min(_STATES, _SCORES // len(self.weights["head"]))
        for t in range(lengths[0]):
            at = starts[lengths > t] + t
            read = self.weights["embedding"][framed[at]]
            for i, (matrix, bias) in enumerate(self.layers):
                state, cell = (values[: len(at)] for values in memory[i])
                gates = np.concatenate([read, state], axis=1) @ matrix + bias
                new, forget, candidate, output = np.split(gates, 4, axis=1)
                cell = _sigmoid(forget) * cell + _sigmoid(new) * np.tanh(candidate)
                read = _sigmoid(output) * np.tanh(cell)
                memory[i] = read, cell
            states.append(read)
            places.append(at + 1)
            if t == lengths[0] - 1 or sum(map(len, places)) >= most:
                self._score(np.concatenate(states), np.concatenate(places), framed, logprobs)
                states, places = [], []

    def _score(self, states: Floats32, places: Integers, framed: Integers32, logprobs: Floats) -> None:
        """Fill in ln p of the tokens at some places, from the states before them."""
        narrow = states @ self.weights["projection"].T if self.shape.projection else states
        targets = framed[places]
        cutoffs = np.array(self.shape.cutoffs, dtype=np.int64)
        cluster = np.searchsorted(cutoffs, targets, side="right")
        wanted = np.where(cluster == 0, targets, self.shape.bounds[0] + cluster - 1)
        of_targets = _of_targets(narrow @ self.weights["head"].T + self.weights["head_bias"], wanted)
        for i, first in enumerate(self.shape.cutoffs):
            rows = np.flatnonzero(cluster == i + 1)
            if len(rows):
                within = narrow[rows] @ self.weights[f"inner_{i}"].T @ self.weights[f"outer_{i}"].T
                of_targets[rows] += _of_targets(within, targets[rows] - first)
        logprobs[places] = of_targets


def _sigmoid(x: Floats32) -> Floats32:
    return np.asarray(np.tanh(x * 0.5) * 0.5 + 0.5)


def _of_targets(logits: Numbers, targets: Numbers) -> Floats:
    """Return the log-softmax at each row's target, and overwrite the logits."""
    logits -= logits.max(axis=1, keepdims=True)
    wanted = logits[np.arange(len(targets)), targets].astype(float)
    np.exp(logits, out=logits)
    return np.asarray(wanted - np.log(logits.sum(axis=1, dtype=np.float32).astype(float)))


class LSTMLanguageModel(VocabularyModel):
    """An LSTM over words or WordPieces (a `LanguageModel`), read by numpy. Made by `train_lstm` or `load`.

    The state of a text starts at zero. The model carries the unigram counts of its training corpus as `unigram`.

    Args:
        shape: the network's sizes.
        weights: its matrices by name, as `storage` has them.
        tokens: the vocabulary by id; see `VocabularyModel`.
        counts: count of each token in the training corpus, shape (len(tokens),).
        tokenizer: `"words"`, `"wordpiece"` or `"whitespace"`.

    Raises:
        ValueError: for tokens that are not the network's.

    >>> import tempfile
    >>> from referenceless_papers.training.lstm import train_lstm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lm = train_lstm(["a cat sat .", "a dog sat ."] * 9, folder, hidden=8, embedding=8, epochs=1, progress=False)
    >>> lm.token_logprobs(["A cat ran."])[0].pieces
    ('a', 'cat', '<unk>', '.')
    """

    FILE = LSTM_FILE
    SCHEMA = SCHEMA
    unigram: UnigramTable

    def __init__(
        self, shape: NetworkShape, weights: CodedWeights, tokens: Sequence[str], counts: Integers, tokenizer: str
    ) -> None:
        self.shape, self.weights = shape, weights
        super().__init__(tokens, shape.vocabulary, tokenizer, UnigramTable.by_id(tokens, counts, tokenizer))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.kind}, {self.tokenizer_name}, {len(self.tokens)} tokens)"

    @property
    def kind(self) -> str:
        """Beginning of its signature: kind and sizes."""
        return f"lstm{self.shape.layers}x{self.shape.hidden}"

    @cached_property
    def signature(self) -> str:
        """Kind, sizes, tokenisation and a hash of the file, or of vocabulary and weights that come from none."""
        digest = self._digest
        if not digest:
            weights = (as_floats(self.weights[name]).tobytes() for name in sorted(self.weights))
            digest = hashlib.sha256(b"".join(["\n".join(self.tokens).encode(), *weights])).hexdigest()
        return f"{self.kind}-{self.tokenizer_name}-{OOV_RULE}-{digest[:8]}"

    @cached_property
    def _reader(self) -> Reader | IntegerReader:
        return Reader(self.shape, {name: as_floats(matrix) for name, matrix in self.weights.items()})

    def batch_logprobs(self, texts: Iterable[str], n_jobs: int | None = None) -> BatchLogprobs:
        """Return the log-probabilities of all tokens; see `VocabularyModel.batch_logprobs`.

        Args:
            texts: n texts, not a bare string. An empty one has no tokens.
            n_jobs: threads of a `SmallLanguageModel`, as scikit-learn counts them: they change no value.
        """
        framed = self._encoder.encode(check_texts(texts, "texts"))
        return self._without_markers(framed, self._reader.read(framed, np.flatnonzero(framed == BOS), n_jobs))

    @classmethod
    def load(cls, path: PathName) -> Self:
        """Read a model that `train lstm` or `train small` wrote.

        Args:
            path: the folder, or the file in it: `lstm.safetensors`, of a `SmallLanguageModel` `small.safetensors`.

        Raises:
            FileNotFoundError: if there is no such file.
            TypeError: for anything but a path.
            ValueError: for a truncated, damaged or foreign file, or one of a later version.
        """
        return cls._read(path)

    @classmethod
    def _read(cls, path: PathName, *, verified: bool = False) -> Self:
        file = check_path(path)
        if file.is_dir():
            file /= cls.FILE
        content = read_network(file, cls.SCHEMA, verified=verified)
        with reading(file, cls.SCHEMA):
            model = cls(*content[:-1])
            model._digest = read_digest(file)
            return model


class SmallReading(NamedTuple):
    """n texts under a small model, with its guess at each of their tokens.

    Attributes:
        batch: the log-probabilities.
        guesses: its projected state at each of the t tokens and markers, shape (t, g), int8; none if not asked for.
        start_rows: the row of `guesses` of each text's start, which holds zeros, shape (n,).
        token_rows: the row of each token in `batch`.
        end_rows: the row of each text's end, shape (n,).
    """

    batch: BatchLogprobs
    guesses: NDArray[np.int8]
    start_rows: Integers
    token_rows: Integers
    end_rows: Integers


class SmallLanguageModel(LSTMLanguageModel):
    """An LSTM of one layer over WordPieces with weights in 8 bits. Made by `train_small`, `load` or `load_small`."""

    FILE = SMALL_FILE
    SCHEMA = SMALL

    @property
    def kind(self) -> str:
        """Beginning of its signature: kind and units."""
        return f"small{self.shape.hidden}"

    @cached_property
    def _reader(self) -> IntegerReader:
        return IntegerReader(self.shape, self.weights)

    @cached_property
    def codes_of_tokens(self) -> NDArray[np.int8]:
        """The embedding of each token in 8 bits, relative to its largest number, shape (vocabulary, e)."""
        embedding = self.weights["embedding"]
        assert isinstance(embedding, CodedMatrix)
        return np.ascontiguousarray(embedding.codes)

    def read(self, texts: Iterable[str], n_jobs: int | None = None, *, guesses: bool = False) -> SmallReading:
        """Return the log-probabilities of all tokens, and the model's guess at each if asked for.

        Args:
            texts: n texts, not a bare string. An empty one has no tokens.
            n_jobs: threads, as scikit-learn counts them: they change no value.
            guesses: whether to keep the model's guesses.
        """
        framed = self._encoder.encode(check_texts(texts, "texts"))
        room = np.zeros((len(framed), self._reader.guess_width), dtype=np.int8) if guesses else None
        starts = np.flatnonzero(framed == BOS)
        logprobs = self._reader.read(framed, starts, n_jobs, room)
        return SmallReading(
            batch=self._without_markers(framed, logprobs),
            guesses=np.zeros((0, 0), dtype=np.int8) if room is None else room,
            start_rows=starts,
            token_rows=np.flatnonzero((framed != BOS) & (framed != EOS)),
            end_rows=np.flatnonzero(framed == EOS),
        )


def load_small(name: str = "small", *, path: PathName | None = None) -> SmallLanguageModel:
    """Load the small model that comes with the package, or another.

    Args:
        name: not used; a loader is called with the model's name.
        path: a folder of `train small`, or the `small.safetensors` in one; None for the packaged model, for which a
            second call gives the same object.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for a file of another kind, or a damaged one.
    """
    return _packaged() if path is None else SmallLanguageModel.load(path)


@cache
def _packaged() -> SmallLanguageModel:
    model = SmallLanguageModel._read(packaged_file(SmallLanguageModel.FILE), verified=True)
    model.language = "en"
    return model
