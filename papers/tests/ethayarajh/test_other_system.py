"""What a pool of another system's rated texts is worth, on the headlines."""

import pytest

from referenceless_papers.ethayarajh.other_system import _huse, split_rows
from referenceless_papers.ethayarajh.sources import Sources


def test_headlines_of_the_model_are_estimated_best_from_its_own(data_dir):
    rows = split_rows("HUSE", dict(_huse(Sources(data_dir("huse").parent))))
    rho = {row["which"]: row["Spearman"] for row in rows if row["which"] != "mean"}
    assert rho["model from model"] == pytest.approx(0.490, abs=0.001)
    assert rho["model from human"] == pytest.approx(0.289, abs=0.001)
    assert rho["human from human"] == pytest.approx(-0.018, abs=0.001)
    assert rho["human from model"] == pytest.approx(0.245, abs=0.001)
