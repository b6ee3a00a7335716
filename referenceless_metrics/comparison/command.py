"""The commands `compare` and `report`: systems by any metric, as a table or as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.assessment.near_copies import near_copy_notes
from referenceless_metrics.command_line.base import (
    REFERENCES,
    SCALE,
    SOURCES,
    SYSTEM_NAMES,
    WITH,
    Output,
    SystemFiles,
    adding,
    check_sources_given,
    input_options,
    output_options_of,
    plot_option,
    progress_option,
    read_outputs,
    read_sources,
    reference_streams,
)
from referenceless_metrics.command_line.baselines import baseline
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import ADVICE, ChosenMetrics, MetricCommand, metric_option
from referenceless_metrics.comparison.output import COMPARISON_FORMATS
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.files.text_io import read_texts
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.commands.gates import Judged, leave_if_worse
from referenceless_metrics.human_evaluation.commands.score_files import (
    SCORE_FILE_OPTIONS,
    compare_score_files,
    is_of_scores,
    score_file_options,
)
from referenceless_metrics.human_evaluation.inference.estimated_means import Inference

if TYPE_CHECKING:
    from referenceless_metrics.comparison.segments import Measure
    from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs


#: What a comparison needs beside the systems: references, sacrebleu's metrics, and the test's shuffles.
test_options = adding(
    WITH,
    REFERENCES,
    SYSTEM_NAMES,
    Rare(
        ["--n-samples"],
        type=click.IntRange(min=1),
        default=10_000,
        help="Shuffles of the paired test, by approximate randomisation.",
    ),
)


@click.command(
    cls=MetricCommand,
    epilog="Example: referenceless compare --metric fluency baseline.txt ours.txt",
)
@click.argument("systems", cls=SystemFiles, unless="score_files")
@score_file_options
@metric_option
@test_options
@output_options_of(COMPARISON_FORMATS)
@adding(ADVICE, SOURCES)
@input_options
@progress_option
@plot_option("each system's score with its interval")
def compare(format: str, output: str | None, plot: str | None, **options: Any) -> None:
    """Compare systems by a metric, with intervals and p-values.

    SYSTEMS are files with outputs for the same inputs, in the same order, the baseline first: .txt files (a line a
    text) or tables, such as .csv.

    Shown are score, coverage, 95% confidence interval and p against the baseline, on the segments that the metric
    covers for all systems. rouge_lm takes its z-scores over all systems together. `report` writes a page.

    With --scores, what is compared are scores that any tool wrote: paired differences with intervals, corrected for
    their number.
    """
    of_scores = is_of_scores(options)
    scores = {name: options.pop(name) for name in SCORE_FILE_OPTIONS}
    if of_scores:
        compare_score_files({**scores, "reading": options["reading"]}, format, output, plot)
        return
    from referenceless_metrics.comparison.output import write_comparison

    result = _measured(**options)[1][0].comparison
    assert result is not None
    if plot is not None:
        from referenceless_metrics.comparison.plots import plot_comparison

        plot_comparison(result, plot)
    write_comparison(result, format, output)
    if scores["fail_if_worse"]:
        note = f"A lower {result.metric} is no finding about people: their ratings are for `human-score`."
        first, *others = result.rows
        means = [(row.system, row.difference or Inference.unknown()) for row in others]
        judged = [Judged(name, first.system, mean.value, mean.interval) for name, mean in means]
        of = f"The mean {result.metric}"
        leave_if_worse(judged, of, margin=scores["margin"], level=scores["level"], note=note)


class _ReportCommand(MetricCommand):
    several = True


@click.command(
    cls=_ReportCommand,
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
@metric_option
@adding(
    ADVICE,
    click.Option(
        ["--ratings"],
        type=click.Path(),
        help="Table of people's ratings of outputs, or a study's folder, as for `human-score`.",
    ),
    SCALE,
    Rare(["--groups"], type=click.Path(), help="File with a group, such as a topic, for each segment: a line each."),
)
@test_options
@adding(SOURCES)
@input_options
@progress_option
def report(
    output: str,
    ratings: str | None,
    scale: tuple[float, float] | None,
    groups: str | None,
    **options: Any,
) -> None:
    """Write a report on systems as one page of HTML.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first.

    The page compares them by any metrics (--metric may be repeated; the first leads), draws what they show, and lists
    all segments side by side, the largest differences first, with what explains them. It opens from disk and needs no
    network. With --ratings it says what people think of the systems, and shows estimates against ratings.
    """
    from referenceless_metrics.comparison.measuring import with_ratings
    from referenceless_metrics.comparison.page import systems_page
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
    from referenceless_metrics.pages.rendering import write_page

    named, measures, inputs = _measured(**options)
    n, files = len(named[0][1]), options["systems"]
    of_groups = None if groups is None else read_texts(groups, text_column="group")
    if of_groups is not None and len(of_groups) != n:
        raise InputError(f"{groups} has {len(of_groups)} groups, but {files[0]} has {n} texts")
    parts: Record = {"measures": measures}
    if ratings is not None:
        table = read_rating_table([ratings], scale=scale, alone=False)
        parts |= with_ratings(table, named, measures)
    click.echo(write_page(systems_page(named, inputs=inputs, groups=of_groups, files=files, **parts), output))


def _measured(
    chosen: ChosenMetrics,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    n_samples: int,
    **options: Any,
) -> tuple[Outputs, list[Measure], Record]:
    """Return the systems that a command line names, what it asks to measure, and their sources and references.

    Raises:
        click.UsageError: for one system only, or missing references.
        InputError: for a file that cannot be read, is empty or has another number of texts.
    """
    from referenceless_metrics.comparison.comparison import check_systems
    from referenceless_metrics.comparison.measuring import measured

    specs = chosen.specs
    chosen.check(options)
    if len(systems) < 2:
        raise click.UsageError(f"a comparison needs at least two systems, the baseline first; got only {systems[0]}")
    reading = [each.name for each in specs if each.needs_references]
    if (reading or others) and not references:
        raise click.UsageError(f"{', '.join([*reading, *others])} needs references: give --references FILE")
    named = read_outputs(systems, options)
    check_systems(named)
    tell(near_copy_notes(named))
    n, of = len(named[0][1]), f"{systems[0]} (the baseline)"
    streams = reference_streams(references, n, of, every_text=bool(reading)) or None
    inputs, metrics = read_sources(systems[0], n, sources), chosen.make(options)
    for metric in metrics:
        if metric.needs_sources:
            check_sources_given(metric, inputs)
    measures = measured(
        named,
        list(zip(specs, metrics, strict=True)),
        references=streams,
        sources=inputs,
        others=list(map(baseline, others)),
        n_samples=n_samples,
    )
    shown = {"sources": inputs, "references": None if streams is None else list(zip(*streams, strict=True))}
    return named, measures, shown
