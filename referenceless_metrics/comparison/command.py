"""The commands `compare` and `report`: systems by any metric, as a table or as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from click.core import ParameterSource

from referenceless_metrics.assessment.few_different import few_different_of
from referenceless_metrics.assessment.near_copies import near_copy_notes
from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.baselines import LOWER_IS_BETTER, baseline, tokenisation_notes
from referenceless_metrics.command_line.cluster_files import is_cluster_file
from referenceless_metrics.command_line.gating import warning_of
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import (
    ADVICE,
    ChosenMetrics,
    MetricCommand,
    any_metric_option,
    values_of,
)
from referenceless_metrics.command_line.output_options import (
    TRANSPOSE,
    Output,
    Writer,
    output_options_of,
    plot_option,
    progress_option,
)
from referenceless_metrics.command_line.proposing import FilesUsageError
from referenceless_metrics.command_line.rated_text_options import SCALE
from referenceless_metrics.command_line.references_and_sources import (
    COLUMNS_BESIDE,
    REFERENCES,
    SOURCES,
    WITH,
    Items,
    check_sources_given,
    read_sources,
    reference_streams,
    streams_of,
)
from referenceless_metrics.command_line.system_files import SYSTEM_NAMES, SystemFiles
from referenceless_metrics.command_line.text_options import COLUMN, item_option, system_input_options
from referenceless_metrics.comparison.output import COMPARISON_FORMATS
from referenceless_metrics.comparison.significance import ALL_METRICS, FAMILIES, Significance, significance_of
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import write
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.special_tokens import special_token_notes
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table, read_texts
from referenceless_metrics.core.metric import least_coverage_of
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.commands.gates import Gate, Judged, judge, without_values
from referenceless_metrics.human_evaluation.commands.rating_options import (
    COLUMNS,
    ERROR_WEIGHTS,
    PLAIN_RATINGS_TEXT_COLUMN,
    RATING_COLUMNS,
    VALUES,
    rating_columns,
)
from referenceless_metrics.human_evaluation.commands.score_files import (
    SCORE_FILE_OPTIONS,
    check_worst,
    compare_score_files,
    is_of_scores,
    score_file_options,
    tell_worst,
    write_findings,
)
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference
from referenceless_metrics.human_evaluation.inference.one_sided import FEWEST_FOR_BOUNDS, ends_of
from referenceless_metrics.human_evaluation.wording.phrases import listed

if TYPE_CHECKING:
    from referenceless_metrics.comparison.comparison import Comparison
    from referenceless_metrics.comparison.segments import Measure
    from referenceless_metrics.core.metric import Metric
    from referenceless_metrics.core.registry import MetricSpec
    from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
    from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns
    from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable
    from referenceless_metrics.human_evaluation.scores.table import ScoreTable
    from referenceless_metrics.human_evaluation.system_table import Segments


ALL_PAIRS = click.Option(
    ["--all-pairs"],
    is_flag=True,
    help="Test all pairs of systems; not only those with the baseline.",
)

#: Options of a comparison beside the systems: references, sacrebleu's metrics, and the test's shuffles.
test_options = adding(
    WITH,
    REFERENCES,
    COLUMNS_BESIDE[0],
    SYSTEM_NAMES,
    Rare(
        ["--n-samples"],
        type=click.IntRange(min=1),
        default=10_000,
        help="Shuffles of the paired test, by approximate randomisation.",
    ),
    ALL_PAIRS,
)


class _SeveralMetrics(MetricCommand):
    several = True
    takes_corpus_metrics = True


@click.command(
    cls=_SeveralMetrics,
    epilog="Example: referenceless compare --metric fluency baseline.txt ours.txt",
)
@click.argument("systems", cls=SystemFiles, unless="score_files")
@score_file_options
@any_metric_option
@test_options
@output_options_of(COMPARISON_FORMATS)
@adding(
    ADVICE,
    SOURCES,
    COLUMNS_BESIDE[1],
    TRANSPOSE,
    Rare(
        ["--correct-over"],
        type=click.Choice(FAMILIES),
        default=ALL_METRICS,
        help="Tests that Holm's correction counts together.",
    ),
)
@system_input_options
@progress_option
@plot_option("scores with their intervals")
def compare(
    chosen: ChosenMetrics,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    n_samples: int,
    format: str,
    output: str | None,
    plot: str | None,
    **options: Any,
) -> Writer | None:
    """Compare systems by a metric, with intervals and p-values.

    SYSTEMS are files with outputs for the same inputs (others: --unpaired), the baseline first: .txt (a text a line) or
    tables, in one order or paired by --item-column; or one table (--system-column, or a --text-column for each).

    Shown are score, coverage, 95% confidence interval and p against the baseline, on the segments that the metric
    covers for all systems; --metric may be repeated, and p is corrected for all tests (Holm). BLEU, chrF and TER, which
    read any language, stand alone by --metric bleu, or beside another metric (--with). With --cluster-column,
    segments of one document count as dependent. Pairs without the baseline are tested with --all-pairs. rouge_lm
    takes its z-scores over all systems together. A page (-o x.html) is that of `report`.

    With --scores, the files hold scores that any tool wrote: paired differences with intervals, corrected for their
    number.
    """
    are_scores = is_of_scores({**options, "systems": systems})
    _check_options_used(options, are_scores=are_scores, is_metric_named=chosen.is_asked_for)
    if are_scores:
        scores = {name: options[name] for name in SCORE_FILE_OPTIONS}
        given = {name: options[name] for name in ("names", "reading", "transpose", "all_pairs")}
        compare_score_files({**scores, **given}, format, output, plot)
        return None
    if options["worst"] is not None:
        check_worst(options, plot)
        tell_worst(_scores(chosen, systems, options), options, format, output)
        return None
    if options["unpaired"] or options["bad"] is not None:
        write_findings(_scores(chosen, systems, options), options, format, output, plot)
        return None
    asked = _read_asked(chosen, systems, others, references, sources, options)
    with without_values(asked=options["fail_if_worse"]):
        measures = _measures(asked, n_samples, all_pairs=options["all_pairs"])
    comparisons = [measure.comparison for measure in measures if measure.comparison is not None]
    significance = significance_of(comparisons, options["correct_over"])
    gate = _gate(comparisons, asked, significance, options) if options["fail_if_worse"] else None
    if plot is not None:
        from referenceless_metrics.comparison.plots import plot_comparisons

        plot_comparisons(comparisons, plot)

    def written(format: str, output: str | None) -> None:
        if format == "html":
            from referenceless_metrics.comparison.page import systems_page

            of_page: Record = {
                "inputs": asked.inputs,
                "files": _words_of_outputs(systems, options["reading"]),
                "significance": significance,
                "gate": gate,
            }
            page = systems_page(asked.systems, measures, **of_page)
            write(page, output)
        else:
            from referenceless_metrics.comparison.output import write_comparisons

            how: Record = {"significance": significance, "gate": gate, "transpose": options["transpose"]}
            write_comparisons(comparisons, format, output, of_outputs=asked.notes, **how)
        if gate is not None:
            gate.leave()

    return written


_OF_BOTH = frozenset(("system_column", "item_column", "cluster_column", "fail_if_worse", "worst"))
"""Options of scores that outputs take, too."""

_OF_A_GATE = frozenset(("margin", "level", "min_coverage"))
"""Options of scores that outputs take with --fail-if-worse."""

_APART = frozenset(
    (
        "unpaired",
        "system_column",
        "fail_if_worse",
        "margin",
        "level",
        "min_coverage",
        "scale",
        "baseline",
        "bad",
        "worst",
    )
)
"""Options of scores that outputs for inputs of their own take."""

_OF_SHARES = frozenset((*_OF_BOTH, "margin", "level", "min_coverage", "baseline", "bad"))
"""Options of scores that outputs for the same inputs take with --bad."""

_OF_OUTPUTS = (
    "--text-column",
    "--system-column",
    "--item-column",
    "--name",
    "--input-format",
    "--encoding",
    "--delimiter",
    "--columns",
    "--sheet",
    "--rows-in",
    "--sources",
    "--source-column",
)
"""Options that say how outputs are read, of `sample` as of a comparison."""

_BESIDE = ("references", "reference_columns", "sources", "source_column")
"""Options of what stands beside outputs."""

_OF_SAME_INPUTS = (
    "references",
    "reference_columns",
    "sources",
    "others",
    "n_samples",
    "all_pairs",
    "correct_over",
    "item_column",
)
"""Options of outputs for the same inputs."""

_OF_MEANS = (*_BESIDE, "others", "n_samples", "all_pairs", "correct_over")
"""Options of outputs whose means are compared, and not shares of bad ones."""

_OF_TEXTS = ("text_columns", "others", *_BESIDE, "n_samples", "correct_over")
"""Options of outputs alone."""


def _check_options_used(options: Record, *, are_scores: bool, is_metric_named: bool) -> None:
    """Check that each option that was typed applies to this comparison.

    Raises:
        click.UsageError: naming the option that does not apply, and the comparison that takes it.
    """
    context = click.get_current_context()
    typed = {
        str(option.name): option.opts[0]
        for option in context.command.params
        if option.name and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    }
    if are_scores:
        unused = [typed[name] for name in _OF_TEXTS if name in typed] + (["--metric"] if is_metric_named else [])
        if unused:
            raise click.UsageError(f"{unused[0]} is for outputs, and --scores are compared as they are: leave it out")
        return
    if options["unpaired"]:
        unused = [typed[name] for name in _OF_SAME_INPUTS if name in typed]
        if unused:
            raise click.UsageError(
                f"{unused[0]} is of outputs for the same inputs, and --unpaired is of those for others: leave one out"
            )
    if options["bad"] is not None and options["scale"] is not None:
        raise click.UsageError("--scale is of scores, and --bad compares shares, from 0 to 1: leave one of them out")
    if options["worst"] is not None and not options["unpaired"]:
        unused = [typed[name] for name in _OF_MEANS if name in typed]
        if unused:
            with_references = unused[0] in ("--references", "--reference-columns")
            beside = _worst_by_references(f"{unused[0]} …") if with_references else ""
            raise click.UsageError(f"--worst shows single outputs, and {unused[0]} is of means: leave one out{beside}")
    if options["bad"] is not None and not options["unpaired"]:
        unused = [typed[name] for name in _OF_MEANS if name in typed]
        if unused:
            raise click.UsageError(
                f"{unused[0]} is of the mean of a metric, and --bad compares shares of bad outputs: leave one out, or "
                "score each system (referenceless score FILE … -o scores.csv), and compare --scores … --bad"
            )
    if options["fail_if_worse"] and options["all_pairs"]:
        raise click.UsageError("--fail-if-worse judges systems beside the baseline alone: leave out --all-pairs")
    taken = _OF_BOTH | (_OF_A_GATE if options["fail_if_worse"] else frozenset())
    taken |= {"scale"} if options["fail_if_worse"] and options["cluster_column"] is not None else frozenset()
    taken = _OF_SHARES if options["bad"] is not None else taken
    taken = _APART if options["unpaired"] else taken
    unused = [typed[name] for name in SCORE_FILE_OPTIONS if name in typed and name not in taken]
    if unused and unused[0] in ("--margin", "--level", "--min-coverage"):
        raise click.UsageError(f"{unused[0]} of outputs is that of their gate: add --fail-if-worse")
    if "--ratings" in unused:
        raise click.UsageError(
            "--ratings is read with --scores: `referenceless report` shows ratings beside metrics of the outputs "
            "(report SYSTEMS --ratings FILE, with the same options); to hold a metric against ratings, score the "
            "outputs (referenceless score FILE … -o scores.csv), and give compare --scores scores.csv --ratings FILE"
        )
    if "--baseline" in unused:
        raise click.UsageError("--baseline is of --scores: of outputs, the baseline is the first system")
    if unused:
        raise click.UsageError(
            f"{unused[0]} is read with --scores: score the outputs first (referenceless score FILE … -o scores.csv), "
            f"and give compare --scores scores.csv … {unused[0]}"
        )


def _words_of_outputs(files: Sequence[str], reading: Reading) -> list[str]:
    """Return the words by which a command line names the systems' outputs: their files, and the options typed for them.

    A column of items does not go with a column of outputs for each system.
    """
    typed = list(click.get_current_context().find_root().obj or ())
    several = len(values_of(typed, "--text-column")) > 1
    named = [option for option in _OF_OUTPUTS if not (several and option == "--item-column")]
    words = [word for option in named for value in values_of(typed, option) for word in (option, value)]
    return [*files, *words, *(word for condition in reading.where for word in ("--where", str(condition)))]


def _scores(chosen: ChosenMetrics, files: tuple[str, ...], options: Record) -> ScoreTable:
    """Return the scores of outputs, for inputs of their own or for the same ones, as scores of any tool are read."""
    scores_of = _scores_apart if options["unpaired"] else _scores_of_same_inputs
    return scores_of(chosen, files, options)


def _scores_apart(chosen: ChosenMetrics, files: tuple[str, ...], options: Record) -> ScoreTable:
    """Return the scores of outputs for inputs of their own, which `compare --scores --unpaired` would compare.

    Raises:
        click.UsageError: for a metric that reads references or sources, and columns of one table.
        InputError: as `read_outputs_apart`.
    """
    from referenceless_metrics.comparison.unpaired import read_outputs_apart, scores_of_outputs

    chosen.check(options)
    _check_systems_named(files, options)
    if len(options["text_columns"]) > 1:
        raise click.UsageError("--unpaired is for outputs for other inputs, and those of one row are for the same one")
    metrics = chosen.make(options)
    source_column = options["source_column"]
    _check_read_texts_alone(chosen, metrics, "--unpaired", has_sources=source_column is not None)
    of_columns = {"text_column": options["text_columns"][0], "system_column": options["system_column"]}
    of_columns["source_column"] = source_column
    named, items, sources = read_outputs_apart(files, options["names"], reading=options["reading"], **of_columns)
    notes = [*special_token_notes(named), *near_copy_notes(named)]
    of = list(zip(chosen.specs, metrics, strict=True))
    return replace(scores_of_outputs(named, of, items_of=items, sources=sources), assumed=tuple(notes))


def _scores_of_same_inputs(chosen: ChosenMetrics, files: tuple[str, ...], options: Record) -> ScoreTable:
    """Return the scores of outputs for the same inputs, which `compare --scores` would compare.

    Raises:
        click.UsageError: for one system only, and a metric that reads references or sources.
        InputError: for a file that cannot be read, is empty or has another number of texts.
    """
    from referenceless_metrics.comparison.comparison import check_systems
    from referenceless_metrics.comparison.unpaired import scores_of_outputs

    chosen.check(options)
    _check_systems_named(files, options)
    metrics = chosen.make(options)
    _check_read_texts_alone(chosen, metrics, "--bad" if options["worst"] is None else "--worst")
    segments = _read_systems(files, options)
    check_systems(segments.systems)
    notes = [*special_token_notes(segments.systems), *near_copy_notes(segments.systems)]
    notes += [f"{name}: {warning}" for name, warning in few_different_of(segments.systems, {}).items()]
    of = list(zip(chosen.specs, metrics, strict=True))
    scores = scores_of_outputs(segments.systems, of, are_paired=True, clusters=segments.clusters)
    return replace(scores, assumed=tuple(notes))


def _check_read_texts_alone(
    chosen: ChosenMetrics, metrics: Sequence[Metric], option: str, *, has_sources: bool | None = None
) -> None:
    """Check that metrics read neither references nor sources, which an option leaves out.

    Args:
        chosen: the metrics that were asked for.
        metrics: these metrics.
        option: the option.
        has_sources: whether a column of sources is named, for an option that takes one; None for an option that does
            not.

    Raises:
        click.UsageError: for one that does.
    """
    reading = [metric.name for metric in metrics if metric.needs_references]
    reading += chosen.of_corpus.values()
    of_sources = [metric.name for metric in metrics if metric.needs_sources]
    if has_sources is None:
        reading += of_sources
    elif of_sources and not has_sources:
        raise click.UsageError(f"{of_sources[0]} reads sources: name their column (--source-column NAME)")
    elif has_sources and not of_sources and not reading:
        raise click.UsageError(f"{metrics[0].name} reads no sources: leave out --source-column")
    if reading:
        kinds = "references or sources" if has_sources is None else "references"
        alone = "texts alone" if has_sources is None else "texts and their sources alone"
        if option == "--worst" and chosen.of_corpus:
            beside = _worst_by_references("--references FILE", next(iter(chosen.of_corpus.values())))
            raise click.UsageError(f"{reading[0]} reads {kinds}, and {option} reads {alone}{beside}")
        raise click.UsageError(
            f"{reading[0]} reads {kinds}, and {option} reads {alone}: score the outputs first (referenceless score "
            f"FILE … -o scores.csv), and give compare --scores scores.csv … {option}"
        )


def _worst_by_references(named: str, metric: str = "chrf") -> str:
    """Return in words the call that shows the worst outputs of a system by a metric that reads references.

    Args:
        named: the option that names the references.
        metric: the metric.
    """
    return (
        f"; the worst outputs of one system by references: referenceless score FILE --with {metric} {named} --worst 10 "
        f"--worst-by {metric}"
    )


def _gate(comparisons: Sequence[Comparison], asked: _Asked, significance: Significance, options: Record) -> Gate:
    """Return the verdicts that say whether the mean of a system is below the baseline's by any metric.

    A margin is in the unit of the first metric, and the others then take no part.
    """
    names = list(dict.fromkeys(name for comparison in comparisons for name in comparison.signatures))
    first = comparisons[0]
    least = options["min_coverage"]
    min_coverages = [least_coverage_of(metric) if least is None else least for _, metric in asked.metrics]
    margin = options["margin"]
    judged = _judged(first, significance, min_coverages[0], options["scale"])
    if margin is None:
        for comparison, of_metric in zip(comparisons[1:], min_coverages[1:], strict=True):
            judged += _judged(comparison, significance, of_metric, None)
        beside = [name for name in first.signatures if name != first.metric]
        judged += [each for name in beside for each in _tested(first, name, significance)]
    gated = [name for name in names if margin is None or name == first.metric]
    lower = " or ".join(name for name in gated if name not in LOWER_IS_BETTER)
    note = f"A lower {lower} is no finding about people: their ratings are for `human-score`."
    if margin is not None and len(names) > 1:
        others = listed([name for name in names if name != first.metric])
        note = f"This verdict is by {first.metric} alone, in whose unit --margin is, and not by {others}. {note}"
    if len(names) == 1 or margin is not None:
        judged = [replace(each, criterion="") for each in judged]
    return judge(judged, _figure_of(first), margin=margin, level=options["level"], note=note)


def _judged(
    result: Comparison, significance: Significance, least: float | None, scale: tuple[float, float] | None
) -> list[Judged]:
    """Return the differences of the compared metric's means as a gate judges them.

    Args:
        result: the comparison.
        significance: the findings beside the gate.
        least: least coverage for a verdict; None for any.
        scale: the ends of the metric's values; None if they are not known.
    """
    from referenceless_metrics.comparison.output import p_told

    first, *others = result.rows
    # The finding on a metric that estimates ratings rests on no test.
    starred = None if result.estimates_ratings else significance.starred[result.metric]
    lower_is_better = result.metric in LOWER_IS_BETTER
    judged = []
    for place, row in enumerate(others, start=1):
        difference = row.difference or Inference.unknown()
        if lower_is_better:
            difference = replace(difference, value=-difference.value, skewness=-difference.skewness)
        shown = None
        if starred is not None:
            shown = 0 if not starred[place] else 1 if difference.value > 0 else -1
        few = _too_few(result, result.metric) if row.difference is None else ""
        told: Record = {"shown": shown, "too_few": few, "coverage": row.paired_coverage, "min_coverage": least}
        told |= {"figure": _figure_of(result), "criterion": result.metric, "lower_is_better": lower_is_better}
        told["p_of_finding"] = p_told(row.results[result.metric].p_value, significance.of(result.metric, row.system))
        told["is_least_p"] = result.is_least_p(result.metric, row.results[result.metric].p_value)
        told["warning"] = warning_of(result.metric, result.verdict)
        each = Judged(row.system, first.system, difference.value, difference.interval, **told)
        bounds = row.one_sided
        if bounds is not None:
            nothing = np.zeros(0)
            bounds = bounds if scale is None else replace(bounds, ends=ends_of(nothing, nothing, scale))
            is_equal = bounds.estimate.standard_error == 0
            each = replace(each, interval=bounds.bounds, one_sided=bounds, is_equal=is_equal)
        judged.append(each)
    return judged


def _figure_of(result: Comparison) -> str:
    """Return what is compared by a comparison's metric, in words."""
    return f"The mean {result.metric}" if result.is_mean(result.metric) else result.metric


