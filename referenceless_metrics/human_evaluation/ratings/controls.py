"""Rows of a study that check the raters or the method: ratings of controls count as all others unless they are told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from shlex import quote

from referenceless_metrics.core.files.reading import cell_of, cell_text
from referenceless_metrics.core.files.tables import Table

_CONTROL = re.compile(
    r"(?:attention|quality|sanity|manipulation|catch|control)[ _-]?(?:checks?|trials?|items?|questions?)|"
    r"(?:positive|negative)[ _-]controls?|controls?|checks?|catch|calibration|practice|training[ _-]trials?|trap|"
    r"filler|honeypot"
)
"""Words that cells have for rows which check raters, in small letters."""

_MOST_KINDS = 20  # different cells of a column that tells kinds of rows
_MOST = 0.5  # share of all rows that controls are


def controls_in(table: Table, columns: Collection[str]) -> Iterator[tuple[str, str, int]]:
    """Yield columns whose cells say that a few rows are controls: the name, the cell, and the number of such rows.

    Args:
        table: the table.
        columns: the names of the columns that are looked at.
    """
    for name in columns:
        cells = [cell_text(cell_of(row, name)).strip() for row in table.rows]
        kinds = set(cells)
        if not 1 < len(kinds) <= _MOST_KINDS:
            continue
        for kind in sorted(kinds):
            n = cells.count(kind)
            if _CONTROL.fullmatch(kind.lower()) and n < _MOST * len(cells):
                yield name, kind, n


def note_on_controls(table: Table, named: Collection[str], *, have_slices: bool) -> list[str]:
    """Return a note on rows that a column calls controls, and that count with the others.

    Args:
        table: the table.
        named: the columns that options name: they are read already.
        have_slices: whether the command can tell of slices.
    """
    others = [name for name in table.names() if name not in named]
    found = next(controls_in(table, others), None)
    if found is None:
        return []
    name, kind, n = found
    apart = f"--slice-column {quote(name)} tells of each part, and " if have_slices else ""
    return [
        f"{n} of {len(table.rows)} rows have {kind!r} in column {name!r}, and count with the others: {apart}"
        f"--where {quote(f'{name}={kind}')} reads them alone, or another value the others"
    ]
