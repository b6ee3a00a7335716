"""Training an LSTM language model, the small one too: a corpus in, a folder with the model and a checkpoint out."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from referenceless_metrics.core.support.parameters import with_parameters_of
from referenceless_metrics.core.support.validation import (
    InputError,
    Integers,
    Integers32,
    PathName,
    Record,
    check_choice,
    check_number,
    check_ranges,
    check_whole,
)
from referenceless_papers.training.loop import CHECKPOINT_FILE, TrainingRun
from referenceless_papers.training.network_files import shrink, write_network
from referenceless_papers.training.packages import has_bfloat16, import_torch
from slor_metric.language_models.hf.torch_support import evaluating, padded, resolve_device
from slor_metric.language_models.lstm.model import LSTMLanguageModel, SmallLanguageModel
from slor_metric.language_models.lstm.storage import (
    LSTM_FILE,
    SCHEMA,
    SMALL,
    SMALL_FILE,
    CodedWeights,
    NetworkShape,
    read_network,
)
from slor_metric.language_models.unigram import Corpus, read_lines
from slor_metric.tokenizers.words import BOS, EOS, UNK

if TYPE_CHECKING:
    import torch

    from referenceless_papers.training.twins import Twins

TOKENIZERS = ("words", "wordpiece", "whitespace")
_POOL = 50  # batches that are sorted by length together
_AT_ONCE = 1 << 13  # lines that are encoded together
_VALIDATED = 3000  # held-out sentences of a file that a validation reads, at most
_COUNTED = 200_000  # sentences whose words are counted, for faults as frequent as the corpus has them


_RANGES: dict[str, tuple[float, float]] = {
    "vocab_size min_count batch_size max_length validate_every": (1, math.inf),
    "seed twins warm_up": (0, math.inf),
    "dropout": (0.0, 0.95),
    "lr": (1e-9, 10.0),
    "max_grad_norm": (1e-9, math.inf),
    "validation": (0.0, 0.5),
    "decay": (0.0, 1.0),
}


@dataclass(frozen=True)
class Settings:
    """Settings that determine an LSTM's weights besides the corpus; a resumed run must have the same.

    Args:
        tokenizer: tokenisation of the text: `"words"` (or `"word"`), `"wordpiece"` (a vocabulary trained on the
            corpus) or `"whitespace"`.
        vocab_size: tokens that the model knows, the most frequent; by default 32,000 words or 8,000 WordPieces.
        min_count: rarer words are `<unk>`, which would have no training data otherwise; of no effect on WordPieces.
        layers: LSTM layers.
        hidden: units per layer.
        embedding: width of the token embeddings.
        dropout: share of values dropped in training.
        batch_size: sentences per batch.
        lr: Adam's step size.
        max_grad_norm: longer gradients are shortened to this norm.
        max_length: tokens of a sentence that are trained on; the rest of a longer one is dropped.
        validation: share of the sentences held out, at least one.
        validate_every: batches between validations; by default an epoch.
        seed: seed of the first weights, the held-out sentences, the order of batches, and dropout.
        projection: width to which the last layer's states are brought before the output layer; 0: they are not.
        cutoffs: numbers of frequent tokens at which the output layer is cut (adaptive softmax); none: it is not.
        bf16: multiply in bfloat16 on processors that have it. Weights and sums stay in float32.
        decay: the share of the run at whose end the step size falls to 0, in equal steps. A longer run, of more
            `epochs`, goes on from the beginning of the fall.
        warm_up: batches over which it rises first.
        twins: number of sentences of a batch, at most, that are read beside the same with faults, and the model learns
            to tell them apart (`twins`).
        from_model: the signature of the model whose weights the run started from; another one means another order.
    """

    tokenizer: Annotated[str, TOKENIZERS] = "words"
    vocab_size: int | None = None
    min_count: int = 2
    layers: int = 2
    hidden: int = 512
    embedding: int = 512
    dropout: float = 0.0
    batch_size: int = 128
    lr: float = 1e-3
    max_grad_norm: float = 5.0
    max_length: int = 100
    validation: float = 0.01
    validate_every: int | None = None
    seed: int = 0
    projection: int = 0
    cutoffs: tuple[int, ...] = ()
    bf16: bool = False
    decay: float = 0.0
    warm_up: int = 0
    twins: int = 0
    from_model: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokenizer", "words" if self.tokenizer == "word" else self.tokenizer)
        check_choice(self.tokenizer, "tokenizer", TOKENIZERS)
        self.shape(2**31)
        check_ranges(self, _RANGES)

    def shape(self, vocabulary: int) -> NetworkShape:
        """Return the sizes of a network over so many tokens; it is not cut beyond them."""
        cutoffs = tuple(cutoff for cutoff in self.cutoffs if cutoff < vocabulary)
        sizes = self.layers, self.hidden, self.embedding, self.dropout, self.projection
        return NetworkShape(vocabulary, *sizes, cutoffs)


def parted(n: int, share: float, seed: int) -> tuple[Integers, Integers]:
    """Return which of n sentences are held out, and which are not, in the order of chance."""
    order = np.random.default_rng([seed, 0]).permutation(n)
    held_out = min(max(1, round(share * n)), n - 1)
    return order[:held_out], order[held_out:]


def read_start(start: PathName) -> tuple[NetworkShape, CodedWeights, list[str], Integers, str, Record]:
    """Read the network to begin with, as `read_network` does: a folder's, or a `small.safetensors`."""
    path = Path(start)
    file = path / LSTM_FILE if path.is_dir() else path
    return read_network(file, SMALL if file.name == SMALL_FILE else SCHEMA)


