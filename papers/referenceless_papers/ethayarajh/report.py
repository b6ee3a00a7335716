"""A reproduction as Markdown, as JSON, and its figures as PNG."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from metric_commons.files.atomic import atomic_write
from metric_commons.files.escaping import code, one_line
from metric_commons.files.output import UNDEFINED
from referenceless_papers.ethayarajh.cells import Cell, Missing, PartResult
from referenceless_papers.ethayarajh.published import SIGNIFICANT

FIGURES = "figures"
_NUMBERS = ("published", "measured", "difference", "95% interval")


HEADING = (
    "# BLEU Neighbors, reproduced",
    "",
    "Ethayarajh & Sadigh (2020), *BLEU Neighbors: A Reference-less Approach to Automatic Evaluation*, measured "
    "again on the data that can be had. Written by `referenceless reproduce ethayarajh --data-dir DIR -o out/`. "
    "Intervals are 95% bootstrap intervals over texts.",
)


def to_markdown(
    parts: Mapping[str, PartResult],
    signature: str,
    *,
    figures: Sequence[str] = (),
    heading: Sequence[str] = HEADING,
) -> str:
    """Return a reproduction as Markdown.

    Args:
        parts: results by title.
        signature: of the estimator with its defaults.
        figures: the names of the figures that were written, to be linked.
        heading: the first lines: the title, and which paper is measured.
    """
    lines = [
        *heading,
        "",
        f"Estimator: {code(signature)}. A row without a published value is ours. A dash under *measured* with a number "
        "has its reason below the table; a bare one is undefined.",
    ]
    for title, part in parts.items():
        lines += ["", f"## {title}"]
        if part.cells:
            lines += ["", *_cells(part.cells)]
        for table in part.tables:
            if table.rows:
                lines += ["", f"{table.caption}:", "", *_pipe(table.rows)]
        for figure in part.figures:
            if figure.name in figures:
                lines += ["", f"![{figure.caption}]({FIGURES}/{figure.name}.png)", "", f"*{figure.caption}*"]
        if part.notes:
            lines += ["", *(f"- {note}" for note in part.notes)]
        if part.missing and not (part.cells or part.tables or part.figures):
            lines += ["", "Not measured: see the end."]
    missing = [each for part in parts.values() for each in part.missing]
    if missing:
        lines += ["", "## Not measured", "", *(f"- {each}" for each in missing)]
    return "\n".join(lines) + "\n"


def to_json(parts: Mapping[str, PartResult], signature: str, *, figures: Sequence[str] = ()) -> str:
    """Return a reproduction as JSON; what is undefined or not published is null."""
    content = {
        "signature": signature,
        "parts": [
            {
                "title": title,
                "cells": [_cell(cell) for cell in part.cells],
                "tables": [{"caption": t.caption, "rows": [dict(row) for row in t.rows]} for t in part.tables],
                "figures": [
                    {"file": f"{FIGURES}/{figure.name}.png", "caption": figure.caption}
                    for figure in part.figures
                    if figure.name in figures
                ],
                "notes": part.notes,
                "missing": [{"what": each.what, "why": each.why} for each in part.missing],
            }
            for title, part in parts.items()
        ],
    }
    return json.dumps(_plain(content), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def write_reproduction(
    parts: Mapping[str, PartResult],
    signature: str,
    folder: str | os.PathLike[str],
    *,
    heading: Sequence[str] = HEADING,
) -> tuple[list[Path], list[Missing]]:
    """Write `reproduction.md`, `reproduction.json` and `figures/*.png` to a folder, which is made where it is missing.

    Returns:
        The files that were written, and the figures that were not, where matplotlib is missing.

    Raises:
        OSError: where the folder cannot be made or written, or is a file.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(f"Cannot write a reproduction to {target}: it is a file, not a folder")
    drawn: list[str] = []
    written: list[Path] = []
    missing: list[Missing] = []
    (target / FIGURES).mkdir(parents=True, exist_ok=True)
    for part in parts.values():
        for figure in part.figures:
            path = target / FIGURES / f"{figure.name}.png"
            try:
                figure.draw(path)
            except ImportError as error:
                lacking = Missing(figure.caption, str(error))
                part.missing.append(lacking)
                missing.append(lacking)
                continue
            drawn.append(figure.name)
            written.append(path)
    for name, text in (
        ("reproduction.md", to_markdown(parts, signature, figures=drawn, heading=heading)),
        ("reproduction.json", to_json(parts, signature, figures=drawn)),
    ):
        with atomic_write(target / name, "w") as file:
            file.write(text)
        written.append(target / name)
    return written, missing


def _cells(cells: Sequence[Cell]) -> list[str]:
    reasons = list(dict.fromkeys(cell.why for cell in cells if cell.why))
    rows = []
    for cell in cells:
        low, high = cell.interval or (math.nan, math.nan)
        rows.append(
            {
                "row": cell.table,
                "figure": cell.figure,
                "published": _value(cell.published, cell.figure),
                "measured": f"{UNDEFINED} ({reasons.index(cell.why) + 1})"
                if cell.why
                else _value(cell.measured, cell.figure),
                "difference": _difference(cell),
                "95% interval": "" if math.isnan(low) else f"{_shown(low)} to {_shown(high)}",
            }
        )
    notes = [f"({number}) {one_line(why)}." for number, why in enumerate(reasons, start=1)]
    return [*_pipe(rows), *(line for note in notes for line in ("", note))]


def _value(value: float | None, figure: str) -> str:
    """A figure as a table shows it; a mark of significance is yes or no."""
    if value is None:
        return ""
    if figure == SIGNIFICANT and not math.isnan(value):
        return "yes" if value else "no"
    if math.isinf(value):
        return "∞"
    return f"{value:g}" if value >= 2 and value == round(value) else _shown(value)


def _difference(cell: Cell) -> str:
    if cell.published is None or cell.why or cell.figure == SIGNIFICANT:
        return ""
    return _signed(cell.measured - cell.published)


def _pipe(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    from tabulate import tabulate

    names = list(rows[0])
    text = [[_shown(row[name]) for name in names] for row in rows]
    right = [not isinstance(rows[0][name], str) or name in _NUMBERS for name in names]
    alignment = ["right" if each else "left" for each in right]
    return str(tabulate(text, headers=names, tablefmt="pipe", colalign=alignment, disable_numparse=True)).split("\n")


def _shown(value: Any) -> str:
    if isinstance(value, float):
        if math.isnan(value):
            return UNDEFINED
        return f"{value:.0e}" if 0 < abs(value) < 0.00005 else f"{value:.4f}".replace("-", "−")
    return one_line(str(value)).replace("|", "\\|")


def _signed(value: float) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:+.4f}".replace("-", "−")


def _cell(cell: Cell) -> dict[str, Any]:
    difference = None if cell.published is None else cell.measured - cell.published
    return {
        "table": cell.table,
        "figure": cell.figure,
        "published": cell.published,
        "measured": cell.measured,
        "why": cell.why,
        "difference": difference,
        "interval": None if cell.interval is None else list(cell.interval),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
