"""The file of a fitted estimator, as plain data: parameters, texts, ratings, counts and calibration.

The kernel's index would be ten times as large as the texts. It is made again when the file is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleu_neighbors_metric.options import RUNTIME_PARAMETERS, check_parameters, loaded_parameters, saved_parameters
from bleu_neighbors_metric.pool import RatedPool, pool_digest
from bleu_neighbors_metric.tuning.stored_calibration import read_calibration
from referenceless_metrics.core.files.archive import (
    STRINGS,
    Array,
    Schema,
    pack_strings,
    read_archive,
    reading,
    unpack_strings,
    write_archive,
)
from referenceless_metrics.core.support.validation import (
    Arrays,
    Options,
    PathName,
    Record,
    check_fields,
    check_ratings,
)

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

SCHEMA = Schema(
    "bleu neighbors pool",
    2,
    "a pool of BLEU Neighbors (write one with `referenceless fit`, or give rated texts as a table, such as .csv)",
    arrays={
        "texts": STRINGS,
        "ratings": Array("<f8", ("n",)),
        "counts": Array("<i8", ("n",), least=1),
        "estimates": Array("<f8", ("m",), optional=True),
        "residuals": Array("<f8", ("m",), optional=True),
    },
    fields={"parameters": dict},
    optional_fields={"calibration": dict},
)
_LARGEST_SUM = 2**53  # largest whole number up to which float64 counts exactly


def write_pool(path: PathName, metric: BLEUNeighbors) -> None:
    """Write a fitted estimator to a file, whole or not at all.

    Raises:
        NotFittedError: before `fit`.
        OSError: if the file cannot be written.
        TypeError: for a kernel's option that a file cannot hold, such as a model.
    """
    metric.check_fitted()
    header: Record = {"parameters": saved_parameters(metric.parameters_)}
    arrays: Arrays = {"texts": pack_strings(metric.texts_), "ratings": metric.ratings_, "counts": metric.counts_}
    calibration = metric.calibration_
    if calibration is not None:
        header["calibration"] = calibration.header()
        arrays |= vars(calibration.intervals)
    write_archive(path, SCHEMA, header, arrays)


def read_pool(
    path: PathName, kind: type[BLEUNeighbors], others: Options, *, allow_models: bool = False
) -> BLEUNeighbors:
    """Read a file of `write_pool`. Reading it runs none of its content and fetches nothing.

    Args:
        path: the file.
        kind: the class of the estimator.
        others: parameters that replace those of the file.
        allow_models: whether a model that the file names may be loaded.

    Raises:
        FileNotFoundError: if there is no such file.
        ImportError: without the extra that its kernel needs.
        IsADirectoryError: for a folder.
        ValueError: for a file that is no pool, is damaged, was written by another version, or has impossible content;
            for a model without `allow_models`.
    """
    header, arrays = read_archive(path, SCHEMA)
    with reading(path, SCHEMA):
        saved = dict.fromkeys({*kind.parameter_names()} - {*RUNTIME_PARAMETERS}, object)
        check_fields("its parameters", header["parameters"], saved)
        parameters = loaded_parameters(header["parameters"], allow_models)
        texts = unpack_strings(arrays["texts"], surrogates=True)
        if not 0 < len(set(texts)) == len(texts) == len(arrays["ratings"]):
            raise ValueError("texts: they are not as many as ratings, or one stands in it twice")
        ratings = check_ratings(arrays["ratings"], "ratings", finite_sum=True)
        if arrays["counts"].sum(dtype=float) > _LARGEST_SUM:
            raise ValueError("counts: they are more ratings than can be counted")
        calibration = threshold = None
        if "calibration" in header:
            calibration = read_calibration(header["calibration"], arrays["estimates"], arrays["residuals"])
            threshold = calibration.threshold
        rated = RatedPool(texts, ratings, arrays["counts"], pool_digest(texts, ratings))
        if not others:
            metric = kind(**parameters)
            metric.take(rated, threshold, calibration)
            return metric
    # an error in these parameters is no fault of the file
    metric = kind(**{**parameters, **others})
    check_parameters(vars(metric))
    if others.keys() - RUNTIME_PARAMETERS:
        threshold = None  # other parameters may lead to another threshold
    metric.take(rated, threshold, calibration)
    return metric
