"""Criteria that raters are asked about: a question each, with its scale, words for its values, and examples."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referenceless_metrics.core.support.validation import InputError, Record, describe, finite_number
from referenceless_metrics.human_evaluation.studies.spans import SPANS

PREFERENCE = "preference"
CANNOT_JUDGE = "cannot judge"
"""Answer of a rater who does not want to guess: a missing rating that is kept, with its comment."""

OVERALL = "overall"
"""Name of the mean of all criteria, which no criterion may have."""

QUESTION = "How good is this text?"
QUESTION_OF_TWO = "Which of the two texts is better?"
QUESTION_OF_YES = "Is this text good?"

_ENDS = ("worst", "best")
"""Words for the ends of a scale that has no words of its own."""

_NO_AND_YES = ("no", "yes")
"""The same for a scale from 0 to 1."""

_ANSWERS = {"A": 1.0, "tie": 0.5, "B": 0.0}
"""Answers of a rater about two outputs, as the share of a win for the first."""

_NAME = re.compile(r"\w[\w .-]{0,59}")
_EXAMPLE = "fluency=1-5=How natural is it?"
_FIELDS = ("name", "scale", "question", "labels", "examples")


@dataclass(frozen=True)
class Scale:
    """Answers that raters can give: whole numbers from `low` to `high`, or the better one of two outputs.

    >>> Scale.parse("1-5"), Scale.parse("preference").is_preference
    (Scale(low=1, high=5), True)
    """

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Read a scale: `LOW-HIGH`, or `preference`.

        Raises:
            InputError: for anything else.
        """
        ends = re.fullmatch(r"(\d{1,4})[-:](\d{1,4})", text)
        if text == PREFERENCE:
            return cls(0, 0)
        if ends is None or int(ends[1]) >= int(ends[2]):
            raise InputError(
                f"expected a scale such as 1-5, 0-100 or 0-1 (no or yes), or {PREFERENCE!r}, but got {text!r}"
            )
        return cls(int(ends[1]), int(ends[2]))

    def __str__(self) -> str:
        return PREFERENCE if self.is_preference else f"{self.low}-{self.high}"

    @property
    def is_preference(self) -> bool:
        """Whether raters say which of two outputs is better."""
        return self.low == self.high

    @property
    def has_two_points(self) -> bool:
        """Whether a rating is one of two values, as of a question with yes and no."""
        return self.high - self.low == 1

    @property
    def ends(self) -> tuple[str, str]:
        """The words for the lowest and the highest value, if nobody names others."""
        return _NO_AND_YES if (self.low, self.high) == (0, 1) else _ENDS

    @property
    def expected(self) -> str:
        """Answers that are possible, in words."""
        if self.is_preference:
            return " or ".join(_ANSWERS)
        return f"{self.low} or {self.high}" if self.has_two_points else f"a whole number from {self.low} to {self.high}"

    def written(self, answer: float) -> str:
        """Return an answer as it stands in a rater's file.

        >>> Scale(1, 5).written(4.0), Scale(0, 0).written(0.5), Scale(1, 5).written(math.nan)
        ('4', 'tie', 'cannot judge')
        """
        if answer != answer:
            return CANNOT_JUDGE
        named = {share: name for name, share in _ANSWERS.items()}
        return named[answer] if self.is_preference else f"{answer:.0f}"

    def answer(self, value: object) -> float | None:
        """Return an answer as a number, None if it is not on the scale; the share of a win for A of a preference.

        It is NaN for a rater who cannot judge. Words are read in any case.

        >>> Scale(1, 5).answer("4"), Scale(1, 5).answer(6), Scale(0, 0).answer("Tie"), Scale(0, 0).answer("b")
        (4.0, None, 0.5, 0.0)
        """
        word = str(value).strip().casefold()
        if word == CANNOT_JUDGE:
            return math.nan
        if self.is_preference:
            return next((share for name, share in _ANSWERS.items() if name.casefold() == word), None)
        number = finite_number(value)
        return number if number is not None and self.low <= number <= self.high and number % 1 == 0 else None


