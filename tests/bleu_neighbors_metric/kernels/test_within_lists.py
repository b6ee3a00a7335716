"""Mean similarities within lists beside the whole matrix of each list; beside sacrebleu: the tests of MBR."""

import numpy as np
import pytest
from example_fits import POOL
from hypothesis import given
from hypothesis import strategies as st
from text_strategies import texts

from bleu_neighbors_metric.kernels.kernel import KernelInput, TextOptions, prepare_pool
from bleu_neighbors_metric.kernels.within_lists import mean_similarities
from bleu_neighbors_metric.tokenizers import tokenize

list_of_lists = st.lists(st.lists(texts, min_size=1, max_size=5, unique=True), min_size=1, max_size=4)
options = st.builds(
    TextOptions,
    tokenize=st.sampled_from(["char", "13a", "none", "intl"]),
    ngram_orders=st.sampled_from([(2, 3, 4), (1,), (1, 2, 3, 4), (3, 7)]),
    smooth_method=st.sampled_from(["none", "floor", "add-k", "exp"]),
    clip=st.booleans(),
)


def flat(lists):
    return [text for members in lists for text in members], np.cumsum([0, *map(len, lists)])


def flat_weights(weights):
    return np.array([count for members in weights for count in members], dtype=np.float64)


def by_matrices(kernel, lists, weights, read):
    """The mean over all others, each equal text in turn."""
    means = []
    for members, counts in zip(lists, weights, strict=True):
        whole = [text for text, count in zip(members, counts, strict=True) for _ in range(count)]
        similarity = prepare_pool(kernel, KernelInput(whole, np.zeros(len(whole)), read)).similarities(whole)
        for text in members:
            others = np.delete(similarity[whole.index(text)], whole.index(text))
            means.append(float(others.mean()) if len(others) else float("nan"))
    return means


@given(list_of_lists, options, st.data())
def test_means_are_those_of_the_matrix(lists, read, data):
    weights = [[data.draw(st.integers(1, 3)) for _ in members] for members in lists]
    means, n_tokens = mean_similarities("bleu_star", *flat(lists), flat_weights(weights), options=read)
    assert means == pytest.approx(by_matrices("bleu_star", lists, weights, read), rel=1e-9, abs=1e-12, nan_ok=True)
    assert n_tokens.tolist() == [len(tokenize(text, read.tokenize)) for text in flat(lists)[0]]


def test_any_kernel_has_means():
    pool = POOL.texts
    lists, weights = [pool[:5], pool[5:6], pool[6:9]], [[1, 2, 1, 1, 3], [1], [1, 1, 1]]
    means, _ = mean_similarities("rouge_l", *flat(lists), flat_weights(weights))
    assert means == pytest.approx(by_matrices("rouge_l", lists, weights, TextOptions()), nan_ok=True)
    assert np.isnan(means).tolist() == [False] * 5 + [True] + [False] * 3


def test_threads_and_batches_change_nothing():
    pool = POOL.texts
    lists = [[pool[(i + j) % len(pool)] for j in range(1 + i % 5)] for i in range(200)]
    weights = np.ones(sum(map(len, lists)))
    one, _ = mean_similarities("bleu_star", *flat(lists), weights)
    two, _ = mean_similarities("bleu_star", *flat(lists), weights, n_jobs=2)
    assert one.tobytes() == two.tobytes()
