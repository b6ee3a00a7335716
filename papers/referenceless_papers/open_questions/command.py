"""The command `reproduce open-questions`."""

from __future__ import annotations

from pathlib import Path

import click

from referenceless_papers.common.report import report_options


@click.command(epilog="Example: referenceless reproduce open-questions --data-dir data --part ranking")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds the data sets' folders.")
@click.option("--part", "parts", multiple=True, metavar="NAME", help="Part to measure; repeatable  [default: all]")
@report_options
def open_questions(data_dir: str, parts: tuple[str, ...], output: str | None, format: str) -> None:
    """Measure what the papers leave open, suggest, or report without a figure.

    With -o, Markdown, JSON and figures are written to a folder. Without it, the report is printed.
    """
    from referenceless_papers.open_questions.run import open_questions

    open_questions(Path(data_dir), parts or None, tell=lambda line: click.echo(line, err=True)).show(output, format)
