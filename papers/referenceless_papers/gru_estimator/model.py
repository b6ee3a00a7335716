"""The published recurrent network as a model of the estimator, with intervals from texts that it was not trained on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.ridge import group_rows
from referenceless_metrics.assessment.conformal import conformal_quantile
from referenceless_metrics.core.files.archive import Array, check_arrays, pack_strings, unpack_strings
from referenceless_metrics.core.support.validation import Arrays, Floats, Integers
from referenceless_papers.gru_estimator.inputs import GRUSettings, Prepared, Vocabulary, prepare
from referenceless_papers.gru_estimator.synthesis import synthesise
from referenceless_papers.training.packages import import_torch

#: Ends of the scale that the network works on; ratings are mapped to it, and those from 1 to 6 stay as they are.
_LOW, _HIGH = 1.0, 6.0
_HELD_OUT = 0.2
_PARAMETERS = "parameters."


@dataclass(frozen=True)
class GRUModel:
    """A trained network (Dušek, Novikova & Rieser 2017).

    Attributes:
        network: a `GRUNetwork`.
        settings: its sizes and training.
        vocabulary: the words and symbols that it knows.
        scale: the least and the greatest rating that it was trained on, its own 1 and 6.
        errors: |rating − estimate| of the texts by which the pass was chosen, sorted, shape (h,).
        bounds: the least and the greatest rating.
    """

    network: Any
    settings: GRUSettings
    vocabulary: Vocabulary
    scale: tuple[float, float]
    errors: Floats
    bounds: tuple[float, float]

    @classmethod
    def fit(
        cls,
        texts: TextFeatures,
        ratings: Floats,
        groups: Integers,
        *,
        augment: int = 0,
        seed: int = 0,
        settings: GRUSettings | None = None,
    ) -> GRUModel:
        """Train on four fifths of the groups; the last fifth chooses the pass and sets the width of intervals.

        Args:
            texts: n rated texts.
            ratings: shape (n,).
            groups: shape (n,); texts of a group are held out together.
            augment: most errors in a synthetic text; 0 for no synthetic texts.
            seed: seed of parameters, order, synthetic texts and the held-out groups.
            settings: None for the small network, or others.

        Raises:
            ImportError: if torch is missing; the message names the extra.
            ValueError: if the ratings that are trained on do not vary.
        """
        import_torch()
        from referenceless_papers.gru_estimator.training import Task, train_network

        settings = settings or GRUSettings()
        held = held_out_rows(groups, seed).tolist()
        kept = np.setdiff1d(np.arange(len(texts)), held).tolist()
        low, high = float(ratings[kept].min()), float(ratings[kept].max())
        if low == high:
            raise ValueError(f"Expected argument `ratings` to vary, but all that are trained on are {low:g}")
        scaled = _LOW + (ratings - low) * ((_HIGH - _LOW) / (high - low))
        prepared = _prepared(texts)
        real = [prepared[row] for row in kept]
        made = synthesise(real, scaled[kept].tolist(), errors=augment, seed=seed) if augment else []
        every = [*real, *(text for text, _ in made)]
        vocabulary = Vocabulary.of(every)
        examples = vocabulary.encode(every, [*scaled[kept].tolist(), *(rating for _, rating in made)], settings)
        dev = vocabulary.encode([prepared[row] for row in held], scaled[held], settings)
        network, _ = train_network(Task(examples, len(real), dev, vocabulary.sizes, seed), settings)
        bounds = float(ratings.min()), float(ratings.max())
        model = cls(network, settings, vocabulary, (low, high), np.zeros(0), bounds)
        errors = np.abs(model._estimate([prepared[row] for row in held]) - ratings[held])
        return replace(model, errors=np.sort(errors))

    def predict_interval(self, texts: TextFeatures, level: float) -> tuple[Floats, Floats, Floats]:
        """Return estimates and the lower and upper ends of their intervals, each of shape (n,)."""
        estimates = np.clip(self._estimate(_prepared(texts)), *self.bounds)
        half = conformal_quantile(self.errors, level)
        return estimates, np.clip(estimates - half, *self.bounds), np.clip(estimates + half, *self.bounds)

    def _estimate(self, prepared: Sequence[Prepared]) -> Floats:
        """Return estimates on the scale of the ratings, shape (n,), within the range that was trained on."""
        from referenceless_papers.gru_estimator.training import predict

        values = predict(self.network, self.vocabulary.encode(prepared, None, self.settings))
        low, high = self.scale
        scaled = low + (np.clip(values, _LOW, _HIGH) - _LOW) * (high - low) / (_HIGH - _LOW)
        return np.asarray(scaled, dtype=float)

    def state(self) -> Arrays:
        """Return the network as plain arrays of numbers; texts are packed by `pack_strings`."""
        facts = {"settings": asdict(self.settings), "scale": self.scale}
        return {
            "facts": pack_strings([json.dumps(facts)]),
            "words": pack_strings(self.vocabulary.words),
            "symbols": pack_strings(self.vocabulary.symbols),
            **{f"{_PARAMETERS}{name}": value.cpu().numpy() for name, value in self.network.state_dict().items()},
        }

    @classmethod
    def from_state(cls, state: Arrays, errors: Floats, bounds: tuple[float, float]) -> GRUModel:
        """Return the model that `state` describes.

        Args:
            state: arrays by name.
            errors: see the attribute.
            bounds: likewise.

        Raises:
            ImportError: if torch is missing; the message names the extra.
            KeyError, TypeError, ValueError: for arrays that are missing, or not of the settings' shapes, or not finite.
        """
        import_torch()
        import torch

        from referenceless_papers.gru_estimator.network import GRUNetwork

        facts = json.loads(unpack_strings(state["facts"])[0])
        settings, (low, high) = GRUSettings(**facts["settings"]), map(float, facts["scale"])
        vocabulary = Vocabulary(*(tuple(unpack_strings(state[name])) for name in ("words", "symbols")))
        arrays = {name[len(_PARAMETERS) :]: each for name, each in state.items() if name.startswith(_PARAMETERS)}
        with torch.device("meta"):  # takes no memory for sizes that the arrays may not have
            network = GRUNetwork(settings, vocabulary.sizes)
        shapes = {name: tuple(value.shape) for name, value in network.state_dict().items()}
        check_arrays(arrays, {name: Array("<f4", shape, least=-1e38, most=1e38) for name, shape in shapes.items()})
        network.load_state_dict({name: torch.tensor(values) for name, values in arrays.items()}, assign=True)
        return cls(network, settings, vocabulary, (low, high), errors, bounds)


def _prepared(texts: TextFeatures) -> list[Prepared]:
    sources = [reading.triples for reading in texts.readings] if texts.sources else None
    return prepare([reading.text for reading in texts.readings], sources, delexicalised=texts.delexicalised)


def held_out_rows(groups: Integers, seed: int) -> Integers:
    """Return the rows of groups drawn at random until they are a fifth of all, in ascending order."""
    rows = group_rows(groups)
    drawn: list[int] = []
    for place in np.random.default_rng(seed).permutation(len(rows))[: len(rows) - 1].tolist():
        if len(drawn) >= _HELD_OUT * len(groups):
            break
        drawn.extend(rows[place].tolist())
    return np.array(sorted(drawn), dtype=np.int64)
