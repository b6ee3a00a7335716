"""One shared index a machine: built once, by whoever comes first."""

from __future__ import annotations

import multiprocessing

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.pool_files.node import load_shared


@pytest.fixture
def compact(tmp_path):
    pool = example_pool()
    metric = BLEUNeighbors(0.1, 2, 1.0, progress=False).fit(pool.texts, pool.ratings)
    metric.save(tmp_path / "compact")
    return metric, tmp_path / "compact"


def copies(folder):
    return [path for path in folder.iterdir() if path.is_dir()]


def worker(index, folder, queue):
    queue.put(load_shared(index, folder).predict(example_candidates()).values.tolist())


def test_workers_that_come_at_once_build_one_copy(compact, tmp_path):
    metric, index = compact
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    workers = [context.Process(target=worker, args=(index, tmp_path / "node", queue)) for _ in range(3)]
    for each in workers:
        each.start()
    found = [queue.get(timeout=60) for _ in workers]
    for each in workers:
        each.join()
    for values in found:
        np.testing.assert_array_equal(values, metric.predict(example_candidates()).values)
    assert len(copies(tmp_path / "node")) == 1


def test_a_copy_is_built_once_anew_where_damaged_and_anew_for_another_index(compact, tmp_path, monkeypatch):
    metric, index = compact
    first = load_shared(index, tmp_path / "node")
    copy = copies(tmp_path / "node")[0]
    made = (copy / "index.npz").stat().st_ino
    load_shared(index, tmp_path / "node")
    assert (copy / "index.npz").stat().st_ino == made
    (copy / "index.npz").write_bytes(b"\xff")
    again = load_shared(index, tmp_path / "node")
    assert again.signature == first.signature == metric.signature
    metric.fit(["another pool", "of two texts"], [1, 2]).save(index)
    assert len(load_shared(index, tmp_path / "node").texts_) == 2
    assert len(copies(tmp_path / "node")) == 2
    monkeypatch.setattr("bleu_neighbors_metric.pool_files.folder.project_version", lambda: "9.9")
    load_shared(index, tmp_path / "node")
    assert len(copies(tmp_path / "node")) == 3


def test_a_folder_is_loaded_as_it_is_and_what_is_missing_is_named(compact, tmp_path):
    metric, _ = compact
    metric.save_shared(tmp_path / "shared")
    assert load_shared(tmp_path / "shared", tmp_path / "node").signature == metric.signature
    with pytest.raises(FileNotFoundError, match="no file at"):
        load_shared(tmp_path / "missing", tmp_path / "node")
    assert not (tmp_path / "node").exists()
