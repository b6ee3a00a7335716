"""The trained estimator on parts of one set of texts, each of which is read once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Estimates: TypeAlias = Callable[[Sequence[str]], NDArray[np.float64]]


class SharedReading:
    """Fits `QualityEstimator()` on parts of n distinct texts, as often as there are folds.

    To read a text, with its n-grams and what language models say of it, takes most of a fit's time.

    Args:
        texts: n distinct texts, none of them empty.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._row = {text: row for row, text in enumerate(texts)}
        self._described: Any = None

    def fit(self, texts: Sequence[str], ratings: NDArray[np.float64]) -> Estimates:
        """Return what estimates others of the n texts, from ratings of these, as `QualityEstimator()` would.

        Raises:
            ValueError: as `QualityEstimator.fit`.
        """
        from quality_estimation_metric.estimator import QualityEstimator
        from quality_estimation_metric.kernel_model import KernelModel
        from quality_estimation_metric.kernel_model.features import TextFeatures
        from quality_estimation_metric.rated_inputs import check_ratings, group_numbers
        from quality_estimation_metric.sources.reading import choose_scope, read_all

        values = check_ratings(ratings, len(texts))
        if self._described is None:
            readings = read_all(self._texts, None, choose_scope(None))
            self._described = TextFeatures(readings, sources=False, delexicalised=False)
        part = self._described.subset(self._rows(texts))
        groups = group_numbers(None, part.readings)
        model = KernelModel.fit(part, values, groups, min_df=QualityEstimator.min_df, seed=QualityEstimator().seed)
        described = self._described
        return lambda wanted: np.asarray(model.predict(described.subset(self._rows(wanted))))

    def _rows(self, texts: Sequence[str]) -> NDArray[np.int64]:
        return np.array([self._row[text] for text in texts], dtype=np.int64)
