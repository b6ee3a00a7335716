"""Choosing τ, a and b on a pool: every setting measured by leaving each text out, from one pass over the pool.

How many neighbours a text has, and their mean, depend on τ alone; a and b only decide which estimates count. So one
pass gives both for all values of τ, and all settings are read from them.

Similarities of many candidates to a pool, block by block, and the coverage of several thresholds from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import Ratings, estimates, most_neighbors, tally_thresholds
from bleu_neighbors_metric.pool import GRID
from metric_commons.assessment.agreement import FEWEST_COVERED
from metric_commons.assessment.meta_evaluation import (
    Correlation,
    correlation,
    mean_of_others,
    mean_squared_error,
    rank_correlation,
)
from metric_commons.support.computing import progress_bar
from metric_commons.support.validation import Floats, Integers, check_number, check_numbers, check_texts

_LEAST = np.array([1e-6])  # similarity of two texts that share anything at all


def similarity_blocks(
    estimator: BLEUNeighbors, texts: Sequence[str] | None = None, description: str = "matching"
) -> Iterator[tuple[slice, Floats]]:
    """Yield candidates in order, as their places and their similarities to the pool, ABSENT to what cannot count.

    Blocks are made on `estimator.n_jobs` threads.

    Args:
        estimator: a fitted estimator; its threshold, a and b play no part.
        texts: the candidates; None for the pool's own texts, each of them ABSENT to itself.
        description: what the progress bar says.

    Raises:
        NotFittedError: before `fit`.
    """
    pool = estimator.pool
    candidates = estimator.texts_ if texts is None else texts
    places = np.arange(len(candidates), dtype=np.int64) if texts is None else None
    with progress_bar(len(candidates), description, estimator.progress) as bar:
        for which, similarity in pool.in_blocks(lambda *block: block, candidates, places, estimator.n_jobs):
            yield which, similarity
            bar.update(len(similarity))


def coverage_by_threshold(estimator: BLEUNeighbors, texts: Sequence[str] | None, thresholds: ArrayLike) -> Floats:
    """Return the share of candidates that each of several thresholds covers (Eq. 3), without their estimates.

    Args:
        estimator: a fitted estimator; its own threshold plays no part.
        texts: n candidates, at least one; None for the pool's own texts, each from the others.
        thresholds: values of τ in [0, 1], ascending, shape (t,).

    Returns:
        Coverage, shape (t,), float64.

    Raises:
        NotFittedError: before `fit`.
        TypeError: for a bare string or an item that is not a string.
        ValueError: for no texts.

    Example:
        >>> pool = ["the cat sat on the mat", "the cat sat on a mat", "cat the on mat sat sat", "mat mat mat"]
        >>> metric = BLEUNeighbors(min_neighbors=1).fit(pool, [0.9, 0.8, 0.2, 0.0])
        >>> coverage_by_threshold(metric, ["a cat sat on the mat", "colourless green ideas"], [0.7, 0.9]).tolist()
        [0.5, 0.0]
    """
    pool = estimator.pool
    places = np.arange(len(pool), dtype=np.int64) if texts is None else None
    candidates = estimator.texts_ if texts is None else check_texts(texts, "texts", allow_empty=False)
    values = np.asarray(thresholds, dtype=float)
    n_neighbors = pool.count_neighbors(candidates, values, excluded=places, n_jobs=estimator.n_jobs)
    most = int(most_neighbors(estimator.max_fraction, len(pool) - (texts is None)))
    covered = (n_neighbors >= estimator.min_neighbors) & (n_neighbors <= most)
    if estimator.weights == "similarity":  # neighbours that weigh nothing make no mean
        covered &= pool.count_neighbors(candidates, _LEAST, excluded=places, n_jobs=estimator.n_jobs) > 0
    return np.asarray(covered.mean(axis=1))


_N_THRESHOLDS = 61


@dataclass(frozen=True)
class CoverageCurves:
    """What share of some systems' candidates each threshold covers.

    Attributes:
        thresholds: from 0 to well beyond the one in use, which is among them, shape (t,).
        shares: one array of shape (t,) a system.
    """

    thresholds: Floats
    shares: tuple[Floats, ...]

    def rows(self, *marked: float) -> list[tuple[float, list[float]]]:
        """Return a dozen thresholds, and those that are marked, each with every system's share."""
        every = (len(self.thresholds) - 1) // 12
        return [
            (float(threshold), [float(line[i]) for line in self.shares])
            for i, threshold in enumerate(self.thresholds)
            if i % every == 0 or threshold in marked
        ]


