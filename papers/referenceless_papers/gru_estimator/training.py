"""Training of a recurrent estimator, with its best pass kept.

Every pass ends with the estimates of the held-out texts, and the parameters of the pass with the lowest cost are kept
(Dušek, Novikova & Rieser 2017, Section 3.3; weights as in the authors' program):

    cost = −100 · Pearson − 100 · Spearman + 0.1 · mean absolute error + 0.1 · mean training loss
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from referenceless_metrics.assessment.meta_evaluation import pearson, rank_correlation
from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_papers.gru_estimator.inputs import Examples, GRUSettings
from referenceless_papers.gru_estimator.network import GRUNetwork
from referenceless_papers.training.loop import TrainingRun

_PREDICTED_TOGETHER = 500


@dataclass(frozen=True)
class Task:
    """Training data of a network.

    Attributes:
        examples: the rated texts, and after them the synthetic ones.
        n_real: number of rated texts among them.
        dev: held-out rated texts, by which the pass is chosen.
        sizes: number of words and of meaning symbols.
        seed: seed of the parameters, the order and dropout.
    """

    examples: Examples
    n_real: int
    dev: Examples
    sizes: tuple[int, int]
    seed: int


def train_network(task: Task, settings: GRUSettings, *, device: str = "cpu") -> tuple[GRUNetwork, int]:
    """Train a network.

    Args:
        task: texts and ratings to learn from.
        settings: sizes and training.
        device: `cpu` or `cuda`.

    Returns:
        The network of the best pass, on the device, and the number of that pass.
    """
    start = float(np.mean(task.examples.ratings[: task.n_real])) if settings.mean_start else 0.0
    with torch.random.fork_rng():
        torch.manual_seed(task.seed)
        network = GRUNetwork(settings, task.sizes, start).to(device)
        run = EstimatorRun(network, task, settings)
        run.train()
    network.load_state_dict(run.best)
    return network, run.best_pass


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


def predict(network: nn.Module, examples: Examples) -> Floats:
    """Return a network's estimates of texts, not clipped, shape (n,)."""
    network.eval()
    rows = [np.arange(first, len(examples)) for first in range(0, len(examples), _PREDICTED_TOGETHER)]
    with torch.no_grad():
        estimates = [network(*inputs(network, examples, some[:_PREDICTED_TOGETHER])).cpu().numpy() for some in rows]
    return np.concatenate([np.zeros(0), *estimates])


def inputs(network: nn.Module, examples: Examples, rows: Integers) -> list[Tensor]:
    """Return the words and meanings of some texts, (B, T) and (B, S), on the network's device."""
    device = next(network.parameters()).device
    return [torch.as_tensor(numbers[rows], device=device).long() for numbers in (examples.words, examples.meanings)]


class EstimatorRun(TrainingRun[Integers]):
    """A network on its task; a batch is rows of its texts.

    Args:
        network: maps words and meanings to estimates, and has a `loss`.
        task: texts and ratings to learn from.
        settings: settings of its training.
    """

    def __init__(self, network: nn.Module, task: Task, settings: GRUSettings) -> None:
        self.network, self.task, self.settings = network, task, settings
        self.order = np.random.default_rng(task.seed)
        self.lowest, self.best_pass, self.total = np.inf, 0, 0.0
        self.best: Mapping[str, Tensor] = {}
        steps = sum(self.rows(epoch)[1] for epoch in range(self.passes))
        super().__init__(dict(network.named_parameters()), steps, settings.learning_rate)

    @property
    def passes(self) -> int:
        """Number of passes."""
        return self.settings.passes

    def rows(self, epoch: int) -> tuple[Integers, int]:
        """Return the rows of a pass, and the number of batches."""
        with_synthetic = epoch < self.settings.synthetic_passes and len(self.task.examples) > self.task.n_real
        count = len(self.task.examples) if with_synthetic else self.task.n_real
        return np.arange(count), -(
            -count // (self.settings.synthetic_batch_size if with_synthetic else self.settings.batch_size)
        )

    def batches(self, epoch: int) -> list[Integers]:
        """Return the rows of each batch of a pass."""
        rows, count = self.rows(epoch)
        self.total = 0.0
        return np.array_split(self.order.permutation(rows), count)

    def losses(self, batch: Integers) -> Iterator[Tensor]:
        """Yield a batch's mean loss."""
        self.network.train()
        ratings = torch.as_tensor(self.task.examples.ratings[batch], dtype=torch.float32, device=self.device)
        loss = self.network.loss(*inputs(self.network, self.task.examples, batch), ratings)
        self.total += float(loss.detach())
        yield loss

    def validate(self, bar: Any) -> float:
        """Return the cost of a pass, and keep the lowest one's parameters."""
        steps = self.rows(self.position.epoch - 1)[1]
        cost = selection_cost(predict(self.network, self.task.dev), self.task.dev.ratings, self.total / steps)
        if not cost >= self.lowest:
            self.lowest, self.best_pass = cost, self.position.epoch
            self.best = {name: value.detach().clone() for name, value in self.network.state_dict().items()}
        return cost
