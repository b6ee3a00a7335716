"""A look at a file as lines of text."""

from __future__ import annotations

from tabulate import tabulate

from referenceless_metrics.advice.look.looking import Look

_MOST_COLUMNS = 40


def look_lines(found: Look) -> list[str]:
    """Return the description of a file as lines: form, columns, remarks, command lines."""
    rows = f"{found.n_rows} rows" if not found.is_part else f"the first {found.n_rows:,} rows were read"
    lines = [f"{found.file}: {found.form}" + (f", {rows}" if found.n_rows else "")]
    if found.shape:
        lines.append(f"Shape: {found.shape}.")
    shown = found.columns
    if len(shown) > _MOST_COLUMNS:
        shown = tuple(column for column in shown if column.part)[:_MOST_COLUMNS]
        lines.append(f"{len(found.columns)} columns, of which those with a part follow; --format json has all.")
    if shown:
        table = [
            {
                "column": column.name,
                "kind": column.kind,
                "holds": column.shown,
                "different": column.distinct,
                "blank": f"{column.blank:.0%}" if column.blank else "",
                "may be": column.part,
            }
            for column in shown
        ]
        lines += ["", *str(tabulate(table, headers="keys", disable_numparse=True)).splitlines()]
    if found.notes:
        lines += ["", *(f"- {note}" for note in found.notes)]
    lines += ["", *found.commands] if found.commands else ["", "No command fits this file as it is."]
    return lines
