"""A fitted estimator from whatever holds rated texts: an estimator, texts and ratings, or a file of either kind."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from numpy.typing import ArrayLike

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import KERNELS
from bleu_neighbors_metric.options import PRESETS, with_preset
from bleu_neighbors_metric.pool import rated_pool
from metric_commons.files.archive import is_archive
from metric_commons.files.tables import FORMATS, ColumnName, RatedTexts, suffix_of
from metric_commons.files.text_io import read_ratings
from metric_commons.metric import SeveralRatings, one_source
from metric_commons.support.parameters import with_parameters_of
from metric_commons.support.validation import InputError, check_ratings, check_texts, describe


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
    estimator: BLEUNeighbors | SeveralRatings | None = None,
    allow_models: bool = False,
    preset: Annotated[str | None, tuple(PRESETS)] = None,
    **parameters: Any,
) -> BLEUNeighbors | SeveralRatings:
    """Return BLEU Neighbors with a pool of rated texts bound: what frameworks' adapters and commands make it with.

    Args:
        rated_texts: the pool of rated texts. Alone in the first place, a path is a `pool` and a fitted estimator is
            itself.
        ratings: one rating for each of them, or a mapping from names to such ratings (see `several_ratings`).
        pool: instead of the two, what `--pool` takes: a file of rated texts (a table, such as .csv), a file
            that `referenceless fit` or `BLEUNeighbors` wrote, or a data set such as `huse:summarization`.
        pool_text_column: the column of the texts in such a file.
        pool_rating_column: the column of the ratings, or a list of columns (see `several_ratings`).
        pool_system_column: the column of the systems that wrote the texts: the estimates are then calibrated, and the
            verdict is of systems that are left out whole. None where they are not known.
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
        ValueError: where there is no pool, half a pool, or more than one; `InputError` for a file that cannot be read.
    """
    sources = {"rated_texts": rated_texts, "pool": pool, "estimator": estimator}
    if preset is not None:
        parameters["preset"] = preset
    source = one_source((BLEUNeighbors, SeveralRatings), sources, ratings, parameters)
    if source is None:
        raise ValueError(
            "BLEU Neighbors needs a pool of rated texts: give `rated_texts` with `ratings`, or `pool` (a file; with "
            "`evaluate`: at load or to compute)"
        )
    parameters, texts, rated = with_preset(parameters), source, {}
    if isinstance(source, (str, os.PathLike)):
        file = os.fspath(source)
        named = [pool_rating_column] if isinstance(pool_rating_column, str) else pool_rating_column
        # a file with a suffix that no table has is what `fit` wrote, and damaged: it is not to be read as texts
        is_other = pool_format is None and Path(file).is_file() and suffix_of(file) not in ("", *FORMATS)
        if is_other or is_archive(file):
            if len(named) > 1:
                raise InputError(
                    f"{file}: a fitted pool holds one rating a text: name several of a file of rated texts"
                )
            if parameters.get("max_pool") is not None:
                raise InputError(
                    f"{file}: max_pool draws from rated texts, and this holds what was drawn: give the rated texts"
                )
            if pool_system_column is not None:
                raise InputError(
                    f"{file}: a fitted pool holds no systems: name their column to `fit`, or give the texts"
                )
            loaded = BLEUNeighbors.load(file, allow_models=allow_models).set_params(**parameters)
            return _calibrated(loaded, {}, calibrated and loaded.calibration is None)
        rated = read_ratings(
            file,
            [ColumnName(name, "pool_rating_column") for name in named],
            text_column=ColumnName(pool_text_column, "pool_text_column"),
            groupings={"systems": pool_system_column and ColumnName(pool_system_column, "pool_system_column")},
            format=pool_format,
            data_dir=data_dir,
        )
        texts, ratings = rated[named[0]].texts, {name: of_column.ratings for name, of_column in rated.items()}
        ratings = ratings if len(named) > 1 else ratings[named[0]]
        calibrated = calibrated or pool_system_column is not None
    elif ratings is None:
        fitted: BLEUNeighbors | SeveralRatings = source
        return fitted
    if isinstance(ratings, Mapping):
        return _calibrated(several_ratings(texts, ratings, **parameters), rated, calibrated)
    return _calibrated(BLEUNeighbors(**parameters).fit(texts, ratings), rated, calibrated)


Fitted = TypeVar("Fitted", BLEUNeighbors, SeveralRatings)


def _calibrated(metric: Fitted, rated: Mapping[str, RatedTexts], calibrated: bool) -> Fitted:
    """Return a fitted metric, calibrated on what is known of its rated texts where that is asked for."""
    if calibrated:
        from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate

        parts = metric.estimators if isinstance(metric, SeveralRatings) else {next(iter(rated), ""): metric}
        for name, estimator in parts.items():
            attach_calibration(estimator, calibrate(estimator, rated.get(name)))
    return metric


def several_ratings(texts: Iterable[str], ratings: Mapping[str, ArrayLike], **parameters: Any) -> SeveralRatings:
    """Return an estimator for each kind of rating, over one index: who is a neighbour does not depend on the ratings.

    So the same texts are covered by all (but for a learned kernel, which has an index for each).

    Args:
        texts: m texts; equal ones are merged and their ratings averaged.
        ratings: from a name to the ratings of that kind, shape (m,), finite, in any unit.
        parameters: those of `BLEUNeighbors`.

    Raises:
        TypeError: for ratings that are no mapping from names, and as `BLEUNeighbors.fit`.
        ValueError: for no ratings, a name that a result's own column has, and as `BLEUNeighbors.fit`.

    Example:
        >>> texts = ["the cat sat on the mat", "the cat sat on a mat", "mat mat mat"]
        >>> ratings = {"fluency": [0.9, 0.8, 0.1], "truth": [0.5, 0.7, 0.2]}
        >>> metric = several_ratings(texts, ratings, threshold=0.7, min_neighbors=1, max_fraction=1.0)
        >>> result = metric.predict(["a cat sat on the mat"])
        >>> result.fluency.round(2).tolist(), result.truth.round(2).tolist()
        ([0.85], [0.6])
    """
    if not all(isinstance(name, str) for name in ratings):
        raise TypeError(f"Expected argument `ratings` to map names to ratings, but got {describe(ratings)}")
    for name in _TAKEN & ratings.keys():
        raise ValueError(f"Expected ratings by a name of their own, but a result has a column {name!r} already")
    pool = check_texts(texts, "texts", allow_empty=False)
    metrics: dict[str, BLEUNeighbors] = {}
    for name, values in ratings.items():
        first = next(iter(metrics.values()), None)
        if first is None or KERNELS[first.kernel].learns:
            metrics[name] = BLEUNeighbors(**parameters).fit(pool, values)
            continue
        checked = check_ratings(values, f"ratings[{name!r}]", length=len(pool), finite_sum=True)
        metrics[name] = copy.copy(first)
        metrics[name].hold(rated_pool(pool, checked, first.max_pool, first.random_state), first.pool)
    return SeveralRatings(metrics)


_OF_RESULTS = (
    "value values reason reasons mean coverage signature parts n_neighbors fewest most lower upper verdict in_pool"
)
_TAKEN = frozenset([BLEUNeighbors.name, *_OF_RESULTS.split()])
"""Names under which a result, or a row of it, holds something else."""
