"""The published cells are those of the paper; `test_run.py` holds that each is measured or explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from referenceless_papers.dusek import published

PAGE = Path(__file__).parents[3] / "hub_cards" / "reproduction_quality_estimation.md"
ROWS = {"text": "Text", "figure2": "Figure 2"}


def test_cells_are_unique() -> None:
    cells = list(published.published_cells())
    assert len({cell[:3] for cell in cells}) == len(cells) == 386


def test_cells_are_those_of_the_paper(published_cells):
    wanted = {(row["table"], row["row"], row["column"]): float(row["value"]) for row in published_cells("dusek_2017")}
    assert {cell[:3]: cell.value for cell in published.published_cells()} == wanted


def test_no_cell_of_the_committed_reproduction_lacks_a_measurement_or_a_reason() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    shown = {(row[0], row[1]): (row[2], row[3]) for row in rows if len(row) == 6}
    reasons = [line.removeprefix("- ") for line in lines[lines.index("## Not measured") :]]
    for cell in published.published_cells():
        row = f"{ROWS.get(cell.table, f'Table {cell.table}')}, {cell.row}"
        value, measured = shown.get((row, cell.column), ("", "–"))
        if measured.startswith("–"):
            place = (f"Section 4.1, {cell.column}:", f"{row}, {cell.column.split('.')[0]}", f"{row}:", f"{row}, the")
            assert any(reason.startswith(place) for reason in reasons), (row, cell.column)
        else:
            assert float(value.replace("−", "-")) == pytest.approx(cell.value), (row, cell.column)
            float(measured.replace("−", "-"))  # a number, or this raises
