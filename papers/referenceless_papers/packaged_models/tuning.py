"""The small model trained further: to tell sentences from faulty ones, and to rank them as SmolLM2 does.

With S for a text's sum of capped shortfalls under the small model (its part of `Fluency`), the loss of a batch adds up

- −ln p a piece of sentences of the corpus, as before;
- the mean of ln(1 + exp(−k (S − S'))) over pairs of these sentences and the same with faults (`damage`), S': each
  with its own faulty one (k = 4 / 1.2), and each with all of the batch (k = 2 / 1.2), which speak of something else;
- twice 1 − Pearson's r between S and SmolLM2's score, over other texts that SmolLM2 has read (`labels`): its order is
  distilled, not its probabilities.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from referenceless_papers.packaged_models.labels import read_corpora
from referenceless_papers.training.loop import CHECKPOINT_FILE, TrainingRun
from referenceless_papers.training.lstm import read_start
from referenceless_papers.training.lstm_network import load_network
from referenceless_papers.training.network_files import shrink, write_network
from referenceless_papers.training.packages import has_bfloat16
from referenceless_papers.training.twins import TWIN_LENGTHS, Row, Twins, Words, ranking
from slor_metric.language_models.hf.torch_support import evaluating, padded
from slor_metric.language_models.lstm.model import LSTMLanguageModel
from slor_metric.language_models.lstm.storage import (
    LSTM_FILE,
    SCHEMA,
    SMALL_FILE,
    read_network,
)
from slor_metric.tokenizers.words import EOS, WordTokeniser, tokenise

#: Sentences, the same with faults, labelled texts and their labels.
Batch = tuple[list[Row], list[Row], list[Row], list[float]]

_POOL = 40  # batches that are sorted by length together
_HELD_OUT = 2000
_READ = 500_000  # sentences of the corpora, at most


def tune_small(
    start: Path,
    corpora: Sequence[str],
    labels: Path,
    out: Path,
    *,
    steps: int = 1800,
    size: int = 64,
    lr: float = 5e-4,
    progress: bool | None = None,
) -> dict[str, float]:
    """Train a small model further, or go on with that, and write `lstm.safetensors` and `small.safetensors`.

    Args:
        start: the folder of `train small`, or a `small.safetensors`.
        corpora: its training corpora; the sentences that it held out are held out here too.
        labels: the file of `write_labels`; the last 1,500 lines are held out.
        out: the folder to write; a run that was cut goes on from the checkpoint in it.
        steps: batches.
        size: sentences a batch, each with its faulty one, and half as many labelled texts again.
        lr: Adam's step size; it falls to 0 from three tenths of the run on.
        progress: show a progress bar.

    Returns:
        Measurements on held-out data: the perplexity, the share of pairs whose sentence has the higher S, and
        Pearson's r of S with the labels.
    """
    out.mkdir(parents=True, exist_ok=True)
    run = _Tuning(start, corpora, labels, out, steps, size, lr, progress)
    if (out / CHECKPOINT_FILE).exists():
        run.restore(out / CHECKPOINT_FILE)
    run.train(checkpoint_seconds=180)
    shrink(out / LSTM_FILE, out / SMALL_FILE)
    measured: dict[str, float] = read_network(out / LSTM_FILE, SCHEMA)[-1]["tuned"]
    return measured


class _Tuning(TrainingRun[Batch]):
    def __init__(
        self,
        start: Path,
        corpora: Sequence[str],
        labels: Path,
        out: Path,
        steps: int,
        size: int,
        lr: float,
        progress: bool | None,
    ) -> None:
        shape, weights, tokens, self.counts, tokenizer, self.training = read_start(start)
        self.model = LSTMLanguageModel(shape, weights, tokens, self.counts, tokenizer)
        self.network = load_network(shape, weights)
        draw = np.random.default_rng(0)
        lines, held_out = (
            [tokenise(WordTokeniser(), part[i]) for i in draw.permutation(len(part))[:_READ]]
            for part in read_corpora(corpora, self.training)
        )
        self.twins, self.size = Twins(self.model, Counter(word for words in lines for word in words)), size
        self.lines, others = ([words for words in part if len(words) in TWIN_LENGTHS] for part in (lines, held_out))
        labelled = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()]
        known = [
            *zip(self.twins.rows(row["text"] for row in labelled), (row["score"] for row in labelled), strict=True)
        ]
        n_held_out = min(1500, len(known) // 2)
        self.labelled = known[:-n_held_out]
        self.held_out = [*self._batches(others[:_HELD_OUT], known[-n_held_out:], 0)]
        facts = {"settings": {"size": size, "lr": lr}, "corpus": self.model.signature}
        super().__init__(dict(self.network.named_parameters()), steps, lr, 0.7, 1.0, 250, out, facts, progress)

    def batches(self, epoch: int) -> list[Batch]:
        """Return the batches of a part of the corpus and of the labelled texts."""
        draw = np.random.default_rng(epoch)
        lines = [self.lines[i] for i in draw.permutation(len(self.lines))[: 250 * self.size]]
        labelled = [self.labelled[i] for i in draw.permutation(len(self.labelled))[: 375 * self.size]]
        return self._batches(lines, labelled, epoch + 1)

    def _batches(self, lines: list[Words], labelled: list[tuple[Row, float]], seed: int) -> list[Batch]:
        """Return sentences of about the same length, the same with faults, and labelled texts, in batches."""
        self.twins.damage.random.seed(seed)
        drawn = [(words, faulty) for words in lines if (faulty := self.twins.damage(words)) is not None]
        good, bad = (self.twins.rows(" ".join(pair[side]) for pair in drawn) for side in (0, 1))
        pairs = self._parted([*zip(good, bad, strict=True)], self.size)
        others = self._parted(labelled, self.size + self.size // 2)
        return [
            ([row for row, _ in of_pairs], [row for _, row in of_pairs], [row for row, _ in some], [y for _, y in some])
            for of_pairs, some in zip(pairs, others, strict=False)
        ]

    def _parted(self, items: list[Any], size: int) -> list[list[Any]]:
        """Return items that begin with rows in batches of about the same length, in an order of chance."""
        batches = []
        for first in range(0, len(items), size * _POOL):
            pool = sorted(items[first : first + size * _POOL], key=lambda item: len(item[0]))
            batches += [pool[i : i + size] for i in range(0, len(pool), size)]
        self.twins.damage.random.shuffle(batches)
        return batches

    def losses(self, batch: Batch) -> Iterator[torch.Tensor]:
        """Yield the loss of the sentences and of the labelled texts."""
        self.network.train()
        good, bad, labelled, labels = batch
        scores, faulty, logprobs = self._read_pairs(good, bad)
        self.position.tokens += sum(len(row) - 1 for row in (*good, *bad))
        yield -logprobs.mean() + ranking(scores, faulty)
        yield 2 - 2 * _pearson(self._read(labelled)[0], torch.tensor(labels))

    def _read_pairs(self, good: list[Row], bad: list[Row]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return S of sentences and of the same with faults, shape (n,) each, and ln p of the sentences' tokens."""
        scores, logprobs = self._read([*good, *bad])
        return scores[: len(good)], scores[len(good) :], logprobs[: sum(len(row) - 1 for row in good)]

    def _read(self, rows: Sequence[Row]) -> tuple[torch.Tensor, torch.Tensor]:
        """Return S of each text, shape (n,), and ln p of the tokens of all, with the ends, one after the other."""
        ids, real = padded(rows, EOS, self.device)
        targets, real = ids[:, 1:], real[:, 1:]
        with torch.autocast("cpu", torch.bfloat16, enabled=has_bfloat16(self.device)):
            found = self.network.logprobs(self.network(ids[:, :-1])[real], targets[real])
        return self.twins.scores(targets, real, found), found

    def validate(self, bar: Any) -> float:
        """Return the loss on held-out data, and write the model if it is the lowest so far."""
        losses, right, nats, found, labels = [], [], [], [], []
        with evaluating(self.network):
            for good, bad, labelled, known in self.held_out:
                scores, faulty, logprobs = self._read_pairs(good, bad)
                losses.append(float(ranking(scores, faulty)))
                right.append(scores > faulty)
                nats.append(logprobs.double())
                found.append(self._read(labelled)[0])
                labels += known
        note = {
            "steps": self.position.done,
            "perplexity": math.exp(-float(torch.cat(nats).mean())),
            "pairs_right": float(torch.cat(right).double().mean()),
            "r_with_labels": float(_pearson(torch.cat(found), torch.tensor(labels))),
        }
        loss = math.log(note["perplexity"]) + float(np.mean(losses)) + 2 - 2 * note["r_with_labels"]
        bar.write(f"{note} loss {loss:.4f}", file=sys.stderr)
        if loss < self.position.best:
            parameters = {name: value.detach().numpy() for name, value in self.parameters.items()}
            vocabulary, tuned = (self.model.tokens, self.counts, "wordpiece"), {**self.training, "tuned": note}
            assert self.folder is not None
            write_network(self.folder / LSTM_FILE, self.network.shape, parameters, *vocabulary, tuned)
        return loss


def _pearson(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / (x.norm() * y.norm()).clamp(min=1e-9)
