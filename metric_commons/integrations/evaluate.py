"""What the `evaluate` modules of this project share: strict arguments, and none of the framework's silent traps."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import datasets
import evaluate

from metric_commons.support.validation import check_texts, describe, lone_surrogate


class MetricModule(evaluate.Metric):  # type: ignore[misc]  # evaluate is untyped
    """Base of the modules: parameters may be bound at `evaluate.load` or given to `compute`, and are checked.

    `evaluate` itself swallows unknown load arguments; here they raise. A subclass names its `parameters`, describes
    itself in `_info` (see `module_info`) and implements `prepare` and `score`, or, where it also reads references,
    `_compute`. `references` given to a metric that reads none are ignored, so that a loop over metrics
    can pass the same arguments to all.
    """

    parameters: ClassVar[frozenset[str]] = frozenset()

    data: Any  # of the framework, which is untyped: what `_compute` reads, and the files that it came from
    file_paths: list[str] | None
    filelocks: list[Any] | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        bound = {name: kwargs.pop(name) for name in list(kwargs) if name in self.parameters}
        known = set(inspect.signature(evaluate.EvaluationModule.__init__).parameters) - {"self", "kwargs"}
        self._refuse_unknown(set(kwargs) - known, "evaluate.load")
        super().__init__(*args, **kwargs)
        self.bound = bound

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Compute the metric over `predictions` and whatever `add` and `add_batch` have collected."""
        # Before anything is written, so that nothing has to be put back.
        self._refuse_unknown(set(kwargs) - self.parameters, "compute")
        if self.process_id == 0:
            self.prepare(kwargs)
        if predictions is not None:
            predictions = _check_whole(check_texts(predictions, "predictions"), "predictions")
        if "references" not in self._feature_names():
            references = None
        if predictions is None and self.writer is None and self.num_process == 1:
            raise ValueError("Expected argument `predictions`, or predictions added before, but there are none")
        n_added = len(self)
        try:
            result: dict[str, Any] | None = super().compute(predictions=predictions, references=references, **kwargs)
        except BaseException:
            self._put_back(n_added)
            raise
        return result

    def _put_back(self, n_added: int) -> None:
        """After an error in `_compute`, free what the framework leaves locked, and keep the predictions added before.

        Those given to `compute` itself are not kept: whoever tries again gives them again. Those of other processes
        cannot be.
        """
        if self.data is None:  # the error came earlier, with nothing taken from the writer
            return
        added = {name: self.data[name][:n_added] for name in self._feature_names()}
        self.data = self.buf_writer = None
        for path, lock in zip(self.file_paths or (), self.filelocks or (), strict=True):
            Path(path).unlink(missing_ok=True)
            lock.release()
        self.file_paths = self.filelocks = None
        if self.num_process == 1 and n_added:
            super().add_batch(**added)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add predictions to those that `compute` will score."""
        if predictions is not None:
            predictions = _check_whole(check_texts(predictions, "predictions"), "predictions")
        inputs = {"references": references} if "references" in self._feature_names() else {}
        super().add_batch(predictions=predictions, **inputs, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one prediction to those that `compute` will score.

        `evaluate.combine` passes it under the feature's name, `predictions`; both names are understood.
        """
        prediction = kwargs.pop("predictions", prediction)
        reference = kwargs.pop("references", reference)
        _check_whole(check_texts([prediction], "prediction"), "prediction")
        inputs = {"reference": reference} if "references" in self._feature_names() else {}
        super().add(prediction=prediction, **inputs, **kwargs)

    def _refuse_unknown(self, unknown: Iterable[str], where: str) -> None:
        names = ", ".join(f"`{name}`" for name in sorted(unknown))
        if names:
            known = ", ".join(f"`{name}`" for name in sorted(self.parameters))
            known = known or "no arguments of its own"
            raise TypeError(f"{where} got unknown argument(s) {names} for {self.__class__.__name__}; it takes {known}")

    def _compute(self, predictions: list[str], **_: Any) -> dict[str, Any]:
        return self.score(list(predictions))

    def prepare(self, given: dict[str, Any]) -> None:
        """Build what `score` needs from the bound parameters and those `given` to `compute`, or raise.

        It runs before predictions are collected, so that an error loses none.
        """
        raise NotImplementedError

    def score(self, predictions: list[str]) -> dict[str, Any]:
        """Return the result for `predictions`, in plain Python types."""
        raise NotImplementedError


def _check_whole(texts: list[str], name: str) -> list[str]:
    """Return `texts` after checking that Arrow, in which the framework keeps them, can hold them."""
    for position, text in enumerate(texts):
        if lone_surrogate(text) is not None:
            raise ValueError(
                f"Expected argument `{name}` to hold valid Unicode, but item {position} has a lone surrogate: "
                f"{describe(text)}"
            )
    return texts


def module_info(
    description: str, citation: str, inputs: str, *, reference_feature: Any = None, urls: Iterable[str] = ()
) -> evaluate.MetricInfo:
    """Return the `MetricInfo` of a module whose predictions are texts.

    Args:
        description: what it measures.
        citation: BibTeX.
        inputs: the arguments of `compute` and its results, for `help(module.compute)`.
        reference_feature: the `datasets` feature of one prediction's references; None for a metric that reads none.
        urls: where to read more.
    """
    features = {"predictions": datasets.Value("string")}
    if reference_feature is not None:
        features["references"] = reference_feature
    return evaluate.MetricInfo(
        description=description,
        citation=citation,
        inputs_description=inputs,
        features=datasets.Features(features),
        reference_urls=list(urls),
    )
