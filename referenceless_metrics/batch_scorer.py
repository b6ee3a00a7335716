"""Scores as a function of batches of columns: what `datasets`, Ray Data and other engines map over their data.

A metric travels to other processes by name, as a file or as an object, and is loaded once in each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from metric_commons.metric import Metric, check_metric
from metric_commons.registry import load_metric, metric_spec
from metric_commons.results import MetricResult
from metric_commons.support.validation import Numbers, Options, PathName, Record, check_choice, describe

_loaded: dict[Any, Metric] = {}
_lock = Lock()


@dataclass(frozen=True)
class MetricHandle:
    """What a worker needs to have a metric.

    Attributes:
        name: the metric's name; None where `metric` is given.
        pool: a file of rated texts, or of what was fitted to them, or None.
        content: the hash of the pool's content: workers with another file refuse to go on.
        arguments: what else the metric is made with.
        metric: the metric itself, which is then pickled with everything in it.
    """

    name: str | None
    pool: str | None = None
    content: str | None = None
    arguments: Options = field(default_factory=dict)
    metric: Metric | None = None

    @classmethod
    def of(cls, metric: str | Metric | None, pool: PathName | None, **arguments: Any) -> MetricHandle:
        """Return the handle that arguments describe, without loading anything.

        Args:
            metric: a metric's name, or a fitted metric; None for BLEU Neighbors with a pool.
            pool: a file that `referenceless fit` wrote, or of rated texts.
            arguments: what else the metric is made with, where it is given by name; see `referenceless_metrics.load`.
                Where they do not say otherwise, `MetricSpec.in_bulk` holds.

        Raises:
            TypeError: for a metric that is none.
            ValueError: for neither a metric nor a pool, an unknown name, arguments of a metric that is made already,
                or a metric whose values depend on what it is scored with, or that reads more than texts.
            FileNotFoundError: where there is no such file.
        """
        if metric is None and pool is None:
            raise ValueError("Expected argument `metric` (a name or a metric) or `pool` (a file), but got neither")
        if metric is None or isinstance(metric, str):
            name = metric or "bleu_neighbors"
            arguments = {**_check_needs(metric_spec(name)).in_bulk, **arguments}
            if pool is None:
                return cls(name, arguments=arguments)
            path = str(Path(pool).resolve())
            return cls(name, path, content_of(path), arguments)
        if pool is not None or arguments:
            needless = ", ".join(f"`{name}`" for name in (("pool", *arguments) if pool is not None else arguments))
            raise ValueError(f"Expected a metric's name, or a metric without {needless}, but got {describe(metric)}")
        return cls(None, metric=_check_needs(check_metric(metric, batches=True)))

    def load(self) -> Metric:
        """Return the metric: made on the first call in this process, for one thread.

        Raises:
            FileNotFoundError: where this machine does not have the file.
            ValueError: where it has another.
        """
        if self.metric is not None:
            return self.metric
        key = (self.name, self.content, repr(sorted(self.arguments.items())))
        with _lock:
            if key not in _loaded:
                _loaded[key] = self._make()
            return _loaded[key]

    def _make(self) -> Metric:
        arguments = dict(self.arguments)
        if self.pool is not None:
            if (content := content_of(self.pool)) != self.content:
                raise ValueError(
                    f"{self.pool}: this worker has another pool ({content[:12]}) than the one that the work began with "
                    f"({str(self.content)[:12]}); give all workers the same file"
                )
            arguments["pool"] = self.pool
        metric = check_metric(load_metric(str(self.name), **arguments), batches=True)
        parameters: tuple[str, ...] = getattr(metric, "parameter_names", tuple)()
        for name, value in {"n_jobs": 1, "progress": False}.items():
            if name in parameters and name not in arguments:
                setattr(metric, name, value)
        return metric


def content_of(pool: str) -> str:
    """Return the hash of a file's content.

    Raises:
        FileNotFoundError: where there is no such file.
        IsADirectoryError: for a folder.
    """
    path = Path(pool)
    if not path.exists():
        raise FileNotFoundError(f"{pool}: there is no such file on this machine")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_needs(metric: Any) -> Any:
    """Check that a metric reads texts alone."""
    for what in ("references", "sources"):
        if getattr(metric, f"needs_{what}"):
            raise ValueError(f"Expected a metric of texts alone, but {metric.name} needs {what}")
    return metric


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
        pool: a file that `referenceless fit` wrote, or of rated texts; each machine needs it at this path. One that
            `BLEUNeighbors.save(path, index=True)` wrote is shared by the processes of a machine.
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
        pool: PathName | None = None,
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

    def __call__(self, batch: Mapping[str, Any]) -> Record:
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
        scored: Record = {"value": result.values}
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
