"""The command `human-score`: people's opinion of systems, from ratings of outputs or preferences between them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import ADVICE, ChosenMetrics, MetricCommand, metric_option
from referenceless_metrics.command_line.output_options import (
    TRANSPOSE,
    Writer,
    output_options,
    plot_option,
    progress_option,
)
from referenceless_metrics.command_line.proposing import FilesUsageError
from referenceless_metrics.command_line.rated_text_options import SCALE
from referenceless_metrics.command_line.reading_options import QUESTIONS
from referenceless_metrics.command_line.references_and_sources import REFERENCES
from referenceless_metrics.command_line.system_files import SYSTEM_NAMES, SystemFiles, read_outputs
from referenceless_metrics.command_line.text_options import COLUMN, system_input_options
from referenceless_metrics.core.files.formats_of_files import file_format
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import FOR_READERS, write_rows
from referenceless_metrics.core.files.paper_tables import rounded_rows
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Options, Record, joined_names, told_systems
from referenceless_metrics.human_evaluation.commands.gates import LEVEL, Gate, Judged, gate_options, judge, with_gate
from referenceless_metrics.human_evaluation.commands.look_options import look_options
from referenceless_metrics.human_evaluation.commands.rating_options import (
    A_IS,
    BAD_BY_CRITERION,
    COLUMNS,
    CRITERION_SCALES,
    ERROR_WEIGHTS,
    FIXED_SIDES,
    OVERALL,
    PREFERENCES_NAMED,
    RATING_COLUMNS,
    RATINGS_TEXT_COLUMN,
    VALUES,
    column_option,
    differences_to_find,
    rating_columns,
)
from referenceless_metrics.human_evaluation.exports.rows import MARKED
from referenceless_metrics.human_evaluation.exports.spans import MQM_WEIGHTS

if TYPE_CHECKING:
    from referenceless_metrics.core.support.validation import Floats
    from referenceless_metrics.human_evaluation.commands.analysis import Analysis, Findings
    from referenceless_metrics.human_evaluation.inference.human_score import Contrast
    from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
    from referenceless_metrics.human_evaluation.inference.paired_coverage import Coverage
    from referenceless_metrics.human_evaluation.judges.limits import Bad
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
    from referenceless_metrics.human_evaluation.scores.table import ScoreTable
    from referenceless_metrics.pages.drawing import Plot

_COLUMN_OPTIONS = ("item", "system", "rater", "criterion", "cluster", "slice", "preference", "system-a", "system-b")

_BESIDE = ("ratings alone", "low alone", "high alone", "narrower", "r")
"""The columns for the effect of estimates beside ratings."""

_VALUES = ("mean", "plain mean", "ratings alone", "win rate")
_INTERVALS = [("low", "high"), ("low alone", "high alone"), ("low holm", "high holm")]


class _SeveralMetrics(MetricCommand):
    several = True
    is_metric_optional = True


@click.command(
    "human-score",
    cls=_SeveralMetrics,
    epilog="Example: referenceless human-score --ratings ratings.csv --scale 1-5",
)
@click.argument("systems", cls=SystemFiles)
@adding(
    click.Option(
        ["--ratings", "rating_files"],
        multiple=True,
        type=click.Path(),
        help="Ratings or preferences: table, export or study; may be repeated.",
    ),
    *map(column_option, _COLUMN_OPTIONS),
    RATING_COLUMNS,
    COLUMNS,
    RATINGS_TEXT_COLUMN,
    VALUES,
    QUESTIONS,
    ERROR_WEIGHTS,
    A_IS,
    FIXED_SIDES,
    SCALE,
    CRITERION_SCALES,
    OVERALL,
    Rare(
        ["--errors"],
        is_flag=True,
        help="Count marked errors, as of MQM annotations, by category, severity and system, in place of means.",
    ),
    BAD_BY_CRITERION,
    Rare(["--unpaired"], is_flag=True, help="Take the outputs of each system as independent samples of items."),
    Rare(["--baseline"], metavar="NAME", help="The baseline among the systems of a table  [default: the first]"),
    Rare(
        ["--all-pairs"],
        is_flag=True,
        help="Compare all pairs of systems, and not only each with the baseline; p is corrected for all (Holm).",
    ),
    Rare(
        ["--estimates-column"],
        type=COLUMN,
        help="Column of the systems' files, or without these of the ratings, with estimates in place of a metric's.",
    ),
    Rare(
        ["--find"],
        multiple=True,
        callback=differences_to_find,
        metavar="[CRITERION=]DIFFERENCE",
        help="True difference, or win rate, that a further study shall find: the output says how many items, or "
        "clusters, and raters that takes.",
    ),
    LEVEL,
)
@gate_options
@look_options
@plot_option("means, or win rates")
@metric_option
@adding(ADVICE, SYSTEM_NAMES, REFERENCES, TRANSPOSE)
@system_input_options
@output_options
@progress_option
def human_score(
    systems: tuple[str, ...],
    rating_files: tuple[str, ...],
    output: str | None,
    format: str,
    plot: str | None,
    **options: Any,
) -> Writer | None:
    """Say which systems people rate higher, with intervals.

    SYSTEMS are files of outputs, the baseline first, or none. Ratings have system, rating and text of random outputs;
    preferences system_a, system_b and preference; both item and rater if known. --metric adds estimates.
    """
    from referenceless_metrics.human_evaluation.commands.preferred_systems import findings_of_preferences
    from referenceless_metrics.human_evaluation.commands.rated_systems import findings_of_ratings
    from referenceless_metrics.human_evaluation.ratings.rating_folders import files_in_folders
    from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study

    rating_files = tuple(files_in_folders(rating_files))
    options["comparisons"] = "all" if options.pop("all_pairs") else "baseline"
    if _is_alone(systems, rating_files, options):  # nothing but ratings can be told of one file
        systems, rating_files = (), systems
    files = [file for file in systems if not is_study(file)]
    sources = [*rating_files, *(file for file in systems if is_study(file))]
    _check_usage(sources, files, options)
    of_ratings = replace(options["reading"], counts_errors=options["errors"])
    options["reading"] = _of_systems(options["reading"], files, has_ratings=bool(rating_files))
    outputs = _outputs(files, options)
    table = read_ratings(sources, outputs, {**options, "reading": of_ratings}, alone=not files)
    _check_paired(files, table, options)
    if table.n_studies > 1 and options["every_look"]:
        raise click.UsageError("--every-look is of one study: give one at a time")
    if options["errors"]:
        _write_errors(table, of_ratings, format, output, transpose=options["transpose"])
        return None
    if table.marked or MARKED in table.frame:
        tell(["--errors counts the marked errors by category, severity and system"])
    if options["bad"] is not None:
        _write_shares_of_bad(table, options, format, output, plot)
        return None
    if table.are_preferences:
        if options["estimates_column"] or options["chosen"].is_asked_for:
            raise click.UsageError("these are preferences: estimates are for ratings")
        if options["every_look"]:
            raise click.UsageError("these are preferences: --every-look is for ratings")
        findings = findings_of_preferences(table, options)
    else:
        findings = findings_of_ratings(table, outputs, files, options)
    _check_find(findings, options["find"], are_preferences=table.are_preferences)
    more = [*_on_baseline(findings, table, outputs, options), *_on_further_criteria(findings, table, options)]
    findings = replace(findings, notes=[*findings.notes, *more])
    tell(findings.notes)
    if options["comparisons"] == "all" and table.planned and table.n_studies == 1:
        tell([f"`referenceless study describe {table.source} --all-pairs` describes this analysis"])
    tell(_on_further_items(findings, table))
    summary: Record = {"level": options["level"], "correction": "holm", "comparisons": options["comparisons"]}
    summary |= {"scale": table.scale, "findings": findings.lines, "notes": [*table.notes, *findings.notes]}
    if table.scales:
        summary["scales"] = dict(table.scales)
    of_looks = options["every_look"]
    gate = _gate(findings, table, options) if options["fail_if_worse"] else None

    def written(format: str, output: str | None) -> None:
        _write(findings, summary, format, output, plot, transpose=options["transpose"], of_looks=of_looks, gate=gate)
        if gate is not None:
            gate.leave()

    return written


def _check_find(findings: Findings, find: Mapping[str, float], *, are_preferences: bool) -> None:
    """Check that what a further study shall find is of a criterion, and of preferences a win rate.

    Raises:
        click.UsageError: if it is not.
    """
    criteria = [each.criterion for each in findings.analyses]
    for name, wanted in find.items():
        told = f"--find {f'{name}=' if name else ''}{wanted:g}"
        if name and name not in criteria:
            raise click.UsageError(f"{told}: the criteria are {', '.join(filter(None, criteria)) or 'without names'}")
        if are_preferences and not 0.5 < wanted < 1:
            raise click.UsageError(f"{told}: of preferences, give a win rate above 0.5 and below 1")


def _on_baseline(findings: Findings, table: RatingTable, outputs: Outputs, options: Record) -> list[str]:
    """Say which system several others are compared with, if nobody named it: neither an option, a study nor files."""
    is_named = options["baseline"] is not None or bool(outputs) or bool(table.systems)
    if is_named or options["comparisons"] == "all" or max(len(each.contrasts) for each in findings.analyses) < 2:
        return []
    baseline = findings.analyses[0].baseline
    return [
        f"systems are compared with {baseline}, the first of the table (--baseline NAME; --all-pairs compares each "
        "with each)"
    ]


def _on_further_criteria(findings: Findings, table: RatingTable, options: Record) -> list[str]:
    """Say which columns may hold ratings by criteria for which p of the comparisons is not corrected; none without."""
    from referenceless_metrics.human_evaluation.ratings.further_criteria import note_on_further_criteria

    if not table.further_criteria or not any(each.contrasts for each in findings.analyses):
        return []
    return [note_on_further_criteria(list(map(str, options["rating_columns"])), table.further_criteria)]


def _on_further_items(findings: Findings, table: RatingTable) -> list[str]:
    """Say how items that a study did not draw are rated, too, if a comparison at its end shows nothing.

    Studies along a metric, or of items of which outputs differ, are not analysed together with others.
    """
    from referenceless_metrics.human_evaluation.studies.design import Design
    from referenceless_metrics.human_evaluation.wording.next_steps import further_items

    if table.planned is None or table.n_studies > 1 or findings.is_unfinished or not table.takes_estimates:
        return []
    if all(each.is_shown for analysis in findings.analyses for each in analysis.contrasts):
        return []
    design = Design.read(table.source)
    n_left = design.n_items - len(design.items)
    return [further_items(table.source, n_left)] if n_left and not design.n_earlier else []


def read_ratings(sources: Sequence[str], outputs: Outputs, options: Record, *, alone: bool) -> RatingTable:
    """Return the ratings or preferences in files, as the options of the command name their columns.

    Args:
        sources: the files.
        outputs: the systems' outputs; none if the ratings stand alone.
        options: the options of the command.
        alone: whether the ratings stand alone.

    Raises:
        InputError: for files that cannot be read so.
    """
    from referenceless_metrics.human_evaluation.ratings.output_column import with_output_column
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
    from referenceless_metrics.human_evaluation.ratings.wide import NoRatingsError

    estimates = options["estimates_column"] if alone else None
    columns = rating_columns(options, text=options["ratings_text_column"], estimates=estimates)
    asked: Record = {name: options[name] for name in ("scale", "scales", "unpaired", "reading")}
    tables, columns, notes = with_output_column(sources, columns, outputs, options["reading"])
    tell(notes)
    asked |= {"alone": alone, "by_file": alone, "clusters": not (options["every_look"] or options["errors"])}
    try:
        return read_rating_table(tables, columns, **asked)
    except NoRatingsError as error:
        raise InputError(f"{error}; {PREFERENCES_NAMED}") from None


def _is_alone(systems: Sequence[str], rating_files: Sequence[str], options: Record) -> bool:
    """Return whether there is one table and nothing beside it: it must hold the ratings, since outputs need some."""
    if len(systems) != 1 or rating_files or options["chosen"].is_asked_for or options["estimates_column"]:
        return False
    return not Path(systems[0]).is_dir() and file_format(systems[0], options["reading"], "txt") != "txt"


def _check_usage(sources: Sequence[str], files: Sequence[str], options: Record) -> None:
    """Check that there are ratings, and the inputs that the metrics need.

    Raises:
        click.UsageError: naming the option that is missing, or does not fit.
    """
    if options["errors"] and (options["fail_if_worse"] or options["chosen"].is_asked_for):
        raise click.UsageError("--errors counts marked errors in place of means: leave out --fail-if-worse and metrics")
    alone = [options["estimates_column"], options["chosen"].is_asked_for, options["every_look"], options["overall"]]
    if options["bad"] is not None and (files or options["errors"] or any(alone)):
        raise click.UsageError(
            "--bad compares shares of outputs by their ratings alone: leave out the systems' files, estimates, "
            "--errors, --every-look and --overall (referenceless human-score --ratings FILE "
            f"{_told_conditions(options['bad'])})"
        )
    if options["comparisons"] == "all" and options["fail_if_worse"]:
        raise click.UsageError("--fail-if-worse judges systems beside the baseline alone: leave out --all-pairs")
    if options["find"] and (options["errors"] or options["bad"] is not None or options["every_look"]):
        raise click.UsageError("--find plans for means and win rates: leave out --errors, --bad and --every-look")
    if options["min_coverage"] is not None and not options["fail_if_worse"]:
        raise click.UsageError("--min-coverage is of a gate: add --fail-if-worse")
    if options["margin"] is not None and not options["fail_if_worse"]:
        raise click.UsageError(
            f"--margin is of a gate: add --fail-if-worse (referenceless human-score … --fail-if-worse --margin "
            f"{options['margin']:g})"
        )
    if not sources:
        raise FilesUsageError("there are no ratings: give --ratings FILE, or a study's folder")
    chosen: ChosenMetrics = options["chosen"]
    if options["every_look"] and (chosen.is_asked_for or options["estimates_column"] or options["unpaired"]):
        raise click.UsageError(
            "--every-look is for ratings alone, of the same items: leave out estimates and --unpaired"
        )
    if not chosen.is_asked_for:
        return
    if not files:
        raise click.UsageError("a metric estimates the systems' outputs: give their files")
    chosen.check(options)
    needing = [spec.name for spec in chosen.specs if spec.needs_references]
    if needing and not options["references"]:
        raise click.UsageError(f"{', '.join(needing)} needs references: give --references FILE")


def _outputs(files: Sequence[str], options: Options) -> Outputs:
    """Return the systems' outputs, from a file each or from one table, with a column for each or one that names them.

    Raises:
        click.UsageError: for several files with several columns, names of the systems of one table, and a column of
            estimates beside a column of outputs for each system.
        InputError: for a file that cannot be read.
    """
    from referenceless_metrics.human_evaluation.system_table import outputs_of_one_table, systems_in_columns

    first, *further = options["text_columns"]
    if not further and _names_systems(files, options):
        systems = outputs_of_one_table(files[0], first, options["system_column"], options["reading"]).systems
        if len(systems) > 1 and options["names"]:
            raise click.UsageError("--name is for systems in a file each")
        if not options["names"]:
            return _from_baseline(systems, options["baseline"])
    if not further:
        return read_outputs(files, options["names"], text_column=first, reading=options["reading"])
    if len(files) != 1:
        raise click.UsageError("several --text-column are for one table with a column of outputs for each system")
    if options["names"] or options["estimates_column"]:
        raise click.UsageError("--name and --estimates-column are for systems in a file each")
    return systems_in_columns(files[0], text_columns=(first, *further), reading=options["reading"]).systems


def _check_paired(files: Sequence[str], table: RatingTable, options: Options) -> None:
    """Check that rows of one place in the systems' files may be of one item, if the ratings name no items.

    Raises:
        InputError: for files whose ids show another order.
    """
    from referenceless_metrics.human_evaluation.files_in_order import OtherOrderError
    from referenceless_metrics.human_evaluation.systems_in_files import check_same_items

    are_paired = not options["unpaired"] and not table.systems and not {"item", "slice"} & set(table.frame)
    if len(files) < 2 or not are_paired or STDIN in files:
        return
    try:
        check_same_items(files, options["text_columns"][0], options["reading"])
    except OtherOrderError as error:
        raise InputError(
            f"{error.what}; bring the files into one order, or name the column of items in the ratings (--item-column)"
        ) from None


def _names_systems(files: Sequence[str], options: Options) -> bool:
    """Return whether one table of outputs has the column of systems that the command line names."""
    column = options["system_column"]
    if column is None or len(files) != 1 or file_format(files[0], options["reading"], "txt") == "txt":
        return False
    return column in read_table(files[0], options["reading"]).columns


def _from_baseline(systems: list[tuple[str, list[str]]], baseline: str | None) -> list[tuple[str, list[str]]]:
    """Return systems with the baseline first.

    Raises:
        InputError: for a baseline that is none of them.
    """
    names = [name for name, _ in systems]
    if baseline is not None and baseline not in names:
        raise InputError(f"--baseline {baseline}: there are no outputs of it; {told_systems(baseline, names)}")
    return sorted(systems, key=lambda system: baseline is not None and system[0] != baseline)


def _of_systems(reading: Reading, files: Sequence[str], *, has_ratings: bool) -> Reading:
    """Return how the systems' files are read: beside a table of ratings, which the options are of, by their suffix.

    Conditions on columns that the outputs have, too, count for both.
    """
    from referenceless_metrics.human_evaluation.commands.conditions import conditions_on_outputs

    if not has_ratings:
        return reading
    return Reading(data_dir=reading.data_dir, where=conditions_on_outputs(files, reading.where))


def _write_errors(table: RatingTable, reading: Reading, format: str, output: str | None, *, transpose: bool) -> None:
    """Write the numbers of marked errors by category, severity and system.

    Raises:
        InputError: for ratings without marked errors.
    """
    from referenceless_metrics.human_evaluation.ratings.error_counts import count_errors
    from referenceless_metrics.human_evaluation.wording.error_counts_output import (
        NOT_TESTED,
        RATINGS_TESTED,
        error_headline,
        error_lines,
        error_rows,
    )

    counts = count_errors(table, reading.error_weights or MQM_WEIGHTS)
    basis, headline = error_lines(counts), error_headline(counts)
    has_ratings = not table.systems and not table.are_penalties  # a tool's file holds them beside the errors
    lines = [*basis, RATINGS_TESTED if has_ratings else NOT_TESTED]
    rows = error_rows(counts, for_readers=format in FOR_READERS)
    summary: Record = {"judgements": dict(counts.n_judgements), "findings": lines, "notes": list(table.notes)}
    write_rows(
        rows,
        summary,
        format,
        output,
        lines=["", *lines],
        headline=headline,
        basis=basis,
        transpose=transpose,
        wrapped=["category"],
    )


def _write_shares_of_bad(
    table: RatingTable, options: Record, format: str, output: str | None, plot: str | None
) -> None:
    """Write the shares of outputs whose mean rating counts as bad, compared as `compare --scores --bad` does.

    Raises:
        click.UsageError: for preferences.
        InputError: for ratings that tell no systems, or no items.
    """
    from referenceless_metrics.human_evaluation.commands.score_files import write_findings
    from referenceless_metrics.human_evaluation.ratings.model_raters import MODELS
    from referenceless_metrics.human_evaluation.scores.of_ratings import scores_of_ratings
    from referenceless_metrics.human_evaluation.wording.headline import NOT_OF_PEOPLE

    if table.are_preferences:
        raise click.UsageError("these are preferences: --bad is for ratings")
    scores = scores_of_ratings(table, unpaired=options["unpaired"])
    bad = _bad_by_criterion(options["bad"], scores, table)
    baseline = options["baseline"] or next(iter(table.systems), None)
    limit = "An output is bad by the mean of its ratings; how raters differ is not counted."
    if table.given_by == MODELS:
        limit = f"{limit} {NOT_OF_PEOPLE}"
    if len(scores.systems) == 1 and not options["fail_if_worse"]:
        _write_share_of_one(scores.shares_of_bad(bad), limit, options, format, output)
        return
    asked: Record = {
        **options,
        "bad": bad,
        "baseline": baseline,
        "scale": None,
        "all_pairs": options["comparisons"] == "all",
    }
    write_findings(scores, asked, format, output, plot, limit=limit)


def _told_conditions(conditions: Mapping[str, Bad]) -> str:
    """Return conditions by criterion as the command line has them."""
    return " ".join(f"--bad '{criterion}{bad.sign}{bad.bound:g}'" for criterion, bad in conditions.items())


def _bad_by_criterion(conditions: Mapping[str, Bad], scores: ScoreTable, table: RatingTable) -> dict[str, Bad]:
    """Return the condition of each criterion; one for all only if all are on one scale, as far as that is known.

    Raises:
        InputError: for a condition of an unknown criterion, and one for criteria on several scales.
    """
    unknown = [name for name in conditions if name and name not in scores.columns]
    if unknown:
        raise InputError(
            f"{table.source}: --bad names {unknown[0]!r}, and the ratings are by {joined_names(scores.columns)}"
        )
    if "" not in conditions:
        return dict(conditions)
    bad = conditions[""]
    always = [name for name, values in scores.values.items() if _are_all_bad(values, bad)]
    has_one_scale = len({table.scales.get(name, table.scale) for name in scores.columns}) == 1
    if has_one_scale and len(always) in (0, len(scores.columns)):
        return dict.fromkeys(scores.columns, bad)
    why = f"all outputs are {bad} by {joined_names(always)}" if always else "they have scales of their own"
    first = next((name for name in scores.columns if name not in always), scores.columns[0])
    raise InputError(
        f"{table.source}: {_told_conditions(conditions)} is for all criteria ({joined_names(scores.columns)}), and "
        f"{why}: say which one it is of ({_told_conditions({first: bad})}; may be repeated)"
    )


def _are_all_bad(values: Floats, bad: Bad) -> bool:
    """Say whether all known values are bad."""
    import numpy as np

    known = values[np.isfinite(values)]
    return len(known) > 0 and bool(bad.holds(known).all())


def _write_share_of_one(shares: ScoreTable, limit: str, options: Record, format: str, output: str | None) -> None:
    """Write the share of one system's outputs that are bad, by each criterion, with its interval."""
    from referenceless_metrics.human_evaluation.scores.one_system import mean_rows

    rows = mean_rows(shares, options["level"])
    whole = [row for row in rows if not row.get("slice")]
    told = [f"{row['score']} {row['mean']:.3f} [{row['low']:.3f}, {row['high']:.3f}]" for row in whole]
    numbers = {row["items"] for row in whole}
    on = f", on {numbers.pop()} outputs" if len(numbers) == 1 else ""
    if not on:
        told = [f"{share} on {row['items']} outputs" for share, row in zip(told, whole, strict=True)]
    headline = f"{shares.systems[0]}{on}: {'; '.join(told)}. {limit}"
    summary: Record = {"level": options["level"], "findings": [headline]}
    write_rows(rows, summary, format, output, headline=headline, transpose=options["transpose"])


