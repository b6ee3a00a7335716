"""The fast kernel against its twin, and against nltk and sacrebleu if their definitions agree."""

import math
import random

import bleu_neighbors_reference as reference
import numpy as np
import pytest
import text_strategies as strategies
from bleu_neighbors_reference import bleu_star
from hypothesis import given
from hypothesis import strategies as st
from kernel_twins import whole_weight
from levels import at_each_level
from numpy.testing import assert_allclose, assert_array_equal

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.inverted_index import MOST_DENSE
from bleu_neighbors_metric.kernels.kernel import TextOptions
from bleu_neighbors_metric.kernels.neighbors import NeighborRule, Ratings

ORDERS = ((2, 3, 4), (1,), (1, 2), (4,), (1, 2, 3, 4), (1, 3, 5))


def twin_matrix(candidates, pool, tokenize="char", ngram_orders=(2, 3, 4), smooth_method="none", clip=True):
    options = reference.Options(tokenize, ngram_orders, smooth_method, None, clip)
    return np.array(reference.similarities(candidates, pool, options))


@given(strategies.candidates, strategies.pools, st.sampled_from(ORDERS), st.sampled_from([0.001, 0.08, 0.4]))
def test_whole_weights_equal_the_twins(candidates, pool, orders, threshold):
    ratings = Ratings.of(np.logspace(-9, 6, len(pool)))  # of many words

    def product():
        index = BleuStarPool(pool, TextOptions(ngram_orders=orders))
        ((_, uniform),) = index.tally(candidates, ratings, NeighborRule(threshold, "uniform"))
        ((_, weighted),) = index.tally(candidates, ratings, NeighborRule(threshold, "similarity"))
        sums = uniform.rating_sums, weighted.rating_sums
        return [weighted.n_neighbors, weighted.weight, uniform.n_neighbors, *sums]

    n_neighbors, weights, uniform, *_ = at_each_level(product)
    assert_array_equal(uniform, n_neighbors)
    options = reference.Options("char", orders)
    for at, candidate in enumerate(candidates):
        own, expected = reference.Text(candidate, options), []
        for text in (reference.Text(text, options) for text in pool):
            counts = [sum((x & s).values()) for x, s in zip(own.counts, text.counts, strict=True)]
            expected.append(whole_weight(own.length, text.length, counts, orders, threshold))
        assert n_neighbors[at] == np.count_nonzero(expected)
        assert weights[at] * 2**36 == sum(expected)


@pytest.fixture(scope="module")
def large_pool():
    """A pool of more than one tile, candidates, and their similarities by the twin."""
    rng = random.Random(5)
    vocabulary = "tree trees river rivers stone sky the the the a of and zebra".split()
    texts = list(dict.fromkeys(" ".join(rng.choices(vocabulary, k=rng.randint(1, 8))) for _ in range(1500)))
    pool, candidates = texts[:1100], [*texts[1100:1106], "", "of"]
    return pool, candidates, twin_matrix(candidates, pool)


@pytest.mark.long
@pytest.mark.parametrize(
    "most_matches, most_dense", [(2**22, MOST_DENSE), (200, MOST_DENSE), (0, MOST_DENSE), (2**22, 20)]
)
def test_tallies_equal_the_twin_over_several_tiles(monkeypatch, large_pool, most_matches, most_dense):
    """Tiles, dense rows and posting lists together, which small pools never need, and few candidates at once."""
    from bleu_neighbors_metric.kernels import bleu_star as module

    pool, candidates, expected = large_pool
    ratings = np.random.default_rng(5).random(len(pool))
    neighbors = expected >= 0.4 * (1 - 1e-9)
    monkeypatch.setattr(module, "_MOST_MATCHES", most_matches)
    monkeypatch.setattr(module, "MOST_DENSE", most_dense)
    monkeypatch.setattr(module, "_DENSE_SHARE", 0.05)
    index = BleuStarPool(pool)
    assert index._index.dense.shape[0] == 3
    assert (index._index.dense.shape[1] == 21) == (most_dense == 20)
    for weights in ("uniform", "similarity"):
        weight = neighbors * (expected if weights == "similarity" else 1.0)
        for where, tally in index.tally(candidates, Ratings.of(ratings), NeighborRule(0.4, weights)):
            assert_array_equal(tally.n_neighbors, neighbors[where].sum(axis=1))
            assert_allclose(tally.rating_sums, weight[where] @ ratings, atol=1e-9)
    counts = index.count_neighbors(candidates, np.array([0.0, 0.4, 0.6]), excluded=np.arange(len(candidates)))
    np.fill_diagonal(neighbors, False)
    assert_array_equal(counts[1], neighbors.sum(axis=1))
    assert_allclose(index.similarities(candidates), expected, atol=1e-12)


