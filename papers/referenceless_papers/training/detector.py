"""Training the detector of faults from the files of `detector_data`, and writing it in 8 bits."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from referenceless_metrics.core.files.archive import write_archive
from referenceless_metrics.core.support.validation import Arrays, Floats, Integers, Record
from referenceless_papers.training.detector_data import DRAWN
from referenceless_papers.training.fault_texts import HELD_OUT
from referenceless_papers.training.network_files import in_8_bits
from slor_metric.fluency.detector import DETECTOR, DETECTOR_FILE, FAULT_KINDS, DetectorShape
from slor_metric.fluency.detector_inputs import SCALARS
from slor_metric.language_models.classes import packaged_class_model
from slor_metric.language_models.lstm.model import SmallLanguageModel, load_small

#: Divisor of whole numbers of 8 bits before the network reads them, so that they are about 1.
_UNIT = 32.0
_DROPOUT = 0.15
_BATCH = 128
#: Weight of the loss of a whole text beside that of its places.
_OF_TEXT = 0.3
#: The share of a run in which the step size rises, and the least step size afterwards, as a share of the highest.
_WARM_UP, _LEAST_RATE = 0.03, 0.02
CHECKPOINT = "checkpoint.pt"


@dataclass(frozen=True)
class DetectorData:
    """Texts as the detector reads them, with their faults.

    Attributes:
        scalars, guesses, pieces, classes: see `DetectorInputs`; a row of `guesses` for each place.
        labels: the kind of fault at each place.
        offsets: text i has the places from ``offsets[i]`` to ``offsets[i + 1]``.
        sentences: the number of the sentence of each text.
        drawn: faults of each text, a bit for each of `DRAWN`; 0 for sound ones.
    """

    scalars: NDArray[np.int8]
    guesses: NDArray[np.int8]
    pieces: NDArray[np.int32]
    classes: NDArray[np.int16]
    labels: NDArray[np.int8]
    offsets: Integers
    sentences: Integers
    drawn: NDArray[np.int32]

    @classmethod
    def read(cls, folder: Path) -> DetectorData:
        """Read the files of a folder."""
        files = [np.load(path, allow_pickle=False) for path in sorted(folder.glob("*.npz"))]
        joined: Arrays = {
            name: np.concatenate([file[name] for file in files]) for name in files[0].files if name != "offsets"
        }
        sizes = np.concatenate([np.diff(file["offsets"]) for file in files])
        return cls(**joined, offsets=np.append(0, np.cumsum(sizes)))

    @property
    def sizes(self) -> Integers:
        """The number of places of each text."""
        return np.diff(self.offsets)


class DetectorNet(nn.Module):  # type: ignore[misc]
    """The network as torch trains it.

    Args:
        shape: its sizes.
        embedding: the small model's embeddings in 8 bits; they are not trained.
    """

    def __init__(self, shape: DetectorShape, embedding: NDArray[np.int8]) -> None:
        super().__init__()
        self.shape = shape
        self.register_buffer("embedding", torch.from_numpy(embedding), persistent=False)
        self.classes = nn.Embedding(shape.classes, shape.layer)
        nn.init.normal_(self.classes.weight, std=0.1)
        self.input = nn.Linear(shape.width, shape.layer)
        self.lstm = nn.LSTM(shape.layer, shape.units, batch_first=True, bidirectional=True)
        self.kinds = nn.Linear(2 * shape.units, len(FAULT_KINDS))
        self.dropout = nn.Dropout(_DROPOUT)

    def forward(
        self, scalars: torch.Tensor, guesses: torch.Tensor, pieces: torch.Tensor, classes: torch.Tensor
    ) -> torch.Tensor:
        """Return ln p of each kind at each place, shape (texts, places, kinds)."""
        read = torch.cat([guesses, self.embedding[pieces], scalars], dim=-1).float() / _UNIT
        layer = torch.relu(self.input(read) + self.classes(classes))
        states, _ = self.lstm(self.dropout(layer))
        return torch.log_softmax(self.kinds(self.dropout(states)), dim=-1)


def detector_shape(model: SmallLanguageModel, layer: int, units: int) -> DetectorShape:
    """Return the sizes of a detector beside a small model and the packaged class model."""
    classes = len(packaged_class_model().tokens)
    return DetectorShape(model.shape.width, model.shape.embedding, classes, layer, units)


def train_detector(
    data: DetectorData,
    folder: Path,
    *,
    epochs: int = 3,
    until: int | None = None,
    layer: int = 64,
    units: int = 64,
    rate: float = 3e-3,
    without: Sequence[str] = (),
    seed: int = 0,
    start: Path | None = None,
) -> Record:
    """Train a detector, and write it; an interrupted run continues with the epoch that it was in.

    Args:
        data: texts and faults to learn from.
        folder: folder of the checkpoint and the detector.
        epochs: number of passes over the data.
        until: the last epoch of this run; None for all of them.
        layer: the width of the layer before the LSTM.
        units: the units of each direction.
        rate: the highest step size; it rises and falls once over the whole.
        without: faults of `DRAWN`; texts with one of them are left out.
        seed: seed of all random draws.
        start: the checkpoint of another run, with whose weights to go on.

    Returns:
        The loss and `measures` on the sentences that are held out, after each epoch.
    """
    torch.manual_seed(seed)
    model = load_small()
    net = DetectorNet(detector_shape(model, layer, units), model.codes_of_tokens)
    optimiser = torch.optim.AdamW(net.parameters(), rate, weight_decay=0.01)
    folder.mkdir(parents=True, exist_ok=True)
    curve: list[Record] = []
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True)["net"])
    if (folder / CHECKPOINT).exists():
        kept = torch.load(folder / CHECKPOINT, weights_only=True)
        net.load_state_dict(kept["net"])
        optimiser.load_state_dict(kept["optimiser"])
        curve = json.loads(kept["curve"])
    banned = sum(1 << DRAWN.index(fault) for fault in without)
    usable = (data.sentences >= HELD_OUT) & (data.drawn & banned == 0)
    train, held_out = np.flatnonzero(usable), np.flatnonzero(data.sentences < HELD_OUT)
    for epoch in range(len(curve), min(until or epochs, epochs)):
        started, total, done = time.process_time(), 0.0, 0
        net.train()
        batches = _batches(data, train, np.random.default_rng(seed + epoch))
        for step, rows in enumerate(batches):
            passed = (epoch + step / len(batches)) / epochs
            for group in optimiser.param_groups:
                group["lr"] = rate * _share_of_rate(passed)
            loss = _loss(net(*_read(data, rows)), data, rows)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            total, done = total + float(loss.detach()) * len(rows), done + len(rows)
        curve.append(
            {"epoch": epoch + 1, "loss": total / done, "seconds": time.process_time() - started}
            | measures(logprobs(net, data, held_out), data, held_out)
        )
        print(json.dumps(curve[-1]), flush=True)
        state = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "curve": json.dumps(curve)}
        torch.save(state, folder / f"{CHECKPOINT}.part")
        (folder / f"{CHECKPOINT}.part").replace(folder / CHECKPOINT)
    if len(curve) == epochs:
        write_detector(folder / DETECTOR_FILE, net, model.signature, {"epochs": epochs, "texts": len(train)})
    return {"curve": curve}


def _share_of_rate(passed: float) -> float:
    """Return the step size as a share of its highest, when a share of the whole run has passed."""
    rising = min(1.0, (passed + 0.002) / _WARM_UP)
    return float(rising * max(_LEAST_RATE, 0.5 * (1 + np.cos(np.pi * passed))))


def _batches(data: DetectorData, texts: Integers, random: np.random.Generator) -> list[Integers]:
    """Return texts in batches of one length, so that nothing is padded."""
    shuffled = texts[random.permutation(len(texts))]
    by_size = shuffled[np.argsort(data.sizes[shuffled], kind="stable")]
    cuts = np.flatnonzero(np.diff(data.sizes[by_size])) + 1
    batches = [
        group[first : first + _BATCH] for group in np.split(by_size, cuts) for first in range(0, len(group), _BATCH)
    ]
    return [batches[i] for i in random.permutation(len(batches))]


def _places(data: DetectorData, rows: Integers) -> Integers:
    """Return the places of texts of one length, shape (texts, places)."""
    return np.asarray(data.offsets[rows][:, None] + np.arange(data.sizes[rows[0]]))


def _read(data: DetectorData, rows: Integers) -> tuple[torch.Tensor, ...]:
    places = _places(data, rows)
    columns = (data.scalars, data.guesses, data.pieces.astype(np.int64), data.classes.astype(np.int64))
    return tuple(torch.from_numpy(column[places]) for column in columns)


def _loss(found: torch.Tensor, data: DetectorData, rows: Integers) -> torch.Tensor:
    """Return the cross-entropy of the places, and that of whole texts: of a faulty one, that all places are sound."""
    labels = torch.from_numpy(data.labels[_places(data, rows)].astype(np.int64))
    of_places = nn.functional.nll_loss(found.flatten(0, 1), labels.flatten())
    sound = found[:, :, 0].sum(1).clamp(max=-1e-4)
    is_faulty = (labels > 0).any(1)
    of_texts = torch.where(is_faulty, -torch.log1p(-torch.exp(sound)), -sound).mean()
    return of_places * found.shape[1] / 10 + _OF_TEXT * of_texts


def logprobs(net: DetectorNet, data: DetectorData, texts: Integers) -> Floats:
    """Return ln p of each kind at each place of some texts, one text after the other."""
    net.eval()
    starts = np.append(0, np.cumsum(data.sizes[texts]))
    found = np.zeros((int(starts[-1]), len(FAULT_KINDS)))
    with torch.no_grad():
        numbers = np.empty(int(texts.max()) + 1, dtype=np.int64)
        numbers[texts] = np.arange(len(texts))
        for rows in _batches(data, texts, np.random.default_rng(0)):
            values = net(*_read(data, rows)).numpy()
            for row, of_text in zip(rows, values, strict=True):
                at = starts[numbers[row]]
                found[at : at + len(of_text)] = of_text
    return found


def measures(found: Floats, data: DetectorData, texts: Integers) -> Record:
    """Return measures of detection: the loss per place, AUC across texts and within pairs, and of single places.

    Args:
        found: ln p of each kind at each place of the texts.
        data: the texts.
        texts: indices of the texts to measure.
    """
    starts = np.append(0, np.cumsum(data.sizes[texts]))
    places = np.concatenate([np.arange(data.offsets[i], data.offsets[i + 1]) for i in texts])
    labels = data.labels[places].astype(np.int64)
    scores = np.add.reduceat(found[:, 0], starts[:-1])
    faulty = data.drawn[texts] > 0
    by_sentence = {int(data.sentences[i]): scores[k] for k, i in enumerate(texts) if not faulty[k]}
    pairs = [
        (by_sentence[int(data.sentences[i])], scores[k])
        for k, i in enumerate(texts)
        if faulty[k] and int(data.sentences[i]) in by_sentence
    ]
    within = np.mean([sound > bad for sound, bad in pairs])
    report: Record = {
        "nats": float(-found[np.arange(len(labels)), labels].mean()),
        "auc": auc(scores, faulty),
        "within": float(within),
        "auc_of_places": auc(found[:, 0], labels > 0),
    }
    kinds = found[labels > 0, 1:].argmax(axis=1) + 1
    report["kind"] = float(np.mean(kinds == labels[labels > 0]))
    for i, name in enumerate(DRAWN):
        only = data.drawn[texts] == 1 << i
        if only.any():
            report[name] = auc(scores[only | ~faulty], faulty[only | ~faulty])
    return report


def auc(scores: Floats, faulty: NDArray[np.bool_]) -> float:
    """Return the share of pairs in which a sound text scores above a faulty one."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    n_sound, n_faulty = int((~faulty).sum()), int(faulty.sum())
    return float((ranks[~faulty].sum() - n_sound * (n_sound + 1) / 2) / (n_sound * n_faulty))


