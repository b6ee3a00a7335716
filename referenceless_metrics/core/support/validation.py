"""Checks of user input, with errors that name the argument and the expected and given values; and shared types.

JSON of files that may come from anyone has no constants beyond the standard, no name twice, no depth without end.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
"""An array of float64."""

Integers: TypeAlias = NDArray[np.int64]
"""An array of int64."""

Booleans: TypeAlias = NDArray[np.bool_]
"""An array of truth values."""

Numbers: TypeAlias = NDArray[Any]
"""An array of any type."""

Arrays: TypeAlias = dict[str, Numbers]
"""Arrays by name, as an archive holds them."""

Integers32: TypeAlias = NDArray[np.int32]
Floats32: TypeAlias = NDArray[np.float32]
Unsigned8: TypeAlias = NDArray[np.uint8]
Unsigned32: TypeAlias = NDArray[np.uint32]
Unsigned64: TypeAlias = NDArray[np.uint64]

PathName: TypeAlias = Union[str, "os.PathLike[str]"]
"""A path, in whatever way it is written."""

Options: TypeAlias = Mapping[str, Any]
"""Options, parameters or settings by name; they are only read."""

Record: TypeAlias = dict[str, Any]
"""Values by name: a row of a table, an object of JSON, the header of a file."""


class InputError(ValueError):
    """A file, a row or an option that cannot be used; the message names the fault and its place, in one line.

    A message about a file's content begins with the file's name, as `ratings.csv: …` and `ratings.csv:3: …` do. If it
    is about files that cannot be named, the error is a `ContentsError`.
    """


class ContentsError(InputError):
    """Files that cannot be used together; the message names none of them at its beginning."""


class NoValuesError(InputError):
    """Systems of which one has no value at all, or no item has a value of all: nothing can be compared."""


class NotFittedError(ValueError, AttributeError):
    """An estimator was used before `fit`.

    `except sklearn.exceptions.NotFittedError` catches it, too: if a program has imported scikit-learn by the time of
    the error, the error is of both classes. It is not imported here for that.
    """

    def __new__(cls, *arguments: object) -> NotFittedError:
        """Return an error that is one of scikit-learn's as well, if scikit-learn is there."""
        theirs = sys.modules.get("sklearn.exceptions")
        kind = cls if theirs is None else _both_errors(theirs.NotFittedError)
        return super().__new__(kind, *arguments)

    def __reduce__(self) -> tuple[type[NotFittedError], tuple[Any, ...]]:
        """Pickle by the public class: another process may have imported scikit-learn, or not."""
        return NotFittedError, self.args


@cache
def _both_errors(theirs: type[Exception]) -> type[NotFittedError]:
    """Return the class of errors that are ours and scikit-learn's."""

    class BothErrors(NotFittedError, theirs):  # type: ignore[misc, valid-type]
        """An error of both classes, shown as ours."""

    BothErrors.__name__ = BothErrors.__qualname__ = NotFittedError.__name__
    return BothErrors


def describe(value: object, limit: int = 40) -> str:
    """Describe a value for an error message: its type and a shortened ``repr``.

    >>> describe("a text")
    "str 'a text'"
    >>> describe(None)
    'None'
    """
    if value is None:
        return "None"
    return f"{type(value).__name__} {shortened(repr(value), limit)}"


