"""Every published figure of the papers stands beside a measured one, or beside the reason why there is none."""

import math

import pytest
from refusals import refused
from text_files import ROOT, read

from referenceless_papers.common.cells import SIGNIFICANT
from referenceless_papers.common.published import (
    PAPERS,
    published_figures,
    published_rows,
)
from referenceless_papers.common.run import Part, measure_parts
from referenceless_papers.dusek.run import PARTS as OF_DUSEK
from referenceless_papers.ethayarajh.run import PARTS as OF_ETHAYARAJH
from referenceless_papers.kann.paper import PAPER as OF_KANN

PAGES = ROOT / "papers" / "docs"
PARTS = {"ethayarajh": OF_ETHAYARAJH, "kann": OF_KANN, "dusek": OF_DUSEK}
FILES = {"ethayarajh": "bleu_neighbors.md", "kann": "slor.md", "dusek": "quality_estimation.md"}
COLLECTIONS = {"ethayarajh": "bleu_neighbors_2020", "kann": "kann_2018", "dusek": "dusek_2017"}
COUNTS = {"ethayarajh": 140, "kann": 233, "dusek": 386}


@pytest.mark.parametrize("paper", PAPERS)
def test_cells_are_those_of_the_paper_and_have_a_place(paper, published_cells):
    columns = ("table", "row", "column", "value")
    own = {tuple(row[name] for name in columns) for row in published_rows(paper)}
    assert len(own) == len(published_figures(paper)) == COUNTS[paper]
    assert own == {tuple(row[name] for name in columns) for row in published_cells(COLLECTIONS[paper])}
    assert {each.part for each in published_figures(paper).values()} <= set(PARTS[paper])


@pytest.mark.parametrize("paper", PAPERS)
def test_no_figure_of_the_committed_reproduction_lacks_a_measurement_or_a_reason(paper):
    lines = read(PAGES / FILES[paper]).splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    found = {(row[0], row[1]): row for row in rows if len(row) == 6}
    assert [row for row in found.values() if row[2] and row[3] in ("", "–")] == []
    for place, each in published_figures(paper).items():
        _, figure, value, measured, *_ = found[place]
        if figure == SIGNIFICANT:
            assert value == ("yes" if each.value else "no")
        elif isinstance(each.value, str) or math.isinf(each.value):
            assert value in (each.value, "∞")
        else:
            assert float(value.replace("−", "-")) == pytest.approx(each.value), place
        assert measured not in ("", "–"), f"{place}: neither measured nor explained"
        if measured.startswith("–"):
            assert any(line.startswith(measured.removeprefix("– ")) for line in lines)


def test_a_part_that_fails_still_shows_what_was_published():
    def fails(_):
        raise FileNotFoundError("needs\n the folder")

    told = []
    results = measure_parts("ethayarajh", {"humans": Part("Humans", fails)}, None, tell=told.append)
    assert told[0].startswith("[1/1] Humans: 18 cells, 1 missing (")
    assert {cell.why for cell in results["Humans"].cells} == {"needs the folder"}
    with refused("`parts` to be one of"):
        measure_parts("ethayarajh", {}, None, ["table-9"])
