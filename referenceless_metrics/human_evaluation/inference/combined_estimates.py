"""Estimates of several metrics as one: the weights come from the ratings, no output's from its own.

Ratings are regressed on the metrics' estimates within systems, by ridge regression whose penalty leave-one-out errors
choose. It is cross-fitted: an output's estimate has weights from other items' ratings, so that prediction-powered
inference stays valid (Zrnic & Candès 2024, "Cross-prediction-powered inference", PNAS 121(15)). However many metrics
there are, and however they were chosen before the ratings, this is one analysis.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from referenceless_metrics.assessment.folds import random_folds, splits
from referenceless_metrics.core.support.validation import Floats, Integers

_FOLDS, _SEED = 10, 12345
_PENALTIES = np.logspace(-3, 3, 13)  # times the number of ratings, of standardised estimates


def combined_estimates(
    estimates: Sequence[Sequence[Floats]], ratings: Sequence[Floats], items: Sequence[Sequence[Hashable]]
) -> tuple[list[Floats], Floats]:
    """Return one estimate of each output, in the unit of the ratings around its system's mean, and the mean weights.

    Args:
        estimates: by metric and system, the estimates of its n outputs, shape (n,) each; an abstention, NaN, stands for
            the mean.
        ratings: the ratings by system, shape (n,) each, NaN if an output is unrated.
        items: the item of each output, by system; outputs of one item are left out together.

    Returns:
        By system the combined estimates, shape (n,); and by metric the weight of its standardised estimates, the mean
        over folds.
    """
    lengths = [len(values) for values in ratings]
    system = np.repeat(np.arange(len(lengths)), lengths)
    features = np.stack([np.concatenate(of_metric) for of_metric in estimates], axis=1)
    mean, spread = np.nanmean(features, axis=0), np.nanstd(features, axis=0)
    features = np.nan_to_num((features - mean) / np.where(spread > 0, spread, 1.0))
    rating = np.concatenate(ratings)
    numbers: dict[Hashable, int] = {}
    item = np.array([numbers.setdefault(name, len(numbers)) for of_system in items for name in of_system])
    rated, unrated = np.flatnonzero(~np.isnan(rating)), np.isnan(rating)
    centres = [unrated & (system == place) for place in range(len(lengths))]
    centres = [rows if rows.any() else system == place for place, rows in enumerate(centres)]
    combined, weights = np.zeros(len(rating)), np.zeros(features.shape[1])
    folds = random_folds(item[rated], min(_FOLDS, len(np.unique(item[rated]))), _SEED)
    for others, fold in splits(folds):
        outside, inside = rated[others], rated[fold]
        fitted = _within_systems(features[outside], rating[outside], system[outside])
        values, share = features @ fitted, len(inside) / len(rated)
        # A value that is equal for all outputs of a system tells nothing of it, and differs from fold to fold.
        values -= np.array([values[rows].mean() for rows in centres])[system]
        combined[inside] = values[inside]
        combined[unrated] += share * values[unrated]
        weights += share * fitted
    return np.split(combined, np.cumsum(lengths)[:-1]), weights


def _within_systems(features: Floats, ratings: Floats, systems: Integers) -> Floats:
    """Return the weights of a ridge regression on features and ratings around their systems' means, shape (features,).

    The penalty has the least squared leave-one-out error, in closed form by the hat matrix's diagonal.
    """
    counts = np.bincount(systems)
    known = np.maximum(counts, 1)
    centred = ratings - (np.bincount(systems, ratings) / known)[systems]
    means = np.stack([np.bincount(systems, column) / known for column in features.T], axis=1)
    left, values, right = np.linalg.svd(features - means[systems], full_matrices=False)
    along = left.T @ centred
    best: tuple[float, Floats] = (np.inf, np.zeros(features.shape[1]))
    for penalty in _PENALTIES * len(ratings):
        shrunk = values**2 / (values**2 + penalty)
        leverage = (left**2) @ shrunk + 1 / counts[systems]  # the system's mean is fitted, too
        errors = (centred - left @ (shrunk * along)) / np.maximum(1 - leverage, 1e-9)
        error = float(np.mean(errors[leverage < 1 - 1e-9] ** 2)) if (leverage < 1 - 1e-9).any() else np.inf
        if error < best[0]:
            best = error, right.T @ (shrunk / np.where(values > 0, values, 1.0) * along)
    return best[1]
