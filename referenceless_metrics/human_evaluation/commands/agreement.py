"""The command `agreement`: how far raters agree with one another and with themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from referenceless_metrics.command_line.base import adding, output_options
from referenceless_metrics.command_line.help import ShortHelp
from referenceless_metrics.command_line.reading_options import READING
from referenceless_metrics.core.files.output import write_rows
from referenceless_metrics.core.files.reading import Reading, tell
from referenceless_metrics.core.support.validation import InputError, Options
from referenceless_metrics.human_evaluation.commands.rating_options import (
    COLUMNS,
    RATING_COLUMNS,
    VALUES,
    column_option,
    rating_columns,
)

if TYPE_CHECKING:
    import pandas as pd

    from referenceless_metrics.human_evaluation.studies.raters import Answer

_COLUMN_OPTIONS = ("item", "system", "rater", "cluster", "preference", "system-a", "system-b")


@click.command(cls=ShortHelp, epilog="Example: referenceless agreement study")
@click.argument("ratings", type=click.Path())
@adding(*map(column_option, _COLUMN_OPTIONS), RATING_COLUMNS, COLUMNS, VALUES, *READING)
@output_options
def agreement(ratings: str, output: str | None, format: str, **options: Any) -> None:
    """Tell how far raters agree with one another and with themselves.

    RATINGS is a study's folder, an export of an annotation tool, or any table with a row a rating or a column a rater.
    Beside Krippendorff's α, Fleiss' κ and Cohen's κ stand each rater's mean and spread, their correlation with the
    others, and their agreement with themselves where they rated the same again. Raters who seem not to look at the
    texts are flagged; nobody is left out.
    """
    from referenceless_metrics.human_evaluation.studies.raters import answers_of, rater_agreement, remarks_of
    from referenceless_metrics.human_evaluation.studies.reading import read_study
    from referenceless_metrics.human_evaluation.wording.agreement_output import agreement_lines, agreement_rows

    remarks: list[str] = []
    if Path(ratings).is_dir():
        judged = read_study(ratings)
        answers, remarks = answers_of(judged), remarks_of(judged)
    else:
        answers = _answers(ratings, options)
    agreed = rater_agreement(answers)
    lines = [*agreement_lines(agreed), *remarks]
    coefficients = {name: each._asdict() for name, each in agreed.coefficients.items()}
    summary = {"coefficients": coefficients, "outputs": agreed.n_units, "shared": agreed.n_shared, "findings": lines}
    write_rows(agreement_rows(agreed), summary, format, output, lines=["", *lines])


def _answers(ratings: str, options: Options) -> list[Answer]:
    """Return the answers in a table; blank ratings are left out, and their number is told.

    Raises:
        InputError: for a table without raters, or without items and texts.
    """
    from referenceless_metrics.human_evaluation.ratings.rating_files import read_rating_table
    from referenceless_metrics.human_evaluation.studies.raters import Answer

    reading: Reading = options["reading"]
    table = read_rating_table([ratings], rating_columns(options), alone=False, repeats=True, reading=reading)
    frame = table.frame
    who = next((column for column in ("rater", "place") if column in frame), None)
    if who is None:
        raise InputError(
            f"{table.source}: there is no column of raters: name it (--rater-column NAME), or the column of each rater "
            "(--rating-column r1 --rating-column r2)"
        )
    if who == "place":
        tell(["the n-th rating in a cell is that of rater n: Cohen's κ and the rows of raters rest on it"])
    value = "rating"
    if table.are_preferences:
        value = "preference"
        frame = _turned(frame)
    unit = [name for name in ("item", "system", "system_a", "system_b") if name in frame]
    if "item" not in unit:
        unit = [name for name in ("text", "system") if name in frame]
        if "text" not in frame:
            raise InputError(f"{table.source}: there is no column of items (--item-column) and none of texts")
    known = frame.dropna(subset=value)
    if len(known) < len(frame):
        tell([f"{len(frame) - len(known)} ratings are missing, and left out"])
    units = zip(*(known[name] for name in unit), strict=True)
    raters = known[who].tolist()
    values = known[value].tolist()
    return list(map(Answer, raters, units, values, values))


def _turned(preferences: pd.DataFrame) -> pd.DataFrame:
    """Return preferences with each pair of systems in one order, whichever stood first."""
    first, second = preferences["system_a"], preferences["system_b"]
    swapped = first > second
    return preferences.assign(
        system_a=np.where(swapped, second, first),
        system_b=np.where(swapped, first, second),
        preference=preferences["preference"].where(~swapped, 1 - preferences["preference"]),
    )
