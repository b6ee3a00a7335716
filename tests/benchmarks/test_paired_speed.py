"""Paired bootstrap of 3 systems × 20,000 segments with 1,000 resamples, beside sacrebleu's BLEU, in one run.

Run with `pytest tests/benchmarks/test_paired_speed.py --benchmark-only -s`, which prints seconds and the ratio. It
needs about 4 GiB of memory, which the resampled statistics of BLEU take.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from small_metrics import LengthModel

from bleu_neighbors_metric.example import example_pool
from bleu_neighbors_metric.integrations.sacrebleu import BLEUNeighborsMetric
from slor_metric.integrations.sacrebleu import SLORMetric

N_SEGMENTS, N_RESAMPLES = 20_000, 1_000
Systems = list[tuple[str, list[str]]]


class Precomputed:
    """A metric whose statistics of each system are computed once, so that the test alone is timed."""

    def __init__(self, metric: Any, systems: Systems, references: list[list[str]]) -> None:
        self.metric = metric
        began = time.perf_counter()
        self.known = {id(texts): metric._extract_corpus_statistics(texts, references) for _, texts in systems}
        self.seconds = time.perf_counter() - began

    def _extract_corpus_statistics(self, hypotheses, references):
        return self.known[id(hypotheses)]

    def __getattr__(self, name):
        return getattr(self.metric, name)


@pytest.fixture(scope="module")
def systems():
    pool, rng = example_pool(), np.random.default_rng(0)
    texts = [pool.texts[i] for i in rng.integers(0, len(pool), N_SEGMENTS)]

    def worsened(rate):
        outputs = []
        for text in texts:
            words = text.split()
            outputs.append(
                " ".join(word for word, lost in zip(words, rng.random(len(words)) < rate, strict=True) if not lost)
            )
        return outputs

    return [("Baseline: a", texts), ("b", worsened(0.1)), ("c", worsened(0.2))]


@pytest.fixture(scope="module")
def references(systems):
    return [[f"{text} Indeed." for text in systems[0][1]]]


@pytest.fixture(scope="module")
def bleu(systems, references):
    return Precomputed(BLEU(), systems, references)


def paired_test(systems, metric, references):
    began = time.perf_counter()
    _, scores = PairedTest(systems, {"metric": metric}, references, "bs", N_RESAMPLES)()
    assert len(scores["System"]) == 3
    return time.perf_counter() - began


@pytest.mark.parametrize("kind", ["BLEUNeighborsMetric", "SLORMetric"])
def test_paired_bootstrap(benchmark, systems, references, bleu, kind):
    pool = example_pool()
    own = (
        BLEUNeighborsMetric(pool.texts, pool.ratings, n_jobs=-1)
        if kind == "BLEUNeighborsMetric"
        else SLORMetric(LengthModel())
    )
    own.corpus_score(systems[0][1][:10])  # compiles
    metric = Precomputed(own, systems, references)
    # in turns, so that a machine that is busy for a while slows both sides
    bleu_seconds = []

    def setup():
        bleu_seconds.append(paired_test(systems, bleu, references))

    benchmark.pedantic(paired_test, args=(systems, metric, references), setup=setup, rounds=3)
    own_median, bleu_median = benchmark.stats.stats.median, statistics.median(bleu_seconds)
    ratio = own_median / bleu_median
    benchmark.extra_info.update(bleu_seconds=bleu_median, ratio=ratio, statistics_seconds=metric.seconds)
    print(
        f"\n{own.name}: {own_median:.2f} s, BLEU {bleu_median:.2f} s, ratio {ratio:.2f}; statistics of the 3 systems "
        f"before: {metric.seconds:.2f} s, BLEU {bleu.seconds:.2f} s"
    )
    assert ratio < 1.1
