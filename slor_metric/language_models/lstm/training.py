"""Training an LSTM language model: a corpus in, a folder with the model and a checkpoint out."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.archive import pack_strings, write_archive
from metric_commons.files.atomic import atomic_write
from metric_commons.support.errors import InputError
from metric_commons.support.installation import import_extra
from metric_commons.support.progress import progress_bar
from metric_commons.support.validation import check_number
from slor_metric.language_models.corpus import Corpus
from slor_metric.language_models.hf.torch_support import evaluating, padded, resolve_device
from slor_metric.language_models.lstm.data import TOKENIZERS, Settings, TrainingData
from slor_metric.language_models.lstm.model import LSTMLanguageModel
from slor_metric.language_models.lstm.storage import LSTM_FILE, SCHEMA, NetworkShape
from slor_metric.tokenizers.words import EOS

if TYPE_CHECKING:
    import torch

    from slor_metric.language_models.lstm.network import LSTMNetwork

CHECKPOINT_FILE = "checkpoint.safetensors"
#: The run as it was when its step size began to fall: a longer run goes on from here.
PLATEAU_FILE = "plateau.safetensors"
#: The held-out perplexity after each validation, a JSON object a line.
CURVE_FILE = "curve.jsonl"
#: The models of all validations, where they are kept.
SNAPSHOTS = "snapshots"
#: What one forward and backward pass holds of logits at most: 512 MB in float32. Larger batches go in parts.
_MAX_LOGITS = 1 << 27
_VERSION = 1
#: Settings that checkpoints of earlier releases do not name.
_LATER_SETTINGS = {"projection": 0, "cutoffs": [], "bf16": False, "decay": 0.0}


@dataclass
class Position:
    """How far a run has come.

    Attributes:
        epoch: epochs completed.
        batch: batches completed in the current one.
        best: the lowest validation perplexity so far; infinite before the first.
        worse: validations since that one.
        tokens: tokens read so far, `</s>` among them.
    """

    epoch: int = 0
    batch: int = 0
    best: float = math.inf
    worse: int = 0
    tokens: int = 0


def train_lstm(
    corpus: Corpus,
    out: str | os.PathLike[str],
    *,
    tokenizer: Annotated[str, TOKENIZERS] = "words",
    vocab_size: int | None = None,
    min_count: int = 2,
    layers: int = 2,
    hidden: int = 512,
    embedding: int = 512,
    dropout: float = 0.0,
    batch_size: int = 128,
    lr: float = 1e-3,
    max_grad_norm: float = 5.0,
    epochs: float = 10,
    patience: int = 2,
    max_length: int = 100,
    validation: float = 0.01,
    validate_every: int | None = None,
    projection: int = 0,
    cutoffs: tuple[int, ...] = (),
    bf16: bool = False,
    decay: float = 0.0,
    snapshots: bool = False,
    checkpoint_seconds: float = 300.0,
    seed: int = 0,
    device: Any = None,
    resume: bool = True,
    progress: bool | None = None,
) -> LSTMLanguageModel:
    """Train an LSTM language model as in the paper: two layers of 512 units, Adam, batches of 128 sentences.

    Each sentence is a sequence of its own, from `<s>` to `</s>`. A part of the corpus is held out; its perplexity is
    printed on stderr after each epoch (or `validate_every` batches), the weights with the lowest are kept in `out`, and
    training ends when it has not fallen for `patience` validations. A checkpoint in `out` holds weights, optimiser,
    random state and position: a run that was interrupted goes on from there, and a resumed run on the CPU gives
    the same weights, bit for bit, as one that was not interrupted. Perplexities are per token, `</s>` left out.

    Args:
        corpus: a path of UTF-8 text, one sentence a line (may be compressed), or lines.
        out: the folder to write.
        tokenizer: how text is cut into tokens: `"words"` (or `"word"`), `"wordpiece"` (a vocabulary trained on the
            corpus) or `"whitespace"`.
        vocab_size: tokens that the model knows, the most frequent; by default 32,000 words or 8,000 WordPieces.
        min_count: rarer words are `<unk>`, which would have no training data otherwise; of no effect on WordPieces.
        layers: LSTM layers.
        hidden: units a layer.
        embedding: width of the token embeddings.
        dropout: share of values dropped in training.
        batch_size: sentences a batch.
        lr: Adam's step size.
        max_grad_norm: longer gradients are shortened to this norm.
        epochs: passes over the corpus, at most; the last may be a part of one.
        patience: validations without improvement after which training ends.
        max_length: tokens of a sentence that are trained on; the rest of a longer one is dropped.
        validation: share of the sentences held out, at least one.
        validate_every: batches between validations; by default an epoch.
        projection: width to which the last layer's states are brought before the output layer; 0: they are not.
        cutoffs: numbers of frequent tokens at which the output layer is cut (adaptive softmax); none: it is not.
        bf16: multiply in bfloat16: faster on processors that have it. Weights and sums stay in float32.
        decay: the share of the run at whose end the step size falls to 0, in equal steps. A longer run, of more
            `epochs`, goes on from where it began to fall.
        snapshots: keep the model of each validation.
        checkpoint_seconds: least time between checkpoints; there is one after each validation in any case.
        seed: for the first weights, the held-out sentences, the order of batches, and dropout.
        device: `"cpu"`, `"cuda"`, `"cuda:<n>"` or `"mps"`; None for CUDA where there is one, else the CPU.
        resume: go on from the checkpoint in `out` where there is one; False: start anew and replace it.
        progress: show progress bars and perplexities; None: bars on a terminal only; False: print nothing.

    Returns:
        The model with the lowest validation perplexity.

    Raises:
        ImportError: without torch and safetensors (extra `lstm`).
        InputError: for a corpus that cannot be read or has too few lines, a checkpoint of another corpus or of other
            settings, or a damaged one.
        TypeError, ValueError: for an option out of its range, or a device that is not available.
    """
    tokenizer = "words" if tokenizer == "word" else tokenizer
    check_number(epochs, "epochs", minimum=1e-6)
    check_number(patience, "patience", minimum=1, integer=True)
    check_number(checkpoint_seconds, "checkpoint_seconds", minimum=0)
    import_extra("torch", "lstm", "This language model")
    import_extra("safetensors", "lstm", "This language model")
    settings = Settings(
        tokenizer=tokenizer,
        vocab_size=vocab_size,
        min_count=min_count,
        layers=layers,
        hidden=hidden,
        embedding=embedding,
        dropout=dropout,
        batch_size=batch_size,
        lr=lr,
        max_grad_norm=max_grad_norm,
        max_length=max_length,
        validation=validation,
        validate_every=validate_every,
        seed=seed,
        projection=projection,
        cutoffs=tuple(cutoffs),
        bf16=bf16,
        decay=decay,
    )
    where = resolve_device(device)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"Expected argument `out` to be a folder, but {folder} is a file")
    folder.mkdir(parents=True, exist_ok=True)
    data = TrainingData(corpus, settings, progress)
    run = _Run(data, settings, folder, where, progress, epochs, snapshots)
    if resume and (folder / CHECKPOINT_FILE).exists():
        run.restore()
    run.train(patience, checkpoint_seconds)
    return LSTMLanguageModel.load(folder)


class _Run:
    """The state of one training run: network, optimiser, position."""

    def __init__(
        self,
        data: TrainingData,
        settings: Settings,
        folder: Path,
        device: torch.device,
        progress: bool | None,
        epochs: float,
        snapshots: bool,
    ) -> None:
        import torch

        from slor_metric.language_models.lstm.network import LSTMNetwork

        self.data, self.settings, self.folder, self.device, self.progress = data, settings, folder, device, progress
        self.snapshots = snapshots
        self.batches = max(1, round(epochs * data.batches_an_epoch))
        torch.manual_seed(settings.seed)
        shape = NetworkShape(
            len(data.tokens),
            settings.layers,
            settings.hidden,
            settings.embedding,
            settings.dropout,
            settings.projection,
            tuple(cutoff for cutoff in settings.cutoffs if cutoff < len(data.tokens)),
        )
        self.network: LSTMNetwork = LSTMNetwork(shape).to(device)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=settings.lr, fused=True)
        self.position = Position()

    @property
    def _decay_from(self) -> int:
        """The number of batches after which the step size begins to fall."""
        return self.batches - max(1, round(self.settings.decay * self.batches))

    def train(self, patience: int, checkpoint_seconds: float) -> None:
        """Train until all batches are done or the perplexity has not fallen for `patience` validations."""
        place = self.position
        total = self.data.batches_an_epoch
        every = self.settings.validate_every or total
        done = place.epoch * total + place.batch
        saved = time.monotonic()
        with progress_bar(self.batches, "training", self.progress, unit=" batches") as bar:
            bar.update(done)
            while done < self.batches and place.worse < patience:
                for number, rows in enumerate(self.data.batches(place.epoch)):
                    if number < place.batch:  # done before the checkpoint
                        continue
                    if done == self._decay_from and self.settings.decay:
                        self.checkpoint(PLATEAU_FILE)
                    self._set_step_size(done)
                    loss = self._step(rows)
                    place.batch += 1
                    place.tokens += sum(len(row) - 1 for row in rows)
                    bar.update()
                    done += 1
                    last = place.batch == total
                    if last:
                        place.epoch, place.batch = place.epoch + 1, 0
                    if done % every == 0 or done == self.batches:
                        self._validate(done, bar)
                        self.checkpoint()
                        saved = time.monotonic()
                        bar.set_postfix(loss=f"{loss:.3f}", best=f"{place.best:.1f}")
                    elif time.monotonic() - saved >= checkpoint_seconds:
                        self.checkpoint()
                        saved = time.monotonic()
                    if last or done == self.batches or place.worse >= patience:
                        break
        if not (self.folder / LSTM_FILE).exists():
            raise InputError(
                f"The checkpoint in {self.folder} is of a finished run, but its model is gone; "
                "use resume=False (--restart)"
            )

    def _set_step_size(self, done: int) -> None:
        left = (self.batches - done) / (self.batches - self._decay_from) if self.settings.decay else 1.0
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.lr * min(1.0, left)

    def _step(self, rows: list[NDArray[np.int32]]) -> float:
        """Take one step of Adam on the mean loss of a batch; return it in nats a token."""
        import torch

        self.network.train()
        self.optimiser.zero_grad(set_to_none=True)
        total = sum(len(row) - 1 for row in rows)
        loss_sum = 0.0
        for logprobs, _ in self._read(rows, bf16=self.settings.bf16):
            loss = -logprobs.sum() / total
            loss.backward()
            loss_sum += float(loss.detach())
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.settings.max_grad_norm)
        self.optimiser.step()
        return loss_sum

    def _read(
        self, rows: list[NDArray[np.int32]], *, bf16: bool = False
    ) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        """Yield ln p of the tokens of some sentences at a time, and the tokens."""
        import torch

        at_once = max(1, _MAX_LOGITS // (len(self.data.tokens) * max(map(len, rows))))
        for first in range(0, len(rows), at_once):
            ids, real = padded(rows[first : first + at_once], EOS, self.device)
            targets = ids[:, 1:][real[:, 1:]]
            with torch.autocast(self.device.type, torch.bfloat16, enabled=bf16):
                logprobs = self.network.logprobs(self.network(ids[:, :-1])[real[:, 1:]], targets)
            yield logprobs, targets

    def _validate(self, done: int, bar: Any) -> None:
        """Measure the held-out perplexity, and keep the model where it is the lowest so far."""
        place, data = self.position, self.data
        rows = sorted(data.held_out, key=len)
        found = []
        with evaluating(self.network):
            for first in range(0, len(rows), self.settings.batch_size):
                for logprobs, targets in self._read(rows[first : first + self.settings.batch_size]):
                    found.append(logprobs[targets != EOS].double().cpu().numpy())
        perplexity = float(np.exp(-np.concatenate(found).mean()))
        point = {"batches": done, "tokens": place.tokens, "perplexity": perplexity}
        with (self.folder / CURVE_FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(point) + "\n")
        note = {**point, "settings": self._settings(), "unigram_perplexity": data.unigram_perplexity()}
        if self.snapshots:
            self._save(self.folder / SNAPSHOTS / f"{done:07}", note)
        if perplexity < place.best:
            place.best, place.worse = perplexity, 0
            self._save(self.folder, note)
        else:
            place.worse += 1
        if self.progress is not False:
            epoch = done / data.batches_an_epoch
            line = f"epoch {epoch:.2f}: validation perplexity {perplexity:.1f} (best {place.best:.1f}"
            bar.write(f"{line}; unigram model {data.unigram_perplexity():.1f})", file=sys.stderr)

    def _save(self, folder: Path, note: dict[str, Any]) -> None:
        """Write the model to a folder, which is made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        shape, data = dataclasses.asdict(self.network.shape), self.data
        header = {"shape": shape, "tokenizer": self.settings.tokenizer, "oov": "unk", "training": note}
        arrays: dict[str, NDArray[Any]] = {"tokens": pack_strings(data.tokens), "counts": data.counts}
        arrays |= {name: value.detach().cpu().numpy() for name, value in self.network.state_dict().items()}
        write_archive(folder / LSTM_FILE, SCHEMA, header, arrays, compress=False)

    def _settings(self) -> dict[str, Any]:
        """Return the settings as JSON gives them back."""
        found: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self.settings)))
        return found

    def checkpoint(self, file_name: str = CHECKPOINT_FILE) -> None:
        """Write everything that a later run needs to go on, atomically."""
        import torch
        from safetensors.torch import save

        tensors = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        for name, parameter in self.network.named_parameters():
            for key, value in self.optimiser.state[parameter].items():
                tensors[f"adam.{key}.{name}"] = torch.as_tensor(value)
        tensors["random.cpu"] = torch.get_rng_state()
        if self.device.type == "cuda":
            tensors["random.cuda"] = torch.cuda.get_rng_state(self.device)
        state = {
            "version": _VERSION,
            "settings": self._settings(),
            "corpus": self.data.digest,
            "decay_from": self._decay_from,
            "position": {**dataclasses.asdict(self.position), "best": repr(self.position.best)},
        }
        content = save({k: v.detach().cpu().contiguous() for k, v in tensors.items()}, {"state": json.dumps(state)})
        with atomic_write(self.folder / file_name) as file:
            file.write(content)

    def restore(self, file_name: str = CHECKPOINT_FILE) -> None:
        """Read the checkpoint; that of before the step size fell, where it began to fall earlier than it now shall.

        Raises:
            InputError: for a damaged checkpoint, or one of another corpus or of other settings.
        """
        import torch
        from safetensors import SafetensorError, safe_open

        path = self.folder / file_name
        advice = "give the same ones, another folder, or resume=False (--restart) to start anew"
        try:
            with safe_open(path, framework="pt") as file:
                state = json.loads((file.metadata() or {})["state"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no mapping
            version = state["version"]
            if not isinstance(version, int) or version > _VERSION:
                raise InputError(f"{path} has version {version}, and this release reads up to {_VERSION}")
            mine, theirs = self._settings(), {**_LATER_SETTINGS, **state["settings"]}
            other = [name for name in mine if theirs.get(name) != mine[name]]
            if other:
                shown = ", ".join(f"{name}={theirs.get(name)!r}" for name in other)
                raise InputError(f"{path} is of a run with {shown}: {advice}")
            if state["corpus"] != self.data.digest:
                raise InputError(f"{path} is of a run on another corpus: {advice}")
            place = state["position"]
            self.position = Position(**{**place, "best": float(place["best"])})
            done = self.position.epoch * self.data.batches_an_epoch + self.position.batch
            if (
                file_name == CHECKPOINT_FILE
                and self.settings.decay
                and state["decay_from"] < min(done, self._decay_from)
            ):
                return self.restore(PLATEAU_FILE)
            self.network.load_state_dict({k[8:]: v for k, v in tensors.items() if k.startswith("network.")})
            for name, parameter in self.network.named_parameters():
                moments = {key: tensors[f"adam.{key}.{name}"].to(self.device) for key in ("exp_avg", "exp_avg_sq")}
                self.optimiser.state[parameter] = {"step": tensors[f"adam.step.{name}"], **moments}
            torch.set_rng_state(tensors["random.cpu"])
            if self.device.type == "cuda" and "random.cuda" in tensors:
                torch.cuda.set_rng_state(tensors["random.cuda"], self.device)
        except (SafetensorError, KeyError, TypeError, RuntimeError, json.JSONDecodeError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise InputError(
                f"{path} is truncated, damaged or no checkpoint ({reason}); use resume=False (--restart)"
            ) from None
