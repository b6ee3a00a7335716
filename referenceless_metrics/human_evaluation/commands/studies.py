"""The commands of rating studies: `sample` draws one, and `rate` shows its pages."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare, ShortHelp
from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.command_line.references_and_sources import SOURCES, Items, read_sources
from referenceless_metrics.command_line.system_files import SYSTEM_NAMES, SystemFiles
from referenceless_metrics.command_line.text_options import COLUMN, item_option, system_input_options
from referenceless_metrics.core.files.atomic import check_new_folder, new_folder
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_texts
from referenceless_metrics.core.registry import metric_names
from referenceless_metrics.core.support.validation import InputError
from referenceless_metrics.human_evaluation.commands.drawn_studies import (
    difference_by_item,
    drawn,
    drawn_again,
    examples_of,
    outputs_of,
    prefilled,
    readable_instructions,
    span_task,
)
from referenceless_metrics.human_evaluation.commands.planned_studies import with_planned_size
from referenceless_metrics.human_evaluation.commands.rating_options import differences_to_find
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
from referenceless_metrics.human_evaluation.studies.criteria import Criterion, read_criteria, with_examples
from referenceless_metrics.human_evaluation.studies.design import RATINGS, Design
from referenceless_metrics.human_evaluation.studies.drawing import draw_study

if TYPE_CHECKING:
    pass


def _raters(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    return [f"rater_{number}" for number in range(1, int(value) + 1)] if value.isdigit() else value.split(",")


def _pilot(_: click.Context, __: click.Parameter, pilot: str | None) -> str | None:
    """Check that a pilot is no file, as of ratings that other tools gathered.

    Raises:
        InputError: if it is one.
    """
    if pilot is not None and Path(pilot).is_file():
        raise InputError(
            f"--pilot {pilot}: expected the folder of a study that `referenceless sample` drew, but this is a file; of "
            f"ratings in a file `referenceless human-score --ratings {shlex.quote(pilot)} --find DIFFERENCE` says how "
            "many more items and raters find a difference"
        )
    return pilot


def _known_metrics(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> str:
    for name in names:
        if name not in metric_names():
            raise click.BadParameter(f"expected one of {', '.join(metric_names())}, but got {name!r}", context, option)
    return "+".join(dict.fromkeys(names))


_NOT_OPTIONS = (
    "outputs",
    "items",
    "raters",
    "criteria",
    "spans",
    "instructions",
    "examples",
    "sources",
    "metric",
    "estimates_column",
    "along",
    "earlier",
)
"""Parameters of a draw that `sample` takes from files."""


@click.command(
    cls=ShortHelp,
    epilog="Example: referenceless sample baseline.txt ours.txt -n 50 --raters 3 --sources items.jsonl -o study",
)
@click.argument("systems", cls=SystemFiles, required=True)
@adding(
    click.Option(
        ["-n", "--items"],
        type=click.IntRange(min=FEWEST_RATINGS),
        required=True,
        help="Items to draw: 50 to begin with; the output says which difference between systems so many find, and how "
        "many --find takes.",
    ),
    click.Option(["--raters"], callback=_raters, default="3", help="How many raters, or their names: ann,bob."),
    *options_of(draw_study, without=_NOT_OPTIONS, seldom=("strata", "completion_code", "seed", "source_label")),
    click.Option(
        ["--criterion", "criterion_texts"],
        multiple=True,
        metavar="NAME=SCALE=QUESTION",
        help='What raters judge by, several times for several criteria: "fluency=1-5=How natural is it?"',
    ),
    Rare(
        ["--criteria", "criteria_file"],
        type=click.Path(),
        help="YAML file of criteria, each with name, scale, question, labels and examples.",
    ),
    Rare(["--instructions"], type=click.Path(), help="Text file with what raters are told first."),
    Rare(["--examples"], type=click.Path(), help="Table of texts with your ratings, which anchor the scale."),
    Rare(
        ["--metric"],
        multiple=True,
        metavar="NAME",
        callback=_known_metrics,
        help="Metric whose estimates join the analysis; several are combined.",
    ),
    Rare(
        ["--estimates-column"],
        type=COLUMN,
        help="Column of your own estimates, such as a judge's, that join the analysis; the files may get it later.",
    ),
    Rare(
        ["--along"],
        metavar="METRIC|COLUMN",
        help="Draw every k-th item in the order of the systems' difference by a metric, or by a column of their files.",
    ),
    Rare(["--spans"], is_flag=True, help="Let raters mark errors as minor or major, then score from 0 to 100 (ESA)."),
    Rare(["--span-categories"], type=click.Path(), help="Text file with a category of errors per line, as of MQM."),
    Rare(
        ["--prefill"],
        metavar="FILE|METRIC",
        help="Errors marked beforehand: a table (text, start, end, severity, category), or fluency, which finds them.",
    ),
    Rare(
        ["--without-study"],
        multiple=True,
        type=click.Path(),
        help="Earlier study of the same outputs whose items are not drawn again; may be repeated.",
    ),
    Rare(
        ["--pilot"], type=click.Path(), callback=_pilot, help="Study of the same kind whose ratings the planning takes."
    ),
    Rare(
        ["--find"],
        multiple=True,
        callback=differences_to_find,
        metavar="[CRITERION=]DIFFERENCE",
        help="True difference, or win rate, to find: the output says how many items that takes. Of criteria with "
        "different scales one each: fluency=0.5.",
    ),
    Rare(["--csv", "sheets"], is_flag=True, help="Write plain sheets too, for a tool of your own."),
    click.Option(["-o", "--output"], type=click.Path(), required=True, help="Folder to write."),
    SYSTEM_NAMES,
    click.Option(["--sources"], type=click.Path(), help=SOURCES.help),
    Rare(["--source-column"], type=COLUMN, help="Column with the source, of --sources or of the systems' files."),
    Rare(["--system-column"], type=COLUMN, help="Column with the system, of one table with all systems' outputs."),
    item_option(
        "Column with the item  [default: item in such a table, if there is one; else rows are paired by place]"
    ),
)
@system_input_options
def sample(
    systems: tuple[str, ...],
    names: dict[str, str],
    items: int,
    raters: list[str],
    instructions: str | None,
    examples: str | None,
    criterion_texts: tuple[str, ...],
    criteria_file: str | None,
    along: str | None,
    spans: bool,
    span_categories: str | None,
    prefill: str | None,
    without_study: tuple[str, ...],
    pilot: str | None,
    find: Mapping[str, float],
    sheets: bool,
    output: str,
    sources: str | None,
    source_column: str | None,
    system_column: str | None,
    item_column: str | None,
    text_columns: tuple[str, ...],
    reading: Reading,
    **options: Any,
) -> None:
    """Draw outputs of systems for people to rate, and write the pages.

    SYSTEMS are files of outputs of the same items, the baseline first, or one table (--system-column, or a
    --text-column for each).
    Each rater gets all systems' outputs of an item. Pages name no system.
    """
    from referenceless_metrics.human_evaluation.studies.earlier import items_of_studies
    from referenceless_metrics.human_evaluation.studies.server import rating_page, rating_sheet

    folder = check_new_folder(output, "output")
    columns = {"system_column": system_column, "item_column": item_column}
    columns["source_column"] = source_column if sources is None else None
    segments = outputs_of(systems, names, reading, text_columns, along, columns)
    outputs, made_from = segments.systems, segments.sources
    if sources is not None:
        of_items = None if segments.items is None else Items(segments.item_column, segments.items)
        made_from = read_sources(systems[0], len(outputs[0][1]), sources, source_column, of_items)
    criteria = [Criterion.parse(text) for text in criterion_texts]
    if criteria_file:
        criteria += read_criteria(criteria_file)
    anchors = [] if examples is None else examples_of(examples, of_criteria=bool(criteria))
    if criteria:
        criteria = with_examples(criteria, anchors)
        anchors = []
    task = span_task(spans, span_categories, prefill)
    readable = None if made_from is None else [readable_instructions(source) for source in made_from]
    design = draw_study(
        outputs,
        items,
        raters,
        sources=readable,
        instructions="\n".join(read_texts(instructions, reading=Reading("txt"))) if instructions else "",
        criteria=criteria,
        spans=task,
        examples=[(text, rating) for text, rating, _ in anchors],
        along=None if along is None else difference_by_item(along, systems, outputs, reading),
        earlier=items_of_studies(without_study, outputs, readable),
        **given(options),
    )
    if task is not None and prefill is not None:
        design = replace(design, spans=prefilled(task, design, prefill))
    planned = with_planned_size(design, pilot, find)
    again = "" if pilot is None else drawn_again(design, pilot, outputs, readable)
    with new_folder(folder) as made:
        (made / RATINGS).mkdir()
        for kind, suffix, render in (("pages", "html", rating_page), ("sheets", "csv", rating_sheet))[: 1 + sheets]:
            (made / kind).mkdir()
            for rater in design.raters:
                (made / kind / f"{rater}.{suffix}").write_text(render(design, rater), encoding="utf-8", newline="")
        design.write(made)
    click.echo((drawn(design, folder) + again + planned).rstrip())


@click.command(epilog="Example: referenceless rate study --port 8000")
@click.argument("study", type=click.Path(exists=True, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="0 for any that is free.")
def rate(study: str, port: int) -> None:
    """Show a study's pages in the browser, and gather the ratings.

    STUDY is a folder that `sample` wrote. Only this machine can open the pages. Each rating is written at once to
    ratings/RATER.csv there, whole or not at all: a page that is reloaded, or a server that is stopped or killed, goes
    on from there.
    """
    from referenceless_metrics.human_evaluation.studies.server import HOST, rating_server

    with rating_server(study, port) as server:
        address = f"http://{HOST}:{server.server_port}/"
        click.echo(f"{address} shows the raters' pages, and how far each is; Ctrl-C stops it.")
        for rater in Design.read(study).raters:
            click.echo(f"{rater}: {address}{quote(rater)}")
        server.serve_forever()
