"""Numbers of items in two files that are joined by them: one counts from 0, and the other from 1.

Items whose numbers begin again in each document are numbered within it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import permutations

from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.support.validation import InputError


def check_count_alike(sides: Mapping[str, Iterable[object]], source: str) -> None:
    """Check that not one file counts items from 0 and the other from 1: each item would meet its neighbour.

    A file that counts from 1 may lack item 0 of one that counts from 0 and goes as far: that is told in a note.

    Args:
        sides: the items on the two sides, such as `scores` and `ratings`, each a name, or a tuple of its document and
            its name.
        source: the files, for messages.

    Raises:
        InputError: for items from 0 on in the one, if those of the other are all numbers from 1 to a larger one.
    """
    numbers = {name: _numbers(items) for name, items in sides.items()}
    for own, other in permutations(numbers, 2):
        ends = _ends_from_1_and_0(numbers[own], numbers[other])
        if not ends:
            continue
        told = f"{source}: the {own} count items from 1 to {ends[0]}, and the {other} from 0 to {ends[1]}"
        if ends[1] < ends[0]:
            raise InputError(
                f"{told}: number them alike in both files (`referenceless evaluate` joins files that both hold the "
                "texts of the outputs, column text, by these)"
            )
        tell([f"{told}: equal numbers count as one item; if both files hold the same items, number them alike"])


def count_from_0(items: Iterable[object], n: int) -> bool:
    """Say whether items are numbers of n lines that are counted from 0, and not from 1.

    Documents may stand in front of numbers that run through all of them.

    >>> count_from_0(["0", "7"], 8), count_from_0(["1", "7"], 8), count_from_0(["0", "8"], 8)
    (True, False, False)
    >>> count_from_0([("news", "0"), ("blog", "7")], 8), count_from_0([("news", "0"), ("blog", "0")], 8)
    (True, False)
    """
    numbers = _numbers_of_lines(items)
    return 0 in numbers and max(numbers) < n


def on_first_line(source: str, items: Iterable[object], n: int) -> list[str]:
    """Return that item 1 is taken for the first of n lines, if items number lines and reach neither 0 nor the end.

    >>> on_first_line("scores", ["3", "7"], 8)
    ['item 1 of the ratings is taken for the first line of scores: if they count from 0, add 1 to each']
    >>> on_first_line("scores", ["3", "8"], 8)
    []
    """
    numbers = _numbers_of_lines(items)
    if not numbers or 0 in numbers or max(numbers) >= n:
        return []
    return [f"item 1 of the ratings is taken for the first line of {source}: if they count from 0, add 1 to each"]


def _numbers_of_lines(items: Iterable[object]) -> set[int]:
    """Return the numbers of items that run through all documents; none if they begin again in each."""
    of_documents = _numbers(items).values()
    numbers: set[int] = set().union(*of_documents)
    return numbers if len(numbers) == sum(map(len, of_documents)) else set()


def _numbers(items: Iterable[object]) -> dict[str, set[int]]:
    """Return the numbers of items by their document, "" for none; nothing if an item is called otherwise."""
    found: dict[str, set[int]] = defaultdict(set)
    for item in dict.fromkeys(items):
        name = "/".join(map(str, item)) if isinstance(item, tuple) else str(item)
        document, _, number = name.strip().rpartition("/")
        if not (number.isascii() and number.isdecimal()):
            return {}
        found[document].add(int(number))
    return found


def _ends_from_1_and_0(
    own: Mapping[str, Collection[int]], other: Mapping[str, Collection[int]]
) -> tuple[int, int] | None:
    """Return the largest numbers of a document if the one side has all from 1 on, and the other counts from 0.

    Items without a document in common are numbered in all of them together.

    Returns:
        Those of the document in which they differ most clearly; None if some document is counted alike.
    """
    both = [(own[document], other[document]) for document in own if document in other]
    if not both and own and other:
        both = [(set().union(*own.values()), set().union(*other.values()))]
    if not both or not all(_is_from_1(these) and min(those) == 0 for these, those in both):
        return None
    return min(((max(these), max(those)) for these, those in both), key=lambda ends: ends[1] - ends[0])


def _is_from_1(numbers: Collection[int]) -> bool:
    return min(numbers) == 1 and len(numbers) == max(numbers)
