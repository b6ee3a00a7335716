"""The command `human-score`: what people think of systems, from ratings of outputs or preferences between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import ArrayLike, NDArray

from metric_commons.cli.base import COLUMN, adding, input_options, output_options, plot_option, progress_option
from metric_commons.cli.help import Rare
from metric_commons.cli.inputs import REFERENCES, reference_streams, system_names
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_from, metric_option
from metric_commons.files.output import write_rows
from metric_commons.files.text_io import read_table, read_texts
from metric_commons.metric import score_texts
from metric_commons.registry import MetricSpec
from metric_commons.support.errors import InputError

if TYPE_CHECKING:
    from metric_commons.systems.human_score import HumanScores
    from metric_commons.systems.output_ratings import Outputs
    from metric_commons.systems.preferences import Strength
    from metric_commons.systems.rating_files import Given


def _scale(value: str) -> tuple[float, float]:
    try:
        low, high = map(float, value.split(":"))
    except ValueError:
        raise click.BadParameter(f"expected the ends of a scale as LOW:HIGH, but got {value!r}") from None
    if not low < high:
        raise click.BadParameter(f"expected the lower end of a scale first, but got {value!r}")
    return low, high


@click.command(
    "human-score",
    cls=MetricCommand,
    epilog="Example: referenceless human-score --ratings ratings.csv --scale 1:5",
)
@click.argument("systems", nargs=-1)
@click.option(
    "--ratings",
    "rating_files",
    multiple=True,
    type=click.Path(),
    help="Table of ratings or preferences, or a study's folder; may be repeated.",
)
@click.option(
    "--item-column",
    cls=Rare,
    type=COLUMN,
    help="Column with what each output was made for  [default: item, if there is one]",
)
@click.option(
    "--system-column",
    cls=Rare,
    type=COLUMN,
    default="system",
    show_default=True,
    help="Column of the ratings with the system, named as its file, with or without suffix.",
)
@click.option("--rater-column", cls=Rare, type=COLUMN, help="Column with who rated  [default: rater, if there is one]")
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
    "--cluster-column",
    cls=Rare,
    type=COLUMN,
    help="Column with what items lie together in, such as a document or a dialogue.",
)
@click.option("--scale", type=_scale, metavar="LOW:HIGH", help="Ends of the ratings' scale: intervals stay on it.")
@click.option(
    "--rescale",
    cls=Rare,
    multiple=True,
    type=_scale,
    metavar="LOW:HIGH",
    help="The same, once for all files or once for each: results are shares of it, 0 to 1.",
)
@click.option("--center", cls=Rare, type=click.Choice(["raters"]), help="Take each rater's mean from the ratings.")
@click.option(
    "--baseline", cls=Rare, metavar="NAME", help="The baseline among the systems of a table  [default: the first]"
)
@click.option(
    "--comparisons",
    cls=Rare,
    type=click.Choice(["baseline", "all"]),
    default="baseline",
    show_default=True,
    help="Compare each system with the baseline, or all pairs; p is corrected for their number (Holm).",
)
@click.option(
    "--ties",
    cls=Rare,
    type=click.Choice(["half", "apart"]),
    default="half",
    show_default=True,
    help="Of preferences: a tie is half a win of each, or no part of the win rate.",
)
@click.option(
    "--estimates-column",
    cls=Rare,
    type=COLUMN,
    help="Column of the systems' files, or without these of the ratings, with estimates in place of a metric's.",
)
@click.option(
    "--train-on-ratings", cls=Rare, is_flag=True, help="Add the ratings to the metric's rated pool, by cross-fitting."
)
@click.option(
    "--level",
    cls=Rare,
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Nominal level of the intervals, and of what is said.",
)
@click.option(
    "--interval-width",
    cls=Rare,
    type=click.FloatRange(0, min_open=True),
    help="Tell how many ratings an interval of this width needs  [default: half of the present width]",
)
@click.option(
    "--difference",
    cls=Rare,
    type=click.FloatRange(0, min_open=True),
    help="Tell how many items it takes to find a difference as small as this.",
)
@plot_option("means and differences")
@metric_option
@adding(REFERENCES)
@input_options
@output_options
@progress_option
def human_score(
    spec: MetricSpec,
    systems: tuple[str, ...],
    rating_files: tuple[str, ...],
    estimates_column: str | None,
    train_on_ratings: bool,
    level: float,
    scale: tuple[float, float] | None,
    rescale: tuple[tuple[float, float], ...],
    center: str | None,
    baseline: str | None,
    comparisons: str,
    ties: str,
    interval_width: float | None,
    difference: float | None,
    plot: str | None,
    references: tuple[str, ...],
    output: str | None,
    format: str,
    **options: Any,
) -> None:
    """Say how people rate systems, and which they rate higher, with intervals.

    SYSTEMS are files with each system's outputs, the baseline first; without, the ratings' systems are taken. Ratings
    have system, rating and text of outputs drawn at random, at least 10 of each system, and item and rater if known:
    differences use what is paired. Preferences have item, system_a, system_b, preference (a, tie or b) and rater.
    """
    from metric_commons.systems.rating_files import Columns, is_study, read_given

    files = tuple(file for file in systems if not is_study(file))
    sources = (*rating_files, *(file for file in systems if is_study(file)))
    _check_usage(sources, scale, rescale, estimates_column, train_on_ratings)
    named = {name: options.pop(f"{name}_column") for name in ("item", "system", "rater", "rating", "ratings_text")}
    columns = Columns(**named, cluster=options.pop("cluster_column"), estimates=None if files else estimates_column)
    given = read_given(sources, columns, scale=scale, rescale=rescale, center=center is not None)
    outputs = _outputs(files, options)
    if outputs and estimates_column is None:
        check_options(options)
        if spec.needs_references and not references:
            raise click.UsageError(f"{spec.name} needs references: give --references FILE")

    def estimates(ratings: Sequence[NDArray[np.float64]]) -> tuple[list[NDArray[np.float64]], str]:
        if estimates_column is not None:
            return _column(
                files, estimates_column, options
            ), f"estimates: column {estimates_column} of each system's file"
        lists = None
        if spec.needs_references:
            lists = [reference_streams(references, len(texts), name, every_text=True) for name, texts in outputs]
        return _estimates(metric_from(options), outputs, ratings, lists, train_on_ratings)

    summary: dict[str, Any] = {"level": level, "correction": "holm", "comparisons": comparisons}
    if given.preferences is not None:
        if plot is not None:
            raise click.UsageError("--plot draws mean ratings, and these are preferences")
        rows, lines = _of_preferences(given, outputs, baseline, estimates, level, comparisons, ties)
    else:
        scores, told = _of_ratings(given, outputs, baseline, estimates, level, comparisons)
        if plot is not None:
            from metric_commons.report.plots import plot_human_scores

            plot_human_scores(scores, plot)
        from metric_commons.systems.human_score_output import score_lines, score_rows

        rows = score_rows(scores)
        lines = [*score_lines(scores, drawn=given.drawn, width=interval_width, sought=difference), told]
        summary |= {"scale": given.scale, "rescaled": bool(rescale)}
    summary["findings"] = lines
    if format == "table":  # the others hold the intervals for these raters and for others, too
        rows = [{name: row[name] for name in row if not name.endswith((" raters", " others"))} for row in rows]
    write_rows(rows, summary, format, output, lines=["", *lines])


Estimate = Callable[[Sequence[NDArray[np.float64]]], tuple[list[NDArray[np.float64]], str]]
"""From the ratings of each system's outputs to their estimates, and how these were made."""


