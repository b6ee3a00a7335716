"""The numbers that labels stand for, as `--values` says them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.marks import values_of_mark
from referenceless_metrics.advice.look.lines.parts import Parts
from referenceless_metrics.core.files.nested_rows import marks_of
from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers, says_no_answer
from referenceless_metrics.core.files.scales_in_words import scale_with_one_more, usual_scale
from referenceless_metrics.core.support.validation import finite_number

TO_FILL_IN = re.compile(r"=(?:NUMBER|SHARE)(?:,|$)")
"""A number of `--values` that is to be filled in."""

_OF_SCALE = re.compile(r"(?:scale|score|rating|rate|grade|level|likert|points?|stars?)[ _.-]?(\d{1,2})", re.IGNORECASE)
"""A word for a number on a scale."""


def words_of(parts: Parts, name: str | None, *, of_one_criterion: bool = False) -> list[str]:
    """Return the option for the numbers that a score column's labels stand for, to be filled in if they are not known.

    Args:
        parts: the columns.
        name: the column.
        of_one_criterion: whether the rows of the first criterion alone are read.
    """
    named = next((column for column in parts.columns if column.name == name), None)
    if named is not None and named.mark:
        return ["--values", values_of_mark(named.mark)]
    if named is None or named.kind != "labels":
        return []
    by_criterion = list(parts.words.get(named.name, {}).values())[: 1 if of_one_criterion else None]
    return numbers_of_words(by_criterion or [named.shown.split(", ")])


def words_by_criterion(parts: Parts) -> dict[str, list[str]]:
    """Return the different words of each criterion whose ratings stand in a column per rater."""
    columns = {column.name: column for column in parts.columns}
    found = {}
    for criterion, pattern in parts.criteria.items():
        of_criterion = [columns[name] for name in marks_of(pattern, tuple(columns)).values()]
        words = {word for column in of_criterion if column.kind == "labels" for word in column.shown.split(", ")}
        found[criterion] = sorted(words)
    return found


def has_mark(column: Column) -> bool:
    """Say whether marks such as x stand in a column in place of numbers."""
    return bool(column.mark)


def scales_of_words(by_criterion: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the options for the scales of those of several criteria whose ratings are words, as yes and no.

    Args:
        by_criterion: the different words by each criterion.
    """
    options: list[str] = []
    for criterion, words in by_criterion.items() if len(by_criterion) > 1 else ():
        scale = usual_scale(_answers_in(words))
        if scale is not None:
            ends = f"{min(scale.values()):g}-{max(scale.values()):g}"
            options += ["--criterion-scale", f"{criterion}={ends}"]
    return options


def words_of_raters(raters: Sequence[Column]) -> list[str]:
    """Return the option for the numbers that the labels in several raters' columns stand for, to be filled in."""
    labelled = [column for column in raters if column.kind == "labels"]
    marks = {column.mark for column in labelled}
    if len(marks) == 1 and any(marks):
        return ["--values", values_of_mark(labelled[0].mark)]
    return numbers_of_words([sorted({word for column in labelled for word in column.shown.split(", ")})])


def numbers_of_words(by_criterion: Sequence[Sequence[str]]) -> list[str]:
    """Return the option that gives words numbers, to be filled in; none if not all are shown, or all are read.

    Args:
        by_criterion: the different words by each criterion; a word that stands for several numbers is to be filled in.
    """
    every = list(dict.fromkeys(word for words in by_criterion for word in words))
    if not any(every) or any("…" in word for word in every) or _are_read(every):
        return []
    meanings: dict[str, set[str]] = {}
    for words in by_criterion:
        for word, number in _meanings(words).items():
            meanings.setdefault(word, set()).add(number)
    told = [f"{word}={number.pop() if len(number) == 1 else 'NUMBER'}" for word, number in sorted(meanings.items())]
    return ["--values", ",".join(told)] if told else []


def _meanings(words: Sequence[str]) -> dict[str, str]:
    """Return the number that each word among ratings by one criterion stands for: NUMBER if it is not known.

    It is empty for a word that says that no answer was given. Words of a scale that differ in a number alone, such as
    `scale_1`, stand for it, and so do those of a usual scale, unless numbers stand beside them; one more word, such as
    *partly*, may stand among these. Words that differ in large and small letters are one.

    >>> _meanings(["1", "2", "cannot judge"]), _meanings(["no", "yes"])
    ({'cannot judge': ''}, {'no': '0', 'yes': '1'})
    >>> _meanings(["1", "2", "no", "yes"])
    {'no': 'NUMBER', 'yes': 'NUMBER'}
    >>> _meanings(["N ", "Partly", "y", "n"])
    {'Partly': '0.5', 'y': '1', 'N': '0'}
    """
    plain = [" ".join(word.split()) for word in words]
    words = list({word.casefold(): word for word in reversed(plain)}.values())[::-1]
    answers = _answers_in(words)
    scale = usual_scale(answers) or scale_with_one_more(answers) or {}
    found = {}
    for word in words:
        match = _OF_SCALE.fullmatch(word)
        if finite_number(word) is not None:
            continue
        if word not in answers:
            found[word] = ""
        elif match is not None and all(map(_OF_SCALE.fullmatch, answers)):
            found[word] = match[1]
        else:
            number = scale.get(word.lower(), math.nan)
            found[word] = "NUMBER" if math.isnan(number) else f"{number:g}"
    return found


def _answers_in(words: Sequence[str]) -> list[str]:
    """Return words without those that say that no answer was given; numbers are answers."""
    return [word for word in words if not says_no_answer(word)]


def missing_in(words: Sequence[str]) -> list[str]:
    """Return the option on words if all are known, and none if they are categories."""
    return [] if any(map(TO_FILL_IN.search, words)) else list(words)


def _are_read(words: Sequence[str]) -> bool:
    """Say whether words are read as numbers without an option, as yes and no are."""
    try:
        column_numbers(words)
    except NotNumbersError:
        return False
    return True
