"""Surveys with a column for each question and a row for each respondent, turned into a row for each answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.tables import is_blank
from referenceless_metrics.core.support.validation import Record, shortened
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING, TEXT, Answers


def answers_to_questions(
    rows: Sequence[Record], questions: Mapping[str, str], raters: Iterable[object], fields: Sequence[str] = ()
) -> Answers:
    """Return a row for each respondent and question that is answered by numbers.

    Args:
        rows: one for each respondent.
        questions: from a question's column to the question in words.
        raters: who each respondent is.
        fields: further columns, which each answer of the respondent keeps.
    """
    answers = Answers()
    asked: list[str] = []
    other: list[str] = []
    for column in questions:
        cells = [row.get(column) for row in rows]
        known = [cell for cell in cells if not is_blank(cell)]
        if known and _is_of_numbers(known):
            asked.append(column)
        elif known:
            other.append(column)
    for row, rater in zip(rows, raters, strict=True):
        kept = {name: row.get(name) for name in fields}
        for column in asked:
            answers.add({**kept, TEXT: questions[column]}, column, rater, {RATING: row.get(column)})
    if asked:
        answers.notes.append(f"each question that is answered by numbers is an item: {shortened(', '.join(asked), 120)}")
    if other:
        answers.notes.append(f"questions that are not answered by numbers are left out: {shortened(', '.join(other), 120)}")
    return answers


def _is_of_numbers(cells: Sequence[object]) -> bool:
    try:
        column_numbers(cells)
    except NotNumbersError:
        return False
    return True
