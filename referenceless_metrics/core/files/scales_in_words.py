"""Scales whose values are words, as `disagree` to `agree`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile

import numpy as np

from referenceless_metrics.core.files.column_values import ColumnNumbers, holds_nothing, word_of
from referenceless_metrics.core.files.marked_numbers import all_of
from referenceless_metrics.core.support.validation import finite_number

_TRUTHS = {"true": 1.0, "false": 0.0}

_YES_AND_NO = (
    ("nein", "ja"),
    ("nee", "ja"),
    ("nej", "ja"),
    ("non", "oui"),
    ("no", "sí"),
    ("no", "sì"),
    ("não", "sim"),
    ("nie", "tak"),
    ("ne", "ano"),
    ("нет", "да"),
    ("ні", "так"),
    ("hayır", "evet"),
    ("لا", "نعم"),
    ("नहीं", "हाँ"),
    ("否", "是"),
    ("いいえ", "はい"),
    ("아니요", "예"),
)
"""No and yes in other languages."""

_AGREEMENT = (
    *(
        ("stimme überhaupt nicht zu", lower, middle, upper, highest)
        for lower, upper in (("stimme eher nicht zu", "stimme eher zu"), ("stimme nicht zu", "stimme zu"))
        for middle in ("weder noch", "teils/teils", "teils, teils", "teils teils", "neutral", "unentschieden")
        for highest in ("stimme voll und ganz zu", "stimme völlig zu", "stimme voll zu")
    ),
    *(
        (lowest, "trifft eher nicht zu", middle, "trifft eher zu", highest)
        for lowest, highest in (
            ("trifft überhaupt nicht zu", "trifft voll und ganz zu"),
            ("trifft gar nicht zu", "trifft voll zu"),
            ("trifft nicht zu", "trifft zu"),
        )
        for middle in ("teils/teils", "teils, teils", "teils teils", "weder noch", "neutral")
    ),
    ("sehr schlecht", "schlecht", "mittel", "gut", "sehr gut"),
    *(
        ("pas du tout d'accord", lower, "ni d'accord ni pas d'accord", upper, "tout à fait d'accord")
        for lower, upper in (("plutôt pas d'accord", "plutôt d'accord"), ("pas d'accord", "d'accord"))
    ),
    *(
        ("totalmente en desacuerdo", "en desacuerdo", middle, "de acuerdo", "totalmente de acuerdo")
        for middle in ("ni de acuerdo ni en desacuerdo", "neutral")
    ),
)
"""Agreement, from the lowest answer to the highest, in other languages."""

_DEGREE_SCALES = tuple(
    ("not at all", lower, middle, "very", "extremely")
    for lower in ("slightly", "a little", "not so", "not very")
    for middle in ("moderately", "somewhat")
)
"""Degrees, the lowest first, which may stand before what is asked: `very helpful`."""

_LIKING = (
    *(
        ("very dissatisfied", "dissatisfied", middle, "satisfied", "very satisfied")
        for middle in ("neutral", "neither satisfied nor dissatisfied")
    ),
    *(
        ("very unlikely", "unlikely", middle, "likely", "very likely")
        for middle in ("neutral", "neither likely nor unlikely")
    ),
    *(
        (f"extremely {low}", f"somewhat {low}", f"neither {high} nor {low}", f"somewhat {high}", f"extremely {high}")
        for low, high in (("dissatisfied", "satisfied"), ("unlikely", "likely"), ("bad", "good"))
    ),
    ("none at all", "a little", "a moderate amount", "a lot", "a great deal"),
)
"""Other scales that survey tools propose, the lowest answer first."""

_SCALES: tuple[tuple[int, tuple[str, ...]], ...] = (
    (0, ("no", "yes")),
    (0, ("n", "y")),
    (0, ("thumbs down", "thumbs up")),
    (0, ("thumbs_down", "thumbs_up")),
    (0, ("thumbsdown", "thumbsup")),
    (0, ("👎", "👍")),
    (0, ("dislike", "like")),
    (1, ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")),
    (1, ("strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree")),
    (1, ("strongly disagree", "somewhat disagree", "neither agree nor disagree", "somewhat agree", "strongly agree")),
    (1, ("very poor", "poor", "fair", "good", "very good")),
    (1, ("very bad", "bad", "neutral", "good", "very good")),
    (1, ("poor", "fair", "good", "very good", "excellent")),
    (1, ("poor", "fair", "good", "excellent")),
    (1, ("not at all", "slightly", "moderately", "very", "extremely")),
    (1, ("never", "rarely", "sometimes", "often", "always")),
    (1, ("bad", "ok", "good")),
    (1, ("bad", "okay", "good")),
    (1, ("bad", "average", "good")),
    (1, ("low", "medium", "high")),
    (0, ("incorrect", "correct")),
    (0, ("fail", "pass")),
    (0, ("failed", "passed")),
    (0, ("not acceptable", "acceptable")),
    (0, ("unacceptable", "acceptable")),
    *((0, words) for words in _YES_AND_NO),
    *((1, words) for words in _AGREEMENT),
)
"""Words of usual scales, the lowest first, each with the number of the lowest."""

_LONG_SCALES = tuple(
    (1, ("strongly disagree", "disagree", lower, *middle, upper, "agree", "strongly agree"))
    for lower, upper in (("somewhat disagree", "somewhat agree"), ("slightly disagree", "slightly agree"))
    for middle in (("neither agree nor disagree",), ("neutral",), ())
)
"""The same for seven answers, some of which are those of five, and for six."""

_FREE_SCALES = tuple((1, words) for words in (*_DEGREE_SCALES, *_LIKING))
"""The same for words that scales of fewer answers have, too: most of them have to be there."""

_FEWEST_OF_FREE = 4
"""Fewest different words that tell one of these scales."""

_SIDES = {
    **dict.fromkeys(("a", "left", "first", "1"), 1.0),
    **dict.fromkeys(("b", "right", "second", "2"), -1.0),
}

_TIES = frozenset(("tie", "tied", "draw", "same", "equal", "equally", "neutral", "neither", "both"))

_NO_SIDES = frozenset(("preference", "difference"))

_BESIDE_TIES = frozenset(
    (
        *("a", "about", "are", "is", "it", "its", "of", "or", "roughly", "s", "the", "them", "these", "two"),
        *("bad", "better", "best", "fine", "good", "great", "ok", "okay", "poor", "quality"),
        *("answers", "models", "outputs", "responses", "systems", "texts"),
    )
)
"""Words that may stand beside one of a tie, as in `both are bad`."""

_DEGREES = {
    **dict.fromkeys(("slight", "slightly", "somewhat", "little", "marginally", "weak", "weakly", "bit"), 1),
    **dict.fromkeys(("moderate", "moderately"), 2),
    **dict.fromkeys(("much", "strong", "strongly", "clearly", "clear", "far", "definitely", "significantly", "lot"), 3),
}

_BESIDE_SIDES = frozenset(
    (
        *("is", "better", "best", "more", "the", "a", "by", "wins", "won", "winner", "i", "we"),
        *("prefer", "preferred", "like", "liked", "choose", "chose"),
        *("answer", "assistant", "model", "option", "output", "response", "system", "text", "translation"),
    )
)
"""Words that may stand beside a side and a degree, as in `slightly prefer the left`."""

READ_AS = "words are read as numbers: "
"""Beginning of the note on words of a usual scale, before each word with its number."""

_MOST_GRADES = 11  # words of one column


def truths(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read true and false as 1 and 0; numbers may stand among them."""
    numbers = [_TRUTHS.get(text.lower(), finite_number(text)) for text in texts]
    return all_of(numbers, lambda: "true is read as 1, false as 0")


