"""Means and differences of means of ratings that share items and raters: variances and degrees of freedom, closed form.

A rating of system s for item i by rater r is taken as μ_s plus effects of the item, of the rater and a rest, whose
variances, and covariances between two systems, are any: ratings of one item, or of one rater, are correlated, within a
system and across systems, and no others (two-way clustering: Cameron, Gelbach & Miller 2011, "Robust inference with
multiway clustering", JBES 29(2)). With the weights w of the ratings in a system's mean, let T_g be the sum of w times
the residuals of group g (an item, a rater, or both). The sums Σ_g T_g² of the three groupings are linear in the three
variances, with coefficients that are sums of products of weights; they are set equal to their expectations (Henderson
1953, "Estimation of variance and covariance components", Biometrics 9(2), method 1; for crossed effects of any balance
Gao & Owen 2017, "Efficient moment calculations for variance components in large unbalanced crossed random effects
models", EJS 11(1)). Covariances of two systems' means come from Σ_g T_g T'_g in the same way. All are sums over
groups: time and memory grow with the number of ratings alone. Degrees of freedom are Satterthwaite's (1946).

Special cases are known tests: one rating an output, both systems rated on the same items: the paired t test; on other
items: Welch's; on some of the same: that of Derrick, Russ, Toher & White (2017), "Test statistics for the comparison of
means for two samples that include both paired and independent observations", JMASM 16(1). All raters rate all items:
the analysis of variance with two random factors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.cluster_robust import cluster_robust_variance
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference

FEWEST_RATERS = 5
"""Fewest raters for a finding on raters other than these."""

FEWEST_RATERS_OF_EACH = 3
"""Fewest raters of a system for a comparison with a system that other raters rated."""

_SAME_RATERS = 0.5
"""Least share of the weights that two systems have from the same raters; below it they were rated by different ones."""

_NO_COMPONENT = 1e-9
"""Relative size of a singular value below which two variance components cannot be told from one another."""

ROUNDING = 1e-12
"""Share of the largest rating below which a standard error, or a difference, is taken for 0."""


@dataclass(frozen=True)
class Crossed:
    """A mean, or a difference of means, for the raters who rated, and for raters drawn anew.

    Attributes:
        these: inference for these raters: items alone are taken as drawn at random; None if two systems were rated by
            different raters, whose leniency then cannot be told from the systems.
        others: inference for raters like them: raters are drawn at random, too; None if raters are not known, if there
            is only one, or if systems were rated by different raters and one of them by fewer than three.
        n_raters: number of raters; 0 if they are not known.
        of_single: the part of single ratings in the variance of `these`, which more raters of each item lessen; 0 if it
            is not known.
    """

    these: Inference | None
    others: Inference | None
    n_raters: int = 0
    of_single: Any = 0.0

    @property
    def about_others(self) -> bool:
        """Whether the finding is about people like the raters: from 5 raters on; fewer say too little of others."""
        return self.others is not None and (self.these is None or self.n_raters >= FEWEST_RATERS)

    @property
    def said(self) -> Inference:
        """Mean and interval for raters drawn anew if there are enough, else for these; see `about_others`."""
        said = self.others if self.about_others else self.these
        return Inference.unknown() if said is None else said

    def plus(self, value: float, variance: float, degrees_of_freedom: float, third: float | None = None) -> Crossed:
        """Return the sum with a further estimate; see `Inference.plus`."""
        return self._changed(lambda estimate: estimate.plus(value, variance, degrees_of_freedom, third))

    def widened(self, variance: Any) -> Crossed:
        """Return the same with a variance added to that of both; see `Inference.widened`."""
        return self._changed(lambda estimate: estimate.widened(variance))

    def times(self, factor: float) -> Crossed:
        """Return the estimate times a factor, with its error."""
        changed = self._changed(lambda estimate: estimate.times(factor))
        return replace(changed, of_single=factor**2 * self.of_single)

    def unless_certain(self) -> Crossed:
        """Return the estimate with an unknown error if its standard error is 0, as in a sample too small."""
        return self._changed(lambda known: known if known.standard_error else Inference.unknown(known.value))

    def detectable(self, level: float, times_items: float = 1.0, times_raters: float = 1.0) -> float:
        """Return the least true value for raters in general that other numbers of items and raters find.

        The variance has a part that stems from the draw of items, one from the draw of raters, and one of single
        ratings, which both lessen; degrees of freedom of the sum are Satterthwaite's. See `Inference.detectable`, which
        tells it of the numbers at hand.

        Args:
            level: confidence level at which a difference is shown, in (0, 1).
            times_items: number of items of the further study, as a multiple of those of this one.
            times_raters: the same of raters.
        """
        these, others = self.these, self.others
        if these is None or others is None or not others.is_known:
            return math.inf
        if times_items == times_raters == 1:
            return others.detectable(level)
        of_single = min(max(float(self.of_single), 0.0), these.standard_error**2)
        of_items = (these.standard_error**2 - of_single + of_single / times_raters) / times_items
        of_raters = max(others.standard_error**2 - these.standard_error**2, 0.0) / times_raters
        variance = of_items + of_raters
        if not variance:
            return 0.0
        spread = of_items**2 / (times_items * (these.degrees_of_freedom + 1) - 1)
        spread += of_raters**2 / (times_raters * self.n_raters - 1)
        return Inference(0.0, math.sqrt(variance), variance**2 / spread, 0.0).detectable(level)

    def _changed(self, change: Callable[[Inference], Inference]) -> Crossed:
        return replace(self, these=self.these and change(self.these), others=self.others and change(self.others))


def crossed(
    values: Floats,
    weights: Floats,
    items: Integers,
    raters: Integers | None = None,
    systems: Integers | None = None,
    *,
    fitted: int = 0,
    skewed: bool = False,
    clustered: bool = False,
) -> Crossed:
    """Return a weighted sum of ratings with its error.

    Args:
        values: ratings, shape (n,), or of several draws, shape (n, draws); the figures then have the shape (draws,),
            and skewness is taken as 0.
        weights: weights of the ratings in the sum, shape (n,); they sum to 1 in one system, or to 1 and −1 in two.
        items: numbers of the items, or of the clusters that hold them, shape (n,).
        raters: their numbers, shape (n,); None if they are not known.
        systems: 0 or 1 each, shape (n,); None if all are of one system.
        fitted: number of coefficients that were fitted to the ratings before.
        skewed: whether the values may be skewed: in differences of two systems the skewness cancels but for noise.
        clustered: whether `items` are clusters that hold several items: few of them, of unequal sizes, need
            `cluster_robust_variance`.
    """
    grouped = _groupings(values, weights, systems)
    of_items = grouped(items)
    variance, freedom, _ = _variance([of_items])
    robust, robust_freedom = variance, freedom
    if clustered and min((shares > 0).sum() for shares in of_items.weights) > 1:
        robust, robust_freedom = cluster_robust_variance(values, weights, of_items.codes, systems)
    third = float((of_items.residuals[0] ** 3).sum()) if skewed and values.ndim == 1 else 0.0
    inference = partial(_inference, values, weights, fitted=fitted, third=third)
    these: Inference | None = inference(robust, robust_freedom)
    if raters is None:
        return Crossed(these, None)
    of_raters = grouped(raters)
    n_raters = len(of_raters.weights[0])
    enough = n_raters > 1
    if _have_different_raters(of_raters):
        these = None
        enough = min((of_system > 0).sum() for of_system in of_raters.weights) >= FEWEST_RATERS_OF_EACH
    if not enough:
        return Crossed(these, None, n_raters)
    of_cells = grouped(of_items.codes * n_raters + of_raters.codes)
    total, freedom_of_others, of_single = _variance([of_items, of_raters, of_cells])
    # Raters add to the variance of items, so this interval is never narrower than that for these raters; it is the same
    # if no rater's view shows.
    shows = total > variance
    freedom_of_others = np.where(shows, np.minimum(freedom_of_others, robust_freedom), robust_freedom)
    others = inference(np.where(shows, total + (robust - variance), robust), freedom_of_others)
    return Crossed(these, others, n_raters, of_single)


def item_rater_rest(values: Floats, weights: Floats, items: Integers, raters: Integers) -> tuple[float, float, float]:
    """Return the variances of items, of raters, and of the rest, of one system's ratings; some may be below 0.

    Args:
        values: ratings, shape (n,).
        weights: weights of the ratings in the mean around which they vary, shape (n,), of sum 1.
        items: numbers of the items, or of the clusters that hold them, shape (n,).
        raters: their numbers, shape (n,).
    """
    grouped = _groupings(values, weights, None)
    of_items, of_raters = grouped(items), grouped(raters)
    of_cells = grouped(of_items.codes * len(of_raters.weights[0]) + of_raters.codes)
    item, rater, rest = _components([of_items, of_raters, of_cells], 0, 0)
    return float(item), float(rater), float(rest)


def _inference(values: Floats, weights: Floats, variance: Any, freedom: Any, *, fitted: int, third: float) -> Inference:
    """Return a weighted sum of values with its error; the arguments are those of `crossed`.

    Args:
        values: shape (n,) or (n, draws).
        weights: shape (n,).
        variance: variance of the sum.
        freedom: the variance's degrees of freedom.
        fitted: number of coefficients that were fitted before.
        third: third cumulant of the sum.
    """
    least = ROUNDING * np.abs(values).max()
    left = np.maximum(freedom - fitted, 1.0)
    error = _above(least, np.sqrt(variance * freedom / left))
    value = _above(least, weights @ values)
    if values.ndim == 1:
        value, error, left = float(value), float(error), float(left)
    return Inference(value, error, left, third / error**3 if third and error else 0.0)


def _above(least: float, number: Any) -> Any:
    """Return a number, or 0 if it is no more than rounding."""
    return np.where(abs(number) > least, number, 0.0)[()]


class _Grouping(NamedTuple):
    """Ratings summed within groups.

    Attributes:
        codes: the group of each rating, shape (n,).
        weights: weights of the groups in each system's mean, shape (groups,) each.
        residuals: the weighted sums of each system's residuals, shape (groups, …) each.
    """

    codes: Integers
    weights: list[Floats]
    residuals: list[Floats]

    @property
    def classes(self) -> list[Any]:
        """Groups that hold ratings of one system alone, for each system, and groups of all systems."""
        present = [shares > 0 for shares in self.weights]
        if len(present) == 1:
            return present
        return [present[0] & ~present[1], present[1] & ~present[0], present[0] & present[1]]

    @property
    def freedoms(self) -> list[float]:
        """Degrees of freedom of the groups of the first system alone, of the second's alone, and of those of both.

        Of m groups of equal weight m − 1; of others the effective number of groups, less one.
        """
        squares: Any = sum(shares**2 for shares in self.weights)
        freedoms = []
        for among in self.classes:
            effective = float(squares[among].sum() ** 2 / (squares[among] ** 2).sum()) if among.any() else 1.0
            freedoms.append(max(effective - 1, 1.0))
        return freedoms


def _groupings(values: Floats, weights: Floats, systems: Integers | None) -> Callable[[Integers], _Grouping]:
    """Return the function that sums ratings' weights and residuals within groups; see `crossed` for the arguments."""
    members = [np.ones(len(values), dtype=bool)] if systems is None else [systems == 0, systems == 1]
    shares = [np.where(among, np.abs(weights), 0.0) for among in members]
    # One system's ratings lie around its mean.
    residuals = [((values - share @ values).T * share).T for share in shares]

    def grouped(groups: Integers) -> _Grouping:
        codes = np.unique(groups, return_inverse=True)[1].ravel()

        def summed(each: Floats) -> Floats:
            return np.apply_along_axis(partial(np.bincount, codes), 0, each)

        return _Grouping(codes, [summed(share) for share in shares], [summed(residual) for residual in residuals])

    return grouped