def _too_few(result: Comparison, name: str) -> str:
    if result.n_clusters:
        return f"{result.n_clusters} clusters, and {FEWEST_FOR_BOUNDS} are needed"
    return f"{result.n_compared(name)} segments, and {FEWEST_FOR_INTERVAL} are needed"


def _tested(result: Comparison, name: str, significance: Significance) -> list[Judged]:
    """Return the differences of a metric beside the compared one, which are judged by their p."""
    first, *others = result.rows
    sign = -1 if name in LOWER_IS_BETTER else 1
    judged = []
    for row, is_shown in zip(others, significance.starred[name][1:], strict=True):
        value = sign * (row.results[name].score - first.results[name].score)
        p_value = row.results[name].p_value
        told: Record = {"figure": name, "criterion": name, "p_value": p_value}
        told["is_least_p"] = result.is_least_p(name, p_value)
        told["shown"] = 0 if not is_shown else 1 if value > 0 else -1
        told |= {"lower_is_better": sign < 0, "too_few": _too_few(result, name)}
        judged.append(Judged(row.system, first.system, value, Inference.unknown().interval, **told))
    return judged


@click.command(
    cls=_SeveralMetrics,
    epilog="Example: referenceless report --metric fluency baseline.txt ours.txt -o report/",
)
@click.argument("systems", cls=SystemFiles, required=True)
@click.option(
    "-o",
    "--output",
    cls=Output,
    writes=("index.html",),
    required=True,
    metavar="PLACE",
    help="Page to write, which ends in .html, or a folder for index.html.",
)
@any_metric_option
@adding(
    ADVICE,
    click.Option(
        ["--ratings"],
        type=click.Path(),
        help="Table of people's ratings of outputs, or a study's folder, as for `human-score`; without texts "
        "ratings find their outputs by item and system.",
    ),
    RATING_COLUMNS,
    PLAIN_RATINGS_TEXT_COLUMN,
    Rare(["--rater-column"], type=COLUMN, help="Column of --ratings with who rated."),
    COLUMNS,
    VALUES,
    ERROR_WEIGHTS,
    SCALE,
    Rare(["--groups"], type=click.Path(), help="File with a group, such as a topic, for each segment: a line each."),
    Rare(["--system-column"], type=COLUMN, help="Column with the system, of one table with all systems' outputs."),
    item_option(
        "Column with the item  [default: item in such a table, if there is one; else rows are paired by place]"
    ),
    Rare(
        ["--cluster-column"],
        type=COLUMN,
        help="Column of outputs, or of ratings of .txt files, with what segments lie in, such as a document; or a "
        "file of lines.",
    ),
)
@test_options
@adding(SOURCES, COLUMNS_BESIDE[1])
@system_input_options
@progress_option
def report(
    chosen: ChosenMetrics,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    n_samples: int,
    output: str,
    ratings: str | None,
    scale: tuple[float, float] | None,
    groups: str | None,
    **options: Any,
) -> None:
    """Write a report on systems as one page of HTML.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first. Tables in
    another order are paired by --item-column.

    The page compares them by any metrics (--metric may be repeated; the first leads), draws the results, and lists all
    segments side by side, the largest differences first, with explanations. It opens from disk and needs no network.
    With --ratings it also compares people's ratings of the systems, and shows estimates against ratings.
    """
    from referenceless_metrics.comparison.measuring import clusters_of_ratings, with_ratings
    from referenceless_metrics.comparison.page import systems_page
    from referenceless_metrics.human_evaluation.commands.conditions import all_have, conditions_on_outputs
    from referenceless_metrics.pages.rendering import write_page

    reading: Reading = options["reading"]
    of_table = Reading(error_weights=reading.error_weights, words=reading.words)
    in_ratings: str | None = None  # the column of clusters, if the ratings have it
    item_column: str | None = options["item_column"]
    if ratings is not None and all(Path(file).suffix == ".txt" for file in systems):
        # Lines of text have no columns: what is said of columns can only be meant for the ratings.
        of_table = replace(of_table, where=reading.where, rows_in=reading.rows_in, questions=reading.questions)
        options["reading"] = replace(reading, where=(), rows_in=None, questions=None)
        if not is_cluster_file(options["cluster_column"]):
            in_ratings, options["cluster_column"] = options["cluster_column"], None
        options["item_column"] = None
    elif ratings is not None:
        of_table = replace(of_table, where=tuple(each for each in reading.where if all_have([ratings], each, of_table)))
        of_outputs = conditions_on_outputs(systems, reading.where)
        where = tuple(each for each in reading.where if each in of_outputs or each not in of_table.where)
        options["reading"] = replace(reading, where=where)
    asked = _read_asked(chosen, systems, others, references, sources, options)
    of_ratings = {name: options[name] for name in ("rating_columns", "rater_column", "values")}
    if ratings is None and any(of_ratings.values()):
        raise click.UsageError("--rating-column, --rater-column and --values are of --ratings FILE: name it")
    of_groups = None if groups is None else read_texts(groups, text_column="group")
    if of_groups is not None and len(of_groups) != asked.n_segments:
        raise InputError(f"{groups} has {len(of_groups)} groups, but {systems[0]} has {asked.n_segments} texts")
    table = None
    if ratings is not None:
        of_ratings["columns_are"] = options["columns_are"]
        columns = rating_columns(of_ratings, text=options["ratings_text_column"], cluster=in_ratings)
        table = _ratings_of_outputs(ratings, columns, asked, item_column, reading=of_table, scale=scale)
        if in_ratings is not None:
            asked = replace(asked, clusters=clusters_of_ratings(table, asked.systems))
    measures = _measures(asked, n_samples, all_pairs=options["all_pairs"])
    parts: Record = {"measures": measures}
    if table is not None:
        of_page: Record = {"all_pairs": options["all_pairs"], "clusters": asked.clusters}
        parts |= with_ratings(table, asked.systems, measures, **of_page)
    page = systems_page(
        asked.systems,
        inputs=asked.inputs,
        groups=of_groups,
        files=_words_of_outputs(systems, options["reading"]),
        **parts,
    )
    click.echo(write_page(page, output))


