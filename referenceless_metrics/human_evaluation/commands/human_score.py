"""The command `human-score`: what people think of systems, from ratings of outputs or preferences between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np

from referenceless_metrics.command_line.base import (
    COLUMN,
    RATING_COLUMN,
    REFERENCES,
    SCALE,
    SYSTEM_NAMES,
    adding,
    input_options,
    output_options,
    plot_option,
    progress_option,
    read_outputs,
    reference_streams,
)
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_options import (
    ADVICE,
    MetricCommand,
    brought_by,
    check_options,
    metric_is_asked_for,
    metric_option,
    metrics_from,
)
from referenceless_metrics.core.files.output import write_rows
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.metric import score_texts
from referenceless_metrics.core.support.validation import Floats, InputError, Record
from referenceless_metrics.human_evaluation.commands.gates import LEVEL, Judged, gate_options, leave_if_worse

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.inference.human_score import Contrast, HumanScores
    from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs, SystemRatings
    from referenceless_metrics.human_evaluation.ratings.rating_files import RatingTable


_COLUMNS = {
    "item": "Column with what each output was made for  [default: item, if there is one]",
    "system": "Column of the ratings with the system, named as its file, with or without suffix  [default: system, if "
    "there is one]",
    "rater": "Column with who rated  [default: rater, if there is one]",
    "cluster": "Column with what items lie together in, such as a document or a dialogue.",
}


class _SeveralMetrics(MetricCommand):
    several = True


@click.command(
    "human-score",
    cls=_SeveralMetrics,
    epilog="Example: referenceless human-score --ratings ratings.csv --scale 1-5",
)
@click.argument("systems", nargs=-1)
@adding(
    click.Option(
        ["--ratings", "rating_files"],
        multiple=True,
        type=click.Path(),
        help="Table of ratings or preferences, or a study's folder; may be repeated.",
    ),
    *(Rare([f"--{name}-column"], type=COLUMN, help=help) for name, help in _COLUMNS.items()),
    RATING_COLUMN,
    Rare(["--ratings-text-column"], type=COLUMN, default="text", help="Column of the ratings with the outputs."),
    SCALE,
    Rare(["--baseline"], metavar="NAME", help="The baseline among the systems of a table  [default: the first]"),
    Rare(
        ["--comparisons"],
        type=click.Choice(["baseline", "all"]),
        default="baseline",
        help="Compare each system with the baseline, or all pairs; p is corrected for their number (Holm).",
    ),
    Rare(
        ["--estimates-column"],
        type=COLUMN,
        help="Column of the systems' files, or without these of the ratings, with estimates in place of a metric's.",
    ),
    LEVEL,
)
@gate_options
@plot_option("means and differences")
@metric_option
@adding(ADVICE, SYSTEM_NAMES, REFERENCES)
@input_options
@output_options
@progress_option
def human_score(
    systems: tuple[str, ...],
    rating_files: tuple[str, ...],
    output: str | None,
    format: str,
    plot: str | None,
    **options: Any,
) -> None:
    """Say how people rate systems, and which they rate higher, with intervals.

    SYSTEMS are files with each system's outputs, the baseline first, or none. Ratings have system, rating and text of
    outputs drawn at random, at least 10 a system, and item and rater if known. Preferences have item, system_a,
    system_b, preference (a, tie or b) and rater. With --metric and the systems' files, estimates join them, of several
    metrics as one.
    """
    from referenceless_metrics.human_evaluation.drawings.plots import human_scores_plots
    from referenceless_metrics.human_evaluation.ratings.rating_files import is_study, read_rating_table
    from referenceless_metrics.pages.drawing import drawing

    files = [file for file in systems if not is_study(file)]
    sources = [*rating_files, *(file for file in systems if is_study(file))]
    context = click.get_current_context()
    if not sources:
        raise click.UsageError("there are no ratings: give --ratings FILE, or a study's folder")
    if metric_is_asked_for(context):
        if not files:
            raise click.UsageError("a metric estimates the systems' outputs: give their files")
        check_options(options)
        needing = [brought.spec.name for brought in brought_by(context) if brought.spec.needs_references]
        if needing and not options["references"]:
            raise click.UsageError(f"{', '.join(needing)} needs references: give --references FILE")
    columns = {name: options[f"{name}_column"] for name in (*_COLUMNS, "rating", "ratings_text")}
    columns["estimates"] = None if files else options["estimates_column"]
    table = read_rating_table(sources, columns, scale=options["scale"], reading=options["reading"])
    options["reading"] = _of_systems(options["reading"], bool(rating_files))
    outputs: Outputs = read_outputs(files, options)
    if table.are_preferences and (plot is not None or options["estimates_column"] or metric_is_asked_for(context)):
        raise click.UsageError("these are preferences: --plot and estimates are for ratings")
    analysis = _of_preferences(table, options) if table.are_preferences else _of_ratings(table, outputs, files, options)
    plots = human_scores_plots(analysis.scores) if analysis.scores else []
    if plot is not None:
        drawing(plots).save(plot)
    rows = analysis.rows
    if format in ("table", "html"):  # the others hold all that was found
        left_out = {"made"}  # the sentences below say how differences were made
        if not any(row.get("narrower", 0) > 0 for row in rows):  # no estimates add to the ratings
            left_out |= {"ratings alone", "low alone", "high alone", "narrower", "r"}
        shown = [name for name in rows[0] if name not in left_out and not name.endswith((" raters", " others"))]
        rows = [{name: row[name] for name in shown} for row in rows]
    summary = {"level": options["level"], "correction": "holm", "comparisons": options["comparisons"]}
    summary |= {"scale": table.scale, "findings": analysis.lines}
    lines = ["", *analysis.lines]
    drawn = [drawing([each]) for each in plots] if format == "html" else []
    write_rows(rows, summary, format, output, lines=lines, headline=analysis.headline, drawings=drawn)
    if options["fail_if_worse"]:
        of, less = ("The win rate", "one half") if table.are_preferences else ("The mean rating", "that of {}")
        judged = [
            Judged(each.system, each.baseline, each.lead, each.interval_of_lead)
            for each in analysis.contrasts
            if each.baseline == analysis.baseline
        ]
        leave_if_worse(judged, of, margin=options["margin"], level=options["level"], less=less)


def _of_systems(reading: Reading, has_ratings: bool) -> Reading:
    """Return how the systems' files are read: beside a table of ratings, which the options are of, by their suffix."""
    return Reading(data_dir=reading.data_dir) if has_ratings else reading


