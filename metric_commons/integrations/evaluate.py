"""Any metric as a module of `evaluate`: strict arguments, and none of the framework's silent traps."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, ClassVar

import datasets
import evaluate

from metric_commons.metric import Metric, score_texts
from metric_commons.support.validation import check_texts, describe, lone_surrogate

_RESULTS = """\
    coverage: share of predictions with a value. Report it beside the mean.
    values: one value a prediction, NaN where undefined.
    reasons: why a prediction has no value, None where it has one.
    signature: what determines the result.
"""


class MetricModule(evaluate.Metric):  # type: ignore[misc]  # evaluate is untyped
    """Base of the modules: parameters may be bound at `evaluate.load` or given to `compute`, and are checked.

    `evaluate` itself swallows unknown load arguments; here they raise. A subclass says how the metric is made and
    describes itself. `references` given to a metric that reads none are ignored, so that a loop over metrics can pass
    the same arguments to all.
    """

    #: Makes the metric from the parameters.
    make: ClassVar[Callable[..., Metric]]
    #: The names of the parameters that `evaluate.load` and `compute` take.
    parameters: ClassVar[frozenset[str]] = frozenset()
    #: Parameters of which giving one to `compute` replaces all that were bound: a pool's texts and their ratings.
    together: ClassVar[tuple[str, ...]] = ()
    #: What it measures, its BibTeX, where to read more; the arguments and the results, for `help(module.compute)`.
    description: ClassVar[str]
    citation: ClassVar[str]
    urls: ClassVar[tuple[str, ...]] = ()
    arguments: ClassVar[str] = ""
    results: ClassVar[str] = ""
    #: Doctests that begin with `evaluate.load`, for `help(module.compute)`; a script's `__test__` names them too, since
    #: evaluate's own tests run those of the script.
    example: ClassVar[str] = ""
    #: The inputs beside `predictions`, each with its `datasets` feature: `references`, `sources`.
    inputs: ClassVar[dict[str, Any]] = {}

    _metric: Metric | None = None
    _made_of: dict[str, Any] | None = None

    data: Any  # of the framework, which is untyped: what `_compute` reads, and the files that it came from
    file_paths: list[str] | None
    filelocks: list[Any] | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        bound = {name: kwargs.pop(name) for name in list(kwargs) if name in self.parameters}
        known = set(inspect.signature(evaluate.EvaluationModule.__init__).parameters) - {"self", "kwargs"}
        self._refuse_unknown(set(kwargs) - known, "evaluate.load")
        super().__init__(*args, **kwargs)
        self.bound = bound

    def compute(
        self, *, predictions: Any = None, references: Any = None, sources: Any = None, data: Any = None, **kwargs: Any
    ) -> dict[str, Any] | None:
        """Compute the metric over `predictions` and whatever `add` and `add_batch` have collected.

        `evaluate.evaluator("text-generation")` calls the predictions `data`.
        """
        if data is not None:
            if predictions is not None:
                raise TypeError("Expected argument `predictions` or `data`, which mean the same, but got both")
            predictions = data
        # Before anything is written, so that nothing has to be put back.
        self._refuse_unknown(set(kwargs) - self.parameters, "compute")
        if self.process_id == 0:
            self.prepare(kwargs)
        if predictions is not None:
            predictions = _check_whole(check_texts(predictions, "predictions"), "predictions")
        inputs = self._inputs({"references": references, "sources": sources}, predictions)
        if predictions is None and self.writer is None and self.num_process == 1:
            raise ValueError("Expected argument `predictions`, or predictions added before, but there are none")
        n_added = len(self)
        try:
            result: dict[str, Any] | None = super().compute(predictions=predictions, **inputs)
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

    def add_batch(self, *, predictions: Any = None, references: Any = None, sources: Any = None, **kwargs: Any) -> None:
        """Add predictions, and what else the metric reads, to those that `compute` will score."""
        if predictions is not None:
            predictions = _check_whole(check_texts(predictions, "predictions"), "predictions")
        inputs = self._inputs({"references": references, "sources": sources}, predictions)
        super().add_batch(predictions=predictions, **inputs, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, source: Any = None, **kwargs: Any) -> None:
        """Add one prediction to those that `compute` will score.

        `evaluate.combine` passes it under the feature's name, `predictions`; both names are understood.
        """
        prediction = kwargs.pop("predictions", prediction)
        given = {"references": kwargs.pop("references", reference), "sources": kwargs.pop("sources", source)}
        _check_whole(check_texts([prediction], "prediction"), "prediction")
        inputs = self._inputs({name: [value] for name, value in given.items()}, [prediction])
        named = {"reference" if name == "references" else name: values[0] for name, values in inputs.items()}
        super().add(prediction=prediction, **named, **kwargs)

    def _inputs(self, given: dict[str, Any], predictions: list[str] | None) -> dict[str, Any]:
        """Return what the metric reads beside the predictions, checked; what it does not read is left out."""
        read = {name: given[name] for name in self.inputs}
        if predictions is None:
            return read
        return {name: self.check_input(name, value, len(predictions)) for name, value in read.items()}

    def check_input(self, name: str, value: Any, length: int) -> Any:
        """Return `references` or `sources`, one for each of `length` predictions, or raise."""
        return value

    def _refuse_unknown(self, unknown: Iterable[str], where: str) -> None:
        names = ", ".join(f"`{name}`" for name in sorted(unknown))
        if names:
            known = ", ".join(f"`{name}`" for name in sorted(self.parameters))
            known = known or "no arguments of its own"
            raise TypeError(f"{where} got unknown argument(s) {names} for {self.__class__.__name__}; it takes {known}")

    @property
    def name(self) -> str:
        """The metric's name, by which results and `evaluate.combine` tell it from others."""
        # the framework itself makes one of the name of the class, which is that of a module
        return str(getattr(self.make, "name", None) or self.make.__name__)

    def _info(self) -> evaluate.MetricInfo:
        inputs = (
            f"\nArgs:\n    predictions: the texts to score, a list of strings.\n{self.arguments}\nReturns:\n"
            f"    {self.name}: mean over the covered predictions, NaN where there is none.\n{_RESULTS}{self.results}"
        )
        if self.example:
            inputs += f"\nExamples:\n{self.example}"
        return evaluate.MetricInfo(
            description=self.description,
            citation=self.citation,
            inputs_description=inputs,
            features=datasets.Features({"predictions": datasets.Value("string"), **self.inputs}),
            reference_urls=list(self.urls),
        )

    def prepare(self, given: dict[str, Any]) -> None:
        """Make the metric from the bound parameters and those `given` to `compute`, once for the same ones.

        It runs before predictions are collected, so that an error loses none.
        """
        replaced = self.together if any(name in given for name in self.together) else ()
        parameters = {**{name: value for name, value in self.bound.items() if name not in replaced}, **given}
        if self._metric is None or not _same(parameters, self._made_of):
            self._metric, self._made_of = type(self).make(**parameters), parameters

    def _compute(self, predictions: list[str], references: Any = None, sources: Any = None) -> dict[str, Any]:
        assert self._metric is not None  # prepared before anything was collected
        result = score_texts(self._metric, list(predictions), references, sources)
        return {self._metric.name: result.mean, **result.as_plain()}


def _same(left: dict[str, Any], right: dict[str, Any] | None) -> bool:
    """Say whether parameters are the same objects or plain equal values; arrays are the same only as objects."""
    return (
        right is not None
        and left.keys() == right.keys()
        and all(
            value is right[name] or (isinstance(value, (str, int, float)) and value == right[name])
            for name, value in left.items()
        )
    )


def _check_whole(texts: list[str], name: str) -> list[str]:
    """Return `texts` after checking that Arrow, in which the framework keeps them, can hold them."""
    for position, text in enumerate(texts):
        if lone_surrogate(text) is not None:
            raise ValueError(
                f"Expected argument `{name}` to hold valid Unicode, but item {position} has a lone surrogate: "
                f"{describe(text)}"
            )
    return texts
