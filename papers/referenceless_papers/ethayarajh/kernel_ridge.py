"""Kernel ridge regression on the same similarities: an estimator without abstention, to hold the neighbours against.

The similarities of BLEU* depend on the direction. Here a text is represented by its similarities to all pool texts
and the kernel is the inner product of these rows (an empirical kernel map), so it is symmetric and positive
semidefinite whatever the similarity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.neighbors import ABSENT
from bleu_neighbors_metric.tuning.similarity_blocks import similarity_blocks
from referenceless_metrics.core.support.computing import matmul
from referenceless_metrics.core.support.validation import Floats

ALPHAS = tuple(float(alpha) for alpha in 10.0 ** np.arange(-3, 3.1, 0.5))


class NeighborKernelRidge:
    """Ridge regression of quality on similarities to the pool; every text gets an estimate.

    Its strength α, relative to the kernel's largest eigenvalue, is chosen by leaving each pool text out, in closed
    form, so a test set plays no part.

    Args:
        estimator: an estimator whose kernel and way of reading texts are used, fitted or not.
        alphas: strengths to choose from.

    Attributes:
        alpha_: the strength that was chosen.
    """

    def __init__(self, estimator: BLEUNeighbors | None = None, alphas: Sequence[float] = ALPHAS) -> None:
        self.estimator = BLEUNeighbors.published() if estimator is None else estimator
        self.alphas = alphas

    def fit(self, texts: Iterable[str], ratings: ArrayLike) -> NeighborKernelRidge:
        """Fit on rated texts; equal texts are merged and their ratings averaged, as by `BLEUNeighbors.fit`."""
        fitted = BLEUNeighbors(**self.estimator.get_params()).fit(texts, ratings)
        self._fitted = fitted
        self._rows, _ = _features(fitted, fitted.texts_)
        self._centre = self._rows.mean(axis=0)
        self._mean = float(fitted.ratings_.mean())
        self._rows -= self._centre
        squares, vectors = np.linalg.eigh(matmul(self._rows, self._rows.T))
        self._squares, self._vectors = np.maximum(squares[::-1], 0.0), vectors[:, ::-1]
        residual = fitted.ratings_ - self._mean
        self.alpha_ = min(
            map(float, self.alphas), key=lambda alpha: float(np.sum(self._left_out(residual, alpha) ** 2))
        )
        # Directions that the rows do not span carry nothing; α = 0 would divide by 0 there.
        kept = self._squares > self._squares[0] * 1e-12
        divisor = np.where(kept, self._squares + self.alpha_ * self._squares[0], np.inf)
        self._weights = matmul(self._rows.T, matmul(self._vectors, matmul(self._vectors.T, residual) / divisor))
        return self

    def predict(self, texts: Iterable[str]) -> Floats:
        """Estimate the quality of n candidates, at least one, shape (n,); NaN for one without tokens."""
        rows, known = _features(self._fitted, list(texts))
        return np.where(known, matmul(rows - self._centre, self._weights) + self._mean, np.nan)

    def leave_one_out(self) -> Floats:
        """Estimate each distinct pool text from a model of all others at the chosen strength, shape (n,).

        The similarities to the text itself stay among the n features of the others.
        """
        ratings = self._fitted.ratings_
        return np.asarray(ratings - self._left_out(ratings - self._mean, self.alpha_))

    def _shrinkage(self, alpha: float) -> Floats:
        kept = self._squares > self._squares[0] * 1e-12
        divisor = np.where(kept, self._squares + alpha * self._squares[0], 1.0)
        return np.asarray(np.where(kept, self._squares, 0.0) / divisor)

    def _left_out(self, residual: Floats, alpha: float) -> Floats:
        """Return the error of each rating when its text is left out: the residual over 1 minus its leverage."""
        shrinkage = self._shrinkage(alpha)
        fitted = matmul(self._vectors, shrinkage * matmul(self._vectors.T, residual))
        leverage = matmul(self._vectors**2, shrinkage) + 1 / len(residual)  # the intercept's is 1/n
        return np.asarray((residual - fitted) / np.maximum(1 - leverage, 1e-9))


def _features(estimator: BLEUNeighbors, texts: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the similarities of texts to the pool, 0 for those without tokens, and which texts have any."""
    rows = np.concatenate([similarity for _, similarity in similarity_blocks(estimator, texts, "similarities")])
    known = (rows != ABSENT).any(axis=1)
    return np.where(known[:, None], rows, 0.0), known
