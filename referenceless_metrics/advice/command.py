"""The command `advise`."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.output_options import Output
from referenceless_metrics.command_line.rated_text_options import GROUPINGS
from referenceless_metrics.command_line.references_and_sources import SOURCE_COLUMN
from referenceless_metrics.command_line.text_options import INPUT, input_options
from referenceless_metrics.core.files.output import FOR_PAPERS, FOR_READERS, ROWS_ALONE, write, write_rows
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.files.text_io import read_rated
from referenceless_metrics.core.support.validation import InputError, joined_names
from referenceless_metrics.human_evaluation.commands.rating_options import BAD, RATING_COLUMNS, VALUES
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING

if TYPE_CHECKING:
    from referenceless_metrics.human_evaluation.judges.limits import Bad


@click.command(cls=ShortHelp, epilog="Example: referenceless advise pool.csv --system-column system -o advice")
@click.argument("ratings", type=INPUT, nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    cls=Output,
    writes=("metric.index", "metric.safetensors", "advice.html"),
    type=click.Path(file_okay=False),
    help="Folder for the fitted metric and the page.",
)
@adding(RATING_COLUMNS, VALUES, BAD)
@adding(*GROUPINGS, SOURCE_COLUMN)
@click.option(
    "--quality-estimator/--no-quality-estimator",
    default=True,
    help="Compare the trained estimator too, which takes most of the time.",
)
@click.option("--fluency/--no-fluency", default=True, help="Show Fluency beside them, which needs no ratings.")
@click.option(
    "--format",
    "-f",
    type=click.Choice(("table", "json", *ROWS_ALONE, *FOR_PAPERS)),
    default="table",
    help="Output format.",
)
@input_options
def advise(
    ratings: tuple[str, ...],
    output: str | None,
    rating_columns: tuple[str, ...],
    values: dict[str, float] | None,
    bad: Bad | None,
    system_column: str | None,
    group_column: str | None,
    source_column: str | None,
    quality_estimator: bool,
    fluency: bool,
    format: str,
    text_column: str,
    reading: Reading,
) -> None:
    """Say which metric your ratings allow, and what to expect of it.

    RATINGS holds a text and a rating per row, as for `fit`, or is a study's folder, or are several of the same
    criteria. With -o, a folder gets the fitted
    metric (`metric.index` or `metric.safetensors`) and a page (`advice.html`); `score`, `compare`, `serve` and others
    take it by --advice. It also says whether to rate more. With --system-column it says what to expect of a system
    without ratings, with --source-column of texts whose sources have other values, and with --bad how many bad texts a
    limit catches.
    """
    from referenceless_metrics.advice.advise import advise as find
    from referenceless_metrics.advice.candidates import QUALITY_ESTIMATOR
    from referenceless_metrics.advice.limits import limits_lines, limits_of_advice
    from referenceless_metrics.advice.output import (
        advice_rows,
        advice_summary,
        paper_parts,
        render_page,
        rows_for_readers,
        table_notes,
    )
    from referenceless_metrics.assessment.agreement import SYSTEMS, UNPROVEN

    if output is not None and Path(output).suffix and not Path(output).is_dir():
        raise InputError(
            f"-o names a folder, for the fitted metric and a page, but {output!r} looks like a file; the table goes to "
            f"standard output: referenceless advise {shlex.join(ratings)} --format csv > {output}"
        )
    first, *further = ratings
    rated = read_rated(
        first,
        further_studies=further,
        text_column=text_column,
        rating_column=rating_columns or RATING,
        words=values,
        groupings={"groups": group_column, "systems": system_column},
        source_column=source_column,
        reading=reading,
    )
    if source_column is None:
        tell(_on_sources(ratings))
    advice = find(rated, quality_estimator=quality_estimator, fluency=fluency)
    limits = None if bad is None else limits_of_advice(advice, bad)
    if limits is not None:
        told = limits_lines(advice, limits)
        advice = replace(advice, findings=(*advice.findings, *told))
    rows = advice_rows(advice)
    if format in FOR_READERS:
        rows = rows_for_readers(rows)
    summary = advice_summary(advice) | ({} if limits is None else {"limits": limits.record()})
    lines = ["", *table_notes(advice), "", *advice.findings]
    write_rows(rows, summary, format, None, **(paper_parts(advice) if format in FOR_PAPERS else {"lines": lines}))
    if output is None:
        return
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    agreements = advice.assessment.agreements
    is_pool = advice.chosen.name != QUALITY_ESTIMATOR
    index = folder / ("metric.index" if is_pool else "metric.safetensors")
    advice.metric.save(index)
    options = ["--metric", *(("bleu_neighbors", "--pool") if is_pool else ("quality_estimation", "--model-file"))]
    title = f"What {joined_names(Path(file).name for file in ratings)} allows"
    page = folder / "advice.html"
    write(render_page(advice, title, [*options, index.name], output), str(page))
    sources = source_column if advice.metric.needs_sources else None
    columns = [] if text_column == "text" else ["--text-column", str(text_column)]
    is_useful = advice.verdict not in UNPROVEN
    columns += ["--source-column", str(sources)] if is_useful and sources is not None else []
    steps = _next_steps(output, columns, useful=is_useful, by_system=SYSTEMS in agreements)
    click.echo("\n".join([str(index), str(page), *steps]), err=True)


def _on_sources(folders: Sequence[str]) -> list[str]:
    """Return the note on sources that studies showed beside all texts, in a list; none of other files."""
    from referenceless_metrics.human_evaluation.ratings.study_ratings import is_study
    from referenceless_metrics.human_evaluation.ratings.study_rows import SOURCE
    from referenceless_metrics.human_evaluation.studies.design import Design

    designs = [Design.read(folder) for folder in folders if is_study(folder)]
    if not designs or not all(item.source for design in designs for item in design.items):
        return []
    return [f"raters saw what the texts were made from: with --source-column {SOURCE} a metric may learn from it, too"]


def _next_steps(folder: str, columns: Sequence[str], *, useful: bool, by_system: bool) -> list[str]:
    """Return the next steps with a metric; one that is not useful is not scored with.

    Args:
        folder: the folder that the metric is in.
        columns: the options for the columns of texts, and of sources that it reads, as they were in the rated file.
        useful: whether its estimates are of use.
        by_system: whether its estimates were tried on systems that were left out.

    >>> _next_steps("advice", [], useful=True, by_system=False)[1]
    'Score them over HTTP: referenceless serve --advice advice'
    >>> _next_steps("advice", ["--source-column", "mr"], useful=True, by_system=False)[0]
    'Score further texts: referenceless score FILE --advice advice --source-column mr'
    """
    if useful:
        words = ["referenceless", "score", "FILE", "--advice", folder, *columns]
        return [
            f"Score further texts: {shlex.join(words)}",
            f"Score them over HTTP: referenceless serve --advice {folder}",
            f"Cite it in a paper: referenceless cite --advice {folder}",
        ]
    more = "outputs of further systems" if by_system else "more texts"
    return [
        f"These ratings do not show that a metric learns from them: rate {more}, or score without: "
        f"{shlex.join(['referenceless', 'score', 'FILE', *columns])}",
        "Score them over HTTP: referenceless serve --metric fluency",
    ]
