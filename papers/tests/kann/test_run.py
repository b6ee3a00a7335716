"""The paper's evaluation on rated outputs, with a small language model made here."""

import numpy as np
import pytest
from small_metrics import LengthModel

from referenceless_papers.kann.rated_outputs import RatedOutputs
from referenceless_papers.kann.run import reproduce
from slor_metric.estimator import SLOR, WPSLOR


def outputs(n=60, **changes):
    rng = np.random.default_rng(0)
    words = "a the cat sat quietly somewhere".split()
    texts = [" ".join(rng.choice(words, rng.integers(3, 8))) for _ in range(n)]
    fields = {
        "source": "made/here.csv",
        "texts": texts,
        "ratings": [-len(text) + rng.normal() for text in texts],
        "references": [[" ".join(text.split()[1:]), "the cat sat"] for text in texts],
        "systems": [f"S{i % 3}" for i in range(n)],
        "domains": ["news" if i % 2 else "letters" for i in range(n)],
        "groups": [str(i // 2) for i in range(n)],
    }
    return RatedOutputs(**{**fields, **changes})


def measured(rated):
    return reproduce(rated, word=SLOR(LengthModel()), wordpiece=WPSLOR(LengthModel()))


@pytest.fixture(scope="module")
def result():
    return measured(outputs())


def test_every_metric_whole_and_in_parts(result):
    assert len(result.columns) == 13
    assert [row.metric for row in result.overall.rows] == list(result.columns)
    assert result.overall.n == 60
    assert [(section.name, section.n) for section in result.by_system] == [("S0", 20), ("S1", 20), ("S2", 20)]
    assert [(section.name, section.n) for section in result.by_domain] == [("letters", 30), ("news", 30)]
    assert result.left_out == {}
    assert not result.of_the_paper
