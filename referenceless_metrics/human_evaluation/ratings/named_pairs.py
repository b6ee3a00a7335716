"""The two systems of a preference, if no two columns name them: both in one cell, or told by the winners alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referenceless_metrics.core.files.reading import from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, describe, finite_number
from referenceless_metrics.human_evaluation.ratings.columns import is_missing, name_of, names
from referenceless_metrics.human_evaluation.ratings.preference_cells import side_share

_BETWEEN = (",", ";", "|", " vs. ", " vs ", "_vs_", "/", " - ")
"""Signs between the names of two systems in a cell, in the order in which they are tried."""

_TIE = 0.5
_MOST_LETTERS = 80  # of the name of a system


def pair_in(cell: object) -> tuple[str, str] | None:
    """Return the two names in a cell; None if there are not just two, or they are equal.

    >>> pair_in("ours,base"), pair_in('["ours", "base"]'), pair_in("ours vs. base"), pair_in("ours")
    (('ours', 'base'), ('ours', 'base'), ('ours', 'base'), None)
    """
    held = from_json(cell)
    if isinstance(held, (list, tuple)):
        names = [name_of(each) for each in held]
    else:
        text = name_of(cell)
        sign = next((sign for sign in _BETWEEN if text.count(sign) == 1), None)
        names = [] if sign is None else [part.strip() for part in text.split(sign)]
    return (names[0], names[1]) if len(names) == 2 and all(names) and names[0] != names[1] else None


def pairs_in_column(table: Table, column: str, option: str) -> list[tuple[str, str]]:
    """Return the two systems that each cell of a column names.

    Raises:
        InputError: for a cell that does not name two.
    """
    pairs = [pair_in(cell) for cell in table.column(column, option)]
    for row, pair in enumerate(pairs):
        if pair is None:
            cell = describe(table.column(column, option)[row])
            raise InputError(
                f"{table.where(row)}: expected the names of two systems in column {str(column)!r} ({option}), as "
                f"'ours,base', or else a column for the second system (--system-b-column), but got {cell}"
            )
    return [pair for pair in pairs if pair is not None]


def one_name_each(table: Table, column: str, option: str) -> list[str]:
    """Return the system that each cell of a column names; a list of one name names that system.

    Raises:
        InputError: as `names`, and for a list of several names or of none.
    """
    read = names(table, column, option)
    lists = {row: held for row, cell in enumerate(table.key_cells(column, option)) if _is_list(held := from_json(cell))}
    others = [row for row, held in lists.items() if len(held) != 1 or not name_of(held[0])]
    if others:
        raise InputError(
            f"{table.where(others[0])}: expected the name of one system in column {str(column)!r} ({option}), but got "
            f"{describe(lists[others[0]])} (of {len(read)} rows, {len(others)} have no list of one name there); give "
            "each comparison of two systems a row of its own, or take such rows out of the file"
        )
    for row, held in lists.items():
        read[row] = name_of(held[0])
    return read


def one_name_in(cell: object) -> str:
    """Return the name in a cell, which may be a list of one.

    >>> one_name_in("ours"), one_name_in('["ours"]'), one_name_in(None)
    ('ours', 'ours', '')
    """
    held = from_json(cell)
    return name_of(held[0]) if _is_list(held) and len(held) == 1 else name_of(cell)


def _is_list(held: object) -> bool:
    return isinstance(held, (list, tuple))


def columns_of_pairs(table: Table) -> dict[str, list[tuple[str, str]]]:
    """Return the two systems that each cell names, of each column whose cells all name two."""
    found = {}
    for column in table.names():
        pairs = _pairs_in(table.column(column))
        if pairs is not None:
            found[column] = pairs
    return found


def _pairs_in(cells: Sequence[object]) -> list[tuple[str, str]] | None:
    """Return the two names in each cell; None if one of them holds others."""
    pairs = []
    for cell in cells:
        pair = pair_in(cell)
        if pair is None:
            return None
        pairs.append(pair)
    return pairs


def column_of_pairs(
    pairs: Mapping[str, Sequence[tuple[str, str]]], preferences: Sequence[object], but: str
) -> str | None:
    """Return the column of pairs of which each preference names one system, or a tie; else None.

    Args:
        pairs: the columns whose cells name two systems each; see `columns_of_pairs`.
        preferences: the cells of preferences.
        but: the column that they are from.
    """
    named = [row for row, cell in enumerate(preferences) if not is_missing(cell) and not is_side(cell)]
    if not named:
        return None
    others = (column for column in pairs if column != but)
    are_named = (column for column in others if all(name_of(preferences[row]) in pairs[column][row] for row in named))
    return next(are_named, None)


def two_winners(preferences: Sequence[object]) -> tuple[str, str] | None:
    """Return the two systems that preferences name, in the order of the alphabet; None if they name more, or sides.

    >>> two_winners(["ours", "tie", "base", "ours"]), two_winners(["a", "b"]), two_winners(["x", "y", "z"])
    (('base', 'ours'), None, None)
    """
    cells = [cell for cell in preferences if not is_missing(cell)]
    names = sorted({name_of(cell) for cell in cells if not _is_tie(cell)})
    if len(names) != 2 or any(is_side(name) or _is_number(name) or len(name) > _MOST_LETTERS for name in names):
        return None
    return names[0], names[1]


def is_side(cell: object) -> bool:
    """Say whether a cell is a word for a side or a tie, and no name.

    >>> is_side("Left"), is_side("same"), is_side("ours")
    (True, True, False)
    """
    return side_share(cell) is not None


def _is_tie(cell: object) -> bool:
    return side_share(cell) == _TIE


def _is_number(name: str) -> bool:
    return finite_number(name) is not None
