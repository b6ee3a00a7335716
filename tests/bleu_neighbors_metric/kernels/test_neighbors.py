"""Eq. 3's sums beside loops: at one threshold, at several, and within parts of a pool."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from bleu_neighbors_metric.kernels.neighbors import (
    NeighborRule,
    Ratings,
    leave_absent,
    tally,
    tally_parts,
    tally_thresholds,
)

LEVELS = [0.0, 0.1, 0.25 * (1 - 1e-10), 0.25, 0.5, 1.0]


@st.composite
def cases(draw):
    n, c = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    row = st.lists(st.sampled_from(LEVELS), min_size=n, max_size=n)
    similarity = np.array(draw(st.lists(row, min_size=c, max_size=c)))
    quality = draw(st.lists(st.sampled_from([0.0, 1e-9, 0.3, -2.0, 1.0, 7.5]), min_size=n, max_size=n))
    n_tokens = np.array(draw(st.lists(st.integers(0, 2), min_size=c, max_size=c)))
    excluded = np.array(draw(st.lists(st.integers(-1, n - 1), min_size=c, max_size=c)))
    return leave_absent(similarity, n_tokens, excluded), np.array(quality)


def check(got, at, row, quality, rule, members):
    """Compare one candidate's sums with a loop over the pool's members."""
    near = [j for j, value in enumerate(row) if value >= rule.threshold * (1 - 1e-9) and members[j]]
    weights = [row[j] if rule.weights == "similarity" else 1.0 for j in near]
    weight, summed = sum(weights), math.fsum(w * quality[j] for w, j in zip(weights, near, strict=True))
    assert got.n_neighbors[at] == len(near)
    assert got.weight[at] == pytest.approx(weight, abs=1e-12)
    assert got.rating_sums[at] == pytest.approx(summed, rel=1e-12, abs=1e-14)
    assert got.mean()[at] == pytest.approx(summed / weight if weight else math.nan, rel=1e-12, abs=1e-14, nan_ok=True)


@given(
    cases(),
    st.sampled_from(["uniform", "similarity"]),
    st.lists(st.sampled_from(LEVELS), min_size=1, max_size=6),
    st.integers(0, 2**16),
)
def test_sums_at_thresholds_and_within_parts_equal_those_by_hand(case, weights, thresholds, seed):
    similarity, quality = case
    members = (np.random.default_rng(seed).random((len(quality), 3)) < 0.6).astype(float)
    members[:, 2] = 1.0
    ratings = Ratings.of(quality)
    together = tally_thresholds(similarity, ratings, np.array(thresholds), weights)
    for place, threshold in enumerate(thresholds):
        rule = NeighborRule(threshold, weights)
        alone, of_parts = tally(similarity, ratings, rule), tally_parts(members, ratings, rule)(similarity)
        for i, row in enumerate(similarity):
            check(alone, i, row, quality, rule, members[:, 2])
            check(together, (place, i), row, quality, rule, members[:, 2])
            for part in range(3):
                check(of_parts, (i, part), row, quality, rule, members[:, part])
        if weights == "uniform":  # exact, so equal bit for bit
            assert_array_equal(together.mean()[place], alone.mean())
            assert_array_equal(of_parts.mean()[:, 2], alone.mean())
