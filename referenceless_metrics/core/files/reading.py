"""The way in which files are to be read, and notes on what was assumed as they were.

One `Reading` travels from a command's options to the rows.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from referenceless_metrics.core.support.validation import InputError, Record

WHITE_SPACE = " "
"""The delimiter that stands for any number of blanks and tabs."""


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
        cell = cell_of(row, self.column)
        return cell is not MISSING and cell_text(cell) == self.value


MISSING = object()
"""The cell of a row that has no such column."""


def cell_of(row: Record, name: str) -> Any:
    """Return the cell of a column, or of a place inside an object in one, such as `scores.fluency`; else `MISSING`.

    >>> cell_of({"scores": {"fluency": 4}}, "scores.fluency")
    4
    """
    if name in row:
        return row[name]
    first, _, rest = name.partition(".")
    inside = row.get(first)
    return cell_of(inside, rest) if rest and isinstance(inside, dict) else MISSING


def paths_of(value: Record) -> list[str]:
    """Return the places inside an object.

    >>> paths_of({"a": 1, "b": {"c": 2}})
    ['a', 'b.c']
    """
    paths = []
    for name, cell in value.items():
        if isinstance(cell, dict) and cell:
            paths += [f"{name}.{path}" for path in paths_of(cell)]
        else:
            paths.append(str(name))
    return paths


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
        format: one of `tables.FORMATS`; None to go by the suffix, or else by the content.
        encoding: of text files, as Python calls it; None for that of a mark at the beginning, else UTF-8.
        delimiter: what separates the fields of a text table: a character, or `WHITE_SPACE` for any number of blanks and
            tabs; None to go by the first lines.
        columns: the names of the columns of a file without a header; none for a file that has one.
        sheet: the name of a workbook's sheet, or its number from 1; None for the first.
        where: conditions on rows; a row that does not meet all of them is left out.
        data_dir: the folder that holds the files of a data set such as `huse:summarization`.
        longest_line: the most bytes of a line that are read.
        most_rows: the most rows that are held at once.
    """

    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    columns: tuple[str, ...] = ()
    sheet: str | None = None
    where: tuple[Condition, ...] = ()
    data_dir: str | None = None
    longest_line: int = 2**24
    most_rows: int = 10_000_000


BY_SUFFIX = Reading()
"""Reading by each file's suffix and content."""
