"""One estimator in many threads, and processes that are forked while it works: the scores are those of one thread."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from forked import exit_status_of_child

from bleu_neighbors_metric import BLEUNeighbors
from quality_estimation_metric import QualityEstimator
from quality_estimation_metric.example import RATINGS, SOURCES, TEXTS
from slor_metric import ROUGELM, SLOR, WPSLOR, Fluency, FluencyNgram

pytestmark = pytest.mark.long

METRICS = {
    "bleu_neighbors": lambda: BLEUNeighbors(n_jobs=2).fit(TEXTS, RATINGS),
    "quality_estimation": lambda: QualityEstimator().fit(TEXTS, RATINGS),
    "quality_estimation with sources": lambda: QualityEstimator().fit(TEXTS, RATINGS, sources=SOURCES),
    "fluency": Fluency,
    "fluency of n-grams": FluencyNgram,
    "slor": SLOR,
    "wpslor": WPSLOR,
    "rouge_lm": ROUGELM,
}


def use(name, metric, texts):
    inputs = {}
    if metric.needs_sources:
        inputs["sources"] = [SOURCES[TEXTS.index(text)] for text in texts]
    if metric.needs_references:
        inputs["references"] = [["The food is good.", text] for text in texts]
    return metric.predict(texts, **inputs).values


@pytest.mark.parametrize("name", METRICS)
def test_eight_threads_give_one_threads_scores(name):
    texts = [*TEXTS, *reversed(TEXTS)]
    expected = use(name, METRICS[name](), texts)
    for _ in range(5):  # anew each time: values on demand are computed by several threads at once
        metric, barrier = METRICS[name](), threading.Barrier(8)

        def run(_, metric=metric, barrier=barrier):
            barrier.wait()
            return [use(name, metric, texts) for _ in range(5)]

        with ThreadPoolExecutor(8) as threads:
            for of_thread in threads.map(run, range(8)):
                for found in of_thread:
                    np.testing.assert_array_equal(found, expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform forks no processes")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("name", METRICS)
def test_children_forked_while_a_thread_works_do_not_hang(name):
    expected = use(name, METRICS[name](), TEXTS)
    for _ in range(5):
        metric, stop = METRICS[name](), threading.Event()

        def work(metric=metric, stop=stop):
            while not stop.is_set():
                use(name, metric, TEXTS)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            for _ in range(4):
                assert exit_status_of_child(lambda m=metric: np.array_equal(use(name, m, TEXTS), expected), 60) == 1
        finally:
            stop.set()
            thread.join()
