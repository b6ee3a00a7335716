"""Preferences between two texts that stand side by side in a row, in columns that are numbered or lettered.

The forms: https://huggingface.co/datasets/PKU-Alignment/PKU-SafeRLHF (`response_0`, `response_1`, `better_response_id`,
`safer_response_id`, and in its later version `response_0_source`) and
https://huggingface.co/datasets/tatsu-lab/alpaca_eval (`output_1`, `output_2`, `preference` of 1 and 2). A row has the
two texts, and the number or letter of the better one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from referenceless_metrics.core.files.tables import is_blank
from referenceless_metrics.core.support.validation import InputError, Record, shortened
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, PREFERENCE, RATER, Answers, Export

TOOL = "texts side by side"

_PAIRS = (("0", "1"), ("1", "2"), ("a", "b"))
_TEXT = re.compile(
    r"(response|output|answer|completion|text|summary|candidate|generation|translation)_?([012ab])", re.I
)
_BETTER = re.compile(r"(better|preferred|best|winner|chosen)(_\w+)?|preference", re.I)
_SYSTEM_ENDS = ("_source", "_model", "_system")
_SYSTEM_COLUMNS = re.compile(r"(system|model|generator)_?([012ab])", re.I)
_ITEMS = ("item", "question_id", "prompt_id", "id")
_RATERS = ("rater", "annotator", "worker_id", "annotator_id", "judge")
_TIES = ("tie", "equal", "draw")


class _Sides(NamedTuple):
    """The columns of two texts, what stands for each in a preference, and the column of preferences."""

    columns: tuple[str, str]
    marks: tuple[str, str]
    better: str


def recognises(export: Export) -> bool:
    """Say whether rows have two texts, and the number or letter of the better one; not if columns name the systems."""
    return _sides_of(export) is not None


def _sides_of(export: Export) -> _Sides | None:
    if any(_SYSTEM_COLUMNS.fullmatch(name) for name in export.columns):
        return None
    found: dict[tuple[str, str], str] = {}
    for name in export.columns:
        match = _TEXT.fullmatch(name)
        if match:
            found[match[1].lower(), match[2].lower()] = name
    for stem in dict.fromkeys(stem for stem, _ in found):
        marks = tuple(mark for of, mark in found if of == stem)
        if marks not in _PAIRS:
            continue
        columns = (found[stem, marks[0]], found[stem, marks[1]])
        for better in filter(_BETTER.fullmatch, export.columns):
            if _names_one(export, better, columns, marks):
                return _Sides(columns, marks, better)
    return None


def _names_one(export: Export, better: str, columns: tuple[str, str], marks: tuple[str, str]) -> bool:
    """Say whether all filled cells of a column name one of two texts, or a tie."""
    cells = {_mark(row[better]) for row in export.rows if not is_blank(row.get(better))}
    known = {*marks, *_TIES, *(name.lower() for name in columns)}
    return bool(cells) and cells <= known


def _mark(cell: object) -> str:
    """Return the number or letter in a cell; 1.0 is 1.

    >>> _mark(1.0), _mark("A")
    ('1', 'a')
    """
    return re.sub(r"(?<=\d)\.0+$", "", str(cell).strip().lower())


def convert(export: Export) -> Answers:
    """Return a row for each comparison, with the columns of preferences.

    Raises:
        InputError: for a cell that names neither text.
    """
    sides = _sides_of(export)
    assert sides is not None
    answers = Answers(questions={PREFERENCE: None})
    item = next((name for name in _ITEMS if name in export.columns), None)
    rater = next((name for name in _RATERS if name in export.columns), None)
    systems = _system_columns(export, sides.columns)
    for number, row in enumerate(export.rows, 1):
        if is_blank(row.get(sides.better)):
            answers.leave_out(f"rows without an answer in {sides.better!r}")
            continue
        names = sides.columns if systems is None else (row.get(systems[0]), row.get(systems[1]))
        if names[0] == names[1]:
            answers.leave_out("rows with two texts of one system")
            continue
        comparison: Record = {ITEM: number if item is None else row.get(item)}
        if rater is not None:
            comparison[RATER] = row.get(rater)
        comparison |= {"system_a": names[0], "system_b": names[1]}
        comparison[PREFERENCE] = _preferred(row[sides.better], sides, f"{export.source}, row {number}")
        answers.rows.append(comparison)
    answers.notes += _notes(export, sides, systems)
    return answers


def _system_columns(export: Export, columns: tuple[str, str]) -> tuple[str, str] | None:
    """Return the columns that tell the systems of two texts, or None."""
    for end in _SYSTEM_ENDS:
        first, second = (name + end for name in columns)
        if {first, second} <= set(export.columns):
            return first, second
    return None


def _preferred(cell: object, sides: _Sides, where: str) -> str:
    mark = _mark(cell)
    for side, word in enumerate("ab"):
        if mark in (sides.marks[side], sides.columns[side].lower()):
            return word
    if mark in _TIES:
        return "tie"
    shown = shortened(mark, 60)
    raise InputError(
        f"{where}: expected {sides.marks[0]} or {sides.marks[1]} in column {sides.better!r}, got {shown!r}"
    )


def _notes(export: Export, sides: _Sides, systems: tuple[str, str] | None) -> list[str]:
    first, second = sides.columns
    notes = [
        f"column {sides.better!r} tells the better text: {sides.marks[0]} is {first!r}, {sides.marks[1]} {second!r}"
    ]
    if systems is None:
        notes.append(
            f"no column names the systems: {first!r} and {second!r} count as two, which says which place is preferred, "
            "and not which system, unless each system has its own column"
        )
    others = [name for name in export.columns if _is_other(name, sides.better)]
    if others:
        notes.append(f"not used: {', '.join(map(repr, others))}")
    return notes


def _is_other(name: str, better: str) -> bool:
    return name != better and re.fullmatch(r"(better|safer|preferred|best|winner)_\w+", name, re.I) is not None
