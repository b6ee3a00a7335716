"""Entropy pruning against its definition: the cross-entropy of the model with and without an n-gram."""

import numpy as np
import pytest
from numpy.random import default_rng

from slor_metric.language_models.ngram.estimation import count_ngrams, estimate, keep_best, losses


@pytest.fixture(scope="module")
def tables():
    rng = default_rng(3)
    weights = 1 / np.arange(1, 13)
    sentences = [[1, *rng.choice(12, rng.integers(2, 9), p=weights / weights.sum()) + 3, 2] for _ in range(120)]
    return count_ngrams(np.concatenate(sentences).astype(np.uint32), 3, 15)


def names_of(tables):
    """The n-grams of each order, from 0, as the numbers of their words."""
    names = [[()]]
    for table in tables:
        names.append([(*names[-1][q], int(w)) for q, w in zip(table.parents, table.words, strict=True)])
    return names


def distribution(tables, p, keep, context):
    """p(w | context) for all w under the kept n-grams, by definition; every sum is spelt out."""
    size = len(tables[0])
    if not context:
        found = p[0].copy()
        found[1] = 0
        return found
    lower = distribution(tables, p, keep, context[1:])
    k = len(context)
    names = names_of(tables)[k]
    if context not in names:
        return lower
    mine = (tables[k].parents == names.index(context)) & keep[k]
    if not mine.any():
        return lower
    found = np.full(size, np.nan)
    words = tables[k].words[mine]
    found[words] = p[k][mine]
    free = 1 - p[k][mine].sum()
    others = np.ones(size, dtype=bool)
    others[words] = False
    found[others] = lower[others] * free / lower[others].sum()
    found[1] = 0
    return found


def test_loss_is_the_rise_of_the_cross_entropy(tables):
    p, _ = estimate(tables, (0,) * len(tables))
    total = int(tables[0].counts.sum())
    everything = [np.ones(len(table), dtype=bool) for table in tables]
    mine = losses(tables, p, everything, total)
    names = names_of(tables)
    rng = default_rng(0)
    for k in (1, 2):
        for i in rng.choice(len(tables[k]), 25, replace=False):
            context = names[k][tables[k].parents[i]]
            before = distribution(tables, p, everything, context)
            keep = [mask.copy() for mask in everything]
            keep[k][i] = False
            after = distribution(tables, p, keep, context)
            seen = before > 0
            rise = float((before[seen] * np.log(before[seen] / after[seen])).sum())
            weight = tables[k - 1].counts[tables[k].parents[i]] / total
            assert mine[k - 1][i] == pytest.approx(weight * rise, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("size", [0, 1, 17, 60, 10_000])
def test_keeps_the_best_and_all_their_contexts(tables, size):
    p, _ = estimate(tables, (0,) * len(tables))
    everything = [np.ones(len(table), dtype=bool) for table in tables]
    loss = losses(tables, p, everything, int(tables[0].counts.sum()))
    keep = keep_best(tables, loss, size)
    assert keep[0].all()
    kept = sum(int(mask.sum()) for mask in keep[1:])
    assert kept == min(size, sum(map(len, tables[1:])))
    assert keep[1][tables[2].parents[keep[2]]].all()
    gone = ~keep[2]
    if kept and gone.any() and keep[2].any():
        assert loss[1][gone].max() <= min(
            max(loss[0][i], loss[1][tables[2].parents == i].max(initial=-1)) for i in np.flatnonzero(keep[1])
        )
