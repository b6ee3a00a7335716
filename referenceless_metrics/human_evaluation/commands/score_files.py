"""`compare --scores`: the options and the way of scores that some tool wrote."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from referenceless_metrics.command_line.adding import Command, adding
from referenceless_metrics.command_line.gating import min_coverage_option
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.rated_text_options import scale_ends
from referenceless_metrics.command_line.system_files import check_named
from referenceless_metrics.command_line.text_options import COLUMN, options_of_columns
from referenceless_metrics.core.files.number_words import parse_values
from referenceless_metrics.core.files.reading import names_in, tell
from referenceless_metrics.core.results import FEW_COVERED
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.commands.gates import (
    FAIL_IF_WORSE,
    LEVEL,
    MARGIN,
    Gate,
    Judged,
    judge,
    with_gate,
    without_values,
)
from referenceless_metrics.human_evaluation.commands.look_options import LOOK_OPTIONS, look_options, looks_of
from referenceless_metrics.human_evaluation.commands.rating_options import bad_condition
from referenceless_metrics.human_evaluation.exports.spans import parse_mqm_weights

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
    from referenceless_metrics.human_evaluation.scores.differences import Difference
    from referenceless_metrics.human_evaluation.scores.findings import Findings
    from referenceless_metrics.human_evaluation.scores.table import ScoreTable

_COLUMNS = {
    "system": "the system's name",
    "item": "what rows are of one item",
    "cluster": "what items belong together to, such as their document; or a file with a line for each item",
    "slice": "the slice that an item is in; each is compared alone, too",
    "run": "repeated runs, which are averaged",
    "rater": "raters or judges, which are averaged",
    "metric": "the name of the metric; each is compared alone",
    "gold": "right answers, to which those in --score-column are held: 1 for a right one, 0 for any other",
}


_MOST_WORST = 10
"""Most outputs of each score that a page shows, the worst ones."""

_OF_RATINGS = ("system", "item", "cluster", "slice", "rater")
"""Columns that may have one name in ratings and scores."""


def _parsed(parse: Callable[[str], dict[str, float]]) -> Callable[[str], dict[str, float]]:
    """Return the type of an option with pairs of words and numbers."""

    def convert(value: str) -> dict[str, float]:
        try:
            return parse(value)
        except InputError as error:
            raise click.BadParameter(str(error)) from None

    return convert


VALUES = Rare(
    ["--values", "words"],
    type=_parsed(parse_values),
    metavar="WORD=NUMBER,…",
    help='What words stand for, as "no=0,yes=1"; nothing behind = is missing, nothing before it a blank cell.',
)


_OPTIONS = (
    click.Option(
        ["--scores", "score_files"],
        multiple=True,
        type=click.Path(exists=True),
        metavar="FILE",
        help="Scores of any tool in place of SYSTEMS; a table, or a tool's log or folder.",
    ),
    Rare(
        ["--ratings", "rated_files"],
        multiple=True,
        type=click.Path(exists=True),
        metavar="FILE",
        help="People's ratings of the same outputs: judge each score by them, as WMT judges metrics (figures of "
        "systems take 3 of them).",
    ),
    Rare(
        ["--rating-column", "rating_columns"],
        multiple=True,
        type=COLUMN,
        help="Column of --ratings with the ratings; several are of a rater each  [default: rating]",
    ),
    Rare(["--score-column", "score_columns"], multiple=True, type=COLUMN, help="Score to compare; may be repeated."),
    *options_of_columns(_COLUMNS),
    Rare(
        ["--squad"],
        is_flag=True,
        help="Give answers beside --gold-column SQuAD's exact match and F1 of words, without capitals, punctuation and "
        "articles.",
    ),
    VALUES,
    Rare(
        ["--mqm-weights"],
        type=_parsed(parse_mqm_weights),
        metavar="SEVERITY=WEIGHT,…",
        help='Weights of marked errors beside the usual ones, as "Critical=10,Minor/Style=0.5".',
    ),
    Rare(
        ["--lower-is-better", "lower_is_better"],
        multiple=True,
        metavar="NAME",
        help="Score of which lower is better, as an error rate; MetricX, TER, WER and such are told by name; may be "
        "repeated; none: none is.",
    ),
    Rare(
        ["--task-groups"],
        is_flag=True,
        help="Of an evaluation harness's results: compare groups of tasks, as mmlu, in place of their parts.",
    ),
    Rare(["--unpaired"], is_flag=True, help="Each system has items of its own, drawn alike: compare means of all."),
    Rare(["--baseline"], metavar="SYSTEM", help="System to compare with  [default: the first]"),
    Rare(["--scale"], type=scale_ends, metavar="LOW-HIGH", help="Ends of the scores' scale, for verdicts of a gate."),
    Rare(
        ["--bad"],
        type=bad_condition,
        metavar="CONDITION",
        help='Scores that count as bad, as "<-2": their share is compared in place of the mean, and lower is better.',
    ),
    Rare(
        ["--worst"],
        type=click.IntRange(min=1),
        metavar="N",
        help="Show only the N worst values of each score, of all systems, with the outputs if the file holds them.",
    ),
    FAIL_IF_WORSE,
    MARGIN,
    LEVEL,
    min_coverage_option("--fail-if-worse"),
)


def score_file_options(command: Command) -> Command:
    """Add the options with which `compare` reads scores and no outputs."""
    return adding(*_OPTIONS)(look_options(command))


SCORE_FILE_OPTIONS = [*(str(option.name) for option in _OPTIONS), *LOOK_OPTIONS]
"""The names of these options' values."""


