"""Options that the commands of BLEU Neighbors share, and the estimator that they describe."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.base import adding
from metric_commons.cli.metric_options import MetricOptions, given, options_of
from metric_commons.files.tables import FORMATS, RatedTexts
from metric_commons.files.text_io import read_rated, read_ratings
from metric_commons.metric import Metric

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors


POOL_OPTIONS = (
    click.Option(["--index"], type=click.Path(), help="Index file that `fit` wrote."),
    click.Option(["--allow-models"], is_flag=True, help="Load a model that the index names: trust whoever wrote it."),
    click.Option(["--pool"], help="Rated texts, in place of an index: a file, or a data set with --data-dir."),
    click.Option(["--pool-text-column"], default="text", show_default=True, help="Column of the pool's texts."),
    click.Option(["--pool-format"], type=click.Choice(FORMATS), help="Format of the pool  [default: by suffix]"),
)
QUALITY_COLUMN = click.Option(
    ["--quality-column"], default="quality", show_default=True, help="Column that holds the ratings."
)
QUALITY_COLUMNS = click.Option(
    ["--quality-column", "quality_columns"],
    multiple=True,
    default=("quality",),
    show_default=True,
    callback=lambda _, __, columns: tuple(dict.fromkeys(columns)),
    help="Column that holds ratings; may be repeated.",
)
#: The consent to what an index names.
allow_models_option = adding(POOL_OPTIONS[1])
#: The column that holds the ratings, of which some commands take several.
quality_option = adding(QUALITY_COLUMN)
quality_columns_option = adding(QUALITY_COLUMNS)
#: Where the rated texts come from: an index, or a pool with its options (see `fitted_estimator`).
rated_source_options = adding(*POOL_OPTIONS, QUALITY_COLUMN)


def parameter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the estimator's parameters; one that is not given keeps the estimator's default, or the index's value."""
    return adding(*_parameters())(command)


def _parameters() -> list[click.Option]:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    return options_of(BLEUNeighbors, defaults={"n_jobs": -1})


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

    if is_archive(pool):
        return loaded(pool, options, allow_models=allow_models)
    reading = {name: options.pop(name) for name in ("text_column", "quality_column", "data_dir")}
    return fitted_to(read_rated(pool, format=options.pop("input_format"), **reading), options)


def loaded(index: str, options: dict[str, Any], *, allow_models: bool) -> BLEUNeighbors:
    """Return the estimator of an index file, with the parameters that are given among the options."""
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    if options.get("max_pool") is not None:
        raise click.UsageError("--max-pool draws from rated texts, and an index holds what was drawn: give --pool")
    parameters = {name: value for name, value in given(options).items() if name in BLEUNeighbors.parameter_names()}
    return BLEUNeighbors.load(index, allow_models=allow_models).set_params(**parameters)


class BLEUNeighborsOptions(MetricOptions):
    """The estimator's parameters, and where its rated texts come from."""

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*_parameters(), *POOL_OPTIONS, QUALITY_COLUMNS]

    def check(self, values: dict[str, Any]) -> None:
        """Refuse no rated texts, two sources of them, or several columns of ratings where a command takes one."""
        columns: tuple[str, ...] = values["quality_columns"]
        check_rated_source(values["index"], values["pool"])
        context = click.get_current_context(silent=True)
        if len(columns) > 1 and context is not None and context.command.name != "score":
            raise click.UsageError(
                f"`{context.command.name}` takes one --quality-column at a time; `score` takes several"
            )
        if len(columns) > 1 and values["index"] is not None:
            raise click.UsageError("an index file holds one rating a text: name several with --pool")

    def make(self, values: dict[str, Any], data_dir: str | None) -> Metric:
        """Return the fitted estimator, of one column of ratings or of several."""
        columns: tuple[str, ...] = values.pop("quality_columns")
        if len(columns) == 1:
            return fitted_estimator(quality_column=columns[0], data_dir=data_dir, **values)
        from bleu_neighbors_metric.several_ratings import SeveralRatings

        reading = {"text_column": values.pop("pool_text_column"), "format": values.pop("pool_format")}
        rated = read_ratings(values.pop("pool"), columns, data_dir=data_dir, **reading)
        own = {name: value for name, value in given(values).items() if name != "allow_models"}
        return SeveralRatings(rated[columns[0]].texts, {name: one.quality for name, one in rated.items()}, **own)
