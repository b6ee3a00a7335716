"""Options of quality estimation: which model is taken, and how one is fitted."""

from __future__ import annotations

from collections.abc import Callable
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
                help="File that `fit` wrote; default: the packaged model of restaurants and hotels. May be repeated, "
                "as for models that one `fit` wrote for several columns; the first one's estimates are the values, and "
                "all are columns.",
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
        """Load the models that are named; several are called what stands before the suffix, or by their paths."""
        files = list(dict.fromkeys(values.pop("model_files")))
        names = [Path(file).stem.rpartition(".")[2] for file in files]
        if len(set(names)) < len(names):
            names = files
        load = self.spec.load("make")
        estimators = [load(model_file=file, **given(values)) for file in files]
        return estimators[0] if len(estimators) == 1 else SeveralRatings(dict(zip(names, estimators, strict=True)))
