"""Ids that join two names, such as `bart_12` of a system and an item.

`COLUMN.head` and `COLUMN.tail` are the parts before and behind the last of `_`, `-`, `:` and `/` in each id, or a
single `__` or `::`, or the number and the letter of ids such as `1A`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

HEAD = "head"
TAIL = "tail"
_JOINED = re.compile(r"(.+)[_\-:/](.+)", re.DOTALL)
_SEAM = re.compile(r"__|::")
_LETTERED = re.compile(r"(\d+)([A-Za-z])")  # as 1A and 1B
_NEARLY_ALL = 0.9  # share of all pairs of heads and tails that are there
_MOST_SYSTEMS = 60
_FEWEST_ROWS = 3  # in the mean, of each system
_FEWEST_NUMBERED = 4  # numbers behind each name, in the mean
_OF_ITEMS = re.compile(r"(?:doc|document|seg|segment|sent|sentence|item|turn|line|row|page|part|q|id)?[ _.-]?\d+", re.I)
"""Names that number parts of documents or the like, and no systems."""


def split_id(text: str) -> tuple[str, str] | None:
    """Return the parts before and behind the last separator of an id, or its number and letter; None without these.

    A single `__` or `::` parts an id before any other separator.

    >>> split_id("bert_base_12"), split_id("12B"), split_id("bert")
    (('bert_base', '12'), ('12', 'B'), None)
    >>> split_id("gemma-2-9b__news_12")
    ('gemma-2-9b', 'news_12')
    """
    sides = _SEAM.split(text.strip())
    if len(sides) == 2 and all(sides):
        return sides[0], sides[1]
    match = _JOINED.fullmatch(text.strip()) or _LETTERED.fullmatch(text.strip())
    return None if match is None else (match[1], match[2])


@dataclass(frozen=True)
class JoinedIds:
    """Ids that each join one of a few names with one of many, in nearly all combinations.

    Attributes:
        few: the side of the names of which there are fewer, `HEAD` or `TAIL`: they may be systems.
        many: the other side.
        systems: the few names, in order of their first rows.
        n_items: number of names on the other side.
    """

    few: str
    many: str
    systems: tuple[str, ...]
    n_items: int

    @property
    def are_letters(self) -> bool:
        """Whether the few names are letters, as people call systems that they compare blindly."""
        return all(len(name) == 1 and name.isalpha() for name in self.systems)

    def options(self, column: str) -> str:
        """Return the options that read both sides."""
        return f"--system-column {column}.{self.few} --item-column {column}.{self.many}"


def joined_ids(values: Sequence[str], *, name_systems: bool = False) -> JoinedIds | None:
    """Return how ids join two names; None if they do not, or if most pairs are not there.

    Args:
        values: the ids.
        name_systems: whether their column is called as one of systems. Then a few names before numbers are systems, and
            pairs may be missing: each system may have items of its own.

    >>> joined_ids([f"{system}_{n}" for n in range(4) for system in ("bart", "t5")]).systems
    ('bart', 't5')
    >>> joined_ids([f"doc{d}_{n}" for n in range(4) for d in range(2)]) is None
    True
    """
    ids = list(dict.fromkeys(values))
    pairs = [pair for each in ids if (pair := split_id(each)) is not None]
    if len(pairs) < len(ids) or not ids:
        return None
    heads = tuple(dict.fromkeys(head for head, _ in pairs))
    tails = tuple(dict.fromkeys(tail for _, tail in pairs))
    few, names, many, n_items = (HEAD, heads, TAIL, len(tails))
    if len(tails) < len(heads):
        few, names, many, n_items = (TAIL, tails, HEAD, len(heads))
    if name_systems and _are_numbered(heads, tails, len(ids)):
        return JoinedIds(HEAD, TAIL, heads, len(tails))
    are_few = 2 <= len(names) <= _MOST_SYSTEMS and len(names) < n_items and n_items >= _FEWEST_ROWS
    are_all = len(ids) >= _NEARLY_ALL * len(names) * n_items
    if not are_few or not are_all or all(map(_OF_ITEMS.fullmatch, names)):
        return None
    return JoinedIds(few, many, names, n_items)


def _are_numbered(heads: Sequence[str], tails: Sequence[str], n_ids: int) -> bool:
    """Say whether a few names stand before many numbers, each name before several in the mean."""
    are_few = 2 <= len(heads) <= min(_MOST_SYSTEMS, n_ids // _FEWEST_NUMBERED)
    are_numbers = all(tail.isdecimal() for tail in tails) and len(tails) >= _FEWEST_NUMBERED * len(heads)
    return are_few and are_numbers and not all(map(_OF_ITEMS.fullmatch, heads))
