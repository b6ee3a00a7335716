"""Numbers in columns that people fill: `4 : rather good`, `7/10`, `85%`, `0,7`, and words that stand for numbers.

A column is read by one form, and only if every cell that holds something has that form; how it was read is said in a
sentence, unless it holds plain numbers. A cell that marks a missing value (`NA`, `nan`, `null`, `-`) is NaN.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

import numpy as np

from referenceless_metrics.core.files.legends import means_several
from referenceless_metrics.core.support.validation import (
    Floats,
    InputError,
    describe,
    finite_number,
    finite_numbers,
    shortened,
)

MISSING_MARKS = frozenset(("", "na", "n/a", "#n/a", "n.a.", "nan", "null", "none", "-", "--", "–", "—", ".", "?"))
"""Cells that mark a missing value, in small letters and without spaces around them."""

NO_ANSWERS = frozenset(
    (
        "unrated",
        "unjudged",
        "not rated",
        "not judged",
        "missing",
        "skip",
        "skipped",
        "no answer",
        "not applicable",
        "prefer not to say",
        "prefer not to answer",
    )
)
"""Words in place of an answer that was not given, in small letters."""

_UNABLE = re.compile(
    r"(?:i |we )?(?:(?:can(?:not| not|['’]?t)|(?:could|do) not|(?:could|do)n['’]?t|unable to) )"
    r"(?:judge|tell|say|rate|assess|evaluate|answer|know)"
)
"""Words of a rater who does not answer."""

_TIMES = (1e9, 1e12)
"""Least numbers that are times, in seconds and in milliseconds since 1970; the greatest are twice as large."""

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

BY_VALUES = "--values: "
"""Beginning of the note on words whose numbers are given."""

READ_AS = "words are read as numbers: "
"""Beginning of the note on words of a usual scale, before each word with its number."""

_MOST_GRADES = 11  # words of one column

_NUMBER = r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)"
_PERCENT = re.compile(rf"({_NUMBER})\s*%")
_FRACTION = re.compile(rf"({_NUMBER})\s*/\s*(\d+)")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
# The label begins with a sign between it and the number, or with a space, and holds no digit at its beginning: `12:30`,
# `2024-01-01`, `5-6` and `3rd` are no labels.
_LABELLED = re.compile(rf"({_NUMBER})(?:\s*[:=.,)(\]–—-]+\s*|\s+)([^\W\d].*)", re.DOTALL)
_WITH_SPREAD = re.compile(rf"({_NUMBER})\s*(?:±|\+/-|\+-|\\pm)\s*{_NUMBER}\s*%?")
_LABELLED_BEHIND = re.compile(rf"([^\W\d].*?)\s*[(\[]\s*({_NUMBER})\s*[)\]]", re.DOTALL)
_MARKED = re.compile(
    rf"\[\[\s*({_NUMBER})\s*(?:/\s*\d+\s*)?\]\]|"
    rf"\[RESULT\]\s*({_NUMBER})|"
    rf"(?<![^\W_])(?:rating|score|grade)\W{{0,6}}({_NUMBER})(?:\s*(?:/|out of)\s*\d+)?\W*$",
    re.IGNORECASE,
)
"""The number that a judge marks: `Rating: [[7]]` in MT-Bench, `[RESULT] 4` in Prometheus, `Score: 4` at the end."""

_FEWEST_MARKED = 0.8  # share of a judge's answers with a marked number
_STARS = re.compile("[★⭐]*[☆]*")
_PAIR = re.compile(r"\s*((?:[^,=][^=]*?)?)\s*=\s*([^,=]*?)\s*(?:,|$)")

BLANK = ""
"""The word that stands for a cell in which there is nothing."""


@dataclass(frozen=True)
class ColumnNumbers:
    """A column's cells as numbers.

    Attributes:
        values: shape (cells,); NaN for a cell that marks a missing value.
        note: a sentence on how the cells were read, without an end; "" for plain numbers.
    """

    values: Floats
    note: str = ""


class NotNumbersError(InputError):
    """A column that holds something else than numbers.

    Attributes:
        row: the first cell that is no number, counted from 0.
    """

    def __init__(self, message: str, row: int) -> None:
        super().__init__(message)
        self.row = row


def parse_values(text: str) -> dict[str, float]:
    """Return the numbers of words, from the option `--values`.

    Nothing behind `=` stands for a missing value, and nothing before it for a blank cell. Letters are large or small.

    Raises:
        InputError: for anything but pairs with a number each, or a word that is given two numbers.

    >>> parse_values("no=0, yes=1, no answer=")
    {'no': 0.0, 'yes': 1.0, 'no answer': nan}
    >>> parse_values("x=1,=0")
    {'x': 1.0, '': 0.0}
    """
    values: dict[str, float] = {}
    end = 0
    for pair in _PAIR.finditer(text):
        word, number = _word(pair[1]), pair[2]
        value = math.nan if not number else finite_number(number)
        if pair.start() != end or value is None:
            break
        if str(values.get(word, value)) != str(value):
            raise InputError(f"the word {pair[1]!r} stands twice in {text!r}, with two numbers")
        values[word] = value
        end = pair.end()
        if end == len(text):
            return values
    raise InputError(f'expected words and their numbers, as "no=0,yes=1", but got {text!r}')


def column_numbers(
    cells: Sequence[object], *, words: Mapping[str, float] | None = None, decimal_comma: bool = False
) -> ColumnNumbers:
    """Read the cells of a column as numbers.

    Args:
        cells: the cells, as a file holds them.
        words: the numbers that words stand for, as `parse_values` returns them; numbers stand for themselves.
        decimal_comma: whether the file is known to have decimal commas, as if semicolons separate its fields.

    Raises:
        NotNumbersError: for a cell that is neither a number nor marks a missing value, in a column that no form fits;
            the message says how to go on, if there is a way.

    >>> column_numbers(["7/10", "", "9/10"])
    ColumnNumbers(values=array([ 7., nan,  9.]), note='7/10 is read as 7')
    """
    held = _held_alone(cells)
    if held is not None:
        inside = column_numbers(held, words=words, decimal_comma=decimal_comma)
        told = ("a list of one is read as what it holds", inside.note)
        return ColumnNumbers(inside.values, "; ".join(filter(None, told)))
    if words is not None:
        return _by_words(cells, words)
    plain = finite_numbers([_with_point(cell) for cell in cells] if decimal_comma else cells)
    left = [row for row in np.flatnonzero(np.isnan(plain)).tolist() if not _is_missing(cells[row])]
    if not left:
        return ColumnNumbers(plain)
    known = [row for row, cell in enumerate(cells) if not _is_missing(cell)]
    texts = [_text(cells[row]) for row in known]
    for form in (
        _truths,
        _usual_scale,
        _graded_sides,
        _percentages,
        _fractions,
        _decimal_commas,
        _labelled,
        _labelled_behind,
        _stars,
        marked_numbers,
    ):
        read = form(texts)
        if read is not None:
            values = np.full(len(cells), math.nan)
            values[known] = read.values
            return ColumnNumbers(values, read.note)
    mark = mark_in(cells)
    proposal = f"; {told_mark(mark)}" if mark else _proposal(texts)
    raise NotNumbersError(f"expected a number, but got {describe(cells[left[0]])}{proposal}", left[0])


def _by_words(cells: Sequence[object], words: Mapping[str, float]) -> ColumnNumbers:
    """Read words as the numbers that they stand for, and numbers as themselves.

    Where a number stands for another one, as a rank for its rating, all numbers of the column have to be named.
    """
    values = np.full(len(cells), math.nan)
    _check_mark(cells, words)
    of_number = {number: value for word, value in words.items() if (number := finite_number(word)) is not None}
    are_named = any(value != number and not math.isnan(value) for number, value in of_number.items())
    for row, cell in enumerate(cells):
        if _holds_nothing(cell):
            values[row] = words.get(BLANK, math.nan)
            continue
        of_labels = {words.get(_word(label)) for label in _labels_of(cell)}
        if len(of_labels) == 1 and None not in of_labels:
            values[row] = of_labels.pop()
            continue
        number = finite_number(cell)
        if number in of_number:
            values[row] = of_number[number]
        elif number is not None and not are_named:
            values[row] = number
        elif not _is_missing(cell):
            known = ", ".join(words)
            raise NotNumbersError(f"--values says nothing of {describe(cell)}; it knows {shortened(known, 80)}", row)
    labels = [
        BLANK if _holds_nothing(cell) else " ".join(str(label).split()) for cell in cells for label in _labels_of(cell)
    ]
    written = {_word(label): label for label in reversed(labels)}  # as the first cell writes a word
    numbers = {finite_number(cell) for cell in cells} & set(of_number)
    written |= {word: word for word in words if finite_number(word) in numbers}
    told = [
        f"{repr(written[word]) if word else 'blank'} is {'missing' if math.isnan(number) else f'{number:g}'}"
        for word, number in words.items()
        if word in written
    ]
    return ColumnNumbers(values, f"{BY_VALUES}{', '.join(told)}" if told else "")


def _held_alone(cells: Sequence[object]) -> list[object] | None:
    """Return what lists hold if each cell is a list of one, or marks a missing value; None for other cells.

    >>> _held_alone([[True], None, [False]]), _held_alone([[True], [True, False]]), _held_alone([None])
    ([True, None, False], None, None)
    """
    lists = [cell for cell in cells if isinstance(cell, (list, tuple))]
    are_alone = bool(lists) and all(len(cell) == 1 for cell in lists)
    if not are_alone or not all(isinstance(cell, (list, tuple)) or _is_missing(cell) for cell in cells):
        return None
    return [cell[0] if isinstance(cell, (list, tuple)) else cell for cell in cells]


def _labels_of(cell: object) -> Sequence[object]:
    """Return the labels of a cell: those of a list, which all have to stand for one number, or the cell itself."""
    return cell if isinstance(cell, (list, tuple)) and cell else [cell]


def _holds_nothing(cell: object) -> bool:
    """Say whether a cell is blank: it holds no text, no number and no element."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return True
    return not cell.strip() if isinstance(cell, str) else isinstance(cell, (list, tuple)) and not cell


