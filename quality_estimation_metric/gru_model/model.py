"""The recurrent estimator as a model that is fitted to rated texts, predicts, and can be stored as plain arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.errors import InputError
from metric_commons.support.installation import import_extra
from metric_commons.support.validation import check_number
from quality_estimation_metric.gru_model.inputs import Examples, Vocabulary
from quality_estimation_metric.gru_model.prepare import Prepared, prepare
from quality_estimation_metric.gru_model.settings import GRUSettings
from quality_estimation_metric.gru_model.synthesis import synthesise
from quality_estimation_metric.sources import Source

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Dev", "GRUModel"]

Dev = tuple[Sequence[str], Sequence[Source] | None, Sequence[float]]

#: The scale that the network works on; ratings are mapped to it, and those from 1 to 6 stay as they are.
_LOW, _HIGH = 1.0, 6.0
_SEPARATOR = "\x1e"
_MAX_ELEMENTS = 1 << 28


class GRUModel:
    """A recurrent quality estimator (Dušek, Novikova & Rieser 2017).

    Args:
        settings: sizes and training; None for the small network, `GRUSettings.published()` for the paper's.
        n_models: networks that differ by their seed, trained side by side; estimates are their mean.
        delexicalised: whether values of the source become their slots' names.
        rule: how the rating of a synthetic text falls with its errors; see `synthesis.score_after`.
        seed: of parameters, order and synthetic texts.
        device: `cpu` or `cuda`.

    Attributes:
        best_pass_: the pass that each network was kept from, shape (n_models,).
    """

    best_pass_: NDArray[np.int64]

    def __init__(
        self,
        settings: GRUSettings | None = None,
        *,
        n_models: int = 1,
        delexicalised: bool = True,
        rule: str = "described",
        seed: int = 0,
        device: str = "cpu",
    ) -> None:
        check_number(n_models, "n_models", minimum=1, integer=True)
        self.settings = GRUSettings() if settings is None else settings
        self.n_models = n_models
        self.delexicalised = delexicalised
        self.rule = rule
        self.seed = seed
        self.device = device
        self._parameters: dict[str, Tensor] | None = None

    def fit(
        self,
        texts: Sequence[str],
        sources: Sequence[Source] | None,
        ratings: Sequence[float] | NDArray[np.float64],
        *,
        dev: Dev | None = None,
        augment: int = 0,
        human_texts: Sequence[str] = (),
        human_sources: Sequence[Source] | None = None,
    ) -> GRUModel:
        """Train on rated texts.

        Args:
            texts: rated texts, shape (n,).
            sources: what they were generated from; None for none.
            ratings: their ratings, shape (n,), finite.
            dev: held-out texts, sources and ratings by which the pass is chosen; None to keep the last pass.
            augment: how many errors synthetic texts have at most; 0 for no synthetic texts.
            human_texts: texts that count as flawless, for synthetic texts; ignored without `augment`.
            human_sources: theirs; None for none.

        Returns:
            The model itself.

        Raises:
            ImportError: where torch is missing; the message names the extra.
            ValueError: for ratings that do not vary, or unequal lengths.
        """
        training = _training_module()
        values = np.asarray(ratings, dtype=np.float64)
        if len(texts) != len(values) or (sources is not None and len(sources) != len(texts)):
            raise ValueError(
                f"Expected as many ratings and sources as texts ({len(texts)}), but got {len(values)} ratings"
                + ("" if sources is None else f" and {len(sources)} sources")
            )
        if not np.isfinite(values).all() or not len(values) or np.ptp(values) == 0:
            raise ValueError("Expected argument `ratings` to hold finite numbers that differ, but they do not")
        check_number(augment, "augment", minimum=0, integer=True)
        self._range = float(values.min()), float(values.max())
        self._has_sources = sources is not None
        real = prepare(texts, sources, delexicalised=self.delexicalised)
        scaled = self._scaled(values)
        synthetic, lowered = self._synthetic(real, scaled, augment, human_texts, human_sources)
        every = [*real, *synthetic]
        self._vocabulary = Vocabulary.of((each.tokens for each in every), (each.items for each in every))
        examples = self._encode(every, [*scaled.tolist(), *lowered])
        chosen = None
        if dev is not None:
            held = prepare(dev[0], dev[1], delexicalised=self.delexicalised)
            chosen = self._encode(held, self._scaled(np.asarray(dev[2], dtype=np.float64)).tolist())
        tasks = [
            training.Task(examples, len(real), chosen, self._vocabulary.sizes, self.seed + number)
            for number in range(self.n_models)
        ]
        trained = training.train_stack(tasks, self.settings, device=self.device)
        self._parameters, self.best_pass_ = trained.parameters, trained.best_pass
        return self

    def predict(self, texts: Sequence[str], sources: Sequence[Source] | None = None) -> NDArray[np.float64]:
        """Return estimates on the scale of the ratings, shape (n,), within their range.

        Raises:
            RuntimeError: before `fit`.
            ValueError: for sources where there were none at fit, or the reverse.
        """
        if self._parameters is None:
            raise RuntimeError("This GRUModel is not fitted: call fit(texts, sources, ratings) first")
        if (sources is not None) != self._has_sources:
            given, wanted = ("no sources", "sources") if self._has_sources else ("sources", "no sources")
            raise ValueError(f"Expected {wanted}, as at fit, but got {given}")
        if not len(texts):
            return np.zeros(0)
        examples = self._encode(prepare(texts, sources, delexicalised=self.delexicalised), None)
        values = _training_module().predict_stack(self._parameters, self.settings, [examples] * self.n_models)
        clipped = np.clip(values, _LOW, _HIGH).mean(axis=0)
        low, high = self._range
        return np.asarray(low + (clipped - _LOW) * (high - low) / (_HIGH - _LOW), dtype=np.float64)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return the fitted model as plain arrays of numbers; text is UTF-8 in arrays of bytes.

        Raises:
            RuntimeError: before `fit`.
        """
        if self._parameters is None:
            raise RuntimeError("This GRUModel is not fitted: call fit(texts, sources, ratings) first")
        facts = {
            "settings": self.settings.to_dict(),
            "n_models": self.n_models,
            "delexicalised": self.delexicalised,
            "has_sources": self._has_sources,
            "range": self._range,
            "best_pass": self.best_pass_.tolist(),
        }
        return {
            "facts": _bytes(json.dumps(facts)),
            "words": _bytes(_SEPARATOR.join(self._vocabulary.words)),
            "symbols": _bytes(_SEPARATOR.join(self._vocabulary.symbols)),
            **{f"parameters.{name}": value.cpu().numpy() for name, value in self._parameters.items()},
        }

    @classmethod
    def from_state(cls, state: Mapping[str, NDArray[Any]], *, device: str = "cpu") -> GRUModel:
        """Return the model that `state` describes.

        Args:
            state: arrays by name.
            device: `cpu` or `cuda`.

        Raises:
            ImportError: where torch is missing; the message names the extra.
            InputError: for arrays that are missing, or not of the shapes that the settings ask for, or not finite.
        """
        import_extra("torch", "qe", "The recurrent estimator")
        import torch

        from quality_estimation_metric.gru_model.network import parameter_shapes

        try:
            facts = json.loads(_text(state["facts"]))
            settings = GRUSettings(**facts["settings"])
            model = cls(settings, n_models=facts["n_models"], delexicalised=bool(facts["delexicalised"]), device=device)
            low, high = (float(value) for value in facts["range"])
            model._range, model._has_sources = (low, high), bool(facts["has_sources"])
            model.best_pass_ = np.asarray(facts["best_pass"], dtype=np.int64)
            vocabulary = Vocabulary(*(tuple(_text(state[name]).split(_SEPARATOR)) for name in ("words", "symbols")))
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"This is no state of a GRUModel: {error}") from None
        model._vocabulary = vocabulary
        parameters = {}
        for name, shape in parameter_shapes(settings, vocabulary.sizes, model.n_models).items():
            values = state.get(f"parameters.{name}")
            if values is None or values.shape != shape or values.dtype != np.float32 or values.size > _MAX_ELEMENTS:
                found = "none" if values is None else f"{values.dtype} {values.shape}"
                raise InputError(f"Expected parameters {name!r} of a GRUModel as float32 {shape}, but got {found}")
            if not np.isfinite(values).all():
                raise InputError(f"Expected parameters {name!r} of a GRUModel to be finite, but some are not")
            parameters[name] = torch.tensor(values, device=device)
        model._parameters = parameters
        return model

    def _scaled(self, ratings: NDArray[np.float64]) -> NDArray[np.float64]:
        low, high = self._range
        return _LOW + (ratings - low) * ((_HIGH - _LOW) / (high - low))

    def _encode(self, prepared: Sequence[Prepared], ratings: Sequence[float] | None) -> Examples:
        return self._vocabulary.encode(
            [each.tokens for each in prepared], [each.items for each in prepared], ratings, self.settings
        )

    def _synthetic(
        self,
        real: Sequence[Prepared],
        ratings: NDArray[np.float64],
        augment: int,
        human_texts: Sequence[str],
        human_sources: Sequence[Source] | None,
    ) -> tuple[list[Prepared], list[float]]:
        if not augment:
            return [], []
        human = prepare(human_texts, human_sources, delexicalised=self.delexicalised)
        bases = [*real, *human]
        made = synthesise(
            [base.tokens for base in bases],
            [*ratings.tolist(), *[_HIGH] * len(human)],
            errors=augment,
            rule=self.rule,
            seed=self.seed,
        )
        return [Prepared(each.tokens, bases[each.source].items) for each in made], [each.rating for each in made]


def _training_module() -> Any:
    import_extra("torch", "qe", "The recurrent estimator")
    from quality_estimation_metric.gru_model import training

    return training


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8).copy()


def _text(values: NDArray[Any]) -> str:
    if values.dtype != np.uint8 or values.ndim != 1:
        raise ValueError(f"expected UTF-8 as an array of bytes, but got {values.dtype} of shape {values.shape}")
    return values.tobytes().decode("utf-8")
