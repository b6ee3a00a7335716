"""Inputs of a web page: texts, references, sources or rated texts, in a box or in a file of any format.

Every error is an `InputError` that can stand in a page as it is: it names the file as its owner does, without the
folder that the server put it in.
"""

from __future__ import annotations

import fnmatch
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from referenceless_metrics.core.files.formats import TEXT
from referenceless_metrics.core.files.formats_of_files import suffix_of
from referenceless_metrics.core.files.tables import ColumnName, RatedTexts, Table, read_blocks
from referenceless_metrics.core.files.text_io import references_of
from referenceless_metrics.core.support.validation import InputError, describe, finite_number, lone_surrogate
from referenceless_metrics.pages.app.limits import MOST_LINES, check_count, check_file, check_pasted, check_sizes

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

KINDS = ("txt", "csv", "tsv", "jsonl", "json")
"""The formats of files that a page takes: text, whose size bounds its content."""

MOST_COLUMNS = 200
"""Most columns of a table that a page offers to choose from."""


@dataclass(frozen=True)
class Input:
    """An input that a visitor gives.

    Attributes:
        name: `texts`, `references`, `sources` or `pool`.
        what: the page's word for its lines.
        info: note on how the box is read.
        of_lines: reads the lines of a box, which `what` names in messages.
        of_table: reads a table, from it and its chosen columns; that of a .txt file has the column `text`.
        columns: for each choice of a column, by its label, the names by which such a column is known (see
            `known_column`).
        kinds: the formats of files that are read.
        files: the same in words; "" for their suffixes.
    """

    name: str
    what: str
    info: str
    of_lines: Callable[[list[str], str], Any]
    of_table: Callable[..., Any]
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: tuple[str, ...] = KINDS
    files: str = ""

    @property
    def title(self) -> str:
        """The heading over it."""
        return self.what.capitalize()

    @property
    def suffixes(self) -> str:
        """The formats as files end in them."""
        return ", ".join(f".{kind}" for kind in self.kinds)

    def read(self, box: str | None, file: str | None, *chosen: str | None) -> Any:
        """Return the content of the input; a file comes before a box.

        Args:
            box: the box's content.
            file: path of the file on the server.
            chosen: the columns that were chosen; None for one that is known by its name.

        Raises:
            InputError: for an input that is missing, cannot be read, or is more than a page takes (see `limits`).
        """
        if file:
            return self.held(self.table(file), chosen)
        pasted = box or ""
        if not pasted.strip():
            raise InputError(f"There are no {self.what} yet: paste some, or upload a file")
        # a blank line between others is an empty text
        lines = re.split("\r\n|[\r\n]", check_pasted(pasted, self.what).strip("\r\n"))
        check_sizes(lines, self.what)
        return self.of_lines(lines, self.what)

    def table(self, path: str) -> Table:
        """Return an uploaded file, whole.

        Raises:
            InputError: for a file of another kind, one that cannot be read, or more than a page takes.
        """
        name, suffix = Path(path).name, Path(path).suffix
        if suffix.lower()[1:] not in self.kinds:
            raise InputError(
                f"{name}: the {self.what} may be a file of {self.suffixes}, but this is "
                f"{suffix or 'a file without a suffix'}"
            )
        check_file(path)
        try:
            [table] = read_blocks(path)  # without a size, the file is one block
            table = replace(table, source=name)
        except InputError as error:
            problem = re.sub("; [^;]*--.*", "", str(error).replace(path, name))  # visitors give no options
            raise InputError(problem) from None
        check_count(len(table.rows), MOST_LINES, f"rows in {name}")
        if any(lone_surrogate(column) is not None for column in table.columns):
            raise InputError(f"{name}: expected valid Unicode in the names of columns")
        if len(table.columns) > MOST_COLUMNS:
            raise InputError(
                f"{name}: this page takes at most {MOST_COLUMNS} columns, but there are {len(table.columns):,}: leave "
                "only the texts and their ratings"
            )
        return table

    def known(self, table: Table) -> list[str | None]:
        """Return the columns that are known by their names, of those to choose; None for one that is not."""
        return [known_column(table, names) for names in self.columns.values()]

    def held(self, table: Table, chosen: Sequence[str | None]) -> Any:
        """Return the content of a table in the columns that were chosen, or are known by their names.

        Raises:
            InputError: for a column that is neither, and values that cannot be read.
        """
        columns = [mine or known for mine, known in zip(chosen or self.known(table), self.known(table), strict=True)]
        for column, (label, names) in zip(columns, self.columns.items(), strict=True):
            if column is None:
                numeric = table.told_numeric() if names is RATING_COLUMNS else ""
                raise InputError(
                    f"{table.source}: choose the {label.lower()}, or name it {names[0]!r}; "
                    f"{numeric or 'the columns are ' + ', '.join(map(repr, table.columns))}"
                )
        return self.of_table(table, *map(ColumnName, filter(None, columns)))