def shortened(shown: str, limit: int = 300) -> str:
    """Return text for a message, cut if it is longer than so many characters."""
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def joined_names(names: Iterable[str], limit: int = 300) -> str:
    """Return names for a message, between commas, and in quotation marks if one of them holds a comma.

    >>> joined_names(["a", "b"]), joined_names(["Hi, you", "b"])
    ('a, b', "'Hi, you', 'b'")
    """
    listed = list(names)
    are_plain = not any("," in name for name in listed)
    return shortened(", ".join(listed if are_plain else map(repr, listed)), limit)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a message on an unknown name: the known one that is like it, if there is one.

    >>> did_you_mean("ratng", ["text", "rating"]), did_you_mean("x", ["text"])
    ("; did you mean 'rating'?", '')
    >>> did_you_mean("score", ["da_score"]), did_you_mean("text", ["context"]), did_you_mean("bleurt", ["bleu"])
    ("; did you mean 'da_score'?", '', '')
    """
    import difflib  # for errors alone

    names = {each.lower(): each for each in map(str, known)}
    asked = str(name).lower()
    alike = difflib.get_close_matches(asked, names, n=len(names) or 1, cutoff=_ALIKE)
    near = [each for each in alike if _is_near(asked, each)]
    return f"; did you mean {names[near[0]]!r}?" if near else ""


_ALIKE, _NEAR = 0.7, 0.82
"""Least likeness of two names (difflib's) that share a word or are as long as one another, and of others."""


def _is_near(name: str, other: str) -> bool:
    """Return whether a name may be a slip for a like one: 'context' is another word than 'text'."""
    import difflib

    if len(name) == len(other) or not set(re.split(r"[\W_]+", name)).isdisjoint(re.split(r"[\W_]+", other)):
        return True
    return difflib.SequenceMatcher(None, other, name).ratio() >= _NEAR


def told_systems(name: str, known: Iterable[str]) -> str:
    """Return the end of a message on a system that is not there: the systems, and the one that was perhaps meant.

    >>> told_systems("our", ["base", "ours"])
    "the systems are base, ours; did you mean 'ours'?"
    """
    names = list(map(str, known))
    return f"the systems are {shortened(', '.join(names))}{did_you_mean(name, names)}"


def check_texts(texts: Iterable[str], name: str, *, allow_empty: bool = True, missing: bool = False) -> list[str]:
    """Return `texts` as a list after checking that it is a sequence of strings.

    Args:
        texts: any iterable of strings (list, tuple, array, pandas or `datasets` column), not a bare string.
        name: the argument's name, for the error message.
        allow_empty: whether a list of no texts is accepted. An empty *string* always is.
        missing: whether a missing value is read as an empty text, as of texts that are scored: None, or NaN or NA as
            columns of pandas have it.

    Raises:
        TypeError: for a bare string, a value that is not iterable or has no order, or an item that is not a string.
        ValueError: for no texts at all if `allow_empty` is false.
    """
    if isinstance(texts, (str, bytes)):
        raise TypeError(
            f"Expected argument `{name}` to be a list of strings, but got a bare {type(texts).__name__}; "
            f"for one text write [{describe(texts)[len(type(texts).__name__) + 1 :]}]"
        )
    # a table would be read as its column names
    if isinstance(texts, (dict, set, frozenset)) or hasattr(texts, "columns") or getattr(texts, "ndim", 1) > 1:
        raise TypeError(
            f"Expected argument `{name}` to be a list of strings, but got a {type(texts).__name__}, which has no order "
            "or more than one dimension: give a list, or one of its columns"
        )
    try:
        items = list(texts)
    except TypeError:
        raise TypeError(f"Expected argument `{name}` to be a list of strings, but got {describe(texts)}") from None
    if not are_strings(items):
        if missing:
            items = ["" if is_missing(item) else item for item in items]
        for position, item in enumerate(items):
            if not isinstance(item, str):
                raise TypeError(
                    f"Expected argument `{name}` to hold strings only, but item {position} is {describe(item)}"
                )
    if not items and not allow_empty:
        raise ValueError(f"Expected argument `{name}` to hold at least one text, but it is empty")
    return items


def are_strings(items: Iterable[object]) -> bool:
    """Say whether all items are strings, much faster than by a look at each in Python.

    >>> are_strings(["a", "é"]), are_strings(["a", None])
    (True, False)
    """
    try:
        list(map(str.isascii, items))  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


def is_missing(item: object) -> bool:
    """Say whether an item is a missing value: None, NaN, or the NA of pandas.

    >>> is_missing(None), is_missing(float("nan")), is_missing(""), is_missing(0.0)
    (True, True, False, False)
    """
    return item is None or (isinstance(item, float) and math.isnan(item)) or type(item).__name__ == "NAType"


def lone_surrogate(text: str) -> int | None:
    """Return the position of the first lone surrogate, or None if all characters are whole.

    A surrogate is half of a character; escapes in JSON can leave one alone, and no UTF-8 file can hold it.

    >>> lone_surrogate("cafe"), lone_surrogate("caf" + chr(0xD83D))
    (None, 3)
    """
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def _masked_arrays() -> tuple[type[Any], ...]:
    """Return NumPy's class of masked arrays; none if nobody has imported it, which takes longer than a small score."""
    masked = getattr(sys.modules.get("numpy.ma"), "MaskedArray", None)
    return () if masked is None else (masked,)


def check_ratings(ratings: ArrayLike, name: str, *, length: int | None = None, finite_sum: bool = False) -> Floats:
    """Return `rating` as a float64 vector after checking that every value is a finite number.

    Args:
        ratings: ratings, shape (n,), in any unit.
        name: the argument's name, for the error message.
        length: the length it must have (the number of texts), if known.
        finite_sum: whether the values must have a finite sum too.

    Raises:
        TypeError: for a value that is not a sequence of numbers.
        ValueError: for more than one dimension, a wrong length, or a NaN or infinite value.
    """
    if isinstance(ratings, (str, bytes, dict, set, frozenset)) or ratings is None:
        raise TypeError(f"Expected argument `{name}` to be a list of numbers, but got {describe(ratings)}")
    numbers: Any = ratings
    if isinstance(numbers, _masked_arrays()):
        numbers = np.ma.filled(numbers.astype(float), np.nan)  # a masked value is missing
    if not isinstance(numbers, np.ndarray) or numbers.dtype.kind not in "fiub":  # numpy itself converts text and dates
        try:
            numbers = list(numbers)
        except TypeError:
            raise TypeError(
                f"Expected argument `{name}` to be a list of numbers, but got {describe(ratings)}"
            ) from None
        no_numbers: tuple[type[Any], ...] = (
            str,
            bytes,
            complex,
            np.datetime64,
            np.timedelta64,
            type(None),
            *_masked_arrays(),
        )
        for position, item in enumerate(numbers):
            if isinstance(item, no_numbers):
                raise TypeError(
                    f"Expected argument `{name}` to hold numbers only, but item {position} is {describe(item)}"
                )
    try:
        values = np.asarray(numbers, dtype=float)
    except OverflowError:
        raise ValueError(f"Expected argument `{name}` to hold finite numbers only, but one is beyond float64") from None
    except (TypeError, ValueError):
        raise TypeError(
            f"Expected argument `{name}` to be a flat list of numbers, but got {describe(ratings)}"
        ) from None
    if values.ndim != 1:
        raise ValueError(f"Expected argument `{name}` to have one dimension, but got shape {values.shape}")
    if length is not None and len(values) != length:
        raise ValueError(
            f"Expected argument `{name}` to have one value for each of the {length} texts, but got {len(values)}"
        )
    finite = np.isfinite(values)
    if not finite.all():
        position = int(np.flatnonzero(~finite)[0])
        raise ValueError(
            f"Expected argument `{name}` to hold finite numbers only, but item {position} is {values[position]}"
        )
    largest = np.abs(values).max(initial=0.0)
    if finite_sum and largest > np.finfo(np.float64).max / max(len(values), 1):
        raise ValueError(f"Expected argument `{name}` to hold numbers whose sum is finite, but got {largest}")
    return values


def check_number(
    value: object, name: str, minimum: float = -math.inf, maximum: float = math.inf, *, integer: bool = False
) -> None:
    """Check that `value` is a finite number (a whole one if `integer`) in [`minimum`, `maximum`].

    Raises:
        TypeError: for anything but a number; booleans count as no number.
        ValueError: for a number outside the range, or NaN.
    """
    kinds = (int, np.integer) if integer else (int, float, np.integer, np.floating)
    what = "a whole number" if integer else "a number"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, kinds):
        raise TypeError(f"Expected argument `{name}` to be {what}, but got {describe(value)}")
    try:
        number = float(value)
    except OverflowError:  # a whole number beyond float64
        number = math.inf
    if not minimum <= number <= maximum or not math.isfinite(number):
        if minimum == -math.inf and maximum == math.inf:
            what = what.replace("a ", "a finite ")
            bounds = ""
        elif maximum == math.inf:
            bounds = f" of at least {minimum:g}"
        elif minimum == -math.inf:
            bounds = f" of at most {maximum:g}"
        else:
            bounds = f" in [{minimum:g}, {maximum:g}]"
        raise ValueError(f"Expected argument `{name}` to be {what}{bounds}, but got {shortened(repr(value), 40)}")


