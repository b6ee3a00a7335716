"""The file of a fitted estimator, as plain data: parameters, texts, ratings, counts, calibration, and its index or not.

Without the kernel's index, which takes ten times the room of the texts, the file is read whole and indexed anew. With
it, the arrays are mapped: that takes as long as checking them, and processes share the memory. An index is read by the
release that made it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool, PoolArrays
from bleu_neighbors_metric.options import (
    OPTIONAL_PARAMETERS,
    RUNTIME_PARAMETERS,
    loaded_parameters,
    saved_parameters,
    text_options,
)
from bleu_neighbors_metric.pool import RatedPool, pool_hash
from bleu_neighbors_metric.pool_files.array_rules import RULES, check_arrays
from bleu_neighbors_metric.tuning.stored_calibration import read_calibration
from metric_commons.files.archive import Array, Schema, read_archive, reading, write_archive
from metric_commons.support.installation import project_version
from metric_commons.support.validation import (
    Arrays,
    Integers,
    PathName,
    Record,
    Unsigned8,
    check_choice,
    check_fields,
    check_number,
    check_ratings,
)

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

KERNEL = "bleu_star"
"""The kernel whose index a file can hold."""

_ARRAYS = {
    "texts": Array("|u1", (None,)),
    "ends": Array("<i8", ("n",)),
    "ratings": Array("<f8", ("n",)),
    "counts": Array("<i8", ("n",), least=1),
    "estimates": Array("<f8", ("m",), optional=True),
    "residuals": Array("<f8", ("m",), optional=True),
}
_LARGEST_SUM = 2**53  # up to which float64 counts exactly


def _array_rules(header: Record) -> dict[str, Array]:
    """Return what the arrays of a pool are, from its header: those of its index too, if it has one."""
    if "index" not in header:
        return _ARRAYS
    index = header["index"]
    check_fields("its index", index, {"release": str, "pool_hash": str, "threshold": float})
    if index["release"] != project_version():
        raise ValueError(
            f"its index was written by version {index['release']!r:.40}, and this is version {project_version()}: "
            "write it anew, with the same version on all machines"
        )
    check_number(index["threshold"], "threshold", 0, 1)
    return _ARRAYS | RULES


SCHEMA = Schema(
    "bleu neighbors pool",
    1,
    "a pool of BLEU Neighbors (write one with `referenceless fit`)",
    arrays=_array_rules,
    fields={"parameters": dict},
    optional_fields={"calibration": dict, "index": dict, "n_distinct": int},  # the last: as earlier releases wrote it
)


def write_pool(path: PathName, metric: BLEUNeighbors, *, index: bool = False) -> None:
    """Write a fitted estimator to a file, whole or not at all; `index`: with the index of its texts.

    Raises:
        NotFittedError: before `fit`.
        OSError: where the file cannot be written.
        TypeError: for a kernel's option that a file cannot hold, such as a model.
        ValueError: for the index of another kernel than BLEU*.
    """
    use = metric.in_use()
    header: Record = {"parameters": saved_parameters(metric.get_params())}
    texts = [text.encode("utf-8", "surrogatepass") for text in metric.texts_]
    arrays: Arrays = {
        "texts": np.frombuffer(b"".join(texts), dtype=np.uint8),
        "ends": np.cumsum([len(text) for text in texts], dtype=np.int64),
        "ratings": metric.ratings_,
        "counts": metric.counts_,
    }
    if (calibration := metric.calibration) is not None:
        header["calibration"] = calibration.header()
        arrays |= vars(calibration.intervals)
    if index:
        check_choice(metric.kernel, "kernel", (KERNEL,))
        assert isinstance(use.pool, BleuStarPool)  # as the kernel is
        name = pool_hash(metric.texts_, metric.ratings_)
        header["index"] = {"release": project_version(), "pool_hash": name, "threshold": use.rule.threshold}
        arrays |= use.pool.arrays._asdict()
    write_archive(path, SCHEMA, header, arrays)


def read_pool(path: PathName, kind: type[BLEUNeighbors], *, allow_models: bool = False) -> BLEUNeighbors:
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
        optional = dict.fromkeys(OPTIONAL_PARAMETERS, object)
        required = dict.fromkeys({*kind.parameter_names()} - {*OPTIONAL_PARAMETERS, *RUNTIME_PARAMETERS}, object)
        check_fields("its parameters", header["parameters"], required, optional)
        parameters = loaded_parameters(header["parameters"], allow_models)
        texts = _unpacked(arrays["texts"], arrays["ends"])
        check_ratings(arrays["ratings"], "ratings", finite_sum=True)
        if arrays["counts"].sum(dtype=float) > _LARGEST_SUM:
            raise ValueError("counts: they are more ratings than can be counted")
        calibration = pool = threshold = name = None
        if "calibration" in header:
            residuals = np.array(arrays["estimates"]), np.array(arrays["residuals"])
            calibration = read_calibration(header["calibration"], *residuals)
            threshold = calibration.threshold
        if "index" in header:
            check_choice(parameters["kernel"], "kernel", (KERNEL,))
            index = PoolArrays(**{name: arrays[name] for name in RULES})
            check_arrays(index, len(texts))
            pool = BleuStarPool.of_arrays(index, text_options(parameters))
            name, threshold = header["index"]["pool_hash"], header["index"]["threshold"]
        ratings = np.array(arrays["ratings"])
        rated = RatedPool(texts, ratings, np.array(arrays["counts"]), name or pool_hash(texts, ratings))
        metric = kind(**parameters)
        metric.hold(rated, pool, threshold, calibration)
    return metric


def _unpacked(content: Unsigned8, ends: Integers) -> list[str]:
    """Return texts from their UTF-8, shape (bytes,), and where each ends in it, shape (n,).

    Raises:
        ValueError: for ends that do not part the bytes, what is no UTF-8, and texts that are equal; the message begins
            with the array's name.
    """
    if not len(ends) or ends[0] < 0 or ends[-1] != len(content) or (np.diff(ends) < 0).any():
        raise ValueError("ends: its numbers do not part the texts")
    joined, places = content.tobytes(), pairwise([0, *ends.tolist()])
    try:
        texts = [joined[begin:end].decode("utf-8", "surrogatepass") for begin, end in places]
    except UnicodeDecodeError:
        raise ValueError("texts: not UTF-8") from None
    if len(set(texts)) < len(texts):
        raise ValueError("texts: a text stands in it twice")
    return texts
