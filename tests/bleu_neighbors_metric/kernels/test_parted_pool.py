"""A pool in parts: the bits of the pool in one, in memory and in files."""

import pickle
import random
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from refusals import refused

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels import parted_pool
from bleu_neighbors_metric.kernels.parted_pool import PartedPool


def rated(n, seed=0):
    rng = random.Random(seed)
    words = "tree trees river stone sky the the a of and zebra".split()
    texts = list(dict.fromkeys(" ".join(rng.choices(words, k=rng.randint(1, 9))) for _ in range(n)))
    ratings = np.random.default_rng(seed).random(len(texts))
    ratings[0] = 0.0001
    return texts, ratings


@pytest.fixture
def small_parts(monkeypatch, tmp_path):
    monkeypatch.setattr(parted_pool, "MOST_TEXTS", 100)
    monkeypatch.setattr(parted_pool, "PART_TEXTS", 60)
    monkeypatch.setattr(parted_pool, "_GROUP", 16)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("tokenize, weights", [("char", "uniform"), ("char", "similarity"), ("13a", "uniform")])
@pytest.mark.parametrize("threshold", [0.3, "auto"])
def test_parts_equal_the_whole_bit_for_bit(small_parts, monkeypatch, tokenize, weights, threshold):
    texts, ratings = rated(400)
    options = {"tokenize": tokenize, "weights": weights, "n_jobs": 2, "progress": False}
    metric = BLEUNeighbors(threshold, 2, 0.5, **options).fit(texts, ratings)
    assert isinstance(metric.pool, PartedPool)
    candidates = [*rated(40, 1)[0], "", "zzzz", texts[0]]
    found, left_out, nearest = metric.predict(candidates), metric.leave_one_out(), metric.kneighbors(texts[5], 9)
    monkeypatch.setattr(parted_pool, "MOST_TEXTS", 10**9)
    whole = BLEUNeighbors(**metric.get_params()).fit(texts, ratings)
    for result, other in ((found, whole.predict(candidates)), (left_out, whole.leave_one_out())):
        assert_array_equal(result.values, other.values)
        assert_array_equal(result.n_neighbors, other.n_neighbors)
        assert result.signature == other.signature
    assert nearest == whole.kneighbors(texts[5], 9)


def test_files_go_with_the_pool_and_a_copy_has_its_own(small_parts):
    texts, ratings = rated(300)
    metric = BLEUNeighbors(0.3, 2, 0.5, progress=False).fit(texts, ratings)
    found = metric.predict(texts[:20]).values
    copy = pickle.loads(pickle.dumps(metric))
    assert len(list(Path(small_parts).iterdir())) == 2
    del metric
    assert len(list(Path(small_parts).iterdir())) == 1
    assert_array_equal(copy.predict(texts[:20]).values, found)
    del copy
    assert list(Path(small_parts).iterdir()) == []


def test_a_pool_without_room_says_how_many_texts_there_is_room_for(small_parts, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 10_000}))
    texts, ratings = rated(300)
    with refused(r"draw a random part of the texts with max_pool=\d+ or less"):
        BLEUNeighbors(progress=False).fit(texts, ratings)