def _files(corpus: Corpus) -> list[Corpus]:
    """Return the parts of a corpus of which each has its own held-out sentences."""
    if isinstance(corpus, list) and all(isinstance(item, os.PathLike) for item in corpus):
        return list(corpus)
    return [corpus]


class TrainingData:
    """The encoded corpus, parted into training and held-out sentences.

    Args:
        corpus: a path, lines, or a list of paths, of each of which a part is held out.
        settings: settings of the run.
        progress: show a progress bar.
        start: the model whose vocabulary is taken; None for one of the corpus.
    """

    def __init__(
        self, corpus: Corpus, settings: Settings, progress: bool | None, start: LSTMLanguageModel | None = None
    ) -> None:
        from slor_metric.language_models.ngram.training import encode_corpus

        self.settings = settings
        sizes: list[int] = []

        def lines() -> Iterator[str]:
            for file in _files(corpus):
                sizes.append(0)
                for line in read_lines(file):
                    if line.split():
                        sizes[-1] += 1
                        yield line

        if start is None:
            size = settings.vocab_size or (8000 if settings.tokenizer == "wordpiece" else 32000)
            encoded = encode_corpus(lines(), settings.tokenizer, size, progress=progress)
            ids, self.tokens = encoded.ids.astype(np.int32), list(encoded.tokens)
            if settings.tokenizer != "wordpiece":
                counts = np.bincount(ids, minlength=len(self.tokens))
                known = 3 + int((counts[3:] >= settings.min_count).sum())  # the vocabulary is in order of count
                ids[ids >= known] = UNK
                del self.tokens[known:]
        else:
            text = lines()
            blocks = iter(lambda: list(islice(text, _AT_ONCE)), [])
            ids = np.concatenate([np.zeros(0, np.int32), *map(start._encoder.encode, blocks)])
            self.tokens = start.tokens
        self.digest = hashlib.sha256(ids.tobytes()).hexdigest()
        self._ids, self._starts = ids, np.flatnonzero(ids == BOS)
        if len(self._starts) < 2:
            raise InputError(f"Expected a corpus of at least two usable lines, but got {len(self._starts)}")
        self.lengths: Integers = np.diff(self._starts, append=len(ids))
        held_out: list[Integers] = []
        train: list[Integers] = []
        first = 0
        for size in sizes:
            if size:
                of_file = parted(size, settings.validation, settings.seed)
                for kept, rows in zip((held_out, train), of_file, strict=True):
                    kept.append(rows + first)
            first += size
        self.held_out = [[self.sentence(i) for i in rows[:_VALIDATED]] for rows in held_out]
        self.train: Integers = np.sort(np.concatenate(train))
        is_train = np.zeros(len(self._starts), dtype=bool)
        is_train[self.train] = True
        self.counts: Integers = np.bincount(ids[np.repeat(is_train, self.lengths)], minlength=len(self.tokens))
        self.counts[[BOS, EOS]] = 0
        np.minimum(self.lengths, settings.max_length + 1, out=self.lengths)

    def sentence(self, i: int) -> Integers32:
        """Return the tokens of a sentence, as many as are read."""
        first = self._starts[i]
        return self._ids[first : first + min(self.lengths[i], self.settings.max_length + 1)]

    def batches(self, epoch: int) -> list[Integers]:
        """Return the sentences of each batch of an epoch, in an order by the seed, the epoch and the first model."""
        size = self.settings.batch_size
        rng = np.random.default_rng([self.settings.seed, 1, epoch, *self.settings.from_model.encode()])
        order = rng.permutation(self.train)
        batches = []
        for start in range(0, len(order), size * _POOL):
            pool = order[start : start + size * _POOL]
            pool = pool[np.argsort(self.lengths[pool], kind="stable")]
            parts = [pool[first : first + size] for first in range(0, len(pool), size)]
            batches += [parts[j] for j in rng.permutation(len(parts))]
        return batches


