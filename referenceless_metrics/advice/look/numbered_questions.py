"""Patterns of the names of a survey's questions, each of which joins a criterion with what was rated."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns import names_value

_NEARLY_ALL = 0.9  # share of all criteria and outputs that are there
_FEWEST = 2
_STEMMED = re.compile(r"(.*?[^\W\d_])(\s*[_.:-]\s*|\s*)(\d+)")
_CODED = re.compile(r"([^\W\d_]+)(\d+)(_?[^\W\d_]+)(\d+)")
_MARK = re.compile(r"(?<![^\W_])(?:\d{1,3}|[A-H])(?![^\W_])")
"""A number, or a capital letter, that stands alone in a question."""

_BRACKETED = re.compile(r"\[([^\[\]]+)\]\s*$")
"""The end of a question of a grid: the name of its row."""

_OF_SYSTEMS = ("system", "model", "bot", "version", "variant", "method", "condition")
"""Ends of words in front of the number of a system."""

_FEWEST_ASKED = 4
_OF_QUESTION = ("q", "question", "c", "crit", "criterion", "frage")


def patterns_of(names: Sequence[str]) -> list[str]:
    """Return the pattern that most names have: a criterion with a number, or two codes with one each; else none.

    The number of a criterion in words is taken to be that of a system. Of two codes, that of a question is a criterion.

    >>> patterns_of(["id", "Fluency_1", "Fluency_2", "Style_1", "Style_2"])
    ['{criterion}_{system}']
    >>> patterns_of(["R1Q1. Is it fluent?", "R1Q2. Is it true?", "R2Q1. Is it fluent?", "R2Q2. Is it true?"])
    ['R{system}Q{criterion}']
    >>> patterns_of([f"Text {n}: is {s} good? [{c}]" for n in (1, 2) for s in "AB" for c in ("Style", "Sense")])
    ['Text {item}: is {system} good? [{criterion}]']
    """
    of_grids = _pattern_of_grids(names)
    if of_grids:
        return [of_grids]
    codes = [name.partition(". ")[0].strip() for name in names]
    coded = [match for code in codes if (match := _CODED.fullmatch(code)) is not None]
    if coded and len({(match[1], match[3]) for match in coded}) == 1:
        before, between = coded[0][1], coded[0][3]
        is_asked = between.strip("_").lower() in _OF_QUESTION
        if is_asked and _is_grid([(match[2], match[4]) for match in coded]):
            return [f"{before}{{system}}{between}{{criterion}}"]
    stemmed = [match for code in codes if (match := _STEMMED.fullmatch(code)) is not None]
    pairs = [(match[1], match[3]) for match in stemmed]
    signs = Counter(match[2].strip() for match in stemmed)
    if not pairs or not _is_grid(pairs) or not any(names_value(stem) for stem, _ in pairs):
        return []
    return [f"{{criterion}}{signs.most_common(1)[0][0]}{{system}}"]


def _pattern_of_grids(names: Sequence[str]) -> str:
    """Return the pattern of most names that end with a criterion in brackets, behind marks of outputs; "" for none.

    A letter is the mark of a system, and so is a number behind such a word; another number is that of an item.
    """
    asked: dict[str, list[tuple[str, ...]]] = {}
    for name in names:
        bracketed = _BRACKETED.search(name)
        head = "" if bracketed is None else name[: bracketed.start()]
        marks = list(_MARK.finditer(head))
        if bracketed is None or not marks or {"{", "}"} & set(name):
            continue
        fields = [_field(head[: mark.start()], mark[0]) for mark in marks]
        if len(set(fields)) < len(fields) or "system" not in fields:
            continue
        pattern = head
        for mark, field in reversed(list(zip(marks, fields, strict=True))):
            pattern = f"{pattern[: mark.start()]}{{{field}}}{pattern[mark.end() :]}"
        cells = (*(mark[0] for mark in marks), bracketed[1].strip())
        asked.setdefault(f"{pattern}[{{criterion}}]", []).append(cells)
    pattern, cells_of = max(asked.items(), key=lambda each: len(each[1]), default=("", []))
    values = [set(column) for column in zip(*cells_of, strict=True)]
    are_several = len(cells_of) >= _FEWEST_ASKED and all(len(each) > 1 for each in values)
    n_all = math.prod(map(len, values))
    return pattern if are_several and len(set(cells_of)) >= _NEARLY_ALL * n_all else ""


def _field(before: str, mark: str) -> str:
    """Return what a mark in a question stands for, by the mark and the words before it."""
    return "system" if mark.isalpha() or before.rstrip(" #:_-").lower().endswith(_OF_SYSTEMS) else "item"


def _is_grid(pairs: Sequence[tuple[str, str]]) -> bool:
    """Say whether nearly all pairs of two names or more with two numbers or more are there."""
    firsts, seconds = {first for first, _ in pairs}, {second for _, second in pairs}
    is_crossed = len(set(pairs)) >= _NEARLY_ALL * len(firsts) * len(seconds)
    return min(len(firsts), len(seconds)) >= _FEWEST and is_crossed
