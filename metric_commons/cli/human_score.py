"""The command `human-score`: what people think of systems, from a few ratings of each one's own outputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.cli.base import COLUMN, adding, input_options, output_options, plot_option, progress_option
from metric_commons.cli.help import Rare
from metric_commons.cli.inputs import REFERENCES, reference_streams, system_names
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_from, metric_option
from metric_commons.files.output import write_rows
from metric_commons.files.text_io import read_rated, read_table, read_texts
from metric_commons.metric import score_texts
from metric_commons.registry import MetricSpec
from metric_commons.support.errors import InputError

if TYPE_CHECKING:
    from metric_commons.systems.human_score import HumanDifference, HumanScore, HumanScores
    from metric_commons.systems.output_ratings import OutputRatings, Outputs


def _scales(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[float, float], ...]:
    ends = []
    for value in values:
        try:
            low, high = map(float, value.split(":"))
        except ValueError:
            raise click.BadParameter(f"expected the ends of a scale as LOW:HIGH, but got {value!r}") from None
        ends.append((low, high))
    return tuple(ends)


@click.command(
    "human-score",
    cls=MetricCommand,
    epilog="Example: referenceless human-score baseline.txt ours.txt --ratings ratings.csv --metric bleu_neighbors "
    "--pool pool.csv",
)
@click.argument("systems", nargs=-1, required=True)
@click.option(
    "--ratings",
    "rating_files",
    multiple=True,
    required=True,
    type=click.Path(),
    help="Ratings of the systems' outputs; may be repeated.",
)
@click.option(
    "--system-column",
    cls=Rare,
    type=COLUMN,
    default="system",
    show_default=True,
    help="Column of the ratings with the system, named as its file, with or without suffix.",
)
@click.option(
    "--rating-column", type=COLUMN, default="rating", show_default=True, help="Column that holds the ratings."
)
@click.option(
    "--ratings-text-column",
    cls=Rare,
    type=COLUMN,
    default="text",
    show_default=True,
    help="Column of the ratings with the outputs.",
)
@click.option(
    "--rescale",
    cls=Rare,
    multiple=True,
    callback=_scales,
    metavar="LOW:HIGH",
    help="Ends of the scale of the ratings, once for all files or once for each: results are shares of it, 0 to 1.",
)
@click.option(
    "--estimates-column",
    cls=Rare,
    type=COLUMN,
    help="Column of the systems' files with estimates, in place of a metric.",
)
@click.option("--train-on-ratings", is_flag=True, help="Add the ratings to the metric's rated pool, by cross-fitting.")
@click.option(
    "--level",
    cls=Rare,
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.9,
    show_default=True,
    help="Nominal level of the intervals.",
)
@click.option(
    "--interval-width",
    cls=Rare,
    type=click.FloatRange(0, min_open=True),
    help="Tell how many ratings an interval of this width needs  [default: half of the present width]",
)
@plot_option("each system's mean rating with its interval")
@metric_option
@adding(REFERENCES)
@input_options
@output_options
@progress_option
def human_score(
    spec: MetricSpec,
    systems: tuple[str, ...],
    rating_files: tuple[str, ...],
    system_column: str,
    rating_column: str,
    ratings_text_column: str,
    rescale: tuple[tuple[float, float], ...],
    estimates_column: str | None,
    train_on_ratings: bool,
    level: float,
    interval_width: float | None,
    plot: str | None,
    references: tuple[str, ...],
    output: str | None,
    format: str,
    **options: Any,
) -> None:
    """Estimate systems' mean human rating, with intervals.

    SYSTEMS are files with each system's outputs, the baseline first. The ratings hold text, rating and system of those
    that people rated: a random part of each system's outputs, at least 10.

    A metric's estimates of all outputs narrow the
    intervals as far as they agree with the ratings, and bias nothing (prediction-powered inference). A system none of
    whose outputs is rated gets no score: other systems' ratings say nothing about it.
    """
    from metric_commons.systems.human_score import SystemRatings, human_scores
    from metric_commons.systems.output_ratings import ratings_of_systems

    if len(rescale) not in (0, 1, len(rating_files)):
        raise click.UsageError(
            f"--rescale is given {len(rescale)} times for {len(rating_files)} files of ratings: give it once, or "
            "once for each"
        )
    if estimates_column is not None and train_on_ratings:
        raise click.UsageError(
            "--estimates-column brings estimates that are made: --train-on-ratings cannot be with it"
        )
    if estimates_column is None:
        check_options(spec, options)
        if spec.needs_references and not references:
            raise click.UsageError(f"{spec.name} needs references: give --references FILE")
    reading = {"text_column": options["text_column"], "format": options["input_format"]}
    outputs = [
        (name, read_texts(file, data_dir=options["data_dir"], **reading))
        for name, file in zip(system_names(systems), systems, strict=True)
    ]
    scales = rescale * len(rating_files) if len(rescale) == 1 else rescale or (None,) * len(rating_files)
    given = [
        _output_ratings(file, ratings_text_column, rating_column, system_column, only=len(systems) == 1, scale=scale)
        for file, scale in zip(rating_files, scales, strict=True)
    ]
    ratings = ratings_of_systems(outputs, given)
    if estimates_column is not None:
        known = [
            read_table(file, format=options["input_format"]).numbers(estimates_column, "--estimates-column")
            for file in systems
        ]
        told = f"estimates: column {estimates_column} of each system's file"
    else:
        lists = None
        if spec.needs_references:
            lists = [reference_streams(references, len(texts), name, every_text=True) for name, texts in outputs]
        known, told = _estimates(metric_from(spec, options), outputs, ratings, lists, train_on_ratings)
    scores = human_scores(
        [SystemRatings(name, of, values) for (name, _), of, values in zip(outputs, ratings, known, strict=True)],
        level=level,
    )
    if plot is not None:
        from metric_commons.report.plots import plot_human_scores

        plot_human_scores(scores, plot)
    lines = [*score_lines(scores, interval_width), told]
    summary = {"level": level, "findings": lines, "rescaled": bool(rescale)}
    write_rows(score_rows(scores), summary, format, output, lines=["", *lines])


def _estimates(
    metric: Any,
    outputs: Outputs,
    ratings: Sequence[NDArray[np.float64]],
    references: Sequence[Any] | None,
    train_on_ratings: bool,
) -> tuple[list[NDArray[np.float64]], str]:
    """Return a metric's estimates of each system's outputs, and how they were made."""
    from metric_commons.systems.cross_fitting import estimates_of_systems

    def score(place: int) -> NDArray[np.float64]:
        streams = references[place] if references is not None else None
        lists = [list(each) for each in zip(*streams, strict=True)] if streams else None
        values = score_texts(metric, outputs[place][1], lists).values
        return np.where(np.isfinite(values), values, np.nan)

    def fit(texts: list[str], known: NDArray[np.float64]) -> Callable[[list[str]], ArrayLike]:
        other = type(metric)(**metric.get_params()).fit(texts, known)
        return lambda wanted: np.asarray(other.predict(wanted).values)

    pool = list(getattr(metric, "texts_", None) or ())
    if train_on_ratings and not pool:
        raise InputError(
            f"{metric.name} has no pool of rated texts that ratings could join; leave out --train-on-ratings"
        )
    of_pool = np.asarray(getattr(metric, "ratings_", ()), dtype=np.float64)
    made, how = estimates_of_systems(score, fit, pool, of_pool, outputs, ratings, train_on_ratings=train_on_ratings)
    return made, f"{how}{metric.signature}"


def _output_ratings(
    file: str,
    text_column: str,
    rating_column: str,
    system_column: str,
    *,
    only: bool,
    scale: tuple[float, float] | None,
) -> OutputRatings:
    """Read a file of ratings; where there is one system, it needs no column of systems."""
    from metric_commons.systems.output_ratings import OutputRatings, rescaled

    has_systems = system_column in read_table(file).columns
    if not has_systems and not only:
        raise InputError(
            f"{file}: there is no column {system_column!r} (--system-column) that tells which system each rated output "
            "is of"
        )
    found = read_rated(
        file,
        text_column=text_column,
        rating_column=rating_column,
        group_column=system_column if has_systems else None,
    )
    ratings = found.ratings if scale is None else rescaled(found.ratings, *scale)
    return OutputRatings(file, found.texts, ratings, found.groups)


def score_rows(scores: HumanScores) -> list[dict[str, Any]]:
    """Return a row a system, and one a difference from the baseline."""
    systems = {one.system: one for one in scores.scores}
    rows = []
    both: list[HumanScore | HumanDifference] = [*scores.scores, *scores.differences]
    for one in both:
        row: dict[str, Any] = {"system": one.system, "less": getattr(one, "baseline", "")}
        row |= {"outputs": systems[one.system].n_outputs, "rated": systems[one.system].n_rated}
        for name, mean in (("", one.mean), (" alone", one.ratings_alone)):
            low, high = mean.interval(scores.level)
            row |= {f"ratings{name}" if name else "mean": mean.value, f"low{name}": low, f"high{name}": high}
        row |= {"p": getattr(one, "p_value", math.nan), "narrower": one.shrinkage}
        row |= {"expected": getattr(one, "expected_shrinkage", math.nan), "r": getattr(one, "correlation", math.nan)}
        rows.append(row)
    return rows


def score_lines(scores: HumanScores, width: float | None) -> list[str]:
    """Return what the figures mean, and how many ratings another width would take."""
    lines = [
        f"mean: of the human ratings, with {scores.level:.0%} intervals; valid only for outputs drawn at random from "
        "each system's. narrower: reduction in interval width by the estimates."
    ]
    for difference in scores.differences:
        low, high = difference.mean.interval(scores.level)
        p, pair = f"(p = {difference.p_value:.4f})", (difference.system, difference.baseline)
        if low > 0 or high < 0:
            lines.append(f"People rate {pair[0]} {'higher' if low > 0 else 'lower'} than {pair[1]} {p}.")
        else:
            lines.append(f"These ratings do not show that people rate {pair[0]} and {pair[1]} differently {p}.")
    for score in scores.scores:
        wanted = width or score.mean.width(scores.level) / 2
        with_estimates, alone = score.ratings_needed(wanted), score.ratings_needed(wanted, with_estimates=False)
        told = f"an interval of {score.system} that is {wanted:.3g} wide needs about {with_estimates} ratings"
        if with_estimates > score.n_outputs:
            told += f", more than its {score.n_outputs} outputs"
        lines.append(f"{told} (ratings alone: {alone})")
    return lines
