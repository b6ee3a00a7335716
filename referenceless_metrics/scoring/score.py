"""The command `score`: any metric on a file of texts."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.gating import min_coverage_option, warning_of
from referenceless_metrics.command_line.help import Rare
from referenceless_metrics.command_line.metric_command import ADVICE, ChosenMetrics, MetricCommand, metric_option
from referenceless_metrics.command_line.output_options import (
    is_file_to_write,
    output_options,
    plot_option,
    progress_option,
)
from referenceless_metrics.command_line.references_and_sources import (
    COLUMNS_BESIDE,
    REFERENCES,
    SOURCES,
    WITH,
    check_beside,
    check_sources_given,
    inputs_of,
)
from referenceless_metrics.command_line.text_options import INPUT, input_options, text_blocks
from referenceless_metrics.core.files.formats import START, Place
from referenceless_metrics.core.files.opening import STDIN
from referenceless_metrics.core.files.output import STREAMED
from referenceless_metrics.core.files.reading import cell_of, cell_text, tell
from referenceless_metrics.core.files.special_tokens import SpecialTokens
from referenceless_metrics.core.files.tables import BlockSize, Table
from referenceless_metrics.core.metric import explains_texts, least_coverage_of, verdict_of
from referenceless_metrics.core.registry import MetricSpec
from referenceless_metrics.core.results import MetricResult, RunningSummary
from referenceless_metrics.core.support.validation import Options, Record
from referenceless_metrics.human_evaluation.scores.columns import SYSTEM_NAMES
from referenceless_metrics.scoring.gate import LeastMean
from referenceless_metrics.scoring.rows import Blocks, Job, at_once, streaming_options, write_scores
from referenceless_metrics.scoring.summary import lines_of, result_lines, scores_by_references, write_with_summary


@click.command(
    cls=MetricCommand,
    epilog="Example: referenceless score outputs.txt --metric bleu_neighbors --pool pool.csv -o scores.csv",
)
@click.argument("file", type=INPUT)
@metric_option
@adding(ADVICE, WITH, REFERENCES, COLUMNS_BESIDE[0], SOURCES, COLUMNS_BESIDE[1])
@input_options
@output_options
@streaming_options
@adding(Rare(["--score-name"], metavar="NAME", help="What to call the column of scores  [default: as the metric]."))
@click.option(
    "--explain", is_flag=True, help="Underline the costliest word, name the likeliest fault; columns have both."
)
@click.option(
    "--worst",
    type=click.IntRange(min=1),
    metavar="N",
    help="Write the N lowest scores alone, worst first; with texts and likeliest faults.",
)
@adding(
    Rare(
        ["--worst-by"],
        metavar="NAME",
        help="The metric of --with whose worst scores --worst writes  [default: the metric that scores]",
    )
)
@click.option("--fail-under", type=float, metavar="VALUE", help="Exit 1 if the mean is below this.")
@adding(min_coverage_option("--fail-under"))
@plot_option("the texts of the lowest values, token by token, or each text's estimate with its interval")
@progress_option
def score(
    chosen: ChosenMetrics,
    file: str,
    others: tuple[str, ...],
    output: str | None,
    format: str,
    plot: str | None,
    worst: int | None,
    worst_by: str | None,
    fail_under: float | None,
    min_coverage: float | None,
    **options: Any,
) -> None:
    """Score texts.

    FILE holds the texts: a .txt file (one line per text) or a table (.csv, .tsv, .jsonl, .json, .parquet), - for
    standard input, or a data set such as huse:summarization with --data-dir.

    A metric that reads references, and those of --with, take them from files (--references) or from columns of FILE
    (--reference-columns). A metric that reads sources takes them from a file (--sources) or a column (--source-column).

    The column of values has the metric's name. The formats jsonl, csv and parquet are written while FILE is read, so
    that its length does not matter, in blocks of up to 8,192 texts. If a run is cut off, those that are done are kept,
    and --resume goes on from there.
    """
    # Errors in the command line are told before any file is read.
    check_beside(chosen.spec, file, options, others)
    chosen.check(options)
    _check_standard_input(file, options)
    _check_resume(file, output, format, options, others)
    if min_coverage is not None and fail_under is None:
        raise click.UsageError("--min-coverage is of a gate: add --fail-under VALUE")
    if worst_by is not None and (worst is None or worst_by.lower() not in others):
        raise click.UsageError(
            f"--worst-by {worst_by}: --worst N chooses by a metric of --with, as --with chrf --worst 9 --worst-by chrf"
        )
    if worst is not None and options["score_name"]:
        raise click.UsageError("--score-name is of all rows, and --worst writes columns of its own: leave one out")
    if worst is not None and options["resume"]:
        raise click.UsageError("--worst reads the whole FILE before it writes a row: no --resume")

    # Errors in the first texts are told before a metric is loaded.
    special = SpecialTokens()

    def read(start: Place) -> Blocks:
        nonlocal special
        special = SpecialTokens()  # a run that goes on reads anew
        for table, texts in text_blocks(file, options, size=BlockSize() if format in STREAMED else None, start=start):
            special.add(texts)
            yield table, texts

    blocks = read(START)
    first = next(blocks)
    metric = chosen.make(options)[0]
    if options["explain"] and not explains_texts(metric):
        raise click.UsageError(f"{metric.name} does not tell what each word costs: --explain needs --metric fluency")
    is_ranking = bool(getattr(metric, "set_dependent", False))
    if options["resume"] and is_ranking:
        raise click.UsageError(f"{metric.name} ranks the texts of a file among one another, all at once: no --resume")
    check_sources_given(metric, [] if options["sources"] or options["source_column"] else None)
    job = Job(file, metric, format, options, others=others)
    gate = None
    if fail_under is not None:
        asked = least_coverage_of(metric) if min_coverage is None else min_coverage
        gate = LeastMean(fail_under, metric.name, asked, warning_of(metric.name, verdict_of(metric)))
    if plot is not None:
        _plot(chosen.spec, job, *first, plot)
    blocks = chain([first], blocks)

    # There are four ways: the lowest alone, rows block by block, rows of all texts at once, and all with a summary.
    result: MetricResult | RunningSummary
    if worst is not None:
        from referenceless_metrics.scoring.worst import write_worst

        table, texts = at_once(blocks)
        corpus_scores = _corpus_scores(others, table, texts, file, options)
        by = "" if worst_by is None else worst_by.lower()
        result = write_worst(job, table, texts, worst, output, corpus_scores, gate, by=by)
    elif format in STREAMED and not (is_ranking or others or _input_files(options)):
        result = write_scores(job, blocks, read, output)
        _tell([*result_lines(result, metric)])
    else:
        table, texts = at_once(blocks)
        corpus_scores = _corpus_scores(others, table, texts, file, options)
        if format in STREAMED:
            result = write_scores(job, iter([(table, texts)]), read, output)
            _tell([*result_lines(result, metric), *lines_of(corpus_scores)])
        else:
            result = write_with_summary(job, table, texts, output, corpus_scores, gate)

    tell(special.notes)
    if gate is not None:
        gate.leave(result)


def _input_files(options: Options) -> list[str]:
    """Return the files of references and sources, which have one line per text of the whole file."""
    sources = [] if options["sources"] is None else [options["sources"]]
    return [*options["references"], *sources]


def _check_standard_input(file: str, options: Options) -> None:
    """Check that standard input is named once.

    Raises:
        click.UsageError: if it is the texts and something else, too.
    """
    if file == STDIN and STDIN in (options.get("pool"), *_input_files(options)):
        raise click.UsageError("standard input can be read once: as the texts, the pool, the references or the sources")


def _check_resume(file: str, output: str | None, format: str, options: Options, others: Sequence[str]) -> None:
    """Check that a run with --resume reads and writes block by block, from a file to a file.

    Raises:
        click.UsageError: if it does not.
    """
    if not options["resume"]:
        return
    is_in_blocks = format in STREAMED and not others and not _input_files(options)
    if not (is_in_blocks and is_file_to_write(output) and Path(file).is_file()):
        raise click.UsageError(
            f"--resume needs a FILE to read, a file to write (-o) and one of the formats {', '.join(STREAMED)}; "
            "references and sources may come from columns of FILE, and there is no --with"
        )


def _corpus_scores(
    others: Sequence[str], table: Table, texts: list[str], file: str, options: Options
) -> dict[str, Record]:
    """Return the corpus scores of the metrics of `--with`."""
    if not others:
        return {}
    references, _ = inputs_of(table, file, options)
    tell(_on_systems(table, file))
    return scores_by_references(others, texts, references or [])


def _on_systems(table: Table, file: str) -> list[str]:
    """Return the note that corpus scores are of the outputs of several systems together, in a list."""
    name = next((name for name in SYSTEM_NAMES if table.has(name)), None)
    n_systems = 0 if name is None else len({cell_text(cell_of(row, name)) for row in table.rows})
    if n_systems < 2 or 2 * n_systems > len(table.rows):
        return []
    line = shlex.join(["referenceless", "compare", file, "--system-column", str(name)])
    return [
        f"column {name!r} names {n_systems} systems, and the scores of --with are of their outputs together: `{line}` "
        "with the same columns tells each system's"
    ]


def _tell(lines: Sequence[str]) -> None:
    """Write lines that are no rows, such as the mean with its coverage, to standard error."""
    click.echo("\n".join(lines), err=True)


def _plot(spec: MetricSpec, job: Job, table: Table, texts: list[str], path: str) -> None:
    """Draw the tokens of the first block's texts, or their estimates with intervals."""
    if spec.plot is not None:
        spec.plot()(job.metric, texts, path)
        return
    result = job.result_of(table, texts)
    if "lower" not in result.columns:
        raise click.UsageError(
            f"{spec.name} scores no tokens and gives no intervals here, so there is nothing to --plot; an index that "
            "`fit` or `advise` wrote gives them"
        )
    from referenceless_metrics.pages.estimates import plot_estimates

    plot_estimates(result, texts, path)