def _figures_told(analyses: Sequence[Analysis]) -> str:
    """Return the name of the figures for a caption, with the protocol of the ratings if it is known."""
    if all(each.scores is None for each in analyses):
        return "Win rates"
    return "Mean scores by MQM" if all(each.mqm_weights for each in analyses) else "Mean ratings"


def _weights_told(analyses: Sequence[Analysis]) -> list[str]:
    """Return the weights of errors by which the scores of MQM are made, in a sentence; none without such scores."""
    told = dict.fromkeys(each.mqm_weights for each in analyses if each.mqm_weights)
    return [f"MQM: the negative sum of the errors' weights ({weights})." for weights in told]


def _write(
    findings: Findings,
    summary: Record,
    format: str,
    output: str | None,
    plot: str | None,
    *,
    transpose: bool,
    of_looks: bool,
    gate: Gate | None,
) -> None:
    """Write the findings of ratings or preferences, with those of a gate, and the drawing if one is asked for."""
    from referenceless_metrics.human_evaluation.commands.analysis import with_name
    from referenceless_metrics.human_evaluation.drawings.plots import system_places
    from referenceless_metrics.human_evaluation.wording.contrast_notes import contrast_basis, contrast_note
    from referenceless_metrics.human_evaluation.wording.contrast_sentences import quoted_findings
    from referenceless_metrics.human_evaluation.wording.drawn import NO_ESTIMATES
    from referenceless_metrics.human_evaluation.wording.holm_level import HEADING
    from referenceless_metrics.human_evaluation.wording.next_steps import MORE_OUTPUTS, after_ratings, after_unfinished
    from referenceless_metrics.pages.drawing import drawing

    plots = [drawn for each in findings.analyses for drawn in _plots_of(each)]
    if plot is not None and not plots:
        raise InputError(
            "--plot draws means, or win rates, with their intervals, and there are none: rate at least 10 outputs a "
            "system, or judge at least 10 items a pair"
        )
    if plot is not None:
        drawing(plots).save(plot)
    rows = findings.rows
    if format in FOR_READERS:
        rows = _for_readers(rows)
    analyses = findings.analyses
    scores = {each.criterion: each.scores for each in analyses if each.scores is not None}
    contrasts = [contrast for each in analyses for contrast in each.contrasts]
    estimated = next((each.estimated for each in analyses if each.estimated.name), NO_ESTIMATES)
    headline, lines = with_gate(gate, findings.headline, findings.lines, format)
    if gate is not None:
        summary = {**summary, "findings": lines, "gate": gate.record}
    following = after_ratings({each.criterion: each.contrasts for each in analyses})
    if not contrasts and any(len(each.rows) > 1 for each in analyses):
        following = [MORE_OUTPUTS]
    if findings.is_unfinished:
        following = after_unfinished(of_looks=of_looks, preferences=not scores)
    write_rows(
        rows,
        summary,
        format,
        output,
        lines=["", *lines],
        headline=headline,
        caption=with_gate(gate, findings.caption, [], format)[0],
        basis=contrast_basis(contrasts, _figures_told(analyses), estimated),
        note=[*findings.basis, *_weights_told(analyses), *contrast_note(contrasts, scores, estimated)],
        headings={"low holm": HEADING},
        rounding=partial(rounded_rows, values=_VALUES, intervals=_INTERVALS, by=["criterion"]),
        page={
            "plots": plots,
            "places": system_places(next(iter(scores.values()))) if scores else {},
            "following": following,
            "repeated": [
                with_name(each.criterion, line) for each in analyses for line in quoted_findings(each.contrasts)
            ],
        },
        transpose=transpose,
    )


