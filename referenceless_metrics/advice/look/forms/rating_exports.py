"""The description of an annotation tool's export."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from referenceless_metrics.advice.look.columns.choosing import with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_kinds import are_answers
from referenceless_metrics.advice.look.columns.evidence import columns_of
from referenceless_metrics.advice.look.forms.described import describe, first_rows, format_of, options_of
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.doubts import REPEATED_TEXTS
from referenceless_metrics.advice.look.forms.headless import MOST_POINTS
from referenceless_metrics.advice.look.forms.shapes import BEST_WORST_OF_TEXTS
from referenceless_metrics.advice.look.forms.surveys import of_survey
from referenceless_metrics.advice.look.forms.table_facts import cells_in
from referenceless_metrics.advice.look.forms.tables import look_at_table
from referenceless_metrics.advice.look.lines.checking import without_refused
from referenceless_metrics.advice.look.lines.options_of_parts import MOST_RATINGS
from referenceless_metrics.advice.look.lines.parts import command_line
from referenceless_metrics.core.files.delimited import HeaderError
from referenceless_metrics.core.files.json_rows import TEXT
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import MISSING, InputNote, Reading
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.exports.best_worst import TOOL as BEST_WORST

_READING_RATINGS = ("human-score", "agreement", "advise")  # commands that read exports of annotation tools


def look_at_rating_export(file: str, reading: Reading) -> Look | None:
    """Recognise an export of an annotation tool, and look at the long table that it becomes."""
    from referenceless_metrics.human_evaluation.ratings.export_files import read_rating_rows, tool_of
    from referenceless_metrics.human_evaluation.ratings.exports.answers import Export
    from referenceless_metrics.human_evaluation.ratings.exports.pairs import are_by_criteria

    if reading.rows_in is not None or not Path(file).is_file() or format_of(file, reading) == "txt":
        return None
    try:
        part = first_rows(file, reading)
    except HeaderError:
        return None
    export = Export(part.source, part.columns, part.rows[:50])
    tool = tool_of(export, is_plain=reading.says_plain_table)
    if tool is None:
        return _keyed_sides(file, reading, part)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        table = read_rating_rows(file, reading)
    columns, twice = _without_twice(table, columns_of(table))
    columns = _with_usual_keys(_with_answers(table, columns, tool.convert(export).questions))
    columns = with_parts(columns, {TEXT: ""} if tool.is_survey else {})  # a question
    found = describe(file, f"an export of {tool.name}", table, reading, columns, is_part=False)
    if twice:
        found = replace(found, notes=(*found.notes, twice))
    lines = [line for line in found.commands if line.split()[1] in _READING_RATINGS]
    if tool.is_survey:
        return of_survey(file, reading, found, part, [str(cell) for cell in dict.fromkeys(cells_in(table, "item"))])
    if tool.name == BEST_WORST and not any(column.part == "system" for column in columns):
        are_rated_again = len(set(cells_in(table, "item"))) < len(table.rows)
        agreed = [command_line("agreement", file, *options_of(reading))] if are_rated_again else []
        told = tuple(note for note in found.notes if not note.endswith(REPEATED_TEXTS))
        return replace(found, shape=BEST_WORST_OF_TEXTS, commands=tuple(lines or agreed), notes=told)
    option_lists = _of_pairs_inside(table) if tool.option_lists is None else tool.option_lists(export)
    if option_lists:
        compared = {str(cell) for name in ("system_a", "system_b") for cell in cells_in(table, name)}
        pairs = ["--all-pairs"] if len(compared - {str(MISSING)}) > 2 else []
        of_people = [command_line("human-score", "--ratings", file, *options, *pairs) for options in option_lists]
        of_people, refused = without_refused(of_people)
        found = replace(found, notes=tuple(dict.fromkeys((*found.notes, *refused))))
        lines = [*of_people, *(line for line in lines if line.split()[1] != "human-score")]
        lines += _of_deciding(file, [] if are_by_criteria(export) else option_lists)
        lines += _of_ratings_beside(file, reading) if option_lists == [[]] else []
    return replace(found, commands=tuple(lines))


def _keyed_sides(file: str, reading: Reading, part: Table) -> Look | None:
    """Recognise a workbook with choices between two sides, and with their systems in another sheet."""
    from referenceless_metrics.human_evaluation.ratings.key_of_sides import FORM, with_key_of_sides

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputNote)
        table = with_key_of_sides(file, reading, part)
    if table is None:
        return None
    columns = _with_usual_keys(columns_of(table))
    found = describe(file, FORM, table, reading, columns, is_part=False)
    lines = [line for line in found.commands if line.split()[1] in ("human-score", "agreement")]
    return replace(found, commands=tuple(lines))


def _of_ratings_beside(file: str, reading: Reading) -> list[str]:
    """Return the lines on ratings of both outputs, which may stand beside the names of the better and the worse one."""
    beside = [line for line in look_at_table(file, reading).commands if "--rows-in" in shlex.split(line)]
    return [line for line in beside if line.split()[1] == "human-score"]


def _without_twice(table: Table, columns: Sequence[Column]) -> tuple[list[Column], str]:
    """Return the columns of an export without its own ones that stand in it under the usual names, too, and a note."""
    usual = {column.part: column.name for column in columns if column.name == column.part in _USUAL}
    twice = {
        column.name: part
        for part in usual
        for column in columns
        if column.name != part and column.part in ("", part) and cells_in(table, column.name) == cells_in(table, part)
    }
    by_part: dict[str, list[str]] = {}
    for name, part in twice.items():
        by_part.setdefault(part, []).append(repr(name))
    told = ", ".join(f"{part} is {' and '.join(names)}" for part, names in by_part.items())
    return [column for column in columns if column.name not in twice], told


def _with_usual_keys(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of an export, of which one that the reader called after a key alone plays its part.

    Beside the systems of both sides, a column of one side's system names none of the row.
    """
    usual = {column.name for column in columns if column.name == column.part in _KEYS_OF_PAIRS}
    taken = usual | ({"system"} if "system_a" in usual else set())
    return with_parts(columns, {column.name: "" for column in columns if column.part in taken - {column.name}})


