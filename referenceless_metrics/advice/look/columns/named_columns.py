"""The columns of a table, each with its kind and the part that its name and kind tell."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from referenceless_metrics.advice.look.columns.column import NUMBERS, WORDS, Column, number_items
from referenceless_metrics.advice.look.columns.column_kinds import (
    ANSWERS,
    FEW,
    LISTS_OF_TEXTS,
    among_marks,
    are_answers,
    is_share,
    kind_of,
)
from referenceless_metrics.advice.look.columns.column_parts import (
    A_RATER,
    BY_WORD,
    PARTS,
    is_of_own_metric,
    names_no_rating,
    part_called,
    parted,
)
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.nested_rows import KEY
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.workbooks import SHEET
from referenceless_metrics.core.support.metric_names import names_metric
from referenceless_metrics.core.support.validation import finite_number
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.exports.questions import numbers_of_questions
from referenceless_metrics.human_evaluation.ratings.lists import lists_in, vary_in_truth
from referenceless_metrics.human_evaluation.ratings.model_raters import names_mean
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES
from referenceless_metrics.human_evaluation.scores.columns import cells_of

_SIDES = 2  # of a comparison

_SCALE = 101  # values on the longest usual scale of whole numbers

_FEWEST_ROWS = 5  # in the mean, of one of few systems

_GIVEN_LISTS = re.compile(
    r"context|passage|document|(?<![a-z])docs?(?![a-z])|chunk|retriev|evidence|knowledge|source|snippet|fact|gold|"
    r"reference|ground_?truth|correct|expected|history|turns"
)
"""Names of columns of lists of texts that a system was given, or that are right: none are its candidates."""

_OF_RATER = re.compile(r"(.+?)[ _.-]+(?:a|r|h|ann|annotator|rater|judge|worker|evaluator)[ _.-]?\d+", re.IGNORECASE)

_RATER_OF = re.compile(r"(?:ann|annotator|rater|judge|worker|evaluator)[ _.-]?\d+[ _.-]+(.+)", re.IGNORECASE)

_BRACKETED = re.compile(r"[\[(][^\[\]()]+[\])]\s*$")  # the subject of a question, at its end

_FEWEST_QUESTIONS = 3  # columns of one name that are numbered

_WORSE = re.compile(r"worst|worse|least|reject|lose")

_MOST_RATERS = 50  # ratings in one cell

_ACTS = re.compile(r"\s*[?!]?\w+\s*[(\[].*[)\]]\s*;?\s*", re.DOTALL)

_NO_NUMBERS = frozenset(("nan", "na", "n/a", "#n/a", "<na>"))
"""Marks that programs write in cells without a number, in small letters: a column of nothing else is blank."""

_KEY_END = re.compile(r"(?:id|ids|no|nr|num|number|index|idx|hash|key|item|unit)$")

_VERDICT = re.compile(r".+[_ .:-](?:correct|pass|passed|success|resolved)")
"""Names of verdicts of true and false on the answers of what is named before, as `base_correct`."""

_PRICE = re.compile(r"[$€£]\s*\d")


def named_columns(table: Table) -> list[Column]:
    """Return the columns of a table, each with its kind and the part that its name and kind tell."""
    found = []
    for name in table.names():
        cells = [cell_of(row, name) for row in table.rows]
        filled = _without_empty_lists([cell for cell in cells if cell is not MISSING and not is_blank(cell)])
        may_be_times = _KEY_END.search(name.lower()) is None
        kind, shown, distinct = kind_of(table, filled, may_be_times=may_be_times)
        if kind in ("labels", "ids"):
            numbers = among_marks(table, filled)
            if numbers:
                filled = numbers
                kind, shown, distinct = kind_of(table, filled, may_be_times=may_be_times)
        if all(str(cell).strip().lower() in _NO_NUMBERS for cell in filled):
            kind, shown, distinct, filled = "blank", "", 0, []
        n_blank = len(cells) - len(filled)
        part = part_called(name, kind, distinct, is_share=is_share(kind, shown))
        if part in ("", "rating") and kind in NUMBERS and is_of_own_metric(name, kind, shown):
            part = "score"
        if part in ("rating", "score") and (_is_running(kind, shown, distinct) or _PRICE.match(shown)):
            part = ""
        if part in ("", "rating") and kind == "whole numbers" and number_items(filled):
            part = "item" if set(parted(name).split("_")) & set(BY_WORD["item"]) else ""
        if kind == ANSWERS or (not part and _VERDICT.fullmatch(name.lower()) and shown.lower() == "false, true"):
            part = "score"
        if not part and kind == "text" and 2 * n_blank < len(cells) and _are_acts(filled):
            part = "source"
        if part == "source" and _names_documents(name, kind, filled):
            part = "cluster"
        are_counted = names_no_rating(name) or "token" in name.lower()
        if not part and kind == "lists of numbers" and not are_counted and _are_ratings(filled):
            part = "rating"
        if part == "text" and kind == "labels" and are_answers(filled):
            part = "rating"
        is_given = _GIVEN_LISTS.search(parted(name)) is not None
        if not part and kind == LISTS_OF_TEXTS and "." not in name and not is_given and _are_candidates(filled):
            part = "candidates"
        found.append(Column(name, kind, shown, n_blank / max(len(cells), 1), distinct, part))
    found = _with_preferences(table, _with_raters(_with_judges(table, _without_numbered_sides(found))))
    found = _with_sheets(_with_systems(table, found))
    if not any(column.part in ("item", "text") for column in found):
        return [replace(column, part="item") if _is_numbered_text(column) else column for column in found]
    return found


def _without_numbered_sides(columns: Sequence[Column]) -> list[Column]:
    """Return columns of which none of numbers is of a side, as `model_1`, if more are numbered so, as `model_3`."""
    stems = [re.sub(r"\d+$", "", column.name) for column in columns if column.is_numeric]
    return [
        replace(column, part="")
        if column.part in ("system_a", "system_b")
        and column.is_numeric
        and stems.count(re.sub(r"\d+$", "", column.name)) > _SIDES
        else column
        for column in columns
    ]


def _names_documents(name: str, kind: str, cells: Sequence[Any]) -> bool:
    """Say whether a column holds names of documents, as `news.12`, where one of its name may hold the documents."""
    is_called_so = re.fullmatch(PARTS["cluster"], parted(name).replace(" ", "_")) is not None
    return is_called_so and kind in ("labels", "ids") and all(re.fullmatch(r"[!-~]+", str(cell)) for cell in cells)


def _without_empty_lists(cells: Sequence[Any]) -> list[Any]:
    """Return cells without empty lists if all others hold a list of one number: an empty one is then blank."""
    filled = [cell for cell in cells if not (isinstance(cell, (list, tuple)) and not cell)]
    are_single = all(isinstance(cell, (list, tuple)) and len(cell) == 1 for cell in filled)
    are_numbers = are_single and all(finite_number(cell[0]) is not None for cell in filled)
    return filled if filled and are_numbers else list(cells)


def is_survey(table: Table, columns: Sequence[Column]) -> bool:
    """Say whether a table has a row for each respondent, and columns of answers, as `Fluency_1` to `Fluency_8`.

    Columns may be numbered, or have the subject in brackets, as `How fluent is it? [Text A]`. Answers are numbers, or
    words of a usual scale. Beside raters' columns, means that are no ratings are those of the raters: a row is an item.
    """
    parts = {column.part for column in columns}
    if any(column.part == "rater" and 2 * column.distinct <= len(table.rows) for column in columns):
        return False  # a respondent has one row
    are_averaged = any(not column.part and column.is_numeric and names_mean(column.name) for column in columns)
    if {"system", "text", "system_a"} & parts or ("rating of a rater" in parts and are_averaged):
        return False
    asked = [column for column in columns if column.part != "rating of a rater" and _is_asked(column.name)]
    words = {column.name: cells_of(table, column.name) for column in asked if column.kind == "labels"}
    answered = numbers_of_questions(words) if len(words) >= _FEWEST_QUESTIONS else {}
    answers = [column for column in asked if column.is_numeric or column.name in answered]
    stems = Counter("".join(_BRACKETED.sub("#", re.sub(r"\d+", "#", column.name)).split()) for column in answers)
    n_answers = sum(count for count in stems.values() if count >= _FEWEST_QUESTIONS)
    return 2 * n_answers > len(columns)


def _is_asked(name: str) -> bool:
    """Say whether a column may be one of several alike, by a number among letters or brackets at its end."""
    return re.search(r"[^\W\d_].*\d|\d.*[^\W\d_]", name) is not None or _BRACKETED.search(name) is not None


def _is_numbered_text(column: Column) -> bool:
    """Say whether a column has the name of one of texts, and holds their numbers."""
    return column.kind == "whole numbers" and re.fullmatch(PARTS["text"], column.name.lower()) is not None


def _are_ratings(cells: Sequence[Any]) -> bool:
    """Say whether lists of numbers, in columns of any name, may be the ratings of several raters each.

    Of true and false, as many as there are parts of a task, they are not.

    >>> _are_ratings([[1, 2, 2], [3, 3, 1]]), _are_ratings([[101, 2023, 7592]]), _are_ratings([[0.12, -0.4]])
    (True, False, False)
    """
    lists = lists_in(cells)
    numbers = [float(each) for cell in lists for each in cell]
    are_whole = all(number.is_integer() and 0 <= number <= _SCALE for number in numbers)
    may_be = are_whole and max(map(len, lists)) <= _MOST_RATERS and 1 < len(set(numbers)) <= FEW
    return may_be and not vary_in_truth(lists)


def _are_acts(cells: Sequence[Any]) -> bool:
    """Say whether texts, in columns of any name, are meaning representations: an act with its arguments in brackets.

    >>> _are_acts(["inform(name='red door cafe';food='any')"]), _are_acts(["Call me (soon)"])
    (True, False)
    """
    return all(_ACTS.fullmatch(str(cell)) for cell in cells)


def _are_candidates(cells: Sequence[Any]) -> bool:
    """Say whether lists of texts, in columns of any name, may be candidates: several sentences in each cell."""
    lists = [from_json(cell) for cell in cells]
    words = statistics.fmean(len(text.split()) for cell in lists for text in cell)
    return words >= WORDS and min(map(len, lists)) > 1


def _with_raters(columns: Sequence[Column]) -> list[Column]:
    """Return columns of which those of the first criterion that has one per rater, as `Fluency_A1`, are of raters.

    The rater may stand first, as in `rater1_fluency`; the criterion with fewest blanks is then the first.
    Those of further criteria play no part: a rater's column alone would be read as all ratings.
    """
    families = list(families_of_raters(columns).values())
    parts = {name: "" for names in families for name in names}
    parts |= dict.fromkeys(families[0] if families else [], "rating of a rater")
    return [replace(column, part=parts.get(column.name, column.part)) for column in columns]


def families_of_raters(columns: Sequence[Column]) -> dict[str, list[str]]:
    """Return the columns of numbers of each criterion that has one per rater, by the criterion."""
    numeric = sorted((column for column in columns if column.is_numeric), key=lambda column: column.blank)
    matches = {column.name: _OF_RATER.fullmatch(column.name) for column in columns if column.is_numeric}
    if not any(matches.values()):
        matches = {column.name: _RATER_OF.fullmatch(column.name) for column in numeric}
    found: dict[str, list[str]] = {}
    for name, match in matches.items():
        if match is not None:
            found.setdefault(match[1], []).append(name)
    return {stem: names for stem, names in found.items() if len(names) > 1}


_JUDGE = re.compile(r"(?:llm_?|ai_?|gpt_?)?(?:judge|evaluator|assessor)")
"""Names of columns that may hold a judge's name or kind: a rater's name, or the score of a judge that is a program."""


def _with_judges(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which numbers in one called `judge` are scores, unless they may be numbers of raters.

    Raters are numbered from 0 or 1 on, or stand in several rows of an output. Beside scores of metrics alone there are
    none to number.
    """
    keys = [column.name for column in columns if column.part in ("item", "system", "cluster", "slice", "criterion")]
    valued = [column for column in columns if column.part in ("rating", "score")]
    of_metrics = bool(valued) and all(names_metric(column.name) for column in valued)
    found = []
    for column in columns:
        is_judge = column.is_numeric and _JUDGE.fullmatch(parted(column.name)) is not None
        if not is_judge or column.part not in ("rater", "") or _are_repeated(table, keys):
            found.append(column)
            continue
        low, high = column.ends
        are_numbered = column.kind == "whole numbers" and low in (0, 1) and high - low + 1 == column.distinct
        found.append(column if are_numbered and not of_metrics else replace(column, part="score"))
    return found


