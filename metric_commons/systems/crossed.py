"""Means and differences of means where ratings share items and raters: variances, and degrees of freedom, closed form.

A rating of system s for item i by rater r is taken as μ_s plus effects of the item, of the rater and a rest, whose
variances, and covariances between two systems, are any: ratings of one item, or of one rater, are correlated, within a
system and across systems, and no others (two-way clustering: Cameron, Gelbach & Miller 2011, "Robust inference with
multiway clustering", JBES 29(2)). Each component is estimated by setting a sum of products of residuals equal to its
expectation (Henderson 1953, "Estimation of variance and covariance components", Biometrics 9(2), method 1; for crossed
effects of any balance Gao & Owen 2017, "Efficient moment calculations for variance components in large unbalanced
crossed random effects models", EJS 11(1)), so the variance of the estimate is a quadratic form of the ratings without
bias. Its degrees of freedom are Satterthwaite's (1946), by that form's own variance.

Special cases are known tests: one rating an output, both systems rated on the same items: the paired t test; on other
items: Welch's; on some of the same: that of Derrick, Russ, Toher & White (2017), "Test statistics for the comparison of
means for two samples that include both paired and independent observations", JMASM 16(1). All raters rate all items:
the analysis of variance with two random factors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from metric_commons.support.validation import Floats, Integers
from metric_commons.systems.inference import Inference

FEWEST_RATERS = 5
"""Below it ratings say too little of raters other than these."""

_ENOUGH = 30  # items from which on a few that are far from the others do no harm
_ROUNDING = 1e-12  # of the largest rating: a standard error below it is none
_DENSE = 400  # ratings up to which degrees of freedom count that means were estimated


class Crossing:
    """Which ratings share what: a linear estimate's variance for any ratings of this design.

    Args:
        weights: of the n ratings in the estimate, shape (n,); they sum to 1 in one system, or to 1 and −1 in two.
        systems: 0 or 1, which system each rating is of, shape (n,).
        levels: what correlates ratings, such as their items and their raters: numbers, shape (n,) each.
    """

    def __init__(self, weights: Floats, systems: Integers, levels: Sequence[Integers]) -> None:
        from scipy import sparse

        n = len(weights)
        self._members = np.eye(systems.max() + 1)[systems]
        self._counts = self._members.sum(axis=0)
        block = np.unique(np.column_stack(levels), axis=0, return_inverse=True)[1].ravel()
        parts: list[Any] = []
        for codes in (*levels, block):
            same = sparse.csr_array((np.ones(n), (np.arange(n), codes)), shape=(n, int(codes.max()) + 1))
            of = [same * self._members[:, [s]] for s in range(len(self._counts))]
            parts += [each @ each.T for each in of]
            if len(of) == 2:
                across = of[0] @ of[1].T
                parts.append(across + across.T)
        # What has no pair beyond those of another part cannot be told from it.
        self._parts = [part.toarray() if n <= _DENSE else part for part in _independent(parts)]
        sums = np.stack([part @ self._members for part in self._parts])  # (parts, n, systems)
        inner = np.einsum("ns,pnt->pst", self._members, sums) / self._counts[:, None]
        overlaps = np.array([[_trace(one, other) for other in self._parts] for one in self._parts])
        overlaps -= 2 * np.einsum("pns,qns->pq", sums / self._counts, sums)
        overlaps += np.einsum("pst,qts->pq", inner, inner)
        self._inverse = np.linalg.pinv(overlaps, rcond=1e-9)
        self._of_estimate = np.array([weights @ (part @ weights) for part in self._parts])
        form = sum(f * part for f, part in zip(self._inverse.T @ self._of_estimate, self._parts, strict=True))
        if n <= _DENSE:
            form = self._centred(self._centred(form).T)
        products = [form @ part for part in self._parts]
        self._spread = np.array([[_trace(one, other.T) for other in products] for one in products])

    def _centred(self, values: Floats) -> Floats:
        means = (self._members.T @ values).T / self._counts
        left: Floats = values - self._members @ means.T
        return left

    def variance(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the variance of the estimate, and its degrees of freedom.

        Args:
            values: ratings, shape (n,), or of several draws, shape (n, draws).
        """
        left = self._centred(values)
        products = np.stack([(left * (part @ left)).sum(axis=0) for part in self._parts])
        components = self._inverse @ products
        variance = self._of_estimate @ components
        spread = np.einsum("p...,pq,q...->...", components, self._spread, components)
        with np.errstate(all="ignore"):
            return variance, variance**2 / spread


def _trace(one: Any, other: Any) -> float:
    """Return the trace of the product of one matrix with the other's transpose."""
    return float((one * other).sum())


def _independent(parts: Sequence[Any]) -> list[Any]:
    kept: dict[tuple[bytes, bytes], Any] = {}
    for part in parts:
        part.sort_indices()
        if part.nnz:
            kept.setdefault((part.indptr.tobytes(), part.indices.tobytes()), part)
    return list(kept.values())


