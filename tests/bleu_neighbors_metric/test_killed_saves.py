"""Saves that are killed at any moment: what was saved before, or what was to be saved, is always there, and whole."""

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


def language_models():
    texts = POOL.texts
    return [train_ngram(part, order=3, progress=False) for part in (texts[:50], texts[50:])]


def quality_estimators():
    return [QualityEstimator(seed=0).fit(POOL.texts, sign * POOL.ratings) for sign in (1.0, -1.0)]


CASES = {
    "an index": (estimators, "save", BLEUNeighbors.load),
    "a shared folder": (estimators, "save_shared", BLEUNeighbors.load),
    "an n-gram model": (language_models, "save", NgramLanguageModel.load),
    "a quality estimator": (quality_estimators, "save", QualityEstimator.load),
}


def save_for_ever(objects, save, path):
    try:
        while True:
            for one in objects:
                getattr(one, save)(path)
    finally:
        os._exit(1)


def kill_saves(case, path, n_kills, seed):
    """Kill saves; return how often each of the two objects was there afterwards."""
    make, save, load = CASES[case]
    objects = make()
    getattr(objects[0], save)(path)
    found = dict.fromkeys((one.signature for one in objects), 0)
    assert len(found) == 2
    source = random.Random(seed)
    for _ in range(n_kills):
        child = os.fork()
        if not child:
            save_for_ever(objects, save, path)
        time.sleep(source.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status)  # and did not end by itself
        found[load(path).signature] += 1
    return found


@pytest.mark.filterwarnings("ignore:.*fork.*")
@pytest.mark.parametrize("n_kills", [4, pytest.param(100, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize("case", CASES)
def test_killed_saves_lose_nothing(case, n_kills, tmp_path):
    found = kill_saves(case, tmp_path / "saved.npz", n_kills, n_kills)
    print(f"{case}: {found}")
    assert sum(found.values()) == n_kills
    assert n_kills < 100 or min(found.values()) > 0  # kills fell on saves of both