def texts_input(what: str = "texts") -> Input:
    """Return the input of the texts that are scored."""
    columns = {"Column with the texts": TEXT_COLUMNS}
    return Input("texts", what, f"{what.capitalize()}, one a line", lambda lines, _: lines, texts_of, columns)


def sources_input(what: str = "sources", formats: str = "") -> Input:
    """Return the input for the texts' sources; `formats` says how a source is written."""
    info = f"One for all texts, or a line for each{formats and ': ' + formats}"
    return Input("sources", what, info, sources_of_lines, texts_of, {f"Column with the {what}": SOURCE_COLUMNS})


def references_input() -> Input:
    """Return the input of references."""
    return Input(
        "references",
        "references",
        "References, a line for each text, in the same order; a tab between several",
        lambda lines, _: references_of_lines(lines),
        references_of_table,
        files=".txt, or a table with columns named reference, reference_1 …",
    )


def pool_input() -> Input:
    """Return the input of rated texts."""
    return Input(
        "pool",
        "rated texts",
        "Rated texts, one a line: the text, a comma or tab, its rating; or a table with a header",
        ratings_of_lines,
        ratings_of_table,
        {"Column with the texts": TEXT_COLUMNS, "Column with the ratings": RATING_COLUMNS},
        KINDS[1:],
    )


def texts_of(table: Table, column: str) -> list[str]:
    """Return the texts of a column.

    Raises:
        InputError: for a cell that is no text, no rows, or more text than a page takes.
    """
    texts = table.texts(column)
    if not texts:
        raise InputError(f"{table.source}: it holds no texts")
    check_sizes(texts, table.source)
    return texts


def sources_of_lines(lines: list[str], _: str) -> list[str]:
    r"""Return the sources of a box: one per line, or JSON on many lines. One source may stand for all texts.

    >>> sources_of_lines(['{"food":', '"thai"}'], "sources")
    ['{"food":\n"thai"}']
    """
    whole_box = "\n".join(lines).strip()
    return [whole_box] if whole_box[0] in "{[" else whole_box.split("\n")


def references_of_lines(lines: list[str]) -> list[list[str]]:
    r"""Return the references in lines: a line for each text, with tabs between several.

    >>> references_of_lines(["one\ttwo", "three"])
    [['one', 'two'], ['three']]
    """
    return [[reference.strip() for reference in line.split("\t") if reference.strip()] for line in lines]


