"""What each candidate, and the choice among them, does on texts that were left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.agreement import Agreement, agreement, on_one_centre
from metric_commons.assessment.correlation_tests import fisher_interval
from metric_commons.assessment.meta_evaluation import rank_correlation
from referenceless_metrics.advice.candidates import Candidate

N_FOLDS = 5
MANY_TEXTS = 1_000
"""From so many distinct texts on, three folds are enough: what is left out shows a correlation within ± .1 then."""

FEW_TEXTS = 300
"""With fewer distinct texts, three deals into folds are averaged; up to `MANY_TEXTS` two."""


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Candidates on texts that were left out in folds.

    Attributes:
        fold: of each of n texts, shape (n,).
        estimates: of each candidate, shape (n,), finite.
        correlations: Spearman's ρ within each fold, shape (folds,), for each candidate.
        centres: of each text, the mean of the ratings that its estimates were trained on, shape (n,).
    """

    fold: NDArray[np.int64]
    estimates: dict[str, NDArray[np.float64]]
    correlations: dict[str, NDArray[np.float64]]
    centres: NDArray[np.float64]

    @property
    def weights(self) -> NDArray[np.float64]:
        """How much each fold counts: its texts less 3, the information in a correlation of so many."""
        return np.asarray(np.maximum(np.bincount(self.fold) - 3.0, 0.0), dtype=np.float64)

    def mean(self, name: str) -> float:
        """Return a candidate's mean correlation over the folds."""
        return pooled(self.correlations[name], self.weights)

    def best(self, without: int | None = None) -> str:
        """Return the candidate with the highest mean correlation; of a fold that is left out, as the others say."""
        weights = self.weights
        if without is not None:
            weights[without] = 0.0
        return max(self.correlations, key=lambda name: pooled(self.correlations[name], weights))

    @property
    def choices(self) -> list[str]:
        """Of each fold, what the other folds say is best: so the choice is not paid for with what it is measured on."""
        return [self.best(without=fold) for fold in range(len(self.weights))]

    @property
    def of_the_choice(self) -> float:
        """The mean correlation of what is best, each fold being measured with its own of `choices`."""
        values = [self.correlations[name][fold] for fold, name in enumerate(self.choices)]
        return pooled(np.array(values), self.weights)

    @property
    def estimates_of_the_choice(self) -> NDArray[np.float64]:
        """Each text's estimate by its fold's own of `choices`, shape (n,)."""
        stacked = np.stack([self.estimates[name] for name in self.choices])
        return np.asarray(stacked[self.fold, np.arange(len(self.fold))])


