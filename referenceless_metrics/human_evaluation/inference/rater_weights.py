"""Weights of ratings if some raters gave many more than others: generalised least squares on the crossed model.

Ratings of one item, and of one rater, are correlated. If four of forty raters gave most ratings, a mean in which each
rating counts alike is mostly that of four people, and as uncertain as a mean of four. The weights w of least variance
solve V w ∝ 1 (Aitken 1936, "On least squares and linear combinations of observations"), with V = σ²_item Z Z' +
σ²_rater U U' + σ² I and Z, U the indicators of items and raters. They lie between one weight per rating, if raters do
not differ, and one per rater, if they differ much. The estimated mean is then that of raters like these, and not that
of the ratings that happen to be there. The variances are those of `crossed`, from the plain weights.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.support.validation import Floats, Integers
from referenceless_metrics.human_evaluation.inference.crossed import FEWEST_RATERS, item_rater_rest

_LEAST_REST = 0.05
"""Least share of the ratings' variance that single ratings are taken to have beside items and raters."""

_TOLERANCE = 1e-10
"""Relative error at which the weights are found."""

_FAR_ABOVE = 2.0
"""Ratio to the mean number of ratings above which a rater gave many."""

_MOSTLY = 1 / 3
"""Least share of the ratings from raters who gave many that is worth a note."""


def weights_of_ratings(values: Floats, plain: Floats, items: Integers, raters: Integers) -> Floats:
    """Return the weights of ratings in one system's mean, shape (n,), of sum 1.

    If all raters gave the same number of ratings, and if there are fewer than `FEWEST_RATERS`, these are the plain
    weights.

    Args:
        values: ratings, or differences of two, shape (n,).
        plain: weights by which each item counts alike, shape (n,), of sum 1.
        items: numbers of the items, or of the clusters that hold them, shape (n,).
        raters: their numbers, shape (n,).
    """
    item_of = np.unique(items, return_inverse=True)[1].ravel()
    rater_of = np.unique(raters, return_inverse=True)[1].ravel()
    counts = np.bincount(rater_of)
    if len(counts) < FEWEST_RATERS or np.ptp(counts) == 0 or np.ptp(values) == 0:
        return plain
    item, rater, rest = item_rater_rest(values, plain, item_of, rater_of)
    variances = max(item, 0.0), max(rater, 0.0), max(rest, _LEAST_REST * float(values.var()))
    weights = _of_least_variance(item_of, rater_of, variances)
    return plain if weights is None else weights


def _of_least_variance(items: Integers, raters: Integers, variances: tuple[float, float, float]) -> Floats | None:
    """Return the weights of least variance; None if they are not found.

    Args:
        items: the item of each rating, from 0 up, shape (n,).
        raters: the rater of each, likewise.
        variances: variances of items, of raters and of single ratings; the last is above 0.
    """
    from scipy.sparse.linalg import LinearOperator, cg

    of_item, of_rater, rest = variances
    n = len(items)

    def times_covariances(weights: Floats) -> Floats:
        by_item = np.bincount(items, weights)[items]
        by_rater = np.bincount(raters, weights)[raters]
        return np.asarray(of_item * by_item + of_rater * by_rater + rest * weights)

    covariances = LinearOperator((n, n), matvec=times_covariances, dtype=np.float64)
    found, failed = cg(covariances, np.full(n, rest), rtol=_TOLERANCE)
    total = float(found.sum())
    return None if failed or not total > 0 else np.asarray(found / total)


def note_on_raters(raters: Sequence[object]) -> str:
    """Return a note if a few raters gave most ratings; "" otherwise.

    Args:
        raters: the rater of each rating.

    >>> note_on_raters(["ann"] * 20 + ["bob", "cat"])
    '1 of 3 raters gave 91% of the ratings.'
    """
    names, counts = np.unique([str(rater) for rater in raters], return_counts=True)
    many = counts > _FAR_ABOVE * counts.mean()
    share = float(counts[many].sum() / counts.sum())
    if share < _MOSTLY:
        return ""
    return f"{int(many.sum())} of {len(names)} raters gave {share:.0%} of the ratings."