def mark_in(cells: Sequence[object]) -> str:
    """Return the one word that stands in cells, in small letters, if others are blank: a cross, say; "" for none.

    >>> mark_in(["x", None, "X", ""]), mark_in(["x", "y", ""]), mark_in(["x", "x"]), mark_in(["1", ""])
    ('x', '', '', '')
    """
    filled = [cell for cell in cells if not _holds_nothing(cell)]
    held = {_word(label) for cell in filled for label in _labels_of(cell)}
    if len(held) != 1 or len(filled) == len(cells):
        return ""
    word = next(iter(held))
    is_number = finite_number(word) is not None or word in MISSING_MARKS
    return "" if is_number or not can_be_given(word) else word


def told_mark(mark: str) -> str:
    """Return the end of a message on cells that hold one word or nothing: the two ways to read them."""
    return (
        f'each cell holds {mark!r} or nothing, so that a blank may be the other answer or none: --values "{mark}=1,=0" '
        f'takes it for 0, and --values "{mark}=1,=" for a missing one'
    )


def _check_mark(cells: Sequence[object], words: Mapping[str, float]) -> None:
    """Check that blank cells have a meaning if all others hold the one word that is given a number.

    Raises:
        NotNumbersError: if they have none: left out, they would leave nothing but that number.
    """
    mark = mark_in(cells)
    numbers = {number for word, number in words.items() if not math.isnan(number)}
    if mark in words and mark and BLANK not in words and len(numbers) == 1:
        row = next(row for row, cell in enumerate(cells) if not _holds_nothing(cell))
        raise NotNumbersError(told_mark(mark), row)