@dataclass(frozen=True)
class Criterion:
    """Criterion that raters judge outputs by.

    Attributes:
        name: its name, such as `fluency`; "" for the one criterion of a study that names none.
        scale: answers that are possible.
        question: stands over the scale.
        labels: words for values of the scale, as pairs of the value and its word, in order; the lowest value is called
            "worst" and the highest "best" if they have none, and 0 "no" and 1 "yes" on a scale of these two.
        examples: texts, each with the rating that the study's author gives it.

    >>> criterion = Criterion.parse("fluency=1-5=How natural is it?")
    >>> criterion.name, str(criterion.scale), criterion.label(1)
    ('fluency', '1-5', 'worst')
    """

    name: str
    scale: Scale
    question: str
    labels: tuple[tuple[int, str], ...] = ()
    examples: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        what = f"the criterion {self.name!r}" if self.name else "the scale"
        for value, _ in self.labels:
            if self.scale.is_preference or not self.scale.low <= value <= self.scale.high:
                raise InputError(f"{what}: its label is of {value}, which is not on the scale {self.scale}")
        for text, answer in self.examples:
            if self.answer(answer) is None:
                raise InputError(
                    f"{what}: the example {text!r}: expected {self.expected} as a rating, but got {answer!r}"
                )

    @classmethod
    def parse(cls, text: str) -> Criterion:
        """Read a criterion from NAME=SCALE=QUESTION; the question may be left out.

        Raises:
            InputError: for a name or a scale that is none.
        """
        name, _, rest = text.partition("=")
        scale, _, question = rest.partition("=")
        if not scale:
            raise InputError(f"expected a criterion as NAME=SCALE=QUESTION, such as {_EXAMPLE!r}, but got {text!r}")
        return cls.of_record({"name": name.strip(), "scale": scale.strip(), "question": question.strip()})

    @classmethod
    def of_record(cls, record: Record) -> Criterion:
        """Return a criterion from a record with its name, scale, question, labels and examples.

        Raises:
            InputError: for an unknown field, and a value that is none of its field.
        """
        unknown = [str(field) for field in record if field not in _FIELDS]
        if unknown:
            raise InputError(f"a criterion has {', '.join(_FIELDS)}, but got {', '.join(unknown)}")
        scale = Scale.parse(str(record.get("scale", "1-5")))
        return cls(
            str(record.get("name", "")),
            scale,
            str(record.get("question") or usual_question(scale)),
            _labels(record.get("labels") or {}),
            _examples(record.get("examples") or ()),
        )

    def record(self) -> Record:
        """Return the criterion as `of_record` reads it."""
        labels = {str(value): word for value, word in self.labels}
        return {
            "name": self.name,
            "scale": str(self.scale),
            "question": self.question,
            "labels": labels,
            "examples": [list(example) for example in self.examples],
        }

    @property
    def expected(self) -> str:
        """The answers that a rater may give, in words, with the words for values of the scale.

        >>> Criterion("", Scale(0, 1), "Is it right?", ((0, "wrong"), (1, "right"))).expected
        '0 or 1 (0 = wrong, 1 = right)'
        """
        if self.scale.is_preference:
            return self.scale.expected
        values = sorted({self.scale.low, self.scale.high, *dict(self.labels)})
        told = ", ".join(f"{value} = {self.label(value)}" for value in values if self.label(value))
        return f"{self.scale.expected} ({told})" if told else self.scale.expected

    def label(self, value: int) -> str:
        """Return the word for a value of the scale; "" for a value without one."""
        return self._words.get(value, "")

    def answer(self, cell: object) -> float | None:
        """Return an answer as a number, None if it is neither on the scale nor one of its words; see `Scale.answer`.

        >>> yes_or_no = Criterion("", Scale(0, 1), "Is it right?")
        >>> yes_or_no.answer("Yes"), yes_or_no.answer("0"), yes_or_no.answer("perhaps")
        (1.0, 0.0, None)
        """
        number = self.scale.answer(cell)
        if number is not None or self.scale.is_preference:
            return number
        written = str(cell).strip().casefold()
        values = [value for value, word in self._words.items() if word.strip().casefold() == written]
        return float(values[0]) if len(values) == 1 else None

    @property
    def _words(self) -> dict[int, str]:
        """The words for values of the scale, by value."""
        low, high = self.scale.ends
        return {self.scale.low: low, self.scale.high: high, **dict(self.labels)}