#: The held-out perplexity after each validation, one JSON object per line.
CURVE_FILE = "curve.jsonl"
#: Folder of the models of all validations, if they are kept.
SNAPSHOTS = "snapshots"
#: Most logits that one forward and backward pass holds: 512 MB in float32. Larger batches go in parts.
_MAX_LOGITS = 1 << 27


@with_parameters_of(Settings)
def train_lstm(
    corpus: Corpus,
    out: PathName,
    epochs: float = 10,
    patience: int = 2,
    start: PathName | None = None,
    snapshots: bool = False,
    checkpoint_seconds: float = 300.0,
    device: Any = None,
    resume: bool = True,
    progress: bool | None = None,
    **settings: Any,
) -> LSTMLanguageModel:
    """Train an LSTM language model as in the paper: two layers of 512 units, Adam, batches of 128 sentences.

    Each sentence is a sequence of its own, from `<s>` to `</s>`. A part of the corpus is held out; its perplexity is
    printed on stderr after each epoch (or `validate_every` batches), the weights with the lowest are kept in `out`, and
    training ends when it has not fallen for `patience` validations. A checkpoint in `out` holds weights, optimiser,
    random state and position: a run that was interrupted goes on from there, and a resumed run on the CPU gives
    the same weights, bit for bit, as one that was not interrupted. Perplexities are per token, `</s>` left out.

    Args:
        corpus: a path of UTF-8 text, one sentence per line (may be compressed), a list of paths, or lines.
        out: the folder to write.
        epochs: passes over the corpus, at most; the last may be a part of one.
        patience: validations without improvement after which training ends.
        start: a trained model with whose vocabulary, sizes and weights the run starts; None to begin anew.
        snapshots: keep the model of each validation.
        checkpoint_seconds: least time between checkpoints; there is one after each validation in any case.
        device: `"cpu"`, `"cuda"`, `"cuda:<n>"` or `"mps"`; None for CUDA if there is one, else the CPU.
        resume: go on from the checkpoint in `out` if there is one; False: start anew and replace it.
        progress: show progress bars and perplexities; None: bars on a terminal only; False: print nothing.
        settings: settings of the network and its training: see `Settings`.

    Returns:
        The model with the lowest validation perplexity.

    Raises:
        ImportError: without torch and safetensors (extra `networks`).
        InputError: for a corpus that cannot be read or has too few lines, a checkpoint of another corpus or of other
            settings, or a damaged one.
        TypeError, ValueError: for an option out of its range, or a device that is not available.
    """
    check_number(epochs, "epochs", 1e-6)
    check_whole(patience, "patience", 1)
    check_number(checkpoint_seconds, "checkpoint_seconds", 0)
    import_torch()
    model = None
    if start is not None:
        shape, weights, tokens, counts, settings["tokenizer"], _ = read_start(start)
        model = LSTMLanguageModel(shape, weights, tokens, counts, settings["tokenizer"])
        sizes = {"vocab_size": shape.vocabulary, **dataclasses.asdict(shape)}
        settings |= {name: size for name, size in sizes.items() if name != "vocabulary"} | {
            "from_model": model.signature
        }
    checked, where, folder = Settings(**settings), resolve_device(device), Path(out)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"Expected argument `out` to be a folder, but {folder} is a file")
    folder.mkdir(parents=True, exist_ok=True)
    run = _Run(TrainingData(corpus, checked, progress, model), folder, where, progress, epochs, snapshots, model)
    if resume and (folder / CHECKPOINT_FILE).exists():
        run.restore(folder / CHECKPOINT_FILE)
    run.train(patience, checkpoint_seconds)
    if progress is not False:
        place = run.position
        cost = f"{place.tokens:,} tokens read in {place.done:,} batches and {place.cpu_seconds:,.0f} CPU seconds"
        print(cost, file=sys.stderr)
    if not (folder / LSTM_FILE).exists():
        raise InputError(
            f"The checkpoint in {folder} is of a finished run, but its model is gone; use resume=False (--restart)"
        )
    return LSTMLanguageModel.load(folder)


