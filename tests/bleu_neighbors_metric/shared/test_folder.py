"""Shared indexes: the same estimates from mapped arrays, and no number of a damaged file is ever read."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

from bleu_neighbors_metric import BLEUNeighbors
from bleu_neighbors_metric.example import example_candidates, example_pool
from bleu_neighbors_metric.kernels import parted_pool
from bleu_neighbors_metric.kernels.pool_arrays import DTYPES


@pytest.fixture
def saved(tmp_path):
    pool = example_pool()
    metric = BLEUNeighbors(0.1, 2, 1.0, progress=False).fit([*pool.texts, "\ud800 ✓"], [*pool.quality, 1])
    metric.save_shared(tmp_path / "shared")
    return metric, tmp_path / "shared"


def forged(folder: Path, name: str, change) -> None:
    """Write an array anew, with a checksum that is right, whatever it holds."""
    first, _, body = (folder / "index").read_bytes().split(b"\n", 2)
    header = json.loads(body)
    told = header["arrays"][name]
    array = change(np.fromfile(folder / name, dtype=told["dtype"]).reshape(told["shape"]).copy())
    array.tofile(folder / name)
    told["shape"], told["sha256"] = list(array.shape), hashlib.sha256(array.tobytes()).hexdigest()
    rewritten(folder, first, header)


def rewritten(folder: Path, first: bytes, header) -> None:
    body = json.dumps(header).encode()
    (folder / "index").write_bytes(b"\n".join((first, hashlib.sha256(body).hexdigest().encode(), body)))


@pytest.mark.parametrize("tokenize", ["char", "13a"])
@pytest.mark.parametrize("parts", [1, 3])
def test_a_shared_index_gives_the_same_estimates(tmp_path, monkeypatch, tokenize, parts):
    pool = example_pool()
    if parts > 1:
        monkeypatch.setattr(parted_pool, "MOST_TEXTS", 30)
        monkeypatch.setattr(parted_pool, "PART_TEXTS", -(-len(set(pool.texts)) // parts))
    metric = BLEUNeighbors("auto", 2, 1.0, tokenize=tokenize, progress=False).fit(pool.texts, pool.quality)
    metric.save_shared(tmp_path / "shared")
    metric.save(tmp_path / "compact")
    loaded = BLEUNeighbors.load(tmp_path / "shared")
    assert loaded.signature == metric.signature
    assert loaded.texts_ == metric.texts_
    assert loaded.texts_[1:7:2] == metric.texts_[1:7:2]
    np.testing.assert_array_equal(loaded.quality_, metric.quality_)
    candidates = [*example_candidates(), "", "word never seen"]
    np.testing.assert_array_equal(loaded.predict(candidates).values, metric.predict(candidates).values)
    np.testing.assert_array_equal(loaded.leave_one_out().values, metric.leave_one_out().values)
    assert loaded.kneighbors(candidates[0]) == metric.kneighbors(candidates[0])
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "compact").read_bytes()
    # A parameter that shapes the index makes a new one.
    other = {"ngram_orders": (1, 2), "threshold": 0.2}
    np.testing.assert_array_equal(
        loaded.set_params(**other).predict(candidates).values, metric.set_params(**other).predict(candidates).values
    )


def test_every_damaged_file_is_named(saved):
    _, folder = saved
    BLEUNeighbors.load(folder)
    for path in sorted(folder.iterdir()):
        content = path.read_bytes()
        if not content or path.name == "checked":
            continue
        time.sleep(0.01)  # a file system's clock may tick as rarely
        for damaged in (bytes([content[0] ^ 1]) + content[1:], content[:-1], content + b"\0"):
            path.write_bytes(damaged)
            with pytest.raises(ValueError, match=path.name):
                BLEUNeighbors.load(folder)
        path.unlink()
        with pytest.raises((ValueError, IsADirectoryError), match="shared" if path.name == "index" else path.name):
            BLEUNeighbors.load(folder)
        path.write_bytes(content)
    BLEUNeighbors.load(folder)


def test_a_calibration_comes_along(saved, tmp_path):
    from bleu_neighbors_metric.tuning.calibration import attach_calibration, calibrate

    metric, folder = saved
    attach_calibration(metric, calibrate(metric, n_resamples=20))
    metric.save_shared(folder)
    loaded = BLEUNeighbors.load(folder)
    assert loaded.verdict == metric.verdict is not None
    found, expected = (each.predict(example_candidates()) for each in (loaded, metric))
    np.testing.assert_array_equal(found.lower, expected.lower)
    forged(folder, "estimates", lambda array: array[::-1] + np.arange(len(array))[::-1])
    with pytest.raises(ValueError, match="shared/index: cannot be used: the residuals"):
        BLEUNeighbors.load(folder)


def test_files_are_checked_once_and_again_after_a_change(saved, monkeypatch):
    _, folder = saved
    read = []
    whole = hashlib.file_digest
    monkeypatch.setattr("hashlib.file_digest", lambda file, name: read.append(file.name) or whole(file, name))
    BLEUNeighbors.load(folder)
    assert read == []  # who wrote them knew them to be sound
    os.utime(folder / "quality")
    BLEUNeighbors.load(folder)
    assert len(read) == len(DTYPES) + 4
    BLEUNeighbors.load(folder)
    assert len(read) == len(DTYPES) + 4
    (folder / "checked").unlink()  # as in a copy that someone else made
    BLEUNeighbors.load(folder)
    assert len(read) == 2 * (len(DTYPES) + 4)


def put(place, value):
    def change(array):
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("0.order", put(0, 10**9)),
        ("0.order", put(0, -1)),
        ("0.order", lambda array: np.zeros_like(array)),
        ("0.lengths", put(0, 10**6)),
        ("0.lengths", put(0, -1)),
        ("0.lengths", lambda array: array[:-1]),
        ("0.table", lambda array: np.where(array == -1, 1, array)),
        ("0.table", lambda array: array[:-1]),
        ("0.table", lambda array: np.where(array > 0, 10**9, array)),
        ("0.table", lambda array: array.ravel()),
        ("0.starts", put(1, 10**12)),
        ("0.starts", put(0, -8)),
        ("0.starts", lambda array: array[:-1]),
        ("0.postings", put(0, 10**6)),
        ("0.postings", put(0, -3)),
        ("0.postings", lambda array: array[::-1].copy()),
        ("0.dense_row", put(5, 10**6)),
        ("0.dense_row", put(5, -2)),
        ("0.dense_row", lambda array: array[:0]),
        ("0.dense", lambda array: ~array),
        ("0.dense", lambda array: array[:, :-1].copy()),
        ("0.dense", lambda array: array[:, :0].copy()),
        ("0.vocabulary", lambda array: np.array([255], dtype=np.uint8)),
        ("texts", put(0, 255)),
        ("ends", put(3, -5)),
        ("ends", put(-1, 10**12)),
        ("quality", put(0, np.nan)),
        ("quality", put(0, 1.7e308)),
        ("counts", put(0, 0)),
    ],
)
def test_numbers_that_no_index_has_are_refused_whoever_signed_them(saved, name, change):
    _, folder = saved
    forged(folder, name, change)
    with pytest.raises(ValueError, match=rf"shared/{name}: |shared/index: |shared/0\.\w+: "):
        BLEUNeighbors.load(folder)


def test_other_versions_are_refused(saved):
    _, folder = saved
    first, _, body = (folder / "index").read_bytes().split(b"\n", 2)
    header = json.loads(body)
    rewritten(folder, first, {**header, "version": "0.0.1"})
    with pytest.raises(ValueError, match=r"written by version '0\.0\.1', and this worker has version .*: all workers"):
        BLEUNeighbors.load(folder)
    rewritten(folder, b"bleu-neighbors-shared 3", header)
    with pytest.raises(ValueError, match="format version 3"):
        BLEUNeighbors.load(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"n_parts": 0},
        {"n_parts": 2},
        {"n_parts": 10**9},
        {"n_parts": True},
        {"threshold": 7.0},
        {"parameters": {}},
        {"arrays": {}},
        {"more": 1},
        {"pool_hash": None},
    ],
)
def test_headers_that_no_index_has_are_refused(saved, change):
    _, folder = saved
    first, _, body = (folder / "index").read_bytes().split(b"\n", 2)
    rewritten(folder, first, {**json.loads(body), **change})
    with pytest.raises(ValueError, match="shared/index: cannot be used"):
        BLEUNeighbors.load(folder)


@pytest.mark.parametrize("change", [{"shape": [10**18, 10**18]}, {"shape": [-1]}, {"shape": []}, {"dtype": "|O"}, {}])
def test_arrays_that_are_told_wrongly_are_refused(saved, change):
    _, folder = saved
    first, _, body = (folder / "index").read_bytes().split(b"\n", 2)
    header = json.loads(body)
    told = header["arrays"]["0.dense"]
    header["arrays"]["0.dense"] = {**told, **change} if change else {"shape": told["shape"]}
    rewritten(folder, first, header)
    with pytest.raises(ValueError, match="shared/index: cannot be used"):
        BLEUNeighbors.load(folder)


def test_parameters_that_no_estimator_has_are_refused(saved):
    _, folder = saved
    first, _, body = (folder / "index").read_bytes().split(b"\n", 2)
    header = json.loads(body)
    for name, value in (("threshold", 3), ("kernel", "rouge_l"), ("n_jobs", 4), ("ngram_orders", [2**40])):
        rewritten(folder, first, {**header, "parameters": {**header["parameters"], name: value}})
        with pytest.raises(ValueError, match="shared/index: cannot be used"):
            BLEUNeighbors.load(folder)


def test_a_folder_takes_the_place_of_another_and_of_nothing_else(saved, tmp_path):
    metric, folder = saved
    before = BLEUNeighbors.load(folder)
    metric.fit(["another pool", "of two texts"], [1, 2]).save_shared(folder)
    assert len(BLEUNeighbors.load(folder).texts_) == 2
    assert np.isfinite(before.predict(before.texts_[:5]).values).any()  # what is mapped stays
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("keep")
    for path in (tmp_path / "other", tmp_path / "other" / "thesis.txt"):
        with pytest.raises(ValueError, match="something other than a shared index"):
            metric.save_shared(path)
    with pytest.raises(FileNotFoundError, match="there is no folder"):
        metric.save_shared(tmp_path / "missing" / "shared")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "shared"]


def test_kernels_without_plain_arrays_have_no_shared_index(tmp_path):
    metric = BLEUNeighbors(kernel="bleu_star_idf", min_neighbors=1, max_fraction=1.0).fit(["a text", "text"], [1, 2])
    with pytest.raises(ValueError, match=r"`kernel` to be one of \{'bleu_star'\}"):
        metric.save_shared(tmp_path / "shared")
