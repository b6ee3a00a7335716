"""Learning curves: the quality of estimates from fewer ratings, which tells whether more ratings are worth buying.

Parts of several sizes are drawn from the rated texts at random, and each text is estimated from each part without
itself. In every command, the gain from more ratings is that of the last doubling.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.assessment.assessment import PartEstimates
from referenceless_metrics.assessment.meta_evaluation import mean_squared_error, rank_correlation
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.validation import Floats, InputError, check_numbers, check_whole

_N_SIZES = 10
_FEWEST_TEXTS = 10
_ENOUGH_COVERAGE = 0.9
_LITTLE_GAIN = 0.05  # in ρ, for twice as many ratings


@dataclass(frozen=True)
class CurvePoint:
    """Figures of parts of one size.

    Attributes:
        size: rated texts in a part.
        spearman: mean rank correlation of estimates and ratings, over the draws with a defined one; NaN without any.
        spearman_std: its standard deviation over those draws (one sigma); NaN for fewer than `FEWEST_FOR_INTERVAL`.
        mse: mean squared error over covered texts, as a mean over draws.
        mse_std: its standard deviation over draws.
        coverage: share of texts with an estimate, as a mean over draws.
        coverage_std: its standard deviation over draws.
        n_draws: number of draws.
        n_defined: number of draws with a defined rank correlation.
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
    """Points by ascending size."""

    points: tuple[CurvePoint, ...]

    @property
    def gain(self) -> float:
        """Gain in ρ by the last doubling of the ratings; NaN if it is unknown."""
        return self._last_doubling()[0]

    @property
    def findings(self) -> tuple[str, ...]:
        """Sentences of advice on buying ratings."""
        gain, spread, half = self._last_doubling()
        if half is None:
            known = any(not math.isnan(point.spearman) for point in self.points)
            return (
                "Too few sizes to tell what more ratings would bring."
                if known
                else "No size gives a rank correlation: too few texts are covered, or all ratings are equal.",
            )
        last = [point for point in self.points if not math.isnan(point.spearman)][-1]
        brought = f"The last doubling brought {gain:+.3f}"
        if math.isnan(spread):
            says = (
                f"{brought}; fewer than {FEWEST_FOR_INTERVAL} draws of a size do not tell how much of that is chance."
            )
        elif gain > spread:
            says = (
                f"{brought}, more than the spread between draws: more ratings are likely to help. (An extrapolation: "
                "the next doubling usually brings less.)"
            )
        elif gain + 2 * spread < _LITTLE_GAIN:
            says = f"{brought} (± {spread:.3f}): more ratings of such texts alone are not likely to help much."
        else:
            says = (
                f"{brought}, no more than the spread between draws: {last.size} texts do not tell whether more ratings "
                "would help."
            )
        over_draws = "" if math.isnan(spread) else f" (± {half.spearman_std:.3f} over draws)"
        little = (
            f"Coverage is below {_ENOUGH_COVERAGE}: `referenceless calibrate POOL --sweep` tells which settings of "
            "BLEU Neighbors cover more."
        )
        return (
            f"From {half.size} to {last.size} rated texts, ρ of single texts left out went from {half.spearman:.3f}"
            f"{over_draws} to {last.spearman:.3f}, and coverage from {half.coverage:.2f} to {last.coverage:.2f}.",
            says,
            *([little] if last.coverage < _ENOUGH_COVERAGE else []),
        )

    def _last_doubling(self) -> tuple[float, float, CurvePoint | None]:
        """Return the gain, its spread over draws, and the point nearest to half of the last size."""
        defined = [point for point in self.points if not math.isnan(point.spearman)]
        halves = [point for point in defined if point.size <= 0.6 * defined[-1].size]
        if not halves:
            return math.nan, math.nan, None
        # With enough neighbours, ρ rises about linearly with the logarithm of the size.
        last = defined[-1]
        half = min(halves, key=lambda point: abs(math.log(point.size / (last.size / 2))))
        doublings = math.log2(last.size / half.size)
        return (last.spearman - half.spearman) / doublings, half.spearman_std / doublings, half


