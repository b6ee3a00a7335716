"""The ROUGE-L kernel against its twin and against rouge-score."""

import text_strategies as strategies
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_papers.kernels.rouge_l import RougeLPool


@given(strategies.candidates, strategies.pools, st.booleans())
def test_rouge_l_equals_rouge_score(candidates, pool, stem):
    from rouge_score import rouge_scorer

    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=stem)
    expected = [[scorer.score(s, x)["rougeL"].fmeasure for s in pool] for x in candidates]
    assert_allclose(RougeLPool(pool, stem=stem).similarities(candidates), expected, atol=1e-12)


def test_other_scripts_have_a_tokeniser():
    metric = BLEUNeighbors(0.5, 1, 1.0, kernel="rouge_l", kernel_options={"tokenize": "intl", "stem": False})
    metric.fit(["кошка сидит дома", "собака лает"], [1.0, 0.0])
    assert metric.predict(["кошка сидит"]).values.tolist() == [1.0]
