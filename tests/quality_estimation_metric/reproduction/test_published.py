"""The published cells are those of the paper; `test_run.py` holds that each is measured or explained."""

from __future__ import annotations

from quality_estimation_metric.reproduction import published


def test_cells_are_unique() -> None:
    cells = list(published.published_cells())
    assert len({cell[:3] for cell in cells}) == len(cells) == 386


def test_cells_are_those_of_the_paper(published_cells):
    wanted = {(row["table"], row["row"], row["column"]): float(row["value"]) for row in published_cells("dusek_2017")}
    assert {cell[:3]: cell.value for cell in published.published_cells()} == wanted