def _have_different_raters(of_raters: _Grouping) -> bool:
    """Whether there are two systems, most of whose weights come from raters who did not rate the other."""
    if len(of_raters.weights) == 1:
        return False
    return bool(np.minimum(*of_raters.weights).sum() < _SAME_RATERS)


def _variance(groupings: Sequence[_Grouping]) -> tuple[Any, Any, Any]:
    """Return the variance of a mean, or of a difference of means, its degrees of freedom, and single ratings' part.

    Args:
        groupings: groupings by item; or by item, by rater, and by both.
    """
    by_class = _variances_by_class(groupings)
    totals = [sum(of_classes) for of_classes in by_class]
    # The variance of single ratings is in the sums by item and by rater, and counts once.
    variance = sum(totals[:2]) - sum(totals[2:])
    variance = np.where(variance > 0, variance, (np.subtract.reduce(groupings[0].residuals) ** 2).sum(axis=0))
    # Satterthwaite: the sum of each independent part's square over its own degrees of freedom.
    spread: Any = 0
    for of_classes, grouping in zip(by_class[:2], groupings[:2], strict=True):
        for part, of_part in zip(of_classes, grouping.freedoms, strict=True):
            spread = spread + part**2 / of_part
    most_of_items = max(groupings[0].freedoms)
    least = 1.0
    if len(groupings) == 3:
        least = max(groupings[1].freedoms)
        spread = spread + totals[2] ** 2 / (most_of_items * least)
    with np.errstate(all="ignore"):
        freedom = np.where(spread > 0, variance**2 / spread, most_of_items)
    return variance, np.maximum(freedom, least), sum(totals[2:])


