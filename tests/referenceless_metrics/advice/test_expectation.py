"""What advice leads to expect is what texts that it has not seen then show; of noise it warns."""

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.stats import spearmanr

from metric_commons.assessment.agreement import NO_BETTER
from metric_commons.assessment.assessment import assess, left_out_estimates
from metric_commons.assessment.meta_evaluation import fisher_interval

LENGTHS = np.arange(1.0, 251.0)


def line_from_parts(lengths, ratings):
    """Estimate by a line through the lengths, each text left out."""

    def from_parts(members):
        estimates = np.empty(members.shape)
        for column, part in zip(estimates.T, members.T, strict=True):
            for row in range(len(lengths)):
                kept = (part > 0) & (np.arange(len(lengths)) != row)
                column[row] = np.polyval(np.polyfit(lengths[kept], ratings[kept], 1), lengths[row])
        return estimates

    return from_parts


def split(generator, r):
    z = (LENGTHS - LENGTHS.mean()) / LENGTHS.std()
    ratings = r * z + np.sqrt(1 - r * r) * generator.normal(size=250)
    order = generator.permutation(250)
    return order[:120], order[120:], ratings


@pytest.mark.parametrize("r", [0.0, 0.5])
def test_it_is_what_held_out_texts_show(r):
    generator = default_rng(7)
    inside = warned = 0
    for _ in range(12):
        rated, held, ratings = split(generator, r)
        estimates = left_out_estimates(line_from_parts(LENGTHS[rated], ratings[rated]), ratings[rated], {})
        found = assess(estimates, [str(row) for row in rated], ratings[rated])
        line = np.polyfit(LENGTHS[rated], ratings[rated], 1)
        seen = float(spearmanr(np.polyval(line, LENGTHS[held]), ratings[held]).statistic)
        low, high = fisher_interval(seen, len(held), variance=2 * (1 + seen**2 / 2))  # both sides vary
        inside += low <= found.expected.spearman.value <= high
        warned += found.verdict.verdict == NO_BETTER
    if r:
        assert inside >= 10
    assert warned <= 1 if r else warned >= 10
