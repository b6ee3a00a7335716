"""A function from batches of columns to scores, for `datasets`, Ray Data and other engines that map such functions.

A metric goes to other processes by its name, as a file or as an object, and is loaded once in each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.core.files.digest import file_digest
from referenceless_metrics.core.metric import Metric, check_scorer
from referenceless_metrics.core.registry import default_metric, load_metric, metric_spec
from referenceless_metrics.core.results import MetricResult
from referenceless_metrics.core.support.computing import ForkSafeLock
from referenceless_metrics.core.support.validation import Numbers, PathName, Record, check_choice, describe

_loaded: dict[Any, Metric] = {}
_lock = ForkSafeLock()


def content_of(pool: str) -> str:
    """Return the hash of a file's content.

    Raises:
        FileNotFoundError: if there is no such file.
        IsADirectoryError: for a folder.
    """
    path = Path(pool)
    if not path.exists():
        raise FileNotFoundError(f"{pool}: there is no such file on this machine")
    return file_digest(path)


def _check_needs(metric: Any) -> Any:
    """Check that a metric reads texts alone."""
    for what in ("references", "sources"):
        if getattr(metric, f"needs_{what}"):
            raise ValueError(f"Expected a metric of texts alone, but {metric.name} needs {what}")
    return metric


NO_TEXT = "no text"
"""Reason for a null, which is not even an empty text."""


class BatchScorer:
    """A picklable function from a batch of columns to columns of scores; that of the values has the metric's name.

    The metric is loaded once per process, on the first call, and works in one thread, since the engine has its own. The
    function is pickled as the metric's name, or the path and the digest of the pool; using it does not change the
    digest that `datasets` computes of it.

    Args:
        metric: a metric's name (`referenceless hub metrics` lists them), or a fitted metric, which is pickled whole;
            None for BLEU Neighbors with a pool, and without one for `fluency_ngram`, which is fast enough for a corpus.
        pool: a file that `referenceless fit` wrote, or of rated texts; each machine needs it at this path.
        text_column: the column that holds the texts.
        columns: the metric's own columns to return beside the values and `reason`, such as `n_neighbors`.
        keep: whether the batch's columns are returned, too: Ray Data expects it, `datasets` keeps them itself.
        arguments: further arguments of a metric that is given by name, such as `lm="word"`.

    Raises:
        TypeError: for an object that is no metric.
        ValueError: for an unknown metric, arguments of a fitted metric, a metric whose values depend on the other
            texts, or one that reads more than texts.
        FileNotFoundError: if there is no such file.

    >>> scorer = BatchScorer("wpslor")
    >>> scored = scorer({"text": ["the cat sat on the mat .", "", None]})
    >>> [value is None for value in scored["wpslor"]], scored["reason"]
    ([False, True, True], [None, 'empty text', 'no text'])
    """

    def __init__(
        self,
        metric: str | Metric | None = None,
        *,
        pool: PathName | None = None,
        text_column: str = "text",
        columns: Sequence[str] = (),
        keep: bool = False,
        **arguments: Any,
    ) -> None:
        self.text_column, self.columns, self.keep = text_column, tuple(columns), keep
        self.pool = None if pool is None else str(Path(pool).resolve())
        given = arguments if pool is None else {"pool": pool, **arguments}
        if metric is None:
            metric = _name_in_bulk() if pool is None else "bleu_neighbors"
        if isinstance(metric, str):
            _check_needs(metric_spec(metric))
            self._source: str | Metric = metric
            self._arguments = arguments
        elif given:
            needless = ", ".join(f"`{name}`" for name in given)
            raise ValueError(f"Expected a metric's name, or a metric without {needless}, but got {describe(metric)}")
        else:
            self._source = _check_needs(check_scorer(metric))
        self._content = None if self.pool is None else content_of(self.pool)

    @property
    def name(self) -> str:
        """The name of the metric and of the column of values; it is known before the metric is made."""
        return self._source if isinstance(self._source, str) else self._source.name

    @property
    def metric(self) -> Metric:
        """The metric: made on the first call in this process.

        Raises:
            FileNotFoundError: if this machine does not have the file.
            ValueError: if it has another file of this name.
        """
        if not isinstance(self._source, str):
            return self._source
        key = (self._source, self._content, repr(sorted(self._arguments.items())))
        with _lock:
            if key not in _loaded:
                _loaded[key] = self._make(self._source)
            return _loaded[key]

    def _make(self, name: str) -> Metric:
        arguments = dict(self._arguments)
        if self.pool is not None:
            if (content := content_of(self.pool)) != self._content:
                raise ValueError(
                    f"{self.pool}: this worker has another pool ({content[:12]}) than the one that the work began with "
                    f"({str(self._content)[:12]}); give all workers the same file"
                )
            arguments["pool"] = self.pool
        metric = load_metric(name, **arguments)
        parameters: tuple[str, ...] = getattr(metric, "parameter_names", tuple)()
        for parameter, value in {"n_jobs": 1, "progress": False}.items():
            if parameter in parameters and parameter not in arguments:
                setattr(metric, parameter, value)
        return check_scorer(metric)  # which may score the rated texts: by one thread, and silently

    def __call__(self, batch: Mapping[str, Any]) -> Record:
        """Score a batch.

        Args:
            batch: columns by name, each with n entries: lists, or numpy arrays as in Ray Data.

        Returns:
            The columns of scores, and with `keep` those of the batch. A missing value is None in lists and NaN in
            arrays.

        Raises:
            KeyError: for a missing column; the message names the columns of the batch.
            TypeError: for a row in place of a batch, or an entry that is neither a text nor None.
            ValueError: for a column of the batch with the name of a column of scores.
        """
        if self.text_column not in batch:
            known = ", ".join(map(repr, batch))
            raise KeyError(f"there is no column {self.text_column!r}; the columns are {known}")
        for name in (self.name, "reason", *self.columns):
            if name in batch:  # such as people's ratings, which the scores would replace
                raise ValueError(f"there is a column {name!r} already, which the scores will have: rename it")
        texts = batch[self.text_column]
        if isinstance(texts, str):
            raise TypeError(
                f"Expected a batch, in which column {self.text_column!r} is a list of texts, but got the one text "
                f"{describe(texts)}: give batched=True, as in dataset.map(scorer, batched=True)"
            )
        result = score_nullable(self.metric, list(texts))
        scored: Record = {self.name: result.values}
        for name in self.columns:
            check_choice(name, "columns", tuple(result.columns))
            scored[name] = result.columns[name]
        scored["reason"] = np.array(result.reasons, dtype=object)
        if not isinstance(texts, np.ndarray):
            scored = {name: _TypedList(column) for name, column in scored.items()}
        return {**batch, **scored} if self.keep else scored


def _name_in_bulk() -> str:
    """Return the name of the metric if none is named: the default one, or a faster one in its place."""
    usual = default_metric()
    return usual.in_bulk or usual.name


def score_nullable(metric: Metric, texts: Sequence[str | None]) -> MetricResult:
    """Score texts of which some may be None. A None has no value, and the same columns as an empty text.

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
    """The cells of a column, None for NaN, as a list that tells Arrow its type, even if all cells are None."""

    def __init__(self, column: Numbers) -> None:
        super().__init__(None if cell != cell else cell for cell in column.tolist())
        self._dtype = np.dtype(str) if column.dtype.kind == "O" else column.dtype

    def __arrow_array__(self, type: Any = None) -> Any:
        import pyarrow

        return pyarrow.array(list(self), type or pyarrow.from_numpy_dtype(self._dtype))