def compare_score_files(options: Record, format: str, output: str | None, plot: str | None) -> None:
    """Write the findings of the scores in files.

    Args:
        options: options of `score_file_options`, the `names` that --name gives to files, the files' `reading`, and
            `all_pairs`.
        format: one of the formats of `compare`.
        output: the file to write; None for standard output.
        plot: the file of a drawing; None for none.

    Raises:
        InputError: for files that cannot be compared.
    """
    from referenceless_metrics.human_evaluation.scores.task_means import holds_task_means

    if options["rating_columns"] and not options["rated_files"]:
        raise click.UsageError("--rating-column is of --ratings, which may name the same file as --scores")
    if options["squad"] and options["gold_column"] is None:
        raise click.UsageError("--squad holds answers to the right ones: name their column (--gold-column)")
    if options["min_coverage"] is not None and not options["fail_if_worse"]:
        raise click.UsageError("--min-coverage is of a gate: add --fail-if-worse")
    if options["all_pairs"] and (options["fail_if_worse"] or options["margin"] is not None):
        raise click.UsageError("a gate judges systems beside the baseline alone: leave out --all-pairs")
    if options["bad"] is not None and options["scale"] is not None:
        raise click.UsageError("--scale is of scores, and --bad compares shares, from 0 to 1: leave one of them out")
    if options["worst"] is not None:
        check_worst(options, plot)
        tell_worst(_read(options), options, format, output)
        return
    if options["rated_files"]:
        judge_score_files(options, format, output)
        return
    if all(map(holds_task_means, options["score_files"])):
        _compare_task_means(options, format, output)
        return
    if options["task_groups"]:
        raise click.UsageError("--task-groups is of an evaluation harness's results, a mean for each task")
    with without_values(asked=options["fail_if_worse"]):
        scores = _read(options)
    is_gate = options["fail_if_worse"] or options["margin"] is not None or looks_of(options) is not None
    if len(scores.systems) == 1 and len(options["score_files"]) == 1 and options["baseline"] is None and not is_gate:
        _tell_one_system(scores, options, format, output)
        return
    write_findings(scores, options, format, output, plot)


def check_worst(options: Record, plot: str | None) -> None:
    """Check that nothing is asked of means beside single scores.

    Raises:
        click.UsageError: for an option of means.
    """
    unfit = [name for name in _OF_COMPARISONS if options[name]]
    if unfit or plot is not None:
        option = {"rated_files": "ratings"}.get(unfit[0], unfit[0]) if unfit else "plot"
        raise click.UsageError(
            f"--worst shows single scores, and --{option.replace('_', '-')} is of means: leave one out"
        )


