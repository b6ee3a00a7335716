"""Means of a metric that estimates ratings, over resamples of its pool and of the segments."""

import numpy as np
import pytest
from numpy.random import default_rng

from metric_commons.systems.comparison import resampled_means

TEXTS = [f"text {i}" for i in range(400)]
EVERYWHERE = np.ones(400, dtype=np.bool_)


def means(*scores, resampler=None):
    where = [EVERYWHERE] * len(scores)
    return resampled_means([TEXTS] * len(scores), scores, where, resampler, n_resamples=2000, seed=1)[0]


def test_p_is_that_of_a_paired_test():
    rng = default_rng(0)
    base = rng.normal(size=400)
    shift = rng.normal(0.1, 1, 400)
    _, same, second = means(base, base.copy(), base + shift)
    from scipy.stats import ttest_1samp

    assert same.p_value == 1.0
    assert second.p_value == pytest.approx(ttest_1samp(shift, 0).pvalue, abs=0.02)


def test_the_draw_of_the_pool_widens_the_interval():
    values = default_rng(0).normal(3, 0.1, 400)
    accident = default_rng(1).normal(0, 0.5, 2000)  # one pool rates all texts higher, another lower
    number = {text: i for i, text in enumerate(TEXTS)}

    def resampler(texts):
        return values[[number[text] for text in texts]][:, None] + accident

    (fixed,) = means(values)
    (drawn,) = means(values, resampler=resampler)
    assert drawn.ci == pytest.approx(1.96 * 0.5, rel=0.1)
    assert fixed.ci < 0.05
