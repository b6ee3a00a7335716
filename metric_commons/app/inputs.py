"""What a visitor of a web page gives: texts, references, sources or rated texts, in a box or in a file of any format.

Every error is an `InputError` that can stand in a page as it is: it names the file as its owner does, without the
folder that the server put it in.
"""

from __future__ import annotations

import csv
import fnmatch
import io
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from metric_commons.app.limits import MOST_LINES, check_count, check_file, check_pasted, check_sizes
from metric_commons.files.tables import FORMATS, TABLES, RatedTexts, Table, suffix_of
from metric_commons.files.text_io import read_rated, read_table, read_texts, references_of
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe, finite_number, lone_surrogate

T = TypeVar("T")

TEXT_COLUMNS = ("text", "candidate", "prediction", "output", "sentence", "hypothesis", "summary", "answer", "essay")
"""Names by which a column of texts is known; the first is taken before all others, of which there must be one."""

SOURCE_COLUMNS = ("source", "mr", "meaning representation", "input", "triples")
"""Names by which a column of sources is known, likewise."""

RATING_COLUMNS = (
    "rating", "score", "quality", "fluency", "grammaticality", "naturalness", "correctness", "informativeness", "mean"
)  # fmt: skip
"""Names by which a column of ratings is known, likewise; `mean …` too."""

REFERENCE_COLUMNS = ("reference*", "ref", "ref_*", "ref[0-9]*", "target", "target_*")
"""Patterns of the names of columns with references."""

MOST_COLUMNS = 200
"""Columns of a table that a page offers to choose from."""

_RATING = re.compile(r" *[+-]?\d+([.,]\d*)? *")  # with a decimal point or comma
_OPTION = re.compile(r" \((--[\w-]+|\w+_columns?)\)")  # the readers' messages name options and arguments


@dataclass(frozen=True)
class Input:
    """Something that a visitor gives.

    Attributes:
        name: `texts`, `references`, `sources` or `pool`.
        what: what the page calls its lines.
        info: how the box is read.
        paste: reads the box, from its content and `what`.
        upload: reads a file, from its path and the columns that were chosen.
        known: the columns of a table that are known by their names, of those offered for choice; None asks for one.
        files: the files that are read.
        columns: labels of the choices of a column.
    """

    name: str
    what: str
    info: str
    paste: Callable[[str, str], Any]
    upload: Callable[..., Any]
    known: Callable[[Table], list[str | None]]
    files: str = f".txt, {TABLES}"
    columns: tuple[str, ...] = ("Column with the texts",)

    @property
    def title(self) -> str:
        """The heading over it."""
        return self.what.capitalize()

    def read(self, box: str | None, file: str | None, *columns: str | None) -> Any:
        """Return what was given; a file comes before a box.

        Raises:
            InputError: for an input that is missing or cannot be read.
        """
        return self.upload(file, *columns) if file else self.paste(box or "", self.what)


def texts_input(what: str = "texts") -> Input:
    """Return the input of the texts that are scored."""
    info = f"{what.capitalize()}, one a line"
    return Input("texts", what, info, pasted_texts, uploaded_texts, lambda table: [known_column(table, TEXT_COLUMNS)])


def sources_input(what: str = "sources", formats: str = "") -> Input:
    """Return the input of what the texts were made from; `formats` says how a source is written."""
    return Input(
        "sources",
        what,
        f"One for all texts, or a line for each{formats and ': ' + formats}",
        pasted_sources,
        partial(uploaded_texts, names=SOURCE_COLUMNS),
        lambda table: [known_column(table, SOURCE_COLUMNS)],
        columns=(f"Column with the {what}",),
    )


def references_input() -> Input:
    """Return the input of references."""
    return Input(
        "references",
        "references",
        "References, a line for each text, in the same order; a tab between several",
        pasted_references,
        uploaded_references,
        lambda table: [],
        ".txt, or a table with columns named reference, reference_1 …",
        (),
    )


