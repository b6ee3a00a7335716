"""The other system of a vote, which stands beside the one that is voted on, in a column called as an opponent's."""

from __future__ import annotations

import re
import shlex

import numpy as np
import numpy.typing as npt

from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.columns import is_missing, name_of
from referenceless_metrics.human_evaluation.ratings.named_pairs import one_name_in

_OTHER = re.compile(r"(?<![A-Za-z])(?i:siblings?|opponents?|rivals?|against|versus)(?![a-z])")


def names_other(name: str) -> bool:
    """Say whether a column's name is one of the system with which another is compared.

    >>> names_other("sibling_model_ids"), names_other("opponentModel"), names_other("model_b")
    (True, True, False)
    """
    return _OTHER.search(name) is not None


def column_of_opponents(table: Table, system: str) -> str | None:
    """Return the column of the system with which that of each row was compared; None for none.

    It is called so, holds mostly the names of the systems, never that of the row's own, and may be blank where an
    output stood alone.
    """
    own = [name_of(cell) for cell in table.column(system)]
    for column in table.names():
        if column == system or not names_other(column):
            continue
        others = ["" if is_missing(cell) else one_name_in(cell) for cell in table.column(column)]
        named = {*own, *others} - {""}
        if 2 * len(named & set(own) & set(others)) > len(named) and not any(map(str.__eq__, own, others)):
            return column
    return None


def note_on_votes(table: Table, system: str, rating: str, values: npt.NDArray[np.float64]) -> list[str]:
    """Return a note on ratings of 1 and -1 that may be votes between the systems of two columns; none for others.

    Args:
        table: the table.
        system: the column of systems.
        rating: the column of ratings.
        values: the ratings.
    """
    given = set(values[np.isfinite(values)].tolist())
    if not {-1.0, 1.0} <= given <= {-1.0, 0.0, 1.0} or not table.has(system):
        return []
    other = column_of_opponents(table, system)
    if other is None:
        return []
    options = ["--preference-column", rating, "--system-a-column", system, "--system-b-column", other]
    options += ["--a-is", "high", "--where", f"{other}!="]
    return [
        f"column {other!r} names another system beside that of each row: if {rating!r} is a vote between the two, 1 "
        f"for {system!r} and -1 for the other, means depend on who met whom; as preferences: {shlex.join(options)}"
    ]
