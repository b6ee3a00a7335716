"""Saves that are killed at any moment: what was saved before, or what was to be saved, is always there, and whole."""

import itertools
import os
import random
import signal
import time

import pytest
from example_fits import POOL

from bleu_neighbors_metric import BLEUNeighbors

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


TEXTS = [f"{text} {n}" for n in range(20) for text in POOL.texts]  # a file of some size


@pytest.mark.filterwarnings("ignore:.*fork.*")
@pytest.mark.parametrize("n_kills", [4, pytest.param(100, marks=pytest.mark.fuzz)])
def test_killed_saves_lose_nothing(n_kills, tmp_path):
    first, second = (BLEUNeighbors().fit(TEXTS, [sign * n for n in range(len(TEXTS))]) for sign in (1, -1))
    path, source = tmp_path / "saved", random.Random(n_kills)
    first.save(path)
    n_read = {first.signature: 0, second.signature: 0}
    assert len(n_read) == 2
    for _ in range(n_kills):
        child = os.fork()
        if not child:
            try:
                for saved in itertools.cycle((first, second)):
                    saved.save(path)
            finally:
                os._exit(1)
        time.sleep(source.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status)  # and did not end by itself
        n_read[BLEUNeighbors.load(path).signature] += 1
    assert n_kills < 100 or min(n_read.values()) > 0  # kills fell on saves of both