def pool_input() -> Input:
    """Return the input of rated texts."""
    return Input(
        "pool",
        "rated texts",
        "Rated texts, one a line: the text, a comma or tab, its rating; or a table with a header",
        pasted_ratings,
        uploaded_ratings,
        lambda table: [known_column(table, TEXT_COLUMNS), known_column(table, RATING_COLUMNS)],
        TABLES,
        ("Column with the texts", "Column with the ratings"),
    )


def pasted_texts(pasted: str, what: str) -> list[str]:
    r"""Return the lines of a box; a blank line between others is an empty text.

    Raises:
        InputError: where there is nothing but white space, or more than a page takes (see `limits`).

    >>> pasted_texts("one text\r\n\nanother\n\n", "candidates")
    ['one text', '', 'another']
    """
    lines = _lines(pasted, what)
    check_sizes(lines, what)
    return lines


def _lines(pasted: str, what: str) -> list[str]:
    if not pasted.strip():
        raise InputError(f"There are no {what} yet: paste some, or upload a file")
    return check_pasted(pasted, what).replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")


def pasted_sources(pasted: str, what: str) -> list[str]:
    r"""Return the sources of a box, of which one may stand for all texts: a line for each, or JSON on many lines.

    Raises:
        InputError: as `pasted_texts`.

    >>> pasted_sources('{"food":\n"thai"}', "sources")
    ['{"food":\n"thai"}']
    """
    lines = pasted_texts(pasted, what)
    whole = "\n".join(lines).strip()
    return [whole] if whole[0] in "{[" else whole.split("\n")


def pasted_references(pasted: str, what: str) -> list[list[str]]:
    r"""Return the references of a box: a line for each text, with tabs between several.

    Raises:
        InputError: as `pasted_texts`.

    >>> pasted_references("one\ttwo\nthree\n", "references")
    [['one', 'two'], ['three']]
    """
    return [_split_references(line) for line in pasted_texts(pasted, what)]


def pasted_ratings(pasted: str, what: str) -> RatedTexts:
    r"""Return the rated texts of a box: a table with a header, or lines of a text and its rating.

    Between the two stands a tab, as a spreadsheet copies it, or a comma, or in all lines a semicolon, with which the
    decimal mark may be a comma. Without a header, the last one of a line counts, so that texts need no quotes.

    Raises:
        InputError: where there is nothing, or a line without a rating; the message names the line.

    >>> pool = pasted_ratings("The cat, which sat, is fed.,0.9\ncat cat the\t0.1", "rated texts")
    >>> pool.texts, pool.ratings.tolist()
    (['The cat, which sat, is fed.', 'cat cat the'], [0.9, 0.1])
    """
    lines = _lines(pasted, what)
    semicolons = _semicolons(lines)
    first = _split(lines[0], semicolons)
    if len(first) > 1 and finite_number(first[-1]) is None:
        return _pasted_table(pasted, what, "tsv" if "\t" in lines[0] else "csv")
    texts, ratings = [], []
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
        ratings.append(value)
    check_sizes(texts, what)
    return RatedTexts(texts, np.array(ratings, dtype=np.float64))


def uploaded_table(path: str) -> Table | None:
    """Return a file with columns, whole, or None for a .txt file, which has none.

    Raises:
        InputError: for a file of another kind, or one that cannot be read.
    """
    name, kind = Path(path).name, suffix_of(path)
    if kind not in FORMATS:
        raise InputError(
            f"{name}: this page reads {', '.join('.' + known for known in FORMATS)}, but not "
            f"{'.' + kind if kind else 'a file without a suffix'}"
        )
    check_file(path)
    if kind == "txt":
        return None
    table = _read(path, read_table)
    check_count(len(table.rows), MOST_LINES, f"rows in {name}")
    for column in table.columns:
        if lone_surrogate(column) is not None:
            raise InputError(f"{name}: expected valid Unicode in the names of columns, but got {column!r}")
    if len(table.columns) > MOST_COLUMNS:
        raise InputError(
            f"{name}: this page takes at most {MOST_COLUMNS} columns, but there are {len(table.columns):,}: leave only "
            "the texts and their ratings"
        )
    return table