def _ratings_of_outputs(
    source: str, columns: RatingColumns, asked: _Asked, item_column: str | None, *, reading: Reading, **how: Any
) -> RatingTable:
    """Return people's ratings of the outputs: of equal texts, or without texts of the items that both sides name.

    Args:
        source: the file of ratings, or a study's folder.
        columns: its columns.
        asked: the systems.
        item_column: the column of items, of both if both have it; None for `item`.
        reading: the way to read the ratings.
        how: further arguments of `read_rating_table`.

    Raises:
        InputError: for ratings that cannot be read, and those without texts if items do not tell their outputs.
    """
    from referenceless_metrics.human_evaluation.commands.judged_joins import (
        numbered_outputs,
        on_numbers,
        with_outputs,
    )
    from referenceless_metrics.human_evaluation.ratings.exports.answers import TEXT
    from referenceless_metrics.human_evaluation.ratings.output_column import with_output_column
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
    from referenceless_metrics.human_evaluation.ratings.system_ratings import called_as_outputs

    tables, columns, notes = with_output_column([source], columns, asked.systems, reading)
    tell(notes)
    read = [each for each in tables if isinstance(each, Table)]
    have_texts = columns.text is not None or len(read) < len(tables) or any(each.has_own(TEXT) for each in read)
    are_lines = asked.rows is None and asked.items is None  # a column of items can only be one of the ratings
    may_be_shared = not have_texts and item_column is not None and all(each.has_own(item_column) for each in read)
    if may_be_shared or (are_lines and item_column is not None):
        columns = replace(columns, item=item_column)  # else their column `item` counts, as in `evaluate`
    how |= {"alone": False, "clusters": asked.clusters is None, "reading": reading}
    table = called_as_outputs(read_rating_table(tables, columns, **how), asked.systems)
    if have_texts or table.are_preferences or "system" not in table.frame:
        return table
    items = asked.items_of(item_column)
    if are_lines:
        items = numbered_outputs(table, asked.n_segments, are_said=item_column is not None)
    if items is None or "item" not in table.frame:
        shared = [] if asked.rows is None else [name for name in asked.rows.columns if read[0].has_own(name)]
        both = f"; both have {listed(list(map(repr, shared)))}" if shared else ""
        of_lines = on_numbers(table, asked.n_segments, columns.item or "item") if are_lines else ""
        raise InputError(
            f"{source}: there is no column with the outputs by which ratings find those of {asked.systems[0][0]} "
            "(--ratings-text-column NAME), and no column of items in both files (--item-column NAME"
            f"{both}){of_lines and '; ' + of_lines}"
        )
    return with_outputs(table, asked.systems, items)