def _check_usage(
    sources: Sequence[str],
    scale: tuple[float, float] | None,
    rescale: Sequence[tuple[float, float]],
    estimates_column: str | None,
    train_on_ratings: bool,
) -> None:
    if not sources:
        raise click.UsageError("there are no ratings: give --ratings FILE, or a study's folder")
    if len(rescale) not in (0, 1, len(sources)):
        raise click.UsageError(
            f"--rescale is given {len(rescale)} times for {len(sources)} files of ratings: give it once, or "
            "once for each"
        )
    if rescale and scale:
        raise click.UsageError("--scale and --rescale both name the scale: give one of them")
    if estimates_column is not None and train_on_ratings:
        raise click.UsageError(
            "--estimates-column brings estimates that are made: --train-on-ratings cannot be with it"
        )


def _outputs(files: Sequence[str], options: dict[str, Any]) -> Outputs:
    reading = {"text_column": options["text_column"], "format": options["input_format"]}
    return [
        (name, read_texts(file, data_dir=options["data_dir"], **reading))
        for name, file in zip(system_names(files), files, strict=True)
    ]


def _column(files: Sequence[str], column: str, options: dict[str, Any]) -> list[NDArray[np.float64]]:
    return [read_table(file, format=options["input_format"]).numbers(column, "--estimates-column") for file in files]