_KEYS_OF_PAIRS = ("item", "system_a", "system_b")
"""Keys that a reader of exports makes of several columns."""


def _with_answers(table: Table, columns: Sequence[Column], asked: Collection[str]) -> list[Column]:
    """Return the columns of an export, of which its questions that are answered by one of a few words are ratings."""
    if not any(column.part == "rater" for column in columns):
        return list(columns)
    may_be = [each for each in columns if each.name in asked and not each.part and each.kind == "labels"]
    words = {each.name: [cell for cell in cells_in(table, each.name) if not is_blank(cell)] for each in may_be}
    answered = {name for name, cells in words.items() if len(set(cells)) <= MOST_POINTS and are_answers(cells)}
    return [replace(column, part="rating") if column.name in answered else column for column in columns]


_USUAL = ("item", "rater", "text")
"""Columns that a reader of exports adds under these names."""


def _of_pairs_inside(table: Table) -> list[list[str]]:
    """Return the options that read comparisons on a scale which a tool for answers of other kinds exported."""
    from referenceless_metrics.human_evaluation.ratings.exports import answers, pairs

    made = {"system_a", "system_b", answers.RATING}
    if not made <= set(table.columns) or answers.PREFERENCE in table.columns:
        return []
    rows = [{name: cell for name, cell in row.items() if name not in made} for row in table.rows]
    inside = answers.Export(table.source, tuple(name for name in table.columns if name not in made), rows)
    return pairs.option_lists(inside) if pairs.recognises(inside) else []


def _of_deciding(file: str, option_lists: Sequence[Sequence[str]]) -> list[str]:
    """Return the command lines that say how far the first of several columns agrees with each other: a judge's, say.

    Two runs of one judge are not two judges: each is held against the first column alone.
    """
    columns = [options[1] for options in option_lists if len(options) == 2 and options[0] == "--preference-column"]
    return [
        command_line("agreement", file, "--rating-column", columns[0], "--rating-column", other)
        for other in columns[1 : 1 + MOST_RATINGS]
    ]