def check_whole(value: object, name: str, minimum: float = -math.inf, maximum: float = math.inf) -> None:
    """Check that `value` is a whole number in [`minimum`, `maximum`], as `check_number` does."""
    check_number(value, name, minimum, maximum, integer=True)


def check_ranges(owner: object, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Check numbers that an object holds, as `check_number` does.

    Args:
        owner: the object; None passes if its class has it as the default.
        ranges: the least and the greatest value of one or more attributes, whose names stand in one string; whole
            numbers if the least is one.
    """
    for names, (least, most) in ranges.items():
        for name in names.split():
            value = getattr(owner, name)
            if value is not None or getattr(type(owner), name, 0) is not None:
                check_number(value, name, least, most, integer=isinstance(least, int))


def check_numbers(values: Sequence[float], name: str, **range: Any) -> list[float]:
    """Return a list of numbers, at least one, after checking each as `check_number` does, which takes the `range`.

    Raises:
        TypeError: for anything but a list of numbers.
        ValueError: for an empty list, or a number that is not finite or outside the range.
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, (Sequence, np.ndarray)):
        raise TypeError(f"Expected argument `{name}` to be a list of numbers, but got {describe(values)}")
    if not len(values):
        raise ValueError(f"Expected argument `{name}` to hold at least one value, but it is empty")
    for value in values:
        check_number(value, name, **range)
    return list(values)


