"""The protocol of metrics, which adapters of frameworks, command lines, pages and reports rely on."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from referenceless_metrics.core.results import FEW_COVERED, MetricResult
from referenceless_metrics.core.support.validation import (
    NotFittedError,
    Record,
    are_strings,
    check_texts,
    describe,
)

if TYPE_CHECKING:
    from referenceless_metrics.assessment.agreement import Verdict

UNKNOWN_RULES = ("abstain", "score")
"""Values of a parameter `unknown`, for text that a metric's models do not know."""


@runtime_checkable
class Metric(Protocol):
    """A metric with its models or its pool, which needs only texts.

    Further attributes are optional. `set_dependent`: whether a text's value depends on the other texts of the call
    (default: no). `estimates_ratings`: whether the values estimate human ratings, so that a comparison of systems by
    them is no finding about people (see `human_score`). Such a metric may have a `verdict_`, the worth of its estimates
    or None, and a `verdict_command`, which tells it if it is None. `least_coverage`: the least coverage with which a
    trainer logs its mean and a gate gives a verdict (default: one half); None for any. `scale`: the meaning of the
    values, in a line; "" for nothing. `explains_texts`: whether a method `explain` takes texts, and returns columns
    with the cost of each part (default: no).
    """

    @property
    def name(self) -> str:
        """The metric's name in results and registries."""

    @property
    def signature(self) -> str:
        """The settings and models that determine the values, in sacrebleu's style."""

    @property
    def needs_references(self) -> bool:
        """Whether the metric reads references."""

    @property
    def needs_sources(self) -> bool:
        """Whether the metric reads sources, from which the texts were made."""

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Score n texts; there may be none.

        Args:
            texts: n texts, not a bare string. A missing value (None, or NaN as pandas has it) is an empty text.
            references: one reference or a list of them per text; ignored by a metric that reads none.
            sources: one source per text; ignored by a metric that reads none.

        Raises:
            TypeError: for a bare string, or an item that is no string and no missing value.
            ValueError: for missing references or sources, or another number of them than of texts.
        """


def check_metric(metric: object, *, batches: bool = False) -> Metric:
    """Return a metric after checking that it can score.

    Args:
        metric: an object of the protocol.
        batches: whether texts will come in batches, so that a value must not depend on other texts.

    Raises:
        TypeError: for an object without the protocol's parts.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for a metric of whole sets if texts come in batches, and for one with `fill`.
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
        if not hasattr(metric, "fixed"):
            raise ValueError(
                f"{metric.name} compares the texts that are scored together, and here texts come in batches: a value "
                "would depend on its batch. Take a metric that scores each text by itself, such as Fluency()"
            )
        raise ValueError(
            f"{metric.name} without fixed `statistics` is relative to the set that is scored, and here texts come in "
            "batches, each of which would average to 0: give `statistics`, the means and standard deviations of a "
            "development set (`metric.predict(texts, references=…).statistics`; to a command, each of them by "
            "`--statistic NAME=VALUE`)"
        )
    return metric


def coverage_name(metric: Metric) -> str:
    """Return the name of the coverage, beside that of the mean."""
    return f"{metric.name}_coverage"


def least_coverage_of(metric: object) -> float | None:
    """Return the least coverage with which a trainer logs a metric's mean and a gate gives a verdict; None for any."""
    least: float | None = getattr(metric, "least_coverage", FEW_COVERED)
    return least


def explains_texts(metric: object) -> bool:
    """Return whether a metric's `explain` takes texts, and returns the columns of `score --explain`."""
    return bool(getattr(metric, "explains_texts", False))


def verdict_of(metric: object) -> Verdict | None:
    """Return the verdict on a metric's estimates; None if it is not known, or the metric estimates no ratings.

    Unless a file of `fit` or an earlier call has it, each rated text is left out, which takes .2 s for 1,000 texts and
    .5 s for 2,000. Of larger pools the verdict is not known without a calibration.
    """
    verdict: Verdict | None = getattr(metric, "verdict_", None)
    return verdict


def verdict_details(metric: object) -> Record:
    """Return the details of the verdict on a metric's estimates, for results; none if it is not known."""
    verdict = verdict_of(metric)
    return {} if verdict is None else verdict.details


def worth_of(metric: object) -> str | None:
    """Return the worth of a metric's estimates, or how to learn it, in a sentence.

    None for a metric that estimates no ratings.
    """
    verdict = verdict_of(metric)
    if verdict is not None:
        return verdict.summary
    if not getattr(metric, "estimates_ratings", False):
        return None
    command = getattr(metric, "verdict_command", None)
    how = f": `{command}` measures it" if command else ""
    return f"What the estimates are worth is not known, since no rated texts were left out{how}."


def worth_warning(metric: object) -> str | None:
    """Return `worth_of` a metric as a warning; None if its estimates are useful, or it estimates no ratings."""
    verdict = verdict_of(metric)
    return worth_of(metric) if verdict is None else verdict.warning


def scale_warning(metric: Metric) -> str | None:
    """Return a warning on a metric whose scale is that of the first texts that it scores; None for any other."""
    if not (getattr(metric, "set_dependent", False) and hasattr(metric, "fixed")):
        return None
    return (
        "values are relative to the texts that are scored together: the mean of the first set is 0, whatever its texts "
        "are, and later sets are on its scale, in this process alone. Give statistics= of another system's texts for "
        f"the same inputs: {type(metric).__name__}().predict(texts, references=references).statistics"
    )


def check_scorer(metric: object) -> Metric:
    """Return a metric that a framework hands texts in batches, after `check_metric`.

    Raises:
        NotFittedError, TypeError, ValueError: as `check_metric`.

    Warns:
        UserWarning: if its estimates are not useful, or their worth is not known.
    """
    checked = check_metric(metric, batches=True)
    warning = worth_warning(checked)
    if warning is not None:
        warnings.warn(f"{checked.name}: {warning}", UserWarning, stacklevel=3)
    return checked


def score_texts(metric: Metric, texts: Iterable[str], references: Any = None, sources: Any = None) -> MetricResult:
    """Score texts, with references and sources only if the metric reads them.

    A loop over metrics can pass the same arguments to all.

    Raises:
        TypeError: for a bare string, or an item that is no string and no missing value.
        ValueError: for missing references or sources, or not as many as there are texts.
    """
    checked = check_texts(texts, "texts", missing=True)
    inputs = {}
    for name, values in (("references", references), ("sources", sources)):
        if getattr(metric, f"needs_{name}"):
            if values is None:
                raise ValueError(f"Expected argument `{name}`, without which there is no {metric.name}, but got None")
            inputs[name] = values
    return metric.predict(checked, **inputs)


def score_row(metric: Metric, text: str, reference: tuple[str, Any], source: tuple[str, Any]) -> MetricResult:
    """Score the one text of a framework's row, with its reference and source if the metric reads them.

    Args:
        metric: a metric that scores texts one by one.
        text: the text.
        reference: the framework's name of the reference, for errors, and the reference or a list of them.
        source: the framework's name of the source, and the source.

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
    if set(map(type, items)) == {list} and all(items) and are_strings(chain.from_iterable(items)):
        return items  # most often, and told ten times as fast as item by item
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
