"""Published figures beside measured ones, on the authors' data."""

from __future__ import annotations

import pytest

from bleu_neighbors_metric.reproduce import mean_difference, reproduce, table_1_summarization, table_3
from metric_commons.errors import InputError


def test_table_1_on_summarization(data_dir):
    cells = {(cell.table, cell.figure): cell for cell in table_1_summarization(str(data_dir("huse")))}
    assert cells["Table 1, characters", "Spearman"].measured == pytest.approx(0.324, abs=0.003)
    assert cells["Table 1, characters, unclipped", "Spearman"].measured == pytest.approx(0.325, abs=0.003)
    assert cells["Table 1, words (white space)", "coverage"].measured == 0.0
    assert cells["Table 1, words (13a)", "coverage"].measured < 0.1


def test_table_3_within_003_of_the_published_correlations(data_dir):
    cells = table_3(str(data_dir("asap-sas")))
    assert len(cells) == 20
    assert mean_difference(cells, "Table 3", "Spearman") <= 0.03
    assert all(cell.measured == 1.0 for cell in cells if cell.figure == "coverage")


def test_missing_data_are_named(tmp_path):
    with pytest.raises(InputError, match="holds neither huse/ nor asap-sas/"):
        reproduce(str(tmp_path))
