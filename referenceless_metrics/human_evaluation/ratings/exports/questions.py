"""Surveys with a column for each question and a row for each respondent, turned into a row for each answer."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from referenceless_metrics.core.files.column_values import ColumnNumbers
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.number_words import BY_VALUES, NotNumbersError, can_be_given, column_numbers
from referenceless_metrics.core.files.scales_in_words import READ_AS, numbers_of_scale, usual_scale
from referenceless_metrics.core.support.validation import Floats, Record, shortened
from referenceless_metrics.human_evaluation.ratings.exports.answers import RATING, TEXT, Answers

ARE_ITEMS = "each question that is answered by numbers is an item"
NOT_BY_NUMBERS = "left out, since not answered by numbers"
NEED_NUMBERS = "questions that are answered by words need their numbers"
"""Beginnings of notes on questions."""

_MOST_ALIKE = 2  # notes of one kind that are told
_MOST_WORDS = 8  # by which a question is answered


def answers_to_questions(
    rows: Sequence[Record],
    questions: Mapping[str, str],
    raters: Iterable[object],
    fields: Sequence[str] = (),
    *,
    words: Mapping[str, float] | None = None,
) -> Answers:
    """Return a row for each respondent and question that is answered by numbers of one scale.

    Args:
        rows: one for each respondent.
        questions: the question in words, by its column.
        raters: the name of each respondent.
        fields: further columns, which each answer of the respondent keeps.
        words: the numbers that words stand for; None if they stand for none.
    """
    answers = Answers()
    answered = {column: [row.get(column) for row in rows] for column in questions}
    known = {column: cells for column, cells in answered.items() if not all(map(is_blank, cells))}
    numbers = numbers_of_questions(known, words)
    asked = _of_one_scale({column: of.values[~np.isnan(of.values)] for column, of in numbers.items()})
    asked = _of_usual_words(asked, numbers)
    for place, (row, rater) in enumerate(zip(rows, raters, strict=True)):
        kept = {name: row.get(name) for name in fields}
        for column in asked:
            cell = cell_as_read(row.get(column), numbers[column], place)
            answers.add({**kept, TEXT: questions[column]}, column, rater, {RATING: cell})
    answers.notes += _on_answers(dict.fromkeys(numbers[column].note for column in asked if numbers[column].note))
    by_values = [cell for column in asked if _is_by_values(numbers[column]) for cell in known[column]]
    if by_values and (read := _numbers(by_values, words)) is not None:
        answers.notes = [read.note, *(note for note in answers.notes if not note.startswith(BY_VALUES))]
    _note(answers, ARE_ITEMS, asked)
    unread = [column for column in known if column not in numbers]
    _note(answers, NOT_BY_NUMBERS, unread)
    by_words = next((few for column in unread if (few := _few_words(known[column]))), [])
    if by_words and words is None:
        pairs = ",".join(f"{word}=…" for word in by_words)
        answers.notes.append(f'{NEED_NUMBERS}, such as --values "{pairs}"')
    _note(answers, "left out, since of another scale", [column for column in numbers if column not in asked])
    return answers


def _on_answers(notes: Iterable[str]) -> list[str]:
    """Return notes on answers in words, those on words behind numbers as one.

    >>> _on_answers([f"'{n} - {n} of 9' is read as {n}" for n in range(1, 6)])
    ["'1 - 1 of 9' is read as 1, '2 - 2 of 9' is read as 2, and 3 others alike"]
    """
    told = list(notes)
    alike = [note for note in told if " is read as " in note]
    if len(alike) <= _MOST_ALIKE + 1:
        return told
    first = f"{', '.join(alike[:_MOST_ALIKE])}, and {len(alike) - _MOST_ALIKE} others alike"
    return [first, *(note for note in told if note not in alike)]


def _note(answers: Answers, what: str, columns: Sequence[str]) -> None:
    if columns:
        answers.notes.append(f"{what}: {shortened(', '.join(map(repr, columns)), 120)}")


def numbers_of_questions(
    answered: Mapping[str, Sequence[object]], words: Mapping[str, float] | None = None
) -> dict[str, ColumnNumbers]:
    """Return the numbers of the questions that are answered by numbers.

    Each question has words of its own for its numbers, as `4 - very fluent` and `4 - very clear`; or all have those of
    one usual scale, such as strongly disagree to strongly agree. A few of its words alone do not tell a scale, and
    those of the other questions do.

    Args:
        answered: the cells of each question.
        words: the numbers that words stand for; None if they stand for none.
    """
    given = {} if words is None else {column: _numbers(cells, words) for column, cells in answered.items()}
    plain = {column: _numbers(cells, None) for column, cells in answered.items() if given.get(column) is None}
    scales = [scale for column in plain if (scale := usual_scale(_words(answered[column]))) is not None]
    scales.sort(key=len, reverse=True)
    for column in plain:
        held = set(_words(answered[column]))
        scale = next((scale for scale in scales if held and held <= set(scale)), None)
        if scale is not None:
            plain[column] = numbers_of_scale(answered[column], scale)
    found = {column: given.get(column) or plain.get(column) for column in answered}
    return {column: read for column, read in found.items() if read is not None}


def cell_as_read(cell: object, read: ColumnNumbers | None, place: int) -> object:
    """Return a respondent's answer as its number, if the answers of the question are words for numbers.

    Args:
        cell: the answer.
        read: the numbers of the question; None if it is not answered by numbers.
        place: index of the respondent in them.
    """
    return cell if read is None or not read.note or is_blank(cell) else float(read.values[place])


def _few_words(cells: Sequence[object]) -> list[str]:
    """Return the words by which a question is answered, if there are a few that stand in several answers each."""
    words = list(dict.fromkeys(_words(cells)))
    are_few = 1 < len(words) <= _MOST_WORDS and 2 * len(words) <= len(_words(cells))
    return words if are_few and all(map(can_be_given, words)) else []


def _words(cells: Sequence[object]) -> list[str]:
    return [" ".join(str(cell).split()).lower() for cell in cells if not is_blank(cell)]


def _numbers(cells: Sequence[object], words: Mapping[str, float] | None) -> ColumnNumbers | None:
    """Return the numbers in cells, or None if anything else stands there, or nothing."""
    try:
        read = column_numbers(cells, words=words)
    except NotNumbersError:
        return None
    return None if np.isnan(read.values).all() else read


def _of_usual_words(asked: Sequence[str], numbers: Mapping[str, ColumnNumbers]) -> list[str]:
    """Return the questions without those whose words of a usual scale few others have, if most have words of one.

    A question of yes and no, such as that of consent, is not one of agreement, nor of words whose numbers are given.
    Criteria may have words of their own.
    """
    told = {column: BY_VALUES if _is_by_values(numbers[column]) else numbers[column].note for column in asked}
    notes = Counter(told.values())
    usual, count = notes.most_common(1)[0] if notes else ("", 0)
    if not usual.startswith((READ_AS, BY_VALUES)) or 2 * count <= len(asked):
        return list(asked)
    are_few = {note for note, n in notes.items() if note.startswith(READ_AS) and 2 * n <= count}
    return [column for column in asked if told[column] not in are_few]


def _is_by_values(read: ColumnNumbers) -> bool:
    return read.note.startswith(BY_VALUES)


def _of_one_scale(numbers: Mapping[str, Floats]) -> list[str]:
    """Return the questions whose largest answer has the size of most questions': an age is on another scale."""
    sizes = {column: math.ceil(math.log10(max(10.0, float(np.abs(of).max())))) for column, of in numbers.items()}
    if not sizes:
        return []
    usual = Counter(sizes.values()).most_common(1)[0][0]
    return [column for column, size in sizes.items() if size == usual]
