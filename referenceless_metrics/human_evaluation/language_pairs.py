"""Pairs of languages: the columns that tell them, and outputs, ratings or scores of several, of which no mean is taken.

Raters, documents and systems of two pairs differ, so that a mean over both says nothing of either.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from shlex import quote
from typing import Any, NamedTuple

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import Condition, cell_text, names_in
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, shortened

_MAY_BE_PAIR = re.compile(r"(?:translation[ _-]?)?directions?|lang(?:uage)?s", re.IGNORECASE)
"""Names that may also be of other things: the cells decide."""

_NAME = re.compile(
    r"lps?|lang(?:uage)?s?[ _-]?pairs?|"
    rf"{_MAY_BE_PAIR.pattern}|"
    r"(?:src|source|tgt|trg|target)[ _-]?lang(?:uage)?s?(?:[ _-]?codes?)?|"
    r"lang(?:uage)?s?[ _-]?(?:src|source|tgt|trg|target)",
    re.IGNORECASE,
)
"""Names of columns that tell the languages of outputs, or pairs of languages."""

_CODE = r"[a-z]{2,3}(?:[-_][a-z]{2,4})?"
_TWO_CODES = re.compile(rf"{_CODE}(?:-|_|/|>|->|→| to ){_CODE}", re.IGNORECASE)
"""Cells that show that a column holds pairs of languages, and not other directions."""


class LanguagePairs(NamedTuple):
    """Several pairs of languages in one file.

    Attributes:
        column: the column that tells them apart.
        counts: the number of rows of each of its values, the most frequent first.
    """

    column: str
    counts: Mapping[str, int]

    @property
    def first(self) -> Condition:
        """The condition that leaves the most frequent value."""
        return Condition(self.column, next(iter(self.counts)))

    @property
    def where(self) -> str:
        """The same as `--where` takes it."""
        return f"{self.column}={self.first.value}"

    def told(self) -> str:
        """Say that there are several pairs, and how one is chosen, without an end."""
        listed = shortened(", ".join(f"{name!r} in {n} rows" for name, n in self.counts.items()), 160)
        return (
            f"it holds several pairs of languages, by column {self.column!r}: {listed}; figures of one say nothing of "
            f"another: choose one, --where {quote(self.where)}"
        )


def cells_of_languages(table: Table) -> dict[str, list[Any]]:
    """Return the cells of the columns that tell languages, by the name of the column."""
    held = {name: table.column(name) for name in table.columns if _NAME.fullmatch(name)}
    return {name: cells for name, cells in held.items() if are_languages(name, cells)}


def are_languages(name: str, cells: Sequence[Any]) -> bool:
    """Say whether a column tells languages, or pairs of them, by its name, and by its cells if the name may mean more.

    >>> are_languages("lp", ["en-de"]), are_languages("direction", ["up"]), are_languages("direction", ["en-de"])
    (True, False, True)
    """
    if _NAME.fullmatch(name) is None:
        return False
    if _MAY_BE_PAIR.fullmatch(name) is None:
        return True
    return all(_TWO_CODES.fullmatch(str(cell).strip()) for cell in cells if not is_blank(cell))


def language_pairs(of_columns: Iterable[Mapping[str, Sequence[Any]]]) -> LanguagePairs | None:
    """Return the pairs of languages in files; None for one pair, and if no column tells them.

    Args:
        of_columns: for each file the cells of the columns that tell languages, by the name of the column.
    """
    counts: dict[str, Counter[str]] = {}
    for of_file in of_columns:
        for name, cells in of_file.items():
            counts.setdefault(name, Counter()).update(cell_text(cell).strip() for cell in cells if not is_blank(cell))
    several = [name for name, of_name in counts.items() if len(of_name) > 1]
    if not several:
        return None
    column = max(several, key=lambda name: len(counts[name]))
    return LanguagePairs(column, dict(counts[column].most_common()))


def check_one_pair(
    source: str, of_columns: Iterable[Mapping[str, Sequence[Any]]], named: Collection[str | None] = ()
) -> None:
    """Check that outputs, ratings or scores are of one pair of languages.

    Args:
        source: the files, for messages.
        of_columns: see `language_pairs`.
        named: columns that the command line names: if one of them tells languages, these are told apart.

    Raises:
        InputError: for several pairs.
    """
    files = list(of_columns)
    asked = {part for name in named if name is not None for part in names_in(name)}
    if any(name in asked for of_file in files for name in of_file):
        return
    found = language_pairs(files)
    if found is not None:
        raise InputError(f"{source}: {found.told()}")


def check_pair_of_table(table: Table, named: Collection[str | None] = ()) -> None:
    """Check that the rows of a table are of one pair of languages; see `check_one_pair`."""
    check_one_pair(table.source, [cells_of_languages(table)], named)
