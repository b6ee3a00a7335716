"""Evaluation of an estimator on ratings that it has not seen: cross-validation, and the texts that `fit` leaves out."""

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
from referenceless_metrics.pages.charts import LARGE, scatters
from referenceless_metrics.pages.drawing import Plot

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


@dataclass(frozen=True, eq=False)
class GroupedAgreement:
    """Agreement of estimates with ratings that were left out by groups.

    Attributes:
        grouping: the name of the groups, none of which is split between training and test.
        n_groups: the number of groups.
        n_folds: the number of folds; fewer than were asked for if there are fewer groups.
        n: the number of ratings.
        pearson: Pearson's r; within systems if systems are left out.
        spearman: Spearman's ρ; within systems if systems are left out.
        mae: the mean absolute error.
        rmse: the root of the mean squared error.
        constant_rmse: the same of a constant estimate, the mean rating of the training folds.
        interval_coverage: the share of ratings within their intervals.
        interval_width: the mean width of the intervals.
        level: the share of ratings that the intervals shall contain.
        estimates: the estimate of each text, made without its group, shape (n,).
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
    estimates: Floats


@dataclass(frozen=True)
class Evaluation:
    """The agreement under each grouping, and the ceiling.

    Attributes:
        agreements: one per grouping.
        ceiling: the correlation that rater noise allows, from texts that were rated twice; None if there are none.
        by_source: the ρ of a control that sees no text, see `source_control`; None without sources.
    """

    agreements: tuple[GroupedAgreement, ...]
    ceiling: RaterCeiling | None
    by_source: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return the evaluation as numbers and strings."""
        found = asdict(self)
        for each in found["agreements"]:
            del each["estimates"]
        return found

    @property
    def cells(self) -> list[dict[str, str]]:
        """The rows of the printed table, by the heads of its columns."""
        rows = []
        for each in self.agreements:
            rows.append({head: form.format(**vars(each)) for head, form in _TABLE.items()})
        return rows

    def __str__(self) -> str:
        return render(self.cells, {}, "table", lines=["", *self.notes])

    def plot(self, ratings: Floats) -> Plot:
        """Return a chart of the ratings over the estimates by the first way of leaving texts out.

        Args:
            ratings: the rating of each text, shape (n,).
        """
        first = self.agreements[0]
        (chart,) = scatters([first.estimates], [ratings], frame=LARGE)
        heading = f"{first.grouping} left out"
        return Plot(
            heading, chart, "estimate from the others", "rating", 1, f"r {first.pearson:.2f}, ρ {first.spearman:.2f}"
        )

    @property
    def notes(self) -> list[str]:
        """Sentences below the table: on the ceiling, and on the source alone."""
        notes = []
        if self.ceiling is not None:
            notes.append(f"{self.ceiling}.")
        if self.by_source is not None:
            notes.append(f"Mean rating of the source's other texts: ρ = {self.by_source:.3f}.")
        return notes


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
        estimate: a function of training rows, test rows and groups. It fits on the training rows and returns the
            estimates of the test rows with the lower and upper ends of their intervals.
        ratings: shape (n,).
        groupings: for each name of a grouping the number of each text's group, from 0, shape (n,).
        level: the share of ratings that the intervals shall contain.
        n_folds: the number of folds. If there are fewer groups, each is left out in turn.
        seed: the seed of the folds.
    """
    agreements = []
    for grouping, groups in groupings.items():
        folds = _folds_of(grouping, groups, n_folds, seed)
        values, lower, upper, constant = np.full((4, len(ratings)), np.nan)
        for train, test in splits(folds):
            values[test], lower[test], upper[test] = estimate(train, test, groups)
            constant[test] = ratings[train].mean()
        compared, rated = values, ratings
        if grouping == SYSTEMS:
            compared = within_systems(values, groups)
            rated = within_systems(ratings, groups)
        agreements.append(
            GroupedAgreement(
                grouping=grouping,
                n_groups=int(groups.max()) + 1,
                n_folds=len(np.unique(folds)),
                n=len(ratings),
                pearson=pearson(compared, rated),
                spearman=rank_correlation(compared, rated),
                mae=float(np.abs(values - ratings).mean()),
                rmse=math.sqrt(mean_squared_error(values, ratings)),
                constant_rmse=math.sqrt(mean_squared_error(constant, ratings)),
                interval_coverage=float(((lower <= ratings) & (ratings <= upper)).mean()),
                interval_width=float((upper - lower).mean()),
                level=level,
                estimates=values,
            )
        )
    return tuple(agreements)


def _folds_of(grouping: str, groups: Integers, n_folds: int, seed: int) -> Integers:
    """Return the number of each text's fold, shape (n,); no group is split."""
    if grouping == SYSTEMS:
        return group_folds(groups)
    n_groups = int(groups.max()) + 1
    if n_groups <= n_folds:
        return groups
    return random_folds(groups, n_folds, seed, by_size=True)


def part_estimates(
    fit: Callable[[TextFeatures, Floats, Integers], Any],
    described: TextFeatures,
    ratings: Floats,
    groups: Integers,
) -> PartEstimates:
    """Return a function that estimates n rated texts from parts of them; too small a part gives NaN.

    Texts of the part itself are estimated by models without them. Such estimates lie around the mean of the part's
    other ratings, which is lower if the text's own rating is high. An `Assessment` corrects for that.

    Args:
        fit: a function that fits a `KernelModel` on texts, their ratings and their groups.
        described: the features of the texts.
        ratings: shape (n,).
        groups: the group of each text, shape (n,). Texts of one group are left out together.
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
    means: Floats | None = None,
    left_out: str = TEXTS,
    systems: Integers | None = None,
) -> Verdict:
    """Return the verdict on estimates of left-out training texts.

    A text that was rated several times for one source counts once, with the means of its ratings and estimates.

    Args:
        estimates: the estimates of n texts by models without them, shape (n,).
        texts: the texts.
        triples: their sources; None without.
        ratings: shape (n,).
        levels: the mean estimates of all texts by the models that gave `estimates`, shape (n,); None if all estimates
            lie around one mean.
        means: the mean of the ratings that each estimate was made with, shape (n,), if they lie around one mean.
        left_out: the kind of group that was left out together.
        systems: the number of each text's system, if systems were left out.
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
        training_means=None if means is None else np.bincount(numbers, weights=means) / counts,
        systems=None if systems is None else systems[first],
    )
    return verdict_from(agreed, left_out)


def source_control(sources: Sequence[Hashable], keys: Sequence[Hashable], ratings: Floats) -> float | None:
    """Return ρ of ratings with a control that sees only the source: the mean rating of the source's other texts.

    It follows the sentinels of Perrella et al. (2024, arXiv 2408.13831). An estimator with the same ρ has learned
    nothing from the texts.

    Args:
        sources: the sources of n texts.
        keys: n keys, equal if both source and text are equal.
        ratings: shape (n,).

    Returns:
        ρ over the texts whose source has others; None for fewer than three.

    >>> source_control("aabb", "aabc", np.array([1.0, 1.0, 2.0, 3.0])) is None
    True
    """
    source_of = number_groups(sources)
    text_of = number_groups(keys)
    n_others = np.bincount(source_of)[source_of] - np.bincount(text_of)[text_of]
    sum_of_others = np.bincount(source_of, ratings)[source_of] - np.bincount(text_of, ratings)[text_of]
    rows = np.flatnonzero(n_others)
    if len(rows) < 3:
        return None
    return rank_correlation(sum_of_others[rows] / n_others[rows], ratings[rows])
