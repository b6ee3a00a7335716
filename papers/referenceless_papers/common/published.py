"""The published figures of the three papers, read from `published/*.csv`.

Each row of a file is one cell of the paper: `table`, `row`, `column` and `value` as it was printed; and its position in
the reproduction, if that shows it: the `part`, the `place` and the `figure`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from referenceless_papers.common.cells import Cell, Missing, Value

PAPERS = ("ethayarajh", "kann", "dusek")


@dataclass(frozen=True)
class Published:
    """One published figure: its part, place and figure in a reproduction, and its value."""

    part: str
    place: str
    figure: str
    value: Value


def published_rows(paper: str) -> list[dict[str, str]]:
    """Return the rows of a paper's file."""
    with (files("referenceless_papers") / "published" / f"{paper}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def published_figures(paper: str) -> Mapping[tuple[str, str], Published]:
    """Return every published figure of a paper, by place and figure; a value without decimals is an `int`."""
    return {
        (row["place"], row["figure"]): Published(row["part"], row["place"], row["figure"], _value(row["value"]))
        for row in published_rows(paper)
    }


def published(paper: str, place: str, figure: str) -> Value | None:
    """Return a published value; None if the paper gives none."""
    found = published_figures(paper).get((place, figure))
    return None if found is None else found.value


def with_published(paper: str, part: str, cells: Sequence[Cell], missing: Sequence[Missing]) -> list[Cell]:
    """Return a part's cells with their published values, and one for each published figure that was not measured.

    Args:
        paper: one of `PAPERS`.
        part: the part's name.
        cells: the measured cells.
        missing: cells that it could not measure; a cell's reason is that of the entry about it or its row, else the
            first.
    """
    figures = published_figures(paper)
    result = []
    for cell in cells:
        why = cell.why or ("nothing is covered" if cell.measured != cell.measured else "")
        value = published(paper, cell.table, cell.figure) if cell.published is None else cell.published
        result.append(replace(cell, published=value, why=why))
    measured = {(cell.table, cell.figure) for cell in cells}
    return result + [
        Cell(each.place, each.figure, why=_reason(each, missing), published=each.value)
        for place, each in figures.items()
        if each.part == part and place not in measured
    ]


def _reason(cell: Published, missing: Sequence[Missing]) -> str:
    name = f"{cell.place}, {cell.figure}"
    fitting = [each.why for each in missing if name.startswith(each.what)]
    fitting += [each.why for each in missing if each.what.startswith(cell.place)]
    return next(iter([*fitting, *(each.why for each in missing)]), "its data are not there")


def _value(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