def coverage_curves(estimator: BLEUNeighbors, systems: Sequence[Sequence[str]]) -> CoverageCurves:
    """Return the curves of systems, each with at least one candidate."""
    last = min(1.0, max(0.3, 3 * estimator.threshold_))
    thresholds = np.union1d(np.linspace(0.0, last, _N_THRESHOLDS), [estimator.threshold_])
    return CoverageCurves(thresholds, tuple(coverage_by_threshold(estimator, texts, thresholds) for texts in systems))


THRESHOLDS = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.24, 0.28, 0.32)
MIN_NEIGHBORS = (1, 2, 3, 5, 8, 12, 20, 30)
MAX_FRACTIONS = (0.2, 0.33, 0.5, 0.66, 0.8, 1.0)

WARNING = (
    "These settings were chosen on this very pool by leaving each text out. The best figure of many is flattered by "
    "the choice; measure it on other rated texts before reporting it, and never choose settings on a test set."
)


@dataclass(frozen=True)
class Profile:
    """The neighbours of each pool text among all others, at several thresholds.

    Attributes:
        thresholds: values of τ, shape (t,).
        n_neighbors: |N|, shape (t, n), int64.
        estimate: the (weighted) mean quality of the neighbours, shape (t, n); NaN where there are none.
        ratings: the pool's quality, shape (n,).
    """

    thresholds: Floats
    n_neighbors: Integers
    estimate: Floats
    ratings: Floats

    def estimates(self, which: int, min_neighbors: int, max_fraction: float) -> Floats:
        """Return the estimates of Eq. 3 at one threshold, by its position; NaN where a or b make them abstain."""
        most = most_neighbors(max_fraction, len(self.ratings) - 1)
        return estimates(self.estimate[which], self.n_neighbors[which], min_neighbors, most)


@dataclass(frozen=True)
class Setting:
    """One setting, measured by leaving each text of the pool out.

    Attributes:
        threshold: τ.
        min_neighbors: a.
        max_fraction: b.
        spearman: rank correlation of estimates and ratings over the covered texts; NaN where it is undefined.
        mse: mean squared error over the covered texts.
        baseline_mse: that of always predicting the mean of the other texts, over the same texts.
        coverage: share of texts with an estimate.
        n_covered: how many they are.
    """

    threshold: float
    min_neighbors: int
    max_fraction: float
    spearman: float
    mse: float
    baseline_mse: float
    coverage: float
    n_covered: int

    def as_row(self) -> dict[str, float | int]:
        """Return the setting as a row of a results table."""
        return {
            "tau": self.threshold,
            "a": self.min_neighbors,
            "b": self.max_fraction,
            "spearman": self.spearman,
            "mse": self.mse,
            "mse_of_mean": self.baseline_mse,
            "coverage": self.coverage,
            "n_covered": self.n_covered,
        }


@dataclass(frozen=True)
class Sweep:
    """All settings that were measured.

    Attributes:
        settings: one entry a setting, in the order of the grid.
        pareto: those that no other beats in both rank correlation and coverage, by descending coverage.
        best: the recommended one, with the highest rank correlation; None where no setting covers `FEWEST_COVERED`
            texts with a defined correlation.
        best_interval: its rank correlation with its interval; None where there is none.
        least_coverage: the least coverage that was accepted.
        n_texts: distinct texts in the pool.
    """

    settings: tuple[Setting, ...]
    pareto: tuple[Setting, ...]
    best: Setting | None
    best_interval: Correlation | None
    least_coverage: float
    n_texts: int

    @property
    def recommendation(self) -> str:
        """The recommended setting in a sentence, or why there is none."""
        best, interval = self.best, self.best_interval
        if any(one.n_covered >= FEWEST_COVERED and np.isnan(one.spearman) for one in self.settings):
            return "No setting is recommended: all ratings are equal, so nothing can correlate with them."
        if best is None or interval is None:
            return (
                f"No setting is recommended: none covers {self.least_coverage:.0%} of the {self.n_texts} texts (and "
                f"{FEWEST_COVERED} of them) with a defined rank correlation. Rate more texts, or lower "
                "--least-coverage."
            )
        return (
            f"recommended: --threshold {best.threshold:g} --min-neighbors {best.min_neighbors} --max-fraction "
            f"{best.max_fraction:g}  (Spearman {best.spearman:.3f}, 95% CI [{interval.low:.3f}, {interval.high:.3f}], "
            f"coverage {best.coverage:.3f}, MSE {best.mse:.4f})"
        )


