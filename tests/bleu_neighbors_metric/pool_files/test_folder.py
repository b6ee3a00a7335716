"""Shared indexes: the same estimates from mapped arrays, and no number of a damaged file is ever read."""

import os

import numpy as np
import pytest
from example_fits import CANDIDATES, POOL, fit
from numpy.testing import assert_array_equal
from refusals import refused
from text_files import write

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.kernels import parted_pool
from bleu_neighbors_metric.pool_files.array_rules import RULES
from metric_commons.files import archive


@pytest.fixture
def saved(tmp_path):
    metric = BLEUNeighbors(0.1, 2, 1.0, progress=False).fit([*POOL.texts, "\ud800 ✓"], [*POOL.ratings, 1])
    metric.save_shared(tmp_path / "shared")
    return metric, tmp_path / "shared"


@pytest.mark.parametrize("tokenize", ["char", "13a"])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_shared_index_gives_the_same_estimates(tmp_path, monkeypatch, tokenize, parts):
    if parts > 1:
        monkeypatch.setattr(parted_pool, "MOST_TEXTS", 30)
        monkeypatch.setattr(parted_pool, "PART_TEXTS", -(-len(set(POOL.texts)) // parts))
    metric = fit("auto", 2, 1.0, tokenize=tokenize, progress=False)
    metric.save_shared(tmp_path / "shared")
    metric.save(tmp_path / "compact")
    loaded = BLEUNeighbors.load(tmp_path / "shared")
    assert loaded.signature == metric.signature
    assert loaded.texts_ == metric.texts_
    assert loaded.texts_[1:7:2] == metric.texts_[1:7:2]
    assert_array_equal(loaded.ratings_, metric.ratings_)
    candidates = [*CANDIDATES, "", "word never seen"]
    assert_array_equal(loaded.predict(candidates).values, metric.predict(candidates).values)
    assert_array_equal(loaded.leave_one_out().values, metric.leave_one_out().values)
    assert loaded.kneighbors(candidates[0]) == metric.kneighbors(candidates[0])
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "compact").read_bytes()
    # A parameter that shapes the index makes a new one.
    other = {"ngram_orders": (1, 2), "threshold": 0.2}
    assert_array_equal(
        loaded.set_params(**other).predict(candidates).values, metric.set_params(**other).predict(candidates).values
    )


def test_a_calibration_comes_along(saved, tmp_path):
    from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate

    metric, folder = saved
    attach_calibration(metric, calibrate(metric, n_resamples=20))
    metric.save_shared(folder)
    loaded = BLEUNeighbors.load(folder)
    assert loaded.verdict == metric.verdict is not None
    found, expected = (each.predict(CANDIDATES) for each in (loaded, metric))
    assert_array_equal(found.lower, expected.lower)


def test_a_file_is_checked_once_and_again_after_a_change(saved, monkeypatch):
    _, folder = saved
    monkeypatch.setattr("bleu_neighbors_metric.pool_files.folder._SMALL", 0)
    checked = []
    whole = archive._digest
    monkeypatch.setattr(archive, "_digest", lambda arrays: checked.append(len(arrays)) or whole(arrays))
    BLEUNeighbors.load(folder)
    assert checked == []  # who wrote it knew it to be sound
    os.utime(folder / "index.npz")
    for _ in range(2):
        BLEUNeighbors.load(folder)
        assert checked == [len(RULES) + 4]
    (folder / "checked").unlink()  # as in a copy that someone else made
    BLEUNeighbors.load(folder)
    assert len(checked) == 2


def test_another_release_writes_it_anew(saved, monkeypatch):
    monkeypatch.setattr("bleu_neighbors_metric.pool_files.folder.project_version", lambda: "9.9")
    with refused(r"written by version '.*', and this worker has version 9\.9: all workers"):
        BLEUNeighbors.load(saved[1])


def test_a_folder_takes_the_place_of_another_and_of_nothing_else(saved, tmp_path):
    metric, folder = saved
    before = BLEUNeighbors.load(folder)
    (folder / "sub").mkdir()
    write(folder / "sub" / "ratings.csv", "keep")
    (tmp_path / "link").symlink_to(folder)
    metric.fit(["another pool", "of two texts"], [1, 2]).save_shared(tmp_path / "link")
    assert len(BLEUNeighbors.load(folder).texts_) == 2
    assert (tmp_path / "link").is_symlink()
    assert sorted(path.name for path in folder.iterdir()) == ["checked", "index.npz", "sub"]
    assert (folder / "sub" / "ratings.csv").read_text() == "keep"
    assert np.isfinite(before.predict(before.texts_[:5]).values).any()  # what is mapped stays
    (tmp_path / "other").mkdir()
    write(tmp_path / "other" / "thesis.txt", "keep")
    (tmp_path / "arrays").mkdir()
    np.savez(tmp_path / "arrays" / "index.npz", mine=np.arange(3))
    metric.save(tmp_path / "arrays" / "other.npz")  # an archive of another kind
    for path in (tmp_path / "other", tmp_path / "other" / "thesis.txt", tmp_path / "arrays"):
        with refused("something other than a shared index"):
            metric.save_shared(path)
    with refused("there is no folder", FileNotFoundError):
        metric.save_shared(tmp_path / "missing" / "shared")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arrays", "link", "other", "shared"]
    assert np.load(tmp_path / "arrays" / "index.npz")["mine"].tolist() == [0, 1, 2]
    (tmp_path / "arrays" / "other.npz").replace(tmp_path / "arrays" / "index.npz")
    with refused("something other than a shared index"):
        metric.save_shared(tmp_path / "arrays")
    (tmp_path / "killed").mkdir()
    write(tmp_path / "killed" / ".index.npz.x", "left by a save that was killed")
    metric.save_shared(tmp_path / "killed")


def test_kernels_without_plain_arrays_have_no_shared_index(tmp_path):
    metric = BLEUNeighbors(kernel="rouge_l", min_neighbors=1, max_fraction=1.0).fit(["a text", "text"], [1, 2])
    with refused(r"`kernel` to be one of \{'bleu_star'\}"):
        metric.save_shared(tmp_path / "shared")
