"""The commands `compare` and `report`: systems by any metric, as a table or as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.base import (
    REFERENCES,
    SCALE,
    SOURCES,
    SYSTEM_NAMES,
    WITH,
    Output,
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
from metric_commons.cli.gates import Judged, leave_if_worse
from metric_commons.cli.help import Rare
from metric_commons.cli.metric_options import (
    ADVICE,
    MetricCommand,
    brought_by,
    check_options,
    metric_option,
    metrics_from,
)
from metric_commons.cli.score_files import SCORE_FILE_OPTIONS, compare_score_files, is_of_scores, score_file_options
from metric_commons.files.text_io import read_texts
from metric_commons.registry import MetricSpec
from metric_commons.support.validation import InputError, Record
from metric_commons.systems.baselines import baseline
from metric_commons.systems.comparison_output import COMPARISON_FORMATS
from metric_commons.systems.inference import Inference

if TYPE_CHECKING:
    from metric_commons.systems.comparison import Comparison


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
@click.argument("systems", nargs=-1)
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
    covers for all systems. rouge_lm takes its z-scores over all systems together. As HTML it is the page that `report`
    writes.

    With --scores, what is compared are scores that any tool wrote: paired differences with intervals, corrected for
    their number.
    """
    of_scores = is_of_scores(options)
    scores = {name: options.pop(name) for name in SCORE_FILE_OPTIONS}
    if of_scores:
        compare_score_files(scores, format, output, plot)
        return
    from metric_commons.files.output import write
    from metric_commons.systems.comparison_output import write_comparison

    result, page = _compared(**options)
    if plot is not None:
        from metric_commons.report.plots import plot_comparison

        plot_comparison(result, plot)
    if format == "html":
        write(page(), output)
    else:
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
@click.argument("systems", nargs=-1, required=True)
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
    from metric_commons.report.rendering import write_page

    click.echo(write_page(_compared(**options)[1](ratings, scale, groups), output))


def _compared(
    spec: MetricSpec,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    n_samples: int,
    **options: Any,
) -> tuple[Comparison, Callable[..., str]]:
    """Return what a command line asks to compare, by the first metric, and a function that makes its page."""
    specs = [brought.spec for brought in brought_by(click.get_current_context())]
    check_options(options)
    named, streams = read_systems(
        systems,
        references,
        needing=[*(each.name for each in specs if each.needs_references), *others],
        every_text=any(each.needs_references for each in specs),
        text_column=options["text_column"],
        input_format=options["input_format"],
        data_dir=options["data_dir"],
    )

    from metric_commons.report.measuring import measured

    metrics = metrics_from(options)
    inputs = read_sources(systems[0], len(named[0][1]), sources)
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

    def page(ratings: str | None = None, scale: Any = None, groups: str | None = None) -> str:
        from metric_commons.report.measuring import with_ratings
        from metric_commons.report.systems import systems_page
        from metric_commons.systems.rating_files import read_rating_table

        n = len(named[0][1])
        of_groups = None if groups is None else read_texts(groups, text_column="group")
        if of_groups is not None and len(of_groups) != n:
            raise InputError(f"{groups} has {len(of_groups)} groups, but {systems[0]} has {n} texts")
        of_ratings: Record = {}
        if ratings is not None:
            columns = {**dict.fromkeys(("system", "item", "rater", "cluster", "estimates")), "rating": "rating"}
            table = read_rating_table([ratings], {**columns, "ratings_text": "text"}, scale=scale)
            of_ratings = with_ratings(table, named, measures)
        shown: Record = {"sources": inputs, "references": None if streams is None else list(zip(*streams, strict=True))}
        asked: Record = {"measures": measures, "inputs": shown, "groups": of_groups, "files": systems}
        return systems_page(named, **asked | of_ratings)

    comparison = measures[0].comparison
    assert comparison is not None
    return comparison, page


def read_systems(
    files: Sequence[str],
    references: Sequence[str],
    *,
    needing: Sequence[str] = (),
    every_text: bool = False,
    **reading: Any,
) -> tuple[list[tuple[str, list[str]]], list[list[str]] | None]:
    """Read the outputs of systems and their references.

    Args:
        files: one file a system, the baseline first.
        references: files of references.
        needing: the names of metrics that need references.
        every_text: whether each text must have one.
        reading: `text_column`, `input_format` and `data_dir` of the systems' files.

    Returns:
        Each system's name and texts, and the streams of references; None for none.

    Raises:
        click.UsageError: for one system only, or missing references.
        InputError: for a file that cannot be read, is empty or has another number of texts.
    """
    if len(files) < 2:
        raise click.UsageError(f"a comparison needs at least two systems, the baseline first; got only {files[0]}")
    if needing and not references:
        raise click.UsageError(f"{', '.join(needing)} needs references: give --references FILE")
    from metric_commons.systems.comparison import check_systems

    reading["format"] = reading.pop("input_format", None)
    systems = read_outputs(files, **reading)
    check_systems(systems)
    streams = reference_streams(references, len(systems[0][1]), f"{files[0]} (the baseline)", every_text=every_text)
    return systems, streams or None
