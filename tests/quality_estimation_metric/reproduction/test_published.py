import csv
import os
from pathlib import Path

import pytest

from quality_estimation_metric.reproduction.published import published_cells


def test_cells_are_unique() -> None:
    cells = list(published_cells())
    assert len({cell[:3] for cell in cells}) == len(cells) == 386


def test_cells_are_those_of_the_paper() -> None:
    base = Path(os.environ.get("BLEU_NEIGHBORS_DATA", Path(__file__).resolve().parents[3].parent / "shared" / "data"))
    path = base.parent / "published" / "dusek_2017.csv"
    if not path.is_file():
        pytest.skip("needs the published cells in shared/published/dusek_2017.csv")
    with path.open(encoding="utf-8") as file:
        wanted = {(row["table"], row["row"], row["column"]): float(row["value"]) for row in csv.DictReader(file)}
    assert {cell[:3]: cell.value for cell in published_cells()} == wanted