@dataclass(frozen=True)
class _Asked:
    """Systems and metrics that a command line names, read and made.

    Attributes:
        systems: names and outputs of the systems, the baseline first.
        clusters: the cluster of each segment; None if nobody named one.
        metrics: the metrics with their entries; None for one of sacrebleu's.
        others: names of the metrics with references beside the first.
        references: streams of references; None without.
        sources: one for each segment; None without.
        condition: the condition under which segments are paired rightly; "" for none.
        notes: notes on the outputs themselves, such as many that are near copies.
        items: the item of each segment, if the files were read by items; None else.
        rows: of one table of all systems, a row of each segment; None of files.
    """

    systems: Outputs
    clusters: list[str] | None
    metrics: list[tuple[MetricSpec | None, Metric]]
    others: tuple[str, ...]
    references: list[list[str]] | None
    sources: list[Any] | None
    condition: str = ""
    notes: Sequence[str] = ()
    items: Sequence[str] | None = None
    rows: Table | None = None

    def items_of(self, column: str | None) -> Sequence[str] | None:
        """Return the item of each segment, of one table by a column; None if nothing tells it.

        Args:
            column: the column of items; None for `item`, if there is one.

        Raises:
            InputError: for a named column that is not there, and a blank cell.
        """
        from referenceless_metrics.human_evaluation.system_table import names_in_column

        if self.items is not None or self.rows is None:
            return self.items
        if column is None and not self.rows.has_own("item"):
            return None
        return names_in_column(self.rows, column or "item", "--item-column")

    @property
    def n_segments(self) -> int:
        """Number of texts of each system."""
        return len(self.systems[0][1])

    @property
    def inputs(self) -> Record:
        """The segments' sources and references, as a page shows them."""
        references = None if self.references is None else list(zip(*self.references, strict=True))
        return {"sources": self.sources, "references": references}


