"""BLEU Neighbors as a metric of sacrebleu, beside BLEU and chrF."""

import json

import numpy as np
import pytest
from refusals import refusals
from sacrebleu.significance import PairedTest
from scipy import stats
from small_metrics import CANDIDATES, PARAMETERS, POOL, RATINGS

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric


@pytest.fixture
def metric():
    return BLEUNeighborsMetric(POOL, RATINGS, **PARAMETERS)


test_bad_arguments = refusals(
    lambda arguments: BLEUNeighborsMetric(**arguments),
    [
        ({}, "needs a pool"),
        ({"rated_texts": POOL}, "Expected `ratings`"),
        ({"rated_texts": POOL, "ratings": [1.0]}, "`ratings`.*4 texts.*got 1"),
        ({"rated_texts": POOL, "ratings": RATINGS, "pool": "x"}, "got rated_texts and pool"),
        ({"pool": "no-such-file"}, "no-such-file: there is no such file"),
        ({"rated_texts": POOL, "ratings": RATINGS, "thresold": 1}, "thresold", TypeError),
        ({"estimator": BLEUNeighbors()}, "fitted"),
        ({"estimator": BLEUNeighbors(), "pool": "x"}, "got both"),
    ],
)


def test_signature_tells_the_parameters_and_the_pool(metric):
    long = metric.get_signature().format()
    assert long.startswith("nrefs:0|kernel:bleu_star|tok:char|orders:2,3,4|smooth:none|clip:yes|tau:0.15|a:1|b:1|")
    # what the estimator says of itself, between the number of references and what a p is of
    said = long.removeprefix("nrefs:0|").replace("|p_of:metric_mean_not_people", "")
    assert said == metric.metric.signature
    assert said != long.removeprefix("nrefs:0|")
    content = json.loads(metric.corpus_score(CANDIDATES).format(4, False, long, True))
    assert content["tau"] == "0.15"


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