def references_of_table(table: Table) -> list[list[str]]:
    """Return the references of a file: lines of a .txt, or the columns named `reference`, `reference_1`, `target` ….

    Raises:
        InputError: for a file that has no such column, or a row without a reference.
    """
    if suffix_of(table.source) == "txt":
        return references_of_lines(texts_of(table, TEXT))
    columns = [
        name
        for name in table.columns
        if any(fnmatch.fnmatchcase(name.strip().lower(), pattern) for pattern in REFERENCE_COLUMNS)
    ] or (list(table.columns) if len(table.columns) == 1 else [])
    if not columns:
        raise InputError(
            f"{table.source}: expected columns named reference, reference_1 and so on, but the columns are "
            f"{', '.join(table.columns)}"
        )
    exactly = [re.sub(r"([*?[])", r"[\1]", name) for name in columns]  # as patterns
    references = references_of(table, exactly)
    check_sizes([reference for of_text in references for reference in of_text], "references")
    return references


def ratings_of_lines(lines: list[str], what: str) -> RatedTexts:
    r"""Return the rated texts of a box: a table with a header, or lines of a text and its rating.

    Between the two stands a tab, as a spreadsheet copies it, a semicolon, or a comma. Without a header, the last one
    before a number counts, so that texts need no quotes; after a tab or a semicolon the decimal mark may be a comma.

    Raises:
        InputError: for a line without a rating; the message names the line.

    >>> pool = ratings_of_lines(["The cat, which sat, is fed.,0.9", "cat cat the\t0.1"], "rated texts")
    >>> pool.texts, pool.ratings.tolist()
    (['The cat, which sat, is fed.', 'cat cat the'], [0.9, 0.1])
    """
    if _rated(lines[0]) is None and re.search("[\t;,]", lines[0]):
        with tempfile.TemporaryDirectory(prefix="pasted-") as folder:
            path = Path(folder) / f"pasted {what}.{'tsv' if chr(9) in lines[0] else 'csv'}"
            path.write_text("\n".join(lines), encoding="utf-8", errors="replace")
            pool: RatedTexts = pool_input().read(None, str(path))
            return pool
    texts, ratings = [], []
    for number, line in enumerate(lines, start=1):
        rated = _rated(line)
        if rated is not None:
            texts.append(rated[0])
            ratings.append(rated[1])
        elif line.strip():
            raise InputError(
                f"The {what}, line {number}: expected a text, a comma or tab, and a rating, but got {describe(line)}"
            )
    return RatedTexts(texts, np.array(ratings, dtype=float))


def _rated(line: str) -> tuple[str, float] | None:
    """Return the text and the rating of a line; None if it has none."""
    for separator in "\t;,":
        text, separated, rating = line.rpartition(separator)
        value = finite_number(rating.replace(",", "."))
        if separated and value is not None:
            quoted = re.fullmatch(r'\s*"((?:[^"]|"")*)"', text) if separator != "\t" else None  # as in CSV
            return (text if quoted is None else quoted[1].replace('""', '"')), value
    return None


def ratings_of_table(table: Table, text_column: str, rating_column: str) -> RatedTexts:
    """Return the rated texts of a table.

    Raises:
        InputError: for a cell that is no text or no rating, no rows, or more text than a page takes.
    """
    return RatedTexts(texts_of(table, text_column), table.numbers(rating_column, ""))


def known_column(table: Table, names: Sequence[str]) -> str | None:
    """Return the column that is known by its name; None if there is none, or several: a visitor is asked then.

    Args:
        table: the table.
        names: the names that are known; the first one counts before all others. Ratings are numbers, and may be named
            `mean …` too.

    >>> known_column(Table("", ("system", "item", "Output", "fluency"), [], []), TEXT_COLUMNS)
    'Output'
    """
    ratings = names is RATING_COLUMNS
    if not ratings and len(table.columns) == 1:
        return table.columns[0]
    plain = {name: re.sub(r"[\s_-]+", " ", name.strip().lower()) for name in table.columns}
    first = [name for name in table.columns if plain[name] == names[0]]
    other = [
        name
        for name in table.columns
        if plain[name] in names or (ratings and plain[name].startswith("mean "))
        if not ratings or table.range_of(name) is not None
    ]
    return first[0] if first else other[0] if len(other) == 1 else None
