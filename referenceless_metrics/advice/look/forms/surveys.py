"""The description of a survey, whose questions a key joins with systems and items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.choosing import with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.numbered_questions import patterns_of
from referenceless_metrics.advice.look.forms.described import options_of
from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.forms.shapes import A_SURVEY
from referenceless_metrics.advice.look.forms.table_facts import cells_in, holds_something
from referenceless_metrics.advice.look.lines.parts import command_line
from referenceless_metrics.advice.look.lines.words_of_labels import numbers_of_words
from referenceless_metrics.core.files.reading import Reading
from referenceless_metrics.core.files.scales_in_words import READ_AS
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.exports.questions import ARE_ITEMS, NEED_NUMBERS, NOT_BY_NUMBERS
from referenceless_metrics.human_evaluation.ratings.question_key import fields_of_name

ON_THE_KEY = (
    "KEY.csv, which you write, has a row for each question of an output, with the columns question, system, item, and "
    "criterion if several are asked: without it, answers by several criteria count as answers by one"
)


def of_survey(file: str, reading: Reading, found: Look, part: Table, answered: Sequence[str]) -> Look:
    """Return the look at a survey, whose questions have a key, or names of one pattern.

    Args:
        file: the file.
        reading: the way to read it.
        found: the look at the answers by numbers.
        part: the first rows of the file, one for each respondent.
        answered: the questions that are answered by numbers.
    """
    patterns, notes = patterns_of(answered), list(found.notes)
    words: list[str] = []
    if not patterns and (patterns := patterns_of(part.columns)):
        named = [name for name in part.columns if fields_of_name(patterns[0], name) is not None]
        if not set(named) & set(answered):  # those that are answered by numbers are of the respondents
            notes = [note for note in notes if not note.startswith(_ON_ANSWERS)]
            words = numbers_of_words([_words_of_answers(part, named)])
        notes.append(f"{len(named)} of {len(part.columns)} columns are called by the pattern {patterns[0]!r}")
    lines = with_key(file, reading, [*patterns, KEY_FILE], words)
    return replace(found, shape=A_SURVEY, commands=tuple(lines), notes=(*notes, ON_THE_KEY))


KEY_FILE = "KEY.csv"
"""The file in a proposed line that the reader writes."""


def _words_of_answers(part: Table, questions: Sequence[str]) -> list[str]:
    """Return the words by which questions are answered: those that stand twice in a column, as no question does."""
    cells = [[str(cell).strip() for cell in cells_in(part, name) if holds_something(cell)] for name in questions]
    counts = map(Counter, cells)
    return sorted({word for of_question in counts for word, count in of_question.items() if count > 1})


_ON_ANSWERS = (ARE_ITEMS, NOT_BY_NUMBERS, NEED_NUMBERS, READ_AS)
"""Beginnings of notes on the questions that are answered by numbers, and on others."""


def with_key(file: str, reading: Reading, keys: Sequence[str], words: Sequence[str] = ()) -> list[str]:
    """Return the command lines that read a survey with a key to its questions, or a pattern of their names.

    There is none without a key: questions by several criteria would be read as items of one.
    """
    found = []
    for key in keys:
        with_key = ["--questions", key, *words, *options_of(reading)]
        found += [
            command_line("human-score", "--ratings", file, *with_key),
            command_line("agreement", file, *with_key),
        ]
    return found


def with_respondents(columns: Sequence[Column], n_rows: int) -> list[Column]:
    """Return a survey's columns, in which a row is a respondent: one value for all rows is no rater, and an id is."""
    alike = [column.name for column in columns if column.part == "rater" and column.distinct == 1]
    columns = with_parts(columns, dict.fromkeys(alike, ""))
    if any(column.part == "rater" for column in columns):
        return columns
    ids = [column.name for column in columns if column.part == "item" and column.distinct == n_rows]
    return with_parts(columns, dict.fromkeys(ids[:1], "rater"))
