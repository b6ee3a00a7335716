"""The ROUGE-L kernel against its twin and against rouge-score."""

import kernels_reference as reference
import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bleu_neighbors_metric import BLEUNeighbors
from referenceless_papers.kernels.rouge_l import RougeLPool


def assert_the_table(candidates, pool):
    rows = RougeLPool([" ".join(s) for s in pool], stem=False, tokenizer="none").similarities(
        [" ".join(x) for x in candidates]
    )
    assert_allclose(rows, [[reference.rouge_l(x, s) for s in pool] for x in candidates], atol=1e-12)


@given(
    st.lists(st.lists(st.sampled_from("abce"), max_size=150), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from("abcd"), max_size=150), min_size=1, max_size=4),
)
def test_lcs_equals_the_table(candidates, pool):
    """Lengths beyond one machine word of 64 tokens, with carries between words, are among these."""
    assert_the_table(candidates, pool)


@pytest.mark.parametrize("lengths", [(63, 64), (64, 64), (65, 128), (129, 63), (1000, 700)])
def test_lcs_at_the_edges_of_machine_words(lengths):
    rng = np.random.default_rng(sum(lengths))
    x, s = ([str(token) for token in rng.integers(0, 5, size=length)] for length in lengths)
    assert_the_table([x, ["0"], []], [s, x, ["0"], []])


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
    plain = BLEUNeighbors(0.5, 1, 1.0, kernel="rouge_l").fit(["кошка сидит дома", "собака лает"], [1.0, 0.0])
    assert plain.predict(["кошка сидит"]).n_neighbors.tolist() == [0]
