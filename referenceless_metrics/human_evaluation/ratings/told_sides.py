"""The two systems of a preference between sides, if a column tells the side of one of them alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referenceless_metrics.core.files.number_words import NotNumbersError, column_numbers
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.columns import is_missing, name_of
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES, side_share

_SIDE = "left|right|first|second|a|b"
_SIDE_IS = re.compile(rf"(?:is[_ ])?({_SIDE})[_ .-]is[_ .-](.+)", re.IGNORECASE)
_IS_SIDE = re.compile(rf"(.+)[_ .-]is[_ .-](?:on[_ ])?({_SIDE})", re.IGNORECASE)
_SIDE_OF = re.compile(r"(.+)[_ .-](?:side|position)", re.IGNORECASE)
_STANDS_FIRST = re.compile(r"(.+)[_ .-](?:first|1st)|(?:first|1st)[_ .-](.+)", re.IGNORECASE)

Pairs = list[tuple[str, str]]
"""The two systems of each row."""


def other_of_two(names: Sequence[str]) -> list[str] | None:
    """Return the other one of the two names in a column for each of its rows; None if it has not just two.

    >>> other_of_two(["ours", "base", "ours"]), other_of_two(["ours", "ours"])
    (['base', 'ours', 'base'], None)
    """
    both = sorted(set(names))
    return [both[name == both[0]] for name in names] if len(both) == 2 else None


def pairs_by_side(table: Table, but: str) -> tuple[str, Pairs] | None:
    """Return the column that tells the side of a system in each row, with the systems of the two sides; else None.

    It says whether a side is of a system, as `left_is_ours` with true and false or `ours_is_a` with 1 and 0, or the
    side itself, as `ours_side` with left and right; the other system is then called `not ours`. Or its cells say which
    of two systems stands first, as `ours_first` and `base_first`. None if several columns do.

    Args:
        table: the table.
        but: the column of the preferences themselves.
    """
    found = []
    for column in table.names():
        pairs = None if column == but else _pairs_of(column.rpartition(".")[2], table.column(column))
        if pairs is not None:
            found.append((column, pairs))
    return found[0] if len(found) == 1 else None


def _pairs_of(name: str, cells: Sequence[object]) -> Pairs | None:
    """Return the systems of the two sides of each row, if a column of this name and these cells tells them."""
    firsts = named_first(cells)
    if firsts is not None:
        return list(zip(firsts, other_of_two(firsts) or (), strict=True))
    system = _system_of(name)
    if not system or not cells or any(map(is_missing, cells)):
        return None
    are_first = _are_first(name, cells)
    if are_first is None or len(set(are_first)) < 2:
        return None
    other = f"not {system}"
    return [(system, other) if is_first else (other, system) for is_first in are_first]


def named_first(cells: Sequence[object]) -> list[str] | None:
    """Return the system that each cell says stands first; None unless the cells name just two, and no sides.

    >>> named_first(["ours_first", "base_first"]), named_first(["first: ours"]), named_first(["a_first", "b_first"])
    (['ours', 'base'], None, None)
    """
    matches = []
    for cell in cells:
        match = _STANDS_FIRST.fullmatch(name_of(cell))
        if match is None:
            return None
        matches.append(match[1] or match[2])
    names = set(matches)
    return matches if len(names) == 2 and not any(name.lower() in SIDES for name in names) else None


def _system_of(name: str) -> str:
    """Return the system whose side the name of a column is about; "" for another name.

    >>> _system_of("left_is_ours"), _system_of("ours_is_a"), _system_of("ours_side"), _system_of("is_ours")
    ('ours', 'ours', 'ours', '')
    """
    for form, place in ((_SIDE_IS, 2), (_IS_SIDE, 1), (_SIDE_OF, 1)):
        match = form.fullmatch(name)
        if match is not None:
            return match[place]
    return ""


def _are_first(name: str, cells: Sequence[object]) -> list[bool] | None:
    """Return whether the first side is the system's in each row; None for cells that do not tell it."""
    told = _SIDE_IS.fullmatch(name) or _IS_SIDE.fullmatch(name)
    if told is None:
        shares = [side_share(cell) for cell in cells]
        return [share == 1 for share in shares] if set(shares) <= {0.0, 1.0} else None
    side = told[1] if _SIDE_IS.fullmatch(name) else told[2]
    try:
        numbers = column_numbers([str(cell) for cell in cells]).values.tolist()
    except NotNumbersError:
        return None
    is_first = SIDES[side.lower()] == 1
    return [bool(number) == is_first for number in numbers] if set(numbers) <= {0.0, 1.0} else None
