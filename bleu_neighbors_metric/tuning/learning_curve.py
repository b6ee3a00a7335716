"""How good a pool of another size would be: how many more ratings are worth buying.

Pools of several sizes are drawn from one pool at random; each text is estimated from the drawn ones without itself.
The neighbours of all texts are found once; a draw is then a column of zeros and ones, and counts and sums of all
draws are matrix products.

Estimates from a fresh random part of the pool at each evaluation keep a fixed pool from being gamed: whoever knows the
pool can write outputs that resemble its best texts. Ethayarajh & Sadigh (2020, Section 6) suggest to draw a part of the
rated texts anew for each evaluation: what is close to all of the pool is then often not close to the part that counts.
The spread over draws tells how much an estimate depends on a few texts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import Ratings, estimates, most_neighbors, tally_parts
from bleu_neighbors_metric.tuning.sweep import similarity_blocks
from metric_commons.assessment.meta_evaluation import mean_squared_error, rank_correlation
from metric_commons.results import MetricResult
from metric_commons.support.validation import (
    Floats,
    InputError,
    check_number,
    check_numbers,
    check_texts,
    check_whole,
    describe,
)

_N_SIZES = 10
_ENOUGH_COVERAGE = 0.9
_FEWEST_TEXTS = 10


@dataclass(frozen=True)
class CurvePoint:
    """Pools of one size.

    Attributes:
        size: texts in the pool.
        spearman: mean rank correlation of estimates and ratings over the draws where it is defined; else NaN.
        spearman_std: its standard deviation over those draws (one sigma); 0 for one draw.
        mse: mean squared error over covered texts, mean over draws.
        mse_std: its standard deviation.
        coverage: share of texts with an estimate, mean over draws.
        coverage_std: its standard deviation.
        n_draws: how many pools were drawn.
        n_defined: in how many of them the rank correlation is defined.
    """

    size: int
    spearman: float
    spearman_std: float
    mse: float
    mse_std: float
    coverage: float
    coverage_std: float
    n_draws: int
    n_defined: int


@dataclass(frozen=True)
class LearningCurve:
    """Points by ascending size; `findings` says in words what they mean for buying ratings."""

    points: tuple[CurvePoint, ...]
    findings: tuple[str, ...]


def default_sizes(n: int, min_neighbors: int) -> tuple[int, ...]:
    """Return about ten sizes at even distances, from just enough for an estimate up to all of the pool.

    >>> default_sizes(198, 5)
    (20, 40, 59, 79, 99, 119, 139, 158, 178, 198)
    """
    least = max(_FEWEST_TEXTS, 2 * min_neighbors)
    sizes = {round(n * step / _N_SIZES) for step in range(1, _N_SIZES + 1)}
    return tuple(sorted(size for size in sizes if size >= min(least, n)))


def learning_curve(
    estimator: BLEUNeighbors,
    sizes: Sequence[int] | None = None,
    *,
    n_draws: int = 20,
    seed: int = 12345,
) -> LearningCurve:
    """Measure pools of several sizes, drawn from a fitted estimator's pool without replacement.

    Every text of the whole pool is estimated from each drawn pool, itself left out, so that all points are measured
    on the same texts. The whole pool has one draw: leaving one out.

    Args:
        estimator: a fitted estimator; all its parameters are used.
        sizes: pool sizes, each at least 1 and at most that of the pool; None for ten even ones.
        n_draws: pools drawn of each size (the paper: 20).
        seed: of the draws, so that results can be repeated.

    Raises:
        NotFittedError: before `fit`.
        InputError: for a pool too small to draw from, or a size that is larger than the pool.
        TypeError: for a size or number that is not whole.
        ValueError: for a number below 1.
    """
    check_whole(n_draws, "n_draws", 1)
    check_whole(seed, "seed", 0)
    if sizes is not None:
        check_numbers(sizes, "sizes", minimum=1, integer=True)
    n = len(estimator.pool)
    if n < _FEWEST_TEXTS:
        raise InputError(f"a learning curve needs at least {_FEWEST_TEXTS} distinct rated texts, but the pool has {n}")
    chosen = default_sizes(n, estimator.min_neighbors) if sizes is None else tuple(sorted(set(sizes)))
    if chosen[-1] > n:
        raise InputError(f"a pool of {chosen[-1]} texts cannot be drawn from one of {n} distinct texts")
    drawn = np.concatenate([[size] * (1 if size == n else n_draws) for size in chosen])
    estimate = estimates_in_parts(estimator, draw_members(n, drawn, np.random.default_rng(seed)))
    points = tuple(_point(size, estimate[:, drawn == size], estimator.ratings_) for size in chosen)
    found = _findings(points)
    if points[-1].coverage < _ENOUGH_COVERAGE:
        found.append(
            f"Coverage is below {_ENOUGH_COVERAGE}: `referenceless calibrate` tells whether texts have too few "
            "neighbours, which more ratings cure, or too many."
        )
    return LearningCurve(points, tuple(found))


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


def draw_members(n: int, sizes: Iterable[int], generator: np.random.Generator) -> Floats:
    """Draw parts of a pool of n texts without replacement: a column a size, 1 where a text belongs to the part."""
    columns = []
    for size in sizes:
        columns.append(np.zeros(n))
        columns[-1][generator.choice(n, size, replace=False)] = 1.0
    return np.stack(columns, axis=1)


def _point(size: int, estimate: Floats, ratings: Floats) -> CurvePoint:
    covered = ~np.isnan(estimate)
    measured: dict[str, list[float]] = {"spearman": [], "mse": [], "coverage": covered.mean(axis=0).tolist()}
    for column, kept in zip(estimate.T, covered.T, strict=True):
        measured["spearman"].append(rank_correlation(column[kept], ratings[kept]))
        measured["mse"].append(mean_squared_error(column, ratings))
    figures = {}
    for name, values in measured.items():
        figures[name], figures[f"{name}_std"] = mean_and_std(values)
    n_defined = int(np.sum(~np.isnan(measured["spearman"])))
    return CurvePoint(size, **figures, n_draws=estimate.shape[1], n_defined=n_defined)


def mean_and_std(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the standard deviation of the values that are not NaN; NaN and NaN where there are none."""
    defined = np.array([value for value in values if not math.isnan(value)])
    if not len(defined):
        return math.nan, math.nan
    return float(defined.mean()), float(defined.std(ddof=1)) if len(defined) > 1 else 0.0


