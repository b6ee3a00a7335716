"""Any metric as a module of `evaluate`, with checked arguments and without the framework's silent errors."""

from __future__ import annotations

import inspect
import json
import pickle
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import datasets
import evaluate

from referenceless_metrics.core.files.digest import file_digest
from referenceless_metrics.core.metric import Metric, check_references, score_texts, verdict_details, worth_warning
from referenceless_metrics.core.registry import MetricSpec, metric_names, metric_spec
from referenceless_metrics.core.results import covered_mean
from referenceless_metrics.core.support.parameters import Parameter, parameters_of
from referenceless_metrics.core.support.validation import (
    InputError,
    Record,
    check_choice,
    check_number,
    check_texts,
    describe,
    lone_surrogate,
)

_OF_LOADERS = ("trust_remote_code", "verification_mode")
"""Arguments that tools hand to `evaluate.load` for a loader; they say nothing of a metric."""

_LEARNED_FROM = frozenset(("pool", "rated_texts", "model_file", "estimator"))
"""Parameters that each name all that a metric learns from."""

_RESULTS = """\
    {}: mean over the covered predictions, NaN if there are none.
    coverage: share of predictions with a value. Report it beside the mean.
    values: one value per prediction, None if undefined.
    reasons: the reason why a prediction has no value, None if it has one.
    signature: the settings that determine the result.
"""


_ZERO = (
    "the mean is 0 by construction, since values rank these predictions among one another; give statistics= of an "
    "earlier result to compare sets of predictions, or take output='all' for the means of the parts"
)
"""Warning on the mean of a metric whose values are z-scores over the scored set."""

_FEATURES = {  # the framework has no optional inputs: a text without a source has an empty one
    "references": datasets.Sequence(datasets.Value("string")),
    "sources": datasets.Value("string"),
}

_INPUTS = {
    "predictions": "    predictions: the texts to score, a list of strings.\n",
    "references": "    references: for each prediction a list of reference texts, or one reference text.\n",
    "sources": """\
    sources: for each prediction what it was made from: a meaning representation, triples, a record or plain text; for a
        model that was fitted with sources.
""",
}

_OF_MODULES = (  # parameters of all modules, beside those of the metric
    Parameter(
        "min_coverage",
        (float,),
        None,
        "the least coverage with which there is a mean; below it the mean is NaN, and a warning says why. None for a "
        "mean at any coverage, with a warning where it is below a half.",
        (),
        False,
    ),
    Parameter(
        "output",
        (str,),
        "all",
        "`mean` for the mean and the coverage alone, two numbers for a trainer's log; `all` for everything below.",
        ("all", "mean"),
        False,
    ),
)


def module_class(metric: str | MetricSpec) -> type[MetricModule]:
    """Return the class of a metric's module, made from the metric's entry and class.

    Args:
        metric: the name of a registered metric, or an entry.

    Raises:
        ValueError: for an unknown name.
    """
    return _class_of(metric_spec(metric) if isinstance(metric, str) else metric)


@cache  # pickle finds a class by its name, so that there must be one for each name
def _class_of(spec: MetricSpec) -> type[MetricModule]:
    make: Callable[..., Any] = spec.maker()
    made: Any = getattr(make, "makes", make)

    class Module(MetricModule):
        pass

    Module.__name__ = f"{made.__name__}Module"
    Module.__qualname__ = spec.name  # `__getattr__` of this module finds the class by it
    Module.__doc__ = f"`evaluate.load({spec.name!r})`: see `{make.__module__}.{make.__qualname__}`."
    Module.spec = spec
    Module.make = staticmethod(make)
    Module.parameters = _parameters_of(make)
    Module.together = tuple(inspect.signature(make).parameters.keys() - inspect.signature(made).parameters.keys())
    Module.inputs = {}
    if spec.needs_references:
        Module.inputs["references"] = _FEATURES["references"]
    if spec.needs_sources:
        Module.inputs["sources"] = _FEATURES["sources"]
    Module.example = spec.example
    Module.made_by = (_class_of, (spec,))
    return Module


def _parameters_of(make: Callable[..., Any]) -> dict[str, Parameter]:
    """Return the parameters of the metric's maker, and those of all modules; inputs of `compute` are left out."""
    parameters = {name: parameter for name, parameter in parameters_of(make).items() if name not in _FEATURES}
    for parameter in _OF_MODULES:
        parameters[parameter.name] = parameter
    return parameters