def profile(estimator: BLEUNeighbors, thresholds: Sequence[float] = THRESHOLDS) -> Profile:
    """Find the neighbours of every pool text at every threshold, in one pass over the pool.

    Args:
        estimator: a fitted estimator; its kernel and weights are used, its threshold, a and b are not.
        thresholds: values of τ in [0, 1].

    Raises:
        NotFittedError: before `fit`.
        TypeError: for a threshold that is not a number.
        ValueError: for no threshold, or one outside [0, 1].
    """
    values = np.array(check_numbers(thresholds, "thresholds", minimum=0, maximum=1), dtype=float)
    shape, ratings = (len(values), len(estimator.pool)), Ratings.of(estimator.ratings_)
    count, mean = np.zeros(shape, dtype=np.int64), np.full(shape, np.nan)
    for which, similarity in similarity_blocks(estimator, description="sweeping"):
        tally = tally_thresholds(similarity, ratings, values, estimator.weights)
        count[:, which], mean[:, which] = tally.n_neighbors, tally.mean()
    return Profile(values, count, mean, estimator.ratings_)


def sweep(
    estimator: BLEUNeighbors,
    *,
    thresholds: Sequence[float] | None = None,
    min_neighbors: Sequence[int] = MIN_NEIGHBORS,
    max_fractions: Sequence[float] = MAX_FRACTIONS,
    least_coverage: float = 0.5,
) -> Sweep:
    """Measure every combination of τ, a and b by leaving each text of a pool out.

    Args:
        estimator: a fitted estimator; its kernel and weights are used.
        thresholds: values of τ; None for `THRESHOLDS`, or `GRID` for a kernel other than BLEU*, with another scale.
        min_neighbors: values of a.
        max_fractions: values of b.
        least_coverage: the least coverage of the recommended setting, in [0, 1].

    Raises:
        NotFittedError: before `fit`.
        TypeError: for a value that is not a number.
        ValueError: for an empty list or a value outside its range.
    """
    check_number(least_coverage, "least_coverage", 0, 1)
    fewest = [int(a) for a in check_numbers(min_neighbors, "min_neighbors", minimum=1, integer=True)]
    fractions = check_numbers(max_fractions, "max_fractions", minimum=0, maximum=1)
    if thresholds is None:
        thresholds = THRESHOLDS if estimator.kernel == "bleu_star" else GRID.tolist()
    pool_profile = profile(estimator, thresholds)
    settings = tuple(
        _measured(pool_profile, which, a, float(b))
        for which in range(len(pool_profile.thresholds))
        for a in fewest
        for b in fractions
    )
    eligible = [each for each in _credible(settings) if each.coverage >= least_coverage]
    best = max(eligible, key=lambda each: (each.spearman, each.coverage), default=None)
    interval = None
    if best is not None:
        at = pool_profile.thresholds.tolist().index(best.threshold)
        at_best = pool_profile.estimates(at, best.min_neighbors, best.max_fraction)
        interval = correlation(at_best, pool_profile.ratings)
    return Sweep(settings, pareto_front(settings), best, interval, least_coverage, len(pool_profile.ratings))


def pareto_front(settings: Sequence[Setting]) -> tuple[Setting, ...]:
    """Return the settings that no other equals or beats in both rank correlation and coverage, widest coverage first.

    Settings that cover fewer than `FEWEST_COVERED` texts have no say.
    """
    front: list[Setting] = []
    for each in sorted(_credible(settings), key=lambda setting: (-setting.coverage, -setting.spearman)):
        if not front or each.spearman > front[-1].spearman:
            front.append(each)
    return tuple(front)


def _credible(settings: Sequence[Setting]) -> list[Setting]:
    return [each for each in settings if each.n_covered >= FEWEST_COVERED and not np.isnan(each.spearman)]


def _measured(pool_profile: Profile, which: int, a: int, b: float) -> Setting:
    estimated = pool_profile.estimates(which, a, b)
    covered = ~np.isnan(estimated)
    left, right = estimated[covered], pool_profile.ratings[covered]
    return Setting(
        threshold=float(pool_profile.thresholds[which]),
        min_neighbors=a,
        max_fraction=b,
        spearman=rank_correlation(left, right),
        mse=mean_squared_error(left, right),
        baseline_mse=mean_squared_error(mean_of_others(pool_profile.ratings)[covered], right),
        coverage=len(left) / len(estimated),
        n_covered=len(left),
    )
