"""The command `referenceless reproduce dusek`."""

from __future__ import annotations

from pathlib import Path

import click

from metric_commons.files.output import OUTPUT_FORMATS, render, write

SETUPS = ("S1", "S2", "S3", "S4", "S5", "S6")
FAMILIES = ("pair", "text", "C1", "C2", "C3", "described", "lexicalised")
NETWORKS = ("small", "published")


@click.command(epilog="Example: referenceless reproduce dusek --data-dir data -o out/")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds nlg-ratings/.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False), help="Folder to write Markdown, JSON and the figure to."
)
@click.option(
    "--train",
    "setups",
    multiple=True,
    type=click.Choice((*SETUPS, "kernel", "all", "none")),
    default=("S1",),
    show_default=True,
    help="Set-up to train now (a minute or more each), or the default estimator; repeatable. Others come from the "
    "package's record.",
)
@click.option(
    "--family",
    "families",
    multiple=True,
    type=click.Choice((*FAMILIES, "all")),
    default=("pair",),
    show_default=True,
    help="Folds (by pair, by delexicalised text), out-of-set split or treatment to train; repeatable.",
)
@click.option(
    "--network", type=click.Choice(NETWORKS), default="small", show_default=True, help="Size of the networks to train."
)
@click.option("--seeds", type=click.IntRange(min=1), default=2, show_default=True, help="Networks a fold.")
@click.option("--device", type=click.Choice(("cpu", "cuda")), default="cpu", show_default=True, help="Where to train.")
@click.option("--record", type=click.Path(), help="Record to add what was trained to; the rest of the file stays.")
@click.option(
    "--format",
    type=click.Choice(OUTPUT_FORMATS),
    default="table",
    show_default=True,
    help="Format on standard output.",
)
def reproduce(
    data_dir: str,
    output: str | None,
    setups: tuple[str, ...],
    families: tuple[str, ...],
    network: str,
    seeds: int,
    device: str,
    record: str | None,
    format: str,
) -> None:
    """Measure the tables of Dušek, Novikova & Rieser (2017) beside the published ones.

    With -o, Markdown, JSON and a figure are written to a folder. Without it, the cells are printed.
    """
    from quality_estimation_metric.gru_model.settings import GRUSettings
    from referenceless_papers.dusek import run
    from referenceless_papers.dusek.record import add_to_record
    from referenceless_papers.ethayarajh.report import write_reproduction

    corpora = run.open_corpora(Path(data_dir))
    chosen = [] if "none" in setups else [*SETUPS, "kernel"] if "all" in setups else list(dict.fromkeys(setups))
    settings = GRUSettings.published() if network == "published" else GRUSettings()
    trained = None
    if chosen:
        trained = run.train_networks(
            corpora,
            settings,
            families=FAMILIES if "all" in families else tuple(dict.fromkeys(families)),
            setups=chosen,
            seeds=seeds,
            device=device,
            tell=lambda line: click.echo(line, err=True),
        )
        if record is not None:
            add_to_record(network, trained.as_record(), record)
    parts = run.reproduce(corpora, trained, network=network)
    if output is not None:
        written, _ = write_reproduction(parts, settings.signature, output, heading=run.HEADING)
        for path in written:
            click.echo(path)
        return
    missing = [f"missing: {each}" for each in run.missing_of(parts)]
    cells = [cell.as_row() for part in parts.values() for cell in part.cells]
    write(render(cells, {"missing": missing}, format, lines=["", *missing]), None)