def write_findings(
    scores: ScoreTable, options: Record, format: str, output: str | None, plot: str | None, *, limit: str = ""
) -> None:
    """Write the findings of scores, and leave with the status of a gate if one is asked for.

    Args:
        scores: the scores.
        options: see `compare_score_files`.
        format: likewise.
        output: likewise.
        plot: likewise.
        limit: the sentence on people that ends the finding; "" for that which the scores tell.

    Raises:
        InputError: for scores that cannot be compared.
    """
    from referenceless_metrics.core.files.output import FOR_PAPERS, FOR_READERS, cells, write_rows
    from referenceless_metrics.core.files.paper_tables import UNDEFINED, rounded_rows
    from referenceless_metrics.human_evaluation.commands.analysis import named_by_pair
    from referenceless_metrics.human_evaluation.drawings.scores import score_plots, system_places
    from referenceless_metrics.human_evaluation.scores.output import (
        BESIDE,
        COUNTS,
        finding_basis,
        finding_lines,
        finding_note,
        finding_rows,
        p_heading,
    )
    from referenceless_metrics.human_evaluation.scores.worst import worst_scores
    from referenceless_metrics.human_evaluation.wording.headline import scores_headline
    from referenceless_metrics.human_evaluation.wording.holm_level import HEADING
    from referenceless_metrics.human_evaluation.wording.next_steps import after_scores
    from referenceless_metrics.pages.drawing import drawing

    bad = options["bad"]
    findings = _findings(scores if bad is None else scores.shares_of_bad(bad), options)
    tell(findings.assumed)
    gate = _gate(findings, options) if options["fail_if_worse"] else None
    headline, lines = with_gate(gate, scores_headline(findings, limit), finding_lines(findings), format)
    summary: Record = {
        "baseline": findings.baseline,
        "level": findings.level,
        "margin": findings.margin,
        "groups": findings.groups,
        "findings": lines,
        "assumed": list(findings.assumed),
    }
    if gate is not None:
        summary["gate"] = gate.record
    rows = finding_rows(findings)
    plots = score_plots(findings)
    if plot is not None:
        drawing(plots).save(plot)
    if format in FOR_READERS:
        is_paired = any(each.is_paired for each in findings.differences)
        beside = BESIDE if is_paired else (*BESIDE, *COUNTS)
        headings = {"p holm": p_heading(findings)}
        rows = [
            {
                headings.get(name, name): UNDEFINED if cell is None else cell
                for name, cell in row.items()
                if name not in beside
            }
            for row in map(named_by_pair, rows)
        ]
    intervals = [("low", "high"), ("from", "to")]
    families = Counter(each.slice for each in findings.differences if not math.isnan(each.p_value))
    page = {"plots": plots, "places": system_places(findings), "following": after_scores(findings)}
    if format == "html" and scores.texts:
        worst, _ = worst_scores(scores, _MOST_WORST)
        page["tables"] = {"The worst outputs": list(map(cells, worst))}
    write_rows(
        rows,
        summary,
        format,
        output,
        lines=[*lines, *findings.assumed] if format in FOR_PAPERS else lines,  # there is no standard error in a paper
        headline=headline,
        caption=with_gate(gate, scores_headline(replace(findings, leading={}), limit), [], format)[0],
        basis=finding_basis(findings),
        note=finding_note(findings),
        rounding=partial(rounded_rows, values=["mean", "difference"], intervals=intervals, by=["score"]),
        headings={"from": HEADING} if max(families.values(), default=0) > 1 else None,
        page=page,
        transpose=options["transpose"],
        wrapped=["score"],
    )
    if gate is not None:
        gate.leave()