def _read_asked(
    chosen: ChosenMetrics,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    options: Record,
) -> _Asked:
    """Read the files that a command line names, and make its metrics.

    Raises:
        click.UsageError: for one system only, or missing references.
        InputError: for a file that cannot be read, is empty or has another number of texts.
    """
    from referenceless_metrics.comparison.comparison import check_systems
    from referenceless_metrics.comparison.corpus_metrics import CorpusMetric

    chosen.check(options)
    _check_systems_named(systems, options)
    reading = [*(spec.name for spec in chosen.specs if spec.needs_references), *chosen.of_corpus.values()]
    others = tuple(name for name in others if name not in chosen.of_corpus.values())
    of_columns = options["reference_columns"]
    if (reading or others) and not references and not of_columns:
        raise click.UsageError(
            f"{', '.join([*reading, *others])} needs references: give --references FILE, or --reference-columns NAME, "
            "of the baseline's table"
        )
    source_column = options["source_column"]
    takes_references, takes_sources = bool(of_columns) and not references, bool(source_column) and not sources
    has_one_table = options["system_column"] is not None or len(options["text_columns"]) > 1
    of_baseline = None
    if (takes_references or takes_sources) and not has_one_table:
        of_baseline = _table_of_baseline(systems[0], options)
    in_table: Record = {}
    if options["system_column"] is not None:
        in_table["source_column"] = source_column if takes_sources else None
        in_table["reference_columns"] = of_columns if takes_references else ()
    segments = _read_systems(systems, options, **in_table)
    of_baseline = of_baseline or segments.rows
    items = None if segments.items is None else Items(segments.item_column, segments.items)
    named, clusters = segments.systems, segments.clusters
    check_systems(named)
    notes = [*special_token_notes(named), *near_copy_notes(named)]
    notes += _on_empty_outputs(named) if chosen.of_corpus or others else []
    if (references or of_columns) and not (reading or others):
        notes.append(
            "no metric that was asked for reads the references: --with bleu,chrf compares by them, too, and --metric "
            "bleu --metric chrf by them alone"
        )
    n = len(named[0][1])
    of = f"{systems[0]} (the baseline)"
    if of_baseline is not None and takes_references:
        streams: list[list[str]] | None = streams_of(of_baseline, of_columns, n, of)
    else:
        how: Record = {"columns": of_columns, "every_text": bool(reading), "items": items}
        streams = reference_streams(references, n, of, **how) or None
    for name, texts in named:
        notes += tokenisation_notes(name, texts, chain.from_iterable(streams or ()))
    tell(notes)
    if of_baseline is not None and takes_sources:
        inputs: list[Any] | None = of_baseline.column(source_column, "--source-column")
    else:
        inputs = read_sources(systems[0], n, sources, source_column, items)
    metrics: list[tuple[MetricSpec | None, Metric]] = list(zip(chosen.specs, chosen.make(options), strict=True))
    for _, metric in metrics:
        if metric.needs_sources:
            check_sources_given(metric, inputs)
    for place, name in chosen.of_corpus.items():
        metrics.insert(place, (None, CorpusMetric(name)))
    told: Record = {"items": segments.items, "rows": segments.rows}
    return _Asked(named, clusters, metrics, others, streams, inputs, segments.condition, notes, **told)


