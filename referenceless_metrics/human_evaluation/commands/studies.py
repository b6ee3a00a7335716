"""The commands of rating studies: `sample` draws one, and `rate` shows its pages."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click

from referenceless_metrics.command_line.base import (
    SOURCES,
    SYSTEM_NAMES,
    SystemFiles,
    adding,
    input_options,
    read_outputs,
    read_sources,
)
from referenceless_metrics.command_line.help import Rare, ShortHelp
from referenceless_metrics.command_line.parameter_options import given, options_of
from referenceless_metrics.core.files.atomic import check_new_folder, new_folder
from referenceless_metrics.core.files.formats import TEXT
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table, read_texts
from referenceless_metrics.core.registry import metric_names
from referenceless_metrics.human_evaluation.inference.output_ratings import FEWEST_RATINGS
from referenceless_metrics.human_evaluation.studies.design import RATINGS, Design, draw_study


def _raters(_: click.Context, __: click.Parameter, value: str) -> list[str]:
    return [f"rater_{number}" for number in range(1, int(value) + 1)] if value.isdigit() else value.split(",")


def _known_metrics(context: click.Context, option: click.Parameter, names: tuple[str, ...]) -> str:
    for name in names:
        if name not in metric_names():
            raise click.BadParameter(f"expected one of {', '.join(metric_names())}, but got {name!r}", context, option)
    return "+".join(dict.fromkeys(names))


@click.command(
    cls=ShortHelp,
    epilog="Example: referenceless sample baseline.txt ours.txt -n 50 --raters 3 --sources items.jsonl -o study",
)
@click.argument("systems", cls=SystemFiles, required=True)
@adding(
    click.Option(["-n", "--items"], type=click.IntRange(min=FEWEST_RATINGS), required=True, help="How many items."),
    click.Option(["--raters"], callback=_raters, default="3", help="How many raters, or their names: ann,bob."),
    *options_of(draw_study, without=("outputs", "items", "raters", "instructions", "examples", "sources", "metric")),
    Rare(["--instructions"], type=click.Path(), help="Text file with what raters are told first."),
    Rare(["--examples"], type=click.Path(), help="Table of texts with your ratings, which anchor the scale."),
    Rare(
        ["--metric"],
        multiple=True,
        metavar="NAME",
        callback=_known_metrics,
        help="Metric whose estimates join the analysis; several are combined.",
    ),
    Rare(["--pilot"], type=click.Path(), help="Study of the same kind whose ratings the planning takes."),
    Rare(["--csv", "sheets"], is_flag=True, help="Write plain sheets too, for a tool of your own."),
    click.Option(["-o", "--output"], type=click.Path(), required=True, help="Folder to write."),
    SYSTEM_NAMES,
    SOURCES,
)
@input_options
def sample(
    systems: tuple[str, ...],
    items: int,
    raters: list[str],
    instructions: str | None,
    examples: str | None,
    pilot: str | None,
    sheets: bool,
    output: str,
    sources: str | None,
    text_column: str,
    reading: Reading,
    **options: Any,
) -> None:
    """Draw outputs of systems for people to rate, and write a page for each rater.

    SYSTEMS are files with each system's outputs of the same items, the baseline first. The items are the same for all
    systems, and each rater gets all systems' outputs of an item: differences are then known better from the same number
    of ratings. Pages open from disk, without a network, and name no system. The raters' files belong into the folder
    `ratings`; `human-score` reads the study.
    """
    from referenceless_metrics.human_evaluation.studies.server import rating_page, rating_sheet

    folder = check_new_folder(output, "output")
    outputs = read_outputs(systems, {"text_column": text_column, "reading": reading})
    anchors: list[tuple[str, str]] = []
    if examples:
        table = read_table(examples)
        ratings = map(str, table.column("rating", "of the examples"))
        anchors = list(zip(table.texts(TEXT), ratings, strict=True))
    made_from = read_sources(systems[0], len(outputs[0][1]), sources)
    design = draw_study(
        outputs,
        items,
        raters,
        sources=None if made_from is None else [_readable(source) for source in made_from],
        instructions="\n".join(read_texts(instructions, reading=Reading("txt"))) if instructions else "",
        examples=anchors,
        **given(options),
    )
    planned = _planned(design, pilot)
    with new_folder(folder) as made:
        (made / RATINGS).mkdir()
        for kind, suffix, render in (("pages", "html", rating_page), ("sheets", "csv", rating_sheet))[: 1 + sheets]:
            (made / kind).mkdir()
            for rater in design.raters:
                (made / kind / f"{rater}.{suffix}").write_text(render(design, rater), encoding="utf-8", newline="")
        design.write(made)
    click.echo((_drawn(design, folder) + planned).rstrip())


def _readable(source: Any) -> str:
    """Return a source as raters read it: a text as it is, a list or an object of JSON as YAML."""
    import yaml  # type: ignore[import-untyped]

    layout = {"allow_unicode": True, "sort_keys": False, "default_flow_style": None, "width": 1000}
    return source if isinstance(source, str) else str(yaml.safe_dump(source, **layout)).strip()


def _drawn(design: Design, folder: Path) -> str:
    """Say what was drawn."""
    screens = [screen for shown in design.raters.values() for screen in shown]
    n = len(design.systems)
    sheets = f" or their sheet from {folder / 'sheets'}," if (folder / "sheets").is_dir() else ""
    return (
        f"{folder}: {len(design.items)} of {design.n_items} items, {n} system{'s' * (n != 1)}, {len(design.raters)} "
        f"raters: at most {max(map(len, design.raters.values()))} screens each, "
        f"{sum(len(design.answers_on(screen)) for screen in screens)} ratings in all.\n"
        f"Give each rater their page from {folder / 'pages'},{sheets} or run `referenceless rate {folder}`; keep "
        "study.json, which names the systems, to yourself.\n"
        f"Put the files that they send back into {folder / 'ratings'}; `referenceless human-score {folder}` "
        "reads them.\n"
    )


def _planned(design: Design, pilot: str | None) -> str:
    """Say how wide the interval will be, of two systems or more."""
    from referenceless_metrics.human_evaluation.inference.estimated_means import LEVEL
    from referenceless_metrics.human_evaluation.studies.planning import Plan, study_components

    if len(design.systems) < 2:
        return ""
    components, basis = study_components(design.scale, pilot)
    n_items, two = len(design.items), design.scale.is_preference
    overlap = len(design.items[0].raters)
    raters = min(len(design.raters), n_items * overlap), overlap
    width = None if two else float(design.scale.high - design.scale.low)
    study = Plan(components, n_items, *raters, preferences=two, scale_width=width)
    half, of_all = (study.inference(all_raters=general).width() / 2 for general in (False, True))
    what = "a win rate (from 0 to 1)" if two else f"the difference of two systems (scale {design.scale})"
    further = "not known from one rater" if math.isinf(of_all) else f"±{of_all:.2g}"
    return (
        f"Planned: the {LEVEL:.0%} interval of {what} will be about ±{half:.2g} for these raters, {further} for raters "
        f"in general, {basis}."
    )


@click.command(epilog="Example: referenceless rate study --port 8000")
@click.argument("study", type=click.Path(exists=True, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=8000, help="0 for any that is free.")
def rate(study: str, port: int) -> None:
    """Show a study's pages in the browser, and gather the ratings.

    STUDY is a folder that `sample` wrote. Only this machine can open the pages. Each rating is written at once to
    ratings/RATER.csv there, whole or not at all: a page that is reloaded, or a server that is stopped or killed, goes
    on where it was.
    """
    from referenceless_metrics.human_evaluation.studies.server import HOST, rating_server

    with rating_server(study, port) as server:
        address = f"http://{HOST}:{server.server_port}/"
        click.echo(f"{address} shows the raters' pages, and how far each is; Ctrl-C stops it.")
        for rater in Design.read(study).raters:
            click.echo(f"{rater}: {address}{quote(rater)}")
        server.serve_forever()