@dataclass(frozen=True, eq=False)
class Deals:
    """Candidates on texts that were left out, in one deal of the texts into folds after another.

    One deal's figures hold the chance of its folds; the mean of several holds less of it (Kim 2009, "Estimating
    classification error rate: repeated cross-validation, repeated hold-out and bootstrap", section 2).

    Attributes:
        each: the deals.
    """

    each: tuple[LeftOut, ...]

    def mean(self, name: str) -> float:
        """Return a candidate's mean correlation over the folds of all deals."""
        return _mean([deal.mean(name) for deal in self.each])

    def interval(self, value: float, *, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a mean correlation (see `cross_validated_interval`)."""
        fold = self.each[0].fold
        return cross_validated_interval(value, len(fold), int(fold.max()) + 1, len(self.each), level=level)

    @property
    def best(self) -> str:
        """The candidate with the highest mean correlation."""
        return max(self.each[0].correlations, key=self.mean)

    @property
    def of_the_choice(self) -> float:
        """The mean correlation of what is best, as of `LeftOut`."""
        return _mean([deal.of_the_choice for deal in self.each])


def leave_out(
    candidates: Sequence[Candidate],
    texts: Sequence[str],
    ratings: NDArray[np.float64],
    fold: NDArray[np.int64],
    *,
    share: float = 1.0,
    seed: int = 12345,
) -> LeftOut:
    """Estimate each fold's texts by candidates that were trained on the other folds.

    Args:
        candidates: what is trained.
        texts: n distinct texts.
        ratings: shape (n,).
        fold: of each text, from 0 upwards, shape (n,).
        share: of the other folds' texts to train on, drawn at random: what fewer ratings would do.
        seed: of that draw.
    """
    estimates = {candidate.name: np.empty(len(texts)) for candidate in candidates}
    centres = np.empty(len(texts))
    generator = np.random.default_rng(seed)
    for number in range(int(fold.max()) + 1):
        inside, outside = np.flatnonzero(fold == number), np.flatnonzero(fold != number)
        if share < 1:
            outside = np.sort(generator.choice(outside, max(2, round(share * len(outside))), replace=False))
        centres[inside] = ratings[outside].mean()
        wanted, known = [texts[i] for i in inside.tolist()], [texts[i] for i in outside.tolist()]
        for candidate in candidates:
            fitted = candidate.fit(known, ratings[outside])
            estimates[candidate.name][inside] = fitted(wanted)
    correlations = {
        name: np.array([_rank(values[fold == k], ratings[fold == k]) for k in range(int(fold.max()) + 1)])
        for name, values in estimates.items()
    }
    return LeftOut(fold, estimates, correlations, centres)


def random_folds(n: int, seed: int = 12345) -> NDArray[np.int64]:
    """Deal n texts into folds, shape (n,)."""
    n_folds = 3 if n >= MANY_TEXTS else N_FOLDS
    return np.asarray(np.random.default_rng(seed).permutation(n) % n_folds, dtype=np.int64)


def deals_of_folds(n: int, seed: int = 12345) -> list[NDArray[np.int64]]:
    """Deal n texts into folds as often as their number deserves, shape (n,) each."""
    n_deals = 3 if n < FEW_TEXTS else 2 if n < MANY_TEXTS else 1
    return [random_folds(n, seed + deal) for deal in range(n_deals)]


def group_folds(groups: Sequence[str], seed: int = 12345) -> NDArray[np.int64]:
    """Deal groups into folds, shape (n,): of five groups or fewer each is one."""
    names, of = np.unique(np.asarray(groups, dtype=object), return_inverse=True)
    most = 3 if len(groups) >= MANY_TEXTS and len(names) > N_FOLDS else N_FOLDS
    of_group = np.random.default_rng(seed).permutation(len(names)) % min(most, len(names))
    return np.asarray(of_group[of], dtype=np.int64)


def worth(
    estimates: NDArray[np.float64],
    centres: NDArray[np.float64],
    texts: Sequence[str],
    ratings: NDArray[np.float64],
    seed: int = 12345,
) -> Agreement:
    """Return how estimates of texts left out agree with the ratings (see `Agreement.verdict`).

    Args:
        estimates: shape (n,).
        centres: as of `LeftOut`, shape (n,).
        texts: n texts.
        ratings: shape (n,).
        seed: of the bootstrap.
    """
    moved = on_one_centre(estimates, centres, ratings)
    return agreement(moved, ratings, texts, baseline=float(ratings.mean()), n_resamples=1000, seed=seed)


def pooled(correlations: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the weighted mean of correlations, taken of Fisher's z; an undefined one is 0."""
    if not weights.sum() > 0:
        return float("nan")
    z = np.arctanh(np.clip(np.nan_to_num(correlations), -0.999, 0.999))
    return float(np.tanh(np.average(z, weights=weights)))


def with_all(correlation: float, gain: float, n_folds: int) -> float:
    """Return what a correlation becomes when all texts train and not all folds but one.

    A correlation grows with the logarithm of the number of ratings, about, by `gain` when that doubles.

    >>> round(with_all(0.4, 0.05, 5), 3)
    0.416
    """
    return min(correlation + gain * math.log2(n_folds / (n_folds - 1)), 0.999)


def spearman_interval(value: float, n: int, *, level: float = 0.95, inflation: float = 1.0) -> tuple[float, float]:
    """Return the interval of Spearman's ρ from n texts (see `fisher_interval`).

    The variance of its z is (1 + ρ²/2) / (n − 3) (Bonett & Wright 2000, "Sample size requirements for estimating
    Pearson, Kendall and Spearman correlations", Psychometrika 65), which holds for higher ρ too.

    >>> [round(end, 2) for end in spearman_interval(0.5, 100)]
    [0.33, 0.64]
    """
    bounded = float(np.clip(value, -0.999, 0.999))
    return fisher_interval(bounded, n, level, variance=inflation * (1 + bounded**2 / 2))


def cross_validated_interval(
    value: float, n: int, n_folds: int, n_deals: int, *, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of a Spearman's ρ that is the mean over folds.

    Folds learn from one another's texts, so that their correlations go up and down together: the mean over k folds of r
    deals has not 1 / n of the variance but (1 / r + k / (k − 1)) / n (Nadeau & Bengio 2003, "Inference for the
    generalization error", Machine Learning 52; for several deals Bouckaert & Frank 2004, "Evaluating the replicability
    of significance tests for comparing learning algorithms", PAKDD). Without that, noise passes for more than noise.

    Args:
        value: ρ.
        n: how many texts there are.
        n_folds: k.
        n_deals: r.
        level: of the interval.

    >>> [round(end, 2) for end in cross_validated_interval(0.5, 100, 5, 1)]
    [0.23, 0.7]
    """
    return spearman_interval(value, n, level=level, inflation=1 / n_deals + n_folds / (n_folds - 1))


def _mean(correlations: Sequence[float]) -> float:
    return pooled(np.array(correlations), np.ones(len(correlations)))


def _rank(estimates: NDArray[np.float64], ratings: NDArray[np.float64]) -> float:
    if len(ratings) < 3 or np.ptp(estimates) == 0 or np.ptp(ratings) == 0:
        return float("nan")
    return rank_correlation(estimates, ratings)
