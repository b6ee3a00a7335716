"""The one protocol of metrics: what a framework's adapter, a command line, a page or a report needs of any of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import (
    NotFittedError,
    check_texts,
    describe,
)

if TYPE_CHECKING:
    from referenceless_metrics.assessment.agreement import Verdict

UNKNOWN_RULES = ("abstain", "score")
"""What a metric does with text that its models do not know: the values of a parameter `unknown`."""


@runtime_checkable
class Metric(Protocol):
    """A metric with its models or its pool bound, so that only texts are missing.

    Two attributes are optional. `set_dependent` says that a text's value depends on the others that are scored with it
    (false where it is missing); `estimates_ratings` that the values estimate what people would say of a text, so that
    a comparison of systems by them is no finding about people (see `human_score`). Such a metric
    may also have a `verdict_`: what its estimates are worth, or None;
    and, if working it out takes time, a `known_verdict_` without that work. `least_coverage` is the least coverage with
    which a trainer logs its mean, None for any.
    """

    @property
    def name(self) -> str:
        """The metric's name, as results and registries carry it."""

    @property
    def signature(self) -> str:
        """Everything that determines the values, in sacrebleu's style."""

    @property
    def needs_references(self) -> bool:
        """Whether the metric reads references."""

    @property
    def needs_sources(self) -> bool:
        """Whether the metric reads the inputs that the texts were made from."""

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score n texts; there may be none.

        Args:
            texts: n texts, not a bare string.
            references: one reference text, or a list of them, a text; ignored by a metric that reads none.
            sources: one input per text; ignored by a metric that reads none.

        Raises:
            TypeError: for a bare string or an item that is no string.
            ValueError: for missing references or sources, or not as many as there are texts.
        """


def check_metric(metric: object, *, batches: bool = False) -> Metric:
    """Return a metric after checking that it can score.

    Args:
        metric: an object of the protocol.
        batches: whether texts will come in batches or one by one, so that a value must not depend on the others.

    Raises:
        TypeError: for an object without the protocol's parts.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric of whole sets where texts come in batches, and for one with `fill`.
    """
    if isinstance(metric, type) or not isinstance(metric, Metric):
        raise TypeError(
            "Expected argument `metric` to be a metric with `name`, `signature` and `predict`, such as WPSLOR() or a "
            f"fitted BLEUNeighbors, but got {describe(metric)}"
        )
    if not getattr(metric, "__sklearn_is_fitted__", lambda: True)():
        raise NotFittedError(f"Expected argument `metric` to be fitted, but got {describe(metric)}: call `fit` first")
    if getattr(metric, "fill", None) is not None:
        raise ValueError(
            f"Expected a metric without `fill`, which is for scikit-learn's scorers, but got {describe(metric)}: texts "
            "without an estimate would count in means and tests as if they had one"
        )
    if batches and getattr(metric, "set_dependent", False):
        raise ValueError(
            f"{metric.name} without fixed `statistics` is relative to the set that is scored, and here texts come in "
            "batches, each of which would average to 0: give `statistics`, the means and standard deviations of a "
            "development set (`metric.predict(texts, references=…).statistics`)"
        )
    return metric


def coverage_name(metric: Metric) -> str:
    """Return the name under which the coverage stands beside the mean."""
    return f"{metric.name}_coverage"


def verdict_of(metric: object, *, known: bool = False) -> Verdict | None:
    """Return what a metric's estimates are worth; None if that is not known, or means nothing.

    Args:
        metric: the metric.
        known: whether only a verdict counts that is known already: from a file that `fit` wrote, from a calibration, or
            because it was asked for. Else the first call may leave each rated text out: .2 s of 2,250 texts.
    """
    name = "known_verdict_" if known and hasattr(metric, "known_verdict_") else "verdict_"
    verdict: Verdict | None = getattr(metric, name, None)
    return verdict


def score_texts(metric: Metric, texts: Iterable[str], references: Any = None, sources: Any = None) -> MetricResult:
    """Score texts with what the metric reads: references and sources reach only a metric that needs them.

    A loop over metrics can so pass the same arguments to all.

    Raises:
        TypeError: for a bare string or an item that is no string.
        ValueError: for missing references or sources, or not as many as there are texts.
    """
    checked = check_texts(texts, "texts")
    inputs = {}
    for name, values in (("references", references), ("sources", sources)):
        if getattr(metric, f"needs_{name}"):
            if values is None:
                raise ValueError(f"Expected argument `{name}`, without which there is no {metric.name}, but got None")
            inputs[name] = values
    return metric.predict(checked, **inputs)


def score_row(metric: Metric, text: str, reference: tuple[str, Any], source: tuple[str, Any]) -> MetricResult:
    """Score the one text of a framework's row with what the metric reads.

    Args:
        metric: a metric that scores texts one by one.
        text: the text.
        reference: where the framework has its reference, for the error, and the reference, or a list of them.
        source: where it has its source, and the source.

    Raises:
        TypeError: for a text that is no string.
        ValueError: for a missing reference or source.
    """
    inputs = []
    for needed, (place, value) in ((metric.needs_references, reference), (metric.needs_sources, source)):
        if needed and value is None:
            raise ValueError(f"Expected `{place}`, without which there is no {metric.name}")
        inputs.append([value] if needed else None)
    return score_texts(metric, [text], *inputs)


def check_references(references: Any, n_candidates: int) -> list[list[str]]:
    """Return the references as one non-empty list of strings for each candidate.

    Args:
        references: one list of reference texts for each candidate (their numbers may differ), or one
            reference text for each candidate.
        n_candidates: the number of candidates.

    Raises:
        TypeError: for a bare string, or an item that is neither a string nor a list of strings.
        ValueError: for a number of items other than `n_candidates`, or a candidate without any reference.
    """
    if references is None:
        raise ValueError("Expected argument `references` to hold references for each candidate, but got None")
    if isinstance(references, (str, bytes, dict)) or not isinstance(references, Iterable):
        raise TypeError(
            f"Expected argument `references` to be a list with the reference texts of each candidate, "
            f"but got {describe(references)}"
        )
    items = list(references)
    if len(items) != n_candidates:
        raise ValueError(
            f"Expected argument `references` to have one item for each of the {n_candidates} candidates, "
            f"but got {len(items)}"
        )
    checked = []
    for position, item in enumerate(items):
        texts = [item] if isinstance(item, str) else check_texts(item, f"references[{position}]")
        if not texts:
            raise ValueError(
                f"Expected argument `references` to hold at least one reference for each candidate, "
                f"but item {position} is empty"
            )
        checked.append(texts)
    return checked
