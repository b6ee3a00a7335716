"""Prediction-powered means of outputs that are rated once each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metric_commons.systems.inference import LEVEL, Inference
from metric_commons.systems.rated_means import RatedOutputs


def rated_once(
    ratings: NDArray[np.float64], estimates: NDArray[np.float64], unrated: NDArray[np.float64]
) -> RatedOutputs:
    """Return n ratings with the estimates of their outputs, and those of m unrated ones."""
    n, places = len(ratings), np.arange(len(ratings) + len(unrated))
    return RatedOutputs(ratings, places[:n], None, [places], np.ones(len(places)), np.concatenate([estimates, unrated]))


def means(
    ratings: NDArray[np.float64],
    estimates: NDArray[np.float64],
    unrated: NDArray[np.float64],
    power: float | None = None,
) -> tuple[Inference, Inference, float]:
    """Return the mean from ratings alone, from ratings and estimates, and λ."""
    alone, found, power = rated_once(ratings, estimates, unrated).mean(LEVEL, skewed=True, power=power)
    return alone.said, found.said, power


def mean_of_ratings(ratings: NDArray[np.float64]) -> Inference:
    """Return the mean of ratings alone."""
    return means(ratings, np.zeros(len(ratings)), np.zeros(0))[0]


def less(one: Inference, other: Inference) -> Inference:
    """Return the difference of two independent means."""
    return one.plus(-other.value, other.standard_error**2, other.degrees_of_freedom)