def finite_number(value: object) -> float | None:
    """Return a cell of a file as a finite number, or None if it is none.

    Python's own notation for its programs, `1_000`, is none: in a file it is more likely a slip or a name.

    >>> finite_number(" 2.5 "), finite_number("1_0"), finite_number("nan"), finite_number(True)
    (2.5, None, None, None)
    """
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, str) and "_" in value):
        return None
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever it cannot take is caught
    except (TypeError, ValueError, OverflowError):  # the last: a whole number beyond float64
        return None
    return number if math.isfinite(number) else None


def finite_numbers(cells: Sequence[Any]) -> Floats:
    """Return cells of a file as numbers, shape (n,); NaN for each that `finite_number` refuses."""
    kinds = set(map(type, cells))
    if kinds <= {int, float} or (kinds == {str} and "_" not in "".join(cells)):  # all at once
        try:
            numbers = np.array(list(map(float, cells)), dtype=float)
            if np.isfinite(numbers).all():
                return numbers
        except (OverflowError, ValueError):
            pass
    return np.array([finite_number(cell) for cell in cells], dtype=float)


def check_flag(value: object, name: str) -> None:
    """Check that an argument is True or False.

    Raises:
        TypeError: for anything else.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"Expected argument `{name}` to be True or False, but got {describe(value)}")


def check_path(path: object) -> Path:
    """Return the argument `path` as a path.

    Raises:
        TypeError: for a value that is neither a string nor a path.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"Expected argument `path` to be the path of a file or folder, but got {describe(path)}")
    return Path(path)


def check_choice(value: object, name: str, choices: Sequence[str]) -> None:
    """Check that `value` is one of `choices`, and list them if it is not.

    Raises:
        ValueError: for any other value.
    """
    if not isinstance(value, str) or value not in choices:
        known = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"Expected argument `{name}` to be one of {{{known}}}, but got {value!r}")


Fields = Mapping[str, "type | tuple[type, ...]"]
"""Names in an object, with the types of their values; `object` for any."""


def parse_json(text: bytes | str) -> Any:
    """Return the content of a JSON text.

    Raises:
        ValueError: for anything but one JSON value in UTF-8: NaN and infinities, a name that stands twice in an object,
            nesting or numbers beyond what can be read.

    >>> parse_json(b'{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    """
    try:
        return json.loads(
            text if isinstance(text, str) else text.decode("utf-8"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"its JSON cannot be read ({error.msg})") from None
    except UnicodeDecodeError:
        raise ValueError("its JSON is not UTF-8") from None


def check_fields(where: str, content: Any, required: Fields, optional: Fields | None = None) -> None:
    """Check that an object of JSON has the names that it should, and no others, with values of the right types.

    Raises:
        ValueError: if it has not; the message begins with `where`.
    """
    if not isinstance(content, dict):
        raise ValueError(f"{where} should be an object, but is {type(content).__name__}")
    known = {**required, **(optional or {})}
    missing, unknown = sorted(set(required) - set(content)), sorted(set(content) - set(known))
    if missing or unknown:
        raise ValueError(f"in {where}, {(missing or unknown)[0]!r:.60} is {'missing' if missing else 'not known'}")
    for name, value in content.items():
        wanted = known[name]
        types = wanted if isinstance(wanted, tuple) else (wanted,)
        # A whole number may stand where a fraction may.
        right = type(value) in types or object in types or (type(value) is int and float in types)
        if not right or (type(value) is float and not math.isfinite(value)):
            names = " or ".join(each.__name__ for each in types)
            raise ValueError(f"in {where}, {name!r} should be of type {names}, but is {value!r:.40}")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"its JSON holds {name}, which is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> Record:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("its JSON holds a name twice")
    return content