def _variances_by_class(groupings: Sequence[_Grouping]) -> list[list[Any]]:
    """Return the part of each grouping in the variance: by its groups of the first system, of the second, of both.

    A covariance of two systems comes from groups that both have; the variance of one system's mean is split between
    its own groups and the common ones as their squared residuals are.
    """
    by_class: list[list[Any]] = [[0.0] * len(grouping.classes) for grouping in groupings]
    for s, t in combinations_with_replacement(range(len(groupings[0].weights)), 2):
        for part, grouping, covariance in zip(by_class, groupings, _covariances(groupings, s, t), strict=True):
            if s != t:
                part[-1] = part[-1] - 2 * covariance
                continue
            squares = grouping.residuals[s] ** 2
            every = squares.sum(axis=0)
            alone = squares[grouping.classes[s]].sum(axis=0)
            share = np.divide(alone, every, out=np.zeros_like(every), where=every > 0)[()]
            part[s] = part[s] + share * covariance
            part[-1] = part[-1] + (1 - share) * covariance
    return by_class


def _covariances(groupings: Sequence[_Grouping], s: int, t: int) -> list[Any]:
    """Return the covariance of the means of systems s and t by each grouping.

    By item it is the sum of the items' effects and the rest, by rater that of the raters' effects and the rest, and by
    both that of the rest alone.
    """
    squares = [grouping.weights[s] @ grouping.weights[t] for grouping in groupings]
    terms = [square * component for square, component in zip(squares, _components(groupings, s, t), strict=True)]
    rest = terms[-1]
    return [*(term + rest for term in terms[:-1]), rest]


