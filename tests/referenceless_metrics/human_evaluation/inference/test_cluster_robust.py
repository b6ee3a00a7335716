"""The variance by clusters: that of differences of scores, and Satterthwaite's degrees of freedom by matrices."""

import numpy as np
import pytest
from numpy.random import default_rng

from referenceless_metrics.human_evaluation.inference.cluster_robust import cluster_robust_variance
from referenceless_metrics.human_evaluation.inference.human_score import human_scores
from referenceless_metrics.human_evaluation.inference.output_ratings import SystemRatings
from referenceless_metrics.human_evaluation.scores.paired import mean_of_clusters


def clustered(seed=0):
    generator = default_rng(seed)
    clusters = np.repeat(np.arange(6), [1, 2, 3, 5, 8, 11])
    return generator.normal(size=6)[clusters] + generator.normal(size=30), clusters, generator


def test_with_equal_weights_it_is_that_of_scores():
    values, clusters, _ = clustered()
    variance, freedom = cluster_robust_variance(values, np.full(30, 1 / 30), clusters)
    of_scores = mean_of_clusters(values, clusters)
    assert np.sqrt(variance) == pytest.approx(of_scores.standard_error)
    assert freedom == pytest.approx(of_scores.degrees_of_freedom)


def test_with_any_weights_it_is_unbiased_for_independent_values_with_freedoms_by_matrices():
    values, clusters, generator = clustered()
    weights = generator.dirichlet(np.full(30, 2.0))
    indicators = (clusters[:, None] == np.arange(6)) * weights[:, None]
    # Residuals of clusters are linear in the values: one column per cluster.
    residuals = indicators - np.outer(weights, indicators.sum(axis=0))
    factors = (weights**2 @ (clusters[:, None] == np.arange(6))) / (residuals**2).sum(axis=0)
    form = residuals @ np.diag(factors) @ residuals.T
    variance, freedom = cluster_robust_variance(values, weights, clusters)
    assert variance == pytest.approx(values @ form @ values)
    assert np.trace(form) == pytest.approx((weights**2).sum())
    assert freedom == pytest.approx(np.trace(form) ** 2 / np.trace(form @ form))


def test_of_two_systems_it_is_unbiased_for_independent_values_with_freedoms_by_matrices():
    """Clusters 0 to 5 hold the first system's values, 4 to 8 the second's: two clusters hold both."""
    generator = default_rng(5)
    clusters = np.concatenate([np.repeat(np.arange(6), [1, 2, 3, 5, 8, 11]), np.repeat(np.arange(4, 9), 4)])
    systems = np.repeat([0, 1], [30, 20])
    weights = np.concatenate([generator.dirichlet(np.full(30, 2.0)), -generator.dirichlet(np.full(20, 2.0))])
    values = generator.normal(size=50)
    residuals = np.zeros((50, 9))
    for system in (0, 1):
        of = np.flatnonzero(systems == system)
        indicators = (clusters[of, None] == np.arange(9)) * weights[of, None]
        residuals[of] = indicators - np.outer(np.abs(weights[of]), indicators.sum(axis=0))
    factors = (weights**2 @ (clusters[:, None] == np.arange(9))) / (residuals**2).sum(axis=0)
    form = residuals @ np.diag(factors) @ residuals.T
    variance, freedom = cluster_robust_variance(values, weights, clusters, systems)
    assert variance == pytest.approx(values @ form @ values)
    assert np.trace(form) == pytest.approx((weights**2).sum())
    assert freedom == pytest.approx(np.trace(form) ** 2 / np.trace(form @ form))


def test_unpaired_ratings_in_clusters_have_welchs_cluster_robust_error():
    generator = default_rng(6)
    clusters = np.repeat(np.arange(6), [2, 3, 5, 8, 9, 13])
    ratings = [generator.normal(size=6)[clusters] + generator.normal(size=40) for _ in range(2)]
    systems = [
        SystemRatings(
            name,
            values,
            np.full(40, np.nan),
            items=[f"{name}{i}" for i in range(40)],
            clusters=[f"{name}{cluster}" for cluster in clusters],
        )
        for name, values in zip("ab", ratings, strict=True)
    ]
    (difference,) = human_scores(systems).differences
    errors = [mean_of_clusters(values, clusters).standard_error for values in ratings]
    assert difference.ratings_alone.standard_error == pytest.approx(np.hypot(*errors))


@pytest.mark.parametrize("scale", [None, (1, 7)])
def test_a_difference_over_few_clusters_has_about_the_width_of_a_cluster_robust_t(scale):
    generator = default_rng(1)
    clusters = np.repeat(np.arange(6), 8)
    ratings = [
        np.clip(np.round(4 + generator.normal(size=6)[clusters] + generator.normal(size=48)), 1, 7) for _ in range(2)
    ]
    systems = [
        SystemRatings(name, values, np.full(48, np.nan), clusters=clusters.tolist())
        for name, values in zip("ab", ratings, strict=True)
    ]
    (difference,) = human_scores(systems, scale=scale).differences
    expected = mean_of_clusters(ratings[1] - ratings[0], clusters).width()
    assert expected <= difference.mean.width() * (1 + 1e-9)
    assert difference.mean.width() < 1.05 * expected
