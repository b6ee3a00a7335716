"""The file of a fitted estimator, as plain data: parameters, texts, ratings, counts and calibration.

The kernel's index, which takes ten times the room of the texts, is made anew as the file is read.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bleu_neighbors_metric.options import (
    OPTIONAL_PARAMETERS,
    RUNTIME_PARAMETERS,
    loaded_parameters,
    saved_parameters,
)
from bleu_neighbors_metric.pool import RatedPool, pool_hash
from bleu_neighbors_metric.tuning.stored_calibration import read_calibration
from metric_commons.files.archive import Array, Schema, read_archive, reading, write_archive
from metric_commons.support.validation import (
    Arrays,
    Integers,
    PathName,
    Record,
    Unsigned8,
    check_fields,
    check_ratings,
)

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

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
    """Return what the arrays of a pool are."""
    if "index" in header:
        raise ValueError(
            "it was written with its index, which is not read any more: write it anew with `referenceless fit` or "
            "`BLEUNeighbors.save`"
        )
    return _ARRAYS


SCHEMA = Schema(
    "bleu neighbors pool",
    1,
    "a pool of BLEU Neighbors (write one with `referenceless fit`, or give rated texts as a table, such as .csv)",
    arrays=_array_rules,
    fields={"parameters": dict},
    optional_fields={"calibration": dict, "index": dict, "n_distinct": int},  # the last two: of earlier releases
)


def write_pool(path: PathName, metric: BLEUNeighbors) -> None:
    """Write a fitted estimator to a file, whole or not at all.

    Raises:
        NotFittedError: before `fit`.
        OSError: where the file cannot be written.
        TypeError: for a kernel's option that a file cannot hold, such as a model.
    """
    metric.in_use()
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
    header, arrays = read_archive(path, SCHEMA)
    with reading(path, SCHEMA):
        optional = dict.fromkeys(OPTIONAL_PARAMETERS, object)
        required = dict.fromkeys({*kind.parameter_names()} - {*OPTIONAL_PARAMETERS, *RUNTIME_PARAMETERS}, object)
        check_fields("its parameters", header["parameters"], required, optional)
        parameters = loaded_parameters(header["parameters"], allow_models)
        texts = _unpacked(arrays["texts"], arrays["ends"])
        ratings = check_ratings(arrays["ratings"], "ratings", finite_sum=True)
        if arrays["counts"].sum(dtype=float) > _LARGEST_SUM:
            raise ValueError("counts: they are more ratings than can be counted")
        calibration = threshold = None
        if "calibration" in header:
            calibration = read_calibration(header["calibration"], arrays["estimates"], arrays["residuals"])
            threshold = calibration.threshold
        metric = kind(**parameters)
        rated = RatedPool(texts, ratings, arrays["counts"], pool_hash(texts, ratings))
        metric.hold(rated, threshold, calibration)
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
