"""Kernel ridge regression with the error of each rating when its group is left out, in closed form.

With A = K + αI and residuals r, the coefficients are A⁻¹r, and the prediction errors of group G under the model of all
other groups are ((A⁻¹)_GG)⁻¹ (A⁻¹r)_G: the identity of leave-one-out, for blocks. The intercept is a constant part of
the kernel, so that it is left out too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from referenceless_metrics.core.support.computing import one_blas_thread
from referenceless_metrics.core.support.validation import Floats, Integers

INTERCEPT = 10.0
"""Constant that is added to every entry of the kernel: so great that the intercept is hardly shrunk."""

LEAST_PENALTY, GREATEST_PENALTY = 2.0**-4, 2.0**9
START = 2.0**3
"""Penalty at which a search starts."""

_ROWS_AT_ONCE = 32  # rows of a kernel that is copied, so that both copies stay in the cache
_STEPS = 6  # of Newton's method, after which margins move by less than a thousandth
_MOST_MARGIN = 12.0


@dataclass(frozen=True)
class Ridge:
    """A fitted regression.

    Attributes:
        penalty: α.
        coefficients: one per training row, shape (n,).
        left_out: rating minus prediction of each row under the model without its group, shape (n,); of preferences,
            the margin of each pair.
        loss: the mean square of `left_out`; of preferences, their mean −ln p.
        levels: the mean prediction over all rows of the model without a row's group, shape (n,); of rows that are left
            out with several groups, 0.
    """

    penalty: float
    coefficients: Floats
    left_out: Floats
    loss: float
    levels: Floats


def fit_ridge(
    kernel: Floats, residual: Floats, groups: Integers, penalty: float, *, constant: float = INTERCEPT
) -> Ridge:
    """Fit at one penalty.

    Args:
        kernel: inner products of n training rows, shape (n, n), without the constant.
        residual: ratings minus their mean, shape (n,).
        groups: the group of each row, shape (n,); rows of a group are left out together.
        penalty: α > 0.
        constant: addition to every entry of the kernel.
    """
    from scipy.linalg import lapack

    n = len(residual)
    mean_row = kernel.mean(axis=0) + constant
    matrix = _by_columns(kernel)
    matrix += constant
    matrix[np.diag_indices(n)] += penalty
    with one_blas_thread():
        factor, info = lapack.dpotrf(matrix, lower=1, clean=1, overwrite_a=1)
        # A⁻¹ = (L⁻¹)ᵀ L⁻¹, of which the blocks of the groups alone are needed: half the work of the whole inverse.
        inverse, info_of_inverse = lapack.dtrtri(factor, lower=1, overwrite_c=1)
        if info or info_of_inverse:
            raise np.linalg.LinAlgError("the kernel is not positive definite")
        coefficients = (inverse @ residual) @ inverse
        diagonal = np.einsum("ij,ij->j", inverse, inverse)
        left_out = coefficients / diagonal
        for rows, wanted in left_out_blocks(groups):
            columns = inverse[rows[0] :, rows]
            left_out[wanted] = np.linalg.solve(columns.T @ columns, coefficients[rows])[np.searchsorted(rows, wanted)]
        levels = np.zeros(n)
        if groups.ndim == 1:
            # Without group g the coefficients are α − A⁻¹[:, g] e_g, with e_g the left-out errors of its ratings.
            moved = ((inverse @ mean_row) @ inverse) * left_out
            codes = np.unique(groups, return_inverse=True)[1].ravel()
            levels = mean_row @ coefficients - np.bincount(codes, moved)[codes]
    return Ridge(penalty, coefficients, left_out, float(np.mean(left_out**2)), levels)


def _by_columns(kernel: Floats) -> Floats:
    """Return a copy that is column by column in memory, made of some rows at a time: a quarter of numpy's own time."""
    copied = np.empty_like(kernel, order="F")
    for begin in range(0, len(kernel), _ROWS_AT_ONCE):
        rows = slice(begin, begin + _ROWS_AT_ONCE)
        copied[rows] = kernel[rows]
    return copied


def fit_logistic(kernel: Floats, _: Floats, groups: Integers, penalty: float) -> Ridge:
    """Fit margins of n pairs, ln p / (1 - p), to n preferences by Newton's method.

    Each step is a weighted ridge regression; the last one gives the margins of pairs that are left out.

    Args:
        kernel: inner products of the differences of n pairs, better less worse, shape (n, n).
        groups: the group of each pair, shape (n,), or its two texts, shape (n, 2).
        penalty: α > 0.
    """
    from scipy.special import expit

    margins = np.zeros(len(kernel))
    apart = np.arange(len(kernel))
    for step in range(_STEPS):
        right = expit(np.clip(margins, -_MOST_MARGIN, _MOST_MARGIN))
        roots = np.sqrt(right * (1 - right))
        aims = margins + 1 / right
        leaving = groups if step == _STEPS - 1 else apart
        ridge = fit_ridge(roots[:, None] * kernel * roots, roots * aims, leaving, penalty, constant=0.0)
        coefficients = roots * ridge.coefficients
        margins = kernel @ coefficients
    left_out = aims - ridge.left_out / roots
    return Ridge(penalty, coefficients, left_out, float(np.logaddexp(0, -left_out).mean()), np.zeros(len(kernel)))


def choose_ridge(
    kernel: Floats,
    residual: Floats,
    groups: Integers,
    fit: Callable[[Floats, Floats, Integers, float], Ridge] = fit_ridge,
    start: float = START,
) -> Ridge:
    """Fit at the penalty, of powers of 2, with the least loss of left-out groups.

    The error falls and then rises as the penalty grows, so the search walks from `start` to its first minimum.
    """
    best = first = fit(kernel, residual, groups, start)
    for factor in (2.0, 0.5):
        while LEAST_PENALTY <= best.penalty * factor <= GREATEST_PENALTY:
            candidate = fit(kernel, residual, groups, best.penalty * factor)
            if candidate.loss >= best.loss:
                break
            best = candidate
        if best is not first:  # it went up: values below the start are worse
            break
    return best


def left_out_blocks(groups: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Yield the rows that are left out together, and those among them whose left-out error this gives.

    A row that is left out alone is not among them: its error has a simpler form.

    Args:
        groups: the group of each row, shape (n,); or two groups of each, shape (n, 2), such as the two texts of pairs:
            each row is then left out with all that share one of its two.
    """
    if groups.ndim == 1 and len(np.unique(groups)) == len(groups):
        return
    if groups.ndim == 1:
        yield from ((rows, rows) for rows in group_rows(groups) if len(rows) > 1)
    else:
        for row, texts in enumerate(groups):
            yield np.flatnonzero(np.isin(groups, texts).any(axis=1)), np.array([row])


def group_rows(groups: Integers) -> list[Integers]:
    """Return the rows of each group, in the order of their numbers."""
    order = np.argsort(groups, kind="stable")
    borders = np.flatnonzero(np.diff(groups[order])) + 1
    return [rows for rows in np.split(order, borders) if len(rows)]
