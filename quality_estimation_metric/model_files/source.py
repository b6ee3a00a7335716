"""A fitted estimator from whatever holds one: an estimator, a file, or rated texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from quality_estimation_metric.estimator import QualityEstimator
from referenceless_metrics.assessment.rating_estimator import one_source
from referenceless_metrics.core.files.archive import is_archive
from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.files.tables import ColumnName, column_names
from referenceless_metrics.core.files.text_io import read_rated, read_table
from referenceless_metrics.core.support.parameters import with_parameters_of
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING

DEFAULT = "default"


@with_parameters_of(QualityEstimator, without=("fill",))
def quality_estimation(
    rated_texts: Any = None,
    ratings: Any = None,
    *,
    rated_sources: Any = None,
    pool: Any = None,
    pool_text_column: str = "text",
    pool_rating_column: str | Sequence[str] = "rating",
    pool_source_column: str | None = None,
    pool_format: str | None = None,
    model_file: Any = None,
    estimator: QualityEstimator | None = None,
    **parameters: Any,
) -> QualityEstimator:
    """Return quality estimation with a fitted model, for adapters of frameworks and for commands.

    Args:
        rated_texts: rated texts to fit a model on. Alone in the first place, a path is a model file and a fitted
            estimator is itself.
        ratings: one rating for each of them.
        rated_sources: the source of each of them; None without.
        pool: instead of these, a file of rated texts to fit a model on (a table), or a model file.
        pool_text_column: the column of the texts in such a file.
        pool_rating_column: the column of the ratings, or several, one for each rater.
        pool_source_column: the column of the texts' sources; None without.
        pool_format: the format of the file, such as `csv`; None to go by its suffix.
        model_file: instead of these, a file that `QualityEstimator.save` or `referenceless fit` wrote, or `"default"`
            for the packaged model of restaurants and hotels, which is taken if nothing else is given.
        estimator: instead of all these, a fitted estimator, which is returned.
        parameters: parameters of `QualityEstimator`; over a model file, `level`, `exclude_rated` and `unknown` alone.

    Raises:
        TypeError: for an unknown parameter.
        NotFittedError: for an estimator that was not fitted.
        ValueError: for more than one of the three, or texts without ratings; as `fit` and `load` raise.
        FileNotFoundError: if there is no such file.
    """
    sources = {"rated_texts": rated_texts, "pool": pool, "model_file": model_file, "estimator": estimator}
    source = one_source((QualityEstimator,), sources, ratings, parameters, rated_sources)
    if ratings is not None:
        return QualityEstimator(**parameters).fit(source, ratings, sources=rated_sources)
    if not (source is None or isinstance(source, (str, os.PathLike))):
        fitted: QualityEstimator = source
        return fitted
    if source is not None and source is pool and not is_archive(pool):
        return fitted_on_file(
            os.fspath(pool),
            text_column=ColumnName(pool_text_column, "pool_text_column"),
            rating_columns=column_names(pool_rating_column, "pool_rating_column"),
            source_column=pool_source_column and ColumnName(pool_source_column, "pool_source_column"),
            reading=Reading(format=pool_format),
            **parameters,
        )
    unknown = sorted(set(parameters) - {"level", "exclude_rated", "unknown"})
    if unknown:
        raise TypeError(
            "Expected no argument but `level`, `exclude_rated` and `unknown` beside a fitted model, but got "
            f"{', '.join(f'`{name}`' for name in unknown)}: a file of a model is given as `model_file=`, rated texts "
            "as `pool=`, and without both it is the packaged model"
        )
    loaded = QualityEstimator.load(source or DEFAULT)
    return loaded.set_params(**parameters) if parameters else loaded


def fitted_on_file(
    file: str,
    *,
    text_column: str,
    rating_columns: Sequence[str] = (),
    values: Mapping[str, float] | None = None,
    source_column: str | None = None,
    group_column: str | None = None,
    system_column: str | None = None,
    reading: Reading = BY_SUFFIX,
    worse_column: str | None = None,
    **parameters: Any,
) -> QualityEstimator:
    """Return an estimator that was fitted on a file of rated texts; None is for a default.

    With a `worse_column`, it was fitted on preferences of the text column.

    Raises:
        InputError: for a file that cannot be read, a column that it does not have, or a cell of the wrong kind.
        ValueError: like `QualityEstimator.fit`.
    """
    chosen = {name: value for name, value in parameters.items() if value is not None}
    if worse_column is None:
        rated = read_rated(
            file,
            rating_column=tuple(rating_columns) or RATING,
            text_column=text_column,
            groupings={"groups": group_column, "systems": system_column},
            source_column=source_column,
            words=values,
            reading=reading,
        )
        named = {left_out: rated.groupings.get(left_out) for left_out in ("groups", "systems")}
        return QualityEstimator(**chosen).fit(rated.texts, rated.ratings, sources=rated.sources, **named)
    if rating_columns:
        raise InputError("preferences have no ratings: give --worse-column alone")
    table = read_table(file, reading)
    sources = None if source_column is None else table.column(source_column, "source_column")
    groups = None if group_column is None else [str(value) for value in table.column(group_column, "group_column")]
    return QualityEstimator(**chosen).fit_preferences(
        table.texts(text_column), table.texts(worse_column), sources, groups
    )
