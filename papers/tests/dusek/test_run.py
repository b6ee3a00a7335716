import json

import pytest
from command_lines import typed
from text_files import read

from referenceless_papers.common.published import published_figures
from referenceless_papers.dusek.run import open_corpora, reproduce


def test_every_published_cell_is_measured_or_explained(corpora):
    cells = {(c.table, c.figure): c for part in reproduce(corpora).parts.values() for c in part.cells}
    assert set(published_figures("dusek")) <= set(cells)
    assert all(cell.why for cell in cells.values() if cell.measured != cell.measured)
    assert cells["Section 4.1", "lexicalised.S1-S6.pearson.low"].measured == pytest.approx(0.241, abs=0.0005)


@pytest.mark.long
def test_metric_rows_of_table_3(data_dir):
    corpora = open_corpora(data_dir("nlg-ratings").parent)
    cells = {(cell.table, cell.figure): cell for part in reproduce(corpora).parts.values() for cell in part.cells}
    for row in ("Constant", "BLEU", "METEOR", "ROUGE-L", "CIDEr"):
        for name in ("pearson", "spearman", "mae", "rmse"):
            if (cell := cells.get((f"Table 3, {row}", name))) is not None:
                assert cell.measured == pytest.approx(cell.published, abs=0.0015)
    for (table, figure), cell in cells.items():
        if table.startswith(("Table 1", "Figure 2")) and figure != "S4":
            assert cell.measured == pytest.approx(cell.published, abs=0.0015)


@pytest.mark.long
def test_the_command(corpora, tmp_path):
    command = f"reproduce dusek --data-dir {corpora[True].folder.parent} --train none"
    typed(f"{command} -o {tmp_path}")
    assert read(tmp_path / "reproduction.md").startswith("# Quality estimation, reproduced")
    assert json.loads(read(tmp_path / "reproduction.json"))["parts"]
    assert (tmp_path / "figures" / "pearson.png").stat().st_size > 1000
    assert "Table 3, METEOR" in typed(command).out
