"""Shards of a pool: merged, they give the bits of the whole."""

from __future__ import annotations

import random

import numpy as np
import pytest
import text_strategies as strategies
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.shards.tally import Shard, merge, tally_shard


def rated(n: int, seed: int = 0):
    """Texts with repetitions, and ratings up to 1 with tiny ones among them: more than one word to a sum."""
    rng = random.Random(seed)
    words = ["tree", "trees", "river", "stone", "sky", "the", "the", "a", "of", "and", "zebra"]
    texts = [" ".join(rng.choices(words, k=rng.randint(1, 9))) for _ in range(n)]
    ratings = np.random.default_rng(seed).random(n)
    ratings[:2] = 0.0001, 1e-30
    return texts, ratings


def equal(result, other):
    np.testing.assert_array_equal(result.values, other.values)
    np.testing.assert_array_equal(result.n_neighbors, other.n_neighbors)
    assert result.reasons == other.reasons
    assert (result.signature, result.details) == (other.signature, other.details)


@pytest.mark.parametrize("k", [1, 2, 7])
@pytest.mark.parametrize("tokenize", ["char", "13a"])
def test_merged_shards_equal_the_whole_bit_for_bit(k, tokenize):
    texts, ratings = rated(400)
    metric = BLEUNeighbors(0.3, 2, 0.5, tokenize=tokenize, progress=False)
    candidates = [*rated(40, 1)[0], "", "zzzz", texts[0]]
    fitted = BLEUNeighbors(**metric.get_params()).fit(texts, ratings)
    assert fitted.pool_ratings.unit.n_words > 1
    shards = [Shard(number, k) for number in range(1, k + 1)]
    equal(merge([tally_shard(metric, texts, ratings, shard, candidates) for shard in shards]),
          fitted.predict(candidates))  # fmt: skip
    equal(merge([tally_shard(metric, texts, ratings, shard) for shard in reversed(shards)]), fitted.leave_one_out())


@settings(max_examples=25, deadline=None)
@given(strategies.pools, strategies.candidates, st.integers(1, 4), st.floats(1e-9, 1))
def test_any_pool_can_be_sharded(texts, candidates, k, least):
    ratings = np.linspace(least, 1, len(texts))
    metric = BLEUNeighbors(0.1, 1, 1.0, progress=False)
    fitted = BLEUNeighbors(**metric.get_params()).fit(texts, ratings)
    k = min(k, len(fitted.texts_))
    shards = [tally_shard(metric, texts, ratings, Shard(number, k), candidates) for number in range(1, k + 1)]
    equal(merge(shards), fitted.predict(candidates))


def test_similarity_weights_are_equal_up_to_rounding():
    texts, ratings = rated(200)
    metric = BLEUNeighbors(0.2, 1, 1.0, weights="similarity", progress=False)
    whole = BLEUNeighbors(**metric.get_params()).fit(texts, ratings).leave_one_out()
    merged = merge([tally_shard(metric, texts, ratings, Shard(number, 3)) for number in (1, 2, 3)])
    np.testing.assert_allclose(merged.values, whole.values, rtol=1e-12)
    assert merged.reasons == whole.reasons


def test_shards_that_do_not_belong_together_are_refused():
    texts, ratings = rated(30)
    metric = BLEUNeighbors(0.2, 1, 1.0, progress=False)

    def shard(text="1/2", own=metric, pool=texts, candidates=("the tree",)):
        return tally_shard(own, pool, ratings[: len(pool)], Shard.parse(text), candidates)

    with pytest.raises(ValueError, match="2/2 did not come"):
        merge([shard()])
    with pytest.raises(ValueError, match="1/2 came twice"):
        merge([shard(), shard(), shard("2/2")])
    with pytest.raises(ValueError, match="one signature"):
        merge([shard(), shard("2/2", BLEUNeighbors(0.3, 1, 1.0))])
    with pytest.raises(ValueError, match="one signature"):
        merge([shard(), shard("2/2", pool=texts[:-1])])
    with pytest.raises(ValueError, match="same candidates"):
        merge([shard(), shard("2/2", candidates=("the river",))])
    with pytest.raises(ValueError, match="one division"):
        merge([shard(), shard("2/3"), shard("3/3")])
    with pytest.raises(ValueError, match="every shard"):
        merge([])


def test_what_only_a_whole_pool_can_tell_is_refused():
    with pytest.raises(ValueError, match="'auto' looks at the whole pool"):
        tally_shard(BLEUNeighbors("auto"), ["a"], [1], Shard(1, 1))
    with pytest.raises(ValueError, match="`kernel` to be one of bleu_star, rouge_l, meteor"):
        tally_shard(BLEUNeighbors(kernel="bertscore"), ["a"], [1], Shard(1, 1))
    with pytest.raises(ValueError, match=r"as many shards as distinct texts \(1\)"):
        tally_shard(BLEUNeighbors(), ["a", "a"], [1, 2], Shard(1, 2))


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", "1/12345678"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(ValueError, match="Expected"):
        Shard.parse(text)
