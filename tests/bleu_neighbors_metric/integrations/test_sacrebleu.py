"""BLEU Neighbors as a metric of sacrebleu, beside BLEU and chrF."""

import numpy as np
import pytest
from sacrebleu.significance import PairedTest
from scipy import stats

from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric


def test_on_real_outputs(data_dir):
    from metric_commons.datasets import load_rated

    rated = load_rated("huse:summarization", data_dir=str(data_dir("huse")))
    half = len(rated) // 2
    metric = BLEUNeighborsMetric(rated.texts[:half], rated.ratings[:half], max_fraction=1.0, n_jobs=-1)
    score = metric.corpus_score(rated.texts[half:], n_bootstrap=1000)
    assert score.coverage > 0.9
    assert abs(score.score - rated.ratings[half:].mean()) < 3 * score._ci + 0.05
    # the held-out texts in two halves, by their human ratings: a worse system and a better one
    order = [half + int(i) for i in np.argsort(rated.ratings[half:], kind="stable")]
    worse, better = ([rated.texts[i] for i in part] for part in (order[: len(order) // 2], order[-(len(order) // 2) :]))
    baseline, other = PairedTest([("worse", worse), ("better", better)], {"x": metric}, None, "ar", 5000)()[1][
        metric.name
    ]
    assert other.score > baseline.score
    # p, which such small halves do not bring below 0.05, is that of scipy's paired permutation test
    oracle = stats.permutation_test(
        (metric.segment_scores(worse), metric.segment_scores(better)),
        lambda x, y, axis: np.abs(np.nanmean(x, axis=axis) - np.nanmean(y, axis=axis)),
        permutation_type="samples",
        alternative="greater",
        n_resamples=5000,
        vectorized=True,
        rng=np.random.default_rng(0),
    )
    assert other.p_value == pytest.approx(oracle.pvalue, abs=0.02)