def test_pairs_of_similarity_zero_are_no_neighbours_at_any_threshold_above_zero():
    pool = ["the cat sat", "the cat sits", "xyzzy", "plugh"]
    for threshold in (1e-3, 1e-100, 1e-110, 1e-300, 5e-324):
        metric = BLEUNeighbors(threshold, 1, 1.0).fit(pool, [1, 2, 3, 4])
        assert metric.predict(["the cat sat"]).n_neighbors.tolist() == [2]
        assert sum(neighbor.counts for neighbor in metric.kneighbors("the cat sat")) == 2


@pytest.mark.parametrize(
    "candidate, text",
    [
        ("ab" * 200, "ab" * 300),  # every count above 255
        ("ab" * 5000, "ab" * 5000),  # 10,000 characters
        ("ab" * 40_000, "ab" * 39_000),  # more n-grams than 16 bits count
        ("xyz" * 100 + "".join(map(chr, range(200, 900))), "xyz" * 120),  # 255 dense rows are not enough
    ],
)
def test_long_texts_stay_exact(candidate, text):
    pool = [text, text[: len(text) // 2], "ab", "something else altogether", *(f"filler {i} xyab" for i in range(20))]
    assert_allclose(bleu_star([candidate], pool), twin_matrix([candidate], pool), rtol=1e-12)
    # The tally counts in the narrowest type that fits; a threshold between two similarities must part them.
    (values,) = twin_matrix([candidate], pool)
    for value in set(values[values > 0].tolist()):
        metric = BLEUNeighbors(value, 1, 1.0).fit(pool, np.arange(len(pool)))
        assert metric.predict([candidate]).n_neighbors[0] == np.sum(values >= value * (1 - 1e-9))


@given(strategies.words, strategies.words, st.sampled_from(["none", "add-k", "exp", "floor"]))
def test_one_to_four_grams_equal_sacrebleu(candidate, text, smooth_method):
    from sacrebleu.metrics import BLEU

    x, s = candidate.split(), text.split()
    if len(x) < 4 or not s:
        return  # sacrebleu averages over the orders that there are; Eq. 2 is 0
    sacrebleu = BLEU(tokenize="none", smooth_method=smooth_method, effective_order=False, force=True)
    expected = sacrebleu.sentence_score(candidate, [text]).score / 100
    if math.log(max(expected, 1e-300)) < -600:
        expected = 0.0  # sacrebleu's logarithm of zero is a large negative number
    got = bleu_star([candidate], [text], tokenize="none", ngram_orders=(1, 2, 3, 4), smooth_method=smooth_method)
    assert got[0, 0] == pytest.approx(expected, abs=1e-9)


@given(strategies.few_letters, strategies.few_letters)
def test_two_to_four_grams_equal_nltk(candidate, text):
    from nltk.translate.bleu_score import modified_precision

    got = bleu_star([candidate], [text])[0, 0]
    if len(candidate) < 4:
        assert got == 0
        return
    product = math.prod(float(modified_precision([list(text)], list(candidate), order)) for order in (2, 3, 4))
    brevity = math.exp(min(0, 1 - len(text) / len(candidate)))
    assert got == pytest.approx(brevity * product ** (1 / 3), abs=1e-12)
