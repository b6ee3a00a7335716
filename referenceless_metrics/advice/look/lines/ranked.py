"""Ranks in a table: columns whose numbers put the systems of each item in an order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from referenceless_metrics.advice.look.columns.choosing import texts_of
from referenceless_metrics.advice.look.lines.parts import Parts
from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Floats
from referenceless_metrics.human_evaluation.ratings.ranks import MOST_RANKS, are_ranks, is_better_if_lower, rank_values


def columns_of_ranks(table: Table, parts: Parts) -> tuple[str, ...]:
    """Return columns of numbers that rank one another in each row, each of a system; none for other columns.

    Those that are called as ranks are tried first, and then all of ratings and scores.
    """
    if any(parts.first(part) for part in ("system", "criterion", "metric", "preference")):
        return ()
    whole = [column for column in parts.columns if column.kind == "whole numbers"]
    named = [column.name for column in whole if is_better_if_lower(column.name)]
    rated = [column.name for column in whole if column.part in ("rating", "score")]
    for names in (named, rated):
        if len(names) > 1 and _highest_of_rows(table, names) == len(names):
            return tuple(names)
    return ()


def _highest_of_rows(table: Table, names: Sequence[str]) -> int:
    """Return the highest of the ranks that columns hold in each row; 0 if their numbers are no ranks."""
    numbers = np.array([_numbers(table, name) for name in names])
    rows = np.tile(np.arange(len(table.rows)), len(names))
    return _highest_rank(numbers.ravel(), {"row": rows.tolist()})


def ranks_in(table: Table, parts: Parts) -> dict[str, int]:
    """Return the columns of ratings that hold ranks, each with the highest rank; none without systems and items."""
    if parts.of_systems:
        highest = _highest_of_rows(table, parts.of_systems)
        return dict.fromkeys(parts.of_systems, highest) if highest else {}
    if parts.first("system") is None or parts.first("item") is None:
        return {}
    names = [name for part in ("item", "rater", "criterion", "cluster", "slice") if (name := parts.first(part))]
    keys = {name: texts_of(table, name) for name in names}
    rated = [column.name for column in parts.all("rating") if column.is_numeric]
    found = {name: _highest_rank(_numbers(table, name), keys) for name in rated}
    return {name: highest for name, highest in found.items() if highest}


def ties_in(table: Table, ranks: Mapping[str, int]) -> dict[str, tuple[float, ...]]:
    """Return the ranks of ties that lie between whole numbers, by the column of ranks."""
    found = {}
    for name in ranks:
        numbers = _numbers(table, name)
        found[name] = tuple(np.unique(numbers[np.isfinite(numbers) & (numbers % 1 > 0)]).tolist())
    return found


def _numbers(table: Table, name: str) -> Floats:
    return table.as_numbers([cell_of(row, name) for row in table.rows])


def _highest_rank(numbers: Floats, keys: Mapping[str, Sequence[object]]) -> int:
    """Return the highest of ranks among the numbers with the same keys; 0 for other numbers."""
    known = numbers[np.isfinite(numbers)]
    if not len(known) or known.min() != 1 or not 1 < known.max() <= MOST_RANKS:
        return 0
    import pandas as pd

    frame = pd.DataFrame({**keys, "its number": numbers})
    return math.ceil(known.max()) if are_ranks(frame, list(keys), "its number") else 0


def remarks_on_ranks(parts: Parts) -> Iterator[str]:
    """Yield a remark on columns of ranks, which the command line turns if 1 is the best."""
    if parts.ranks:
        highest = max(parts.ranks.values())
        turned = rank_values(highest, best=highest, ties=[tie for found in parts.ties.values() for tie in found])
        ordering = f"{', '.join(map(repr, parts.ranks))} put{'s' * (len(parts.ranks) == 1)}"
        yield (
            f"{ordering} the systems of each item in an order: ranks from 1 to {highest}; `human-score` below takes 1 "
            f"as the best, and --values {turned} as the worst"
        )
