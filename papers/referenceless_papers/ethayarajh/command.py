"""The command `reproduce ethayarajh`."""

from __future__ import annotations

from pathlib import Path

import click

from referenceless_papers.common.report import report_options


@click.command(epilog="Example: referenceless reproduce ethayarajh --data-dir data -o out/")
@click.option(
    "--data-dir", required=True, type=click.Path(), help="Folder that holds huse/, asap-sas/ and nlg-ratings/."
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="NAME",
    help="Part to measure, such as table-1; repeatable.",
)
@click.option("--embeddings", type=click.Path(), help="Word vectors (GloVe, word2vec text), for mover's similarity.")
@click.option("--encoder", help="Local encoder, for BERTScore.")
@report_options
def reproduce(
    data_dir: str, parts: tuple[str, ...], embeddings: str | None, encoder: str | None, output: str | None, format: str
) -> None:
    """Measure the tables and figures of Ethayarajh & Sadigh (2020) beside the published ones.

    With -o, Markdown, JSON and figures are written to a folder. Without it, the report is printed.
    """
    from referenceless_papers.ethayarajh.run import reproduce
    from referenceless_papers.ethayarajh.sources import Sources

    sources = Sources(Path(data_dir), embeddings, encoder)
    reproduce(sources, parts or None, tell=lambda line: click.echo(line, err=True)).show(output, format)
