"""BLEU* on content words, on parts of speech, with inverse document frequencies, and with learned weights."""

import bleu_neighbors_reference
import kernel_variants_reference as reference
import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import KernelInput, TextOptions
from referenceless_papers.kernels.bleu_star_idf import IdfPool
from referenceless_papers.kernels.bleu_star_learned import LearnedPool
from referenceless_papers.kernels.bleu_star_rewritten import TagSequence


def test_tags_are_compared_by_bleu_star():
    tags = {"cat": "N", "dog": "N", "sat": "V", "ran": "V", "the": "D", "a": "D"}

    def tagger(text):
        return [(word, tags[word]) for word in text.split()]

    options = {"kernel": "bleu_star_pos", "kernel_options": {"tagger": tagger}, "ngram_orders": (1, 2)}
    metric = BLEUNeighbors(0.1, 1, 1.0, **options).fit(["the cat sat", "the dog", "ran ran ran"], range(3))
    rows = metric.pool_.similarities(["a dog ran", "the cat"])
    options = bleu_neighbors_reference.Options("none", (1, 2))
    twin = bleu_neighbors_reference.similarities(["D N V", "D N"], ["D N V", "D N", "V V V"], options)
    assert_allclose(rows, twin)
    assert rows[0, 0] == 1.0  # other words, the same tags
    assert TagSequence(lambda text: ["A", "B C"])("x") == "A B_C"


@given(
    strategies.candidates,
    strategies.pools,
    st.sampled_from(["char", "13a", "none"]),
    st.sampled_from([(2, 3, 4), (1,), (1, 3)]),
    st.booleans(),
)
def test_idf_equals_the_twin(candidates, pool, tokenize, orders, clip):
    options = TextOptions(tokenize=tokenize, ngram_orders=orders, clip=clip)
    expected = [reference.idf_bleu_star(x, pool, tokenize, orders, clip) for x in candidates]
    assert_allclose(IdfPool(pool, options).similarities(candidates), expected, atol=1e-12)


@given(strategies.candidates, strategies.pools, st.sampled_from(["char", "none"]), st.randoms(use_true_random=False))
def test_learned_similarities_equal_the_twin(candidates, pool, tokenize, rng):
    orders = (1, 2, 4)
    options = TextOptions(tokenize, orders)
    index = LearnedPool(KernelInput(pool, np.array([rng.random() for _ in pool]), options))
    assert index.weights_.sum() == pytest.approx(1.0)
    assert (index.weights_ >= 0).all()
    xs, ss = ([bleu_neighbors_reference.tokens_of(text, tokenize) for text in texts] for texts in (candidates, pool))
    expected = [[reference.weighted_precisions(x, s, orders, index.weights_) for s in ss] for x in xs]
    assert_allclose(index.similarities(candidates), expected, atol=1e-5)
