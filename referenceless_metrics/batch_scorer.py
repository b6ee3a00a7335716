"""Scores as a function of batches of columns: what `datasets`, Ray Data and other engines map over their data."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.metric import Metric
from metric_commons.results import MetricResult
from metric_commons.support.validation import check_choice, describe
from referenceless_metrics.metric_handle import MetricHandle

NO_TEXT = "no text"
"""The reason where there is not even an empty text: a null."""


class BatchScorer:
    """A picklable function from a batch of columns to columns of scores.

    The metric is loaded on the first call, once a process, and works in one thread: the engine has the others. The
    function pickles as the metric's name, or the path and the hash of the pool; use changes neither it nor the
    fingerprint that `datasets` takes of it.

    Args:
        metric: a metric's name (`referenceless hub metrics` lists them), or a fitted metric, which is pickled whole;
            None for BLEU Neighbors with a pool.
        pool: a file that `referenceless fit` wrote, or of rated texts, or a folder of `save_shared`, which
            the processes of a machine share; each machine needs it at this path.
        text_column: the column that holds the texts.
        value_column: the column that is to hold the values.
        reason_column: the column that is to hold the reasons for no value; None for none.
        columns: the metric's own columns that are to be there too, such as `n_neighbors`.
        keep: whether the batch's own columns are returned too: Ray Data expects it, `datasets` keeps them itself.
        arguments: what else the metric is made with, where it is given by name, such as `lm="word"`.

    Raises:
        TypeError: for a metric that is none.
        ValueError: for neither a metric nor a pool, an unknown metric, or one that reads more than texts.
        FileNotFoundError: where there is no such file.

    >>> scorer = BatchScorer("wpslor")
    >>> scored = scorer({"text": ["the cat sat on the mat .", "", None]})
    >>> [value is None for value in scored["value"]], scored["reason"]
    ([False, True, True], [None, 'empty text', 'no text'])
    """

    def __init__(
        self,
        metric: str | Metric | None = None,
        *,
        pool: str | os.PathLike[str] | None = None,
        text_column: str = "text",
        value_column: str = "value",
        reason_column: str | None = "reason",
        columns: Sequence[str] = (),
        keep: bool = False,
        **arguments: Any,
    ) -> None:
        self.handle = MetricHandle.of(metric, pool, **arguments)
        self.text_column = text_column
        self.value_column = value_column
        self.reason_column = reason_column
        self.columns = tuple(columns)
        self.keep = keep

    @property
    def metric(self) -> Metric:
        """The metric, loaded where it was not yet."""
        return self.handle.load()

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Score a batch.

        Args:
            batch: columns by name, each of n entries: lists, or numpy arrays as Ray Data has them.

        Returns:
            The columns of scores, and those of the batch where `keep`. Lists hold None where there is no value, arrays
            NaN.

        Raises:
            KeyError: for a missing column; the message names those that there are.
            TypeError: for an entry that is neither a text nor None.
        """
        if self.text_column not in batch:
            known = ", ".join(map(repr, batch))
            raise KeyError(f"there is no column {self.text_column!r}; the columns are {known}")
        texts = batch[self.text_column]
        result = score_nullable(self.metric, list(texts))
        scored: dict[str, Any] = {self.value_column: result.values}
        for name in self.columns:
            check_choice(name, "columns", tuple(result.columns))
            scored[name] = result.columns[name]
        if isinstance(texts, np.ndarray):
            reasons: Any = np.array(result.reasons, dtype=object)
        else:
            scored = {name: _TypedList(column) for name, column in scored.items()}
            reasons = _TypedList(np.array(result.reasons, dtype=object))
        if self.reason_column is not None:
            scored[self.reason_column] = reasons
        return {**batch, **scored} if self.keep else scored


def score_nullable(metric: Metric, texts: Sequence[str | None]) -> MetricResult:
    """Score texts of which some may be None; those have neither a value nor anything else.

    Raises:
        TypeError: for an entry that is neither a text nor None.
    """
    for place, text in enumerate(texts):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"Expected texts or None, but item {place} is {describe(text)}")
    there = np.array([text is not None for text in texts], dtype=np.bool_)
    result = metric.predict([text for text in texts if text is not None])
    if there.all():
        return result
    places = np.flatnonzero(there)
    values = np.full(len(texts), np.nan)
    values[places] = result.values
    reasons: list[str | None] = [NO_TEXT] * len(texts)
    for place, reason in zip(places.tolist(), result.reasons, strict=True):
        reasons[place] = reason
    columns = {name: _spread(column, places, len(texts)) for name, column in result.columns.items()}
    return MetricResult(values, tuple(reasons), result.signature, columns, result.details)


def _spread(column: Any, places: Any, size: int) -> Any:
    """Return a column over more rows: 0 in those that it does not have, or NaN, or None."""
    empty = np.nan if column.dtype.kind == "f" else 0 if column.dtype.kind in "biu" else None
    spread = np.full(size, empty, dtype=column.dtype if empty is not None else object)
    spread[places] = column
    return spread


class _TypedList(list[Any]):
    """The cells of a column, None for NaN: a list that tells Arrow its type, also where a whole batch is None."""

    def __init__(self, column: NDArray[Any]) -> None:
        super().__init__(None if cell != cell else cell for cell in column.tolist())
        self._dtype = np.dtype(str) if column.dtype.kind == "O" else column.dtype

    def __arrow_array__(self, type: Any = None) -> Any:
        import pyarrow

        return pyarrow.array(list(self), type or pyarrow.from_numpy_dtype(self._dtype))
