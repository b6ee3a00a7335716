"""Several ratings of a text at once: one fitted estimator each, such as informativeness, naturalness and quality."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from metric_commons.results import MetricResult
from quality_estimation_metric.estimator import QualityEstimator


class SeveralEstimators:
    """Estimators of several ratings as one metric: the first one's estimates are the values, and all are columns.

    Args:
        estimators: fitted estimators by the name of what they estimate, at least one.

    Raises:
        ValueError: for no estimator.

    Example:
        >>> from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
        >>> fitted = {name: QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES) for name in ("quality", "ease")}
        >>> result = SeveralEstimators(fitted).predict(TEXTS[:1], sources=SOURCES[:1])
        >>> list(result.columns)
        ['quality', 'quality_lower', 'quality_upper', 'ease', 'ease_lower', 'ease_upper', 'lower', 'upper']
    """

    name: ClassVar[str] = QualityEstimator.name
    needs_references: ClassVar[bool] = False
    estimates_ratings: ClassVar[bool] = True

    def __init__(self, estimators: Mapping[str, QualityEstimator]) -> None:
        if not estimators:
            raise ValueError("Expected argument `estimators` to hold at least one, but it is empty")
        self.estimators = dict(estimators)

    @property
    def needs_sources(self) -> bool:
        """Whether one of them was fitted with sources."""
        return any(estimator.needs_sources for estimator in self.estimators.values())

    @property
    def signature(self) -> str:
        """The estimators' signatures, each after its name."""
        return " + ".join(f"{name}|{estimator.signature}" for name, estimator in self.estimators.items())

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Estimate every rating of n texts; see `QualityEstimator.predict`.

        Returns:
            The first estimator's estimates, with its `lower` and `upper`, and of every estimator three columns: its
            estimates under its name, and the ends of their intervals with `_lower` and `_upper`. The detail `parts`
            holds the means.
        """
        given = list(texts) if not isinstance(texts, str) else texts
        found = {
            name: estimator.predict(given, sources=sources if estimator.needs_sources else None)
            for name, estimator in self.estimators.items()
        }
        first = next(iter(found.values()))
        columns = {}
        for name, result in found.items():
            columns[name] = result.values
            columns |= {f"{name}_{end}": column for end, column in result.columns.items()}
        unseen = sorted({slot for result in found.values() for slot in result.details["unseen_slots"]})
        parts = {name: result.mean for name, result in found.items()}
        details = {**first.details, "parts": parts, "unseen_slots": unseen}
        return MetricResult(first.values, first.reasons, self.signature, {**columns, **first.columns}, details)


def model_names(files: Iterable[str]) -> dict[str, str]:
    """Return a name for each of several model files: what stands before the suffix, or the whole stem.

    >>> model_names(["m/model.quality.npz", "m/model.naturalness.npz"])
    {'quality': 'm/model.quality.npz', 'naturalness': 'm/model.naturalness.npz'}
    >>> model_names(["a/model.npz", "b/model.npz"])
    {'model': 'a/model.npz', 'model_2': 'b/model.npz'}
    """
    names: dict[str, str] = {}
    for file in files:
        name = stem = Path(file).stem.rpartition(".")[2]
        number = 1
        while name in names:
            number += 1
            name = f"{stem}_{number}"
        names[name] = file
    return names