def write_detector(path: Path, net: DetectorNet, small: str, training: Mapping[str, object]) -> None:
    """Write a network in 8 bits; the same bytes each time."""
    arrays: Arrays = {}
    for name, matrix in _matrices(net):
        arrays[name], arrays[f"{name}_scales"] = in_8_bits(matrix)
    arrays |= {
        "input_bias": net.input.bias.detach().numpy(),
        "kinds_bias": net.kinds.bias.detach().numpy(),
        "forward_states_bias": (net.lstm.bias_ih_l0 + net.lstm.bias_hh_l0).detach().numpy(),
        "backward_states_bias": (net.lstm.bias_ih_l0_reverse + net.lstm.bias_hh_l0_reverse).detach().numpy(),
    }
    header = {
        "shape": net.shape._asdict(),
        "kinds": list(FAULT_KINDS),
        "scalars": list(SCALARS),
        "small": small,
        "training": dict(training),
    }
    write_archive(path, DETECTOR, header, arrays)


def _matrices(net: DetectorNet) -> Iterator[tuple[str, NDArray[np.float32]]]:
    found = {
        "classes": net.classes.weight.T,
        "input": net.input.weight / _UNIT,
        "forward_gates": net.lstm.weight_ih_l0,
        "backward_gates": net.lstm.weight_ih_l0_reverse,
        "forward_states": net.lstm.weight_hh_l0,
        "backward_states": net.lstm.weight_hh_l0_reverse,
        "kinds": net.kinds.weight,
    }
    for name, matrix in found.items():
        yield name, matrix.detach().numpy()
