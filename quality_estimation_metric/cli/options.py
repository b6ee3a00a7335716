"""Options of quality estimation: which model is taken, and how one is fitted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_options import MetricOptions
from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.command_line.rated_text_options import GROUPINGS
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.references_and_sources import SOURCE_COLUMN
from referenceless_metrics.command_line.text_options import TEXT_COLUMN
from referenceless_metrics.core.metric import UNKNOWN_RULES, Metric
from referenceless_metrics.human_evaluation.commands.rating_options import RATING_COLUMNS, VALUES


def fit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for rated texts and for the estimator's parameters."""
    from quality_estimation_metric.estimator import QualityEstimator

    return adding(
        *READING,
        TEXT_COLUMN,
        SOURCE_COLUMN,
        RATING_COLUMNS,
        VALUES,
        *GROUPINGS,
        *options_of(QualityEstimator, without=["fill"]),
    )(command)


class QualityEstimationOptions(MetricOptions):
    """Options that name the fitted model."""

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [
            click.Option(
                ["--model-file"],
                type=click.Path(),
                default="default",
                help="File that `fit` wrote; default: the packaged model of restaurants and hotels.",
            ),
            Rare(["--exclude-rated"], is_flag=True, default=None, help="Rated texts of the model get no value."),
            Rare(["--level"], type=float, help="Share of ratings in intervals.  [default: the model's]"),
            Rare(
                ["--unknown"],
                type=click.Choice(UNKNOWN_RULES),
                help="Texts outside the model's domain: abstain or score.  [default: abstain]",
            ),
        ]

    def make(self, values: dict[str, Any], data_dir: str | None) -> Metric:
        """Load the model."""
        make = self.spec.maker()
        metric: Metric = make(**given(values))
        return metric