def _plots_of(analysis: Analysis) -> list[Plot]:
    """Draw the means and differences, or the win rates, by one criterion."""
    from referenceless_metrics.human_evaluation.drawings.plots import human_scores_plots, win_rates_plots
    from referenceless_metrics.human_evaluation.inference.preferences import WinRate

    if analysis.scores is not None:
        return human_scores_plots(analysis.scores, analysis.criterion, are_mqm=bool(analysis.mqm_weights))
    return win_rates_plots([each for each in analysis.contrasts if isinstance(each, WinRate)], analysis.criterion)


def _for_readers(rows: Sequence[Record]) -> list[Record]:
    """Return rows without the columns that tell nothing to a reader.

    These are columns that the sentences below the table repeat, estimates without use, and corrections and weights of
    raters that change nothing.
    """
    from referenceless_metrics.human_evaluation.commands.analysis import named_by_pair
    from referenceless_metrics.human_evaluation.inference.human_score import SAME_MEAN

    left_out = {"made"}
    if not any(row.get("narrower", 0) > 0 for row in rows):
        left_out.update(_BESIDE)
    gaps = [row.get("plain mean", math.nan) - row.get("ratings alone", math.nan) for row in rows]
    if not any(abs(gap) > SAME_MEAN for gap in gaps):
        left_out.add("plain mean")
    corrected = [name for name in rows[0] if name.endswith(" holm")]
    tested = [row for row in rows if not math.isnan(row.get("p", math.nan))]
    if all(_is_same(row[name], row[name.removesuffix(" holm")]) for row in tested for name in corrected):
        left_out.update(corrected)
    shown = [name for name in rows[0] if name not in left_out and not name.endswith((" raters", " others"))]
    return [named_by_pair({name: row[name] for name in shown}) for row in rows]


