"""A fitted estimator from whatever holds rated texts: an estimator, texts and ratings, or a file of either kind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.options import PRESETS, with_preset
from referenceless_metrics.assessment.rating_estimator import one_source
from referenceless_metrics.core.files.archive import is_archive
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import FORMATS, ColumnName, RatedTexts, suffix_of
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.core.support.parameters import with_parameters_of
from referenceless_metrics.core.support.validation import InputError


@with_parameters_of(BLEUNeighbors, without=("fill",))
def bleu_neighbors(
    rated_texts: Any = None,
    ratings: Any = None,
    *,
    pool: Any = None,
    pool_text_column: str = "text",
    pool_rating_column: str = "rating",
    pool_system_column: str | None = None,
    pool_format: str | None = None,
    data_dir: str | None = None,
    calibrated: bool = False,
    estimator: BLEUNeighbors | None = None,
    allow_models: bool = False,
    preset: Annotated[str | None, tuple(PRESETS)] = None,
    **parameters: Any,
) -> BLEUNeighbors:
    """Return BLEU Neighbors with a pool of rated texts bound: what frameworks' adapters and commands make it with.

    Args:
        rated_texts: the pool of rated texts. Alone in the first place, a path is a `pool` and a fitted estimator is
            itself.
        ratings: one rating for each of them.
        pool: instead of the two, what `--pool` takes: a file of rated texts (a table, such as .csv), a file
            that `referenceless fit` or `BLEUNeighbors` wrote, or a data set such as `huse:summarization`.
        pool_text_column: the column of the texts in such a file.
        pool_rating_column: the column of the ratings.
        pool_system_column: the column of the systems that wrote the texts: the estimates are then calibrated, and the
            verdict is of systems that are left out whole. None if they are not known.
        pool_format: the format of the file, such as `csv`; None to go by its suffix.
        data_dir: the folder that holds a data set.
        calibrated: whether the estimates are calibrated, by leaving rated texts out: results then have intervals and a
            verdict, as they have from a file that `fit` wrote.
        estimator: instead of all these, a fitted estimator, which is returned.
        allow_models: whether a model that a fitted file names may be loaded; see `BLEUNeighbors.load`.
        preset: `published` for the settings of the paper, in place of the defaults, or of a fitted file's; parameters
            beside it go before it. None for no others.
        parameters: those of `BLEUNeighbors`; over a fitted file, they replace those that it was saved with.

    Raises:
        TypeError: for an unknown parameter.
        NotFittedError: for an estimator that was not fitted.
        ValueError: if there is no pool, half a pool, or more than one; `InputError` for a file that cannot be read.
    """
    sources = {"rated_texts": rated_texts, "pool": pool, "estimator": estimator}
    if preset is not None:
        parameters["preset"] = preset
    source = one_source((BLEUNeighbors,), sources, ratings, parameters)
    if source is None:
        raise ValueError(
            "BLEU Neighbors needs a pool of rated texts: give `rated_texts` with `ratings`, or `pool` (a file; with "
            "`evaluate`: at load or to compute)"
        )
    parameters, texts, rated = with_preset(parameters), source, None
    if isinstance(source, (str, os.PathLike)):
        file = os.fspath(source)
        # a file with a suffix that no table has is what `fit` wrote, and damaged: it is not to be read as texts
        is_other = pool_format is None and Path(file).is_file() and suffix_of(file) not in ("", *FORMATS)
        if is_other or is_archive(file):
            if pool_system_column is not None:
                raise InputError(
                    f"{file}: a fitted pool holds no systems: name their column to `fit`, or give the texts"
                )
            loaded = BLEUNeighbors.load(file, allow_models=allow_models, **parameters)
            if calibrated and loaded.calibration_ is None:
                return _calibrated(loaded, None)
            return loaded
        rated = read_rated(
            file,
            rating_column=ColumnName(pool_rating_column, "pool_rating_column"),
            text_column=ColumnName(pool_text_column, "pool_text_column"),
            groupings={"systems": pool_system_column and ColumnName(pool_system_column, "pool_system_column")},
            reading=Reading(format=pool_format, data_dir=data_dir),
        )
        texts, ratings = rated.texts, rated.ratings
        calibrated = calibrated or pool_system_column is not None
    elif ratings is None:
        fitted: BLEUNeighbors = source
        return fitted
    metric = BLEUNeighbors(**parameters).fit(texts, ratings)
    return _calibrated(metric, rated) if calibrated else metric


def _calibrated(metric: BLEUNeighbors, rated: RatedTexts | None) -> BLEUNeighbors:
    """Return a fitted metric, calibrated on what is known of its rated texts."""
    from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate

    attach_calibration(metric, calibrate(metric, rated))
    return metric