def published_module(name: str, repo_id: str, file: str, digest: str, script: str = "") -> type[MetricModule]:
    """Return the class of a module whose ratings are a file beside its script, on this machine or on the Hub.

    Args:
        name: the name of a registered metric.
        repo_id: the Space that holds the file.
        file: the file's name.
        digest: the SHA-256 of its content.
        script: the path of the script; "" to look on the Hub alone.

    Raises:
        InputError: when the module is loaded, for a file with other content.
        ConnectionError: then, if the file is neither beside the script nor to be had from the Hub.
    """
    base = module_class(name)

    class Module(base):  # type: ignore[misc, valid-type]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            if not kwargs.keys() & _LEARNED_FROM:
                beside = _file_beside(script, file, digest)
                kwargs["pool"] = _published_file(repo_id, file, digest) if beside is None else beside
            super().__init__(*args, **kwargs)

    Module.__name__ = Module.__qualname__ = base.__name__
    Module.made_by = published_module, (name, repo_id, file, digest, script)
    return Module


def _file_beside(script: str, file: str, digest: str) -> str | None:
    """Return the path of a file that lies beside a script and has the published content; None if there is none.

    `evaluate` runs a copy of the script, and notes the script's own path beside the copy.
    """
    if not script:
        return None
    scripts = [Path(script)]
    note = Path(script).with_suffix(".json")
    if note.is_file():
        scripts.append(Path(json.loads(note.read_text(encoding="utf-8")).get("original file path", script)))
    for each in scripts:
        beside = each.absolute().parent / file
        if beside.is_file() and file_digest(beside) == digest:
            return str(beside)
    return None