def _are_repeated(table: Table, keys: Sequence[str]) -> bool:
    """Say whether several rows have the same keys; False without keys."""
    rows = list(zip(*(map(str, cells_of(table, name)) for name in keys), strict=True))
    return len(set(rows)) < len(rows)


def _with_preferences(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which the first that names sides is one of preferences, if there are columns of two systems.

    So is one whose cells name one of a row's two systems, or a tie, whatever it is called.
    """
    parts = {column.part for column in columns}
    if not {"system_a", "system_b"} <= parts or "preference" in parts:
        return list(columns)
    labels = [column.name for column in columns if column.kind == "labels" and not column.part]
    named = next((name for name in labels if _names_sides(table, name)), "")
    named = named or _naming_one_of_two(table, columns)
    around = [column.name for column in columns if column.part in ("rating", "score") and column.shown.startswith("-")]
    if not named and len(around) == 1:  # numbers around 0 beside two systems are the degree to which one is preferred
        named = around[0]
    return [replace(column, part="preference") if column.name == named else column for column in columns]


def _naming_one_of_two(table: Table, columns: Sequence[Column]) -> str:
    """Return the first column of labels whose cells name one of both systems of the row, or a tie; "" for none."""
    named = [column.name for column in columns if column.part in ("system_a", "system_b")]
    pairs = list(zip(*(map(str, cells_of(table, name)) for name in named), strict=True))
    for column in columns:
        if column.kind != "labels" or column.part in ("system_a", "system_b", "item", "rater") or column.distinct < 2:
            continue
        cells = [str(cell) for cell in cells_of(table, column.name)]
        if not _WORSE.search(column.name.lower()) and all(
            cell in pair or cell.strip().lower() in SIDES for cell, pair in zip(cells, pairs, strict=True)
        ):
            return column.name
    return ""


def _with_systems(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns; one of few names that each stand in many rows is of systems, and not of items."""
    if {"system", "rater", "criterion", "preference"} & {column.part for column in columns}:
        return list(columns)
    return [
        replace(column, part="system")
        if column.part == "item" and column.kind == "labels" and _FEWEST_ROWS * column.distinct <= len(table.rows)
        else column
        for column in columns
    ]


def _with_sheets(columns: Sequence[Column]) -> list[Column]:
    """Return columns of which that of sheets, if all are read, is of systems, or of raters if another is of systems.

    Beside the marks of columns side by side, as each sheet has them, sheets are of raters; so are those that are called
    so, as `Annotator_1`. Those that are called as criteria are of these.
    """
    parts = {column.part for column in columns}
    if any(column.name == KEY for column in columns):
        parts.add("system")
    whose = "system" if "system" not in parts else "rater" if "rater" not in parts else ""
    sheets = next((column.shown.split(", ") for column in columns if column.name == SHEET), [])
    if sheets and "rater" not in parts and all(A_RATER.fullmatch(parted(sheet).replace(" ", "_")) for sheet in sheets):
        whose = "rater"
    if sheets and "criterion" not in parts and all(sheet.lower() in CRITERIA_WORDS for sheet in sheets):
        whose = "criterion"
    return [replace(column, part=whose) if column.name == SHEET else column for column in columns]


def _names_sides(table: Table, name: str) -> bool:
    """Say whether the cells of a column name sides as preferences do; that of the worse output is none."""
    if _WORSE.search(name.lower()):
        return False
    cells = [str(cell) for row in table.rows if not is_blank(cell := cell_of(row, name)) and cell is not MISSING]
    return bool(cells) and all(cell.strip().lower() in SIDES for cell in cells)


def _is_running(kind: str, shown: str, distinct: int) -> bool:
    """Say whether a column holds running numbers, which are no ratings.

    >>> _is_running("whole numbers", "1–4000", 4000), _is_running("whole numbers", "0–100", 101)
    (True, False)
    """
    low, _, high = shown.rpartition("–")
    return kind == "whole numbers" and distinct > _SCALE and float(high) - float(low) + 1 == distinct
