import math

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.stats import pearsonr

from referenceless_papers.dusek.measures import (
    rounded,
    summary,
)


def test_a_summary_pools_folds_and_seeds():
    rng = default_rng(1)
    ratings = rng.integers(2, 13, 40) / 2
    rows = [np.arange(20), np.arange(20, 40)]
    values = [rng.normal(4, 2, (2, 20)) for _ in rows]
    found = summary(list(zip(rows, values, strict=True)), ratings)
    pooled = rounded(np.concatenate([values[fold][seed] for seed in (0, 1) for fold in (0, 1)]))
    assert found["rounded"]["pooled"]["pearson"] == pytest.approx(pearsonr(pooled, np.tile(ratings, 2))[0], abs=1e-5)
    seed = np.clip(np.concatenate([values[0][1], values[1][1]]), 1, 6)
    assert found["raw"]["by_seed"][1]["rmse"] == pytest.approx(math.sqrt(((seed - ratings) ** 2).mean()), abs=1e-5)
    folds = [pearsonr(rounded(values[f][s]), ratings[rows[f]])[0] for f in (0, 1) for s in (0, 1)]
    assert found["rounded"]["by_fold"]["pearson"] == pytest.approx(np.mean(folds), abs=1e-5)
