"""A metric as it travels to other processes: by name, as a file or as an object; loaded once in each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from metric_commons.files.archive import content_hash
from metric_commons.files.text_io import is_archive
from metric_commons.metric import Metric, check_metric
from metric_commons.registry import load_metric, metric_spec
from metric_commons.support.validation import PathName, describe

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
    arguments: Mapping[str, Any] = field(default_factory=dict)
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
            beside = ", ".join(f"`{name}`" for name in (("pool", *arguments) if pool is not None else arguments))
            raise ValueError(f"Expected a metric's name, or a metric without {beside}, but got {describe(metric)}")
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
            if (found := content_of(self.pool)) != self.content:
                raise ValueError(
                    f"{self.pool}: this worker has another pool ({found[:12]}) than the one that the work began with "
                    f"({str(self.content)[:12]}); give all workers the same file"
                )
            arguments["pool"] = self.pool
        metric = check_metric(load_metric(str(self.name), **arguments), batches=True)
        own: tuple[str, ...] = getattr(metric, "parameter_names", tuple)()
        for name, value in {"n_jobs": 1, "progress": False}.items():
            if name in own and name not in arguments:
                setattr(metric, name, value)
        return metric


def content_of(pool: str) -> str:
    """Return what tells a file, or a folder of `save_shared`, from others.

    Raises:
        FileNotFoundError: where there is no such file.
        IsADirectoryError: for another folder.
    """
    path = Path(pool)
    if not path.exists():
        raise FileNotFoundError(f"{pool}: there is no such file on this machine")
    if path.is_dir():
        path = path / "index.npz"
        if not path.is_file():
            raise IsADirectoryError(f"{pool}: it is neither a file nor a folder that `save_shared` wrote")
    return content_hash(path) if is_archive(path) else hashlib.sha256(path.read_bytes()).hexdigest()


def _check_needs(metric: Any) -> Any:
    """Check that a metric reads texts alone."""
    for what in ("references", "sources"):
        if getattr(metric, f"needs_{what}"):
            raise ValueError(f"Expected a metric of texts alone, but {metric.name} needs {what}")
    return metric
