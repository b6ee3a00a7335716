"""The ways to estimate ratings that advice compares, each as one function that trains it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from metric_commons.support.validation import Floats
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.kernel_model import KernelModel
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.rated_inputs import group_numbers, ratings_to_learn_from
from quality_estimation_metric.sources.reading import choose_scope

FEWEST_FOR_QUALITY_ESTIMATION = 40
"""Distinct rated texts below which the trained estimator is not among the candidates."""

Estimates: TypeAlias = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True)
class Candidate:
    """A way to estimate ratings.

    Attributes:
        name: for tables and files.
        title: what it is, in words.
        make: trains it on rated texts and returns the metric.
        call: the same in Python, for the reader.
        on_parts: trains the same on parts of the rated texts, faster; None for `make`.
    """

    name: str
    title: str
    make: Callable[[Sequence[str], Floats], Any]
    call: str
    on_parts: Callable[[Sequence[str], Floats], Estimates] | None = None

    def fit(self, texts: Sequence[str], ratings: Floats) -> Estimates:
        """Train on rated texts; an abstention becomes the mean of their ratings, so that abstaining never pays.

        Where it cannot be trained on them, every text has that mean.
        """
        mean_rating = float(ratings.mean())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of pools too small for any estimate, which the figures show
            try:
                estimate = self._estimate(texts, ratings)
            except ValueError:
                return lambda wanted: np.full(len(wanted), mean_rating)

        def estimates(wanted: Sequence[str]) -> Floats:
            values = estimate(wanted)
            return np.where(np.isnan(values), mean_rating, values)

        return estimates

    def _estimate(self, texts: Sequence[str], ratings: Floats) -> Estimates:
        if self.on_parts is not None:
            return self.on_parts(texts, ratings)
        metric = self.make(texts, ratings)
        return lambda wanted: np.asarray(metric.predict(list(wanted)).values)


def candidates(texts: Sequence[str], ratings: Floats, *, quality_estimator: bool = True) -> list[Candidate]:
    """Return what is compared on distinct rated texts: the published rule, the same by similarity, a trained estimator.

    The threshold of the second is sought once, on all texts: no rating plays a part in it, so that it can be held fixed
    while texts are left out.

    Args:
        texts: n distinct texts.
        ratings: shape (n,).
        quality_estimator: whether the trained estimator may be among them.
    """
    threshold = BLEUNeighbors(n_jobs=-1, progress=False).fit(texts, ratings).threshold_
    found = [
        Candidate(
            "published rule",
            "BLEU Neighbors as published: the mean rating of the texts that resemble a text, none where few do",
            lambda t, r: BLEUNeighbors.published(n_jobs=-1, progress=False).fit(t, r),
            "BLEUNeighbors.published()",
        ),
        Candidate(
            "similarity weights",
            "BLEU Neighbors with neighbours that count by their similarity, and a threshold that covers the ratings",
            lambda t, r: BLEUNeighbors(threshold, n_jobs=-1, progress=False).fit(t, r),
            "BLEUNeighbors()",
        ),
    ]
    if quality_estimator and len(texts) >= FEWEST_FOR_QUALITY_ESTIMATION and all(text.strip() for text in texts):
        found.append(
            Candidate(
                "quality estimator",
                "ridge regression on n-grams and on what language models say of a text",
                lambda t, r: QualityEstimator().fit(t, r),
                "QualityEstimator()",
                shared_reading(texts),
            )
        )
    return found


def shared_reading(texts: Sequence[str]) -> Callable[[Sequence[str], Floats], Estimates]:
    """Return what fits `QualityEstimator()` on parts of n distinct texts, as often as there are folds.

    To read a text, with its n-grams and what language models say of it, takes most of a fit's time: here each is read
    once. What is returned takes texts and their ratings, gives what estimates others of the n texts, and raises as
    `QualityEstimator.fit` does.

    Args:
        texts: n distinct texts, none of them empty.
    """
    row = {text: place for place, text in enumerate(texts)}
    described = TextFeatures.of(texts, None, choose_scope(None))

    def part_of(some: Sequence[str]) -> TextFeatures:
        return described.subset(np.array([row[text] for text in some], dtype=np.int64))

    def fit(some: Sequence[str], ratings: Floats) -> Estimates:
        values = ratings_to_learn_from(ratings, len(some))
        part = part_of(some)
        groups = group_numbers(None, part.readings)
        model = KernelModel.fit(part, values, groups, min_df=QualityEstimator.min_df, seed=QualityEstimator().seed)
        return lambda wanted: np.asarray(model.predict(part_of(wanted)))

    return fit
