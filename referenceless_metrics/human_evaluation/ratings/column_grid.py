"""Names of columns in two parts, such as `fluency_r1`, `fluency_r2`, `style_r1` and `style_r2`: criteria by raters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from shlex import quote
from typing import NamedTuple

from referenceless_metrics.human_evaluation.ratings.columns import CRITERIA, RATERS, SYSTEMS

CRITERIA_WORDS = frozenset(
    (
        *("fluency", "adequacy", "coherence", "consistency", "relevance", "informativeness", "naturalness", "quality"),
        *("grammaticality", "correctness", "faithfulness", "factuality", "engagingness", "groundedness", "overall"),
        *("understandability", "interestingness", "simplicity", "meaning", "empathy", "surprise", "complexity"),
        *("engagement", "accuracy", "style", "clarity", "helpfulness", "specificity", "diversity", "novelty"),
        *("cohesion", "syntax", "vocabulary", "phraseology", "grammar", "conventions", "organization", "readability"),
        *("completeness", "conciseness", "harmlessness", "honesty", "safety", "usefulness", "appropriateness"),
        *("truthfulness", "plausibility", "creativity", "originality", "politeness", "toxicity", "persuasiveness"),
        *("likability", "humor", "humour", "comprehensiveness", "trustworthiness", "relevancy", "acceptability"),
    )
)
"""Names of columns that are criteria, in small letters, and not raters."""

_FEWEST_LETTERS = 3  # of an abbreviated name
_FEWEST_WITH_ONE_UNKNOWN = 4  # abbreviated names, of which one may be of a criterion that is not known
_SEPARATORS = "_-. :/"

_RATERS = "a|ann|annotator|coder|e|evaluator|expert|j|judge|p|participant|r|rater|w|worker"
_OF_RATERS = re.compile(rf"(?:{_RATERS})?[ _-]?\d{{1,4}}")
"""A part of a name that numbers a rater."""


class Grid(NamedTuple):
    """Columns whose names have two parts, each first part with each second one.

    Attributes:
        first: the different first parts, in the order of the columns.
        second: the second parts.
        parts: both parts of each column's name.
        patterns: the names of the columns of each first part, with a star for the second, and of each second part.
    """

    first: list[str]
    second: list[str]
    parts: list[tuple[str, str]]
    patterns: tuple[list[str], list[str]]

    def meanings(self, columns_are: str, *, systems_known: bool) -> tuple[str, str] | None:
        """Return what the first and the second parts are, of `raters`, `systems` and `criteria`; None if not sure.

        One of them is criteria by its words. The other is systems if `columns_are` says so, and raters if it is not a
        name of a system: because systems are known, or by numbers.

        Args:
            columns_are: what the options say of the columns.
            systems_known: whether the table or an option names the systems elsewhere.
        """
        name_criteria = [are_criteria(part) for part in (self.first, self.second)]
        if name_criteria[0] == name_criteria[1]:
            return None
        others = self.second if name_criteria[0] else self.first
        other = SYSTEMS if columns_are == SYSTEMS else RATERS
        if other == RATERS and not systems_known and not _are_raters(others):
            return None
        return (CRITERIA, other) if name_criteria[0] else (other, CRITERIA)

    @property
    def may_be_whole(self) -> bool:
        """Whether no part is a criterion by its words, or the number of a rater."""
        parts = self.first, self.second
        return not any(are_criteria(part) or _are_raters(part) for part in parts)

    def told(self, kinds: str) -> str:
        """Return the two ways of reading the columns, in words and options.

        Args:
            kinds: what one of the parts is, beside raters: `systems` or `criteria`.
        """
        ways = []
        for part, names, patterns in zip(("first", "second"), (self.first, self.second), self.patterns, strict=True):
            columns = " ".join(f"--rating-column {quote(name)}" for name in names)
            ways.append(
                f"if the {part} parts are {kinds} and the others raters, give --rows-in {quote(','.join(patterns))} "
                f"{columns} --columns-are {kinds} --rater-column key"
            )
        return "; ".join(ways)


def grid_of(names: Sequence[str]) -> Grid | None:
    """Return the parts of columns' names if each first part stands with each second one, two of each and more.

    >>> grid_of(["fluency_r1", "fluency_r2", "style_r1", "style_r2"]).second
    ['r1', 'r2']
    >>> grid_of(["fluency1", "fluency2", "style1", "style2"]).first
    ['fluency', 'style']
    >>> grid_of(["rater_1", "rater_2", "rater_3"]) is grid_of(["a_1", "a_2", "b_1"]) is None
    True
    """
    for split in (_at_first, _at_last, _at_digits):
        parts = [split(name) for name in names]
        first = list(dict.fromkeys(head for head, _, _ in parts))
        second = list(dict.fromkeys(tail for _, _, tail in parts))
        pairs = [(head, tail) for head, _, tail in parts]
        is_full = len(set(pairs)) == len(pairs) == len(first) * len(second)
        between, *others = dict.fromkeys(between for _, between, _ in parts)
        if is_full and not others and min(len(first), len(second)) > 1 and "" not in (*first, *second):
            patterns = [f"{head}{between}*" for head in first], [f"*{between}{tail}" for tail in second]
            return Grid(first, second, pairs, patterns)
    return None


def are_abbreviated(names: Sequence[str]) -> bool:
    """Say whether all names are the first letters of those of criteria, three or more, or criteria; one may be unknown.

    >>> are_abbreviated(["Info", "Fact"]), are_abbreviated(["Info", "LED"])
    (True, False)
    >>> are_abbreviated(["rel", "comp", "cov", "div"])
    True
    """
    words = [name.strip().lower().rstrip(".") for name in names]
    n_known = sum(
        len(word) >= _FEWEST_LETTERS and any(criterion.startswith(word) for criterion in CRITERIA_WORDS)
        for word in words
    )
    return n_known >= len(words) - (len(words) >= _FEWEST_WITH_ONE_UNKNOWN)


def are_criteria(names: Sequence[str]) -> bool:
    """Say whether at least two names, or half of them, are those of criteria, or all are abbreviated."""
    n = sum(name.strip().lower() in CRITERIA_WORDS for name in names)
    return n >= 2 or 2 * n >= len(names) or are_abbreviated(names)


def _are_raters(names: Sequence[str]) -> bool:
    """Say whether all names number raters."""
    return all(_OF_RATERS.fullmatch(name.lower()) for name in names)


def _at_first(name: str) -> tuple[str, str, str]:
    """Return a name before its first separator, the separator, and the rest."""
    place = min((at for mark in _SEPARATORS if (at := name.find(mark)) >= 0), default=-1)
    return (name[:place], name[place], name[place + 1 :]) if place >= 0 else ("", "", "")


def _at_last(name: str) -> tuple[str, str, str]:
    """Return a name before its last separator, the separator, and the rest."""
    place = max(name.rfind(mark) for mark in _SEPARATORS)
    return (name[:place], name[place], name[place + 1 :]) if place >= 0 else ("", "", "")


def _at_digits(name: str) -> tuple[str, str, str]:
    """Return a name without the digits at its end, nothing, and these; a letter with a number is a name as a whole."""
    head = name.rstrip("0123456789")
    return (head, "", name[len(head) :]) if len(head) > 1 else ("", "", "")