def learning_curve(
    from_parts: PartEstimates,
    ratings: Floats,
    sizes: Sequence[int] | None = None,
    *,
    fewest: int = _FEWEST_TEXTS,
    n_draws: int = 20,
    seed: int = 12345,
) -> LearningCurve:
    """Measure parts of several sizes, drawn without replacement.

    Every rated text is estimated from each part without itself, so that all points are measured on the same texts. The
    part of all texts is one draw, which is leave-one-out.

    Args:
        from_parts: a function that estimates the texts from parts of them.
        ratings: the ratings of n distinct texts, shape (n,).
        sizes: the sizes of the parts, each from 1 to n; None for ten even ones.
        fewest: the smallest of those ten.
        n_draws: draws of each size (Ethayarajh & Sadigh 2020: 20).
        seed: the seed of the draws. Those of one size do not depend on the other sizes.

    Raises:
        InputError: for fewer than ten texts, or a size above n.
        TypeError: for a size or number that is not whole.
        ValueError: for a number below 1.
    """
    check_whole(n_draws, "n_draws", 1)
    check_whole(seed, "seed", 0)
    if sizes is not None:
        check_numbers(sizes, "sizes", minimum=1, integer=True)
    n = len(ratings)
    if n < _FEWEST_TEXTS:
        raise InputError(f"a learning curve needs at least {_FEWEST_TEXTS} distinct rated texts, but the pool has {n}")
    chosen = default_sizes(n, fewest) if sizes is None else tuple(sorted(set(sizes)))
    if chosen[-1] > n:
        raise InputError(f"a pool of {chosen[-1]} texts cannot be drawn from one of {n} distinct texts")
    drawn = [
        draw_members(n, [size] * (1 if size == n else n_draws), np.random.default_rng((seed, size))) for size in chosen
    ]
    estimates = from_parts(np.concatenate(drawn, axis=1))
    ends = np.cumsum([members.shape[1] for members in drawn])
    parts = np.split(estimates, ends[:-1], axis=1)
    return LearningCurve(tuple(_point(size, part, ratings) for size, part in zip(chosen, parts, strict=True)))


def default_sizes(n: int, fewest: int) -> tuple[int, ...]:
    """Return about ten sizes at even distances, from the fewest texts for an estimate up to all texts.

    >>> default_sizes(198, 10)
    (20, 40, 59, 79, 99, 119, 139, 158, 178, 198)
    """
    least = min(max(_FEWEST_TEXTS, fewest), n)
    sizes = {round(n * step / _N_SIZES) for step in range(1, _N_SIZES + 1)}
    return tuple(sorted(size for size in sizes if size >= least))


def draw_members(n: int, sizes: Iterable[int], generator: np.random.Generator) -> Floats:
    """Draw parts of n texts without replacement, one column per size: 1 for a text of the part, shape (n, d)."""
    columns = []
    for size in sizes:
        columns.append(np.zeros(n))
        columns[-1][generator.choice(n, size, replace=False)] = 1.0
    return np.stack(columns, axis=1)


def mean_and_std(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the values that are not NaN, and their standard deviation, which is NaN for fewer than ten."""
    defined = np.array([value for value in values if not math.isnan(value)])
    if not len(defined):
        return math.nan, math.nan
    return float(defined.mean()), float(defined.std(ddof=1)) if len(defined) >= FEWEST_FOR_INTERVAL else math.nan


def _point(size: int, estimates: Floats, ratings: Floats) -> CurvePoint:
    covered = ~np.isnan(estimates)
    measured: dict[str, list[float]] = {
        "spearman": [
            rank_correlation(values[kept], ratings[kept]) for values, kept in zip(estimates.T, covered.T, strict=True)
        ],
        "mse": [mean_squared_error(values, ratings) for values in estimates.T],
        "coverage": covered.mean(axis=0).tolist(),
    }
    figures = {}
    for name, values in measured.items():
        figures[name], figures[f"{name}_std"] = mean_and_std(values)
    n_defined = int(np.sum(~np.isnan(measured["spearman"])))
    return CurvePoint(size, **figures, n_draws=estimates.shape[1], n_defined=n_defined)
