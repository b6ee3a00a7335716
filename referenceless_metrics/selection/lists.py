"""Lists of candidates as flat arrays: which are equal, and in which order they come out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from metric_commons.support.validation import Floats, Integers, check_texts, describe


class Lists(NamedTuple):
    """The candidates of m inputs, n in all.

    Attributes:
        texts: all candidates, list by list.
        begins: where each list begins in them, shape (m + 1,), int64.
    """

    texts: list[str]
    begins: Integers

    def __len__(self) -> int:
        return len(self.begins) - 1

    @property
    def of(self) -> Integers:
        """The list of each candidate, shape (n,)."""
        return np.repeat(np.arange(len(self)), np.diff(self.begins))


class Distinct(NamedTuple):
    """The distinct texts of lists.

    Attributes:
        lists: each list without repetitions, in the order in which texts first stand there.
        counts: how often each stands in its list, shape (k,), float64.
        place: for each of the n candidates which of the k it is, shape (n,), int64.
    """

    lists: Lists
    counts: Floats
    place: Integers


def check_lists(candidates_per_input: Iterable[Iterable[str]] | Lists) -> Lists:
    """Return the candidates of all inputs after checking that each input has some.

    Args:
        candidates_per_input: m lists of texts.

    Raises:
        TypeError: for a bare string, a list of strings where lists of them are expected, or an item that is no string.
        ValueError: for an input without candidates.
    """
    if isinstance(candidates_per_input, Lists):  # checked by who made them
        return candidates_per_input
    if isinstance(candidates_per_input, (str, bytes, dict, set)):
        raise TypeError(
            "Expected argument `candidates_per_input` to be a list of lists of strings, but got "
            f"{describe(candidates_per_input)}"
        )
    texts: list[str] = []
    begins = [0]
    for place, candidates in enumerate(candidates_per_input):
        if isinstance(candidates, (str, bytes)) or candidates is None:
            raise TypeError(
                "Expected argument `candidates_per_input` to be a list of lists of strings, but item "
                f"{place} is {describe(candidates)}"
            )
        own = check_texts(candidates, f"candidates_per_input[{place}]", allow_empty=False)
        texts.extend(own)
        begins.append(len(texts))
    return Lists(texts, np.array(begins, dtype=np.int64))


def distinct(lists: Lists) -> Distinct:
    """Return the distinct texts of each list.

    >>> found = distinct(check_lists([["b", "a", "b"], ["a"]]))
    >>> found.lists.texts, found.counts.tolist(), found.place.tolist()
    (['b', 'a', 'a'], [2.0, 1.0, 1.0], [0, 1, 0, 2])
    """
    texts: list[str] = []
    begins = [0]
    place: list[int] = []
    for begin, end in zip(lists.begins[:-1].tolist(), lists.begins[1:].tolist(), strict=True):
        own = lists.texts[begin:end]
        number = {text: at for at, text in enumerate(dict.fromkeys(own), len(texts))}
        place.extend(map(number.__getitem__, own))
        texts.extend(number)
        begins.append(len(texts))
    places = np.array(place, dtype=np.int64)
    counts = np.bincount(places, minlength=len(texts)).astype(np.float64)
    return Distinct(Lists(texts, np.array(begins, dtype=np.int64)), counts, places)


def best_first(values: Floats, lists: Integers) -> Integers:
    """Return the order of candidates: list by list, in each the highest value first.

    Of equal values the candidate that stands first in its list comes first, as generators list what they prefer first.
    A candidate without a value comes after all that have one, whatever theirs is.

    Args:
        values: shape (n,), NaN where there is none; may be infinite.
        lists: the list of each candidate, ascending, shape (n,).

    Returns:
        Which candidate comes at each place, shape (n,).

    >>> nan, low = float("nan"), float("-inf")
    >>> best_first(np.array([nan, low, 2.0, 2.0, nan, nan]), np.array([0, 0, 0, 0, 1, 1])).tolist()
    [2, 3, 1, 0, 4, 5]
    """
    absent = np.isnan(values)
    return np.lexsort((-np.where(absent, 0.0, values), absent, lists))  # stable: equals keep their order