class _Analysis(NamedTuple):
    """What ratings or preferences show: in a sentence, in a table, in words; the contrasts on which a gate rests.

    The baseline is the system with which the gate compares the others; the scores are of ratings, for a drawing.
    """

    headline: str
    rows: list[Record]
    lines: list[str]
    baseline: str
    contrasts: Sequence[Contrast]
    scores: HumanScores | None = None


class _Estimates(NamedTuple):
    """Estimates of each system's outputs, none where nobody asked for any, and how they were made, in a sentence."""

    basis: str
    values: Sequence[Floats] = ()


def _of_ratings(table: RatingTable, outputs: Outputs, files: Sequence[str], options: Record) -> _Analysis:
    from referenceless_metrics.human_evaluation.inference.human_score import human_scores
    from referenceless_metrics.human_evaluation.ratings.rating_files import systems_of_files, systems_of_table
    from referenceless_metrics.human_evaluation.wording.headline import people_headline
    from referenceless_metrics.human_evaluation.wording.human_score_output import score_lines, score_rows

    rated = systems_of_files(table, outputs) if outputs else systems_of_table(table, options["baseline"])
    estimates = _estimates(table, outputs, files, options, rated)
    if estimates.values:
        rated = [replace(system, estimates=values) for system, values in zip(rated, estimates.values, strict=True)]
    asked: Record = {name: options[name] for name in ("level", "comparisons")}
    scores = human_scores(rated, scale=table.scale, **asked)
    lines = [*score_lines(scores, drawn=bool(table.systems)), estimates.basis]
    return _Analysis(people_headline(scores), score_rows(scores), lines, rated[0].name, scores.differences, scores)