def _published_file(repo_id: str, file: str, digest: str) -> str:
    """Return the path of a Space's file in the Hub's cache.

    Raises:
        InputError: for a file with other content than was published.
        ConnectionError: if the Hub cannot be reached, or does not have it.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled

    try:
        path: str = hf_hub_download(repo_id, file, repo_type="space")
    except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled) as error:
        raise ConnectionError(
            f"{file} of the Space {repo_id} is not beside the module, and the Hub does not give it "
            f"({str(error).strip().splitlines()[0]}): name the file by evaluate.load(…, pool={file!r})"
        ) from error
    if file_digest(path) != digest:
        raise InputError(f"{repo_id}: {file} is another file than the one that was published")
    return path


def __getattr__(name: str) -> Any:
    if name not in metric_names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return module_class(name)


class MetricModule(evaluate.Metric):  # type: ignore[misc]  # evaluate is untyped
    """Base of the modules: parameters may be bound at `evaluate.load` or given to `compute`, and are checked.

    `evaluate` itself swallows unknown load arguments; here they raise. `references` given to a metric that reads none
    are ignored, so that a loop over metrics can pass the same arguments to all. See `module_class`.
    """

    #: The metric's entry, its maker, and the parameters that `evaluate.load` and `compute` take.
    spec: ClassVar[MetricSpec]
    make: ClassVar[Callable[..., Metric]]
    parameters: ClassVar[Mapping[str, Parameter]]
    #: Parameters that are replaced together if one of them is given to `compute`: a pool's texts and their ratings.
    together: ClassVar[tuple[str, ...]]
    #: Content of any metric's results, `{}` for its name.
    returns = _RESULTS
    #: The inputs beside `predictions`, each with its `datasets` feature.
    inputs: ClassVar[Record]
    #: Doctests, which a script's `__test__` names too, since evaluate's own tests run those of the script.
    example: ClassVar[str]
    #: The function that makes this class, and its arguments: another process calls it.
    made_by: ClassVar[tuple[Callable[..., type[MetricModule]], tuple[Any, ...]]]

    _metric: Metric | None = None
    _warned = False  # about the verdict from leaving rated texts out
    _min_coverage: float | None = None
    _output = "all"
    _made_of: tuple[Record, Record] = ({}, {})  # parameters to compare, and as they are

    data: Any  # of the framework, which is untyped: the content that `_compute` reads, and the files that it came from
    file_paths: list[str] | None
    filelocks: list[Any] | None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._loaded_with = args, dict(kwargs)
        bound = {name: kwargs.pop(name) for name in list(kwargs) if name in self.parameters}
        for name in _OF_LOADERS:
            kwargs.pop(name, None)
        known = set(inspect.signature(evaluate.EvaluationModule.__init__).parameters) - {"self", "kwargs"}
        self._refuse_unknown(set(kwargs) - known, "evaluate.load")
        if kwargs.get("config_name") not in (None, "default"):
            presets = self.parameters["preset"].choices if "preset" in self.parameters else ()
            check_choice(kwargs["config_name"], "config_name", ("default", *presets))
            bound["preset"] = kwargs["config_name"]
        super().__init__(*args, **kwargs)
        self.bound = bound
        # An error in what is bound is raised here, and not at the first evaluation of a training run.
        is_whole = bool(bound.keys() & _LEARNED_FROM) if self.together else bool(bound)
        if is_whole and self.process_id == 0:
            self.prepare({})

    def __reduce__(self) -> tuple[Callable[..., MetricModule], tuple[Any, ...]]:
        """Pickle the arguments of the module, with which another process loads it.

        Raises:
            PicklingError: if predictions were added and not computed yet.
        """
        if len(self):
            raise pickle.PicklingError(
                f"{self.name} holds {len(self)} predictions that were added: call compute() before it is pickled"
            )
        return _load_anew, (*self.made_by, *self._loaded_with)

    def compute(
        self, *, predictions: Any = None, references: Any = None, sources: Any = None, data: Any = None, **kwargs: Any
    ) -> Record | None:
        """Compute the metric over `predictions` and those that `add` and `add_batch` collected.

        `evaluate.evaluator("text-generation")` calls the predictions `data`.
        """
        if data is not None:
            if predictions is not None:
                raise TypeError("Expected argument `predictions` or `data`, which mean the same, but got both")
            predictions = data
        # Checks come before anything is written, so that nothing has to be restored.
        self._refuse_unknown(kwargs.keys() - self.parameters.keys(), "compute")
        if self.process_id == 0:
            self.prepare(kwargs)
        inputs = self._inputs(predictions, {"references": references, "sources": sources})
        if predictions is None and self.writer is None and self.num_process == 1:
            raise ValueError("Expected argument `predictions`, or predictions added before, but there are none")
        n_added = len(self)
        try:
            result: Record | None = super().compute(**inputs)
        except BaseException:
            self._put_back(n_added)
            raise
        return result

    def _put_back(self, n_added: int) -> None:
        """After an error in `_compute`, release the framework's locks, and keep the predictions that were added before.

        Predictions that were given to `compute` itself are not kept, since the next call gives them again. Those of
        other processes are lost.
        """
        if self.data is None:  # the error came earlier, and the writer still has everything
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
        """Add predictions, with the references and sources that the metric reads, for `compute`."""
        inputs = self._inputs(predictions, {"references": references, "sources": sources})
        super().add_batch(**inputs, **kwargs)

    def add(self, *, prediction: Any = None, reference: Any = None, source: Any = None, **kwargs: Any) -> None:
        """Add one prediction for `compute`.

        `evaluate.combine` calls the argument `predictions`; both names work.
        """
        predictions = [kwargs.pop("predictions", prediction)]
        references, sources = [kwargs.pop("references", reference)], [kwargs.pop("sources", source)]
        self.add_batch(predictions=predictions, references=references, sources=sources, **kwargs)

    def _inputs(self, predictions: Any, beside: Record) -> Record:
        """Return the checked predictions, and the references and sources that the metric reads."""
        read = {name: beside[name] for name in self.inputs}
        if predictions is None:
            return {"predictions": None, **read}
        texts = _texts(predictions, "predictions")
        check: dict[str, Callable[..., Any]] = {"references": check_references, "sources": _sources}
        return {"predictions": texts, **{name: check[name](value, len(texts)) for name, value in read.items()}}

    def _refuse_unknown(self, unknown: Iterable[str], where: str) -> None:
        names = ", ".join(f"`{name}`" for name in sorted(unknown))
        if names:
            known = ", ".join(f"`{name}`" for name in sorted(self.parameters)) or "no arguments of its own"
            raise TypeError(f"{where} got unknown argument(s) {names} for {self.__class__.__name__}; it takes {known}")

    @property
    def name(self) -> str:
        """The metric's name in results and in `evaluate.combine`."""
        return self.spec.name

    def _info(self) -> evaluate.MetricInfo:
        described = self.spec.description or inspect.getdoc(getattr(self.make, "makes", self.make)) or self.spec.title
        inputs = [_INPUTS[name] for name in ("predictions", *self.inputs)]
        bound = map(_entry, self.parameters.values())
        shown = f"\nArgs:\n{''.join([*inputs, *bound])}\nReturns:\n{self.returns.format(self.name)}{self.spec.results}"
        return evaluate.MetricInfo(
            description=described.split("\n\n")[0],
            citation=self.spec.citation,
            inputs_description=shown + (f"\nExamples:\n{self.example}" if self.example else ""),
            features=datasets.Features({"predictions": datasets.Value("string"), **self.inputs}),
            reference_urls=list(self.spec.urls),
        )

    def prepare(self, given: Record) -> None:
        """Make the metric from the bound parameters and those `given` to `compute`; equal ones give the same metric.

        It runs before predictions are collected, so that an error loses none.
        """
        replaced = self.together if any(name in given for name in self.together) else ()
        parameters = {**{name: value for name, value in self.bound.items() if name not in replaced}, **given}
        least = self._min_coverage = parameters.pop("min_coverage", None)
        if least is not None:
            check_number(least, "min_coverage", 0, 1)
        self._output = parameters.pop("output", "all")
        check_choice(self._output, "output", ("all", "mean"))
        needed = [name for name, part in self.parameters.items() if part.default is inspect.Parameter.empty]
        missing = [f"`{name}`" for name in needed if name not in parameters]
        if missing:
            raise TypeError(f"{self.name} needs {' and '.join(missing)}: give them to evaluate.load")
        # equal plain values, or the same objects, which are kept so that no other object gets their id
        plain = {name: of if isinstance(of, (str, int, float)) else id(of) for name, of in parameters.items()}
        if self._metric is None or self._made_of[0] != plain:
            self._metric, self._made_of, self._warned = type(self).make(**parameters), (plain, parameters), False

    def _compute(self, predictions: list[str], references: Any = None, sources: Any = None) -> Record:
        assert self._metric is not None  # prepared before anything was collected
        given = sources if any(sources or ()) or not predictions else None
        if given is None and self._metric.needs_sources:
            other = " or give rated texts to learn from without any" if self.together else ""
            raise ValueError(
                f"Expected argument `sources`, which the model of {self.name} reads, but got None: give them{other}"
            )
        result = score_texts(self._metric, list(predictions), references, given)
        mean, of_mean = covered_mean(result, self._min_coverage)
        told = list(of_mean.values())
        result = replace(result, details={**result.details, **verdict_details(self._metric)})
        if not self._warned and (worth := worth_warning(self._metric)) is not None:
            self._warned = True
            told.append(worth)
        for warning in told:
            warnings.warn(f"{self.name}: {warning}", UserWarning, stacklevel=2)
        if self._output == "mean":
            if "parts" in result.details:
                warnings.warn(f"{self.name}: {_ZERO}", UserWarning, stacklevel=2)
            return {self._metric.name: mean, "coverage": result.coverage}
        # values that `evaluate.combine` would take for another metric's mean get a name of their own
        others = set(metric_names()) - {self.name}
        plain = {f"{name}_scores" if name in others else name: value for name, value in _flat(result.as_plain())}
        return {self._metric.name: mean, **plain, "coverage": result.coverage}


