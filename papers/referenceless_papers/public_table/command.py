"""The command `reproduce public-table`."""

from __future__ import annotations

from pathlib import Path

import click

from referenceless_papers.common.report import report_options


@click.command(epilog="Example: referenceless reproduce public-table --data-dir data > public_table.md")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds the rated sets' folders.")
@click.option("--data", multiple=True, metavar="NAME", help="A set's folder; may be repeated  [default: all there are]")
@click.option(
    "--metric", "metrics", multiple=True, metavar="NAME", help="A row to measure alone; repeatable  [default: all]"
)
@report_options
def public_table(
    data_dir: str, data: tuple[str, ...], metrics: tuple[str, ...], output: str | None, format: str
) -> None:
    """Measure every metric on every public set of rated texts, beside controls that need no metric.

    With -o, Markdown and JSON are written to a folder. Without it, the report is printed.
    """
    from referenceless_papers.public_table.table import public_table

    public_table(Path(data_dir), data or None, metrics or None, tell=lambda line: click.echo(line, err=True)).show(
        output, format
    )
