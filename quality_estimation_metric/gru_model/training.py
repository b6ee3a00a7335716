"""Training of a stack of recurrent estimators: several data sets and seeds side by side, each with its best pass kept.

Every pass ends with the estimates of the held-out texts, and the parameters of the pass with the lowest cost are kept
(Dušek, Novikova & Rieser 2017, Section 3.3; weights as in the authors' program):

    cost = −100 · Pearson − 100 · Spearman + 0.1 · mean absolute error + 0.1 · mean training loss
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from metric_commons.assessment.meta_evaluation import pearson, rank_correlation
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


def train_stack(
    tasks: Sequence[Task], settings: GRUSettings, *, device: str = "cpu"
) -> tuple[Parameters, NDArray[np.int64]]:
    """Train one network a task, all at once.

    Args:
        tasks: what each learns from. Without synthetic texts in any of them, all passes are over rated texts.
        settings: sizes and training; all networks share them.
        device: `cpu` or `cuda`.

    Returns:
        Each network's parameters of its best pass, on the device, and the number of that pass.
    """
    starts = [float(np.mean(task.examples.ratings[: task.n_real])) if settings.mean_start else 0.0 for task in tasks]
    sizes = [max(task.sizes[place] for task in tasks) for place in (0, 1)]
    drawn = initial_parameters(settings, sizes, starts, [task.seed for task in tasks])
    parameters = {name: value.to(device).requires_grad_() for name, value in drawn.items()}
    best = {name: value.detach().clone() for name, value in parameters.items()}
    trainer = _Trainer(tasks, settings, parameters, device)
    synthetic = settings.synthetic_passes if any(len(task.examples) > task.n_real for task in tasks) else 0
    lowest = np.full(len(tasks), np.inf)
    best_pass = np.zeros(len(tasks), dtype=np.int64)
    orders = [np.random.default_rng([task.seed, 1]) for task in tasks]
    held_out = [task.dev for task in tasks]
    for number in range(1, settings.passes + 1):
        loss = trainer.run_pass(orders, with_synthetic=number <= synthetic)
        estimates = predict_stack(parameters, settings, held_out)
        cost = np.array(list(map(selection_cost, estimates, [dev.ratings for dev in held_out], loss.tolist())))
        improved = np.isnan(cost) | (cost < lowest)
        lowest = np.where(improved, cost, lowest)
        best_pass[improved] = number
        chosen = torch.as_tensor(improved, device=device)
        with torch.no_grad():
            for name, value in parameters.items():
                best[name] = torch.where(chosen.view(-1, *[1] * (value.ndim - 1)), value, best[name])
    return best, best_pass


def selection_cost(estimates: NDArray[np.float64], ratings: NDArray[np.float64], loss: float) -> float:
    """Return the cost by which a pass is chosen; estimates that are all alike correlate at 0.

    >>> round(selection_cost(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0]), 0.5), 3)
    -198.115
    """
    clipped = np.clip(estimates, 1.0, 6.0)
    linear = rank = 0.0
    if np.ptp(clipped) > 0 and np.ptp(ratings) > 0:
        linear, rank = pearson(clipped, ratings), rank_correlation(clipped, ratings)
    return -100 * linear - 100 * rank + 0.1 * float(np.mean(np.abs(clipped - ratings))) + 0.1 * loss


def predict_stack(
    parameters: Parameters, settings: GRUSettings, examples: Sequence[Examples]
) -> list[NDArray[np.float64]]:
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


class _Trainer:
    """Parameters, their optimiser and the data on the device; makes passes."""

    def __init__(self, tasks: Sequence[Task], settings: GRUSettings, parameters: Parameters, device: str) -> None:
        self._tasks, self._settings, self._parameters, self._device = tasks, settings, parameters, device
        self._optimiser = torch.optim.Adam(parameters.values(), lr=settings.learning_rate, fused=True)
        # Tasks that share their examples (seeds of one fold) share them here too.
        distinct = {id(task.examples): task.examples for task in tasks}
        starts = dict(zip(distinct, np.cumsum([0, *map(len, distinct.values())]).tolist(), strict=False))
        self._first = [starts[id(task.examples)] for task in tasks]
        every = list(distinct.values())
        self._lengths = np.concatenate([each.lengths for each in every])
        self._words = torch.as_tensor(np.concatenate([each.words for each in every]), device=device)
        ratings = np.concatenate([each.ratings for each in every])
        self._ratings = torch.as_tensor(ratings, dtype=torch.float32, device=device)
        self._meaning = np.unique(np.concatenate([each.meanings for each in every]), axis=0, return_inverse=True)
        self._rng = np.random.default_rng([tasks[0].seed, 3])
        self._generator = torch.Generator(device).manual_seed(tasks[0].seed)

    def run_pass(self, orders: Sequence[np.random.Generator], *, with_synthetic: bool) -> NDArray[np.float64]:
        """Make one pass; return each network's mean loss."""
        settings = self._settings
        size = settings.synthetic_batch_size if with_synthetic else settings.batch_size
        rows, weights = self._batches(orders, size, with_synthetic)
        total = torch.zeros(len(self._tasks), device=self._device)
        for chosen, weight in zip(rows, torch.as_tensor(weights, device=self._device), strict=True):
            texts = torch.as_tensor(chosen, device=self._device)
            distinct, places = _distinct(self._meaning[1].reshape(-1)[chosen])
            meanings = torch.as_tensor(self._meaning[0][distinct], device=self._device).long()
            inputs = _read(self._words[texts], settings), _read(meanings, settings)
            total += self._step(*inputs, torch.as_tensor(places, device=self._device), self._ratings[texts], weight)
        return np.asarray((total / len(rows)).cpu().numpy(), dtype=np.float64)

    def _batches(
        self, orders: Sequence[np.random.Generator], size: int, with_synthetic: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return rows (steps, M, size) and weights that are 0 where a batch is filled up."""
        counts = [len(task.examples) if with_synthetic else task.n_real for task in self._tasks]
        steps = max(1, -(-max(counts) // size))
        rows = np.zeros((steps, len(counts), size), dtype=np.int64)
        weights = np.zeros((steps, len(counts), size), dtype=np.float32)
        for place, (count, rng) in enumerate(zip(counts, orders, strict=True)):
            order = rng.permutation(count) + self._first[place]
            if self._settings.padding == "skip":
                order = np.concatenate(
                    [
                        part[np.argsort(self._lengths[part], kind="stable")]
                        for part in np.array_split(order, max(1, round(steps / _SORTED_TOGETHER)))
                    ]
                )
            for step, part in enumerate(np.array_split(order, steps)):
                rows[step, place, : len(part)] = part
                rows[step, place, len(part) :] = part[0] if len(part) else order[0]
                weights[step, place, : len(part)] = 1.0 / max(1, len(part))
        if self._settings.padding == "skip":  # lengths are alike within a step, so steps are what is shuffled
            shuffled = orders[0].permutation(steps)
            rows, weights = rows[shuffled], weights[shuffled]
        return rows, weights

    def _step(self, words: Tensor, meanings: Tensor, places: Tensor, ratings: Tensor, weights: Tensor) -> Tensor:
        """Take one step of all networks; return their losses (M,)."""
        self._optimiser.zero_grad(set_to_none=True)
        drop = self._drop if self._settings.dropout else None
        estimates = forward(self._parameters, self._settings, words, meanings, places, drop=drop)
        losses = ((estimates - ratings) ** 2 * weights).sum(dim=1)
        losses.sum().backward()
        self._optimiser.step()
        return losses.detach()

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


def _distinct(numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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
