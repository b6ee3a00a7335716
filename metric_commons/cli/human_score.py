"""The command `human-score`: what people think of systems, from ratings of outputs or preferences between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from metric_commons.cli.base import (
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
from metric_commons.cli.gates import LEVEL, Judged, gate_options, leave_if_worse
from metric_commons.cli.help import Rare
from metric_commons.cli.metric_options import (
    ADVICE,
    MetricCommand,
    brought_by,
    check_options,
    metric_is_asked_for,
    metric_option,
    metrics_from,
)
from metric_commons.files.output import write, write_rows
from metric_commons.files.text_io import read_table
from metric_commons.metric import score_texts
from metric_commons.registry import MetricSpec
from metric_commons.results import MetricResult
from metric_commons.support.validation import Floats, InputError, Record

if TYPE_CHECKING:
    from metric_commons.systems.human_score import Contrast
    from metric_commons.systems.output_ratings import Outputs, SystemRatings
    from metric_commons.systems.rating_files import RatingTable


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
    spec: MetricSpec,
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
    from metric_commons.systems.rating_files import is_study, read_rating_table

    files = [file for file in systems if not is_study(file)]
    sources = [*rating_files, *(file for file in systems if is_study(file))]
    _check_usage(files, sources, options)
    columns = {name: options[f"{name}_column"] for name in (*_COLUMNS, "rating", "ratings_text")}
    columns["estimates"] = None if files else options["estimates_column"]
    table = read_rating_table(sources, columns, scale=options["scale"])
    outputs: Outputs = read_outputs(
        files, text_column=options["text_column"], format=options["input_format"], data_dir=options["data_dir"]
    )
    if plot is not None and table.are_preferences:
        raise click.UsageError("--plot draws mean ratings, and these are preferences")
    analysis = (_of_preferences if table.are_preferences else _of_ratings)(spec, table, outputs, files, options)
    if plot is not None:
        analysis.scores.plot().save(plot)
    if format == "html" and analysis.page is not None:
        write(analysis.page(), output)
    else:
        rows, lines = analysis.rows, analysis.summary["findings"]
        if format == "table":  # the others hold all that was found
            left_out = {"made"}  # the sentences below say how differences were made
            if not any(row["narrower"] > 0 for row in rows):  # no estimates add to the ratings
                left_out |= {"ratings alone", "low alone", "high alone", "narrower", "r"}
            shown = [name for name in rows[0] if name not in left_out and not name.endswith((" raters", " others"))]
            rows = [{name: row[name] for name in shown} for row in rows]
        summary = {"level": options["level"], "correction": "holm", "comparisons": options["comparisons"]}
        summary |= analysis.summary
        write_rows(rows, summary, format, output, lines=["", *lines], headline=analysis.headline)
    if options["fail_if_worse"]:
        of = "The share of preferences for the baseline's rival" if table.are_preferences else "The mean rating"
        judged = [
            Judged(each.system, each.baseline, each.lead, each.interval_of_lead)
            for each in analysis.contrasts
            if each.baseline == analysis.baseline
        ]
        leave_if_worse(judged, of, margin=options["margin"], level=options["level"])


@dataclass(frozen=True)
class _Analysis:
    """What ratings or preferences show.

    Attributes:
        headline: in a sentence.
        rows: in a table.
        summary: what JSON holds beside the rows, with sentences as `findings`.
        baseline: the system with which the gate compares the others.
        contrasts: on which the gate rests.
        scores: of ratings, the means.
        page: of ratings, makes the page.
    """

    headline: str
    rows: list[Record]
    summary: Record
    baseline: str
    contrasts: Sequence[Contrast]
    scores: Any = None
    page: Callable[[], str] | None = None


@dataclass(frozen=True)
class _Estimates:
    """Estimates of all systems' outputs.

    Attributes:
        basis: how they were made, in a sentence.
        results: of each system; none where there are none.
        metric: the metric; None for none, and for several.
    """

    basis: str
    results: Sequence[MetricResult] = ()
    metric: Any = None

    @property
    def values(self) -> list[Floats]:
        return [np.where(np.isfinite(result.values), result.values, np.nan) for result in self.results]


def _as_results(values: Sequence[Floats]) -> list[MetricResult]:
    return [MetricResult(of_system, (None,) * len(of_system), "") for of_system in values]


def _check_usage(files: Sequence[str], sources: Sequence[str], options: Record) -> None:
    if not sources:
        raise click.UsageError("there are no ratings: give --ratings FILE, or a study's folder")
    context = click.get_current_context()
    if metric_is_asked_for(context):
        if not files:
            raise click.UsageError("a metric estimates the systems' outputs: give their files")
        check_options(options)
        needing = [brought.spec.name for brought in brought_by(context) if brought.spec.needs_references]
        if needing and not options["references"]:
            raise click.UsageError(f"{', '.join(needing)} needs references: give --references FILE")


def _of_ratings(
    spec: MetricSpec, table: RatingTable, outputs: Outputs, files: Sequence[str], options: Record
) -> _Analysis:
    from metric_commons.systems.headline import people_headline
    from metric_commons.systems.human_score import human_scores
    from metric_commons.systems.human_score_output import score_lines, score_rows
    from metric_commons.systems.rating_files import side_by_side, systems_of_files, systems_of_table

    rated = systems_of_files(table, outputs) if outputs else systems_of_table(table, options["baseline"])
    estimates = _estimates(table, outputs, files, options, rated)
    if estimates.results:
        rated = [replace(system, estimates=of_it) for system, of_it in zip(rated, estimates.values, strict=True)]
    asked: Record = {"level": options["level"], "scale": table.scale}
    scores = human_scores(rated, comparisons=options["comparisons"], **asked)
    lines = [*score_lines(scores, drawn=bool(table.systems)), estimates.basis]

    def page() -> str:
        from metric_commons.report.segments import Measure
        from metric_commons.report.systems import rating_measure, systems_page

        shown, ratings, known = outputs, [system.ratings for system in rated], [system.estimates for system in rated]
        if not outputs:
            shown, ratings, known = side_by_side(table, [system.name for system in rated])
        measures = [rating_measure(ratings)]
        if any(np.isfinite(values).any() for values in known):
            title, results = spec.title if estimates.metric else "Estimate", estimates.results or _as_results(known)
            measures.insert(0, Measure(title, results, estimates.metric))
        title = f"Human ratings of {len(shown)} system{'s' * (len(shown) > 1)}"
        pairs = human_scores(rated, comparisons="all", **asked)
        return systems_page(shown, measures, people=scores, pairs=pairs, findings=lines, title=title, files=files)

    summary = {"scale": table.scale, "findings": lines}
    headline, rows = people_headline(scores), score_rows(scores)
    return _Analysis(headline, rows, summary, rated[0].name, scores.differences, scores, page)


def _of_preferences(
    spec: MetricSpec, table: RatingTable, outputs: Outputs, files: Sequence[str], options: Record
) -> _Analysis:
    from metric_commons.systems.headline import preference_headline
    from metric_commons.systems.human_score_output import position_line, preference_lines, preference_rows
    from metric_commons.systems.preferences import strengths, win_rates
    from metric_commons.systems.swapped_orders import merge_swapped

    estimates = _estimates(table, outputs, files, options)
    of_items = {
        name: dict(zip(map(str, range(len(values))), values, strict=True))
        for (name, _), values in zip(outputs, estimates.values, strict=bool(estimates.results))
    }
    n_missing = int(table.frame["preference"].isna().sum())
    answered, biases = merge_swapped(table.frame.dropna(subset="preference"))
    names = list(table.systems or dict.fromkeys((*answered["system_a"], *answered["system_b"])))
    first = options["baseline"] or names[0]
    if first not in names:
        raise InputError(f"{table.source}: no preference is of the baseline {first!r}, but of {', '.join(names)}")
    names.sort(key=lambda name: name != first)
    asked: Record = {name: options[name] for name in ("level", "comparisons")}
    rates = win_rates(answered, names, estimates=of_items, source=table.source, **asked)
    of_all, notes = {}, []
    try:
        of_all = strengths(answered, names, table.source) if len(names) > 2 else {}
    except InputError as error:  # the win rates hold without
        notes = [str(error)]
    if n_missing:
        notes.append(f"Preferences that were asked for and are missing: {n_missing}.")
    lines = preference_lines(rates, of_all, drawn=bool(table.systems))
    lines += [*(position_line(bias, options["level"]) for bias in biases), *notes, estimates.basis]
    return _Analysis(preference_headline(rates), preference_rows(rates), {"findings": lines}, first, rates)


def _estimates(
    table: RatingTable,
    outputs: Outputs,
    files: Sequence[str],
    options: Record,
    rated: Sequence[SystemRatings] = (),
) -> _Estimates:
    """Return the estimates that the command line asks for: of a column, of one metric or several, or none.

    Several are combined by the ratings of the systems' outputs, `rated`, which preferences do not have.
    """
    column, context = options["estimates_column"], click.get_current_context()
    if outputs and column is not None:
        tables = [read_table(file, format=options["input_format"]) for file in files]
        results = _as_results([each.numbers(column, "--estimates-column") for each in tables])
        return _Estimates(f"estimates: column {column} of each system's file", results)
    if outputs and metric_is_asked_for(context):
        names = [brought.spec.name for brought in brought_by(context)]
        by_metric = [
            _estimates_of_metric(metric, outputs, rated, options["references"]) for metric in metrics_from(options)
        ]
        estimates = by_metric[0] if len(by_metric) == 1 else _combined(names, by_metric, rated)
        basis = (
            "Exploratory: this analysis was not named before the ratings, and the best of several finds "
            "differences where there are none; the columns `alone` hold that without estimates."
        )
        if sorted(names) == sorted(table.metric.split("+")):
            basis = "The study names this analysis:"
        return replace(estimates, basis=f"{basis} {estimates.basis}")
    if "estimates" in table.frame:
        return _Estimates("estimates: a column of the ratings")
    if not table.metric:
        return _Estimates("Ratings alone: no metric was asked for.")
    named = table.metric.split("+")
    return _Estimates(
        f"Exploratory: the study names {' and '.join(named)} for its analysis; give the systems' files and "
        f"{' '.join(f'--metric {name}' for name in named)}. These are the ratings alone."
    )


def _combined(names: Sequence[str], by_metric: Sequence[_Estimates], rated: Sequence[SystemRatings]) -> _Estimates:
    """Return estimates of several metrics as one; see `combined_estimates`."""
    from metric_commons.systems.combined_estimates import combined_estimates

    if not rated:
        raise click.UsageError("of several metrics the ratings tell the weights, and these are preferences: name one")
    ratings = [system.ratings for system in rated]
    items = [system.items or range(len(system.ratings)) for system in rated]
    values, weights = combined_estimates([each.values for each in by_metric], ratings, items)
    listed = ", ".join(f"{name} {weight:+.2g}" for name, weight in zip(names, weights, strict=True))
    signatures = "; ".join(each.basis for each in by_metric)
    basis = f"{len(names)} metrics as one, by ridge regression, cross-fitted by item (weights: {listed}): {signatures}"
    return _Estimates(basis, _as_results(values))


def _estimates_of_metric(
    metric: Any, outputs: Outputs, rated: Sequence[SystemRatings], references: Sequence[str]
) -> _Estimates:
    """Return a metric's estimates of each system's outputs.

    Raises:
        InputError: where the metric learned from rated outputs, and would give them back their own ratings.
    """
    systems = zip(outputs, rated, strict=bool(rated))
    rated_texts = {texts[place] for (_, texts), system in systems for place in np.flatnonzero(system.rated)}
    shared = rated_texts.intersection(getattr(metric, "texts_", None) or ())
    if shared:
        raise InputError(
            f"{metric.name} learned from {len(shared)} of the rated outputs, so that its estimates hold their ratings: "
            "take these out of its rated texts, or leave the metric out"
        )
    results = []
    for name, texts in outputs:
        files = references if metric.needs_references else ()
        streams = reference_streams(files, len(texts), name, every_text=True)
        results.append(score_texts(metric, texts, list(map(list, zip(*streams, strict=True))) or None))
    return _Estimates(metric.signature, results, metric)
