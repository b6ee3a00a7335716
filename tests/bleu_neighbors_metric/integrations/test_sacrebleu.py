"""BLEU Neighbors as a metric of sacrebleu, beside BLEU and chrF."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest
from scipy import stats
from small_metrics import CANDIDATES, PARAMETERS, POOL, RATINGS

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric


@pytest.fixture
def metric() -> BLEUNeighborsMetric:
    return BLEUNeighborsMetric(POOL, RATINGS, **PARAMETERS)


def test_scores_are_those_of_the_estimator(metric: BLEUNeighborsMetric) -> None:
    estimates = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS).predict(CANDIDATES)
    score = metric.corpus_score(CANDIDATES)
    assert 0 < estimates.coverage < 1
    assert score.score == pytest.approx(estimates.mean)
    assert score.coverage == pytest.approx(estimates.coverage)
    np.testing.assert_array_equal(metric.segment_scores(CANDIDATES), estimates.values)
    for text, quality in zip(CANDIDATES, estimates.values, strict=True):
        sentence = metric.sentence_score(text)
        assert sentence.score == pytest.approx(quality, nan_ok=True)
        assert sentence.coverage == float(not math.isnan(quality))


def test_centre_is_the_mean_of_the_pool(metric: BLEUNeighborsMetric) -> None:
    assert metric.mean_rating == pytest.approx(np.mean(RATINGS))


def test_pool_index_or_estimator(metric: BLEUNeighborsMetric, tmp_path: Path) -> None:
    estimator = BLEUNeighbors(**PARAMETERS).fit(POOL, RATINGS)
    estimator.save(tmp_path / "pool.index")
    expected = metric.corpus_score(CANDIDATES).score
    assert BLEUNeighborsMetric(index=tmp_path / "pool.index").corpus_score(CANDIDATES).score == expected
    assert BLEUNeighborsMetric(estimator=estimator).corpus_score(CANDIDATES).score == expected
    stricter = BLEUNeighborsMetric(index=tmp_path / "pool.index", threshold=0.5)
    assert stricter.metric.threshold == 0.5


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ValueError, "needs a pool"),
        ({"training_texts": POOL}, ValueError, "missing: `training_quality`"),
        ({"training_texts": POOL, "training_quality": [1.0]}, ValueError, "`ratings`.*4 texts.*got 1"),
        ({"training_texts": POOL, "training_quality": RATINGS, "index": "x"}, ValueError, "got both"),
        ({"index": "no-such-file"}, FileNotFoundError, "no file at no-such-file"),
        ({"training_texts": POOL, "training_quality": RATINGS, "thresold": 1}, TypeError, "thresold"),
        ({"estimator": BLEUNeighbors()}, ValueError, "fitted"),
        ({"estimator": BLEUNeighbors(), "index": "x"}, ValueError, "got both"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        BLEUNeighborsMetric(**arguments)


def test_signature_tells_the_parameters_and_the_pool(metric: BLEUNeighborsMetric) -> None:
    long, short = metric.get_signature().format(), metric.get_signature().format(short=True)
    assert long.startswith("nrefs:0|kernel:bleu_star|tok:char|orders:2,3,4|smooth:none|clip:yes|tau:0.08|a:1|b:1|")
    assert short.startswith("#:0|k:bleu_star|tok:char|n:2,3,4|s:none|c:yes|tau:0.08|a:1|b:1|w:uniform|p:4.")
    # what the estimator says of itself, between the number of references and what a p is of
    said = long.removeprefix("nrefs:0|").replace("|p_of:metric_mean_not_people", "")
    assert said == metric.metric.signature
    assert said != long.removeprefix("nrefs:0|")
    content = json.loads(metric.corpus_score(CANDIDATES).format(4, False, long, True))
    assert content["tau"] == "0.08"


def test_pickling(metric: BLEUNeighborsMetric) -> None:
    metric.corpus_score(CANDIDATES)
    copy = pickle.loads(pickle.dumps(metric))
    assert copy.corpus_score(CANDIDATES).score == metric.corpus_score(CANDIDATES).score
    assert str(copy.get_signature()) == str(metric.get_signature())


@pytest.mark.parametrize("threads", [None, -1])
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_paired_test_beside_bleu_and_chrf(test: str, n_jobs: int, threads: int | None) -> None:
    pool, texts = example_pool(), example_candidates()
    metric = BLEUNeighborsMetric(pool.texts, pool.quality, n_jobs=threads)  # threads before sacrebleu's processes
    other = [" ".join(text.split()[::-1]) for text in texts]
    systems = [("Baseline: a", texts), ("b", texts), ("c", other)]
    metrics = {"BLEU": BLEU(), "chrF": CHRF(), "BLEUNeighbors": metric}
    signatures, scores = PairedTest(systems, metrics, [texts], test, 200, n_jobs=n_jobs)()
    assert set(scores) == {"System", "BLEU", "chrF2", "BLEUNeighbors"}
    baseline, same, different = scores["BLEUNeighbors"]
    assert baseline.score == metric.corpus_score(texts).score
    assert different.score == metric.corpus_score(other).score
    assert baseline.p_value is None
    assert same.p_value == 1.0
    assert 0 < different.p_value <= 1
    assert f"|{test}:200|" in str(signatures["BLEUNeighbors"])


def test_a_system_that_no_segment_covers_raises(metric: BLEUNeighborsMetric) -> None:
    with pytest.raises(ValueError, match="BLEUNeighbors covers none of the 2 segments"):
        metric.corpus_score(["", "colourless green ideas"])
    with pytest.raises(ValueError, match="covers none"):
        PairedTest([("a", POOL[:2]), ("b", ["", "zzz"])], {"x": metric}, None, "bs")()


def test_on_real_outputs(data_dir: Callable[[str], Path]) -> None:
    from metric_commons.datasets import load_rated

    rated = load_rated("huse:summarization", data_dir=str(data_dir("huse")))
    half = len(rated) // 2
    metric = BLEUNeighborsMetric(rated.texts[:half], rated.quality[:half], max_fraction=1.0, n_jobs=-1)
    score = metric.corpus_score(rated.texts[half:], n_bootstrap=1000)
    assert score.coverage > 0.9
    assert abs(score.score - rated.quality[half:].mean()) < 3 * score._ci + 0.05
    # the held-out texts in two halves, by their human ratings: a worse system and a better one
    order = [half + int(i) for i in np.argsort(rated.quality[half:], kind="stable")]
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
