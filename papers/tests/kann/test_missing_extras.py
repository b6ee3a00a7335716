"""What is said where an optional package is missing: one sentence that names the extra to install."""

import sys
from pathlib import Path

import numpy as np
import pytest

from referenceless_papers.kann.baselines import svr_column
from referenceless_papers.kann.report import plot
from referenceless_papers.kann.run import Reproduction, Section, reproduce
from slor_metric.rated_outputs import RatedOutputs
from slor_metric.rouge import tokenize as rouge_tokenize


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in list(sys.modules):
        if name.split(".")[0] in ("nltk", "sklearn", "matplotlib"):
            monkeypatch.delitem(sys.modules, name)
    for name in ("nltk", "sklearn", "matplotlib"):
        monkeypatch.setitem(sys.modules, name, None)
    return monkeypatch


def test_stemming_without_nltk(absent: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImportError, match=r"referenceless-metrics\[rouge\]"):
        rouge_tokenize.get_stemmer(True)


def test_regression_without_scikit_learn(absent: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImportError, match=r"referenceless-metrics\[svr\]"):
        svr_column(np.zeros((20, 2)), np.arange(20.0))
    absent.setattr("importlib.util.find_spec", lambda name: None)
    texts = ["the cat sat .", "a dog ran .", "it rained .", "so it goes ."] * 5
    result = reproduce(RatedOutputs("here", texts, list(range(20)), [[text] for text in texts]))
    assert "referenceless-metrics[svr]" in result.left_out["SVR(ROUGE-L-mult, WPSLOR)"]
    assert "ROUGE-LM" in result.columns


def test_chart_without_matplotlib(absent: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nothing = Reproduction("here", Section("all", 0, 0, 0.0, 0.0, ()), (), (), {}, (), {}, {}, {})
    with pytest.raises(ImportError, match=r"referenceless-metrics\[plot\]"):
        plot(nothing, tmp_path / "chart.png")
    assert not list(tmp_path.iterdir())