def _findings(points: Sequence[CurvePoint]) -> list[str]:
    defined = [point for point in points if not math.isnan(point.spearman)]
    if not defined:
        return ["No size gives a rank correlation: too few texts are covered, or all ratings are equal."]
    last = defined[-1]
    half = [point for point in defined if point.size <= 0.6 * last.size]
    if not half:
        return ["Too few sizes to tell what more ratings would bring."]
    # ρ rises about evenly with the logarithm of the size once neighbourhoods are populated.
    nearest = min(half, key=lambda point: abs(math.log(point.size / (last.size / 2))))
    doublings = math.log2(last.size / nearest.size)
    gain = (last.spearman - nearest.spearman) / doublings
    spread = nearest.spearman_std / doublings
    findings = [
        f"From {nearest.size} to {last.size} texts the rank correlation went from {nearest.spearman:.3f} (± "
        f"{nearest.spearman_std:.3f} over draws) to {last.spearman:.3f}, and coverage from {nearest.coverage:.2f} to "
        f"{last.coverage:.2f}."
    ]
    if gain > spread:
        findings.append(
            f"The last doubling brought {gain:+.3f}, more than the spread between draws: more ratings are likely to "
            "help. (An extrapolation: the next doubling usually brings less.)"
        )
    else:
        findings.append(
            f"The last doubling brought {gain:+.3f}, no more than the spread between draws: more ratings of such texts "
            "alone are not likely to help much."
        )
    return findings


@dataclass(frozen=True)
class SubsampledNeighbors:
    """A fitted estimator that answers from random parts of its pool, as a metric: its values are means over draws.

    All of the pool stays with the estimator, and its index is used as it is; a draw only decides which neighbours
    count. b is a share of the draw, not of the pool.

    Args:
        estimator: a fitted estimator; all its parameters are used.
        subsample: how much of the pool a draw holds: a share in (0, 1], or a whole number of texts.
        n_draws: how many parts are drawn.
        seed: of the draws. None draws anew at each call, which is what makes gaming hard; a number repeats results.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "the cat sat on it", "mat mat mat", "it sat"]
        >>> fitted = BLEUNeighbors(0.2, min_neighbors=1, max_fraction=1.0).fit(texts, [0.9, 0.8, 0.7, 0.0, 0.4])
        >>> result = SubsampledNeighbors(fitted, subsample=3, n_draws=50, seed=0).predict(["a cat sat on the mat"])
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
        size = draw_size(self.subsample, n)
        if size < self.estimator.min_neighbors:
            raise InputError(
                f"a draw of {size} of the pool's {n} texts can cover nothing: an estimate needs at least "
                f"{self.estimator.min_neighbors} neighbours (`min_neighbors`)"
            )
        members = draw_members(n, [size] * self.n_draws, np.random.default_rng(self.seed))
        return estimates_in_parts(self.estimator, members, checked).T, size


def draw_size(subsample: float, n: int) -> int:
    """Return how many of n texts a draw holds.

    >>> draw_size(0.5, 199), draw_size(50, 199), draw_size(1.0, 199)
    (100, 50, 199)

    Raises:
        TypeError: for anything but a number.
        ValueError: for a share outside (0, 1] or a number below 1.
        InputError: for more texts than there are.
    """
    if isinstance(subsample, (int, np.integer)) and not isinstance(subsample, bool):
        check_whole(subsample, "subsample", 1)
        if subsample > n:
            raise InputError(f"a draw of {subsample} texts cannot be made from a pool of {n} distinct texts")
        return int(subsample)
    check_number(subsample, "subsample", 0, 1)
    if subsample == 0:
        raise ValueError(
            f"Expected argument `subsample` to be a share above 0, or a whole number of texts, but got "
            f"{describe(subsample)}"
        )
    return max(1, round(subsample * n))


def over_draws(draws: Floats, function: Callable[[Floats], Any]) -> Floats:
    """Apply a function to the values of each column that are not NaN; NaN where there are none."""
    defined = (values[~np.isnan(values)] for values in draws.T)
    return np.array([function(values) if len(values) else math.nan for values in defined], dtype=float)


def sample_deviation(values: Floats) -> float:
    """Return the standard deviation; NaN of a single value."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
