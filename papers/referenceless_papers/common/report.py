"""A reproduction as Markdown, as JSON, and its figures as PNG; and the printed form."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.files.escaping import code, one_line
from referenceless_metrics.core.files.paper_tables import UNDEFINED
from referenceless_papers.common.cells import SIGNIFICANT, Cell, Missing, PartResult, Value
from referenceless_papers.common.record import to_json, write_record

FIGURES = "figures"
_NUMBERS = ("published", "measured", "difference", "95% interval")
_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Report:
    """Description of a reproduction.

    Attributes:
        title: the first heading.
        about: the paper that is measured, and the data.
        signature: signature of the estimator that is measured; "" for none.
        parts: results by title.
    """

    title: str
    about: str
    signature: str
    parts: Mapping[str, PartResult]

    @property
    def missing(self) -> list[Missing]:
        """All that could not be measured."""
        return [each for part in self.parts.values() for each in part.missing]

    def to_markdown(self, drawn: Sequence[str] = ()) -> str:
        """Return the report as Markdown; `drawn` names the figures that were written, to be linked."""
        estimator = f"Estimator: {code(self.signature)}. " if self.signature else ""
        lines = [f"# {self.title}", "", self.about]
        if any(part.cells for part in self.parts.values()):
            lines += [
                "",
                f"{estimator}A row without a published value is ours. A dash under *measured* with a number has its "
                "reason below the table; a bare one is undefined.",
            ]
        for title, part in self.parts.items():
            lines += ["", f"## {title}"]
            if part.cells:
                lines += ["", *_cells(part.cells)]
            for table in part.tables:
                if table.rows:
                    lines += ["", f"{table.caption}:", "", *_pipe(table.rows)]
            for figure in part.figures:
                if figure.name in drawn:
                    lines += ["", f"![{figure.caption}]({FIGURES}/{figure.file})", "", f"*{figure.caption}*"]
            if part.notes:
                lines += ["", *(f"- {note}" for note in part.notes)]
            if part.missing and not (part.cells or part.tables or part.figures):
                lines += ["", "Not measured: see the end."]
        if self.missing:
            lines += ["", "## Not measured", "", *(f"- {each}" for each in self.missing)]
        return "\n".join(lines) + "\n"

    def as_record(self, drawn: Sequence[str] = ()) -> dict[str, Any]:
        """Return the report as a record of figures."""
        return {
            "signature": self.signature,
            "parts": [
                {
                    "title": title,
                    "cells": [vars(cell) | {"difference": cell.difference} for cell in part.cells],
                    "tables": [{"caption": table.caption, "rows": table.rows} for table in part.tables],
                    "figures": [
                        {"file": f"{FIGURES}/{figure.file}", "caption": figure.caption}
                        for figure in part.figures
                        if figure.name in drawn
                    ],
                    "notes": part.notes,
                    "missing": [vars(each) for each in part.missing],
                }
                for title, part in self.parts.items()
            ],
        }

    def write(self, folder: Path) -> list[Path]:
        """Write `reproduction.md`, `reproduction.json` and `figures/*` to a folder, and return their paths.

        A figure that cannot be drawn, for want of matplotlib, is missing.

        Raises:
            OSError: if the folder cannot be made or written.
        """
        (folder / FIGURES).mkdir(parents=True, exist_ok=True)
        paths = {}
        for part in self.parts.values():
            for figure in part.figures:
                path = folder / FIGURES / figure.file
                try:
                    figure.draw(path)
                except ImportError as error:
                    part.missing.append(Missing(figure.caption, str(error)))
                else:
                    paths[figure.name] = path
        with atomic_write(folder / "reproduction.md", "w") as file:
            file.write(self.to_markdown(list(paths)))
        write_record(self.as_record(list(paths)), folder / "reproduction.json")
        return [*paths.values(), folder / "reproduction.md", folder / "reproduction.json"]

    def show(self, output: str | None, format: str) -> None:
        """Write the report to a folder and print its files' paths; or print it, as `markdown` or `json`."""
        if output is not None:
            for path in self.write(Path(output)):
                click.echo(path)
        else:
            click.echo(self.to_markdown() if format == "markdown" else to_json(self.as_record()), nl=False)


def report_options(command: _Command) -> _Command:
    """Add the options `output` and `format` of `Report.show`."""
    for option in (
        click.option(
            "--format",
            type=click.Choice(("markdown", "json")),
            default="markdown",
            show_default=True,
            help="Format on standard output.",
        ),
        click.option(
            "-o", "--output", type=click.Path(file_okay=False), help="Folder to write Markdown, JSON and figures to."
        ),
    ):
        command = option(command)
    return command


def _cells(cells: Sequence[Cell]) -> list[str]:
    reasons = list(dict.fromkeys(cell.why for cell in cells if cell.why))
    rows = []
    for cell in cells:
        low, high = cell.interval or (math.nan, math.nan)
        without = cell.published is None or cell.why or cell.figure == SIGNIFICANT or isinstance(cell.published, str)
        measured = f"{UNDEFINED} ({reasons.index(cell.why) + 1})" if cell.why else _value(cell.measured, cell)
        rows.append(
            {
                "row": cell.table,
                "figure": cell.figure,
                "published": "" if cell.published is None else _value(cell.published, cell),
                "measured": measured,
                "difference": "" if without else _signed(cell.difference),
                "95% interval": "" if math.isnan(low) else f"{_shown(low)} to {_shown(high)}",
            }
        )
    notes = [f"({number}) {one_line(why)}." for number, why in enumerate(reasons, start=1)]
    return [*_pipe(rows), *(line for note in notes for line in ("", note))]


def _value(value: Value, cell: Cell) -> str:
    """A figure as a table shows it; a mark of significance is yes or no, and a count has no decimals."""
    if isinstance(value, str) or math.isnan(value):
        return _shown(value)
    if cell.figure == SIGNIFICANT:
        return "yes" if value else "no"
    if math.isinf(value):
        return "∞"
    whole = value == round(value) and (value >= 2 or isinstance(cell.published, int))
    return f"{value:g}" if whole else _shown(float(value))


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
