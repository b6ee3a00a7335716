"""The file of a fitted estimator, as plain data: parameters, texts, ratings, counts, calibration, and its index or not.

Without the kernel's index, which takes ten times the room of the texts, the file is read whole and indexed anew. With
it, the arrays are mapped: that takes as long as checking them, and processes share the memory. An index is read by the
release that made it.
"""

from __future__ import annotations

from functools import partial
from typing import TypeVar

import numpy as np

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool, PoolArrays
from bleu_neighbors_metric.kernels.kernel import Pool
from bleu_neighbors_metric.kernels.parted_pool import PartedPool
from bleu_neighbors_metric.options import OF_DRAW, loaded_parameters, saved_parameters, text_options
from bleu_neighbors_metric.pool import FittedPool, RatedPool
from bleu_neighbors_metric.pool_files.array_rules import RULES, check_arrays
from bleu_neighbors_metric.pool_files.packed_texts import PackedTexts
from bleu_neighbors_metric.tuning.stored_calibration import read_calibration
from metric_commons.files.archive import Array, Schema, read_archive, reading, write_archive
from metric_commons.support.installation import project_version
from metric_commons.support.validation import (
    Arrays,
    Options,
    PathName,
    Record,
    check_choice,
    check_fields,
    check_number,
    check_ratings,
)

KERNEL = "bleu_star"
"""The kernel whose index a file can hold."""

PARAMETERS = (
    *("threshold", "min_neighbors", "max_fraction", "kernel", "weights"),
    *("tokenize", "ngram_orders", "smooth_method", "smooth_value", "clip"),
)
"""The parameters that a saved estimator has; `kernel_options` may lack, and those of a draw."""

_ARRAYS = {
    "texts": Array("|u1", (None,)),
    "ends": Array("<i8", ("n",)),
    "ratings": Array("<f8", ("n",)),
    "counts": Array("<i8", ("n",), least=1),
    "estimates": Array("<f8", ("m",), optional=True),
    "residuals": Array("<f8", ("m",), optional=True),
}
_LARGEST_SUM = 2**53  # up to which float64 counts exactly
_MOST_PARTS = 10_000


def _array_rules(header: Record) -> dict[str, Array]:
    """Return what the arrays of a pool are, from its header: those of its index, if it has one, part by part."""
    if "index" not in header:
        return _ARRAYS
    index = header["index"]
    check_fields("its index", index, {"release": str, "pool_hash": str, "threshold": float, "n_parts": int})
    if index["release"] != project_version():
        raise ValueError(
            f"its index was written by version {index['release']!r:.40}, and this is version {project_version()}: "
            "write it anew, with the same version on all machines"
        )
    check_number(index["n_parts"], "n_parts", 1, _MOST_PARTS)
    check_number(index["threshold"], "threshold", 0, 1)
    of_index = {f"{part}.{name}": rule for part in range(index["n_parts"]) for name, rule in RULES.items()}
    return _ARRAYS | of_index


SCHEMA = Schema(
    "bleu neighbors pool",
    1,
    "a pool of BLEU Neighbors (write one with `referenceless fit`)",
    arrays=_array_rules,
    fields={"parameters": dict},
    optional_fields={"calibration": dict, "n_distinct": int, "index": dict},
)


