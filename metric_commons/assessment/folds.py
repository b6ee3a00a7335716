"""Folds: which rated texts are left out together, and estimates by models that have not seen them.

Cross-fitting is for prediction-powered inference where the ratings also train the estimator: Zrnic & Candès (2024),
"Cross-prediction-powered inference", PNAS 121(15). The rated outputs are put into folds, and each fold is estimated by
a model that has not seen it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from metric_commons.support.validation import Floats, InputError, Integers, check_whole

Fit: TypeAlias = Callable[[list[str], Floats], Callable[[list[str]], ArrayLike]]
"""From rated texts to a function from texts to their estimates, NaN where it abstains."""


def trained_like(metric: Any) -> Fit:
    """Return what trains further estimators with the parameters of one, in silence."""
    parameters = metric.get_params()
    parameters |= {"progress": False} if "progress" in parameters else {}

    def fit(texts: list[str], ratings: Floats) -> Callable[[list[str]], ArrayLike]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of a pool too small for any estimate: its estimates are NaN
            other = type(metric)(**parameters).fit(texts, ratings)
        return lambda wanted: np.asarray(other.predict(wanted).values)

    return fit


def number_groups(keys: Iterable[Hashable]) -> Integers:
    """Number keys by first appearance; equal keys have equal numbers.

    >>> number_groups("abac").tolist()
    [0, 1, 0, 2]
    """
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)


def check_groups(groups: Sequence[str]) -> Integers:
    """Return each text's number of its group, in the order of the groups' names, shape (n,).

    Raises:
        InputError: for fewer than two groups, or a group of one text.
    """
    names, numbers, sizes = np.unique(np.asarray(groups, dtype=object), return_inverse=True, return_counts=True)
    if len(names) < 2:
        raise InputError(f"all {len(groups)} texts are of one group ({names[0]}): to leave one out takes at least two")
    if sizes.min() < 2:
        raise InputError(
            f"the group {names[sizes.argmin()]} has one text: a group needs at least two, and better dozens, to show "
            "how well its texts are estimated from the others"
        )
    return numbers


def random_folds(groups: Integers, n_folds: int, seed: int, *, by_size: bool = False) -> Integers:
    """Put whole groups into folds at random, shape (n,).

    Args:
        groups: the number of each text's group, shape (n,); `np.arange(n)` where each text is one.
        n_folds: how many folds; there are no more than groups.
        seed: of the order of the groups.
        by_size: whether folds shall hold nearly equal numbers of texts, and not of groups.
    """
    sizes = np.bincount(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    if not by_size:
        return np.asarray((order % n_folds)[groups])
    before = np.cumsum(sizes[order]) - sizes[order]
    folds = np.empty(len(sizes), dtype=np.int64)
    folds[order] = before * n_folds // max(1, len(groups))
    return folds[groups]


def splits(folds: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield the rows outside each fold, which train, and those inside, in the order of the folds' numbers."""
    for number in np.unique(folds):
        yield np.flatnonzero(folds != number), np.flatnonzero(folds == number)


def left_out_errors(errors: Floats, leverage: Floats) -> Floats:
    """Return what a linear fit misses of each rating when the rating is left out, in closed form.

    Args:
        errors: what the fit to all ratings misses of each, shape (n,).
        leverage: how much each rating moves its own fitted value, shape (n,).
    """
    return np.asarray(errors / np.maximum(1 - leverage, 1e-9))


def cross_fitted_estimates(
    fit: Fit,
    outputs: Sequence[str],
    ratings: Floats,
    *,
    pool_texts: Sequence[str] = (),
    pool_ratings: ArrayLike = (),
    n_folds: int = 10,
    seed: int = 12345,
) -> Floats:
    """Estimate all outputs of a system with models that its ratings help to train, no rated one with its own rating.

    An unrated output has the mean of the models' estimates. The estimates of a fold are shifted by how its model's mean
    over the unrated outputs differs from that of all models, so that the models' differences cancel.

    Args:
        fit: trains a model on rated texts.
        outputs: n texts.
        ratings: of the outputs, shape (n,), NaN for the unrated; at least one is rated.
        pool_texts: further rated texts, of any system, for every model.
        pool_ratings: their ratings, on the same scale.
        n_folds: at least 2; no more than there are rated outputs are used.
        seed: of the folds.

    Returns:
        Shape (n,), float64, finite: where a model abstains, its mean estimate of the unrated outputs stands.

    Raises:
        ValueError: for fewer than two folds.
    """
    check_whole(n_folds, "n_folds", 2)
    rated = np.flatnonzero(~np.isnan(ratings))
    unrated = np.flatnonzero(np.isnan(ratings))
    folds = random_folds(np.arange(len(rated)), min(n_folds, max(len(rated), 2)), seed)
    result = np.zeros(len(outputs))
    sum_unrated = np.zeros(len(unrated))
    means = np.zeros(len(rated))
    for others, fold in splits(folds):
        inside, outside = rated[fold], rated[others]
        predict = fit([*pool_texts, *(outputs[i] for i in outside)], np.concatenate([pool_ratings, ratings[outside]]))
        wanted = np.concatenate([inside, unrated])
        estimates = np.array(predict([outputs[i] for i in wanted]), dtype=float)
        of_unrated = estimates[len(inside) :]
        known = of_unrated[~np.isnan(of_unrated)]
        if not len(known):  # no unrated output, or none that the model covers
            known = estimates[~np.isnan(estimates)]
        mean = float(known.mean()) if len(known) else 0.0
        estimates[np.isnan(estimates)] = mean
        result[inside] = estimates[: len(inside)]
        means[fold] = mean
        sum_unrated += estimates[len(inside) :] * (len(inside) / len(rated))
    result[unrated] = sum_unrated
    if len(unrated):
        result[rated] += sum_unrated.mean() - means
    return result
