"""A fitted BLEU Neighbors from an estimator, from texts and ratings, or from a file of either."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.options import PRESETS, with_preset
from bleu_neighbors_metric.pool_file import SCHEMA
from referenceless_metrics.assessment.rating_estimator import one_source
from referenceless_metrics.core.files.archive import archive_kind, is_archive
from referenceless_metrics.core.files.formats import FORMATS
from referenceless_metrics.core.files.formats_of_files import suffix_of
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import ColumnName, RatedTexts, column_names
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.core.registry import metric_specs
from referenceless_metrics.core.support.parameters import with_parameters_of
from referenceless_metrics.core.support.validation import InputError


@with_parameters_of(BLEUNeighbors, without=("fill",))
def bleu_neighbors(
    rated_texts: Any = None,
    ratings: Any = None,
    *,
    pool: Any = None,
    pool_text_column: str = "text",
    pool_rating_column: str | Sequence[str] = "rating",
    pool_system_column: str | None = None,
    pool_format: str | None = None,
    data_dir: str | None = None,
    calibrated: bool = False,
    estimator: BLEUNeighbors | None = None,
    allow_models: bool = False,
    preset: Annotated[str | None, tuple(PRESETS)] = None,
    **parameters: Any,
) -> BLEUNeighbors:
    """Return a fitted BLEU Neighbors. Adapters of frameworks and commands make it by this function.

    Args:
        rated_texts: the rated texts. A path in their place is read as `pool`, and a fitted estimator as `estimator`.
        ratings: the rating of each text.
        pool: instead of the two, a file as for `--pool`: a file of rated texts (a table, such as .csv), a file
            that `referenceless fit` or `BLEUNeighbors` wrote, or a data set such as `huse:summarization`.
        pool_text_column: the column of the texts in such a file.
        pool_rating_column: the column of the ratings, or several, one for each rater.
        pool_system_column: the column of the systems that wrote the texts. The estimates are then calibrated, and the
            verdict is about systems without ratings. None if systems are not known.
        pool_format: the format of the file, such as `csv`; None to go by its suffix.
        data_dir: the folder that holds a data set.
        calibrated: whether the estimates are calibrated by leaving rated texts out. Results then have intervals and a
            verdict, as those of a file that `fit` wrote.
        estimator: instead of all these a fitted estimator, which is returned.
        allow_models: whether a model that a fitted file names may be loaded; see `BLEUNeighbors.load`.
        preset: `published` for the settings of the paper in place of the defaults, or of those of a fitted file;
            further parameters override it. None for no preset.
        parameters: parameters of `BLEUNeighbors`. They replace those of a fitted file.

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
        # a file whose suffix no table has was written by `fit` and is damaged: it is not read as texts
        is_other = pool_format is None and Path(file).is_file() and suffix_of(file) not in ("", *FORMATS)
        if is_other or is_archive(file):
            if pool_system_column is not None:
                raise InputError(
                    f"{file}: a fitted pool holds no systems: name their column to `fit`, or give the texts"
                )
            _check_kind(file)
            loaded = BLEUNeighbors.load(file, allow_models=allow_models, **parameters)
            if calibrated and loaded.calibration_ is None:
                return _calibrated(loaded, None)
            return loaded
        rated = read_rated(
            file,
            rating_column=column_names(pool_rating_column, "pool_rating_column"),
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


def _check_kind(file: str) -> None:
    """Check that a fitted file is no other metric's: it has an option of its own.

    Raises:
        InputError: for another metric's; the message names the options that take one.
    """
    kind = archive_kind(file)
    if kind in (None, SCHEMA.kind):
        return
    takers = [(spec.name, option) for spec in metric_specs() if spec.fit for option in spec.implied_by]
    options = [f"`{option} {shlex.quote(file)}` for {name}" for name, option in takers if option != "--pool"]
    told = f"; in place of --pool give {', '.join(options)}" if options else ""
    raise InputError(f"{file}: it holds no pool of BLEU Neighbors, but another kind of content, {kind}{told}")


def _calibrated(metric: BLEUNeighbors, rated: RatedTexts | None) -> BLEUNeighbors:
    """Return a fitted metric, calibrated on its rated texts."""
    from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate

    attach_calibration(metric, calibrate(metric, rated))
    return metric