def _gate(findings: Findings, options: Record) -> Gate:
    """Return the verdict on each system beside the baseline."""
    from referenceless_metrics.human_evaluation.scores.output import on_untold

    judged = [_judged(each, options["level"]) for each in findings.differences if not each.slice]
    least = FEW_COVERED if options["min_coverage"] is None else options["min_coverage"]
    asked: Record = {name: options[name] for name in ("margin", "level")}
    asked["note"] = " ".join(on_untold(findings))
    return judge(judged, "The mean score" if options["bad"] is None else "The share", min_coverage=least, **asked)


_OF_COMPARISONS = ("rated_files", "bad", "fail_if_worse", "margin", "every_look")
"""Options of comparisons of systems, which single scores do not tell."""

_OF_ITEMS = (
    "squad",
    "all_pairs",
    "bad",
    "fail_if_worse",
    "margin",
    "every_look",
    "unpaired",
    "scale",
    "words",
    "mqm_weights",
)
"""Options of scores of items, which means of tasks do not tell."""


def _compare_task_means(options: Record, format: str, output: str | None) -> None:
    """Write the differences of runs on each task, from a harness's means with their standard errors.

    Raises:
        click.UsageError: for options that are of scores of items.
        InputError: for results that cannot be compared.
    """
    from referenceless_metrics.core.files.output import FOR_READERS, write_rows
    from referenceless_metrics.human_evaluation.scores.task_means import (
        compare_task_means,
        task_basis,
        task_lines,
        task_rows,
        task_summary,
    )

    for name in (*_OF_ITEMS, *(f"{kind}_column" for kind in _COLUMNS)):
        if options[name]:
            option = {"words": "values"}.get(name, name).replace("_", "-")
            raise click.UsageError(f"--{option} is for scores of items, and these files hold a mean for each task")
    check_named(options["score_files"], options["names"])
    found = compare_task_means(
        options["score_files"],
        score_columns=options["score_columns"],
        names=options["names"],
        baseline=options["baseline"],
        lower_is_better=options["lower_is_better"],
        level=options["level"],
        groups=options["task_groups"],
    )
    tell(found.notes)
    headline, *lines = task_lines(found)
    rows = task_rows(found)
    if format in FOR_READERS:
        rows = [{name: cell for name, cell in row.items() if name != "p"} for row in rows]
    write_rows(
        rows,
        task_summary(found),
        format,
        output,
        lines=["", *lines],
        headline=headline,
        basis=task_basis(found),
        wrapped=["task"],
    )


def judge_score_files(options: Record, format: str, output: str | None) -> None:
    """Write the agreement of the scores in files with people's ratings.

    Raises:
        InputError: for files that do not fit together.
        click.UsageError: for options that are of comparisons of systems.
    """
    from dataclasses import asdict

    from referenceless_metrics.core.files.output import FOR_READERS, write_rows
    from referenceless_metrics.human_evaluation.commands.conditions import readings_of
    from referenceless_metrics.human_evaluation.scores.meta_evaluation import (
        TooFewSystemsError,
        judge_scores,
        ratings_for,
    )
    from referenceless_metrics.human_evaluation.scores.meta_output import (
        meta_basis,
        meta_for_paper,
        meta_headline,
        meta_lines,
        meta_note,
        meta_rows,
    )

    for name in ("bad", "fail_if_worse", "every_look", "unpaired", "all_pairs"):
        if options[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} compares systems, and --ratings judges scores")
    readings = readings_of([_files_of(options), options["rated_files"]], options["reading"])
    options = {**options, "reading": readings[0]}
    scores = _read(options, are_judged=True)
    named = {kind: options[f"{kind}_column"] for kind in _OF_RATINGS}
    named["item"] = named["item"] or scores.item_column or None
    asked: Record = {"ratings": tuple(options["rating_columns"]), "words": options["words"]}
    reading = replace(readings[1], error_weights=options["mqm_weights"])
    ratings = ratings_for(scores, _files_of(options), options["rated_files"], named, reading, **asked)
    if options["cluster_column"] is not None and scores.is_single and "cluster" not in ratings.frame:
        _read(options)  # neither file has the column: the error names those that are there
    scores = _of_rated_systems(scores, ratings, options)
    tell(scores.assumed)
    try:
        found = judge_scores(scores, ratings)
    except TooFewSystemsError as error:
        raise InputError(f"{error}; {_on_outputs(options)}") from None
    level = options["level"]
    lines = [*meta_lines(found, level), meta_for_paper(found, level)]
    summary: Record = {"pairs": [asdict(pair) for pair in found.pairs], "findings": lines}
    rows = meta_rows(found, for_readers=format in FOR_READERS)
    paper: Record = {"basis": meta_basis(found), "note": meta_note(found, level)}
    write_rows(rows, summary, format, output, lines=["", *lines], headline=meta_headline(found, level), **paper)


