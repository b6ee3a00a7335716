"""Options that the commands of BLEU Neighbors share, and the estimator that they describe."""

from __future__ import annotations

import click

from bleu_neighbors_metric.estimator import BLEUNeighbors
from bleu_neighbors_metric.options import with_preset
from bleu_neighbors_metric.pool_source import bleu_neighbors
from referenceless_metrics.command_line.base import COLUMN
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_options import MetricOptions, given, options_of
from referenceless_metrics.core.files.tables import FORMATS, RatedTexts
from referenceless_metrics.core.metric import Metric
from referenceless_metrics.core.support.validation import Record

ALLOW_MODELS = Rare(
    ["--allow-models"], is_flag=True, help="Load a model that a fitted pool names: trust whoever wrote it."
)


_RESAMPLING = (
    Rare(
        ["--resample"],
        type=click.FloatRange(0, 1, min_open=True),
        metavar="SHARE",
        help="Take means over random parts of the pool, each this share of it, so that a known pool cannot be gamed.",
    ),
    Rare(["--draws"], type=click.IntRange(min=1), help="Parts that --resample draws  [default: 20]"),
    Rare(["--seed"], type=click.IntRange(min=0), help="Seed of --resample  [default: new draws at each call]"),
)
_POOL = (
    click.Option(["--pool"], help="Rated texts (a file, or a data set with --data-dir), or the file that `fit` wrote."),
    ALLOW_MODELS,
    Rare(["--pool-text-column"], type=COLUMN, default="text", help="Column of the pool's texts."),
    Rare(["--pool-format"], type=click.Choice(FORMATS), help="Format of the pool  [default: by suffix]"),
    click.Option(["--pool-rating-column"], type=COLUMN, default="rating", help="Column of the pool's ratings."),
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
    """The estimator's parameters, and where its rated texts come from."""

    def parameters(self) -> list[click.Parameter]:
        """Return the options, in the order in which they are shown."""
        return [*_POOL, *PARAMETERS, *_RESAMPLING]

    def check(self, values: Record) -> None:
        """Refuse no rated texts, and what belongs to --resample without it."""
        if values["pool"] is None:
            raise click.UsageError("give --pool FILE: the rated texts to estimate from, or what `fit` wrote")
        if values["resample"] is None and (values["draws"], values["seed"]) != (None, None):
            raise click.UsageError("--draws and --seed belong to --resample SHARE")
        context = click.get_current_context(silent=True)
        if values["resample"] is not None and context is not None and context.command.name != "score":
            raise click.UsageError("--resample is for `score`")

    def make(self, values: Record, data_dir: str | None) -> Metric:
        """Return the fitted estimator, over the whole pool or over parts of it.

        Without a pool it is not fitted, and can tell its signature alone.
        """
        share, draws, seed = (values.pop(name) for name in ("resample", "draws", "seed"))
        if values["pool"] is None:
            names = {option.name for option in PARAMETERS}
            return BLEUNeighbors(**with_preset({name: each for name, each in given(values).items() if name in names}))
        whole = bleu_neighbors(data_dir=data_dir, **given(values))
        if share is None:
            return whole
        from secrets import randbits

        from bleu_neighbors_metric.tuning.subsampling import SubsampledNeighbors

        seed = randbits(32) if seed is None else seed  # all blocks of a file get the same draws
        return SubsampledNeighbors(whole, share, n_draws=draws or 20, seed=seed)
