"""Answers about equal outputs that were shown once: a study's table has a row for each of their systems.

Each system has the rating, so that all systems are compared on the same items. Where answers are counted, as for
agreement or to learn from, an answer counts once.
"""

from __future__ import annotations

from dataclasses import replace

from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Record

COPY = "copy"
"""Column that tells whether a row repeats the answer of another row, for another system with an equal output."""

_OF_SYSTEMS = ("system", "system_a", "system_b", "preference")
"""Columns in which a copy may differ from the row that it repeats: a preference depends on which system is named."""

_TRUE, _FALSE = ("true", "1"), ("false", "0")


def without_copies(table: Table) -> tuple[Table, list[str]]:
    """Return a table without the rows that column `copy` marks as the answer of another row, and a note on them.

    A marked row stays if the row that it repeats is not there, as with the ratings of one system alone.
    """
    marks = [str(row.get(COPY)).strip().lower() for row in table.rows] if COPY in table.columns else []
    if not set(marks) <= {*_TRUE, *_FALSE} or not set(marks).intersection(_TRUE):
        return table, []
    answers = [_answer(row) for row in table.rows]
    first = {answer for answer, mark in zip(answers, marks, strict=True) if mark in _FALSE}
    kept = []
    for place, (answer, mark) in enumerate(zip(answers, marks, strict=True)):
        if mark in _FALSE or answer not in first:
            kept.append(place)
            first.add(answer)
    n_copies = len(table.rows) - len(kept)
    if not n_copies:
        return table, []
    lines = [table.lines[place] for place in kept] if table.lines else []
    note = (
        f"{table.source}: left out: {n_copies} {'row' if n_copies == 1 else 'rows'} that column {COPY!r} marks as the "
        "answer of another row: equal outputs were shown once, and count once here"
    )
    return replace(table, rows=[table.rows[place] for place in kept], lines=lines), [note]


def _answer(row: Record) -> tuple[tuple[str, str], ...]:
    """Return what a row tells beside its system."""
    return tuple((name, str(cell)) for name, cell in sorted(row.items()) if name not in (*_OF_SYSTEMS, COPY))