def _load_anew(
    make_class: Callable[..., type[MetricModule]], of_class: tuple[Any, ...], args: tuple[Any, ...], kwargs: Record
) -> MetricModule:
    """Return a module that `MetricModule.__reduce__` pickled."""
    return make_class(*of_class)(*args, **kwargs)


def _flat(details: Record) -> Iterator[tuple[str, Any]]:
    """Yield details by name, those of a mapping each with the mapping's name before its own."""
    for name, value in details.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}_{key}", item) for key, item in value.items())
        else:
            yield name, value


def _entry(parameter: Parameter) -> str:
    """Return a docstring's description of a parameter as an entry of a list of arguments."""
    words = f"{parameter.name}: {parameter.help or 'as in the class.'}"
    return textwrap.fill(words, 116, initial_indent=" " * 4, subsequent_indent=" " * 8) + "\n"


def _sources(value: Any, length: int) -> list[str]:
    """Return sources as texts, one for each of `length` predictions, empty ones if there are none, or raise."""
    if value is None:
        return [""] * length
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        raise TypeError(
            f"Expected argument `sources` to be a list with one source for each prediction, but got {describe(value)}"
        )
    items = ["" if item is None else item for item in value]
    try:
        sources = [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items]
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Expected argument `sources` to hold texts, mappings or lists of triples, but {error}"
        ) from None
    if len(sources) != length:
        raise ValueError(
            f"Expected argument `sources` to have one source for each of the {length} predictions, but got "
            f"{len(sources)}"
        )
    return sources


def _texts(given: Any, name: str) -> list[str]:
    """Return texts after checking that they are texts, and that Arrow, the framework's store, takes them."""
    texts = check_texts(given, name)
    for position, text in enumerate(texts):
        if lone_surrogate(text) is not None:
            raise ValueError(
                f"Expected argument `{name}` to hold valid Unicode, but item {position} has a lone surrogate: "
                f"{describe(text)}"
            )
    return texts