def _components(groupings: Sequence[_Grouping], s: int, t: int) -> Any:
    """Return the components of the covariance of systems s and t, one per grouping: the last is that within cells.

    The sums of products of residuals are set equal to their expectations.
    """
    sums = np.stack([(grouping.residuals[s] * grouping.residuals[t]).sum(axis=0) for grouping in groupings])
    expected = np.array([[_expected(groupings, i, j, s, t) for j in range(len(sums))] for i in range(len(sums))])
    return np.tensordot(np.linalg.pinv(expected, rcond=_NO_COMPONENT), sums, axes=1)


def _expected(groupings: Sequence[_Grouping], i: int, j: int, s: int, t: int) -> float:
    """Return the part of a unit variance of grouping j in the sum of products of grouping i's residuals."""
    cells = groupings[i] if i == j else groupings[-1]
    one, other = groupings[i], groupings[j]
    # A rating of each cell tells the groups that the cell lies in.
    first = np.unique(cells.codes, return_index=True)[1]
    products = [one.weights[x][one.codes[first]] * other.weights[x][other.codes[first]] for x in (s, t)]
    mixed = cells.weights[s] @ products[1] + cells.weights[t] @ products[0]
    groups = (one.weights[s] @ one.weights[t]) * (other.weights[s] @ other.weights[t])
    return float(cells.weights[s] @ cells.weights[t] - mixed + groups)
