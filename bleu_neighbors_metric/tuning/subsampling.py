"""Estimates from parts of a pool: of parts that are drawn anew at each evaluation, or that leave groups out.

The neighbours of all texts are found once; a part is then a column of zeros and ones, and counts and sums of all parts
are matrix products.

Estimates from a fresh random part of the pool at each evaluation keep a fixed pool from being gamed: whoever knows the
pool can write outputs that resemble its best texts. Ethayarajh & Sadigh (2020, Section 6) suggest to draw a part of the
rated texts anew for each evaluation: what is close to all of the pool is then often not close to the part that counts.
The spread over draws tells how much an estimate depends on a few texts.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import KERNELS
from bleu_neighbors_metric.kernels.neighbors import Ratings, estimates, most_neighbors, tally_parts
from bleu_neighbors_metric.tuning.sweep import similarity_blocks
from referenceless_metrics.assessment.assessment import PartEstimates
from referenceless_metrics.assessment.learning_curve import LearningCurve, draw_members, learning_curve
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.validation import Floats, InputError, check_number, check_texts, check_whole


def part_estimates(estimator: BLEUNeighbors) -> PartEstimates:
    """Return what estimates a pool's texts from parts of it, with the threshold that all of it has.

    A kernel that learns from ratings is fitted to each part anew.

    Args:
        estimator: a fitted estimator; all its parameters are used.
    """

    def from_parts(members: Floats) -> Floats:
        if members.all():
            return np.repeat(estimator.leave_one_out().values[:, None], members.shape[1], axis=1)
        if not KERNELS[estimator.kernel].learns:
            return estimates_in_parts(estimator, members)
        return np.stack([_refitted(estimator, part > 0) for part in members.T], axis=1)

    return from_parts


def pool_learning_curve(
    estimator: BLEUNeighbors, sizes: Sequence[int] | None = None, *, n_draws: int = 20
) -> LearningCurve:
    """Measure pools of several sizes, drawn from a fitted estimator's pool (see `learning_curve`).

    Raises:
        NotFittedError: before `fit`.
    """
    ratings, fewest = estimator.in_use().ratings.values, 2 * estimator.min_neighbors
    return learning_curve(part_estimates(estimator), ratings, sizes, fewest=fewest, n_draws=n_draws)


def _refitted(estimator: BLEUNeighbors, part: Any) -> Floats:
    texts, values = np.array(estimator.texts_, dtype=object), np.full(len(part), np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of a part too small for any estimate: its estimates are NaN
        other = BLEUNeighbors(**estimator.get_params() | {"progress": False}).fit(
            texts[part].tolist(), estimator.ratings_[part]
        )
    values[part], values[~part] = other.leave_one_out().values, other.predict(texts[~part].tolist()).values
    return values


def estimates_in_parts(estimator: BLEUNeighbors, members: Floats, texts: Sequence[str] | None = None) -> Floats:
    """Return what estimators of several parts of the pool say of each text, NaN where they abstain.

    Args:
        estimator: a fitted estimator; b is a share of the part, not of the pool.
        members: one column a part, 1 where a pool text belongs to it and 0 elsewhere, shape (n, d).
        texts: c candidates; None for the pool's own texts, each one left out for itself.

    Returns:
        Estimates, shape (c, d).

    Raises:
        NotFittedError: before `fit`.
    """
    left_out = members if texts is None else np.zeros((len(texts), 1))
    most = most_neighbors(estimator.max_fraction, members.sum(axis=0) - left_out)
    out = np.full(most.shape, np.nan)
    tally_of = tally_parts(members, Ratings.of(estimator.ratings_), estimator.rule)
    for which, similarity in similarity_blocks(estimator, texts, "drawing"):
        tally = tally_of(similarity)
        out[which] = estimates(tally.mean(), tally.n_neighbors, estimator.min_neighbors, most[which])
    return out


@dataclass(frozen=True)
class SubsampledNeighbors:
    """A fitted estimator that answers from random parts of its pool, as a metric: its values are means over draws.

    All of the pool stays with the estimator, and its index is used as it is; a draw only decides which neighbours
    count. b is a share of the draw, not of the pool.

    Args:
        estimator: a fitted estimator; all its parameters are used.
        subsample: the share of the pool that a draw holds, in (0, 1].
        n_draws: how many parts are drawn.
        seed: of the draws. None draws anew at each call, which is what makes gaming hard; a number repeats results.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "the cat sat on it", "mat mat mat", "it sat"]
        >>> fitted = BLEUNeighbors(0.2, min_neighbors=1, max_fraction=1.0).fit(texts, [0.9, 0.8, 0.7, 0.0, 0.4])
        >>> result = SubsampledNeighbors(fitted, subsample=0.6, n_draws=50, seed=0).predict(["a cat sat on the mat"])
        >>> round(float(result.values[0]), 1), bool(result.spread[0] > 0), result.covered_share.tolist()
        (0.8, True, [1.0])
    """

    needs_references = False
    needs_sources = False
    estimates_ratings = True

    estimator: BLEUNeighbors
    subsample: float = 0.5
    _: KW_ONLY
    n_draws: int = 20
    seed: int | None = None

    @property
    def name(self) -> str:
        """The estimator's."""
        return self.estimator.name

    @property
    def signature(self) -> str:
        """The estimator's, and the draws."""
        return f"{self.estimator.signature}|resample:{self.subsample:.12g}|draws:{self.n_draws}|seed:{self.seed}"

    def predict(self, texts: Iterable[str], *, references: Any = None, sources: Any = None) -> MetricResult:
        """Return the mean over the draws that cover each text.

        Columns are `spread`, the standard deviation over these draws, NaN where fewer than two cover a text, and
        `covered_share`, the share of draws that do; the detail `pool_size` is how many rated texts each draw holds.
        """
        draws, size = self.draw(texts)
        columns = {"spread": over_draws(draws, sample_deviation), "covered_share": (~np.isnan(draws)).mean(axis=0)}
        reasons = ("no draw covers it",) * draws.shape[1]
        return MetricResult(over_draws(draws, np.mean), reasons, self.signature, columns, {"pool_size": size})

    def draw(self, texts: Iterable[str] | None = None) -> tuple[Floats, int]:
        """Estimate the quality of candidates from each draw.

        Args:
            texts: n candidates; None for the distinct pool texts, each estimated without itself.

        Returns:
            Each draw's estimates, shape (d, n), NaN where that draw abstains; and how many rated texts each one holds.

        Raises:
            TypeError: for a bare string, an item that is not a string, or a parameter that is not a number.
            NotFittedError: before `fit`.
            InputError: for a pool too small for the draw.
            ValueError: for a parameter outside its range.
        """
        checked = None if texts is None else check_texts(texts, "texts")
        check_whole(self.n_draws, "n_draws", 1)
        if self.seed is not None:
            check_whole(self.seed, "seed", 0)
        n = len(self.estimator.pool)
        check_number(self.subsample, "subsample", 1e-9, 1)
        size = max(1, round(self.subsample * n))
        if size < self.estimator.min_neighbors:
            raise InputError(
                f"a draw of {size} of the pool's {n} texts can cover nothing: an estimate needs at least "
                f"{self.estimator.min_neighbors} neighbours (`min_neighbors`)"
            )
        members = draw_members(n, [size] * self.n_draws, np.random.default_rng(self.seed))
        return estimates_in_parts(self.estimator, members, checked).T, size


def over_draws(draws: Floats, function: Callable[[Floats], Any]) -> Floats:
    """Apply a function to the values of each column that are not NaN; NaN where there are none."""
    defined = (values[~np.isnan(values)] for values in draws.T)
    return np.array([function(values) if len(values) else math.nan for values in defined], dtype=float)


def sample_deviation(values: Floats) -> float:
    """Return the standard deviation; NaN of a single value."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
