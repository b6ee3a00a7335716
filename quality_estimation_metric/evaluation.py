"""Evaluation of an estimator on ratings that it has not seen: by cross-validation, and by what `fit` leaves out."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from quality_estimation_metric.kernel_model.features import TextFeatures
from quality_estimation_metric.rated_inputs import LEAST_TEXTS
from referenceless_metrics.assessment.agreement import SYSTEMS, TEXTS, Verdict, agreement, verdict_from, within_systems
from referenceless_metrics.assessment.assessment import PartEstimates, group_folds
from referenceless_metrics.assessment.folds import number_groups, random_folds, splits
from referenceless_metrics.assessment.meta_evaluation import (
    mean_of_others,
    mean_squared_error,
    pearson,
    rank_correlation,
)
from referenceless_metrics.assessment.rater_ceiling import RaterCeiling
from referenceless_metrics.core.files.output import render
from referenceless_metrics.core.support.validation import Floats, Integers

Estimates = tuple[Floats, Floats, Floats]

_TABLE = {
    "grouped by": "{grouping}",
    "groups": "{n_groups}",
    "folds": "{n_folds}",
    "n": "{n}",
    "r": "{pearson:.3f}",
    "ρ": "{spearman:.3f}",
    "MAE": "{mae:.3f}",
    "RMSE": "{rmse:.3f}",
    "constant": "{constant_rmse:.3f}",
    "in interval": "{interval_coverage:.1%} of {level:.0%}",
    "width": "{interval_width:.2f}",
}


@dataclass(frozen=True)
class GroupedAgreement:
    """Agreement of estimates with ratings that were left out by groups.

    Attributes:
        grouping: what never stands in training and test at once.
        n_groups: how many groups there are.
        n_folds: in how many parts they were left out; fewer than were asked for where there are fewer groups.
        n: how many ratings.
        pearson: r; where systems are left out, within them.
        spearman: ρ, likewise.
        mae: the mean absolute error.
        rmse: the root of the mean squared error.
        constant_rmse: that of the mean rating of the training parts.
        interval_coverage: the share of ratings within their interval.
        interval_width: the mean width of intervals.
        level: the share of ratings that intervals are made to hold.
    """

    grouping: str
    n_groups: int
    n_folds: int
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
class Evaluation:
    """The agreement under each grouping, and the ceiling.

    Attributes:
        agreements: one a grouping.
        ceiling: what the disagreement of ratings of equal texts, with equal sources, leaves to be agreed with; None
            where none was rated twice.
        by_source: the ρ of a control that sees no text, see `source_control`; None without sources.
    """

    agreements: tuple[GroupedAgreement, ...]
    ceiling: RaterCeiling | None
    by_source: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return numbers and strings only."""
        return asdict(self)

    @property
    def cells(self) -> list[dict[str, str]]:
        """The rows of a table that people read, by the heads of its columns."""
        return [{head: form.format(**vars(item)) for head, form in _TABLE.items()} for item in self.agreements]

    def __str__(self) -> str:
        return render(self.cells, {}, "table", lines=["", *self.notes])

    @property
    def notes(self) -> list[str]:
        """Sentences below the table: on the ceiling, and on the source alone."""
        alone = "" if self.by_source is None else f"Mean rating of the source's other texts: ρ = {self.by_source:.3f}."
        ceiling = "" if self.ceiling is None else f"{self.ceiling}."
        return list(filter(None, [ceiling, alone]))


def cross_validate(
    estimate: Callable[[Integers, Integers, Integers], Estimates],
    ratings: Floats,
    groupings: Mapping[str, Integers],
    *,
    level: float,
    n_folds: int,
    seed: int,
) -> tuple[GroupedAgreement, ...]:
    """Estimate every rating from the other folds, under each grouping.

    Args:
        estimate: given training rows, test rows and groups, fits on the former and returns estimates, lower and upper
            ends of the latter.
        ratings: shape (n,).
        groupings: groups by the name of what they are, numbered from 0, shape (n,) each.
        level: what intervals are made to hold.
        n_folds: how many folds.
        seed: of the folds.

    Of fewer groups than folds, each is left out in turn.
    """
    agreements = []
    for grouping, groups in groupings.items():
        n_groups = int(groups.max()) + 1
        of_systems = grouping == SYSTEMS
        if of_systems:
            folds = group_folds(groups)
        else:
            folds = groups if n_groups <= n_folds else random_folds(groups, n_folds, seed, by_size=True)
        values, lower, upper, constant = (np.full(len(ratings), np.nan) for _ in range(4))
        for train, test in splits(folds):
            values[test], lower[test], upper[test] = estimate(train, test, groups)
            constant[test] = ratings[train].mean()
        sides = [within_systems(side, groups) if of_systems else side for side in (values, ratings)]
        figures = (
            n_groups,
            len(np.unique(folds)),
            len(ratings),
            pearson(*sides),
            rank_correlation(*sides),
            float(np.abs(values - ratings).mean()),
            math.sqrt(mean_squared_error(values, ratings)),
            math.sqrt(mean_squared_error(constant, ratings)),
            float(((lower <= ratings) & (ratings <= upper)).mean()),
            float((upper - lower).mean()),
        )
        agreements.append(GroupedAgreement(grouping, *figures, level=level))
    return tuple(agreements)


