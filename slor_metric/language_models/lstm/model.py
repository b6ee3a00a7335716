"""An LSTM language model (Kann, Rothe & Filippova 2018: two layers of 512 units): loading, scoring, saving."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
from metric_commons.support.installation import import_extra
from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_choice, check_number, check_texts
from slor_metric.language_models.base import TokenLogprobs
from slor_metric.language_models.hf.torch_support import (
    evaluating,
    length_batches,
    padded,
    resolve_device,
    weights_fingerprint,
)
from slor_metric.language_models.unigram import UnigramTable
from slor_metric.tokenizers.wordpiece import vocabulary_tokeniser
from slor_metric.tokenizers.words import BOS, EOS, OOV_RULES, SPECIALS, UNK, tokenise

if TYPE_CHECKING:
    from slor_metric.language_models.lstm.network import LSTMNetwork

MODEL_FILE = "lstm.npz"
MAX_BATCH_TOKENS = 16384


class LSTMLanguageModel:
    """An LSTM over words or WordPieces (a `LanguageModel`). Made by `train_lstm` or `load`.

    A text is one sentence: the state starts at zero, the first token is conditioned on `<s>`, and `end_logprob` is that
    of `</s>`. The model carries the unigram counts of its training corpus as `unigram`.

    A saved model is the file `lstm.npz` in a folder: sizes, tokenisation, vocabulary and its counts, weights.

    Args:
        network: the network.
        tokens: the vocabulary by id; the first three are `<unk>`, `<s>` and `</s>`.
        tokenizer: `"words"`, `"wordpiece"` or `"whitespace"`.
        counts: how often the training corpus had each token, shape (len(tokens),).
        oov: what happens to a token outside the vocabulary. `"unk"`: it is the token `<unk>` under both models.
            `"skip"`: the network reads `<unk>`, but it is left out of the text's tokens.
        batch_size: texts in one forward pass, at most; scores do not depend on it.
        progress: show a progress bar; None: only on a terminal.

    >>> import tempfile
    >>> from slor_metric.language_models.lstm.training import train_lstm
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lm = train_lstm(["a cat sat .", "a dog sat ."] * 9, folder, hidden=8, embedding=8, epochs=1, progress=False)
    >>> lm.token_logprobs(["A cat ran."])[0].pieces
    ('a', 'cat', '<unk>', '.')
    """

    def __init__(
        self,
        network: LSTMNetwork,
        tokens: Sequence[str],
        *,
        tokenizer: str,
        counts: ArrayLike,
        oov: str = "unk",
        batch_size: int = 128,
        progress: bool | None = None,
    ) -> None:
        check_choice(oov, "oov", OOV_RULES)
        check_number(batch_size, "batch_size", minimum=1, integer=True)
        self.network = network.eval()
        self.tokens = list(tokens)
        self.oov = oov
        self.batch_size = int(batch_size)
        self.progress = progress
        if tuple(self.tokens[:3]) != SPECIALS or len(self.tokens) != network.shape.vocabulary:
            raise ValueError(
                f"Expected argument `tokens` to begin with {', '.join(SPECIALS)} and to have "
                f"{network.shape.vocabulary} entries, but got {len(self.tokens)}: {self.tokens[:3]}"
            )
        self.tokenizer = vocabulary_tokeniser(tokenizer, self.tokens)
        self.tokenizer_name = self.tokenizer.name
        self._ids = {token: i for i, token in enumerate(self.tokens)}
        self._ids["<s>"] = self._ids["</s>"] = UNK  # markers cannot be written in a text
        self.unigram = UnigramTable.by_id(self.tokens, counts, tokenizer)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the signature, which is found on demand: what is pickled does not change with use."""
        return {name: value for name, value in self.__dict__.items() if name != "signature"}

    def __repr__(self) -> str:
        shape = self.network.shape
        return (
            f"LSTMLanguageModel({self.tokenizer_name}, {shape.layers}×{shape.hidden}, {len(self.tokens)} tokens, "
            f"oov={self.oov!r})"
        )

    @cached_property
    def signature(self) -> str:
        """Kind, sizes, tokenisation, OOV rule and a hash of vocabulary and weights."""
        digest = hashlib.sha256("\n".join(self.tokens).encode())
        digest.update(weights_fingerprint(self.network.named_parameters()).encode())
        shape = self.network.shape
        return f"lstm{shape.layers}x{shape.hidden}-{self.tokenizer_name}-{self.oov}-{digest.hexdigest()[:8]}"

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text's tokens, without `<s>` and `</s>`."""
        return [self._ids.get(token, UNK) for token in tokenise(self.tokenizer, text)]

    def token_logprobs(self, texts: Iterable[str]) -> list[TokenLogprobs]:
        """Return the tokens of each text with their natural-log probabilities.

        Args:
            texts: n texts, not a bare string. An empty one has no tokens.

        Raises:
            TypeError: for a bare string or an item that is no string.
        """
        checked = check_texts(texts, "texts")
        rows = [self.encode(text) for text in checked]
        results = []
        for row, logprobs in zip(rows, self.sequence_logprobs(rows), strict=True):
            kept = np.array([self.oov == "unk" or i != UNK for i in row], dtype=np.bool_)
            pieces = tuple(self.tokens[i] for i, keep in zip(row, kept, strict=True) if keep)
            results.append(TokenLogprobs(pieces, logprobs[:-1][kept], float(logprobs[-1])))
        return results

    def sequence_logprobs(self, rows: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
        """Return ln p of each id and of the `</s>` after the last, one array of shape (len(row) + 1,) a row."""
        device = next(self.network.parameters()).device
        scores: list[NDArray[np.float64]] = [np.empty(0)] * len(rows)
        lengths = [len(row) + 1 for row in rows]
        with evaluating(self.network), progress_bar(len(rows), "scoring", self.progress) as bar:
            for batch in length_batches(lengths, self.batch_size, MAX_BATCH_TOKENS):
                ids, real = padded([[BOS, *rows[i], EOS] for i in batch], EOS, device)
                states = self.network(ids[:, :-1])[real[:, 1:]]
                found = self.network.logprobs(states, ids[:, 1:][real[:, 1:]])
                parts = np.split(found.double().cpu().numpy(), np.cumsum([lengths[i] for i in batch])[:-1])
                for i, part in zip(batch, parts, strict=True):
                    scores[i] = part
                bar.update(len(batch))
        return scores

    def save(self, path: str | os.PathLike[str], *, training: dict[str, Any] | None = None) -> None:
        """Write the model to a folder, which is made where it is missing; a model there is replaced in one step.

        Args:
            path: the folder.
            training: what to note about the training run.
        """
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        header = {
            "shape": dataclasses.asdict(self.network.shape),
            "tokenizer": self.tokenizer_name,
            "oov": self.oov,
            "training": training or {},
        }
        arrays = {
            "tokens": pack_strings(self.tokens),
            "counts": self.unigram.counts_of(self.tokens),
            **{name: value.detach().cpu().numpy() for name, value in self.network.state_dict().items()},
        }
        write_archive(folder / MODEL_FILE, SCHEMA, header, arrays, compress=False)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        device: Any = None,
        oov: str | None = None,
        batch_size: int = 128,
        progress: bool | None = None,
    ) -> LSTMLanguageModel:
        """Read a model that `save` or `train_lstm` wrote.

        Args:
            path: the folder, or the `lstm.npz` in it.
            device: `"cpu"`, `"cuda"`, `"cuda:<n>"` or `"mps"`; None for CUDA where there is one, else the CPU.
            oov: another rule for unknown tokens than the stored one.
            batch_size: texts in one forward pass, at most.
            progress: show a progress bar while scoring.

        Raises:
            FileNotFoundError: where there is no such folder, or no model in it.
            ImportError: without torch (extra `lstm`).
            ValueError: for truncated, damaged or foreign files, a later version, or a device that is not available.
        """
        import_extra("torch", "lstm", "This language model")
        import torch

        from slor_metric.language_models.lstm.network import LSTMNetwork, NetworkShape

        where = resolve_device(device)
        file = Path(path) if Path(path).name == MODEL_FILE else Path(path) / MODEL_FILE
        header, arrays = read_archive(file, SCHEMA)
        with reading(file, SCHEMA):
            tokens, counts = unpack_strings(arrays.pop("tokens")), arrays.pop("counts")
            network = LSTMNetwork(NetworkShape(**header["shape"]))
            network.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
            return cls(
                network.to(where),
                tokens,
                tokenizer=header["tokenizer"],
                counts=counts,
                oov=header["oov"] if oov is None else oov,
                batch_size=batch_size,
                progress=progress,
            )


def _array_rules(header: Mapping[str, Any]) -> dict[str, Array]:
    """Return what the arrays of a model are, from its header: before memory is taken for what that declares."""
    from slor_metric.language_models.lstm.network import NetworkShape, weight_rules

    shape = NetworkShape(**header["shape"])
    counts = Array("<i8", (shape.vocabulary,), least=0, most=2**53)
    return {"tokens": STRINGS, "counts": counts, **weight_rules(shape)}


SCHEMA = Schema(
    "lstm",
    1,
    "an LSTM language model",
    arrays=_array_rules,
    fields={"shape": dict, "tokenizer": str, "oov": str, "training": dict},
)
