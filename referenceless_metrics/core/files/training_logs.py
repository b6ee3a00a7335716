"""Logs of a model's training: rows that are steps of one training, and no items."""

from __future__ import annotations

import re

import numpy as np

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.reading import MISSING, cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Floats, InputError

STEPS_ALONE = (
    "its rows are evaluations and steps of one training, and no independent items: no test and no interval over them "
    "means anything. To compare checkpoints, write what each generates from the same inputs into a file, a text per "
    "line: referenceless compare --name step1=step1.txt --name step2=step2.txt"
)
"""Note on a training log, with the way to compare checkpoints."""

_COUNTS = re.compile(r"(?:.*[^a-z])?(?:steps?|epochs?|iterations?|iters?|updates?)", re.IGNORECASE)
"""Names of columns that count a training's steps."""

_QUANTITY = re.compile(
    r"(?:.*[^a-z])?(?:loss|perplexity|ppl|learning[ _-]?rate|lr|grad[ _-]?norm|wall[ _-]?time)(?:[^a-z].*)?|"
    r"(?:.*[/ ])?(?:train|training|eval|val|valid|validation|dev)[ _/.-].*",
    re.IGNORECASE,
)
"""Names of quantities of a training: losses, rates, and whatever was evaluated on a named part of the data."""


_MOST_OF_ONE_STEP = 2
"""Most values of a column for each step: a checkpoint may be evaluated again, and items of a step are many."""


def check_is_no_training_log(table: Table) -> None:
    """Check that the rows of a table that names no items are not the steps of one training.

    Raises:
        InputError: for such a log; the message says how to compare checkpoints.
    """
    if is_training_log(table):
        raise InputError(
            f"{table.source}: {STEPS_ALONE}. If its rows are items nevertheless, name these (--item-column NAME)"
        )


def is_training_log(table: Table) -> bool:
    """Say whether the rows of a table are the steps of one training.

    All cells are numbers or blank, a column that counts steps or epochs grows from the first row to the last, the
    others have few values for each step, and one of them is called as a quantity of a training.

    >>> rows = [{"epoch": 1, "eval_loss": 2.5}, {"epoch": 2, "eval_loss": 2.25}]
    >>> is_training_log(Table("log.json", ("epoch", "eval_loss"), rows))
    True
    >>> is_training_log(Table("scores.json", ("epoch", "score"), [{"epoch": 1, "score": 2.5}]))
    False
    """
    counting = [name for name in table.columns if _COUNTS.fullmatch(name)]
    if len(table.rows) < 2 or not counting:
        return False
    if not any(_QUANTITY.fullmatch(name) for name in table.columns if name not in counting):
        return False
    counts = [numbers for name in counting if (numbers := _numbers(table, name)) is not None]
    if len(counts) < len(counting) or not any(map(_grows, counts)):
        return False
    n_steps = len(set(zip(*(each.tolist() for each in counts), strict=True)))
    others = (_numbers(table, name) for name in table.columns if name not in counting)
    return all(each is not None and np.isfinite(each).sum() <= _MOST_OF_ONE_STEP * n_steps for each in others)


def _numbers(table: Table, name: str) -> Floats | None:
    """Return the numbers of a column, NaN for blank cells; None if a cell is neither."""
    cells = [cell_of(row, name) for row in table.rows]
    given = ["" if cell is MISSING or is_blank(cell) else cell for cell in cells]
    try:
        return column_numbers(given).values
    except NotNumbersError:
        return None


def _grows(numbers: Floats) -> bool:
    """Say whether numbers are all there, never fall, and rise from the first to the last."""
    return bool(np.isfinite(numbers).all() and (np.diff(numbers) >= 0).all() and numbers[-1] > numbers[0])
