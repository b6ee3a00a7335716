"""The description of a table whose first line holds data."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.evidence import columns_of
from referenceless_metrics.advice.look.forms.clusters import are_clusters, of_clusters
from referenceless_metrics.advice.look.forms.described import describe, first_rows
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.other_languages import is_of_other_language
from referenceless_metrics.advice.look.forms.table_facts import cells_in
from referenceless_metrics.core.files.delimited import texts_of
from referenceless_metrics.core.files.formats_of_files import names_lines
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.tables import Table

_WITHOUT_NAMES = "a table whose columns have no names"

_FEWEST_COUNTED = 5  # groups of rows that numbers which grow count: a scale may be sorted, too

_FEWEST_IDS = 50  # rows: that many ratings do not all differ

MOST_POINTS = 12  # of a scale


def begins_with_labels(file: str, table: Table) -> bool:
    """Return whether the first line of a file of lines holds cells that stand below again, as no names do."""
    return names_lines(file) and any(name in map(str, cells_in(table, name)) for name in table.columns)


def look_at_headless(file: str, reading: Reading, n_columns: int, note: str = "") -> Look:
    """Look at a table without a header; its columns get names by their content.

    If there are several columns of numbers or of texts, it is not to be guessed which are the ratings and outputs: then
    there is no command line. With several texts and one rating there is one for each, the last text first.
    """
    places = tuple(f"column{place}" for place in range(1, n_columns + 1))
    plain = first_rows(file, replace(reading, columns=places))
    usual = _names_by_content(plain)
    are_parallel = len(usual) == n_columns == sum(column.kind == "text" for column in columns_of(plain)) == 2
    example = texts_of(n_columns) if are_parallel else ",".join(usual)
    note = note or (
        "the first line seems to hold data, and not names: name the columns by what they hold, such as --columns "
        f"{example}"
    )
    reading = replace(reading, columns=usual)
    table = first_rows(file, reading)
    columns = columns_of(table)
    if are_clusters(file, columns):
        return of_clusters(file, len(table.rows), columns)
    items = [column.name for column in columns if _counts(table, column)]
    texts = [column.name for column in columns if column.kind == "text"]
    numeric = [column for column in columns if column.is_numeric and column.name not in items]
    are_alike = all(column.kind == "whole numbers" and column.distinct <= MOST_POINTS for column in numeric)
    if len(numeric) > 1 and (len(texts) > 1 or are_alike):
        if len(texts) < 2:
            names = [f"r{number}" for number in range(1, len(numeric) + 1)]
            note += f"; numbers of one scale may be of several raters, as {', '.join(names)}, or of several criteria"
        found = describe(file, "a table without a header", table, reading, columns, is_part=False)
        return replace(found, columns=tuple(columns), notes=(note,), shape=_WITHOUT_NAMES, commands=())
    are_candidates = [column.name for column in columns[:1]] == items and columns[0].distinct < len(table.rows)
    number = "score" if are_candidates and numeric and numeric[0].kind == "numbers" else "rating"
    looks = []
    for text in reversed(texts) if len(texts) > 1 else texts[:1] or [""]:
        parts = {text: "text", **dict.fromkeys(items[:1], "item")}
        if numeric:
            parts[numeric[0].name] = number
        others = ["source" if are_parallel else f"column{place}" for place in range(1, n_columns + 1)]
        names = [parts.get(column.name, other) for column, other in zip(columns, others, strict=True)]
        named = replace(reading, columns=tuple(names))
        again = first_rows(file, named)
        looks.append(describe(file, "a table without a header", again, named, columns_of(again), is_part=False))
    found = looks[0]
    lines = list(dict.fromkeys(line for each in looks for line in each.commands))
    notes = [note, *found.notes]
    if len(texts) > 1:
        notes.insert(1, f"nothing tells which of {len(texts)} columns of texts holds the outputs: choose by --columns")
        lines.sort(key=lambda line: line.split()[1] == "score" or is_of_other_language(line))
    if are_candidates and number == "score":
        lines = [line for line in lines if line.split()[1] == "score"]
        notes.append("the first column counts inputs, each with several candidates and what a model gives them")
    return replace(found, notes=tuple(notes), commands=tuple(lines))


def _names_by_content(table: Table) -> tuple[str, ...]:
    """Return names for the columns of a table without a header, an example of what they may hold.

    A column of one value has no part. Of the others, ids and numbers of rows may be items, texts the outputs, the first
    labels systems and the next ones raters, and numbers ratings.
    """
    names = []
    for column in columns_of(table):
        may_be = ["text"] if column.kind == "text" else ["rating"] if column.is_numeric else ["system", "rater", "item"]
        if column.kind == "ids" or _counts(table, column):
            may_be = ["item"]
        elif column.distinct < 2:
            may_be = []
        names.append(next((name for name in may_be if name not in names), column.name))
    return tuple(names)


def _counts(table: Table, column: Column) -> bool:
    """Say whether a column numbers rows or groups of rows: whole numbers from 0 or 1, each as the last or one more.

    The first column does so, too, if it has another whole number in each of many rows.
    """
    if column.kind != "whole numbers" or column.distinct <= _FEWEST_COUNTED:
        return False
    if column.name == table.columns[0] and column.distinct == len(table.rows) >= _FEWEST_IDS:
        return True
    numbers = table.as_numbers(cells_in(table, column.name)).tolist()
    steps = {after - before for before, after in pairwise(numbers)}
    return numbers[0] in (0, 1) and steps <= {0, 1}
