"""The command `compare`: systems by any metric, as a table or as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from click.core import ParameterSource

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.baselines import LOWER_IS_BETTER
from referenceless_metrics.command_line.gating import warning_of
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import ADVICE, ChosenMetrics, MetricCommand, any_metric_option
from referenceless_metrics.command_line.output_options import (
    TRANSPOSE,
    Writer,
    output_options_of,
    plot_option,
    progress_option,
)
from referenceless_metrics.command_line.references_and_sources import COLUMNS_BESIDE, REFERENCES, SOURCES, WITH
from referenceless_metrics.command_line.system_files import SYSTEM_NAMES, SystemFiles
from referenceless_metrics.command_line.text_options import system_input_options
from referenceless_metrics.comparison.asked import Asked, measures_asked, read_asked, words_of_outputs
from referenceless_metrics.comparison.compare_scores import scores_asked, worst_by_references
from referenceless_metrics.comparison.output import COMPARISON_FORMATS
from referenceless_metrics.comparison.significance import ALL_METRICS, FAMILIES, Significance, significance_of
from referenceless_metrics.core.files.output import write
from referenceless_metrics.core.metric import least_coverage_of
from referenceless_metrics.core.results import FEWEST_FOR_INTERVAL
from referenceless_metrics.core.support.validation import Record
from referenceless_metrics.human_evaluation.commands.gates import Gate, Judged, judge, without_values
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


class SeveralMetrics(MetricCommand):
    """A command that takes several metrics, and those of whole corpora."""

    several = True
    takes_corpus_metrics = True


@click.command(
    cls=SeveralMetrics,
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
        tell_worst(scores_asked(chosen, systems, options), options, format, output)
        return None
    if options["unpaired"] or options["bad"] is not None:
        write_findings(scores_asked(chosen, systems, options), options, format, output, plot)
        return None
    asked = read_asked(chosen, systems, others, references, sources, options)
    with without_values(asked=options["fail_if_worse"]):
        measures = measures_asked(asked, n_samples, all_pairs=options["all_pairs"])
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
                "files": words_of_outputs(systems, options["reading"]),
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
            beside = worst_by_references(f"{unused[0]} …") if with_references else ""
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


def _gate(comparisons: Sequence[Comparison], asked: Asked, significance: Significance, options: Record) -> Gate:
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
    from referenceless_metrics.comparison.table_cells import p_told

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
