"""Any metric as one of sacrebleu's."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, ParamSpec, Protocol, cast, overload

import numpy as np
from numpy.typing import NDArray

from metric_commons.integrations.sacrebleu import SegmentMetric, Streams
from metric_commons.integrations.sacrebleu_scores import SegmentScore
from metric_commons.metric import Metric as TextMetric
from metric_commons.metric import check_metric, score_texts
from metric_commons.results import MetricResult
from metric_commons.support.validation import describe

_ABBREVIATIONS = {
    "kernel": "k",
    "orders": "n",
    "smooth": "s",
    "clip": "c",
    "weights": "w",
    "pool": "p",
    "unigram": "u",
    "measure": "ms",
    "constants": "co",
    "rouge_tok": "rt",
    "p_of": "po",
    "stem": "st",
}


class SacrebleuAdapter(SegmentMetric):
    """Any metric as one of sacrebleu's; the corpus score is its mean, and an infinite value counts as undefined.

    A metric whose values are relative to the scored set (ROUGE-LM) keeps the scale of the first corpus that it scores:
    in a paired test that of the baseline.

    A paired test of a metric that estimates human ratings is a test of its mean, on this draw of segments and with this
    pool: it is no finding about people, which takes ratings of the systems' own outputs (`human_scores`).
    The signature of such a metric says so: `p_of:metric_mean_not_people`.

    Args:
        metric: a metric with its models or its pool bound.
        references: reference streams to keep, so that `corpus_score(texts, None)` uses them.
        sources: what the segments were made from, one a segment, for a metric that reads sources: sacrebleu itself
            hands on texts and references only. They belong to every system that is scored, in the same order.

    Attributes:
        metric: the metric behind; of a metric of sets, one on a fixed scale once a corpus was scored.
        sources: the sources; None without.
        results: of the systems that `score_systems` scored last.

    Raises:
        TypeError: for an object that is no metric.
        NotFittedError: for an estimator that was not fitted.
    """

    def __init__(
        self, metric: TextMetric, references: Streams | None = None, sources: Sequence[Any] | None = None
    ) -> None:
        self.metric: Any = check_metric(metric)
        self.sources = None if sources is None else _listed(sources)
        self.results: list[MetricResult] = []
        if "name" not in type(self).__dict__:
            self.name = self.key = self.metric.name  # type: ignore[misc]  # a class of its own has names of its own
        self.needs_references = self.metric.needs_references  # type: ignore[misc]
        self.estimates_ratings = bool(getattr(self.metric, "estimates_ratings", False))  # type: ignore[misc]
        super().__init__(references)

    @property
    def centre(self) -> float:
        """What is known of a text of which nothing else is known: of a rated pool its mean, else 0."""
        return float(getattr(self.metric, "mean_rating", 0.0))

    @property
    def _on_set(self) -> bool:
        return bool(getattr(self.metric, "set_dependent", False))

    def sentence_score(
        self, hypothesis: str, references: Sequence[str] | None = None, source: Any = None
    ) -> SegmentScore:
        """Score one text; the score is NaN where it is undefined.

        Args:
            hypothesis: the text.
            references: its references, for a metric that reads them.
            source: what it was made from, for a metric that reads sources.

        Raises:
            TypeError: where `hypothesis` is not a string.
            ValueError: for missing references or a missing source, or for a metric of sets where there is no scale
                yet.
        """
        if self._on_set:
            raise ValueError(
                f"Expected `statistics` of {self.name}, or a corpus scored before, to place one text on a scale, but "
                "there is neither"
            )
        kept, self.sources = self.sources, None if source is None else [source]
        try:
            return super().sentence_score(hypothesis, references)
        finally:
            self.sources = kept

    def score_systems(
        self, systems: Sequence[Sequence[str]], references: Streams | None = None
    ) -> list[NDArray[np.float64]]:
        """Score the outputs of several systems; a metric of sets takes its scale from all of them together."""
        if self._on_set and systems:
            lists = self._references_of(references, len(systems[0]))
            texts = [text for system in systems for text in system]
            sources = None if self.sources is None else self.sources * len(systems)
            self._keep_scale(score_texts(self.metric, texts, None if lists is None else lists * len(systems), sources))
        scores, results = [], []
        for outputs in systems:
            scores.append(self.segment_scores(outputs, references))
            results += self.results
        self.results = results
        return scores

    def _segment_scores(self, texts: list[str], references: list[list[str]] | None) -> NDArray[np.float64]:
        result = score_texts(self.metric, texts, references, self.sources)
        self.results = [result]
        self._keep_scale(result)
        return np.where(np.isfinite(result.values), result.values, np.nan)

    def _keep_scale(self, result: MetricResult) -> None:
        if self._on_set and np.isfinite(result.values).any():  # where nothing is defined, there is none to keep
            self.metric = self.metric.fixed(result)

    def _signature_parts(self) -> dict[str, tuple[str, object]]:
        told: dict[str, str] = dict(part.split(":", 1) for part in self.metric.signature.split("|"))
        if hasattr(self.metric, "fixed"):  # a metric of sets: which scale it is on
            scale = self.metric.statistics
            told["z"] = "first" if scale is None else hashlib.sha256(repr(scale).encode()).hexdigest()[:8]
        if self.estimates_ratings:
            told["p_of"] = "metric_mean_not_people"
        return {key: (_ABBREVIATIONS.get(key, key), told[key]) for key in told if key not in ("metric", "version")}


Parameters = ParamSpec("Parameters")


class AdapterClass(Protocol[Parameters]):
    """A class of adapters: it takes what its metric is made from, or the metric itself."""

    name: str
    key: str

    @overload
    def __call__(self, *args: Parameters.args, **parameters: Parameters.kwargs) -> SacrebleuAdapter: ...
    @overload
    def __call__(
        self, *, estimator: TextMetric, references: Streams | None = None, sources: Sequence[Any] | None = None
    ) -> SacrebleuAdapter: ...


def adapter_class(
    make: Callable[Parameters, TextMetric], class_name: str, name: str, module: str
) -> AdapterClass[Parameters]:
    """Return the class of a metric's adapter, whose arguments are those of the metric.

    It also takes `estimator`, the metric itself in place of what it is made from, and by name the `references` and the
    `sources` of `SacrebleuAdapter`.

    Args:
        make: the metric's class, or a function that makes it.
        class_name: the class's own name.
        name: the name that every score carries.
        module: where the class stands, so that its objects can be pickled.
    """

    def initialise(
        self: SacrebleuAdapter,
        *args: Any,
        estimator: TextMetric | None = None,
        references: Streams | None = None,
        sources: Sequence[Any] | None = None,
        **parameters: Any,
    ) -> None:
        if estimator is not None and (args or parameters):
            raise ValueError("Expected either a fitted `estimator` or what to make one from, but got both")
        SacrebleuAdapter.__init__(self, estimator or make(*args, **parameters), references, sources)

    taken = {**inspect.signature(initialise).parameters, **inspect.signature(make).parameters}
    for inner in ("self", "args", "parameters"):
        del taken[inner]
    settings = {
        "__doc__": f"{name} beside BLEU and chrF; for the arguments see `{make.__module__}.{make.__qualname__}`.",
        "__init__": initialise,
        "__module__": module,
        "__signature__": inspect.Signature(sorted(taken.values(), key=attrgetter("kind"))),
        "name": name,
        "key": cast(Any, getattr(make, "makes", make)).name,
    }
    return cast("AdapterClass[Parameters]", type(class_name, (SacrebleuAdapter,), settings))


def _listed(sources: Sequence[Any]) -> list[Any]:
    if isinstance(sources, (str, bytes)) or not isinstance(sources, Sequence):
        raise TypeError(
            f"Expected argument `sources` to be a list with one source for each segment, but got {describe(sources)}"
        )
    return list(sources)
