import doctest

import pytest
from text_files import ROOT, read

from referenceless_metrics.command_line.baselines import NAMES

PAGE = ROOT / "papers" / "docs" / "what_each_metric_counts.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="needs the project's documentation")


def test_the_textbook_examples():
    pytest.importorskip("rouge_score")
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted > 20
    assert result.failed == 0


def test_every_metric_is_described():
    text = read(PAGE)
    assert all(f"`{name}`" in text for name in NAMES)
