"""The commands `compare` and `report`: systems by any metric, as a table or as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from metric_commons.cli.base import (
    REFERENCES,
    SOURCES,
    Output,
    adding,
    check_beside,
    check_sources_given,
    input_options,
    output_options_of,
    plot_option,
    progress_option,
    read_sources,
    reference_streams,
    system_names,
)
from metric_commons.cli.help import Rare
from metric_commons.cli.metric_options import MetricCommand, check_options, metric_from, metric_option
from metric_commons.files.text_io import read_texts
from metric_commons.metric import Metric
from metric_commons.registry import MetricSpec, imported
from metric_commons.systems.baselines import NAMES as OTHERS
from metric_commons.systems.baselines import baseline, canonical_name
from metric_commons.systems.comparison_output import COMPARISON_FORMATS

if TYPE_CHECKING:
    from metric_commons.integrations.sacrebleu import SacrebleuAdapter
    from metric_commons.systems.comparison import Comparison


def _others(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = []
    for part in (value or "").split(","):
        if part.strip():
            try:
                names.append(canonical_name(part))
            except ValueError:
                raise click.BadParameter(
                    f"expected metrics with references ({', '.join(OTHERS)}), but got {part.strip()!r}"
                ) from None
    return tuple(dict.fromkeys(names))


#: What a comparison needs beside the systems: references, sacrebleu's metrics, and the test.
test_options = adding(
    click.Option(
        ["--with", "others"],
        callback=_others,
        metavar="NAME,…",
        help=f"Metrics with references to put beside: {', '.join(OTHERS)}. They need --references.",
    ),
    REFERENCES,
    Rare(
        ["--paired-ar", "test"],
        flag_value="ar",
        default="ar",
        help="Test by approximate randomisation.  [default]",
    ),
    Rare(
        ["--paired-bs", "test"],
        flag_value="bs",
        help="Test by sacrebleu's paired bootstrap, which marks twice as many where nothing differs.",
    ),
    Rare(
        ["--n-samples", "--paired-ar-n", "--paired-bs-n"],
        type=click.IntRange(min=1),
        help="Shuffles or resamples  [default: 10000 for --paired-ar, 1000 for --paired-bs]",
    ),
)


@click.command(
    cls=MetricCommand,
    epilog="Example: referenceless compare --metric bleu_neighbors --pool pool.csv baseline.txt ours.txt "
    "--with bleu,chrf --references references.txt",
)
@click.argument("systems", nargs=-1, required=True)
@metric_option
@test_options
@output_options_of(COMPARISON_FORMATS)
@click.option("--width", "-w", cls=Rare, type=click.IntRange(0, 12), default=4, show_default=True, help="Decimals.")
@adding(SOURCES)
@input_options
@progress_option
@plot_option("each system's score with its interval")
def compare(format: str, width: int, output: str | None, plot: str | None, **options: Any) -> None:
    """Compare systems by a metric, with intervals and p-values.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first. Each is a
    .txt file (a line a text) or a table, such as .csv.

    Shown are score, coverage, 95% confidence interval and p against the baseline. Where systems are covered on
    different segments, the scores on those that are covered for all stand beside. rouge_lm takes its z-scores over
    all systems together. As HTML it is the page that `report` writes.
    """
    from metric_commons.files.output import write
    from metric_commons.systems.comparison_output import write_comparison

    result, page = _compared(**options)
    if plot is not None:
        from metric_commons.report.plots import plot_comparison

        plot_comparison(result, plot)
    if format == "html":
        write(page(), output)
    else:
        write_comparison(result, format, output, width=width)


@click.command(
    cls=MetricCommand,
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
@test_options
@adding(SOURCES)
@input_options
@progress_option
def report(output: str, **options: Any) -> None:
    """Write a report on systems as one page of HTML.

    SYSTEMS are files with outputs for the same inputs, in the same order: two or more, the baseline first.

    The page compares them by any metric, shows how its values are distributed, and lists all segments side by side,
    the largest differences first, with what explains them. It opens from disk and needs no network.
    """
    from metric_commons.report.rendering import write_page

    click.echo(write_page(_compared(**options)[1](), output))


def _compared(
    spec: MetricSpec,
    systems: tuple[str, ...],
    others: tuple[str, ...],
    references: tuple[str, ...],
    sources: str | None,
    test: str,
    n_samples: int | None,
    **options: Any,
) -> tuple[Comparison, Callable[[], str]]:
    """Return what a command line asks to compare, and a function that makes its page."""
    check_beside(spec, None, {"sources": sources})
    check_options(options)
    named, streams = read_systems(
        systems,
        references,
        needing=[*([spec.name] if spec.needs_references else []), *others],
        every_text=spec.needs_references,
        text_column=options["text_column"],
        input_format=options["input_format"],
        data_dir=options["data_dir"],
    )

    from metric_commons.systems.comparison import compare_systems

    metric = metric_from(options)
    inputs = read_sources(systems[0], len(named[0][1]), sources)
    check_sources_given(metric, inputs)
    adapter = in_sacrebleu(spec, metric, inputs)
    result = compare_systems(
        named, adapter, references=streams, others=list(map(baseline, others)), test=test, n_samples=n_samples or 0
    )
    place = spec.report or "metric_commons.report.systems:systems_page"
    return result, lambda: str(imported(place)(named, adapter, result, streams))


def in_sacrebleu(spec: MetricSpec, metric: Metric, sources: Sequence[Any] | None = None) -> SacrebleuAdapter:
    """Return a metric in its sacrebleu form: that of its entry, or the general one; `sources` are its segments'."""
    from metric_commons.integrations.sacrebleu import SacrebleuAdapter

    kind: type[SacrebleuAdapter] = spec.load("sacrebleu") if spec.sacrebleu else SacrebleuAdapter
    return kind(estimator=metric, sources=sources)


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
    systems = [(name, read_texts(file, **reading)) for name, file in zip(system_names(files), files, strict=True)]
    check_systems(systems)
    streams = reference_streams(references, len(systems[0][1]), f"{files[0]} (the baseline)", every_text=every_text)
    return systems, streams or None
