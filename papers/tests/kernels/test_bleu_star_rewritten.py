"""BLEU* on content words, on parts of speech, with inverse document frequencies, and with learned weights."""

from __future__ import annotations

import bleu_neighbors_reference
import kernel_variants_reference as reference
import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_pool
from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.kernel import PoolData, TextOptions
from referenceless_papers.kernels.bleu_star_idf import IdfPool
from referenceless_papers.kernels.bleu_star_learned import LearnedPool, fit_order_weights
from referenceless_papers.kernels.bleu_star_rewritten import ContentWords, TagSequence, textblob_tags


def bleu_star(candidates, pool, **options):
    """Return BLEU* of every candidate and every pool text, shape (len(candidates), len(pool))."""
    return BleuStarPool(pool, TextOptions(**options)).similarities(candidates)


def fitted(kernel, texts, ratings=None, **parameters) -> BLEUNeighbors:
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
    np.testing.assert_allclose(metric.pool.similarities(candidates), expected)
    assert metric.predict(candidates).n_neighbors.tolist()[:2] == [1, 0]


def test_english_stop_words_are_the_default():
    metric = fitted("bleu_star_content", ["cat sat mat", "dog park"])
    np.testing.assert_allclose(metric.pool.similarities(["the cat sat on the mat"])[0, 0], 1.0)


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
    np.testing.assert_allclose(rows, twin)
    assert rows[0, 0] == 1.0  # other words, the same tags
    assert TagSequence(lambda text: ["A", "B C"])("x") == "A B_C"


def test_textblob_tags_without_any_download():
    assert textblob_tags("the cat sat on the mat") == ["DT", "NN", "VBD", "IN", "DT", "NN"]
    metric = fitted("bleu_star_pos", ["the cat sat on the mat", "running quickly"])
    assert metric.pool.similarities(["a dog sat on a rug"])[0, 0] == pytest.approx(1.0)
    assert "tok" not in dict(part.split(":", 1) for part in metric.signature.split("|"))


# --- inverse document frequency


@settings(max_examples=120, deadline=None)
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
    np.testing.assert_allclose(IdfPool(pool, options).similarities(candidates), expected, atol=1e-12)


def test_idf_equals_the_twin_on_real_headlines(data_dir):
    from metric_commons.datasets import load_rated

    texts = load_rated("huse:summarization", data_dir=str(data_dir("huse"))).texts[:60]
    expected = [reference.idf_bleu_star(x, texts) for x in texts[:4]]
    np.testing.assert_allclose(IdfPool(texts, TextOptions()).similarities(texts[:4]), expected, atol=1e-12)


def test_a_rare_match_says_more_than_a_common_one():
    pool = [f"the old house {i}" for i in range(9)] + ["zebra crossing"]
    options = TextOptions(tokenize="none", ngram_orders=(1,))
    row = IdfPool(pool, options).similarities(["the zebra"])[0]
    plain = bleu_star(["the zebra"], pool, tokenize="none", ngram_orders=(1,))[0]
    assert row[-1] / row[0] > plain[-1] / plain[0]


@pytest.mark.parametrize("smooth_method", ["floor", "add-k", "exp"])
def test_smoothing_reaches_weighted_counts(smooth_method):
    options = TextOptions(tokenize="none", smooth_method=smooth_method)
    row = IdfPool(["the cat sat on a mat"], options).similarities(["the cat ran off to sea"])
    assert 0 < row[0, 0] < 1


# --- learned weights


def learned(texts, ratings, orders=(1, 2, 3), **options) -> LearnedPool:
    return LearnedPool(PoolData(texts, np.asarray(ratings, float), TextOptions(ngram_orders=orders, **options)))


@settings(max_examples=60, deadline=None)
@given(strategies.candidates, strategies.pools, st.sampled_from(["char", "none"]), st.randoms(use_true_random=False))
def test_learned_similarities_equal_the_twin(candidates, pool, tokenize, rng):
    orders = (1, 2, 4)
    index = learned(pool, [rng.random() for _ in pool], orders, tokenize=tokenize)
    assert index.weights_.sum() == pytest.approx(1.0)
    assert (index.weights_ >= 0).all()
    xs, ss = ([bleu_neighbors_reference.tokens_of(text, tokenize) for text in texts] for texts in (candidates, pool))
    expected = [[reference.weighted_precisions(x, s, orders, index.weights_) for s in ss] for x in xs]
    np.testing.assert_allclose(index.similarities(candidates), expected, atol=1e-5)


def test_no_other_weights_have_less_leave_one_out_error():
    pool = example_pool()
    texts, ratings, orders = pool.texts[:40], pool.ratings[:40], (1, 2, 3)
    index = learned(texts, ratings, orders)
    characters = [list(text) for text in texts]
    least = reference.leave_one_out_error(characters, ratings, orders, index.weights_)
    steps = np.linspace(0, 1, 6)
    grid = [(a, b, 1 - a - b) for a in steps for b in steps if a + b <= 1 + 1e-9]
    errors = [reference.leave_one_out_error(characters, ratings, orders, weights) for weights in grid]
    assert least <= min(errors) + 1e-6


def test_the_order_that_tells_quality_gets_the_weight():
    """Quality hangs on which pair of letters a text holds; single letters are the same in all."""
    rng = np.random.default_rng(0)
    texts, ratings = [], []
    for good in (True, False) * 30:
        pairs = ["ab", "cd"] if good else ["ba", "dc"]
        texts.append(" ".join(rng.choice(pairs, size=12)))
        ratings.append(float(good))
    weights = learned(list(dict.fromkeys(texts)), ratings[: len(dict.fromkeys(texts))], (1, 2)).weights_
    assert weights[1] > 0.9


def test_weights_depend_on_neither_the_unit_of_quality_nor_its_zero():
    pool = example_pool()
    base = learned(pool.texts, pool.ratings).weights_
    for other in (pool.ratings * 100, pool.ratings - 7, pool.ratings * -3):
        np.testing.assert_allclose(learned(pool.texts, other).weights_, base, atol=1e-3)


def test_nothing_to_fit_gives_equal_weights():
    np.testing.assert_allclose(learned(["a b", "b c", "c d"], [0.5, 0.5, 0.5]).weights_, 1 / 3)
    np.testing.assert_allclose(learned(["a b"], [0.5]).weights_, 1 / 3)
    np.testing.assert_allclose(fit_order_weights(np.zeros((5, 2)), np.zeros((5, 2)), np.arange(5.0)), 0.5)


def test_the_fit_sees_the_pool_alone():
    pool = example_pool()
    metric = BLEUNeighbors.published(kernel="bleu_star_learned", ngram_orders=(1, 2, 3, 4)).fit(
        pool.texts, pool.ratings
    )
    before = metric.pool.weights_.copy()
    metric.predict(["some candidate", "and another"])
    np.testing.assert_array_equal(metric.pool.weights_, before)
    again = BLEUNeighbors.published(kernel="bleu_star_learned", ngram_orders=(1, 2, 3, 4), n_jobs=2)
    np.testing.assert_array_equal(again.fit(pool.texts, pool.ratings).pool.weights_, before)
