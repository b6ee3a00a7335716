"""The command `evaluate`: of a metric by its own command, or with --scores a judge's report card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from referenceless_metrics.command_line.adding import adding
from referenceless_metrics.command_line.help import Rare, ShortHelp
from referenceless_metrics.command_line.output_options import output_options
from referenceless_metrics.command_line.per_metric_commands import PerMetricCommand
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.command_line.text_options import COLUMN
from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.output import write_rows
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record
from referenceless_metrics.human_evaluation.commands.gates import LEVEL
from referenceless_metrics.human_evaluation.commands.rating_options import RATING_COLUMNS, VALUES

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.core.files.tables import Table
    from referenceless_metrics.human_evaluation.judges.report_card import Figure, ReportCard

_COLUMNS = {
    "item": "what an output was made for, in both files",
    "system": "the system, in both files",
    "text": "the judged text, whose length is set against errors",
    "slice": "the slice that an output is in; each has its own figures",
    "position": "the place in which the judge saw the output",
    "format": "the form of the output, such as markdown",
}


@click.command(
    "evaluate",
    cls=ShortHelp,
    epilog="Example: referenceless evaluate --scores judge.csv --ratings ratings.csv -o card.html",
)
@click.option("--scores", type=click.Path(exists=True), required=True, help="Table with a judge's score per output.")
@click.option(
    "--ratings",
    type=click.Path(exists=True),
    multiple=True,
    required=True,
    help="People's ratings of some of these outputs: a table, an export of an annotation tool, or a study.",
)
@click.option("--earlier", type=click.Path(exists=True), help="The judge's scores of the same outputs from before.")
@adding(
    click.Option(["--score-column"], type=COLUMN, help="Column with the judge's scores  [default: score]"),
    RATING_COLUMNS,
    *(Rare([f"--{name}-column"], type=COLUMN, help=f"Column with {told}.") for name, told in _COLUMNS.items()),
    VALUES,
    LEVEL,
    *READING,
)
@output_options
def judge_card(
    scores: str,
    ratings: tuple[str, ...],
    earlier: str | None,
    score_column: str | None,
    rating_columns: tuple[str, ...],
    values: dict[str, float] | None,
    level: float,
    reading: Reading,
    output: str | None,
    format: str,
    **columns: str | None,
) -> None:
    """Say how a judge's scores agree with people's ratings, where they err, and what the corrected rates are.

    Both tables, which may be one file, have item and system of an output. Verdicts of 0 and 1 get sensitivity,
    specificity and Cohen's κ, other scores r, with intervals over items. Errors are set against length, position and
    format; with --earlier it says whether the judge drifts. Ratings of a random part correct each system's rate by
    PPI++.
    """
    from referenceless_metrics.human_evaluation.judges.judged_outputs import judged_outputs
    from referenceless_metrics.human_evaluation.judges.report_card import report_card

    named = {kind.removesuffix("_column"): name for kind, name in columns.items()}
    judged = judged_outputs(
        _scores(read_table(scores, reading), named, score_column, values),
        _ratings(ratings, named, rating_columns, values, reading),
        None if earlier is None else _scores(read_table(earlier, reading), named, score_column, values),
    )
    card = report_card(judged, level)
    summary: Record = {
        "outputs": card.n_outputs,
        "rated": card.n_rated,
        "level": level,
        "verdicts": card.are_verdicts,
        "notes": list(card.notes),
    }
    rows = [asdict(figure) for figure in card.figures]
    write_rows(rows, summary, format, output, lines=["", *_lines(card)], headline=_headline(card))


class EvaluateCommand(PerMetricCommand):
    """The command of a metric, or with --scores a judge's report card."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Return the context of the command that the arguments ask for."""
        if any(word.split("=")[0] == "--scores" for word in args):
            return judge_card.make_context(info_name, args, parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


evaluate = EvaluateCommand(
    "evaluate",
    lambda spec: spec.evaluate,
    help="Say how well a metric or a judge estimates ratings.",
)


def _scores(
    table: Table, named: dict[str, str | None], score_column: str | None, words: dict[str, float] | None
) -> pd.DataFrame:
    """Return a judge's scores with the columns that are known.

    Raises:
        InputError: for a column that is not there, and scores that are no numbers.
    """
    import pandas as pd

    name = score_column or "score"
    try:
        numbers = column_numbers(table.column(name, "--score-column"), words=words).values
    except NotNumbersError as error:
        raise InputError(f"{table.where(error.row)}: score {name!r}: {error}") from None
    held: Record = {"judge": numbers}
    for kind, column in named.items():
        if column is not None or kind in table.columns:
            held[kind] = list(table.column(column or kind, f"--{kind}-column"))
    frame = pd.DataFrame(held)
    return frame.dropna(subset="judge").reset_index(drop=True)


def _ratings(
    files: Sequence[str],
    named: dict[str, str | None],
    rating_columns: tuple[str, ...],
    words: dict[str, float] | None,
    reading: Reading,
) -> pd.DataFrame:
    """Return people's ratings, a row each."""
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_judged_ratings

    keys = {kind: named[kind] for kind in ("item", "system")}
    table = read_judged_ratings(files, keys, reading, ratings=rating_columns, words=words)
    if table.are_preferences:
        raise InputError(f"{table.source}: these are preferences, and a judge's scores are held against ratings")
    return table.frame


def _headline(card: ReportCard) -> str:
    """Return the main figure in a sentence."""
    main = next(each for each in card.figures if each.what in ("Cohen's κ", "correlation r"))
    return f"Judge and people, on {card.n_rated} of {card.n_outputs} outputs: {main.what} {_interval(main)}."


def _lines(card: ReportCard) -> list[str]:
    """Return what the figures mean, in sentences."""
    kind = (
        "sensitivity: of outputs to which people say 1, the share to which the judge does; specificity: the same of 0."
        if card.are_verdicts
        else "Errors are of scores and ratings brought to variance 1: above 0 the judge is above people."
    )
    return [
        kind,
        f"Intervals ({card.level:.0%}) take items as independent, and outputs of one item as dependent.",
        "Corrected means hold if the rated outputs are a random part.",
        *card.notes,
    ]


def _interval(figure: Figure) -> str:
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"