def _is_same(figure: float, other: float) -> bool:
    """Return whether two figures are equal, or both unknown."""
    return figure == other or (math.isnan(figure) and math.isnan(other))


def _gate(findings: Findings, table: RatingTable, options: Options) -> Gate:
    """Return the verdicts that say whether a system is worse than the baseline."""
    from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS

    of, less = ("The win rate", "one half") if table.are_preferences else ("The mean rating", "that of {}")
    judged = []
    for analysis in findings.analyses:
        for each in analysis.contrasts:
            coverage = _rated_items(table, analysis.criterion, each, unpaired=options["unpaired"])
            judged.append(replace(_judged(each), criterion=analysis.criterion, coverage=coverage))
    asked: Record = {name: options[name] for name in ("margin", "level", "min_coverage")} | {"less": less}
    if any(len(analysis.rows) > 1 for analysis in findings.analyses):
        what = "preferences" if table.are_preferences else "rated outputs"
        asked["nothing"] = f"no system has the {FEWEST_RATINGS} {what} that intervals need"
    criteria = [*table.frame.get("criterion", ()), *(analysis.criterion for analysis in findings.analyses)]
    told = {each.criterion for each in judged}
    return judge(judged, of, untold=[name for name in dict.fromkeys(criteria) if name not in told], **asked)


