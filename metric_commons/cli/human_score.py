"""The command `human-score`: what people think of systems, from ratings of outputs or preferences between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from metric_commons.cli.base import (
    COLUMN,
    RATING_COLUMN,
    REFERENCES,
    adding,
    input_options,
    output_options,
    plot_option,
    progress_option,
    read_outputs,
    reference_streams,
)
from metric_commons.cli.help import Rare
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_option, metrics_from
from metric_commons.files.output import write, write_rows
from metric_commons.files.text_io import read_table
from metric_commons.metric import score_texts
from metric_commons.registry import MetricSpec
from metric_commons.results import MetricResult
from metric_commons.support.validation import Floats, InputError, Record

if TYPE_CHECKING:
    from metric_commons.systems.output_ratings import Outputs
    from metric_commons.systems.rating_files import Given


def _scale(value: str) -> tuple[float, float]:
    try:
        low, high = map(float, value.split(":"))
    except ValueError:
        raise click.BadParameter(f"expected the ends of a scale as LOW:HIGH, but got {value!r}") from None
    if not low < high:
        raise click.BadParameter(f"expected the lower end of a scale first, but got {value!r}")
    return low, high


_COLUMNS = {
    "item": "Column with what each output was made for  [default: item, if there is one]",
    "system": "Column of the ratings with the system, named as its file, with or without suffix  [default: system, if "
    "there is one]",
    "rater": "Column with who rated  [default: rater, if there is one]",
    "cluster": "Column with what items lie together in, such as a document or a dialogue.",
}
_CROSS_FITTED = "cross-fitted in folds"


@click.command(
    "human-score",
    cls=MetricCommand,
    epilog="Example: referenceless human-score --ratings ratings.csv --scale 1:5",
)
@click.argument("systems", nargs=-1)
@adding(
    click.Option(
        ["--ratings", "rating_files"],
        multiple=True,
        type=click.Path(),
        help="Table of ratings or preferences, or a study's folder; may be repeated.",
    ),
    *(Rare([f"--{name}-column"], type=COLUMN, help=told) for name, told in _COLUMNS.items()),
    RATING_COLUMN,
    Rare(
        ["--ratings-text-column"],
        type=COLUMN,
        default="text",
        help="Column of the ratings with the outputs.",
    ),
    click.Option(
        ["--scale"], type=_scale, metavar="LOW:HIGH", help="Ends of the ratings' scale: intervals stay on it."
    ),
    Rare(
        ["--rescale"],
        multiple=True,
        type=_scale,
        metavar="LOW:HIGH",
        help="The same, once for all files or once for each: results are shares of it, 0 to 1.",
    ),
    Rare(["--center"], type=click.Choice(["raters"]), help="Take each rater's mean from the ratings."),
    Rare(["--baseline"], metavar="NAME", help="The baseline among the systems of a table  [default: the first]"),
    Rare(
        ["--comparisons"],
        type=click.Choice(["baseline", "all"]),
        default="baseline",
        help="Compare each system with the baseline, or all pairs; p is corrected for their number (Holm).",
    ),
    Rare(
        ["--ties"],
        type=click.Choice(["half", "apart"]),
        default="half",
        help="Of preferences: a tie is half a win of each, or no part of the win rate.",
    ),
    Rare(
        ["--estimates-column"],
        type=COLUMN,
        help="Column of the systems' files, or without these of the ratings, with estimates in place of a metric's.",
    ),
    Rare(["--train-on-ratings"], is_flag=True, help="Add the ratings to the metric's rated pool, by cross-fitting."),
    Rare(
        ["--level"],
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        help="Nominal level of the intervals, and of what is said.",
    ),
    Rare(
        ["--interval-width"],
        type=click.FloatRange(0, min_open=True),
        help="Tell how many ratings an interval of this width needs  [default: half of the present width]",
    ),
    Rare(
        ["--difference"],
        type=click.FloatRange(0, min_open=True),
        help="Tell how many items it takes to find a difference as small as this.",
    ),
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
    from metric_commons.systems.rating_files import (
        is_study,
        read_given,
        side_by_side,
        systems_of_files,
        systems_of_table,
    )

    files = [file for file in systems if not is_study(file)]
    sources = [*rating_files, *(file for file in systems if is_study(file))]
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
    columns = {name: options.pop(f"{name}_column") for name in (*_COLUMNS, "rating", "ratings_text")}
    columns["estimates"] = None if files else estimates_column
    given = read_given(sources, columns, scale=scale, rescale=rescale, center=center is not None)
    kind = options["input_format"]
    outputs: Outputs = read_outputs(
        files, text_column=options["text_column"], format=kind, data_dir=options["data_dir"]
    )
    if outputs and estimates_column is None:
        check_options(options)
        if spec.needs_references and not references:
            raise click.UsageError(f"{spec.name} needs references: give --references FILE")

    if given.are_preferences:
        if plot is not None:
            raise click.UsageError("--plot draws mean ratings, and these are preferences")
        rated, ratings = [], [np.full(len(texts), np.nan) for _, texts in outputs]
    else:
        rated = systems_of_files(given, outputs) if outputs else systems_of_table(given, baseline)
        ratings = [system.ratings for system in rated]
    metric: Any = None
    known, told = [], "no estimates: give the systems' files to use a metric's"
    if outputs and estimates_column is not None:
        tables = [read_table(file, format=kind) for file in files]
        known = [table.numbers(estimates_column, "--estimates-column") for table in tables]
        told = f"estimates: column {estimates_column} of each system's file"
    elif outputs:
        metric = metrics_from(options)[0]
        results, told = _estimates(metric, outputs, ratings, references, train_on_ratings)
        known = [np.where(np.isfinite(result.values), result.values, np.nan) for result in results]
    elif "estimates" in given.table:
        told = "estimates: a column of the ratings"
    summary: Record = {"level": level, "correction": "holm", "comparisons": comparisons}
    asked: Record = {"level": level, "comparisons": comparisons}
    if given.are_preferences:
        values = {
            name: dict(zip(map(str, range(len(own))), own, strict=True))
            for (name, _), own in zip(outputs, known, strict=True)
        }
        rows, lines = _of_preferences(given, values, baseline, ties, asked)
    else:
        from metric_commons.systems.human_score import human_scores
        from metric_commons.systems.human_score_output import score_lines, score_rows

        if outputs:
            rated = [replace(system, estimates=values) for system, values in zip(rated, known, strict=True)]
        own = not told.startswith(_CROSS_FITTED)
        scores = human_scores(rated, scale=given.scale, estimates_are_own=own, **asked)
        if plot is not None:
            from metric_commons.report.plots import plot_human_scores

            plot_human_scores(scores, plot)
        rows = score_rows(scores)
        lines = score_lines(scores, drawn=bool(given.systems), width=interval_width, sought=difference)
        summary |= {"scale": given.scale, "rescaled": bool(rescale)}
    lines.append(told)
    if format == "html" and not given.are_preferences:
        from metric_commons.report.segments import Measure
        from metric_commons.report.systems import rating_measure, systems_page

        if not outputs:
            outputs, ratings, known = side_by_side(given, rated)
        if metric is None:
            results = [MetricResult(values, (None,) * len(values), "") for values in known]
        measures = [rating_measure(ratings)]
        if any(np.isfinite(values).any() for values in known):
            measures.insert(0, Measure(spec.title if metric else "Estimate", results, metric, explained=own))
        title = f"Human ratings of {len(outputs)} system{'s' * (len(outputs) > 1)}"
        write(systems_page(outputs, measures, people=scores, findings=lines, title=title), output)
        return
    summary["findings"] = lines
    if format == "table":  # the others hold the intervals for these raters and for others, too
        rows = [{name: row[name] for name in row if not name.endswith((" raters", " others"))} for row in rows]
    write_rows(rows, summary, format, output, lines=["", *lines])


def _of_preferences(
    given: Given, estimates: dict[str, dict[str, float]], baseline: str | None, ties: str, asked: Record
) -> tuple[list[Record], list[str]]:
    """Return win rates as rows and in sentences."""
    from metric_commons.systems.human_score_output import preference_lines, preference_rows
    from metric_commons.systems.preferences import strengths, win_rates

    found = given.table.dropna(subset="preference")
    names = list(given.systems or dict.fromkeys((*found["system_a"], *found["system_b"])))
    first = baseline or names[0]
    if first not in names:
        raise InputError(f"{given.source}: no preference is of the baseline {first!r}, but of {', '.join(names)}")
    names.sort(key=lambda name: name != first)
    rates = win_rates(found, names, ties=ties, estimates=estimates, source=given.source, **asked)
    of_all, beside = {}, []
    try:
        of_all = strengths(found, names, given.source) if len(names) > 2 else {}
    except (ImportError, InputError) as error:  # the win rates hold without
        beside = [str(error)]
    n_missing = len(given.table) - len(found)
    if n_missing:
        beside.append(f"Preferences that were asked for and are missing: {n_missing}.")
    lines = preference_lines(rates, of_all, drawn=bool(given.systems), ties=ties)
    return preference_rows(rates), [*lines, *beside]


def _estimates(
    metric: Any,
    outputs: Outputs,
    ratings: Sequence[Floats],
    references: Sequence[str],
    train_on_ratings: bool,
) -> tuple[list[MetricResult], str]:
    """Return a metric's estimates of each system's outputs, and how they were made.

    Where the metric's rated texts hold rated outputs, these leave them and come back by cross-fitting, as they do with
    `train_on_ratings`: no rated output is estimated with its own rating.
    """
    from metric_commons.assessment.folds import cross_fitted_estimates, trained_like
    from metric_commons.systems.output_ratings import check_same_scale

    pool = list(getattr(metric, "texts_", None) or ())
    if train_on_ratings and not pool:
        raise InputError(
            f"{metric.name} has no pool of rated texts that ratings could join; leave out --train-on-ratings"
        )
    named = [(*both, known) for both, known in zip(outputs, ratings, strict=True)]
    rated = {texts[place] for _, texts, known in named for place in np.flatnonzero(~np.isnan(known))}
    shared = rated.intersection(pool)
    made = []
    if not shared and not train_on_ratings:
        for name, texts in outputs:
            files = references if metric.needs_references else ()
            streams = reference_streams(files, len(texts), name, every_text=True)
            made.append(score_texts(metric, texts, list(map(list, zip(*streams, strict=True))) or None))
        return made, metric.signature

    of_pool = np.asarray(metric.ratings_, dtype=float)
    check_same_scale({"the pool": of_pool} | {name: known for name, _, known in named})
    keep = [place for place, text in enumerate(pool) if text not in rated]
    kept: Record = {"pool_texts": [pool[place] for place in keep], "pool_ratings": of_pool[keep]}
    for _, texts, known in named:
        unknown = np.isnan(known).all()
        values = known if unknown else cross_fitted_estimates(trained_like(metric), texts, known, **kept)
        made.append(MetricResult(values, (None,) * len(values), metric.signature))
    why = f"{len(shared)} of its texts are rated outputs" if shared else "the ratings joined its pool"
    return made, f"{_CROSS_FITTED}, since {why}: {metric.signature}"