def _truths(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read true and false as 1 and 0; numbers may stand among them."""
    numbers = [_TRUTHS.get(text.lower(), finite_number(text)) for text in texts]
    return _all_of(numbers, lambda: "true is read as 1, false as 0")


def _usual_scale(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read the words of one usual scale, such as no and yes, as its numbers, if two of its words or more are there."""
    scale = usual_scale(texts)
    return None if scale is None else numbers_of_scale(texts, scale)


def numbers_of_scale(cells: Sequence[object], scale: Mapping[str, float]) -> ColumnNumbers:
    """Read words of a usual scale as its numbers; NaN for a cell that is blank.

    >>> numbers_of_scale(["Yes", None], {"no": 0.0, "yes": 1.0})
    ColumnNumbers(values=array([ 1., nan]), note='words are read as numbers: no is 0, yes is 1 (--values)')
    """
    values = [math.nan if _holds_nothing(cell) else scale[_word(cell)] for cell in cells]
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
    held = {_word(word) for word in words}
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
    held = list(dict.fromkeys(map(_word, words)))
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


def _graded_sides(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read preferences with their degree, such as `a_slight` and `b_much`, as numbers: above 0 for the first side."""
    grades = graded_sides(texts)
    if grades is None:
        return None
    told = ", ".join(f"{word} is {number:g}" for word, number in sorted(grades.items(), key=lambda each: -each[1]))
    return ColumnNumbers(np.array([grades[_word(text)] for text in texts]), f"{READ_AS}{told} (--values)")


def graded_sides(words: Sequence[str]) -> dict[str, float] | None:
    """Return the numbers of words that name a side with a degree, in two degrees or more, or a tie; None for others.

    Degrees are counted as far as they are there, from 1; those for the second side are below 0.

    >>> graded_sides(["a_much", "b_slight", "tie", "a_much"])
    {'a_much': 2.0, 'b_slight': -1.0, 'tie': 0.0}
    >>> graded_sides(["slightly prefer left", "right is better"]), graded_sides(["a", "b"])
    ({'slightly prefer left': 1.0, 'right is better': -2.0}, None)
    """
    found: dict[str, tuple[float, int]] = {}
    for word in dict.fromkeys(map(_word, words)):
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
    word = _word(cell)
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


def _percentages(texts: Sequence[str]) -> ColumnNumbers | None:
    found = [_PERCENT.fullmatch(text) for text in texts]
    numbers = [None if match is None else finite_number(_with_point(match[1])) for match in found]
    return _all_of(numbers, lambda: f"{texts[0]} is read as {numbers[0]:g}, in per cent")


def _fractions(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `7/10` as 7, if all cells are of 10."""
    found = [_FRACTION.fullmatch(text) for text in texts]
    if len({match[2] for match in found if match is not None}) > 1:
        return None
    numbers = [None if match is None else finite_number(_with_point(match[1])) for match in found]
    return _all_of(numbers, lambda: f"{texts[0]} is read as {numbers[0]:g}")


def _decimal_commas(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `0,7` as 0.7, if there is a number whose comma cannot stand between thousands."""
    with_comma = [text for text in texts if _DECIMAL_COMMA.fullmatch(text)]
    if all(_THOUSANDS.fullmatch(text) for text in with_comma):
        return None
    numbers = [finite_number(_with_point(text)) for text in texts]
    return _all_of(numbers, lambda: f"commas are decimal marks: {with_comma[0]} is {_with_point(with_comma[0])}")


def _labelled(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `4 : rather good` as 4, if one label stands behind each number; plain numbers may stand among them."""
    matches = [None if means_several(text) else _LABELLED.fullmatch(text) for text in texts]
    return _with_labels(texts, matches, number_at=1, label_at=2)


def _labelled_behind(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `Agree (4)` as 4, if one label stands before each number."""
    return _with_labels(texts, [_LABELLED_BEHIND.fullmatch(text) for text in texts], number_at=2, label_at=1)


def _with_labels(
    texts: Sequence[str], matches: Sequence[re.Match[str] | None], *, number_at: int, label_at: int
) -> ColumnNumbers | None:
    """Return the numbers beside labels, and plain ones; None if a text is neither, or a number has two labels."""
    numbers: list[float | None] = []
    label_of: dict[float | None, str] = {}
    example = ""
    for text, match in zip(texts, matches, strict=True):
        number = finite_number(text if match is None else _with_point(match[number_at]))
        numbers.append(number)
        if match is not None:
            example = example or f"{text!r} is read as {number:g}"
            if label_of.setdefault(number, _word(match[label_at])) != _word(match[label_at]):
                return None
    return _all_of(numbers, lambda: example)


def _stars(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read `★★★☆☆` as 3."""
    numbers = [float(sum(text.count(star) for star in "★⭐")) if _STARS.fullmatch(text) else None for text in texts]
    return _all_of(numbers, lambda: f"stars are counted: {texts[0]} is {numbers[0]:g}")


def marked_numbers(texts: Sequence[str]) -> ColumnNumbers | None:
    """Read the number that each answer of a judge marks, if most answers mark one, and the same each time."""
    found = [{group for match in _MARKED.finditer(text) for group in match.groups() if group} for text in texts]
    numbers = [finite_number(_with_point(marks.pop())) if len(marks) == 1 else None for marks in found]
    lost = numbers.count(None)
    if not texts or len(texts) - lost < _FEWEST_MARKED * len(texts):
        return None
    first = next(place for place, number in enumerate(numbers) if number is not None)
    end = " ".join(texts[first].split())[-20:].strip()
    note = f"the number that an answer marks is read, as {numbers[first]:g} of {end!r}"
    if lost:
        note += f"; {lost} of {len(texts)} answers mark no number, or several, and are missing"
    return ColumnNumbers(np.array([math.nan if number is None else number for number in numbers]), note)


def _all_of(numbers: Sequence[float | None], note: Callable[[], str]) -> ColumnNumbers | None:
    """Return the numbers with a note, or None if one of them is missing."""
    if any(number is None for number in numbers):
        return None
    return ColumnNumbers(np.array(numbers, dtype=float), note())


def are_times(numbers: Floats) -> bool:
    """Say whether numbers are times: seconds or milliseconds since 1970, of the years from 2001 to 2033.

    >>> are_times(np.array([1.70601e9, 1.7e9])), are_times(np.array([3.0, 4.0])), are_times(np.array([1.7e12]))
    (True, False, True)
    """
    known = numbers[np.isfinite(numbers)]
    return bool(len(known)) and any(((known >= low) & (known <= 2 * low)).all() for low in _TIMES)


def told_times(numbers: Floats, column: str) -> str:
    """Return the message on a column of times that was named as one of scores or ratings; "" for other numbers."""
    if not are_times(numbers):
        return ""
    return (
        f"column {column!r} holds times (seconds or milliseconds since 1970), and no scores or ratings: name another; "
        "if these are no times, write them in other units"
    )


def says_no_answer(word: str) -> bool:
    """Say whether a word tells that no answer was given, whatever the scale.

    >>> says_no_answer("Cannot judge"), says_no_answer("skipped"), says_no_answer("poor")
    (True, True, False)
    """
    plain = _word(word)
    return plain in MISSING_MARKS or plain in NO_ANSWERS or _UNABLE.fullmatch(plain) is not None


def _proposal(texts: Sequence[str]) -> str:
    """Return a remedy for words, if the column holds few of them."""
    if any(map(is_mean_with_spread, texts)):
        return ": a mean with its spread stands for several ratings or scores, which are needed themselves"
    words = list(dict.fromkeys(text for text in texts if finite_number(text) is None))
    if any(_THOUSANDS.fullmatch(word) for word in words):
        return "; a comma may be a decimal mark or stand between thousands: write 1.234 or 1234"
    words = list({_word(word): word for word in words}.values())  # large or small letters
    if len(words) > 8 or not all(map(can_be_given, words)):
        return ""
    known = scale_with_one_more(words) or {}
    numbers = [known.get(_word(word), math.nan) for word in words]
    pairs = ",".join(
        f"{word}={'…' if math.isnan(number) else f'{number:g}'}" for word, number in zip(words, numbers, strict=True)
    )
    return f'; say what the words stand for: --values "{pairs}" (nothing behind = is missing)'


def can_be_given(word: str) -> bool:
    """Say whether a word can stand in the option `--values`, and is none of a sentence."""
    return len(word) <= 30 and not {",", "="} & set(word)


def is_mean_with_spread(text: str) -> bool:
    """Say whether a cell holds a mean with its spread or interval.

    >>> is_mean_with_spread("3.4 ± 0.8"), is_mean_with_spread("3.4")
    (True, False)
    """
    return _WITH_SPREAD.fullmatch(text.strip()) is not None


def _is_missing(cell: object) -> bool:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return True
    return isinstance(cell, str) and (_word(cell) in MISSING_MARKS or _word(cell).lstrip("+-") in ("inf", "infinity"))


def _word(cell: object) -> str:
    return " ".join(str(cell).split()).lower()


def _text(cell: object) -> str:
    return str(cell).strip() if isinstance(cell, (str, bool, int, float, np.bool_, np.number)) else repr(cell)


def _with_point(cell: object) -> object:
    """Return a cell with a decimal point in place of a decimal comma."""
    return cell.replace(",", ".", 1) if isinstance(cell, str) and "." not in cell else cell