def _on_empty_outputs(systems: Outputs) -> list[str]:
    """Return a note on empty outputs, of which metrics with references do not abstain, in a list; none without any."""
    empty = {name: sum(not text.strip() for text in texts) for name, texts in systems}
    counted = [f"{name} {empty[name]} of {len(texts)}" for name, texts in systems if empty[name]]
    return [f"empty outputs: {', '.join(counted)}; metrics with references count them as they are"] if counted else []


def _table_of_baseline(file: str, options: Record) -> Table:
    """Return the rows of the baseline's file, one of each input, whose columns hold references or sources.

    Raises:
        click.UsageError: for standard input, which is read once.
    """
    option, beside = ("--reference-columns", "--references")
    if not options["reference_columns"]:
        option, beside = ("--source-column", "--sources")
    if file == STDIN:
        raise click.UsageError(f"{option} is of a file, not of standard input: give {beside} FILE, too")
    return read_table(file, options["reading"])


def _measures(asked: _Asked, n_samples: int, *, all_pairs: bool) -> list[Measure]:
    """Compare the systems by each metric."""
    from referenceless_metrics.comparison.measuring import measured

    return measured(
        asked.systems,
        asked.metrics,
        references=asked.references,
        sources=asked.sources,
        others=[baseline(name) for name in asked.others],
        n_samples=n_samples,
        clusters=asked.clusters,
        all_pairs=all_pairs,
        condition=asked.condition,
    )


