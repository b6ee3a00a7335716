"""Paired differences against their definitions and other packages."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy import stats

from referenceless_metrics.human_evaluation.scores.paired import (
    detectable_share,
    mcnemar_p,
    mean_of_clusters,
    newcombe_interval,
    paired_shares_p,
    wilson_interval,
)

CLUSTERS = st.lists(st.lists(st.integers(-9, 9), min_size=1, max_size=5), min_size=2, max_size=8)


def matrices(values, clusters):
    """CR2 and Satterthwaite's degrees of freedom by their matrices (Bell & McCaffrey 2002), for a mean."""
    n = len(values)
    residual_maker = np.eye(n) - 1 / n
    adjusted = np.zeros((clusters.max() + 1, n))
    for cluster, row in enumerate(adjusted):
        inside = np.flatnonzero(clusters == cluster)
        block = residual_maker[np.ix_(inside, inside)]
        eigenvalues, vectors = np.linalg.eigh(block)
        row[inside] = (vectors / np.sqrt(eigenvalues) @ vectors.T).sum(axis=0) / n
    variance = ((adjusted @ (values - values.mean())) ** 2).sum()
    spread = adjusted @ residual_maker @ adjusted.T
    return np.sqrt(variance), np.trace(spread) ** 2 / (spread**2).sum()


@given(CLUSTERS)
def test_cr2_is_that_of_its_matrices(lists):
    values = np.concatenate(lists).astype(float)
    clusters = np.repeat(np.arange(len(lists)), list(map(len, lists)))
    mean = mean_of_clusters(values, clusters)
    assert (mean.standard_error, mean.degrees_of_freedom) == pytest.approx(matrices(values, clusters), abs=1e-9)


@given(st.lists(st.floats(-5, 5), min_size=3, max_size=30).filter(lambda values: np.ptp(values) > 1e-3))
def test_without_clusters_it_is_the_t_test(values):
    values = np.array(values)
    mean = mean_of_clusters(values, np.arange(len(values)))
    expected = stats.ttest_1samp(values, 0.0)
    assert mean.p_value() == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    assert mean.interval(0.9) == pytest.approx(tuple(expected.confidence_interval(0.9)), abs=1e-9)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_scipys_test_of_wins_and_losses(wins, losses):
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert mcnemar_p(wins, losses) == pytest.approx(expected)


@pytest.mark.long
def test_mcnemar_is_that_of_statsmodels():
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    for wins, losses in ((0, 0), (8, 1), (30, 12), (5, 5)):
        assert mcnemar_p(wins, losses) == pytest.approx(tables.mcnemar([[3, wins], [losses, 4]], exact=True).pvalue)


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_wilson_is_that_of_scipy(counts, level):
    expected = stats.binomtest(*counts).proportion_ci(level, method="wilson")
    assert wilson_interval(*counts, level) == pytest.approx(tuple(expected), abs=1e-9)


@pytest.mark.parametrize("table, interval", [((36, 12, 2, 0), (0.0569, 0.3404)), ((20, 12, 2, 16), (0.0562, 0.3292))])
def test_newcombe_gives_the_figures_of_his_examples(table, interval):
    assert newcombe_interval(*table, 0.95) == pytest.approx(interval, abs=5e-5)


def test_the_p_of_two_shares_is_no_smaller_than_that_of_their_interval():
    table = 0, 20, 1, 0
    p = paired_shares_p(*table)
    assert p > mcnemar_p(20, 1)  # the interval says less than the exact test
    assert newcombe_interval(*table, 1 - 1.01 * p)[0] > 0 > newcombe_interval(*table, 1 - 0.99 * p)[0]
    assert paired_shares_p(3, 8, 1, 4) == mcnemar_p(8, 1)


def test_the_detectable_difference_of_shares_is_found_four_times_in_five_by_the_exact_test():
    generator, counts = default_rng(0), (40, 20, 12, 28)
    difference = detectable_share(*counts, 0.95)
    unlike = 0.32
    chances = [0.4, (unlike + difference) / 2, (unlike - difference) / 2, 0.28]
    drawn = generator.multinomial(100, chances, size=1500)
    found = np.mean([mcnemar_p(int(wins), int(losses)) <= 0.05 for _, wins, losses, _ in drawn])
    assert 0.77 <= found <= 0.83
    assert np.isnan(detectable_share(18, 1, 1, 0, 0.95))
