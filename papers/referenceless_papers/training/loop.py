"""One training loop for every model that torch trains; a run that was cut goes on from its checkpoint, bit for bit."""

from __future__ import annotations

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.computing import progress_bar
from referenceless_metrics.core.support.validation import InputError

if TYPE_CHECKING:
    from torch import Tensor

Batch = TypeVar("Batch")

CHECKPOINT_FILE = "checkpoint.safetensors"
#: The run as it was when its step size began to fall: a longer run goes on from here.
PLATEAU_FILE = "plateau.safetensors"


@dataclass
class Position:
    """Progress of a run.

    Attributes:
        epoch: epochs completed.
        batch: batches completed in the current one.
        best: the lowest validation score so far; infinite before the first.
        worse: validations since that one.
        tokens: tokens read so far, if the model counts them.
        done: batches completed in all epochs.
        cpu_seconds: processor time that training has taken, in all its parts.
    """

    epoch: int = 0
    batch: int = 0
    best: float = math.inf
    worse: int = 0
    tokens: int = 0
    done: int = 0
    cpu_seconds: float = 0.0


@dataclass
class TrainingRun(ABC, Generic[Batch]):
    """One run: parameters that Adam trains on batches, epoch after epoch. A model brings batches, losses, validation.

    Attributes:
        parameters: the trained parameters, by name, on their device.
        steps: number of batches over all epochs.
        lr: Adam's step size.
        decay: the share of the run at whose end the step size falls to 0, in equal steps.
        max_grad_norm: longer gradients are shortened to this norm; None: they are not.
        validate_every: batches between validations; None: an epoch.
        folder: folder of the checkpoints; None for none.
        facts: facts that a checkpoint must share for a run to go on from it: `settings`, by name, and a hash of the
            `corpus`.
        progress: show a progress bar; None: only on a terminal.
        warm_up: batches over which the step size rises first.
    """

    parameters: Mapping[str, Tensor]
    steps: int
    lr: float
    decay: float = 0.0
    max_grad_norm: float | None = None
    validate_every: int | None = None
    folder: Path | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    progress: bool | None = False
    warm_up: int = 0

    def __post_init__(self) -> None:
        import torch

        self.optimiser = torch.optim.Adam(self.parameters.values(), lr=self.lr, fused=True)
        self.device: Any = next(iter(self.parameters.values())).device
        self.position = Position()
        self.falls_from = self.steps - max(1, round(self.decay * self.steps)) if self.decay else self.steps

    @abstractmethod
    def batches(self, epoch: int) -> Sequence[Batch]:
        """Return the batches of an epoch, from 0."""

    @abstractmethod
    def losses(self, batch: Batch) -> Iterable[Tensor]:
        """Yield the losses of a batch's parts, whose sum a step makes smaller."""

    @abstractmethod
    def validate(self, bar: Any) -> float:
        """Return the loss on held-out data, and keep the parameters if they are the best so far."""

    def train(self, patience: float = math.inf, checkpoint_seconds: float = math.inf) -> None:
        """Train until all batches are done or no validation was the best for `patience` ones.

        Args:
            patience: validations.
            checkpoint_seconds: least time between checkpoints; there is one after each validation in any case.
        """
        place, batches, saved = self.position, self.batches(self.position.epoch), time.monotonic()
        clock = time.process_time()
        with progress_bar(self.steps, "training", self.progress, unit=" batches") as bar:
            bar.update(place.done)
            while place.done < self.steps and place.worse < patience:
                if place.done == self.falls_from:
                    self._checkpoint(PLATEAU_FILE)
                left = (self.steps - place.done) / (self.steps - self.falls_from) if self.decay else 1.0
                for group in self.optimiser.param_groups:
                    group["lr"] = self.lr * min(1.0, left, (place.done + 1) / max(self.warm_up, 1))
                loss = self._step(batches[place.batch])
                bar.update()
                place.done, place.batch = place.done + 1, place.batch + 1
                ended = place.batch == len(batches)
                if ended:
                    place.epoch, place.batch = place.epoch + 1, 0
                due = ended if self.validate_every is None else place.done % self.validate_every == 0
                place.cpu_seconds, clock = place.cpu_seconds + time.process_time() - clock, time.process_time()
                if due or place.done == self.steps:
                    score = self.validate(bar)
                    place.best, place.worse = (score, 0) if score < place.best else (place.best, place.worse + 1)
                    bar.set_postfix(loss=f"{float(loss.sum()):.3f}", best=f"{place.best:.1f}")
                if due or place.done == self.steps or time.monotonic() - saved >= checkpoint_seconds:
                    self._checkpoint(CHECKPOINT_FILE)
                    saved = time.monotonic()
                if ended and place.done < self.steps:
                    batches = self.batches(place.epoch)

    def _step(self, batch: Batch) -> Tensor:
        """Take one step of Adam on the losses of a batch; return their sum."""
        import torch

        self.optimiser.zero_grad(set_to_none=True)
        total = torch.zeros((), device=self.device)
        for loss in self.losses(batch):
            loss.backward()
            total = total + loss.detach()
        if self.max_grad_norm is not None:
            torch.nn.utils.clip_grad_norm_(self.parameters.values(), self.max_grad_norm)
        self.optimiser.step()
        return total

    def _checkpoint(self, file_name: str) -> None:
        """Write everything that a later run needs to go on, atomically."""
        if self.folder is None:
            return
        import torch
        from safetensors.torch import save

        tensors = {}
        for name, parameter in self.parameters.items():
            tensors[f"network.{name}"] = parameter
            for key, value in self.optimiser.state[parameter].items():
                tensors[f"adam.{key}.{name}"] = torch.as_tensor(value)
        tensors["random.cpu"] = torch.get_rng_state()
        if self.device.type == "cuda":
            tensors["random.cuda"] = torch.cuda.get_rng_state(self.device)
        position = {**asdict(self.position), "best": repr(self.position.best)}
        state = {**self.facts, "decay_from": self.falls_from, "position": position}
        content = save({k: v.detach().cpu().contiguous() for k, v in tensors.items()}, {"state": json.dumps(state)})
        with atomic_write(self.folder / file_name) as file:
            file.write(content)

    def restore(self, path: Path) -> None:
        """Go on from a checkpoint, or from that of before the step size fell if it began to fall too early.

        Raises:
            InputError: for a damaged checkpoint, or one of another corpus or of other settings.
        """
        import torch
        from safetensors import SafetensorError, safe_open

        advice = "give the same ones, another folder, or resume=False (--restart) to start anew"
        try:
            with safe_open(path, framework="pt") as file:
                state = json.loads((file.metadata() or {})["state"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  # no mapping
            mine, theirs = json.loads(json.dumps(self.facts["settings"])), state["settings"]
            other = [name for name in mine if theirs.get(name) != mine[name]]
            if other:
                shown = ", ".join(f"{name}={theirs.get(name)!r}" for name in other)
                raise InputError(f"{path} is of a run with {shown}: {advice}")
            if state["corpus"] != self.facts["corpus"]:
                raise InputError(f"{path} is of a run on another corpus: {advice}")
            place = state["position"]
            if (
                self.decay
                and path.name == CHECKPOINT_FILE
                and state["decay_from"] < min(place["done"], self.falls_from)
            ):
                return self.restore(path.with_name(PLATEAU_FILE))
            self.position = Position(**{**place, "best": float(place["best"])})
            for name, parameter in self.parameters.items():
                parameter.data.copy_(tensors[f"network.{name}"])
                if self.position.done:  # before its first step, Adam knows nothing
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
