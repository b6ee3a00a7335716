"""How well an estimator does on ratings that it has not seen: cross-validation by groups, beside the ceiling."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.assessment.meta_evaluation import rank_correlation

Estimates = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class Agreement:
    """How estimates agree with ratings.

    Attributes:
        grouping: what never stands in training and test at once.
        n_groups: how many groups there are.
        n: how many ratings.
        pearson: r.
        spearman: ρ.
        mae: the mean absolute error.
        rmse: the root of the mean squared error.
        constant_rmse: that of the mean rating of the training parts.
        interval_coverage: the share of ratings within their interval.
        interval_width: the mean width of intervals.
        level: the share of ratings that intervals are made to hold.
    """

    grouping: str
    n_groups: int
    n: int
    pearson: float
    spearman: float
    mae: float
    rmse: float
    constant_rmse: float
    interval_coverage: float
    interval_width: float
    level: float


@dataclass(frozen=True)
class Ceiling:
    """How far two ratings of the same source and text agree: what no estimate from them can much exceed.

    Attributes:
        n_pairs: how many pairs of ratings there are.
        pearson: the correlation of the earlier and the later rating; NaN for fewer than three pairs.
        exchanged: that of the pairs in both orders, which counts it as disagreement where one of the two is higher
            throughout, as when each was rated beside another system's outputs.
    """

    n_pairs: int
    pearson: float
    exchanged: float


@dataclass(frozen=True)
class Evaluation:
    """The agreement under each grouping, and the ceiling.

    Attributes:
        agreements: one a grouping.
        ceiling: the agreement of ratings of identical texts.
    """

    agreements: tuple[Agreement, ...]
    ceiling: Ceiling

    def as_dict(self) -> dict[str, Any]:
        """Return numbers and strings only."""
        return {"agreements": [asdict(item) for item in self.agreements], "ceiling": asdict(self.ceiling)}

    def to_text(self) -> str:
        """Lay the evaluation out as a table in Markdown."""
        head = ("grouped by", "groups", "n", "r", "ρ", "MAE", "RMSE", "constant", "in interval", "width")
        lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
        for item in self.agreements:
            cells = (
                item.grouping, f"{item.n_groups}", f"{item.n}", f"{item.pearson:.3f}", f"{item.spearman:.3f}",
                f"{item.mae:.3f}", f"{item.rmse:.3f}", f"{item.constant_rmse:.3f}",
                f"{item.interval_coverage:.1%} of {item.level:.0%}", f"{item.interval_width:.2f}",
            )  # fmt: skip
            lines.append("| " + " | ".join(cells) + " |")
        if self.ceiling.n_pairs:
            lines.append("")
            lines.append(
                f"{self.ceiling.n_pairs} pairs of ratings of identical texts agree at r = {self.ceiling.pearson:.2f} "
                f"({self.ceiling.exchanged:.2f} in both orders)."
            )
        return "\n".join(lines)

    __str__ = to_text


def number_groups(keys: Iterable[Hashable]) -> NDArray[np.int64]:
    """Number keys by first appearance; equal keys have equal numbers.

    >>> number_groups("abac").tolist()
    [0, 1, 0, 2]
    """
    places: dict[Hashable, int] = {}
    return np.array([places.setdefault(key, len(places)) for key in keys], dtype=np.int64)


def assign_folds(groups: NDArray[np.int64], n_folds: int, seed: int) -> NDArray[np.int64]:
    """Deal whole groups to folds of nearly equal numbers of rows, shape (n,), at random."""
    sizes = np.bincount(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    before = np.cumsum(sizes[order]) - sizes[order]
    folds = np.empty(len(sizes), dtype=np.int64)
    folds[order] = before * n_folds // max(1, int(sizes.sum()))
    return folds[groups]


def cross_validate(
    estimate: Callable[[NDArray[np.int64], NDArray[np.int64]], Estimates],
    ratings: NDArray[np.float64],
    groups: NDArray[np.int64],
    *,
    grouping: str,
    level: float,
    n_folds: int,
    seed: int,
) -> Agreement:
    """Estimate every rating from the other folds.

    Args:
        estimate: given training and test rows, fits on the former and returns estimates, lower and upper ends of the
            latter.
        ratings: shape (n,).
        groups: shape (n,).
        grouping: what the groups are.
        level: what intervals are made to hold.
        n_folds: how many folds.
        seed: of the partition.
    """
    folds = assign_folds(groups, n_folds, seed)
    values, lower, upper, constant = (np.full(len(ratings), np.nan) for _ in range(4))
    for fold in range(n_folds):
        train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if len(test):
            values[test], lower[test], upper[test] = estimate(train, test)
            constant[test] = ratings[train].mean()
    return Agreement(
        grouping=grouping,
        n_groups=len(np.unique(groups)),
        n=len(ratings),
        pearson=pearson(values, ratings),
        spearman=rank_correlation(values, ratings),
        mae=float(np.abs(values - ratings).mean()),
        rmse=_rms(values - ratings),
        constant_rmse=_rms(constant - ratings),
        interval_coverage=float(((lower <= ratings) & (ratings <= upper)).mean()),
        interval_width=float((upper - lower).mean()),
        level=level,
    )


def cross_validate_groupings(
    estimate: Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], Estimates],
    ratings: NDArray[np.float64],
    groupings: Mapping[str, NDArray[np.int64]],
    *,
    level: float,
    n_folds: int,
    seed: int,
) -> tuple[Agreement, ...]:
    """Cross-validate under each grouping.

    Args:
        estimate: as in `cross_validate`; it is given the groups too.
        ratings: shape (n,).
        groupings: groups by the name of what they are, shape (n,) each.
        level: what intervals are made to hold.
        n_folds: how many folds.
        seed: of the partitions.

    Raises:
        ValueError: for more folds than groups.
    """
    agreements = []
    for grouping, groups in groupings.items():
        if groups.max() + 1 < n_folds:
            raise ValueError(f"Expected argument `n_folds` to be at most the {groups.max() + 1} groups, got {n_folds}")
        of_groups = functools.partial(estimate, groups=groups)  # type: ignore[call-arg]
        agreements.append(
            cross_validate(of_groups, ratings, groups, grouping=grouping, level=level, n_folds=n_folds, seed=seed)
        )
    return tuple(agreements)


def duplicates_ceiling(keys: Sequence[Hashable], ratings: NDArray[np.float64]) -> Ceiling:
    """Correlate ratings of identical items, pair by pair.

    >>> duplicates_ceiling("aabbcc", np.array([1.0, 2.0, 3.0, 3.0, 5.0, 4.0])).n_pairs
    3
    """
    rows: dict[Hashable, list[float]] = {}
    for key, rating in zip(keys, ratings.tolist(), strict=True):
        rows.setdefault(key, []).append(rating)
    pairs = [(a, b) for same in rows.values() for i, a in enumerate(same) for b in same[i + 1 :]]
    if len(pairs) < 3:
        return Ceiling(len(pairs), math.nan, math.nan)
    one, other = np.array(pairs).T
    both = pearson(np.concatenate((one, other)), np.concatenate((other, one)))
    return Ceiling(len(pairs), pearson(one, other), both)


def pearson(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return Pearson's r; NaN where one side does not vary."""
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return math.nan
    return float(np.corrcoef(one, other)[0, 1])


def _rms(errors: NDArray[np.float64]) -> float:
    return math.sqrt(float(np.mean(errors**2)))
