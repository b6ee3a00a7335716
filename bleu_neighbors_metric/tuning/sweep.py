"""The choice of τ, a and b: each setting is measured by leaving each pool text out, in one pass over the pool.

The number of a text's neighbours and their mean rating depend on τ alone; a and b decide which estimates count. One
pass gives both for all values of τ, and all settings follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bleu_neighbors_metric.kernels.neighbors import Ratings, estimates, most_neighbors, tally_thresholds
from bleu_neighbors_metric.pool import GRID
from bleu_neighbors_metric.tuning.similarity_blocks import similarity_blocks
from referenceless_metrics.assessment.agreement import FEWEST_COVERED
from referenceless_metrics.assessment.meta_evaluation import (
    VARIANCE,
    fisher_interval,
    mean_of_others,
    mean_squared_error,
    rank_correlation,
)
from referenceless_metrics.core.support.validation import check_numbers

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

THRESHOLDS = (0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.14, 0.16, 0.2, 0.24, 0.28, 0.32)
MIN_NEIGHBORS = (1, 2, 3, 5, 8, 12, 20, 30)
MAX_FRACTIONS = (0.2, 0.33, 0.5, 0.66, 0.8, 1.0)
LEAST_COVERAGE = 0.5  # of a setting that is recommended
WARNING = (
    "These settings were chosen on this very pool by leaving each text out. The best figure of many is flattered by "
    "the choice; measure it on other rated texts before reporting it, and never choose settings on a test set."
)


class Setting(NamedTuple):
    """One setting, measured by leaving each text of the pool out.

    Attributes:
        threshold: τ.
        min_neighbors: a.
        max_fraction: b.
        spearman: rank correlation of estimates and ratings over the covered texts; NaN if it is undefined.
        mse: mean squared error over the covered texts.
        mse_of_mean: mean squared error of always predicting the mean of the other texts, over the same texts.
        coverage: share of texts with an estimate.
        n_covered: number of texts with an estimate.
    """

    threshold: float
    min_neighbors: int
    max_fraction: float
    spearman: float
    mse: float
    mse_of_mean: float
    coverage: float
    n_covered: int

    @property
    def is_credible(self) -> bool:
        """Whether the setting covers `FEWEST_COVERED` texts, with a defined correlation."""
        return self.n_covered >= FEWEST_COVERED and self.spearman == self.spearman


@dataclass(frozen=True)
class Sweep:
    """All settings that were measured.

    Attributes:
        settings: one entry per setting, in the order of the grid.
        pareto: settings that no other beats in both rank correlation and coverage, by descending coverage.
        best: the recommended one, with the highest rank correlation; None if no setting covers `FEWEST_COVERED`
            texts with a defined correlation.
        n_texts: distinct texts in the pool.
    """

    settings: tuple[Setting, ...]
    pareto: tuple[Setting, ...]
    best: Setting | None
    n_texts: int

    @property
    def recommendation(self) -> str:
        """The recommended setting in a sentence, or why there is none."""
        best = self.best
        if any(setting.n_covered >= FEWEST_COVERED and np.isnan(setting.spearman) for setting in self.settings):
            return "No setting is recommended: all ratings are equal, so nothing can correlate with them."
        if best is None:
            return (
                f"No setting is recommended: none covers {LEAST_COVERAGE:.0%} of the {self.n_texts} texts (and "
                f"{FEWEST_COVERED} of them) with a defined rank correlation. Rate more texts."
            )
        low, high = fisher_interval(best.spearman, best.n_covered, variance=VARIANCE["spearman"])
        return (
            f"recommended: --threshold {best.threshold:g} --min-neighbors {best.min_neighbors} --max-fraction "
            f"{best.max_fraction:g}  (Spearman {best.spearman:.3f}, 95% CI [{low:.3f}, {high:.3f}], "
            f"coverage {best.coverage:.3f}, MSE {best.mse:.4f})"
        )


def sweep(
    estimator: BLEUNeighbors,
    *,
    thresholds: Sequence[float] | None = None,
    min_neighbors: Sequence[int] = MIN_NEIGHBORS,
    max_fractions: Sequence[float] = MAX_FRACTIONS,
) -> Sweep:
    """Measure every combination of τ, a and b by leaving each text of a pool out.

    Args:
        estimator: a fitted estimator; its kernel and weights are used.
        thresholds: values of τ; None for `THRESHOLDS`, or `GRID` for a kernel other than BLEU*, with another scale.
        min_neighbors: values of a.
        max_fractions: values of b.

    Raises:
        NotFittedError: before `fit`.
        TypeError: for a value that is not a number.
        ValueError: for an empty list or a value outside its range.
    """
    estimator.check_fitted()
    fewest = [int(a) for a in check_numbers(min_neighbors, "min_neighbors", minimum=1, integer=True)]
    fractions = check_numbers(max_fractions, "max_fractions", minimum=0, maximum=1)
    if thresholds is None:
        thresholds = THRESHOLDS if estimator.parameters_["kernel"] == "bleu_star" else GRID.tolist()
    values = np.array(check_numbers(thresholds, "thresholds", minimum=0, maximum=1), dtype=float)
    ratings, n = estimator.ratings_, len(estimator.pool_)
    n_neighbors, means = np.zeros((len(values), n), dtype=np.int64), np.full((len(values), n), np.nan)
    for which, similarity in similarity_blocks(estimator, description="sweeping"):
        tally = tally_thresholds(similarity, Ratings.of(ratings), values, estimator.rule_.weights)
        n_neighbors[:, which], means[:, which] = tally.n_neighbors, tally.mean()
    of_others, settings = mean_of_others(ratings), []
    for (place, threshold), a, b in product(enumerate(values.tolist()), fewest, fractions):
        estimated = estimates(means[place], n_neighbors[place], a, most_neighbors(b, n - 1))
        covered = ~np.isnan(estimated)
        left, right = estimated[covered], ratings[covered]
        figures = rank_correlation(left, right), mean_squared_error(left, right)
        baseline = mean_squared_error(of_others[covered], right)
        settings.append(Setting(threshold, a, float(b), *figures, baseline, len(left) / n, len(left)))
    eligible = [setting for setting in settings if setting.is_credible and setting.coverage >= LEAST_COVERAGE]
    best = max(eligible, key=lambda setting: (setting.spearman, setting.coverage), default=None)
    return Sweep(tuple(settings), pareto_front(settings), best, n)


def pareto_front(settings: Sequence[Setting]) -> tuple[Setting, ...]:
    """Return the settings that no other equals or beats in both rank correlation and coverage, widest coverage first.

    Settings that cover fewer than `FEWEST_COVERED` texts have no say.
    """
    front: list[Setting] = []
    for setting in sorted(settings, key=lambda setting: (-setting.coverage, -setting.spearman)):
        if setting.is_credible and (not front or setting.spearman > front[-1].spearman):
            front.append(setting)
    return tuple(front)
