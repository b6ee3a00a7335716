"""Options that the commands of `bleu-neighbors` share, and the estimator that they describe."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from bleu_neighbors_metric.kernels.base import SMOOTH_METHODS
from bleu_neighbors_metric.kernels.registry import KERNELS
from bleu_neighbors_metric.options import AUTO, WEIGHT_METHODS
from metric_commons.cli.base import numbers
from metric_commons.cli.metric_options import MetricOptions
from metric_commons.cli.pairs import parse_pairs
from metric_commons.files.tables import FORMATS, RatedTexts
from metric_commons.files.text_io import read_rated, read_ratings
from metric_commons.metric import Metric

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors


def _threshold(_: click.Context, __: click.Parameter, value: str | None) -> float | str | None:
    if value is None or value == AUTO:
        return value
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter(f"expected a number in [0, 1] or {AUTO}, but got {value!r}") from None


def _kernel_options(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, Any] | None:
    return parse_pairs(values) or None


def parameter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the estimator's parameters; one that is not given keeps the estimator's default, or the index's value."""
    for option in (
        click.option("--n-jobs", type=int, default=-1, help="Threads; -1 for all processors.  [default: -1]"),
        click.option("--random-state", type=int, help="Determines the draw of --max-pool.  [default: 0]"),
        click.option("--max-pool", type=int, help="Of more distinct rated texts, draw so many at random."),
        click.option("--weights", type=click.Choice(WEIGHT_METHODS), help="How neighbours count.  [default: uniform]"),
        click.option(
            "--kernel-option",
            "kernel_options",
            multiple=True,
            callback=_kernel_options,
            metavar="NAME=VALUE",
            help="An option of the kernel's own, such as encoder=FOLDER for bertscore; may be repeated.",
        ),
        click.option("--kernel", type=click.Choice(tuple(KERNELS)), help="Similarity.  [default: bleu_star]"),
        click.option("--clip/--no-clip", default=None, help="Clip n-gram counts.  [default: clip]"),
        click.option("--smooth-value", type=float, help="Value of floor or add-k smoothing."),
        click.option(
            "--smooth-method", type=click.Choice(SMOOTH_METHODS), help="Smoothing of precisions.  [default: none]"
        ),
        click.option("--ngram-orders", callback=numbers(int), metavar="N,N,…", help="N-gram orders.  [default: 2,3,4]"),
        click.option("--tokenize", help="char, char-nospace, or one of sacrebleu's.  [default: char]"),
        click.option("--max-fraction", type=float, help="Largest share of the pool (b).  [default: 0.66]"),
        click.option("--min-neighbors", type=int, help="Fewest neighbours (a).  [default: 5]"),
        click.option(
            "--threshold",
            callback=_threshold,
            metavar="NUMBER|auto",
            help="Least similarity of a neighbour (τ); auto: what covers the most of the pool.  [default: 0.08]",
        ),
    ):
        command = option(command)
    return command


def rated_source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where the rated texts come from, an index or a pool, with the options of a pool (see `fitted_estimator`)."""
    return source_options(quality_option(command))


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where the rated texts come from, without the column of ratings."""
    for option in (
        click.option("--pool-format", type=click.Choice(FORMATS), help="Format of the pool  [default: by suffix]"),
        click.option("--pool-text-column", default="text", show_default=True, help="Column of the pool's texts."),
        click.option("--pool", help="Rated texts, in place of an index: a file, or a data set with --data-dir."),
        allow_models_option,
        click.option("--index", type=click.Path(), help="Index file that `fit` wrote."),
    ):
        command = option(command)
    return command


def allow_models_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the consent to what an index names."""
    return click.option(
        "--allow-models", is_flag=True, help="Load a model that the index names: trust whoever wrote it."
    )(command)


def check_rated_source(index: str | None, pool: str | None) -> None:
    """Check that rated texts are named, once.

    Raises:
        click.UsageError: for neither an index nor a pool, or both.
    """
    if (index is None) == (pool is None):
        raise click.UsageError("give either --index or --pool: the rated texts to estimate from")


def fitted_estimator(
    index: str | None,
    pool: str | None,
    pool_text_column: str,
    pool_format: str | None,
    quality_column: str,
    data_dir: str | None,
    allow_models: bool = False,
    **parameters: Any,
) -> BLEUNeighbors:
    """Return the estimator that `rated_source_options` and `parameter_options` describe."""
    check_rated_source(index, pool)
    if index is not None:
        return loaded(index, parameters, allow_models=allow_models)
    options = {"input_format": pool_format, "text_column": pool_text_column, "quality_column": quality_column}
    return pool_or_index(str(pool), {**parameters, **options, "data_dir": data_dir}, allow_models=allow_models)


def quality_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the name of the column that holds the ratings."""
    return click.option(
        "--quality-column", default="quality", show_default=True, help="Column that holds the ratings."
    )(command)