@dataclass(frozen=True)
class Crossed:
    """A mean, or a difference of means, for the raters who rated, and for raters drawn anew.

    Attributes:
        these: for these raters: items alone are taken as drawn at random.
        others: for raters like them: raters are, too; None where raters are not known, or there is one.
        n_raters: how many raters the estimate effectively rests on, 1 / Σ share²; 0 where they are not known.
        n_would_do: how many items an interval takes that covers in spite of a few items far from the others: 25 times
            the squared skewness (Cochran 1977, "Sampling Techniques", 2.15); 0 where there are as many, or 30.
        count: how many raters rated; 0 where they are not known.
    """

    these: Inference
    others: Inference | None
    n_raters: float
    n_would_do: int = 0
    count: int = 0

    @property
    def about_others(self) -> bool:
        """Whether what is said is about people like the raters: from 5 raters on; fewer say too little of others."""
        return self.others is not None and self.n_raters >= FEWEST_RATERS

    @property
    def said(self) -> Inference:
        """What is said: for raters drawn anew where there are enough, else for these; see `about_others`."""
        return self.others if self.others is not None and self.about_others else self.these

    def plus(self, value: float, variance: float, degrees_of_freedom: float, third: float | None = None) -> Crossed:
        """Return the sum with a further estimate; see `Inference.plus`."""
        more = value, variance, degrees_of_freedom, third
        return replace(self, these=self.these.plus(*more), others=self.others and self.others.plus(*more))


def crossed(
    values: Floats,
    weights: Floats,
    items: Sequence[Integers],
    raters: Integers | None = None,
    systems: Integers | None = None,
    *,
    fitted: int = 0,
    skewed: bool = False,
) -> Crossed:
    """Return a weighted sum of ratings with its error.

    Args:
        values: ratings, shape (n,), or of several draws, shape (n, draws); the figures then have the shape (draws,),
            and skewness is taken as 0.
        weights: of the ratings in the sum, shape (n,); see `Crossing`.
        items: numbers of what holds items, if anything, and of the items, shape (n,) each.
        raters: their numbers, shape (n,); None where they are not known.
        systems: 0 or 1 each, shape (n,); None where all are of one system.
        fitted: how many coefficients were fitted to the ratings before.
        skewed: whether the values may be skewed: in differences of two systems the skewness cancels but for noise.
    """
    n = len(values)
    value: Any = weights @ values
    systems = np.zeros(n, dtype=np.int64) if systems is None else systems
    levels = [np.unique(codes, return_inverse=True)[1].ravel() for codes in items]
    third, n_would_do = 0.0, 0
    if values.ndim == 1 and weights.min() >= 0:
        of_items = np.bincount(levels[0], weights * (values - value))
        third, squares, n_items = (of_items**3).sum(), (of_items**2).sum(), len(of_items)
        if squares and n_items < _ENOUGH:
            needed = int(np.ceil(25 * n_items * third**2 / squares**3))
            n_would_do = max(needed, _ENOUGH) if needed > n_items else 0

    def inference(variance: Any, freedom: Any) -> Inference:
        left = np.maximum(freedom - fitted, 1.0)
        error = np.sqrt(variance * freedom / left)
        error = np.where(error > _ROUNDING * np.abs(values).max(), error, 0.0)[()]
        skewness = float(third / error**3) if skewed and third and error else 0.0
        if values.ndim == 1:
            return Inference(float(value), float(error), float(left), skewness)
        return Inference(value, error, left, skewness)

    if len(items) == 1 and len(np.unique(levels[0])) == n and not np.ptp(weights) and n > 1:
        these = values.var(axis=0, ddof=1) / n, n - 1.0
    else:
        these = _variance(values, weights, systems, levels)
    others, n_raters, count = None, 0.0, 0
    if raters is not None:
        numbers = np.unique(raters, return_inverse=True)[1].ravel()
        shares = np.bincount(numbers, np.abs(weights))
        n_raters, count = float(shares.sum() ** 2 / (shares**2).sum()), len(shares)
    if count > 1:
        variance, freedom = _variance(values, weights, systems, [*levels, numbers])
        # Raters can only add to what items bring: without, 7 % of studies of 5 equal systems showed a difference, not
        # 5.
        freedom = np.maximum(np.where(variance >= these[0], freedom, these[1]), max(n_raters - 1, 1.0))
        others = inference(np.maximum(variance, these[0]), freedom)
    return Crossed(inference(*these), others, n_raters, n_would_do, count)


def _variance(
    values: Floats,
    weights: Floats,
    systems: Integers,
    levels: Sequence[Integers],
) -> tuple[Any, Any]:
    """Return the variance of a weighted sum and its degrees of freedom; where it is not above 0, that of its terms."""
    design = _crossing(weights.tobytes(), systems.tobytes(), tuple(codes.tobytes() for codes in levels))
    variance, freedom = design.variance(values)
    members = np.eye(systems.max() + 1)[systems]
    left = values - members @ ((members * weights[:, None] / (weights @ members)).T @ values)
    there = variance > 0
    plain = ((weights * left.T) ** 2).sum(axis=-1)
    return np.where(there, variance, plain), np.where(there, np.maximum(freedom, 1.0), max(levels[0].max(), 1.0))


@lru_cache(maxsize=16)
def _crossing(weights: bytes, systems: bytes, levels: tuple[bytes, ...]) -> Crossing:
    """Return a design that may have been met before, as in all pairs of systems of one study."""
    read = [np.frombuffer(each, dtype=np.int64) for each in (systems, *levels)]
    return Crossing(np.frombuffer(weights), read[0], read[1:])
