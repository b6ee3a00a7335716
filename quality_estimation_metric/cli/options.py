"""Options of quality estimation: which model is taken, and how one is fitted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from metric_commons.cli.base import (
    COLUMN,
    GROUPINGS,
    INPUT_FORMAT,
    SOURCE_COLUMN,
    TEXT_COLUMN,
    adding,
)
from metric_commons.cli.help import Rare
from metric_commons.cli.metric_options import MetricOptions, given, options_of
from metric_commons.files.output import place_of_column
from metric_commons.metric import Metric, SeveralRatings
from quality_estimation_metric.rated_inputs import UNKNOWN_RULES


def fit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add where rated texts come from, and the estimator's parameters."""
    from quality_estimation_metric.estimator import QualityEstimator

    return adding(
        INPUT_FORMAT,
        TEXT_COLUMN,
        SOURCE_COLUMN,
        click.Option(
            ["--rating-column", "rating_columns"],
            type=COLUMN,
            multiple=True,
            default=("rating",),
            help="Column that holds ratings; may be repeated, for a model each.",
        ),
        *GROUPINGS,
        *options_of(QualityEstimator, without=["fill"]),
    )(command)


class QualityEstimationOptions(MetricOptions):
    """Which fitted models estimate."""

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [
            click.Option(
                ["--model-file", "model_files"],
                type=click.Path(),
                multiple=True,
                default=("default",),
                help="File that `fit` wrote; default: the packaged model of restaurants and hotels. May be "
                "repeated, as --model-rating-column.",
            ),
            click.Option(
                ["--model-rating-column", "rating_columns"],
                multiple=True,
                help="Of models that one `fit` wrote for several columns, which to take: model.safetensors then stands "
                "for model.NAME.safetensors. May be repeated; the first one's estimates are the values, and all are "
                "columns.",
            ),
            Rare(["--level"], type=float, help="Share of ratings in intervals.  [default: the model's]"),
            Rare(["--at-least"], type=float, help="Add the probability that people rate a text so or higher."),
            Rare(
                ["--unknown"],
                type=click.Choice(UNKNOWN_RULES),
                help="Texts outside the model's domain: abstain or score.  [default: abstain]",
            ),
        ]

    def make(self, values: dict[str, Any], data_dir: str | None) -> Metric:
        """Load the models that are named."""
        model_files, columns = values.pop("model_files"), tuple(dict.fromkeys(values.pop("rating_columns")))
        if columns:
            if len(model_files) > 1 or "default" in model_files:
                raise click.UsageError(
                    "--model-rating-column needs the one --model-file that `fit` was to write with -o"
                )
            files = {column: str(place_of_column(model_files[0], column)) for column in columns}
            if len(columns) == 1 and not Path(files[columns[0]]).exists():  # `fit` to one column adds no name
                files = {columns[0]: model_files[0]}
        else:
            files = _model_names(dict.fromkeys(model_files))
        load = self.spec.load("make")
        estimators = {name: load(model_file=file, **given(values)) for name, file in files.items()}
        return next(iter(estimators.values())) if len(estimators) == 1 else SeveralRatings(estimators)


def _model_names(files: Iterable[str]) -> dict[str, str]:
    """Return a name for each of several model files: what stands before the suffix, or the whole stem.

    >>> _model_names(["m/model.quality.safetensors", "m/model.naturalness.safetensors"])
    {'quality': 'm/model.quality.safetensors', 'naturalness': 'm/model.naturalness.safetensors'}
    >>> _model_names(["a/model.safetensors", "b/model.safetensors"])
    {'model': 'a/model.safetensors', 'model_2': 'b/model.safetensors'}
    """
    names: dict[str, str] = {}
    for file in files:
        name = stem = Path(file).stem.rpartition(".")[2]
        number = 1
        while name in names:
            number += 1
            name = f"{stem}_{number}"
        names[name] = file
    return names