def part_estimates(
    fit: Callable[[TextFeatures, Floats, Integers], Any],
    described: TextFeatures,
    ratings: Floats,
    groups: Integers,
) -> PartEstimates:
    """Return what estimates n rated texts from parts of them: from too few that do not vary, nothing.

    The estimates of a part's own texts are by models without them, and lie around the mean of the part's other ratings,
    so that they go against a text's own rating as any mean of others does, which an `Assessment` corrects.

    Args:
        fit: fits a `KernelModel` on texts, their ratings and their groups.
        described: the texts.
        ratings: shape (n,).
        groups: of the texts that are left out together, shape (n,).
    """

    def from_parts(members: Floats) -> Floats:
        estimates = np.full(members.shape, np.nan)
        for place, part in enumerate(members.T):
            rows = np.flatnonzero(part)
            if len(rows) >= LEAST_TEXTS and np.ptp(ratings[rows]) > 0:
                model = fit(described.subset(rows), ratings[rows], groups[rows])
                estimates[:, place] = model.predict(described)
                of_others = mean_of_others(ratings[rows])
                estimates[rows, place] = model.left_out - model.left_out_levels + of_others
        return estimates

    return from_parts


def left_out_verdict(
    estimates: Floats,
    texts: Sequence[str],
    triples: Sequence[Hashable] | None,
    ratings: Floats,
    *,
    levels: Floats | None = None,
    left_out: str = TEXTS,
    systems: Integers | None = None,
) -> Verdict:
    """Return what estimates of left-out training texts are worth.

    A text that was rated several times, for one source, counts once, with the means of its ratings and estimates.

    Args:
        estimates: of n texts, each left out, shape (n,).
        texts: the texts.
        triples: their sources; None without.
        ratings: shape (n,).
        levels: the mean estimates of all texts by the models that gave `estimates`, shape (n,); None for estimates
            around one mean.
        left_out: what was left out together.
        systems: the number of each text's system, where systems were.
    """
    keys = [texts, triples or texts, texts if systems is None else systems.tolist()]
    numbers = number_groups(zip(*keys, strict=True))
    _, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    rated, estimated = (np.bincount(numbers, weights=values) / counts for values in (ratings, estimates))
    baseline: float | None = float(rated.mean())
    if levels is not None:
        estimated = estimated - np.bincount(numbers, weights=levels) / counts + mean_of_others(rated)
        baseline = None
    agreed = agreement(
        estimated,
        rated,
        [texts[row] for row in first.tolist()],
        baseline=baseline,
        systems=None if systems is None else systems[first],
    )
    return verdict_from(agreed, left_out)


def source_control(sources: Sequence[Hashable], keys: Sequence[Hashable], ratings: Floats) -> float | None:
    """Return ρ of ratings with a control that sees only the source: the mean rating of the source's other texts.

    After the sentinels of Perrella et al. (2024, arXiv 2408.13831): what it reaches, no estimator learned from texts.

    Args:
        sources: of n texts.
        keys: equal where source and text are.
        ratings: shape (n,).

    Returns:
        ρ over the texts whose source has others; None for fewer than three.

    >>> source_control("aabb", "aabc", np.array([1.0, 1.0, 2.0, 3.0])) is None
    True
    """
    source_of, text_of = number_groups(sources), number_groups(keys)
    n, total = (
        np.bincount(source_of, each)[source_of] - np.bincount(text_of, each)[text_of] for each in (None, ratings)
    )
    rows = np.flatnonzero(n)
    return rank_correlation(total[rows] / n[rows], ratings[rows]) if len(rows) > 2 else None
