"""Agreement of a metric with people about pairs: of systems, and of systems' outputs for one item, as WMT counts it.

Three shares, 1 for full agreement. *Pairwise accuracy* is the share of pairs of systems that the metric's means order
as people's do (Kocmi et al. 2021, "To ship or not to ship", WMT). *Soft pairwise accuracy* compares how sure both are
(Thompson, Mathur, Deutsch & Khayrallah 2024, "Improving statistical significance in human evaluation of automatic
metrics via soft pairwise accuracy", WMT): one less the mean distance of their p. *Accuracy with ties* is of pairs of
outputs of one item, in which a metric may tie as people do (Deutsch, Foster & Freitag 2023, "Ties matter:
Meta-evaluating modern metrics with pairwise accuracy and tie calibration", EMNLP). The definitions are those of
google-research/mt-metrics-eval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers

FEWEST_SYSTEMS = 3
"""Fewest systems for figures of their order: of two there is one pair."""

N_PERMUTATIONS = 1000
"""Permutations of a test, as in WMT."""

_N_BATCHES = 10
"""Batches of permutations, which give the Monte Carlo error."""


@dataclass(frozen=True)
class SoftAccuracy:
    """Soft pairwise accuracy.

    Attributes:
        value: from 0 to 1.
        error: its Monte Carlo standard error: permutations are drawn.
    """

    value: float
    error: float


@dataclass(frozen=True)
class TieCalibrated:
    """Accuracy with ties.

    Attributes:
        value: the share of pairs about which metric and people agree, the mean over items.
        threshold: the largest difference of two scores that counts as a tie: the one with the greatest accuracy.
    """

    value: float
    threshold: float


def pairwise_accuracy(metric: Floats, human: Floats) -> float:
    """Return the share of pairs of systems that two sets of means order alike; of equal means only equal ones agree.

    Args:
        metric: the metric's mean of each system, shape (systems,).
        human: people's mean of each system, shape (systems,).

    >>> round(pairwise_accuracy(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 4)
    0.6667
    """
    first, second = np.triu_indices(len(metric), 1)
    return float(np.mean(np.sign(metric[first] - metric[second]) == np.sign(human[first] - human[second])))


def random_signs(
    n_items: int, n_permutations: int = N_PERMUTATIONS, seed: int = 0, *, clusters: Integers | None = None
) -> Floats:
    """Return which items change sides in each permutation, as 1 and −1, shape (permutations, items).

    Args:
        n_items: number of items.
        n_permutations: number of permutations.
        seed: seed of the random draws.
        clusters: the number of each item's cluster, from 0 up, shape (items,): items of one change sides together. None
            for independent items, as WMT takes them.
    """
    of_item = np.arange(n_items) if clusters is None else clusters
    n_units = int(of_item.max(initial=-1)) + 1
    signs: Floats = np.random.default_rng(seed).choice([-1.0, 1.0], size=(n_permutations, n_units))
    return signs[:, of_item]


def soft_pairwise_accuracy(metric: Floats, human: Floats, signs: Floats) -> SoftAccuracy:
    """Return soft pairwise accuracy: one less the mean of |p − p'| over pairs of systems.

    p is that of the hypothesis that the first system is better, by a permutation test on its items: the share of
    permutations in which the sum of differences is at least that which was found.

    Args:
        metric: the metric's scores, shape (systems, items), finite.
        human: people's, shape (systems, items), finite.
        signs: see `random_signs`.
    """
    by_metric, by_people = _at_least(metric, signs), _at_least(human, signs)
    n = len(signs) // _N_BATCHES
    batches = [slice(n * batch, n * (batch + 1)) for batch in range(_N_BATCHES)]
    of_batches = [_alike(by_metric[batch], by_people[batch]) for batch in batches]
    return SoftAccuracy(_alike(by_metric, by_people), float(np.std(of_batches, ddof=1)) / math.sqrt(_N_BATCHES))


def soft_accuracy_with(human: Floats, signs: Floats) -> Callable[[Floats], float]:
    """Return the function from a metric's scores to their soft pairwise accuracy with these ratings.

    People's p are computed once, and no error, so that it can be called for each of many permutations.

    Args:
        human: people's scores, shape (systems, items), finite.
        signs: see `random_signs`.
    """
    by_people = _at_least(human, signs)
    return lambda metric: _alike(_at_least(metric, signs), by_people)


def _alike(by_metric: Floats, by_people: Floats) -> float:
    """Return one less the mean distance of the p of metric and people, from permutations that reached the observed."""
    return 1 - float(np.abs(by_metric.mean(axis=0) - by_people.mean(axis=0)).mean())


def soft_difference_error(metric: Floats, other: Floats, human: Floats, signs: Floats) -> float:
    """Return the Monte Carlo standard error of the difference of two metrics' soft pairwise accuracy, by batches.

    Args:
        metric: the metric's scores, shape (systems, items), finite.
        other: the other metric's, likewise.
        human: people's, likewise.
        signs: see `random_signs`.
    """
    by_one, by_other, by_people = (_at_least(scores, signs) for scores in (metric, other, human))
    batches = np.array_split(np.arange(len(signs)), min(_N_BATCHES, len(signs)))
    differences = [
        _alike(by_one[batch], by_people[batch]) - _alike(by_other[batch], by_people[batch]) for batch in batches
    ]
    return float(np.std(differences, ddof=1)) / math.sqrt(len(batches)) if len(batches) > 1 else 0.0


def _at_least(scores: Floats, signs: Floats) -> Floats:
    """Return True for each permuted difference that is at least the observed one, shape (permutations, pairs)."""
    first, second = np.triu_indices(len(scores), 1)
    permuted, found = signs @ scores.T, scores.sum(axis=1)
    differences = permuted[:, first] - permuted[:, second]
    # Differences that are equal but for rounding count as equal.
    rounding = 1e-9 * np.abs(scores).sum(axis=1).max()
    reached: Floats = (differences >= found[first] - found[second] - rounding).astype(float)
    return reached


def tie_calibrated_accuracy(metric: Floats, human: Floats) -> TieCalibrated:
    """Return accuracy with ties, at the threshold for which it is greatest (acc*_eq of Deutsch et al., Eq. 7).

    A pair of outputs of one item agrees if people and the metric order it alike, or both tie: people if their scores
    are equal, the metric if its scores differ by no more than the threshold. The mean is over items, each with the mean
    over its pairs.

    Args:
        metric: the metric's scores, shape (systems, items); NaN without a score.
        human: people's, shape (systems, items); NaN without a score.

    >>> metric, human = np.array([[0.1], [0.2], [0.9]]), np.array([[1.0], [1.0], [2.0]])
    >>> found = tie_calibrated_accuracy(metric, human)
    >>> found.value, round(found.threshold, 2)
    (1.0, 0.1)
    """
    first, second = np.triu_indices(len(metric), 1)
    by_metric, by_people = metric[first] - metric[second], human[first] - human[second]
    known = np.isfinite(by_metric) & np.isfinite(by_people)
    with np.errstate(divide="ignore"):
        weights = 1 / known.sum(axis=0) / max(int(known.any(axis=0).sum()), 1)
    weight = np.broadcast_to(weights, known.shape)[known]
    distances, people = np.abs(by_metric[known]), by_people[known]
    if not len(distances):
        return TieCalibrated(math.nan, math.nan)
    ordered_alike = np.sign(by_metric[known]) == np.sign(people)
    gains = weight * ((people == 0).astype(float) - ordered_alike)
    order = np.argsort(distances, kind="stable")
    # The accuracy once all pairs up to each distance are ties; a threshold takes all pairs of its distance.
    reached = (weight @ ordered_alike) + np.concatenate([[0.0], np.cumsum(gains[order])])
    thresholds = np.concatenate([[0.0], distances[order]])
    is_last = np.append(thresholds[1:] != thresholds[:-1], True)
    best = int(np.argmax(np.round(reached[is_last], 12)))
    return TieCalibrated(float(reached[is_last][best]), float(thresholds[is_last][best]))


@dataclass(frozen=True)
class MetricDifference:
    """A difference of two metrics in their agreement with people.

    Attributes:
        value: the difference of the two figures.
        p_value: two-sided, by permutations of the two metrics' scores.
        error: its Monte Carlo standard error, with that of the figures themselves.
        is_least: whether this p is the least that the permutations can give: an upper limit.
    """

    value: float
    p_value: float
    error: float
    is_least: bool = False


def metric_difference(
    metric: Floats,
    other: Floats,
    figure: Callable[[Floats], float],
    *,
    n_permutations: int = N_PERMUTATIONS,
    seed: int = 0,
    clusters: Integers | None = None,
    value_error: float = 0.0,
) -> MetricDifference:
    """Return the difference of two metrics' figures, with p by swapping their scores.

    Both are brought to mean 0 and variance 1. In each permutation each output's two scores change sides with a
    probability of one half, a system's outputs of one cluster together, and both figures are computed anew, with
    thresholds of their own (PERM-BOTH of Deutsch, Dror & Roth 2021, "A statistical analysis of summarization evaluation
    metrics using resampling methods", TACL 9).

    Args:
        metric: shape (systems, items), NaN without a score.
        other: shape (systems, items), NaN in the same places.
        figure: makes the figure of a metric's scores.
        n_permutations: number of permutations.
        seed: seed of the random draws.
        clusters: see `random_signs`.
        value_error: Monte Carlo standard error of the difference of both figures, if these are random themselves.
    """
    generator = np.random.default_rng(seed)
    of_item = np.arange(metric.shape[1]) if clusters is None else clusters
    n_units = int(of_item.max(initial=-1)) + 1
    one, two = _standardised(metric), _standardised(other)
    found = figure(one) - figure(two)
    permuted = np.empty(n_permutations)
    for place in range(n_permutations):
        stays = (generator.random((len(one), n_units)) < 0.5)[:, of_item]
        permuted[place] = abs(figure(np.where(stays, one, two)) - figure(np.where(stays, two, one)))

    def share_from(least: float) -> float:
        return (np.count_nonzero(permuted >= least - 1e-12) + 1) / (n_permutations + 1)

    p = share_from(abs(found))
    of_value = (share_from(abs(found) - value_error) - share_from(abs(found) + value_error)) / 2
    error = math.hypot(math.sqrt(p * (1 - p) / n_permutations), of_value)
    return MetricDifference(found, p, error, is_least=not (permuted >= abs(found) - 1e-12).any())


def _standardised(scores: Floats) -> Floats:
    spread = float(np.nanstd(scores))
    return (scores - np.nanmean(scores)) / (spread if spread > 0 else 1.0)
