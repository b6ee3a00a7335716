"""Coverage of two systems on the same items: one that fails more often is told, and chance is not."""

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.stats import binomtest

from referenceless_metrics.human_evaluation.inference.paired_coverage import PairedCoverage, unlike_coverage


def covered(n: int, *missing: int) -> np.ndarray:
    values = np.ones(n, dtype=bool)
    values[list(missing)] = False
    return values


def test_counts_are_of_pairs():
    coverage = PairedCoverage.of(("ours", covered(20, 0, 1, 2, 3, 4)), ("base", covered(20, 4, 5)))
    assert (coverage.n_system, coverage.n_baseline, coverage.n_both, coverage.n_lost) == (15, 18, 14, 4)
    assert coverage.counts == "14 of 20 segments have a value of both (ours 15, base 18)"
    assert coverage.told == (
        "ours has no value for 4 of 20 segments for which base has one, and base for 1 for which ours has one"
    )
    assert coverage.p_fewer == pytest.approx(binomtest(1, 5, alternative="less").pvalue)
    assert coverage.p_value == pytest.approx(binomtest(1, 5).pvalue)
    assert not coverage.is_lower(0.05)


def test_segments_of_a_document_fail_together():
    """Ten failures of one document are one failure."""
    ours, base = covered(100, *range(10)), covered(100)
    documents = np.arange(100) // 10
    assert PairedCoverage.of(("ours", ours), ("base", base)).is_lower(0.05)
    clustered = PairedCoverage.of(("ours", ours), ("base", base), documents)
    assert (clustered.n_lost, clustered.n_lost_clusters, clustered.p_fewer) == (10, 1, 0.5)
    assert not clustered.is_lower(0.05)


def test_a_share_that_hardly_moves_a_mean_is_not_told():
    ours, base = covered(100_000, *range(20)), covered(100_000)
    coverage = PairedCoverage.of(("ours", ours), ("base", base))
    assert coverage.p_fewer < 0.0001
    assert not coverage.is_lower(0.05)
    assert unlike_coverage([coverage], 0.05) == []


def test_equal_failures_seldom_block():
    """Systems that fail on a tenth of 200 items each: the one-sided test rejects one time in twenty at most."""
    draw = default_rng(7)
    blocked = [
        PairedCoverage.of(("ours", draw.random(200) > 0.1), ("base", draw.random(200) > 0.1)).is_lower(0.05)
        for _ in range(400)
    ]
    assert 0 < np.mean(blocked) < 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)


def test_several_systems_are_corrected():
    five = PairedCoverage.of(("a", covered(50, 0, 1, 2, 3, 4, 5)), ("base", covered(50)))
    none = PairedCoverage.of(("b", covered(50)), ("base", covered(50)))
    assert five.p_value == pytest.approx(0.03125)
    assert len(unlike_coverage([five], 0.05)) == 1
    assert unlike_coverage([five, none], 0.05) == []