def _of_ratings(
    given: Given, outputs: Outputs, baseline: str | None, estimates: Estimate, level: float, comparisons: str
) -> tuple[HumanScores, str]:
    """Return the scores, and how the estimates were made."""
    from metric_commons.systems.human_score import human_scores
    from metric_commons.systems.rating_tables import systems_of_files, systems_of_table

    if given.ratings is None:
        raise InputError("there are no ratings")
    if not outputs:
        first = baseline or next(iter(given.systems), None)
        rated = systems_of_table(given.ratings, first)
        told = "no estimates: give the systems' files to use a metric's"
        if given.ratings.estimates is not None:
            told = "estimates: a column of the ratings"
    else:
        if given.ratings.systems is None and len(outputs) > 1:
            raise InputError(
                f"{given.ratings.source}: there is no column 'system' (--system-column) that tells which system each "
                "rated output is of"
            )
        rated = systems_of_files(given.ratings, outputs)
        known, told = estimates([system.ratings for system in rated])
        rated = [replace(system, estimates=values) for system, values in zip(rated, known, strict=True)]
    own = not told.startswith("cross-fitted")
    return human_scores(rated, level=level, scale=given.scale, comparisons=comparisons, estimates_are_own=own), told


def _of_preferences(
    given: Given,
    outputs: Outputs,
    baseline: str | None,
    estimates: Estimate,
    level: float,
    comparisons: str,
    ties: str,
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return win rates as rows and in sentences."""
    from metric_commons.systems.human_score_output import preference_lines, preference_rows
    from metric_commons.systems.preferences import strengths, win_rates

    found = given.preferences
    if found is None:
        raise InputError("there are no preferences")
    names = list(given.systems or dict.fromkeys((*found.first, *found.second)))
    if baseline is not None and baseline not in names:
        raise InputError(f"{found.source}: no preference is of the baseline {baseline!r}, but of {', '.join(names)}")
    first = baseline or names[0]
    names.sort(key=lambda name: name != first)
    values: dict[tuple[str, str], float] = {}
    told = "no estimates: give the systems' files to use a metric's"
    if outputs:
        known, told = estimates([np.full(len(texts), np.nan) for _, texts in outputs])
        for (name, _), own in zip(outputs, known, strict=True):
            values |= {(name, str(place)): float(value) for place, value in enumerate(own)}
    rates = win_rates(found, names, level=level, comparisons=comparisons, ties=ties, estimates=values)
    of_all: tuple[Strength, ...] = ()
    without = ""
    try:
        of_all = strengths(found, names) if len(names) > 2 else ()
    except (ImportError, InputError) as error:  # the win rates hold without
        without = str(error)
    lines = [*preference_lines(rates, of_all, drawn=given.drawn, ties=ties), *([without] if without else [])]
    if found.n_missing:
        lines.append(f"Preferences that were asked for and are missing: {found.n_missing}.")
    return preference_rows(rates), [*lines, told]


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