def uploaded_texts(path: str, column: str | None = None, names: Sequence[str] = TEXT_COLUMNS) -> list[str]:
    """Return the texts of an uploaded file.

    Args:
        path: where the server put it.
        column: the column that holds the texts; None for one that is known by its name.
        names: by which it is known (see `known_column`).

    Raises:
        InputError: as `metric_commons.files.text_io.read_texts`.
    """
    table = uploaded_table(path)
    name = column or (_column_of(table, names, "texts") if table is not None else "text")
    texts = _read(path, lambda source: read_texts(source, text_column=name))
    check_sizes(texts, Path(path).name)
    return texts


def uploaded_ratings(path: str, column: str | None = None, ratings: str | None = None) -> RatedTexts:
    """Return the rated texts of an uploaded file; None takes a column that is known by its name.

    Raises:
        InputError: as `metric_commons.files.text_io.read_rated`.
    """
    table = uploaded_table(path)
    text = column or (_column_of(table, TEXT_COLUMNS, "texts") if table is not None else "text")
    rating = ratings or (_column_of(table, RATING_COLUMNS, "ratings") if table is not None else "rating")
    rated = _read(path, lambda source: read_rated(source, text_column=text, rating_column=rating))
    check_sizes(rated.texts, Path(path).name)
    return rated


def uploaded_references(path: str) -> list[list[str]]:
    """Return the references of a file: lines of a .txt, or the columns named `reference`, `reference_1`, `target` ….

    Raises:
        InputError: for a file that cannot be read or has no such column.
    """
    table = uploaded_table(path)
    if table is None:
        return [_split_references(line) for line in uploaded_texts(path)]
    columns = [
        name
        for name in table.columns
        if any(fnmatch.fnmatchcase(name.strip().lower(), pattern) for pattern in REFERENCE_COLUMNS)
    ] or (list(table.columns) if len(table.columns) == 1 else [])
    if not columns:
        raise InputError(
            f"{Path(path).name}: expected columns named reference, reference_1 and so on, but the columns are "
            f"{', '.join(table.columns)}"
        )
    exactly = [re.sub(r"([*?[])", r"[\1]", name) for name in columns]  # as patterns
    found = _read(path, lambda _: references_of(table, exactly))
    check_sizes([reference for of_text in found for reference in of_text], "references")
    return found


def known_column(table: Table, names: Sequence[str]) -> str | None:
    """Return the column that is known by its name; None where there is none, or several: a visitor is asked then.

    Args:
        table: the table.
        names: the names that are known; the first one counts before all others. Ratings are numbers, and may be named
            `mean …` too.

    >>> known_column(Table("", ("system", "item", "Output", "fluency"), [], []), TEXT_COLUMNS)
    'Output'
    """
    plain = {name: re.sub(r"[\s_-]+", " ", name.strip().lower()) for name in table.columns}
    ratings = names is RATING_COLUMNS
    first = [name for name in table.columns if plain[name] == names[0]]
    if not ratings and len(table.columns) == 1:
        first = list(table.columns)
    other = [
        name
        for name in table.columns
        if (plain[name] in names or (ratings and plain[name].startswith("mean ")))
        and (not ratings or _numeric(table, name))
    ]
    return first[0] if first else other[0] if len(other) == 1 else None


def _column_of(table: Table, names: Sequence[str], what: str) -> str:
    """Return the column that is known by its name.

    Raises:
        InputError: asking for it where there is none or several.
    """
    name = known_column(table, names)
    if name is None:
        told = table.told_numeric() if names is RATING_COLUMNS else ""
        raise InputError(
            f"{Path(table.source).name}: which column holds the {what}? Choose it, or name it {names[0]!r}; "
            f"{told or 'the columns are ' + ', '.join(map(repr, table.columns))}"
        )
    return name


def _numeric(table: Table, column: str) -> bool:
    """Return whether the first rows of a column are numbers."""
    values = [row.get(column) for row in table.rows[:20]]
    return bool(values) and all(table.number(value) is not None for value in values)


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


def _split_references(line: str) -> list[str]:
    return [reference.strip() for reference in line.split("\t") if reference.strip()]
