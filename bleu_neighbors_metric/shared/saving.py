"""How a fitted estimator goes to a file or a folder, and comes back from either."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bleu_neighbors_metric.index_file import IndexData, read_index, write_index
from bleu_neighbors_metric.options import check_parameters, loaded_parameters, saved_parameters
from bleu_neighbors_metric.shared.folder import KERNEL, SharedIndex, is_shared, read_shared, write_shared
from metric_commons.support.validation import check_choice, check_quality

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors


def save_file(metric: BLEUNeighbors, path: str | os.PathLike[str]) -> None:
    """Write an estimator to a compact file; see `BLEUNeighbors.save`."""
    write_index(path, _data(metric))


def save_folder(metric: BLEUNeighbors, path: str | os.PathLike[str]) -> None:
    """Write an estimator to a folder of arrays; see `BLEUNeighbors.save_shared`."""
    data = _data(metric)
    check_choice(metric.kernel, "kernel", (KERNEL,))
    write_shared(path, SharedIndex(data, metric.pool, metric._pool_hash, metric.threshold_))


def load(kind: type[BLEUNeighbors], path: str | os.PathLike[str], allow_models: bool) -> BLEUNeighbors:
    """Return the estimator in a file or a folder; see `BLEUNeighbors.load`."""
    if is_shared(path):
        shared = read_shared(path, allow_models=allow_models)
        data = shared.data
        metric = kind(**data.parameters)
        metric._hold(data.texts, data.quality, data.counts, shared.pool_hash)
        metric._pool, metric._indexed = shared.pool, metric._index_key()
        metric._chosen = metric._chosen_key(), shared.threshold
        metric.attach_calibration(data.calibration)
        return metric
    data = read_index(path)
    try:
        metric = kind(**loaded_parameters(data.parameters, allow_models))
        check_quality(data.quality, "ratings", finite_sum=True)
        metric._restore(data.texts, data.quality, data.counts)
        metric.attach_calibration(data.calibration)
    except (TypeError, ValueError, RuntimeError, OSError) as error:
        raise ValueError(f"{os.fspath(path)}: the index cannot be used: {error}") from error
    return metric


def _data(metric: BLEUNeighbors) -> IndexData:
    metric._check_fitted()
    check_parameters(metric.get_params())
    saved = saved_parameters(metric.get_params())
    return IndexData(saved, metric.texts_, metric.quality_, metric.counts_, metric.calibration)
