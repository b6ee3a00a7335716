"""Columns that name the better of two systems in each row, although no two columns name both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from referenceless_metrics.advice.look.columns.choosing import texts_of
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.columns import is_missing, name_of
from referenceless_metrics.human_evaluation.ratings.majorities import is_tie, majority_of
from referenceless_metrics.human_evaluation.ratings.named_pairs import (
    column_of_pairs,
    columns_of_pairs,
    is_side,
    two_winners,
)
from referenceless_metrics.human_evaluation.ratings.told_sides import other_of_two, pairs_by_side

_MOST_NAMES = 60
_DECIDES = re.compile(
    r"(?:.*[^a-z])?(?:winners?|preferred|preference|prefers?|better|best|chosen|choice|vote|picks?|picked|favou?rite)"
    r"(?:[^a-z].*)?",
    re.IGNORECASE,
)
"""Names of columns that say which of two systems is better."""

_LOSES = re.compile(
    r"(?:.*[^a-z])?(?:losers?|worse|worst|rejected|dispreferred|beaten)(?:[^a-z].*)?",
    re.IGNORECASE,
)
"""Names of columns that say which of two systems is worse."""

_SIDE = re.compile(r"side|position|order|shown|display")
"""Words in names of columns that say where an output stood."""

_OUTCOMES = frozenset(
    (
        "win",
        "wins",
        "won",
        "lose",
        "loses",
        "loss",
        "losses",
        "lost",
        "better",
        "worse",
        "chosen",
        "rejected",
        "yes",
        "no",
    )
)
"""Words for how one system fared, which name none."""


def winners_in(table: Table, columns: Sequence[Column]) -> list[str]:
    """Return the columns that name the better system of each row, or a tie; none beside columns of both systems.

    Another column names both systems in each of its cells, or a column that is called as a winner names just two; or
    cells name sides, and another column tells the side of one of two systems; or they name two systems, and ties. The
    columns are in order, those first whose name says that they are overall, and the majority of the others.
    """
    known = [column for column in columns if column.part in ("system_a", "system_b", "system")]
    if not table.rows or len(known) > 1 or any(column.part == "system" for column in known):
        return []
    if known:
        return columns_of_sides(table, columns) if other_of_two(texts_of(table, known[0].name)) is not None else []
    found = []
    pairs = columns_of_pairs(table)
    for column in columns:
        if column.kind != "labels" or not 1 < column.distinct <= _MOST_NAMES or column.part in ("item", "rater"):
            continue
        cells = [cell_of(row, column.name) for row in table.rows]
        if column_of_pairs(pairs, cells, column.name) or (
            names_decision(column.name) and two_winners(cells) is not None
        ):
            found.append(column.name)
    if not found:
        found = [name for name in columns_of_sides(table, columns) if pairs_by_side(table, name) is not None]
    if not found and not known:
        found = _beside_ties(table, columns)
    majority = majority_in(table, found)
    return sorted(found, key=lambda name: name != majority and "overall" not in name.lower())


def _beside_ties(table: Table, columns: Sequence[Column]) -> list[str]:
    """Return the columns whose cells are two names or a tie, the same names in all: of several judges, or of one."""
    of_names: dict[tuple[str, str], dict[str, list[str]]] = {}
    for column in columns:
        cells = [] if column.kind != "labels" or column.part in ("item", "rater") else texts_of(table, column.name)
        names = two_winners(cells)
        if names is not None and not {name.lower() for name in names} & _OUTCOMES:
            of_names.setdefault(names, {})[column.name] = cells
    with_ties = [list(judged) for judged in of_names.values() if any(map(is_tie, chain(*judged.values())))]
    return max(with_ties, key=len, default=[])


def majority_in(table: Table, winners: Sequence[str]) -> str:
    """Return the column that holds the majority of the others in each row, and a tie without one; "" for none."""
    return majority_of({name: texts_of(table, name) for name in winners})


def remarks_on_winners(table: Table, winners: Sequence[str]) -> Iterator[str]:
    """Yield a remark on a column that is the majority of others, and no judge of its own."""
    majority = majority_in(table, winners)
    if majority:
        others = ", ".join(map(repr, (name for name in winners if name != majority)))
        yield f"column {majority!r} is the majority of {others} in each row, and no judge beside them"


def columns_of_sides(table: Table, columns: Sequence[Column]) -> list[str]:
    """Return the columns of labels whose cells are sides, both of which are there."""
    found = []
    for column in columns:
        cells = [cell_of(row, column.name) for row in table.rows] if column.kind == "labels" else []
        words = {name_of(cell).lower() for cell in cells if not is_missing(cell)}
        if len(words) > 1 and all(map(is_side, words)) and not _SIDE.search(column.name.lower()):
            found.append(column.name)
    return found


def deciders_in(table: Table, columns: Sequence[Column], winners: Sequence[str]) -> list[str]:
    """Return the first column of winners and those that name no others, if all are called as winners: of judges.

    Columns that names and ties tell are of judges, too, but for the majority of the others. There are none without a
    second one.
    """
    if len(winners) > 1 and not any(map(names_decision, winners)):
        majority = majority_in(table, winners)
        judges = _without(winners, majority)
        return judges if judges == _without(_beside_ties(table, columns), majority) else []
    called = [column for column in columns if column.kind == "labels" and names_decision(column.name)]
    if not winners or not any(column.name == winners[0] for column in called):
        return []
    names = set(texts_of(table, winners[0]))
    held = [column.name for column in called if set(texts_of(table, column.name)) <= names]
    others = [name for name in held if name != winners[0]]
    return [winners[0], *others] if others else []


def _without(names: Sequence[str], left_out: str) -> list[str]:
    return [name for name in names if name != left_out]


def names_decision(name: str) -> bool:
    """Say whether a column is called as one that says which of two systems is better.

    >>> names_decision("judge.winner"), names_decision("margin")
    (True, False)
    """
    return _DECIDES.fullmatch(name.rpartition(".")[2]) is not None


def names_worse(name: str) -> bool:
    """Say whether a column is called as one that names the worse of two systems.

    >>> names_worse("WORSE"), names_worse("loser_model"), names_worse("closed")
    (True, True, False)
    """
    return _LOSES.fullmatch(name.rpartition(".")[2]) is not None


def n_named(table: Table, column: str) -> int:
    """Return the number of systems that a column of winners names."""
    cells = [cell_of(row, column) for row in table.rows]
    return len({name_of(cell) for cell in cells if not is_missing(cell) and not is_side(cell)})