def by_usual_scale(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read the words of one usual scale, such as no and yes, as its numbers, if two of its words or more are there."""
    scale = usual_scale(texts)
    return None if scale is None else numbers_of_scale(texts, scale)


def numbers_of_scale(cells: Sequence[object], scale: Mapping[str, float]) -> ColumnNumbers:
    """Read words of a usual scale as its numbers; NaN for a cell that is blank.

    >>> numbers_of_scale(["Yes", None], {"no": 0.0, "yes": 1.0})
    ColumnNumbers(values=array([ 1., nan]), note='words are read as numbers: no is 0, yes is 1 (--values)')
    """
    values = [math.nan if holds_nothing(cell) else scale[word_of(cell)] for cell in cells]
    told = ", ".join(f"{word} is {number:g}" for word, number in scale.items())
    return ColumnNumbers(np.array(values), f"{READ_AS}{told} (--values)")


def usual_scale(words: Sequence[str]) -> dict[str, float] | None:
    """Return the numbers of the words of the one usual scale that holds all of some words, two different ones or more.

    A long scale is meant if no shorter one holds all words. Words of degree may stand before what is asked, as in `not
    at all helpful` and `very helpful`, if there are four or more: three may be a scale of their own.

    >>> usual_scale(["yes", "no", "yes"]), usual_scale(["agree", "red"])
    ({'no': 0.0, 'yes': 1.0}, None)
    >>> usual_scale(["Not at all clear", "Slightly clear", "Moderately clear", "Extremely clear"])["very clear"]
    4.0
    """
    held = {word_of(word) for word in words}
    if len(held) < 2:
        return None
    for scales in (_SCALES, _LONG_SCALES):
        if any(held <= set(scale) for _, scale in scales):
            return _scale_of(held, scales)
    if len(held) < _FEWEST_OF_FREE:
        return None
    asked = _common_end(sorted(held))
    if not asked or any(held <= set(scale) for _, scale in _FREE_SCALES):
        return _scale_of(held, _FREE_SCALES)
    found = _scale_of({word.removesuffix(asked).strip() for word in held}, _FREE_SCALES)
    return None if found is None else {f"{word} {asked}": number for word, number in found.items()}


_PARTWAY = (
    *("partly", "partially", "partial", "in part", "somewhat", "half", "to some extent", "teilweise", "teils"),
    *("zum teil", "en partie", "partiellement", "parcialmente", "en parte", "in parte", "parzialmente", "deels"),
    *("gedeeltelijk", "delvis", "częściowo", "частично", "kısmen", "部分"),
)
"""Words for what lies midway between no and yes, in small letters; what is asked may stand behind."""


def scale_with_one_more(words: Sequence[str]) -> dict[str, float] | None:
    """Return the numbers of words of which all but one are of a usual scale, two of these or more; None for others.

    Between the two words of a scale of two, one that says *partly* stands midway, and among four or six a word for the
    middle, such as *neutral*, stands between both halves; any other further word is NaN.

    >>> scale_with_one_more(["n", "Y", "partly"]), scale_with_one_more(["no", "yes", "purple"])
    ({'n': 0.0, 'y': 1.0, 'partly': 0.5}, {'no': 0.0, 'yes': 1.0, 'purple': nan})
    >>> scale_with_one_more(["correct", "partially correct", "incorrect"])["partially correct"]
    0.5
    >>> scale_with_one_more(["very poor", "poor", "ok", "good", "very good"])
    {'very poor': 1.0, 'poor': 2.0, 'good': 4.0, 'very good': 5.0, 'ok': 3.0}
    """
    held = list(dict.fromkeys(map(word_of, words)))
    scales = {word: usual_scale([other for other in held if other != word]) for word in held if len(held) > 2}
    found = [(word, scale) for word, scale in scales.items() if scale is not None]
    if len(found) != 1:
        return None
    further, scale = found[0]
    is_midway = len(scale) == 2 and any(further in (part, *(f"{part} {word}" for word in scale)) for part in _PARTWAY)
    middle = sum(scale.values()) / 2 if is_midway else math.nan
    others = {word: scale[word] for word in held if word != further}
    return (further in _MIDDLE and _with_middle(others, further)) or {**others, further: middle}


_MIDDLE = frozenset(
    (
        *("neutral", "ok", "okay", "average", "fair", "medium", "so-so", "so so", "middling", "undecided", "neither"),
        *("mittel", "mittelmäßig", "geht so", "unentschieden", "teils/teils", "moyen", "regular"),
    )
)
"""Words for the middle of a scale, in small letters."""


def _with_middle(numbers: Mapping[str, float], middle: str) -> dict[str, float]:
    """Return the numbers of four words or six, whose halves are in order, with a word between both halves; else none.

    The upper half is one higher, unless there is a gap for the word already.

    >>> _with_middle({"not at all": 1, "not very": 2, "somewhat": 3, "very": 4}, "neutral")
    {'not at all': 1, 'not very': 2, 'somewhat': 4, 'very': 5, 'neutral': 3}
    >>> _with_middle({"poor": 1, "good": 3, "very good": 4, "excellent": 5}, "ok")
    {}
    """
    values = sorted(numbers.values())
    half = len(values) // 2
    steps = [high - low for low, high in pairwise(values)]
    across = steps.pop(half - 1) if half else 0
    if len(values) not in (4, 6) or set(steps) != {1} or across not in (1, 2):
        return {}
    place = values[half - 1] + 1
    return {**{word: number + (number >= place) * (2 - across) for word, number in numbers.items()}, middle: place}


def _scale_of(held: set[str], scales: Sequence[tuple[int, tuple[str, ...]]]) -> dict[str, float] | None:
    """Return the numbers of the words of a scale that holds all words; None if several say otherwise of these."""
    fitting = [(low, scale) for low, scale in scales if held <= set(scale)]
    if len({tuple(low + scale.index(word) for word in sorted(held)) for low, scale in fitting}) != 1:
        return None
    low, scale = fitting[0]
    return {word: float(low + place) for place, word in enumerate(scale)}


def _common_end(texts: Sequence[str]) -> str:
    """Return the last words that all texts have, and behind which nothing stands; "" for none.

    >>> _common_end(["not at all easy to read", "very easy to read"]), _common_end(["good", "very good"])
    ('easy to read', '')
    """
    parted = [text.split()[::-1] for text in texts]
    n_alike = sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(*parted, strict=False)))
    return " ".join(parted[0][:n_alike][::-1]) if n_alike < min(map(len, parted)) else ""


def by_graded_sides(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read preferences with their degree, such as `a_slight` and `b_much`, as numbers: above 0 for the first side."""
    grades = graded_sides(texts)
    if grades is None:
        return None
    told = ", ".join(f"{word} is {number:g}" for word, number in sorted(grades.items(), key=lambda each: -each[1]))
    return ColumnNumbers(np.array([grades[word_of(text)] for text in texts]), f"{READ_AS}{told} (--values)")


def graded_sides(words: Sequence[str]) -> dict[str, float] | None:
    """Return the numbers of words that name a side with a degree, in two degrees or more, or a tie; None for others.

    Degrees are counted as far as they are there, from 1; those for the second side are below 0.

    >>> graded_sides(["a_much", "b_slight", "tie", "a_much"])
    {'a_much': 2.0, 'b_slight': -1.0, 'tie': 0.0}
    >>> graded_sides(["slightly prefer left", "right is better"]), graded_sides(["a", "b"])
    ({'slightly prefer left': 1.0, 'right is better': -2.0}, None)
    """
    found: dict[str, tuple[float, int]] = {}
    for word in dict.fromkeys(map(word_of, words)):
        side = (0.0, 0) if _says_tie(word) else _graded_side(word)
        if side is None or len(found) >= _MOST_GRADES:
            return None
        found[word] = side
    degrees = sorted({degree for sign, degree in found.values() if sign})
    if len(degrees) < 2 or {sign for sign, _ in found.values()} < {1.0, -1.0}:
        return None
    return {word: sign * (degrees.index(degree) + 1) if sign else 0.0 for word, (sign, degree) in found.items()}


def side_in_words(cell: object) -> float | None:
    """Return 1 for words that name the first side, -1 for the second and 0 for a tie; None for a degree, or else.

    A number alone names no side.

    >>> [side_in_words(cell) for cell in ("A is better", "the second response", "Both are bad", "it's a tie")]
    [1.0, -1.0, 0.0, 0.0]
    >>> [side_in_words(cell) for cell in ("A is much better", "A is worse", "A and B", "not the same", "ours")]
    [None, None, None, None, None]
    """
    word = word_of(cell)
    if _says_tie(word):
        return 0.0
    words = set(_words(word))
    has_no_side = words & _DEGREES.keys() or all(map(str.isdigit, words))
    side = None if has_no_side else _graded_side(word)
    return None if side is None else side[0]


def _says_tie(word: str) -> bool:
    """Say whether words name a tie, and no side: `no preference`, `both are bad`, `A and B are equally good`."""
    words = set(_words(word))
    if {"a", "b", "and"} <= words:
        words -= {"a", "b", "and"}
    if "no" in words:
        return len(words - _NO_SIDES) == 1 and len(words) > 1
    return bool(words & _TIES) and words <= _TIES | _BESIDE_TIES


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def _graded_side(word: str) -> tuple[float, int] | None:
    """Return 1 for the first side or -1, and the degree of a preference in words; None for anything else.

    A preference without a word for its degree is between slight and much.
    """
    words = _words(word)
    sides = [each for each in words if each in _SIDES]
    if len(sides) == 2 and "a" in sides:  # the article, as in `a bit`
        sides.remove("a")
    rest = [each for each in words if each not in _SIDES]
    degrees = [_DEGREES[each] for each in rest if each in _DEGREES]
    if len(sides) != 1 or len(degrees) > 1 or not {*rest} <= {*_DEGREES, *_BESIDE_SIDES}:
        return None
    return _SIDES[sides[0]], degrees[0] if degrees else 2
