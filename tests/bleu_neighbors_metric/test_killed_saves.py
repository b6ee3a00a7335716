"""Saves that are killed at any moment: what was saved before, or what was to be saved, is always there, and whole."""

import itertools
import os
import random
import signal
import time

import pytest
from example_fits import POOL

from bleu_neighbors_metric import BLEUNeighbors
from quality_estimation_metric.estimator import QualityEstimator
from slor_metric.language_models.ngram import NgramLanguageModel, train_ngram

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


def estimators():
    texts = [f"{text} {n}" for n in range(20) for text in POOL.texts]  # a file of some size
    return [BLEUNeighbors().fit(texts, [sign * n for n in range(len(texts))]) for sign in (1.0, -1.0)]


CASES = {
    "an index": (estimators, "save", BLEUNeighbors),
    "an n-gram model": (
        lambda: [train_ngram(part, order=3, progress=False) for part in (POOL.texts[:50], POOL.texts[50:])],
        "save",
        NgramLanguageModel,
    ),
    "a quality estimator": (
        lambda: [QualityEstimator(seed=0).fit(POOL.texts, sign * POOL.ratings) for sign in (1.0, -1.0)],
        "save",
        QualityEstimator,
    ),
}


@pytest.mark.filterwarnings("ignore:.*fork.*")
@pytest.mark.parametrize("n_kills", [4, pytest.param(100, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize("case", CASES)
def test_killed_saves_lose_nothing(case, n_kills, tmp_path):
    make, save, kind = CASES[case]
    objects, path, source = make(), tmp_path / "saved", random.Random(n_kills)
    getattr(objects[0], save)(path)
    found = {estimator.signature: 0 for estimator in objects}
    assert len(found) == 2
    for _ in range(n_kills):
        child = os.fork()
        if not child:
            try:
                for one in itertools.cycle(objects):
                    getattr(one, save)(path)
            finally:
                os._exit(1)
        time.sleep(source.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status)  # and did not end by itself
        found[kind.load(path).signature] += 1
    assert n_kills < 100 or min(found.values()) > 0  # kills fell on saves of both
