"""Preferences from tables: a row for each answer, with two systems, the preference, and the item and rater if known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.ratings.columns import RatingColumns, names, names_if_there, numbers
from referenceless_metrics.human_evaluation.ratings.keys import check_keys, with_whole_items
from referenceless_metrics.human_evaluation.ratings.preference_cells import PreferenceScale, preference_shares
from referenceless_metrics.human_evaluation.studies.criteria import PREFERENCE

if TYPE_CHECKING:
    import pandas as pd

_PAIR = ("system_a", "system_b")


def holds_preferences(table: Table, columns: RatingColumns) -> bool:
    """Say whether a table holds preferences, and not ratings.

    Several columns of ratings that are named are those of a rater each, whatever stands beside them.
    """
    return columns.preference is not None or (PREFERENCE in table.columns and len(columns.ratings) < 2)


def read_preferences(
    table: Table, columns: RatingColumns, scale: tuple[float, float] | None
) -> tuple[pd.DataFrame, list[str]]:
    """Return preferences as `inference.preferences` takes them, and notes on how they were read.

    Raises:
        InputError: for a column that is not there, a name that is missing, a cell that is no preference, and rows of
            one item, pair and rater that another column tells apart.
    """
    import pandas as pd

    read: dict[str, Any] = {"row": range(len(table.rows))}
    for kind in _PAIR:
        read[kind] = names(table, getattr(columns, kind) or kind, f"--{kind.replace('_', '-')}-column")
    column = columns.preference or PREFERENCE
    on = PreferenceScale(scale, columns.a_is, columns.words)
    read[PREFERENCE], notes = preference_shares(table, column, read["system_a"], read["system_b"], on)
    for kind in ("item", "rater", "criterion"):
        known = names_if_there(table, getattr(columns, kind), kind)
        if known is not None:
            read[kind] = known
    for kind in ("cluster", "slice"):
        if getattr(columns, kind) is not None:
            read[kind] = names(table, getattr(columns, kind), f"--{kind}-column")
    if "weight" in table.columns:
        read["weight"], told = numbers(table, "weight", "of weights", columns.words)
        _check_weights(table, read["weight"])
        notes += [*told, "column 'weight' weighs the items"]
    if "item" not in read:
        read["item"] = [str(row) for row in read["row"]]
        notes.append("there is no column of items: each row is of an item of its own (--item-column NAME)")
    _check_pairs(table, read)
    frame = with_whole_items(pd.DataFrame(read))
    pairs = frame.assign(
        system=[" / ".join(pair) for pair in zip(frame["system_a"], frame["system_b"], strict=True)],
        rating=frame[PREFERENCE],
    )
    used = [PREFERENCE, "item", "rater", "criterion", *_PAIR, "weight", column]
    used += [part for name in vars(columns).values() if isinstance(name, str) for part in names_in(name)]
    notes += check_keys(table, pairs, used, item=columns.item)
    return frame.drop(columns="row"), notes


def _check_weights(table: Table, weights: Any) -> None:
    bad = np.flatnonzero(~(weights > 0))
    if len(bad):
        raise InputError(f"{table.where(int(bad[0]))}: expected a number above 0 in column 'weight'")


def _check_pairs(table: Table, read: dict[str, Any]) -> None:
    """Check that each row compares two systems."""
    for row, (first, second) in enumerate(zip(read["system_a"], read["system_b"], strict=True)):
        if first == second:
            named = shortened(first, 60)
            raise InputError(f"{table.where(row)}: {named} is compared with itself")