def write_pool(path: PathName, metric: FittedPool, *, index: bool = False) -> None:
    """Write a fitted estimator to a file, whole or not at all; `index`: with the index of its texts.

    Raises:
        NotFittedError: before `fit`.
        OSError: where the file cannot be written.
        TypeError: for a kernel's option that a file cannot hold, such as a model.
        ValueError: for the index of another kernel than BLEU*.
    """
    use, n = metric.in_use(), len(metric.texts_)
    header: Record = {"parameters": saved_parameters(metric.get_params())}
    texts = metric.texts_ if isinstance(metric.texts_, PackedTexts) else PackedTexts.of(metric.texts_)
    arrays: Arrays = {"texts": texts.content, "ends": texts.ends}
    arrays |= {"ratings": metric.ratings_, "counts": metric.counts_}
    if metric.n_distinct_ > n:
        header["n_distinct"] = metric.n_distinct_
    if use.calibration is not None:
        header["calibration"] = use.calibration.header()
        intervals = use.calibration.intervals
        arrays |= {"estimates": intervals.estimates, "residuals": intervals.residuals}
    if index:
        check_choice(metric.kernel, "kernel", (KERNEL,))
        parts = list(use.pool.parts()) if isinstance(use.pool, PartedPool) else [use.pool]
        header["index"] = {"release": project_version(), "n_parts": len(parts)}
        header["index"] |= {"pool_hash": metric.pool_hash_, "threshold": use.rule.threshold}
        for number, part in enumerate(parts):
            assert isinstance(part, BleuStarPool)  # as the kernel is
            arrays |= {f"{number}.{name}": array for name, array in part.arrays._asdict().items()}
    write_archive(path, SCHEMA, header, arrays)


Estimator = TypeVar("Estimator", bound=FittedPool)


def read_pool(path: PathName, kind: type[Estimator], *, allow_models: bool = False) -> Estimator:
    """Read what `write_pool` wrote. Whoever wrote it, reading it runs none of its content and fetches nothing.

    Args:
        path: the file.
        kind: the class of the estimator.
        allow_models: whether a model that the file names may be loaded.

    Raises:
        FileNotFoundError: where there is no such file.
        ImportError: without the extra that its kernel needs.
        IsADirectoryError: for a folder.
        ValueError: for a file that is no pool, is damaged, was written by another version, or holds what no estimator
            can have written; for a model without `allow_models`.
    """
    header, arrays = read_archive(path, SCHEMA, mapped=True)
    with reading(path, SCHEMA):
        of_draw = dict.fromkeys(("kernel_options", *OF_DRAW), object)
        check_fields("its parameters", header["parameters"], dict.fromkeys(PARAMETERS, object), of_draw)
        parameters = loaded_parameters(header["parameters"], allow_models)
        texts = PackedTexts(arrays["texts"], arrays["ends"])
        texts.check()
        check_ratings(arrays["ratings"], "ratings", finite_sum=True)
        if arrays["counts"].sum(dtype=float) > _LARGEST_SUM:
            raise ValueError("counts: they are more ratings than can be counted")
        n_distinct = header.get("n_distinct", len(texts))
        if not len(texts) <= n_distinct <= _LARGEST_SUM:
            raise ValueError("n_distinct: it is below the number of texts, or beyond what can be counted")
        calibration, threshold = None, None
        if "calibration" in header:
            residuals = np.array(arrays["estimates"]), np.array(arrays["residuals"])
            calibration = read_calibration(header["calibration"], *residuals)
            threshold = calibration.threshold
        metric, index, pool = kind(**parameters), header.get("index"), None
        if index is not None:
            pool, threshold = _read_index(index, arrays, parameters, len(texts)), index["threshold"]
        kept = list(texts) if pool is None else texts
        rated = RatedPool(kept, np.array(arrays["ratings"]), np.array(arrays["counts"]), n_distinct)
        metric.hold(rated, pool, index and index["pool_hash"], threshold, calibration)
    return metric


def _read_index(index: Record, arrays: Arrays, parameters: Options, n_texts: int) -> Pool:
    check_choice(parameters["kernel"], "kernel", (KERNEL,))
    options = text_options({"kernel_options": None, **parameters})
    n_parts = index["n_parts"]
    parts = [PoolArrays(**{name: arrays[f"{part}.{name}"] for name in RULES}) for part in range(n_parts)]
    for number, part in enumerate(parts):
        check_arrays(part, len(range(number, n_texts, n_parts)))
    pools = [partial(BleuStarPool.of_arrays, part, options) for part in parts]
    return pools[0]() if n_parts == 1 else PartedPool(pools, options, n_texts)