def _check_systems_named(systems: tuple[str, ...], options: Record) -> None:
    """Check that files and columns name two systems or more, in one form.

    Raises:
        click.UsageError: naming the missing option, or the options that do not go together.
    """
    has_columns = len(options["text_columns"]) > 1
    has_system_column = options["system_column"] is not None
    if has_columns and has_system_column:
        raise click.UsageError("give either --system-column with one --text-column, or a --text-column for each system")
    if len(systems) < 2 and not (has_columns or has_system_column):
        raise FilesUsageError(
            f"a comparison needs at least two systems, the baseline first; got only {systems[0]} (a table of several "
            "systems: name their column by --system-column, or the column of each by --text-column)"
        )
    if len(systems) > 1 and has_system_column:
        raise click.UsageError("--system-column is for one table with the outputs of all systems")
    if len(systems) > 1 and has_columns:
        raise click.UsageError("several --text-column are for one table with a column of outputs for each system")


def _read_systems(files: tuple[str, ...], options: Record, **beside: Any) -> Segments:
    """Return the systems' names and outputs, from a file each or from one table, with the clusters of segments.

    Args:
        files: the files, the baseline first.
        options: the options of the command.
        beside: the columns of sources and references of one table with a column of systems.
    """
    from referenceless_metrics.human_evaluation.system_table import systems_in_columns, systems_of_one_table
    from referenceless_metrics.human_evaluation.systems_in_files import systems_in_files

    first, *others = options["text_columns"]
    how: Record = {"reading": options["reading"], "cluster_column": options.get("cluster_column")}
    if others:
        return systems_in_columns(files[0], text_columns=(first, *others), **how)
    if options["system_column"] is not None:
        columns = {name: options[name] for name in ("system_column", "item_column")}
        return systems_of_one_table(files[0], text_column=first, **how, **columns, **beside)
    items = options["item_column"]
    return systems_in_files(files, options["names"], text_column=first, item_column=items, **how)
