"""Texts and rated texts as a web page gives them: pasted into a box, or as an uploaded file of any table format.

Every error is an `InputError` that can stand in a page as it is: it names the file as its owner does, without the
folder that the server put it in.
"""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from metric_commons.app.limits import check_file, check_pasted, check_sizes
from metric_commons.files.tables import FORMATS, RatedTexts, Table
from metric_commons.files.text_io import read_rated, read_table, read_texts
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe, finite_number, lone_surrogate

T = TypeVar("T")

TEXT_COLUMNS = ("text", "candidate", "prediction", "output", "sentence", "hypothesis", "summary", "answer", "essay")
"""Names under which a column of texts is recognised, the best first."""

MOST_COLUMNS = 200
"""Columns of a table that a page offers to choose from."""

QUALITY_COLUMNS = ("quality", "rating", "score", "label", "judgement", "judgment", "human", "mean")
"""Names under which a column of ratings is recognised, the best first."""

_IDENTIFIER = re.compile(r"(.*[_ -])?(id|index|number|no|nr|row|line)|unnamed.*|", re.IGNORECASE)  # names of no ratings
_RATING = re.compile(r" *[+-]?\d+([.,]\d*)? *")  # with a decimal point or comma
_OPTION = re.compile(r" \(--[\w-]+\)")  # the readers' messages name options of the command line


def pasted_texts(pasted: str, what: str) -> list[str]:
    r"""Return the lines of a box; a blank line between others is an empty text.

    Raises:
        InputError: where there is nothing but white space, or more than a page takes (see `limits`).

    >>> pasted_texts("one text\r\n\nanother\n\n", "candidates")
    ['one text', '', 'another']
    """
    if not pasted.strip():
        raise InputError(f"There are no {what} yet: paste some, one a line, or upload a file")
    texts = check_pasted(pasted, what).replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    check_sizes(texts, what)
    return texts


def pasted_ratings(pasted: str, what: str) -> RatedTexts:
    r"""Return the rated texts of a box: a table with a header, or lines of a text and its rating.

    Between the two stands a tab, as a spreadsheet copies it, or a comma, or in all lines a semicolon, with which the
    decimal mark may be a comma. Without a header, the last one of a line counts, so that texts need no quotes.

    Raises:
        InputError: where there is nothing, or a line without a rating; the message names the line.

    >>> pool = pasted_ratings("The cat, which sat, is fed.,0.9\ncat cat the\t0.1", "pool")
    >>> pool.texts, pool.quality.tolist()
    (['The cat, which sat, is fed.', 'cat cat the'], [0.9, 0.1])
    """
    if not pasted.strip():
        raise InputError(f"There is no {what} yet: paste one, a text and its rating a line, or upload a file")
    lines = check_pasted(pasted, what).replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    semicolons = _semicolons(lines)
    first = _split(lines[0], semicolons)
    if len(first) > 1 and finite_number(first[-1]) is None:
        return _pasted_table(pasted, what, "tsv" if "\t" in lines[0] else "csv")
    texts, quality = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        *text, rating = _split(line, semicolons)
        value = finite_number(rating)
        if not text or value is None:
            raise InputError(
                f"The {what}, line {number}: expected a text, a comma or tab, and a rating, but got {describe(line)}"
            )
        texts.append(text[0])
        quality.append(value)
    check_sizes(texts, what)
    return RatedTexts(texts, np.array(quality, dtype=np.float64))


def uploaded_table(path: str) -> Table | None:
    """Return a file with columns, whole, or None for a .txt file, which has none.

    Raises:
        InputError: for a file of another kind, or one that cannot be read.
    """
    if _kind(path) == "txt":
        return None
    check_file(path)
    table = _read(path, read_table)
    for name in table.columns:
        if lone_surrogate(name) is not None:
            raise InputError(f"{Path(path).name}: expected valid Unicode in the names of columns, but got {name!r}")
    if len(table.columns) > MOST_COLUMNS:
        raise InputError(
            f"{Path(path).name}: this page takes at most {MOST_COLUMNS} columns, but there are {len(table.columns):,}: "
            "leave only the texts and their ratings"
        )
    return table


def uploaded_texts(path: str, column: str | None = None, names: Sequence[str] = TEXT_COLUMNS) -> list[str]:
    """Return the texts of an uploaded file.

    Args:
        path: where the server put it.
        column: the column that holds the texts; None to recognise it.
        names: under which it is recognised, the best first.

    Raises:
        InputError: as `metric_commons.files.text_io.read_texts`.
    """
    table = uploaded_table(path)
    name = column or (text_column(table, names) if table is not None else "text")
    texts = _read(path, lambda source: read_texts(source, text_column=name))
    check_sizes(texts, Path(path).name)
    return texts