def _rated_items(table: RatingTable, criterion: str, each: Contrast, *, unpaired: bool) -> Coverage | None:
    """Return which of the items that raters had of two systems they rated by a criterion; None if that is not told.

    A row without a rating is of an output that raters had and left out; outputs without a row were not drawn.
    """
    from referenceless_metrics.human_evaluation.inference.paired_coverage import PairedCoverage
    from referenceless_metrics.human_evaluation.scores.unpaired_coverage import UnpairedCoverage

    frame = table.frame
    if table.are_preferences or "estimates" in frame or not {"system", "item"} <= set(frame):
        return None
    if "criterion" in frame:
        frame = frame[frame["criterion"] == criterion]
    counts = frame.groupby(["item", "system"], sort=False)["rating"].count().unstack("system")
    if not {each.system, each.baseline} <= set(counts):
        return None
    drawn = [counts[name].dropna() > 0 for name in (each.system, each.baseline)]
    if not unpaired:
        of_both = drawn[0].index.intersection(drawn[1].index, sort=False)
        drawn = [of_system[of_both] for of_system in drawn]
    ours, base = ((str(of_system.name), of_system.to_numpy()) for of_system in drawn)
    clusters = None
    if "cluster" in frame:
        of_items = frame.groupby("item")["cluster"].first().astype(str)
        clusters = [of_items.reindex(of_system.index).factorize()[0] for of_system in drawn]
    if unpaired:
        both = None if clusters is None else (clusters[0], clusters[1])
        return UnpairedCoverage.of(ours, base, both, value="rating")
    return PairedCoverage.of(ours, base, None if clusters is None else clusters[0], things="items", value="rating")


def _judged(each: Contrast) -> Judged:
    """Return a difference or a win rate as a gate takes it; differences that do not vary are bounded by the scale."""
    from referenceless_metrics.human_evaluation.inference.human_score import HumanDifference

    shown = 0 if not each.is_shown else 1 if each.lead > 0 else -1
    judged = Judged(each.system, each.baseline, each.lead, each.interval_of_lead, shown=shown)
    if isinstance(each, HumanDifference) and each.watched is not None:
        return replace(judged, obstacle=each.watched.obstacle)
    if isinstance(each, HumanDifference) and each.mean.is_known and each.mean.standard_error > 0:
        return replace(judged, interval=each.one_sided.bounds, one_sided=each.one_sided)
    return judged
