"""A key to a survey: a table that says of which system's output, on which item, each question asks.

A survey has a row for each respondent and a column for each question, and names no systems. The key has a row for each
question, with the columns `question`, `system` and `item`, and any others, such as `criterion`. In place of a table it
may be a pattern of the questions' names, such as `{criterion}_{system}` for `Fluency_1`; `*` in it is any text, such as
the output itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Record, did_you_mean, shortened
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, RATER, RATING, SYSTEM, TEXT
from referenceless_metrics.human_evaluation.ratings.exports.questions import cell_as_read, numbers_of_questions

QUESTION = "question"
OPTION = "--questions"

_CRITERION = "criterion"
_BEFORE_ROW = " - "
"""Sign between what all rows of a matrix are asked and the row itself, in Qualtrics' questions in words."""

ANY = "*"
"""Any text in a pattern."""

_BY_WORDS = "; those that are answered by words need the words' numbers: --values WORD=NUMBER,…"
"""End of a message on questions that are not there."""

_RESPONDENTS = (
    "rater",
    "respondent",
    "respondent id",
    "respondentid",
    "subject",
    "annotator",
    "responseid",
    "response id",
    "participant",
    "participant_id",
    "prolific_pid",
    "worker_id",
    "id",
)
"""Columns that tell respondents apart, in small letters."""


def joined_with_key(survey: Table, key_file: str, words: Mapping[str, float] | None = None) -> Table:
    """Return a survey's answers with the key's columns for each question: the system, the item and others.

    Args:
        survey: a row for each answer, whose column `item` names the question, as exports of survey tools are read; or a
            row for each respondent, with a column for each question.
        key_file: the table with a row for each question, or a pattern of their names.
        words: the numbers that words in answers stand for; None if they stand for none.

    Raises:
        InputError: for a pattern that fits no question, for a key that cannot be read, lacks a column or names a
            question twice, and for questions that are not in the survey.
    """
    key = _key_of_names(survey, key_file) if is_pattern(key_file) else _read_key(key_file)
    if {ITEM, RATER, RATING} <= set(survey.columns):
        rows = _answers(survey, key, key_file)
    else:
        rows = _melted(survey, key, key_file, words)
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    note = f"questions of {survey.source} are of the systems and items that {key_file} names"
    if is_pattern(key_file):
        note = f"questions of {survey.source} are called by the pattern {key_file}: {shortened(', '.join(key), 100)}"
    return Table(survey.source, columns, rows, notes=(*survey.notes, note), comma=survey.comma)


def is_pattern(text: str) -> bool:
    """Say whether this is a pattern of the questions' names, and no file.

    >>> is_pattern("{criterion}_{system}"), is_pattern("key.csv")
    (True, False)
    """
    return re.search(r"\{[a-z]+\}", text) is not None


def check_pattern(pattern: str) -> None:
    """Check that a pattern names systems or items, and nothing twice or beyond them and criteria.

    Raises:
        InputError: for another one.
    """
    fields = re.findall(r"\{(.*?)\}", pattern)
    if len(set(fields)) < len(fields) or set(fields) - {SYSTEM, ITEM, "criterion"} or not {SYSTEM, ITEM} & set(fields):
        raise InputError(
            f"{OPTION}: expected a file, or a pattern with {{system}}, {{item}} and {{criterion}}, each at most once, "
            f"such as {{criterion}}_{{system}}, and * for any text, but got {pattern!r}"
        )


def fields_of_name(pattern: str, name: str) -> Record | None:
    """Return what a question's name says by a pattern; None for a name that does not fit it.

    Beside `*`, which is any text, what a name says ends where the text behind it in the pattern begins.

    >>> fields_of_name("{criterion}_{system}", "Fluency _1"), fields_of_name("R{system}Q{criterion}", "id")
    ({'criterion': 'Fluency', 'system': '1'}, None)
    >>> fields_of_name("Text {item}: * How {criterion} is it?", "Text 2: How are you: well. How fluent is it?")
    {'item': '2', 'criterion': 'fluent'}
    """
    until = "?" if ANY in pattern else ""
    form = "".join(
        f"(?P<{part[1:-1]}>.+{until})" if part.startswith("{") else ".*" if part == ANY else re.escape(part)
        for part in re.split(r"(\{.*?\}|\*)", pattern)
    )
    match = re.fullmatch(form, name.strip(), re.DOTALL)
    return None if match is None else {field: value.strip() for field, value in match.groupdict().items()}


def _key_of_names(survey: Table, pattern: str) -> dict[str, Record]:
    """Return what a pattern says of each question whose name fits it.

    All systems share one item if the pattern names none.

    Raises:
        InputError: if none fits.
    """
    check_pattern(pattern)
    is_long = {ITEM, RATER, RATING} <= set(survey.columns)
    names = {str(row[ITEM]): row.get(TEXT) for row in survey.rows} if is_long else dict.fromkeys(survey.columns)
    key: dict[str, Record] = {}
    statements: dict[str, str] = {}
    for name, words in names.items():
        if name.strip().lower() in _RESPONDENTS:
            continue
        for called in _names_of(name, words):
            fields = fields_of_name(pattern, called)
            if fields is not None:
                key[called] = {ITEM: "1", **fields}
                statements[called] = str(words or "").rpartition(_BEFORE_ROW)[2].strip()
                break
    if not key:
        listed = shortened(", ".join(map(repr, names)), 200)
        told = f"no question fits {pattern!r} ({OPTION}); the questions are {listed}{_BY_WORDS}"
        raise InputError(f"{survey.source}: {told}")
    return _by_statements(_usual(key), statements)


