"""The way in which files are to be read, and notes on what was assumed as they were.

One `Reading` travels from a command's options to the rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from referenceless_metrics.core.support.validation import InputError, Record


class InputNote(UserWarning):
    """A note on what was assumed as a file was read, with the option that says otherwise."""


def tell(notes: Iterable[str]) -> None:
    """Tell the user what was assumed: a command prints `note: …` on standard error, above its result."""
    for note in notes:
        warnings.warn(note, InputNote, stacklevel=3)


class Condition(NamedTuple):
    """A condition on a row: the cell of a column, as text, is equal to a value.

    >>> Condition("language", "de").holds({"language": "de"}), Condition("n", "1").holds({"n": 1})
    (True, True)
    """

    column: str
    value: str

    def holds(self, row: Record) -> bool:
        """Say whether a row meets the condition; a row without the column does not."""
        return self.column in row and cell_text(row[self.column]) == self.value


def cell_text(cell: object) -> str:
    """Return a cell as the text that conditions are compared with.

    >>> cell_text(None), cell_text(True), cell_text(2.5)
    ('', 'true', '2.5')
    """
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    return str(cell)


def condition(text: str) -> Condition:
    """Read a condition as an option gives it.

    >>> condition("language=de")
    Condition(column='language', value='de')

    Raises:
        InputError: for a text of another form.
    """
    column, equals, value = text.partition("=")
    if not column or not equals:
        raise InputError(f"expected COLUMN=VALUE, such as language=de, but got {text!r}")
    return Condition(column.strip(), value.strip())


@dataclass(frozen=True)
class Reading:
    """The way in which files are to be read; the default goes by each file's suffix and content.

    Attributes:
        format: one of `tables.FORMATS`; None to go by the suffix.
        where: conditions on rows; a row that does not meet all of them is left out.
        data_dir: the folder that holds the files of a data set such as `huse:summarization`.
    """

    format: str | None = None
    where: tuple[Condition, ...] = ()
    data_dir: str | None = None


BY_SUFFIX = Reading()
"""Reading by each file's suffix and content."""
