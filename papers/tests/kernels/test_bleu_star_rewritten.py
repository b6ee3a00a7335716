"""BLEU* on content words, on parts of speech, with inverse document frequencies, and with learned weights."""

import bleu_neighbors_reference
import kernel_variants_reference as reference
import numpy as np
import pytest
import text_strategies as strategies
from bleu_neighbors_reference import bleu_star
from example_fits import POOL, RATED_POOL, fit
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.kernel import PoolData, TextOptions
from referenceless_papers.kernels.bleu_star_idf import IdfPool
from referenceless_papers.kernels.bleu_star_learned import LearnedPool, fit_order_weights
from referenceless_papers.kernels.bleu_star_rewritten import ContentWords, TagSequence, textblob_tags


def fitted(kernel, texts, ratings=None, **parameters):
    ratings = np.arange(len(texts)) if ratings is None else ratings
    return BLEUNeighbors(0.1, 1, 1.0, kernel=kernel, **parameters).fit(texts, ratings)


# --- content words


def test_content_words():
    take_out = ContentWords(["the", "on", "don't", "été"])
    assert take_out("The cat sat ON the mat, the end.") == "cat sat mat, end."
    assert take_out("I don't know; theory on-line") == "I know; theory -line"
    assert take_out("l'Été") == "l'Été"  # one word with its apostrophe
    assert take_out("the") == ""


def test_content_words_are_compared_by_bleu_star():
    texts = ["the cat sat on the mat", "a dog ran to the park", "the the the"]
    stop = {"stop_words": ["the", "on", "a", "to"]}
    metric = fitted("bleu_star_content", texts, kernel_options=stop)
    candidates = ["cat sat the on mat", "the", "dog park"]
    expected = bleu_star(["cat sat mat", "", "dog park"], ["cat sat mat", "dog ran park", ""])
    assert_allclose(metric.pool.similarities(candidates), expected)
    assert metric.predict(candidates).n_neighbors.tolist()[:2] == [1, 0]


def test_english_stop_words_are_the_default():
    metric = fitted("bleu_star_content", ["cat sat mat", "dog park"])
    assert_allclose(metric.pool.similarities(["the cat sat on the mat"])[0, 0], 1.0)


# --- parts of speech


def test_tags_are_compared_by_bleu_star():
    tags = {"cat": "N", "dog": "N", "sat": "V", "ran": "V", "the": "D", "a": "D"}

    def tagger(text):
        return [(word, tags[word]) for word in text.split()]

    metric = fitted(
        "bleu_star_pos",
        ["the cat sat", "the dog", "ran ran ran"],
        kernel_options={"tagger": tagger},
        ngram_orders=(1, 2),
    )
    rows = metric.pool.similarities(["a dog ran", "the cat"])
    options = bleu_neighbors_reference.Options("none", (1, 2))
    twin = bleu_neighbors_reference.similarities(["D N V", "D N"], ["D N V", "D N", "V V V"], options)
    assert_allclose(rows, twin)
    assert rows[0, 0] == 1.0  # other words, the same tags
    assert TagSequence(lambda text: ["A", "B C"])("x") == "A B_C"


def test_textblob_tags_without_any_download():
    assert textblob_tags("the cat sat on the mat") == "DT NN VBD IN DT NN".split()
    metric = fitted("bleu_star_pos", ["the cat sat on the mat", "running quickly"])
    assert metric.pool.similarities(["a dog sat on a rug"])[0, 0] == pytest.approx(1.0)
    assert "tok" not in dict(part.split(":", 1) for part in metric.signature.split("|"))


# --- inverse document frequency


@settings(max_examples=120)
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


def test_idf_equals_the_twin_on_real_headlines(huse):
    texts = huse.texts[:60]
    expected = [reference.idf_bleu_star(x, texts) for x in texts[:4]]
    assert_allclose(IdfPool(texts, TextOptions()).similarities(texts[:4]), expected, atol=1e-12)


@pytest.mark.parametrize("smooth_method", ["floor", "add-k", "exp"])
def test_smoothing_reaches_weighted_counts(smooth_method):
    options = TextOptions(tokenize="none", smooth_method=smooth_method)
    row = IdfPool(["the cat sat on a mat"], options).similarities(["the cat ran off to sea"])
    assert 0 < row[0, 0] < 1


# --- learned weights


def learned(texts, ratings, orders=(1, 2, 3), **options):
    return LearnedPool(PoolData(texts, np.asarray(ratings, float), TextOptions(ngram_orders=orders, **options)))


@settings(max_examples=60)
@given(strategies.candidates, strategies.pools, st.sampled_from(["char", "none"]), st.randoms(use_true_random=False))
def test_learned_similarities_equal_the_twin(candidates, pool, tokenize, rng):
    orders = (1, 2, 4)
    index = learned(pool, [rng.random() for _ in pool], orders, tokenize=tokenize)
    assert index.weights_.sum() == pytest.approx(1.0)
    assert (index.weights_ >= 0).all()
    xs, ss = ([bleu_neighbors_reference.tokens_of(text, tokenize) for text in texts] for texts in (candidates, pool))
    expected = [[reference.weighted_precisions(x, s, orders, index.weights_) for s in ss] for x in xs]
    assert_allclose(index.similarities(candidates), expected, atol=1e-5)


def test_no_other_weights_have_less_leave_one_out_error():
    texts, ratings, orders = POOL.texts[:40], POOL.ratings[:40], (1, 2, 3)
    index = learned(texts, ratings, orders)
    characters = [list(text) for text in texts]
    least = reference.leave_one_out_error(characters, ratings, orders, index.weights_)
    steps = np.linspace(0, 1, 6)
    grid = [(a, b, 1 - a - b) for a in steps for b in steps if a + b <= 1 + 1e-9]
    errors = [reference.leave_one_out_error(characters, ratings, orders, weights) for weights in grid]
    assert least <= min(errors) + 1e-6


def test_weights_depend_on_neither_the_unit_of_quality_nor_its_zero():
    base = learned(*RATED_POOL).weights_
    for other in (POOL.ratings * 100, POOL.ratings - 7, POOL.ratings * -3):
        assert_allclose(learned(POOL.texts, other).weights_, base, atol=1e-3)


def test_nothing_to_fit_gives_equal_weights():
    assert_allclose(learned(["a b", "b c", "c d"], [0.5, 0.5, 0.5]).weights_, 1 / 3)
    assert_allclose(learned(["a b"], [0.5]).weights_, 1 / 3)
    assert_allclose(fit_order_weights(np.zeros((5, 2)), np.zeros((5, 2)), np.arange(5.0)), 0.5)


def test_the_fit_sees_the_pool_alone():
    options = {"kernel": "bleu_star_learned", "ngram_orders": (1, 2, 3, 4)}
    metric, again = fit(**options), fit(**options, n_jobs=2)
    before = metric.pool.weights_.copy()
    metric.predict(["some candidate", "and another"])
    assert_array_equal(metric.pool.weights_, before)
    assert_array_equal(again.pool.weights_, before)
