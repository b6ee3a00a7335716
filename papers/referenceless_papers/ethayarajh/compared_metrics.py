"""Several metrics compared with the same human ratings, on the texts that all of them cover.

A metric that abstains chooses its texts, and those may be the easy ones. Its correlation over its covered texts must
not be put beside another metric's over everything: here every metric is measured on its own texts and on the common
ones, and significance is tested on the common ones alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from referenceless_metrics.assessment.meta_evaluation import Correlation, mean_squared_error
from referenceless_metrics.core.support.validation import Floats
from referenceless_papers.resampled_correlations import correlation
from referenceless_papers.statistics import williams_test

_BLOCK = 1 << 20


@dataclass(frozen=True)
class ComparedMetric:
    """One metric of a comparison.

    Attributes:
        name: the metric's name.
        coverage: the share of texts for which it is defined.
        own: its correlation over the texts that it covers.
        own_mse: its mean squared error over these.
        common: its correlation over the texts that all metrics cover.
        common_mse: its mean squared error over those.
        williams_p: two-sided p by Williams' test that its correlation is that of the first metric, on the common
            texts; NaN for the first metric and if it is undefined.
        error_p: two-sided p by paired permutation that its squared errors are those of the first metric, on the
            common texts; NaN likewise.
    """

    name: str
    coverage: float
    own: Correlation
    own_mse: float
    common: Correlation
    common_mse: float
    williams_p: float
    error_p: float


@dataclass(frozen=True)
class MetricComparison:
    """Metrics against ratings.

    Attributes:
        metrics: one entry per metric, the baseline first.
        n: the number of rated texts.
        n_common: number of them that all metrics cover.
    """

    metrics: tuple[ComparedMetric, ...]
    n: int
    n_common: int

    @property
    def statement(self) -> str:
        """Note on the texts behind the figures."""
        if self.n_common == self.n:
            return f"All metrics cover all {self.n} texts."
        return (
            f"Metrics are compared on the {self.n_common} of {self.n} texts that all of them cover; p-values hold for "
            "those."
        )


def compare_metrics(
    estimates: Mapping[str, ArrayLike], ratings: ArrayLike, *, n_resamples: int = 2000
) -> MetricComparison:
    """Compare metrics with human ratings, each on its own texts and all on the common ones.

    Args:
        estimates: each metric's values, shape (n,), NaN if it abstains; the first is the baseline of the tests.
        ratings: human ratings, shape (n,), finite.
        n_resamples: bootstrap resamples behind the intervals of ρ.

    >>> ratings = [0.1, 0.4, 0.35, 0.8, 0.9]
    >>> nan = float("nan")
    >>> result = compare_metrics({"a": [0.2, 0.3, 0.4, 0.7, nan], "b": [0.9, 0.1, 0.5, 0.2, 0.3]}, ratings)
    >>> result.n_common, [metric.coverage for metric in result.metrics]
    (4, [0.8, 1.0])
    >>> result.statement
    'Metrics are compared on the 4 of 5 texts that all of them cover; p-values hold for those.'
    """
    target = np.asarray(ratings, dtype=np.float64)
    values = {name: np.asarray(column, dtype=np.float64) for name, column in estimates.items()}
    common = np.logical_and.reduce([~np.isnan(column) for column in values.values()])
    n_common = int(common.sum())
    shared = target[common]
    baseline = next(iter(values.values()))[common]

    def measured(left: Floats, right: Floats) -> Correlation:
        return correlation(left, right, "spearman", n_resamples=n_resamples)

    first: Correlation | None = None
    metrics = []
    for name, column in values.items():
        on_common = measured(column[common], shared)
        williams_p = error_p = float("nan")
        if first is None:
            first = on_common
        elif n_common >= 4:
            between = correlation(baseline, column[common], "spearman", n_resamples=1)
            williams_p = williams_test(on_common.value, first.value, between.value, n_common).p_value
            error_p = paired_error_p_value(column[common], baseline, shared)
        metrics.append(
            ComparedMetric(
                name=name,
                coverage=float(np.mean(~np.isnan(column))) if len(column) else float("nan"),
                own=on_common if n_common == np.sum(~np.isnan(column)) else measured(column, target),
                own_mse=mean_squared_error(column, target),
                common=on_common,
                common_mse=mean_squared_error(column[common], shared),
                williams_p=williams_p,
                error_p=error_p,
            )
        )
    return MetricComparison(tuple(metrics), len(target), n_common)


def paired_error_p_value(
    first: ArrayLike, second: ArrayLike, ratings: ArrayLike, *, n_permutations: int = 9999, seed: int = 12345
) -> float:
    """Two-sided p-value that two metrics have the same mean squared error, by exchanging them text by text.

    Args:
        first: one metric's estimates, shape (n,).
        second: the other's.
        ratings: human ratings, shape (n,). Texts on which one of the three is NaN are left out.
        n_permutations: random exchanges; all of them if they are fewer. The smallest p of random ones is 2 /
            (n_permutations + 1), twice the smaller tail.
        seed: seed of the exchanges.

    Returns:
        p in (0, 1]; NaN for no common text.

    >>> paired_error_p_value([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0])  # 2 of 8 exchanges are as extreme
    0.25
    """
    from scipy.stats import permutation_test

    a, b, target = (np.asarray(each, dtype=np.float64) for each in (first, second, ratings))
    difference = (a - target) ** 2 - (b - target) ** 2
    difference = difference[~np.isnan(difference)]
    if not len(difference):
        return float("nan")
    if len(difference) == 1 or not difference.any():
        return 1.0
    test = permutation_test(
        (difference,),
        lambda exchanged, axis: exchanged.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=n_permutations,
        batch=max(1, _BLOCK // len(difference)),
        random_state=np.random.default_rng(seed),
    )
    return float(test.pvalue)
