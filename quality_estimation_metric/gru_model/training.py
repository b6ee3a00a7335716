"""Training of a stack of recurrent estimators: several data sets and seeds side by side, each with its best pass kept.

Every pass ends with the estimates of the held-out texts, and the parameters of the pass with the lowest cost are kept
(Dušek, Novikova & Rieser 2017, Section 3.3; weights as in the authors' program):

    cost = −100 · Pearson − 100 · Spearman + 0.1 · mean absolute error + 0.1 · mean training loss
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from metric_commons.assessment.meta_evaluation import pearson, rank_correlation
from metric_commons.support.torch_training import TrainingRun
from metric_commons.support.validation import Floats, Floats32, Integers
from quality_estimation_metric.gru_model.inputs import Examples, GRUSettings
from quality_estimation_metric.gru_model.network import Parameters, forward, initial_parameters

_SORTED_TOGETHER = 16  # batches that are sorted by length together
_PREDICTED_TOGETHER = 500


@dataclass(frozen=True)
class Task:
    """What one network learns from.

    Attributes:
        examples: the rated texts, and after them the synthetic ones.
        n_real: how many of them are rated.
        dev: held-out rated texts, by which the pass is chosen.
        sizes: how many words and meaning symbols there are.
        seed: of the parameters and of the order.
    """

    examples: Examples
    n_real: int
    dev: Examples
    sizes: tuple[int, int]
    seed: int


def train_stack(tasks: Sequence[Task], settings: GRUSettings, *, device: str = "cpu") -> tuple[Parameters, Integers]:
    """Train one network a task, all at once.

    Args:
        tasks: what each learns from. Without synthetic texts in any of them, all passes are over rated texts.
        settings: sizes and training; all networks share them.
        device: `cpu` or `cuda`.

    Returns:
        Each network's parameters of its best pass, on the device, and the number of that pass.
    """
    run = _StackRun(tasks, settings, device)
    run.train()
    return run.best, run.best_pass


def selection_cost(estimates: Floats, ratings: Floats, loss: float) -> float:
    """Return the cost by which a pass is chosen; estimates that are all alike correlate at 0.

    >>> round(selection_cost(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0]), 0.5), 3)
    -198.115
    """
    clipped = np.clip(estimates, 1.0, 6.0)
    linear = rank = 0.0
    if np.ptp(clipped) > 0 and np.ptp(ratings) > 0:
        linear, rank = pearson(clipped, ratings), rank_correlation(clipped, ratings)
    return -100 * linear - 100 * rank + 0.1 * float(np.mean(np.abs(clipped - ratings))) + 0.1 * loss


def predict_stack(parameters: Parameters, settings: GRUSettings, examples: Sequence[Examples]) -> list[Floats]:
    """Return each network's estimates of its own texts, not clipped.

    Args:
        parameters: of M networks.
        settings: their sizes.
        examples: M sets of texts, of any lengths.
    """
    device = parameters["output"].device
    longest = max(len(each) for each in examples)
    order = [np.argsort(each.lengths, kind="stable") for each in examples]
    out = [np.empty(len(each)) for each in examples]
    with torch.no_grad():
        for begin in range(0, longest, _PREDICTED_TOGETHER):
            chosen = [rows[begin : begin + _PREDICTED_TOGETHER] for rows in order]
            width = max(len(rows) for rows in chosen)
            inputs = []
            for kind in ("words", "meanings"):
                filled = np.zeros((len(examples), width, getattr(examples[0], kind).shape[1]), dtype=np.int64)
                for place, rows in enumerate(chosen):
                    filled[place, : len(rows)] = getattr(examples[place], kind)[rows]
                inputs.append(_read(torch.as_tensor(filled, device=device), settings))
            values = forward(parameters, settings, *inputs).cpu().numpy()
            for place, rows in enumerate(chosen):
                out[place][rows] = values[place, : len(rows)]
    return out


class _StackRun(TrainingRun[tuple[Integers, Floats32]]):
    """A stack on its tasks; a batch is the rows of each network's texts and their weights, (M, B)."""

    def __init__(self, tasks: Sequence[Task], settings: GRUSettings, device: str) -> None:
        self._tasks, self._settings = tasks, settings
        means = [float(np.mean(task.examples.ratings[: task.n_real])) for task in tasks]
        sizes = np.max([task.sizes for task in tasks], axis=0).tolist()
        starts = means if settings.mean_start else [0.0] * len(tasks)
        drawn = initial_parameters(settings, sizes, starts, [task.seed for task in tasks])
        parameters = {name: value.to(device).requires_grad_() for name, value in drawn.items()}
        synthetic = any(len(task.examples) > task.n_real for task in tasks)
        self._synthetic = settings.synthetic_passes if synthetic else 0
        super().__init__(
            parameters, sum(self._length(epoch)[1] for epoch in range(settings.passes)), settings.learning_rate
        )
        self.best = {name: value.detach().clone() for name, value in parameters.items()}
        self.best_pass = np.zeros(len(tasks), dtype=np.int64)
        self._lowest = np.full(len(tasks), np.inf)
        # Tasks that share their examples (seeds of one fold) share them here too.
        distinct = {id(task.examples): task.examples for task in tasks}
        first = dict(zip(distinct, np.cumsum([0, *map(len, distinct.values())]).tolist(), strict=False))
        self._first = [first[id(task.examples)] for task in tasks]
        every = list(distinct.values())
        self._lengths = np.concatenate([each.lengths for each in every])
        self._words = torch.as_tensor(np.concatenate([each.words for each in every]), device=device)
        ratings = np.concatenate([each.ratings for each in every])
        self._ratings = torch.as_tensor(ratings, dtype=torch.float32, device=device)
        self._meaning = np.unique(np.concatenate([each.meanings for each in every]), axis=0, return_inverse=True)
        self._orders = [np.random.default_rng([task.seed, 1]) for task in tasks]
        self._rng = np.random.default_rng([tasks[0].seed, 3])
        self._generator = torch.Generator(device).manual_seed(tasks[0].seed)

    def _length(self, epoch: int) -> tuple[list[int], int, int]:
        """Return how many texts each network sees in a pass, in how many steps, and how many a step at most."""
        synthetic, settings = epoch < self._synthetic, self._settings
        counts = [len(task.examples) if synthetic else task.n_real for task in self._tasks]
        size = settings.synthetic_batch_size if synthetic else settings.batch_size
        return counts, max(1, -(-max(counts) // size)), size

    def batches(self, epoch: int) -> list[tuple[Integers, Floats32]]:
        """Return the batches of a pass, with weights that are 0 where a batch is filled up."""
        counts, steps, size = self._length(epoch)
        self._loss = torch.zeros(len(counts), device=self.device)
        rows = np.zeros((steps, len(counts), size), dtype=np.int64)
        weights = np.zeros((steps, len(counts), size), dtype=np.float32)
        for place, (count, rng) in enumerate(zip(counts, self._orders, strict=True)):
            order = rng.permutation(count) + self._first[place]
            if self._settings.padding == "skip":
                parts = np.array_split(order, max(1, round(steps / _SORTED_TOGETHER)))
                order = np.concatenate([part[np.argsort(self._lengths[part], kind="stable")] for part in parts])
            for step, part in enumerate(np.array_split(order, steps)):
                rows[step, place, : len(part)] = part
                rows[step, place, len(part) :] = part[0] if len(part) else order[0]
                weights[step, place, : len(part)] = 1.0 / max(1, len(part))
        if self._settings.padding == "skip":  # lengths are alike within a step, so steps are what is shuffled
            shuffled = self._orders[0].permutation(steps)
            rows, weights = rows[shuffled], weights[shuffled]
        return list(zip(rows, weights, strict=True))

    def losses(self, batch: tuple[Integers, Floats32]) -> Iterator[Tensor]:
        """Yield the sum of the networks' mean losses."""
        rows, weights = batch
        texts = torch.as_tensor(rows, device=self.device)
        distinct, places = _distinct(self._meaning[1].reshape(-1)[rows])
        meanings = torch.as_tensor(self._meaning[0][distinct], device=self.device).long()
        estimates = forward(
            self.parameters,
            self._settings,
            _read(self._words[texts], self._settings),
            _read(meanings, self._settings),
            torch.as_tensor(places, device=self.device),
            drop=self._drop if self._settings.dropout else None,
        )
        squares = (estimates - self._ratings[texts]) ** 2
        losses = (squares * torch.as_tensor(weights, device=self.device)).sum(dim=1)
        self._loss += losses.detach()
        yield losses.sum()

    def validate(self, bar: Any) -> float:
        """Return the lowest cost of a network, and keep the parameters of those whose cost is their lowest so far."""
        held_out = [task.dev for task in self._tasks]
        loss = (self._loss / self._length(self.position.epoch - 1)[1]).cpu().numpy().astype(float)
        estimates = predict_stack(self.parameters, self._settings, held_out)
        cost = np.array(list(map(selection_cost, estimates, [dev.ratings for dev in held_out], loss.tolist())))
        improved = np.isnan(cost) | (cost < self._lowest)
        self._lowest = np.where(improved, cost, self._lowest)
        self.best_pass[improved] = self.position.epoch
        chosen = torch.as_tensor(improved, device=self.device)
        with torch.no_grad():
            for name, value in self.parameters.items():
                self.best[name] = torch.where(chosen.view(-1, *[1] * (value.ndim - 1)), value, self.best[name])
        return float(cost.min())

    def _drop(self, inputs: Tensor) -> Tensor:
        """Set a share of the elements to 0 and raise the others, so that the expectation stays."""
        keep = 1 - self._settings.dropout
        if inputs.device.type != "cpu":
            mask = torch.empty_like(inputs).bernoulli_(keep, generator=self._generator)
            return inputs * mask.div_(keep)
        # A byte an element is three times as fast as torch's own draw, and needs no global generator.
        draws = np.frombuffer(self._rng.bytes(inputs.numel()), dtype=np.uint8)
        kept = draws < round(keep * 256)
        return inputs * torch.from_numpy(np.multiply(kept, np.float32(1 / keep), dtype=np.float32)).view_as(inputs)


def _distinct(numbers: Integers) -> tuple[Integers, Integers]:
    """Return the distinct numbers of each row, filled up with the first, and where each number is among them."""
    found = [np.unique(row, return_inverse=True) for row in numbers]
    width = max(len(values) for values, _ in found)
    distinct = np.stack([np.concatenate((values, np.repeat(values[:1], width - len(values)))) for values, _ in found])
    return distinct, np.stack([inverse for _, inverse in found])


def _read(symbols: Tensor, settings: GRUSettings) -> Tensor:
    """Return what the network reads of symbols: without the columns of padding alone, where it skips padding."""
    if settings.padding == "read":
        return symbols
    used = torch.nonzero(symbols.amax(dim=(0, 1)))  # padding comes first
    return symbols[..., int(used[0]) :] if len(used) else symbols[..., :0]