def usual_question(scale: Scale) -> str:
    """Return the question of a criterion that has none of its own."""
    if scale.is_preference:
        return QUESTION_OF_TWO
    return QUESTION_OF_YES if scale.ends == _NO_AND_YES else QUESTION


def _labels(labels: Any) -> tuple[tuple[int, str], ...]:
    """Return words for values in the order of the values.

    Raises:
        InputError: for anything but a mapping from whole numbers to words.
    """
    if not isinstance(labels, Mapping):
        raise InputError(f"expected labels as words by value, such as {{1: unreadable}}, but got {describe(labels)}")
    found = []
    for value, word in labels.items():
        number = finite_number(value)
        if number is None or number % 1:
            raise InputError(f"expected labels of whole numbers, such as {{1: unreadable}}, but got {describe(value)}")
        found.append((int(number), str(word)))
    return tuple(sorted(found))


def _examples(examples: Any) -> tuple[tuple[str, str], ...]:
    """Return texts with their ratings.

    Raises:
        InputError: for anything but pairs of a text and a rating, or records with `text` and `rating`.
    """
    found = []
    for example in examples:
        if isinstance(example, Mapping) and {"text", "rating"} <= set(example):
            found.append((str(example["text"]), str(example["rating"])))
        elif isinstance(example, (list, tuple)) and len(example) == 2:
            found.append((str(example[0]), str(example[1])))
        else:
            raise InputError(f"expected examples with a text and a rating each, but got {describe(example)}")
    return tuple(found)


def read_criteria(path: str | Path) -> list[Criterion]:
    """Read criteria from a file of YAML or JSON: a list of records with name, scale, question, labels and examples.

    Raises:
        InputError: for a file that cannot be read, and a criterion that is none.
    """
    import yaml  # type: ignore[import-untyped]

    try:
        content = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except OSError:
        raise InputError(f"{path}: there is no such file of criteria") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: expected criteria as YAML: {error}") from None
    if not isinstance(content, list) or not all(isinstance(each, Mapping) for each in content):
        raise InputError(f"{path}: expected a list of criteria, each with {', '.join(_FIELDS)}, but got other content")
    try:
        return [Criterion.of_record(each) for each in content]
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def check_criteria(criteria: Sequence[Criterion]) -> None:
    """Check that a study can ask for some criteria.

    Raises:
        InputError: for names that are none or the same, and ratings beside preferences.
    """
    names = [criterion.name for criterion in criteria]
    for name in names:
        if not _NAME.fullmatch(name):
            raise InputError(f"expected a criterion's name of letters, digits, ' ', '-', '_' and '.', but got {name!r}")
        if name.casefold() == OVERALL:
            raise InputError(f"{name!r} names the mean of all criteria, and no criterion: give it another name")
        if name.casefold() == SPANS:
            raise InputError(f"{name!r} names the marked errors, and no criterion: give it another name")
    if len({name.casefold() for name in names}) < len(names):
        raise InputError(f"two criteria have one name: {', '.join(names)}")
    if len({criterion.scale.is_preference for criterion in criteria}) > 1:
        raise InputError("some criteria are ratings and some preferences: draw a study for each")


def with_examples(criteria: Sequence[Criterion], examples: Sequence[tuple[str, str, str]]) -> list[Criterion]:
    """Return criteria with further examples.

    Args:
        criteria: the criteria.
        examples: texts, each with its rating and the criterion's name.

    Raises:
        InputError: for a criterion that is not there, and a rating that is not on its scale.
    """
    names = [criterion.name for criterion in criteria]
    for _, _, name in examples:
        if name not in names:
            raise InputError(f"expected one of {', '.join(names)} as the criterion of an example, but got {name!r}")
    found = []
    for criterion in criteria:
        further = tuple((text, rating) for text, rating, name in examples if name == criterion.name)
        found.append(replace(criterion, examples=(*criterion.examples, *further)))
    return found
