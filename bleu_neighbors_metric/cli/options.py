"""Options that the commands of BLEU Neighbors share, and the estimator that they describe."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.base import adding
from metric_commons.cli.metric_options import MetricOptions, given, options_of
from metric_commons.files.tables import FORMATS, RatedTexts
from metric_commons.metric import Metric

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors


def _pool_options(required: bool) -> tuple[click.Option, ...]:
    return (
        click.Option(
            ["--pool"],
            required=required,
            help="Rated texts (a file, or a data set with --data-dir), or the file that `fit` wrote.",
        ),
        ALLOW_MODELS,
        click.Option(["--pool-text-column"], default="text", show_default=True, help="Column of the pool's texts."),
        click.Option(["--pool-format"], type=click.Choice(FORMATS), help="Format of the pool  [default: by suffix]"),
    )


ALLOW_MODELS = click.Option(
    ["--allow-models"], is_flag=True, help="Load a model that a fitted pool names: trust whoever wrote it."
)


def _rating_columns(flag: str, *, several: bool = False) -> click.Option:
    return click.Option(
        [flag, "rating_columns"],
        multiple=several,
        default=("rating",) if several else "rating",
        show_default=True,
        callback=lambda _, __, given: tuple(dict.fromkeys(given)) if several else (given,),
        help=f"Column that holds {'ratings; may be repeated' if several else 'the ratings'}.",
    )


#: The consent to what a fitted pool names.
allow_models_option = adding(ALLOW_MODELS)
#: The column that holds the ratings, of which some commands take several.
rating_option = adding(_rating_columns("--rating-column"))
rating_columns_option = adding(_rating_columns("--rating-column", several=True))
#: Where the rated texts come from (see `fitted_estimator`).
pool_options = adding(*_pool_options(required=True), _rating_columns("--pool-rating-column"))


def parameter_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the estimator's parameters; one that is not given keeps the estimator's default, or the fitted value."""
    return adding(*_parameters())(command)


def _parameters() -> list[click.Option]:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    return options_of(BLEUNeighbors, defaults={"n_jobs": -1})


def fitted_estimator(
    pool: str | None,
    pool_text_column: str,
    pool_format: str | None,
    rating_columns: tuple[str, ...],
    data_dir: str | None,
    allow_models: bool,
    **parameters: Any,
) -> Any:
    """Return the estimator that the options describe; of several columns of ratings, `SeveralRatings`.

    Without a pool it is not fitted, and can tell its signature alone.
    """
    from bleu_neighbors_metric.estimator import BLEUNeighbors
    from bleu_neighbors_metric.pool_source import read_pool

    reading = {"text_column": pool_text_column, "format": pool_format, "data_dir": data_dir}
    own = given(parameters)
    if pool is None:
        return BLEUNeighbors(**own)
    return _tell_draw(read_pool(pool, own, columns=rating_columns, allow_models=allow_models, **reading), own)


def fitted_to(rated: RatedTexts, parameters: dict[str, Any]) -> BLEUNeighbors:
    """Return an estimator with the given parameters, fitted on a pool."""
    from bleu_neighbors_metric.estimator import BLEUNeighbors

    own = given(parameters)
    metric: BLEUNeighbors = _tell_draw(BLEUNeighbors(**own).fit(rated.texts, rated.ratings), own)
    return metric


def _tell_draw(metric: Any, parameters: dict[str, Any]) -> Any:
    """Say what drawing a part of the pool adds in error."""
    if "max_pool" in parameters and getattr(metric, "draw_error", None) is not None:
        click.echo(metric.draw_error, err=True)
    return metric


class BLEUNeighborsOptions(MetricOptions):
    """The estimator's parameters, and where its rated texts come from."""

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*_parameters(), *_pool_options(required=False), _rating_columns("--pool-rating-column", several=True)]

    def check(self, values: dict[str, Any]) -> None:
        """Refuse no rated texts, or several columns of ratings where a command takes one."""
        if values["pool"] is None:
            raise click.UsageError("give --pool FILE: the rated texts to estimate from, or what `fit` wrote")
        context = click.get_current_context(silent=True)
        if len(values["rating_columns"]) > 1 and context is not None and context.command.name != "score":
            raise click.UsageError(
                f"`{context.command.name}` takes one --pool-rating-column at a time; `score` takes several"
            )

    def make(self, values: dict[str, Any], data_dir: str | None) -> Metric:
        """Return the fitted estimator, of one column of ratings or of several."""
        metric: Metric = fitted_estimator(data_dir=data_dir, **values)
        return metric
