"""The command `reproduce dusek`."""

from __future__ import annotations

from pathlib import Path

import click

from referenceless_papers.common.report import report_options

SETUPS = ("S1", "S2", "S3", "S4", "S5", "S6")
FAMILIES = ("pair", "text", "C1", "C2", "C3", "described", "lexicalised")
VARIANTS = ("gru", "lstm", "both-ways", "convolution", "vectors", "independent", "ordered", "pretrained")


@click.command(epilog="Example: referenceless reproduce dusek --data-dir data -o out/")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds nlg-ratings/.")
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
    "--network",
    type=click.Choice(("small", "published")),
    default="small",
    show_default=True,
    help="Size of the networks to train.",
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    type=click.Choice((*VARIANTS, "all")),
    help="Variant of the small network to train, one seed, minutes of a CPU each; repeatable. With --train none, "
    "nothing else is trained.",
)
@click.option("--seeds", type=click.IntRange(min=1), default=2, show_default=True, help="Networks a fold.")
@click.option("--device", type=click.Choice(("cpu", "cuda")), default="cpu", show_default=True, help="Where to train.")
@click.option("--record", type=click.Path(), help="Record to add what was trained to; the rest of the file stays.")
@report_options
def reproduce(
    data_dir: str,
    setups: tuple[str, ...],
    families: tuple[str, ...],
    network: str,
    variants: tuple[str, ...],
    seeds: int,
    device: str,
    record: str | None,
    output: str | None,
    format: str,
) -> None:
    """Measure the tables of Dušek, Novikova & Rieser (2017) beside the published ones.

    With -o, Markdown, JSON and a figure are written to a folder. Without it, the report is printed.
    """
    from referenceless_papers.dusek.published_network import network_settings
    from referenceless_papers.dusek.record import add_to_record
    from referenceless_papers.dusek.run import open_corpora, reproduce, train_networks

    corpora = open_corpora(Path(data_dir))
    trained = None
    if "none" not in setups:
        trained = train_networks(
            corpora,
            network_settings(network),
            families=FAMILIES if "all" in families else tuple(dict.fromkeys(families)),
            setups=[*SETUPS, "kernel"] if "all" in setups else tuple(dict.fromkeys(setups)),
            seeds=seeds,
            device=device,
            tell=lambda line: click.echo(line, err=True),
        )
        if record is not None:
            add_to_record(network, trained, record)
    varied = None
    if variants:
        from referenceless_papers.dusek.variants import train_variants

        names = VARIANTS if "all" in variants else tuple(dict.fromkeys(variants))
        varied = train_variants(corpora[True], names, Path(data_dir), tell=lambda line: click.echo(line, err=True))
        if record is not None:
            add_to_record("variants", varied, record)
    reproduce(corpora, trained, network=network, varied=varied).show(output, format)
