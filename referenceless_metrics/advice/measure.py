"""The ways to estimate ratings that advice compares: what each, and the choice among them, does on texts left out."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from metric_commons.assessment.agreement import Agreement, agreement, on_common_mean
from metric_commons.assessment.folds import random_folds, splits
from metric_commons.assessment.meta_evaluation import fisher_interval, rank_correlation
from metric_commons.support.validation import Floats, Integers
from quality_estimation_metric.estimator import QualityEstimator
from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.kernel_model.model import KernelModel
from quality_estimation_metric.rated_inputs import group_numbers, ratings_to_learn_from
from quality_estimation_metric.sources.slot_errors import choose_scope

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


N_FOLDS = 5
_SURE = 0.8  # of the interval of ρ whose lower end must be above 0: one-sided, 10 %

MANY_TEXTS = 1_000
"""From so many distinct texts on, three folds are enough: what is left out shows a correlation within ± .1 then."""

FEW_TEXTS = 300
"""With fewer distinct texts, the folds are repeated three times; up to `MANY_TEXTS` twice."""


@dataclass(frozen=True, eq=False)
class LeftOut:
    """c candidates on n texts that were left out in k folds.

    Attributes:
        fold: of each text, shape (n,).
        estimates: of each candidate, shape (c, n), finite.
        correlations: Spearman's ρ of each candidate within each fold, shape (c, k).
        training_means: of each text, the mean of the ratings that its estimates were trained on, shape (n,).
    """

    fold: Integers
    estimates: Floats
    correlations: Floats
    training_means: Floats

    @property
    def weights(self) -> Floats:
        """How much each fold counts: its texts less 3, the information in a correlation of so many."""
        return np.asarray(np.maximum(np.bincount(self.fold) - 3.0, 0.0))

    @property
    def means(self) -> Floats:
        """The mean correlation of each candidate over the folds, shape (c,)."""
        return pooled(self.correlations, self.weights)

    @property
    def choices(self) -> Integers:
        """For each fold the candidate that is best on the other folds (nested cross-validation), shape (k,)."""
        others = self.weights * ~np.eye(len(self.weights), dtype=bool)
        return np.array([pooled(self.correlations, weights).argmax() for weights in others], dtype=np.int64)

    @property
    def nested_cv_score(self) -> float:
        """The mean correlation of what is best, each fold being measured with its own of `choices`."""
        return float(pooled(self.correlations[self.choices, np.arange(len(self.weights))], self.weights))

    @property
    def nested_estimates(self) -> Floats:
        """Each text's estimate by its fold's own of `choices`, shape (n,)."""
        return np.asarray(self.estimates[self.choices[self.fold], np.arange(len(self.fold))])


@dataclass(frozen=True, eq=False)
class RepeatedFolds:
    """Candidates on texts that were left out, with the texts put into folds several times.

    The figures of one time hold the chance of its folds; the mean of several holds less of it (Kim 2009, "Estimating
    classification error rate: repeated cross-validation, repeated hold-out and bootstrap", section 2).

    Attributes:
        each: what was left out, one entry a time.
    """

    each: tuple[LeftOut, ...]

    @property
    def means(self) -> Floats:
        """The mean correlation of each candidate over all folds, shape (c,)."""
        return pooled(np.stack([one.means for one in self.each], axis=1), np.ones(len(self.each)))

    @property
    def nested_cv_score(self) -> float:
        """The mean correlation of what is best, as of `LeftOut`."""
        return float(pooled(np.array([one.nested_cv_score for one in self.each]), np.ones(len(self.each))))

    def interval(self, value: float, *, level: float = 0.95) -> tuple[float, float]:
        """Return the interval of a Spearman's ρ that is the mean over folds (see `fisher_interval`).

        The variance of the z of one ρ is (1 + ρ²/2) / (n − 3) (Bonett & Wright 2000, "Sample size requirements for
        estimating Pearson, Kendall and Spearman correlations", Psychometrika 65), which holds for higher ρ too.

        Folds learn from one another's texts, so that their correlations go up and down together: the mean over k
        folds, repeated r times, has not 1 / n of the variance but (1 / r + k / (k − 1)) / n (Nadeau & Bengio 2003,
        "Inference for the generalization error", Machine Learning 52; for repeated folds Bouckaert & Frank 2004,
        "Evaluating the replicability of significance tests for comparing learning algorithms", PAKDD). Without that,
        noise passes for more than noise.
        """
        bounded = float(np.clip(value, -0.999, 0.999))
        fold = self.each[0].fold
        n_folds = int(fold.max()) + 1
        inflation = 1 / len(self.each) + n_folds / (n_folds - 1)
        return fisher_interval(bounded, len(fold), level, variance=inflation * (1 + bounded**2 / 2))

    @property
    def warns(self) -> bool:
        """Whether the expected ρ is no promise: the 80 % interval of what was seen, of the choice, reaches 0.

        Of ratings that were shuffled, 80 to 90 % are warned of (HUSE's headlines, TGen's outputs in nlg-ratings, 200
        outputs of Simplicity-DA); 68 to 78 % where the interval does not count that folds share texts. Few ratings pay
        for it: of 111 that allow a ρ of .18, 31 in 100 draws are warned of too. To warn of 10 would let 30 % of
        shuffled ratings pass.
        """
        return not self.interval(self.nested_cv_score, level=_SURE)[0] > 0


def leave_out(
    candidates: Sequence[Candidate],
    texts: Sequence[str],
    ratings: Floats,
    fold: Integers,
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
    estimates = np.empty((len(candidates), len(texts)))
    training_means = np.empty(len(texts))
    correlations = []
    generator = np.random.default_rng(seed)
    for outside, inside in splits(fold):
        if share < 1:
            outside = np.sort(generator.choice(outside, max(2, round(share * len(outside))), replace=False))
        training_means[inside] = ratings[outside].mean()
        wanted, known = [texts[i] for i in inside.tolist()], [texts[i] for i in outside.tolist()]
        found = [candidate.fit(known, ratings[outside])(wanted) for candidate in candidates]
        estimates[:, inside] = found
        correlations.append([rank_correlation(values, ratings[inside]) for values in found])
    return LeftOut(fold, estimates, np.array(correlations).T, training_means)


def repeated_folds(n: int, seed: int = 12345) -> list[Integers]:
    """Put n texts into folds as often as their number deserves, shape (n,) each."""
    n_repeats = 3 if n < FEW_TEXTS else 2 if n < MANY_TEXTS else 1
    n_folds = 3 if n >= MANY_TEXTS else N_FOLDS
    return [random_folds(np.arange(n), n_folds, seed + number) for number in range(n_repeats)]


def group_folds(groups: Integers, seed: int = 12345) -> Integers:
    """Put numbered groups into folds, shape (n,): of five groups or fewer each is one."""
    n_groups = int(groups.max()) + 1
    most = 3 if len(groups) >= MANY_TEXTS and n_groups > N_FOLDS else N_FOLDS
    return random_folds(groups, min(most, n_groups), seed)


def assess(
    estimates: Floats,
    training_means: Floats,
    texts: Sequence[str],
    ratings: Floats,
) -> Agreement:
    """Return how estimates of texts left out agree with the ratings (see `Agreement.verdict`).

    Args:
        estimates: shape (n,).
        training_means: as of `LeftOut`, shape (n,).
        texts: n texts.
        ratings: shape (n,).
    """
    moved = on_common_mean(estimates, training_means, ratings)
    return agreement(moved, ratings, texts, baseline=float(ratings.mean()), n_resamples=1000)


def pooled(correlations: Floats, weights: Floats) -> Floats:
    """Return the weighted mean of correlations over the last axis, taken of Fisher's z; an undefined one is 0."""
    if not weights.sum() > 0:
        return np.full(correlations.shape[:-1], np.nan)
    z = np.arctanh(np.clip(np.nan_to_num(correlations), -0.999, 0.999))
    return np.asarray(np.tanh(np.average(z, axis=-1, weights=weights)))


def extrapolate_to_full_data(correlation: float, gain: float, n_folds: int) -> float:
    """Return what a correlation becomes when all texts train and not all folds but one.

    A correlation grows with the logarithm of the number of ratings, about, by `gain` when that doubles.

    >>> round(extrapolate_to_full_data(0.4, 0.05, 5), 3)
    0.416
    """
    return min(correlation + gain * math.log2(n_folds / (n_folds - 1)), 0.999)