def _of_rated_systems(scores: ScoreTable, ratings: RatingTable, options: Record) -> ScoreTable:
    """Return scores of systems that are called as their files, or by further ends, with the names of the ratings."""
    from referenceless_metrics.core.files.names import alike_but_for_ends, alike_told, file_names
    from referenceless_metrics.human_evaluation.commands.judged_joins import systems_in

    known = systems_in(ratings.frame)
    if alike := alike_but_for_ends(scores.systems, known):
        systems = tuple(alike.get(name, name) for name in scores.systems)
        return replace(scores, systems=systems, assumed=(*scores.assumed, alike_told(alike)))
    files = _files_of(options)
    if list(scores.systems) != file_names(files):
        return scores
    called = _systems_of_files(scores, files, known)
    if called in ([], list(scores.systems)):
        return scores
    pairs = zip(scores.systems, called, strict=True)
    note = f"files are of the rated systems: {', '.join(f'{file} of {name}' for file, name in pairs)} (--name)"
    return replace(scores.with_systems(called), assumed=(*scores.assumed, note))


def _systems_of_files(scores: ScoreTable, files: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the rated system that each file is called as among the files of its score; none if one is not, or two are.

    Args:
        scores: the scores of one system in each file.
        files: the files, in the order of these systems.
        known: the rated systems.
    """
    from referenceless_metrics.core.files.names import file_names
    from referenceless_metrics.human_evaluation.commands.judged_joins import system_called

    called: dict[str, str] = {}
    for has_row in scores.has_row.values():
        of_score = [file for file, of_file in zip(files, has_row, strict=True) if of_file.any()]
        systems = [system for name in file_names(of_score) if (system := system_called(name, known)) is not None]
        if len(set(systems)) < len(of_score):
            return []
        pairs = dict(zip(of_score, systems, strict=True))
        if any(called.get(file, system) != system for file, system in pairs.items()):
            return []
        called |= pairs
    return [called[file] for file in files] if called.keys() == set(files) else []


def _on_outputs(options: Record) -> str:
    """Return the command that says how scores agree with ratings of the outputs of few systems."""
    files = [("--scores", file) for file in options["score_files"]]
    files += [("--ratings", file) for file in options["rated_files"]]
    columns = [("--score-column", name) for name in options["score_columns"]]
    columns += [("--rating-column", name) for name in options["rating_columns"]]
    kinds = [(f"--{kind}-column", options[f"{kind}_column"]) for kind in _OF_RATINGS]
    columns += [(option, part) for option, name in kinds if name is not None for part in names_in(name)]
    line = shlex.join(str(word) for pair in (*files, *columns) for word in pair)
    return f"for any number of systems, `referenceless evaluate {line}` says how scores agree with ratings of outputs"


def _tell_one_system(scores: ScoreTable, options: Record, format: str, output: str | None) -> None:
    """Write the means of one system's scores, and the items of the worst ones."""
    from referenceless_metrics.core.files.output import write_rows
    from referenceless_metrics.human_evaluation.scores.one_system import (
        ALONE,
        MOST_ITEMS,
        SIDE_BY_SIDE,
        may_be_of_one_metric,
        mean_rows,
        worst_lines,
    )

    tell(scores.assumed)
    alone = ALONE if options["squad"] or not may_be_of_one_metric(scores.columns) else f"{ALONE} {SIDE_BY_SIDE}"
    rows = mean_rows(scores, options["level"])
    outputs = [f"--worst {MOST_ITEMS} shows the outputs of the worst scores."] if scores.texts else []
    lines = [*worst_lines(scores), *outputs, *scores.notes]
    summary: Record = {"level": options["level"], "findings": [alone, *lines], "assumed": list(scores.assumed)}
    write_rows(rows, summary, format, output, lines=lines, headline=alone, transpose=options["transpose"])


def tell_worst(scores: ScoreTable, options: Record, format: str, output: str | None) -> None:
    """Write the worst scores of all systems."""
    from referenceless_metrics.core.files.output import FOR_READERS, write_rows
    from referenceless_metrics.human_evaluation.scores.output import on_untold_of
    from referenceless_metrics.human_evaluation.scores.worst import worst_scores

    tell(scores.assumed)
    rows, lines = worst_scores(scores, options["worst"])
    if format in FOR_READERS and len(scores.systems) == 1:
        rows = [{name: cell for name, cell in row.items() if name != "system"} for row in rows]
    headline, *others = lines
    others += [*on_untold_of(sorted(scores.untold)), *scores.notes]
    summary: Record = {"findings": [headline, *others], "assumed": list(scores.assumed)}
    wrapped = [name for name in ("item", "text") if rows and name in rows[0]]
    write_rows(rows, summary, format, output, lines=["", *others], headline=headline, wrapped=wrapped)


def _findings(scores: ScoreTable, options: Record) -> Findings:
    from referenceless_metrics.human_evaluation.scores.findings import compare_scores

    return compare_scores(
        scores,
        baseline=options["baseline"],
        level=options["level"],
        margin=options["margin"],
        unpaired=options["unpaired"],
        scale=options["scale"],
        looks=looks_of(options),
        all_pairs=options["all_pairs"],
    )


def _files_of(options: Record) -> list[str]:
    """Return the files of scores, in place of a folder of them."""
    from referenceless_metrics.human_evaluation.exports.mt_metrics_eval import files_of_segments

    return [each for file in options["score_files"] for each in files_of_segments(file)]


def _read(options: Record, *, are_judged: bool = False) -> ScoreTable:
    from referenceless_metrics.human_evaluation.exports.spans import MQM_WEIGHTS
    from referenceless_metrics.human_evaluation.scores.table import read_scores

    files = _files_of(options)
    check_named(files, options["names"])
    return read_scores(
        files,
        score_columns=options["score_columns"],
        words=options["words"],
        mqm_weights=options["mqm_weights"] or MQM_WEIGHTS,
        names=options["names"],
        lower_is_better=options["lower_is_better"],
        reading=options["reading"],
        unpaired=options["unpaired"],
        are_judged=are_judged,
        squad=options["squad"],
        **{f"{name}_column": options[f"{name}_column"] for name in _COLUMNS},
    )


def _judged(each: Difference, level: float) -> Judged:
    """Return a gate's input: the difference that is above 0 if the system is better."""
    gain = each.gain
    named: Record = {
        "system": f"{each.system} ({each.column})",
        "baseline": each.baseline,
        "value": gain.estimate.value,
        "lower_is_better": each.lower_is_better,
        "shown": None if each.estimates_ratings else each.shown(level),
        "coverage": each.coverage,
    }
    if gain.is_equal or gain.one_sided is None:
        return Judged(**named, interval=gain.interval_at, is_equal=gain.is_equal, obstacle=gain.reason)
    return Judged(**named, interval=gain.bounds_at, one_sided=gain.one_sided, p_of_finding=each.p_adjusted)


def is_of_scores(options: Record) -> bool:
    """Whether a command line asks to compare scores; it then names no outputs.

    Raises:
        click.UsageError: if it names both, or neither.
    """
    if bool(options["score_files"]) == bool(options["systems"]):
        expected = "give the outputs of systems, or --scores FILE" + (", and not both" if options["systems"] else "")
        raise click.UsageError(expected)
    return bool(options["score_files"])