def _by_statements(key: Mapping[str, Record], statements: Mapping[str, str]) -> dict[str, Record]:
    """Return a key of which criteria that are numbers are called by the statements that raters agreed with.

    The questions of each criterion end with one statement, which is no other's, behind what all are asked.
    """
    of_number: dict[str, set[str]] = {}
    for name, fields in key.items():
        of_number.setdefault(str(fields.get(_CRITERION)), set()).add(statements[name])
    told = {number: of.copy().pop() for number, of in of_number.items() if len(of) == 1}
    are_numbers = all(map(str.isdecimal, of_number))
    if not are_numbers or len(told) < len(of_number) or len(set(told.values())) < len(told) or "" in told.values():
        return dict(key)
    return {name: {**fields, _CRITERION: told[fields[_CRITERION]]} for name, fields in key.items()}


def _usual(key: Mapping[str, Record]) -> dict[str, Record]:
    """Return the questions of outputs of which more than half as many are asked as of others, as `user_id` is not."""
    counts = Counter((fields.get(SYSTEM), fields[ITEM]) for fields in key.values())
    most = max(counts.values())
    return {name: fields for name, fields in key.items() if 2 * counts[fields.get(SYSTEM), fields[ITEM]] > most}


def _read_key(key_file: str) -> dict[str, Record]:
    """Return the key's columns for each question."""
    table = read_table(key_file)
    key: dict[str, Record] = {}
    for name in (QUESTION, SYSTEM, ITEM):
        cells = table.column(name, f"the key that {OPTION} names")
        if any(map(is_blank, cells)):
            row = next(row for row, cell in enumerate(cells) if is_blank(cell))
            raise InputError(f"{table.where(row)}: there is nothing in column {name!r} ({OPTION})")
    for row, record in enumerate(table.rows):
        question = str(record[QUESTION]).strip()
        if question in key:
            raise InputError(f"{table.where(row)}: the question {question!r} stands twice ({OPTION})")
        key[question] = {name: cell for name, cell in record.items() if name != QUESTION}
    return key


def _names_of(question: str, words: object) -> list[str]:
    """Return the names by which a key may call a question: its column, the code in front of its words, or its words.

    >>> _names_of("R1Q1. How fluent is it?", "How fluent is it?")
    ['R1Q1. How fluent is it?', 'R1Q1', 'How fluent is it?']
    """
    code, dot, _ = question.partition(". ")
    names = [question.strip(), *([code.strip()] if dot else []), str(words or "").strip()]
    return list(dict.fromkeys(name for name in names if name))


def _answers(survey: Table, key: Mapping[str, Record], key_file: str) -> list[Record]:
    """Return the rows of an export of a survey tool with the key's columns for their questions."""
    rows = []
    met: set[str] = set()
    for row in survey.rows:
        name = next((name for name in _names_of(str(row[ITEM]), row.get(TEXT)) if name in key), None)
        if name is not None:
            met.add(name)
            kept = {column: cell for column, cell in row.items() if column != TEXT}
            rows.append({**kept, **key[name]})
    _check_met(survey, key, met, key_file, [str(row[ITEM]) for row in survey.rows])
    return rows


def _melted(survey: Table, key: Mapping[str, Record], key_file: str, words: Mapping[str, float] | None) -> list[Record]:
    """Return a row for each respondent and question of the key."""
    columns = {name: column for column in survey.columns for name in reversed(_names_of(column, ""))}
    _check_met(survey, key, {name for name in key if name in columns}, key_file, survey.columns)
    respondent = next((name for name in survey.columns if name.strip().lower() in _RESPONDENTS), None)
    numbers = numbers_of_questions({name: [row.get(columns[name]) for row in survey.rows] for name in key}, words)
    rows = []
    for number, row in enumerate(survey.rows, 1):
        who = row.get(respondent) if respondent is not None else None
        rater = f"row {number}" if is_blank(who) else who
        for name, fields in key.items():
            cell = cell_as_read(row.get(columns[name]), numbers.get(name), number - 1)
            rows.append({RATER: rater, RATING: cell, **fields})
    return rows


def _check_met(
    survey: Table, key: Mapping[str, Record], met: set[str], key_file: str, questions: Sequence[str]
) -> None:
    """Check that the survey has all questions of the key."""
    missing = [name for name in key if name not in met]
    if missing:
        known = list(dict.fromkeys(questions))
        listed = shortened(", ".join(map(repr, known)), 200)
        raise InputError(
            f"{survey.source}: there is no question {missing[0]!r} that is answered by numbers, which {key_file} names "
            f"({OPTION}); the questions are {listed}{did_you_mean(missing[0], known)}{_BY_WORDS}"
        )