def uploaded_ratings(path: str, column: str | None = None, rating_column: str | None = None) -> RatedTexts:
    """Return the rated texts of an uploaded file; None recognises a column.

    Raises:
        InputError: as `metric_commons.files.text_io.read_rated`.
    """
    table = uploaded_table(path)
    text = column or (text_column(table) if table is not None else "text")
    quality = rating_column or (quality_column(table) if table is not None else "quality")
    rated = _read(path, lambda source: read_rated(source, text_column=text, quality_column=quality))
    check_sizes(rated.texts, Path(path).name)
    return rated


def text_column(table: Table, names: Sequence[str] = TEXT_COLUMNS) -> str:
    """Return the column that holds texts: by its name, or the first that is no numbers.

    Raises:
        InputError: where all columns hold numbers.
    """
    named = _named(table, names)
    others = [name for name in table.columns if not _numeric(table, name)]
    if named is None and not others:
        raise InputError(f"{Path(table.source).name}: none of its columns holds texts: {', '.join(table.columns)}")
    return named or others[0]


def quality_column(table: Table) -> str:
    """Return the column that holds ratings: by its name, or the first of numbers that does not look like an id.

    Raises:
        InputError: where there is none.
    """
    named = _named(table, QUALITY_COLUMNS)
    numeric = [name for name in table.columns if _numeric(table, name)]
    if named is None and not numeric:
        raise InputError(
            f"{Path(table.source).name}: none of its columns holds ratings, which are numbers: "
            f"{', '.join(table.columns)}"
        )
    return named or next((name for name in numeric if not _IDENTIFIER.fullmatch(name.strip())), numeric[0])


def check_count(items: Sequence[Any] | RatedTexts, most: int, what: str, command: str) -> None:
    """Check that a page is not asked for more than it should do while others wait.

    Raises:
        InputError: for more than `most`; the message names the command that takes any number.
    """
    if len(items) > most:
        raise InputError(
            f"This page takes at most {most:,} {what}, but there are {len(items):,}; the command {command} takes any "
            "number"
        )


def _kind(path: str) -> str:
    kind = Path(path).suffix.lower().lstrip(".")
    if kind not in FORMATS:
        raise InputError(
            f"{Path(path).name}: this page reads {', '.join('.' + known for known in FORMATS)}, but not "
            f"{'.' + kind if kind else 'a file without a suffix'}"
        )
    return kind


def _read(path: str, reader: Callable[[str], T]) -> T:
    """Call a reader; its errors name the file alone and no options of the command line."""
    try:
        return reader(path)
    except InputError as error:
        raise InputError(_OPTION.sub("", str(error).replace(path, Path(path).name))) from None


def _pasted_table(pasted: str, what: str, kind: str) -> RatedTexts:
    with tempfile.TemporaryDirectory(prefix="pasted-") as folder:
        path = Path(folder) / f"pasted {what}.{kind}"
        path.write_text(pasted.strip("\r\n"), encoding="utf-8", errors="replace")
        return uploaded_ratings(str(path))


def _semicolons(lines: Sequence[str]) -> bool:
    """Say whether semicolons stand before the ratings of all lines, of which the first may be a header."""
    rated = [line for line in lines[1:] if line.strip()] or lines
    return all(";" in line and _RATING.fullmatch(line.rpartition(";")[2]) for line in rated) and ";" in lines[0]


def _split(line: str, semicolons: bool = False) -> list[str]:
    """Return a line's text and rating, or one field where it has no separator."""
    separator = ";" if semicolons else "\t" if "\t" in line else ","
    text, found, rating = line.rpartition(separator)
    fields = [text, rating] if found else [line]
    if separator != "\t" and line.lstrip().startswith('"'):  # quoted, as in CSV
        try:
            quoted = next(csv.reader(io.StringIO(line, newline=""), delimiter=separator, strict=True))
        except csv.Error:
            quoted = []
        fields = quoted if len(quoted) == 2 else fields
    return [fields[0], fields[1].replace(",", ".")] if semicolons else fields


def _named(table: Table, names: Sequence[str]) -> str | None:
    known = {name.strip().lower(): name for name in reversed(table.columns)}
    return next((known[name] for name in names if name in known), None)


def _numeric(table: Table, column: str) -> bool:
    """Return whether the first rows of a column are numbers."""
    values = [row.get(column) for row in table.rows[:20]]
    return bool(values) and all(table.number(value) is not None for value in values)
