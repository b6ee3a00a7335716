"""Patterns of the names of a survey's questions, each of which joins a criterion with what was rated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from referenceless_metrics.advice.look.columns import names_value

_NEARLY_ALL = 0.9  # share of all criteria and outputs that are there
_FEWEST = 2
_STEMMED = re.compile(r"(.*?[^\W\d_])(\s*[_.:-]\s*|\s*)(\d+)")
_CODED = re.compile(r"([^\W\d_]+)(\d+)(_?[^\W\d_]+)(\d+)")
_OF_QUESTION = ("q", "question", "c", "crit", "criterion", "frage")


def patterns_of(names: Sequence[str]) -> list[str]:
    """Return the pattern that most names have: a criterion with a number, or two codes with one each; else none.

    The number of a criterion in words is taken to be that of a system. Of two codes, that of a question is a criterion.

    >>> patterns_of(["id", "Fluency_1", "Fluency_2", "Style_1", "Style_2"])
    ['{criterion}_{system}']
    >>> patterns_of(["R1Q1. Is it fluent?", "R1Q2. Is it true?", "R2Q1. Is it fluent?", "R2Q2. Is it true?"])
    ['R{system}Q{criterion}']
    """
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


def _is_grid(pairs: Sequence[tuple[str, str]]) -> bool:
    """Say whether nearly all pairs of two names or more with two numbers or more are there."""
    firsts, seconds = {first for first, _ in pairs}, {second for _, second in pairs}
    is_crossed = len(set(pairs)) >= _NEARLY_ALL * len(firsts) * len(seconds)
    return min(len(firsts), len(seconds)) >= _FEWEST and is_crossed
