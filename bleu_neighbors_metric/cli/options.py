"""Options that the commands of BLEU Neighbors share, and the estimator that they describe."""

from __future__ import annotations

import click

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.options import with_preset
from bleu_neighbors_metric.pool_source import bleu_neighbors
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_options import MetricOptions
from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.command_line.text_options import COLUMN
from referenceless_metrics.core.files.formats import FORMATS
from referenceless_metrics.core.files.tables import RatedTexts
from referenceless_metrics.core.files.test_sets import XML
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.support.validation import Record

ALLOW_MODELS = Rare(
    ["--allow-models"], is_flag=True, help="Load a model that a fitted pool names: trust whoever wrote it."
)

_POOL_FORMATS = [name for name in FORMATS if name != XML]  # test sets hold no ratings
_POOL = (
    click.Option(["--pool"], help="Rated texts (a file, or a data set with --data-dir), or the file that `fit` wrote."),
    ALLOW_MODELS,
    click.Option(["--pool-text-column"], type=COLUMN, default="text", help="Column of the pool's texts."),
    click.Option(
        ["--pool-rating-column"],
        type=COLUMN,
        multiple=True,
        default=("rating",),
        help="Column of the pool's ratings; repeated, a column per rater.",
    ),
    Rare(["--pool-format"], type=click.Choice(_POOL_FORMATS), help="Format of the pool  [default: by suffix]"),
    Rare(
        ["--pool-system-column"],
        type=COLUMN,
        help="Column of the systems that wrote the pool's texts, for a verdict on systems that it does not hold.",
    ),
)
PARAMETERS = options_of(
    bleu_neighbors,
    without=[*(str(option.name) for option in _POOL), "data_dir", "calibrated"],
)


def fitted_to(rated: RatedTexts, parameters: Record) -> BLEUNeighbors:
    """Return an estimator with the given parameters, fitted on a pool."""
    return BLEUNeighbors(**with_preset(given(parameters))).fit(rated.texts, rated.ratings)


class BLEUNeighborsOptions(MetricOptions):
    """The estimator's parameters, and the options for its rated texts."""

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*_POOL, *PARAMETERS]

    def check(self, values: Record) -> None:
        """Refuse no rated texts."""
        if values["pool"] is None:
            raise click.UsageError("give --pool FILE: the rated texts to estimate from, or what `fit` wrote")

    def make(self, values: Record, data_dir: str | None) -> Metric:
        """Return the fitted estimator; without a pool it is not fitted, and can tell its signature alone."""
        if values["pool"] is None:
            names = {option.name for option in PARAMETERS}
            parameters = {name: value for name, value in given(values).items() if name in names}
            return BLEUNeighbors(**with_preset(parameters))
        return bleu_neighbors(data_dir=data_dir, **given(values))
