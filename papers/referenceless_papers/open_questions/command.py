"""The commands `reproduce open-questions` and `reproduce lstm`."""

from __future__ import annotations

from pathlib import Path

import click

from referenceless_papers.common.report import report_options


@click.command(epilog="Example: referenceless reproduce open-questions --data-dir data --part ranking")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds the data sets' folders.")
@click.option("--part", "parts", multiple=True, metavar="NAME", help="Part to measure; repeatable  [default: all]")
@report_options
def open_questions(data_dir: str, parts: tuple[str, ...], output: str | None, format: str) -> None:
    """Measure claims that the papers leave open, suggest, or report without a figure.

    With -o, Markdown, JSON and figures are written to a folder. Without it, the report is printed.
    """
    from referenceless_papers.open_questions.run import open_questions

    open_questions(Path(data_dir), parts or None, tell=lambda line: click.echo(line, err=True)).show(output, format)


@click.command(epilog="Example: referenceless reproduce lstm --data-dir data -o lstm --record lstm.json")
@click.option("--data-dir", required=True, type=click.Path(), help="Folder that holds lm-corpus/ and the data sets'.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder of the network.")
@click.option("--record", required=True, type=click.Path(), help="File to write the learning curve to.")
@click.option("--epochs", default=1.0, show_default=True, help="Passes over 2 million words, at most.")
def lstm(data_dir: str, output: str, record: str, epochs: float) -> None:
    """Train the LSTM of Kann et al. (2018) on 2 million words, and record its learning curve.

    It takes an hour or more of a processor, or minutes of a GPU. A run that was cut goes on when the same command is
    given again.
    """
    from referenceless_papers.open_questions.lstm import train_and_record

    train_and_record(Path(data_dir), Path(output), record, epochs)
