"""Estimates of ratings in tables that `score` wrote: their columns, and the texts that the metric learned from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.registry import metric_specs
from referenceless_metrics.core.results import LEARNED_FROM
from referenceless_metrics.core.support.validation import Booleans, Floats, InputError

_FLAGS = {"true": True, "false": False}
"""Cells of the column `learned_from`, in small letters."""


def is_estimate(table: Table, column: str) -> bool:
    """Say whether a column holds estimates of ratings.

    It is called as a metric that learns from ratings. If no column is, its values may have been renamed: then any
    column of a table with the flags that `score` writes may hold them.
    """
    names = [spec.name for spec in metric_specs() if spec.fit is not None and spec.name in table.columns]
    return column in names if names else _flags(table) is not None


def learned_rows(table: Table, column: str) -> Booleans:
    """Return the rows whose text the metric of a column of estimates learned from, shape (rows,); none of others."""
    flags = _flags(table) if is_estimate(table, column) else None
    return np.zeros(len(table.rows), dtype=np.bool_) if flags is None else flags


def learned_note(table: Table, column: str, scores: Floats) -> str:
    """Return a note on scores of texts that their metric learned from, shape (rows,); "" without any."""
    known = np.isfinite(scores)
    n_learned = int((learned_rows(table, column) & known).sum())
    if not n_learned:
        return ""
    return (
        f"{table.source}: {n_learned} of {int(known.sum())} scores in column {str(column)!r} are of texts that the "
        "metric learned from, and rest on these texts' own ratings."
    )


def without_learned(table: Table, column: str, scores: Floats) -> tuple[Floats, str]:
    """Return scores without those of texts that their metric learned from, and a note on these; "" without any.

    Args:
        table: n rows.
        column: the column of the scores.
        scores: its numbers, shape (n,).

    Raises:
        InputError: if the metric learned from all texts with a score.
    """
    known = np.isfinite(scores)
    learned = learned_rows(table, column) & known
    n, n_learned = int(known.sum()), int(learned.sum())
    if not n_learned:
        return scores, ""
    if n_learned == n:
        raise InputError(
            f"{table.source}: the metric of column {str(column)!r} learned from all of these texts (column "
            f"{LEARNED_FROM!r}), and a value that rests on its own rating says nothing of the metric: `referenceless "
            "advise RATINGS` estimates each text from the others"
        )
    told = f"{n_learned} of {n} scores in column {str(column)!r} are left out"
    return np.where(learned, np.nan, scores), f"{table.source}: {told}: the metric learned from these texts"


def check_not_learned(table: Table, column: str, rated: Sequence[int]) -> None:
    """Check that a metric did not learn from outputs whose ratings stand beside its estimates.

    Args:
        table: the outputs with their estimates.
        column: the column of the estimates.
        rated: the rows of outputs with a rating.

    Raises:
        InputError: for a metric that learned from one of them, and would give it back its own rating.
    """
    n_learned = int(learned_rows(table, column)[list(dict.fromkeys(rated))].sum())
    if n_learned:
        raise InputError(
            f"{table.source}: the metric of column {str(column)!r} (--estimates-column) learned from {n_learned} of "
            f"the rated outputs (column {LEARNED_FROM!r}), so that its estimates hold their ratings: take these out of "
            "its rated texts, or leave the estimates out"
        )


def _flags(table: Table) -> Booleans | None:
    """Return the flags of a table that `score` wrote of a metric that learns; None for any other table."""
    if LEARNED_FROM not in table.columns:
        return None
    cells = [str(cell).strip().lower() for cell in table.column(LEARNED_FROM)]
    if not all(cell in _FLAGS for cell in cells):
        return None
    return np.array([_FLAGS[cell] for cell in cells], dtype=np.bool_)
