"""BLEU Neighbors from a pool whose texts have several ratings each, such as of fluency and of adequacy."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.registry import KERNELS
from bleu_neighbors_metric.pool.rated import rated_pool
from metric_commons.results import MetricResult
from metric_commons.support.validation import check_quality, check_texts, describe


class SeveralRatings:
    """An estimator for each kind of rating, over one index: who is a neighbour does not depend on the ratings.

    So the same texts are covered by all (but for a learned kernel, which has an index for each). The values are the
    estimates of the first kind, and the result has a column of estimates for each, by its name; the detail `parts`
    holds the means.

    Args:
        texts: m texts; equal ones are merged and their ratings averaged.
        ratings: from a name to the ratings of that kind, shape (m,), finite, in any unit.
        parameters: those of `BLEUNeighbors`.

    Attributes:
        metrics: the fitted estimators, by the name of the rating.

    Raises:
        TypeError: for ratings that are no mapping from names, and as `BLEUNeighbors.fit`.
        ValueError: for no ratings, a name that a result's own column has, and as `BLEUNeighbors.fit`.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "mat mat mat"]
        >>> ratings = {"fluency": [0.9, 0.8, 0.1], "truth": [0.5, 0.7, 0.2]}
        >>> metric = SeveralRatings(texts, ratings, threshold=0.7, min_neighbors=1, max_fraction=1.0)
        >>> result = metric.predict(["a cat sat on the mat"])
        >>> result.fluency.round(2).tolist(), result.truth.round(2).tolist()
        ([0.85], [0.6])
    """

    name: ClassVar[str] = BLEUNeighbors.name
    needs_references: ClassVar[bool] = False
    needs_sources: ClassVar[bool] = False
    estimates_ratings: ClassVar[bool] = True

    def __init__(self, texts: Iterable[str], ratings: Mapping[str, ArrayLike], **parameters: Any) -> None:
        if not isinstance(ratings, Mapping) or not all(isinstance(name, str) for name in ratings):
            raise TypeError(f"Expected argument `ratings` to map names to ratings, but got {describe(ratings)}")
        if not ratings:
            raise ValueError("Expected argument `ratings` to hold at least one kind of rating, but it is empty")
        for name in _TAKEN & ratings.keys():
            raise ValueError(f"Expected ratings by a name of their own, but a result has a column {name!r} already")
        pool = check_texts(texts, "texts", allow_empty=False)
        first, *others = ratings
        self.metrics = {first: BLEUNeighbors(**parameters).fit(pool, ratings[first])}
        learns = KERNELS[self._first.kernel].learns
        for name in others:
            checked = check_quality(ratings[name], f"ratings[{name!r}]", length=len(pool), finite_sum=True)
            if learns:
                self.metrics[name] = BLEUNeighbors(**parameters).fit(pool, checked)
                continue
            rated = rated_pool(pool, checked, self._first.max_pool, self._first.random_state)
            self.metrics[name] = copy.copy(self._first)
            self.metrics[name].hold(rated, self._first.pool)

    @property
    def _first(self) -> BLEUNeighbors:
        return next(iter(self.metrics.values()))

    @property
    def signature(self) -> str:
        """What determines the estimates; the pool is told with its hash for each kind of rating."""
        pools = ",".join(metric.signature.partition("|pool:")[2].partition("|")[0] for metric in self.metrics.values())
        before, mark, after = self._first.signature.partition("|pool:")
        names = ",".join(self.metrics).replace("|", ";").replace(":", "=")
        return f"{before}{mark}{pools}|{after.partition('|')[2]}|ratings:{names}"

    @property
    def mean_rating(self) -> float:
        """The mean of the first kind of rating."""
        return self._first.mean_rating

    def predict(
        self, texts: Iterable[str], *, references: Any = None, sources: Any = None, level: float | None = None
    ) -> MetricResult:
        """Estimate all ratings of candidates; see `BLEUNeighbors.predict`."""
        checked = check_texts(texts, "texts")
        results = {name: metric.predict(checked, level=level) for name, metric in self.metrics.items()}
        first = next(iter(results.values()))
        columns = {**{name: result.values for name, result in results.items()}, **first.columns}
        details = {**first.details, "parts": {name: result.mean for name, result in results.items()}}
        return MetricResult(first.values, first.reasons, self.signature, columns, details)


_OF_RESULTS = (
    "value values reason reasons mean coverage signature parts n_neighbors fewest most lower upper verdict draw_error "
    "draw_error_share"
)
_TAKEN = frozenset([BLEUNeighbors.name, *_OF_RESULTS.split()])
"""Names under which a result, or a row of it, holds something else."""
