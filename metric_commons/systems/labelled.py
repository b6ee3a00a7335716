"""Systems' outputs brought together with labels and with a metric's estimates, so that no text estimates itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.metric import Metric, score_texts
from metric_commons.support.errors import InputError
from metric_commons.systems.cross_fitting import cross_fitted_estimates
from metric_commons.systems.human_score import FROM_OTHERS, SystemRatings
from metric_commons.systems.matching import ratings_of_outputs
from metric_commons.systems.scales import check_same_scale

Outputs = Sequence[tuple[str, list[str]]]
"""Each system's name and outputs."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Ratings of outputs from one source.

    Attributes:
        source: what to call it in a message, such as the file's name.
        texts: n rated outputs.
        ratings: shape (n,), finite.
        systems: the system of each; None where all are of the one system that there is.
    """

    source: str
    texts: list[str]
    ratings: NDArray[np.float64]
    systems: tuple[str, ...] | None


@dataclass(frozen=True, eq=False)
class LabelledSystem:
    """One system's outputs with the ratings that some of them have.

    Attributes:
        name: the system's name.
        texts: its n outputs.
        ratings: shape (n,), NaN where unrated.
    """

    name: str
    texts: list[str]
    ratings: NDArray[np.float64]

    def with_estimates(self, estimates: NDArray[np.float64]) -> SystemRatings:
        """Return what the inference takes.

        Raises:
            InputError: for another number of estimates than of outputs.
        """
        if len(estimates) != len(self.texts):
            raise InputError(f"{self.name}: it has {len(estimates)} estimates for {len(self.texts)} outputs")
        return SystemRatings(self.name, self.ratings, estimates)


def labelled_systems(outputs: Outputs, labels: Sequence[Labels]) -> list[LabelledSystem]:
    """Bring labels to the outputs that they are of.

    Labels name a system as its file is named, with or without the suffix. Labels of systems that are not there are
    left aside.

    Raises:
        InputError: for labels on scales of different sizes, or of texts that the system did not give.
    """
    check_same_scale({each.source: each.ratings for each in labels})
    found = []
    for name, texts in outputs:
        rated: list[str] = []
        ratings: list[float] = []
        sources: list[str] = []
        for each in labels:
            inside = [i for i in range(len(each.texts)) if each.systems is None or each.systems[i] in _aliases(name)]
            rated += [each.texts[i] for i in inside]
            ratings += each.ratings[inside].tolist()
            sources += [each.source] if inside else []
        found.append(
            LabelledSystem(
                name, texts, ratings_of_outputs(texts, rated, ratings, source=f"{', '.join(sources)} ({name})")
            )
            if rated
            else LabelledSystem(name, texts, np.full(len(texts), np.nan))
        )
    named = {alias for name, _ in outputs for alias in _aliases(name)}
    strange = sorted({system for each in labels for system in each.systems or () if system not in named})
    if strange and all(np.isnan(system.ratings).all() for system in found):
        raise InputError(
            f"the labels are of {', '.join(strange[:5])}, and the systems are {', '.join(name for name, _ in outputs)}"
            ": none of their outputs is rated, and ratings of other systems say nothing about what people think of "
            f"these ({FROM_OTHERS})"
        )
    return found


@dataclass(frozen=True, eq=False)
class Estimated:
    """Estimates of systems' outputs.

    Attributes:
        estimates: one array a system, NaN where the metric abstains.
        told: how they were made, in words.
    """

    estimates: list[NDArray[np.float64]]
    told: str


def estimated(
    metric: Metric,
    outputs: Outputs,
    rated: Sequence[LabelledSystem],
    references: Sequence[Any] | None = None,
    *,
    train_on_labels: bool = False,
) -> Estimated:
    """Estimate all outputs by a metric, none of the rated ones with its own rating.

    Where the metric's pool of rated texts holds rated outputs, these leave it and come back by cross-fitting, as they
    do with `train_on_labels`.

    Args:
        metric: any; one that has `texts_`, their ratings `quality_` or `ratings_`, and `fit` can be trained on labels.
        outputs: the systems' outputs.
        rated: the same with their ratings, in the same order.
        references: for each system one list of streams, for a metric that reads references.
        train_on_labels: whether all labels of a system join the pool that estimates its other outputs.

    Raises:
        InputError: for a metric that cannot be trained, with `train_on_labels`; labels and a pool on scales of
            different sizes.
    """
    pool: list[str] = list(getattr(metric, "texts_", None) or ())
    labelled = {
        text for each in rated for text, known in zip(each.texts, ~np.isnan(each.ratings), strict=True) if known
    }
    shared = labelled.intersection(pool)
    if train_on_labels and not pool:
        raise InputError(
            f"{metric.name} has no pool of rated texts that labels could join; leave out --train-on-labels"
        )
    if not shared and not train_on_labels:
        made = []
        for place, (_, texts) in enumerate(outputs):
            streams = references[place] if references is not None else None
            lists = [list(each) for each in zip(*streams, strict=True)] if streams else None
            values = score_texts(metric, texts, lists).values
            made.append(np.where(np.isfinite(values), values, np.nan))
        return Estimated(made, metric.signature)
    keep = [i for i, text in enumerate(pool) if text not in labelled]
    ratings = np.asarray(_pool_ratings(metric), dtype=np.float64)
    check_same_scale(
        {"the pool": ratings, **{each.name: each.ratings for each in rated if not np.isnan(each.ratings).all()}}
    )
    made = [
        cross_fitted_estimates(
            refit(metric),
            each.texts,
            each.ratings,
            pool_texts=[pool[i] for i in keep],
            pool_ratings=ratings[keep],
        )
        if not np.isnan(each.ratings).all()
        else np.full(len(each.texts), np.nan)
        for each in rated
    ]
    why = f"{len(shared)} of its texts are rated outputs" if shared else "the labels joined its pool"
    return Estimated(made, f"cross-fitted in folds, since {why}: {metric.signature}")


def _pool_ratings(metric: Any) -> ArrayLike:
    """Return the ratings beside `texts_`, under the name that the metric gives them."""
    known: ArrayLike = metric.quality_ if hasattr(metric, "quality_") else metric.ratings_
    return known


def refit(metric: Any) -> Callable[[list[str], NDArray[np.float64]], Callable[[list[str]], ArrayLike]]:
    """Return what trains a metric with the same parameters on other ratings (see `cross_validation.Fit`)."""
    parameters = metric.get_params()

    def fit(texts: list[str], ratings: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
        other = type(metric)(**parameters).fit(texts, ratings)
        return lambda wanted: np.asarray(other.predict(wanted).values)

    return fit


def _aliases(name: str) -> tuple[str, ...]:
    return name, Path(name).name, Path(name).stem