def _of_preferences(table: RatingTable, options: Record) -> _Analysis:
    from referenceless_metrics.human_evaluation.inference.preferences import strengths, win_rates
    from referenceless_metrics.human_evaluation.inference.swapped_orders import merge_swapped
    from referenceless_metrics.human_evaluation.wording.headline import preference_headline
    from referenceless_metrics.human_evaluation.wording.human_score_output import (
        position_line,
        preference_lines,
        preference_rows,
    )

    n_missing = int(table.frame["preference"].isna().sum())
    answered, biases = merge_swapped(table.frame.dropna(subset="preference"))
    names = list(table.systems or dict.fromkeys((*answered["system_a"], *answered["system_b"])))
    first = options["baseline"] or names[0]
    if first not in names:
        raise InputError(f"{table.source}: no preference is of the baseline {first!r}, but of {', '.join(names)}")
    names.sort(key=lambda name: name != first)
    asked: Record = {name: options[name] for name in ("level", "comparisons")}
    rates = win_rates(answered, names, source=table.source, **asked)
    log_odds, notes = {}, []
    try:
        log_odds = strengths(answered, names, table.source) if len(names) > 2 else {}
    except InputError as error:  # the win rates hold without
        notes = [str(error)]
    if n_missing:
        notes.append(f"Preferences that were asked for and are missing: {n_missing}.")
    lines = preference_lines(rates, log_odds, drawn=bool(table.systems))
    lines += [*(position_line(bias, options["level"]) for bias in biases), *notes]
    return _Analysis(preference_headline(rates), preference_rows(rates), lines, first, rates)


def _estimates(
    table: RatingTable,
    outputs: Outputs,
    files: Sequence[str],
    options: Record,
    rated: Sequence[SystemRatings],
) -> _Estimates:
    """Return the estimates that the command line asks for: of a column, of one metric or several, or none."""
    column, context = options["estimates_column"], click.get_current_context()
    if outputs and column is not None:
        tables = [read_table(file, options["reading"]) for file in files]
        values = [each.numbers(column, "--estimates-column") for each in tables]
        return _Estimates(f"estimates: column {column} of each system's file", values)
    if outputs and metric_is_asked_for(context):
        names, metrics = [brought.spec.name for brought in brought_by(context)], metrics_from(options)
        by_metric = [_estimates_of_metric(metric, outputs, rated, options["references"]) for metric in metrics]
        values, combined = _combined(names, by_metric, rated) if len(metrics) > 1 else (by_metric[0], "")
        basis = (
            "Exploratory: this analysis was not named before the ratings, and the best of several finds "
            "differences where there are none; the columns `alone` hold that without estimates."
        )
        if sorted(names) == sorted(table.metric.split("+")):
            basis = "The study names this analysis:"
        return _Estimates(f"{basis} {combined}{'; '.join(metric.signature for metric in metrics)}", values)
    if "estimates" in table.frame:
        return _Estimates("estimates: a column of the ratings")
    if not table.metric:
        return _Estimates("Ratings alone: no metric was asked for.")
    named = table.metric.split("+")
    return _Estimates(
        f"Exploratory: the study names {' and '.join(named)} for its analysis; give the systems' files and "
        f"{' '.join(f'--metric {name}' for name in named)}. These are the ratings alone."
    )


def _combined(
    names: Sequence[str], by_metric: Sequence[Sequence[Floats]], rated: Sequence[SystemRatings]
) -> tuple[list[Floats], str]:
    """Return estimates of several metrics as one, and how they are (see `combined_estimates`)."""
    from referenceless_metrics.human_evaluation.inference.combined_estimates import combined_estimates

    items = [system.items or range(len(system.ratings)) for system in rated]
    values, weights = combined_estimates(by_metric, [system.ratings for system in rated], items)
    listed = ", ".join(f"{name} {weight:+.2g}" for name, weight in zip(names, weights, strict=True))
    return values, f"{len(names)} metrics as one, by ridge regression, cross-fitted by item (weights: {listed}): "


def _estimates_of_metric(
    metric: Any, outputs: Outputs, rated: Sequence[SystemRatings], references: Sequence[str]
) -> list[Floats]:
    """Return a metric's estimates of each system's outputs.

    Raises:
        InputError: where the metric learned from rated outputs, and would give them back their own ratings.
    """
    systems = zip(outputs, rated, strict=True)
    rated_texts = {texts[place] for (_, texts), system in systems for place in np.flatnonzero(system.rated)}
    shared = rated_texts.intersection(getattr(metric, "texts_", None) or ())
    if shared:
        raise InputError(
            f"{metric.name} learned from {len(shared)} of the rated outputs, so that its estimates hold their ratings: "
            "take these out of its rated texts, or leave the metric out"
        )
    estimates = []
    for name, texts in outputs:
        files = references if metric.needs_references else ()
        streams = reference_streams(files, len(texts), name, every_text=True)
        values = score_texts(metric, texts, list(map(list, zip(*streams, strict=True))) or None).values
        estimates.append(np.where(np.isfinite(values), values, np.nan))
    return estimates