def train_small(
    corpus: Corpus,
    out: PathName,
    *,
    start: PathName | None = None,
    vocab_size: int = 16_000,
    hidden: int = 768,
    width: int = 256,
    epochs: float = 1.25,
    batch_size: int = 128,
    lr: float = 2e-3,
    warm_up: int = 0,
    decay: float = 0.4,
    twins: int = 0,
    validation: float = 0.006,
    validate_every: int = 1000,
    seed: int = 0,
    bf16: bool = True,
    checkpoint_seconds: float = 180.0,
    **options: Any,
) -> SmallLanguageModel:
    """Train a small language model, or go on with it.

    One LSTM over WordPieces reads sentences; an adaptive softmax gives the probabilities (the most frequent eighth of
    the pieces, the next quarter, the rest). Torch trains it; the folder holds the checkpoint, after every validation a
    model as torch reads it, with the held-out perplexity in `curve.jsonl`, and at the end `small.safetensors`, the best
    of them in 8 bits. A run may be cut anywhere: the same call goes on, and on one CPU thread with the same weights,
    bit for bit. With more `epochs` a finished run goes on from the beginning of the fall of its step size.

    Args:
        corpus: a path of UTF-8 text, one sentence per line (may be compressed), a list of paths, or lines.
        out: the folder to write.
        start: a folder of `train_small`, or a `small.safetensors` such as the packaged one, with whose vocabulary,
            sizes and weights the run starts; None to begin anew.
        vocab_size: pieces that the model knows.
        hidden: units of the LSTM.
        width: width of the embeddings, and of the states that the output layer reads.
        epochs: passes over the corpus; the last may be a part of one.
        batch_size: sentences per batch.
        lr: Adam's step size, until it falls.
        warm_up: batches over which it rises first, for a run that starts from trained weights.
        decay: the share of the run at whose end the step size falls to 0.
        twins: number of sentences of a batch, at most, that are read beside the same with faults, to learn to tell them
            apart.
        validation: share of the sentences of each file held out.
        validate_every: batches between validations, which read at most 3,000 held-out sentences of a file.
        seed: seed of the first weights, the held-out sentences and the order of batches.
        bf16: multiply in bfloat16, four times as fast, on processors that have it; others multiply in float32.
        checkpoint_seconds: least time between checkpoints.
        options: `device`, `resume` and `progress`, as `train_lstm` has them.

    Returns:
        The model with the lowest perplexity of the sentences held out, in 8 bits.

    Raises:
        ImportError: without torch and safetensors (extra `networks`).
        InputError: for a corpus that cannot be read or has too few lines, a checkpoint of another corpus or of other
            settings, or a damaged one.
        TypeError, ValueError: for an option out of its range, or a device that is not available.
    """
    train_lstm(
        corpus,
        out,
        tokenizer="wordpiece",
        start=start,
        vocab_size=vocab_size,
        layers=1,
        hidden=hidden,
        embedding=width,
        projection=width,
        cutoffs=(vocab_size // 8, 3 * vocab_size // 8),
        epochs=epochs,
        patience=10**6,
        batch_size=batch_size,
        lr=lr,
        warm_up=warm_up,
        decay=decay,
        twins=twins,
        max_grad_norm=1.0,
        validation=validation,
        validate_every=validate_every,
        bf16=bf16,
        snapshots=True,
        checkpoint_seconds=checkpoint_seconds,
        seed=seed,
        **options,
    )
    shrink(Path(out) / LSTM_FILE, Path(out) / SMALL_FILE)
    return SmallLanguageModel.load(out)


class _Run(TrainingRun[Integers]):
    """A network on its corpus; a batch is the rows of its sentences."""

    def __init__(
        self,
        data: TrainingData,
        folder: Path,
        device: torch.device,
        progress: bool | None,
        epochs: float,
        snapshots: bool,
        start: LSTMLanguageModel | None,
    ) -> None:
        import torch

        from referenceless_papers.training.lstm_network import LSTMNetwork, torch_parameters

        settings = data.settings
        self.data, self.settings, self.snapshots = data, settings, snapshots
        torch.manual_seed(settings.seed)
        self.network: LSTMNetwork = LSTMNetwork(settings.shape(len(data.tokens))).to(device)
        if start is not None:
            self.network.load_state_dict(dict(torch_parameters(start.shape, start.weights)))
        self.twins = self._twins() if settings.twins else None
        super().__init__(
            dict(self.network.named_parameters()),
            max(1, round(epochs * len(data.batches(0)))),
            settings.lr,
            settings.decay,
            settings.max_grad_norm,
            settings.validate_every,
            folder,
            {"settings": dataclasses.asdict(settings), "corpus": data.digest},
            progress,
            settings.warm_up,
        )

    def batches(self, epoch: int) -> list[Integers]:
        """Return the rows of the sentences of each batch."""
        return self.data.batches(epoch)

    def _twins(self) -> Twins:
        """Return the maker of faults in the corpus's sentences."""
        from referenceless_papers.training.twins import Twins, words_of

        data, settings = self.data, self.settings
        weights = {name: np.zeros(0, np.float32) for name in self.network.shape.matrices}  # read by torch
        model = LSTMLanguageModel(self.network.shape, weights, data.tokens, data.counts, settings.tokenizer)
        counted = data.train[:: max(1, len(data.train) // _COUNTED)]
        return Twins(model, Counter(word for i in counted for word in words_of(data.sentence(i), data.tokens)))

    def losses(self, batch: Integers) -> Iterator[torch.Tensor]:
        """Yield the parts of a batch's loss: the mean in nats per token, and the loss of telling twins apart."""
        from referenceless_papers.training.twins import ranking

        self.network.train()
        rows = [self.data.sentence(i) for i in batch]
        total = sum(len(row) - 1 for row in rows)
        self.position.tokens += total
        if self.twins is not None:
            self.twins.damage.random.seed(self.position.done)
            spread = rows[:: max(1, len(rows) // self.settings.twins)]
            pairs = self.twins.faulty([row for row in spread if UNK not in row][: self.settings.twins])
            if len(pairs) > 1:
                good = [row for row, _ in pairs]
                logprobs, targets, real = self._read_rows([*good, *(row for _, row in pairs)], self.settings.bf16)
                scores = self.twins.scores(targets, real, logprobs)
                of_good = sum(len(row) - 1 for row in good)
                self.position.tokens += len(logprobs) - of_good
                paired = set(map(id, good))
                rows = [row for row in rows if id(row) not in paired]
                yield ranking(scores[: len(good)], scores[len(good) :]) - logprobs[:of_good].sum() / total
        for logprobs, _ in self._read(rows, self.settings.bf16):
            yield -logprobs.sum() / total

    def _read(self, rows: list[Integers32], bf16: bool = False) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Yield ln p of the tokens of some sentences at a time, and the tokens."""
        if not rows:
            return
        at_once = max(1, _MAX_LOGITS // (len(self.data.tokens) * max(map(len, rows))))
        for first in range(0, len(rows), at_once):
            logprobs, targets, real = self._read_rows(rows[first : first + at_once], bf16)
            yield logprobs, targets[real]

    def _read_rows(self, rows: list[Integers32], bf16: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return ln p of the tokens of sentences, one after the other, the tokens, and which of these are real."""
        import torch

        ids, real = padded(rows, EOS, self.device)
        targets, real = ids[:, 1:], real[:, 1:]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=bf16 and has_bfloat16(self.device)):
            logprobs = self.network.logprobs(self.network(ids[:, :-1])[real], targets[real])
        return logprobs, targets, real

    def validate(self, bar: Any) -> float:
        """Return the held-out perplexity, and write the model if it is the lowest so far."""
        place, data, size = self.position, self.data, self.settings.batch_size
        of_files = []
        with evaluating(self.network):
            for held_out in data.held_out:
                rows = sorted(held_out, key=len)
                read = (self._read(rows[first : first + size]) for first in range(0, len(rows), size))
                nats = [lp[tokens != EOS].double().cpu().numpy() for part in read for lp, tokens in part]
                of_files.append(np.concatenate(nats))
        perplexities = [float(np.exp(-nats.mean())) for nats in of_files]
        perplexity = float(np.exp(-np.concatenate(of_files).mean()))
        point = {"batches": place.done, "tokens": place.tokens, "perplexity": perplexity}
        cost = {"of_files": perplexities, "cpu_seconds": round(place.cpu_seconds)}
        assert self.folder is not None
        with (self.folder / CURVE_FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(point | cost) + "\n")
        note = {**point, "settings": self.facts["settings"]}
        if self.snapshots:
            self._save(self.folder / SNAPSHOTS / f"{place.done:07}", note)
        if perplexity < place.best:
            self._save(self.folder, note)
        if self.progress is not False:
            line = f"epoch {place.done / len(data.batches(0)):.2f}: validation perplexity {perplexity:.1f}"
            bar.write(f"{line} (best {min(perplexity, place.best):.1f})", file=sys.stderr)
        return perplexity

    def _save(self, folder: Path, note: Record) -> None:
        """Write the model to a folder, which is made if it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        parameters = {name: value.detach().cpu().numpy() for name, value in self.parameters.items()}
        vocabulary = self.data.tokens, self.data.counts, self.settings.tokenizer
        write_network(folder / LSTM_FILE, self.network.shape, parameters, *vocabulary, note)
