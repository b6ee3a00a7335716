import math

import numpy as np
from scipy.stats import spearmanr

from quality_estimation_metric.evaluation import Evaluation, cross_validate, source_control


def test_every_rating_is_estimated_from_the_others():
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=50)

    def estimate(train, test, groups):
        assert not set(train) & set(test)
        values = ratings[test] + 0.5
        return values, values - 1, values + 0.25

    (found,) = cross_validate(estimate, ratings, {"text": np.arange(50)}, level=0.9, n_folds=5, seed=1)
    assert math.isclose(found.mae, 0.5)
    assert math.isclose(found.rmse, 0.5)
    assert math.isclose(found.pearson, 1)
    assert found.interval_coverage == 1
    assert math.isclose(found.interval_width, 1.25)
    assert found.constant_rmse > ratings.std()


def test_the_source_alone_tells_the_mean_rating_of_its_other_texts():
    rng = np.random.default_rng(0)
    sources, texts = rng.integers(0, 12, 60).tolist(), rng.integers(0, 4, 60).tolist()
    ratings = rng.normal(size=60) + np.array(sources)
    others = [[ratings[j] for j in range(60) if sources[j] == sources[i] and texts[j] != texts[i]] for i in range(60)]
    kept = [i for i in range(60) if others[i]]
    expected = spearmanr([np.mean(others[i]) for i in kept], ratings[kept]).statistic
    found = source_control(sources, list(zip(sources, texts, strict=True)), ratings)
    assert found is not None
    assert math.isclose(found, expected)
    assert found > 0.9
    assert "ρ = 0.9" in Evaluation((), None, found).notes[-1]
