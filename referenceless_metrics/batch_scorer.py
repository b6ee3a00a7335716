"""Scores as a function of batches of columns: what `datasets`, Ray Data and other engines map over their data."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from metric_commons.metric import Metric
from metric_commons.results import MetricResult
from metric_commons.support.validation import Numbers, check_choice, describe
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
        columns: the metric's own columns that are to stand beside `value` and `reason`, such as `n_neighbors`.
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
        columns: Sequence[str] = (),
        keep: bool = False,
        **arguments: Any,
    ) -> None:
        self.handle = MetricHandle.of(metric, pool, **arguments)
        self.text_column = text_column
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
        scored: dict[str, Any] = {"value": result.values}
        for name in self.columns:
            check_choice(name, "columns", tuple(result.columns))
            scored[name] = result.columns[name]
        scored["reason"] = np.array(result.reasons, dtype=object)
        if not isinstance(texts, np.ndarray):
            scored = {name: _TypedList(column) for name, column in scored.items()}
        return {**batch, **scored} if self.keep else scored


def score_nullable(metric: Metric, texts: Sequence[str | None]) -> MetricResult:
    """Score texts of which some may be None; those have no value, and the metric's own columns as an empty text has.

    Raises:
        TypeError: for an entry that is neither a text nor None.
    """
    for place, text in enumerate(texts):
        if text is not None and not isinstance(text, str):
            raise TypeError(f"Expected texts or None, but item {place} is {describe(text)}")
    result = metric.predict([text or "" for text in texts])
    if None not in texts:
        return result
    absent = np.array([text is None for text in texts])
    reasons = [NO_TEXT if text is None else reason for text, reason in zip(texts, result.reasons, strict=True)]
    return replace(result, values=np.where(absent, np.nan, result.values), reasons=tuple(reasons))


class _TypedList(list[Any]):
    """The cells of a column, None for NaN: a list that tells Arrow its type, also where a whole batch is None."""

    def __init__(self, column: Numbers) -> None:
        super().__init__(None if cell != cell else cell for cell in column.tolist())
        self._dtype = np.dtype(str) if column.dtype.kind == "O" else column.dtype

    def __arrow_array__(self, type: Any = None) -> Any:
        import pyarrow

        return pyarrow.array(list(self), type or pyarrow.from_numpy_dtype(self._dtype))