def quality_columns_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the names of the columns that hold ratings, of which some commands take several."""
    return click.option(
        "--quality-column",
        "quality_columns",
        multiple=True,
        default=("quality",),
        show_default=True,
        callback=_distinct,
        help="Column that holds ratings; may be repeated.",
    )(command)


def _distinct(_: click.Context, __: click.Parameter, columns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(columns))


def given(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters that were given on the command line."""
    return {name: value for name, value in parameters.items() if value is not None}


def fitted_on(
    pool: str,
    data_dir: str | None,
    input_format: str | None,
    text_column: str,
    quality_column: str,
    **parameters: Any,
) -> BLEUNeighbors:
    """Return an estimator with the given parameters, fitted on a pool that is read from a file or data set."""
    rated = read_rated(
        pool, text_column=text_column, quality_column=quality_column, format=input_format, data_dir=data_dir
    )
    return fitted_to(rated, parameters)


def fitted_to(rated: RatedTexts, parameters: dict[str, Any]) -> BLEUNeighbors:
    """Return an estimator with the given parameters, fitted on a pool; say what drawing a part of it adds in error."""
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    metric = BLEUNeighbors(**given(parameters)).fit(rated.texts, rated.quality)
    if metric.draw_error is not None:
        click.echo(metric.draw_error, err=True)
    return metric


def pool_or_index(pool: str, options: dict[str, Any], *, allow_models: bool) -> BLEUNeighbors:
    """Return an estimator that is fitted on a pool, or read from an index file with the given parameters."""
    from metric_commons.files.archive import is_archive

    return loaded(pool, options, allow_models=allow_models) if is_archive(pool) else fitted_on(pool, **options)


def loaded(index: str, options: dict[str, Any], *, allow_models: bool) -> BLEUNeighbors:
    """Return the estimator of an index file, with the parameters that are given among the options."""
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    if options.get("max_pool") is not None:
        raise click.UsageError("--max-pool draws from rated texts, and an index holds what was drawn: give --pool")
    parameters = {name: value for name, value in options.items() if name in BLEUNeighbors.parameter_names()}
    return BLEUNeighbors.load(index, allow_models=allow_models).set_params(**given(parameters))


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    return quality_columns_option(source_options(parameter_options(command)))


def _check(_: str, *, index: str | None, pool: str | None, quality_columns: tuple[str, ...], **__: Any) -> None:
    check_rated_source(index, pool)
    context = click.get_current_context(silent=True)
    if len(quality_columns) > 1 and context is not None and context.command.name not in _SEVERAL:
        raise click.UsageError(f"`{context.command.name}` takes one --quality-column at a time; `score` takes several")
    if len(quality_columns) > 1 and index is not None:
        raise click.UsageError("an index file holds one rating a text: name several with --pool")


_SEVERAL = ("score",)


def _make(_: str, *, quality_columns: tuple[str, ...], **options: Any) -> Metric:
    if len(quality_columns) == 1:
        return fitted_estimator(quality_column=quality_columns[0], **options)
    from bleu_neighbors_metric.several_ratings import SeveralRatings

    pool, reading = options.pop("pool"), {"format": options.pop("pool_format"), "data_dir": options.pop("data_dir")}
    rated = read_ratings(pool, quality_columns, text_column=options.pop("pool_text_column"), **reading)
    texts = rated[quality_columns[0]].texts
    own = {name: value for name, value in options.items() if name not in ("index", "allow_models")}
    return SeveralRatings(texts, {name: column.quality for name, column in rated.items()}, **given(own))


OPTIONS = MetricOptions(_options, _make, _check)
"""The options of BLEU Neighbors in the commands that take any metric."""
