"""Texts as the kernel model reads them: counts of terms and features, read once for every model that needs them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from quality_estimation_metric.kernel_model.features import feature_matrix, feature_names
from quality_estimation_metric.kernel_model.vectors import TERMS, TermCounts
from quality_estimation_metric.sources.reading import Reading


class Described:
    """What a kernel model reads of n texts; nothing is computed before it is asked for.

    Args:
        readings: the texts.
        sources: whether they have sources.
        delexicalised: whether values became placeholders.
        whole: of which set these texts are a part; None for a set of their own.
        rows: which rows of that set they are, shape (n,).
    """

    def __init__(
        self,
        readings: Sequence[Reading],
        *,
        sources: bool,
        delexicalised: bool,
        whole: Described | None = None,
        rows: NDArray[np.int64] | None = None,
    ) -> None:
        self.readings = readings
        self.sources = sources
        self.delexicalised = delexicalised
        self._whole, self._rows = whole, rows

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.readings)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of n-grams that these texts have."""
        return tuple(kind for kind in TERMS if kind != "source" or self.sources)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the features, in the order of their columns."""
        return feature_names(sources=self.sources, delexicalised=self.delexicalised, errors=self.sources)

    @cached_property
    def counts(self) -> dict[str, TermCounts]:
        """How often each term occurs, by kind."""
        if self._whole is not None and self._rows is not None:
            return {kind: counts.subset(self._rows) for kind, counts in self._whole.counts.items()}
        return {kind: TermCounts.of([TERMS[kind](reading) for reading in self.readings]) for kind in self.kinds}

    @cached_property
    def features(self) -> NDArray[np.float64]:
        """The features as they are, shape (n, number of names); NaN where one is undefined."""
        if self._whole is not None and self._rows is not None:
            return np.asarray(self._whole.features[self._rows])
        return feature_matrix(self.readings, self.names)

    def subset(self, rows: NDArray[np.int64]) -> Described:
        """Return some of the texts, which share what was read of all."""
        return Described(
            [self.readings[row] for row in rows.tolist()],
            sources=self.sources,
            delexicalised=self.delexicalised,
            whole=self,
            rows=rows,
        )
