"""Model files that someone made to do harm, with checksums that are right: refused with a `ValueError`, or harmless."""

from __future__ import annotations

import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from metric_commons.files.archive import pack_strings, read_archive, write_archive
from slor_metric.language_models.ngram import NgramLanguageModel, train_ngram
from slor_metric.language_models.ngram.trie import MOST_ORDERS, Trie, assemble, check_trie
from slor_metric.language_models.unigram import UnigramTable

Arrays = dict[str, NDArray[Any]]
LINES = ["a cat sat on the mat .", "a dog sat .", "the cat ran to a dog .", "dogs and cats run ."] * 3
TEXTS = ["a cat ran .", "", "zebra", "the the the the", "\ud800 ."]
FIELDS = ("tokenizer", "oov", "smoothing", "order", "sizes", "quantised")


def parts_of(quantised: bool, folder: Path) -> tuple[dict[str, Any], Arrays]:
    path = folder / "own.npz"
    train_ngram(LINES, path, order=3, quantise=quantised)
    header, arrays = read_archive(path, "ngram", 1)
    return {name: header[name] for name in FIELDS}, arrays


@pytest.fixture(scope="module", params=[True, False], ids=["quantised", "float32"])
def parts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Arrays]:
    return parts_of(request.param, tmp_path_factory.mktemp("model"))


def test_the_parts_make_a_model(parts: tuple[dict[str, Any], Arrays], tmp_path: Path) -> None:
    write_archive(tmp_path / "model.npz", "ngram", 1, *parts)
    assert NgramLanguageModel.load(tmp_path / "model.npz").order == 3


def changed(arrays: Arrays, name: str, change: Callable[[NDArray[Any]], Any]) -> Arrays:
    array = arrays[name].copy()
    found = change(array)
    return {**arrays, name: array if found is None else np.asarray(found)}


def setting(value: float) -> Callable[[NDArray[Any]], None]:
    def change(array: NDArray[Any]) -> None:
        array.reshape(-1)[0] = value

    return change


HEADERS = {
    "order of 17": ({"order": 17, "sizes": [8] * 17}, "order 17"),
    "order of 0": ({"order": 0, "sizes": []}, "order 0"),
    "order of 10^30": ({"order": 10**30}, "order 1000"),
    "order that is true": ({"order": True}, "'order' that is of type int"),
    "order that is text": ({"order": "3"}, "'order' that is of type int"),
    "other sizes": ({"sizes": [1, 2, 3]}, "arrays"),
    "sizes that are text": ({"sizes": ["1", "2", "3"]}, "sizes"),
    "sizes below 0": ({"sizes": [-1, 2, 3]}, "sizes"),
    "sizes of 2^62": ({"sizes": [2**62] * 3}, "sizes"),
    "no smoothing": ({"smoothing": None}, "smoothing"),
    "smoothing below 0": ({"smoothing": -1}, "smoothing"),
    "smoothing of 10^308": ({"smoothing": 1e308}, "smoothing"),
    "unknown tokeniser": ({"tokenizer": "other"}, "tokenizer"),
    "tokeniser that is a list": ({"tokenizer": ["words"]}, "'tokenizer' that is of type str"),
    "unknown rule": ({"oov": "other"}, "oov"),
    "quantised that is 1": ({"quantised": 1}, "'quantised' that is of type bool"),
    "version 0": ({"version": 0}, "version 0"),
    "version that is true": ({"version": True}, "version True"),
    "version that is a fraction": ({"version": 1.0}, "version 1.0"),
    "NaN": ({"smoothing": float("nan")}, "NaN"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_hostile_headers_are_refused(name: str, parts: tuple[dict[str, Any], Arrays], tmp_path: Path) -> None:
    header, arrays = parts
    change, message = HEADERS[name]
    write_archive(tmp_path / "model.npz", "ngram", 1, {**header, **change}, arrays)
    with pytest.raises(ValueError, match=message) as refused:
        NgramLanguageModel.load(tmp_path / "model.npz")
    assert "model.npz" in str(refused.value)


def test_hostile_arrays_are_refused(parts: tuple[dict[str, Any], Arrays], tmp_path: Path) -> None:
    header, arrays = parts
    values = "{}_values_{}" if header["quantised"] else "{}s_{}"
    logprobs, backoffs = values.format("logprob", 2), values.format("backoff", 1)
    repeated = pack_strings(["<unk>", "<s>", "</s>"] * 4)
    n_tokens = header["sizes"][0]
    broken = {
        "NaN": changed(arrays, logprobs, setting(np.nan)),
        "infinite": changed(arrays, logprobs, setting(-np.inf)),
        "above 0": changed(arrays, logprobs, lambda array: array + 100),
        "infinite back-off": changed(arrays, backoffs, setting(np.inf)),
        "NaN back-off": changed(arrays, backoffs, lambda array: array * np.float32(np.nan)),
        "float64": changed(arrays, logprobs, lambda array: array.astype(np.float64)),
        "no codebook": changed(arrays, logprobs, lambda array: array[:0]),
        "children below": changed(arrays, "children_1", lambda array: np.zeros_like(array)),
        "children beyond": changed(arrays, "children_1", setting(255)),
        "children of 8 bytes": changed(
            arrays, "children_1", lambda array: np.full((8, array.shape[1]), 255, dtype=np.uint8)
        ),
        "planes of 3 bytes": changed(arrays, "children_1", lambda array: np.zeros((3, array.shape[1]), np.uint8)),
        "words beyond": changed(arrays, "words_2", setting(255)),
        "words in no order": changed(arrays, "words_2", lambda array: np.zeros_like(array)),
        "more counts": changed(arrays, "counts", lambda array: np.concatenate((array, array), axis=1)),
        "counts of 2^64": changed(arrays, "counts", lambda array: np.full((8, array.shape[1]), 255, dtype=np.uint8)),
        "no counts": changed(arrays, "counts", lambda array: np.zeros_like(array)),
        "unknown array": {**arrays, "words_9": arrays["words_2"]},
        "repeated tokens": {**arrays, "tokens": repeated},
        "tokens that are numbers": {**arrays, "tokens": np.frombuffer(b"[1, 2]", dtype=np.uint8)},
        "half characters": {
            **arrays,
            "tokens": np.frombuffer(
                ('["<unk>", "<s>", "</s>"' + ', "\\ud800"' * (n_tokens - 3) + "]").encode(), dtype=np.uint8
            ),
        },
        "deep tokens": {**arrays, "tokens": np.frombuffer(b"[" * 200_000, dtype=np.uint8)},
    }
    accepted = []
    for name, own in broken.items():
        write_archive(tmp_path / "model.npz", "ngram", 1, header, own)
        try:
            NgramLanguageModel.load(tmp_path / "model.npz")
        except ValueError as refused:
            message = str(refused)
        else:
            accepted.append(name)
            continue
        assert "model.npz" in message, name
    assert accepted == []


def flagged(content: bytes, flag: int) -> bytes:
    """Set a flag of the first member, where it stands in the file and in the directory at its end."""
    found = bytearray(content)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(mark) + offset
        found[at : at + 2] = struct.pack("<H", struct.unpack("<H", content[at : at + 2])[0] | flag)
    return bytes(found)


@pytest.mark.parametrize("flag", [1 << bit for bit in range(16)])
def test_odd_flags_of_the_zip_are_refused_or_mean_nothing(
    flag: int, parts: tuple[dict[str, Any], Arrays], tmp_path: Path
) -> None:
    path = tmp_path / "model.npz"
    write_archive(path, "ngram", 1, *parts)
    path.write_bytes(flagged(path.read_bytes(), flag))
    if flag in (0x8, 0x800):
        NgramLanguageModel.load(path)
    else:
        with pytest.raises(ValueError, match=r"model\.npz"):
            NgramLanguageModel.load(path)


def npy(header: str, content: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + content


BOMBS = {
    "10^13 numbers": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000000,)}\n"),
    "2^62 numbers": npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({2**62}, {2**62})}}\n"),
    "a negative shape": npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}\n"),
    "objects": npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}\n", b"\x80\x04N."),
    "a structure": npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}\n", b"\0" * 8),
    "text": npy("{'descr': '<U4', 'fortran_order': False, 'shape': (1,)}\n", b"\0" * 16),
    "the other byte order": npy("{'descr': '>f8', 'fortran_order': False, 'shape': (1,)}\n", b"\0" * 8),
    "a program": npy("__import__('os').abort()\n"),
    "brackets": npy("(" * 9000),
    "signs": npy("-" * 9000 + "1"),
    "nothing": b"",
    "another layout": b"\x93NUMPY\x09\x00" + bytes(40),
}


@pytest.mark.parametrize("name", BOMBS)
def test_members_that_declare_what_they_do_not_hold_take_no_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    write_archive(path, "thing", 1, {}, {})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", BOMBS[name])
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"model\.npz"):
            read_archive(path, "thing", 1)
        assert tracemalloc.get_traced_memory()[1] < 2**23
    finally:
        tracemalloc.stop()


def test_what_unpacks_beyond_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metric_commons.files.bounds.ALWAYS_ALLOWED", 2**20)
    path = tmp_path / "model.npz"
    write_archive(path, "thing", 1, {}, {"a": np.zeros(2**24, dtype=np.uint8)})
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="declares 16,777,"):
            read_archive(path, "thing", 1)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    write_archive(path, "thing", 1, {}, {"a": np.zeros(3)})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("a.npy", b"x")
    with pytest.raises(ValueError, match="one name"):
        read_archive(path, "thing", 1)


def test_hostile_unigram_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    good = {"tokens": pack_strings(["a", "b"]), "counts": np.array([1, 2])}
    header = {"tokenizer": "words", "smoothing": 1.0}
    write_archive(path, "unigram", 1, header, good)
    assert len(UnigramTable.load(path)) == 2
    for own_header, arrays in (
        ({**header, "smoothing": "1"}, good),
        ({**header, "smoothing": -1}, good),
        ({**header, "smoothing": 1e308}, good),
        ({**header, "tokenizer": None}, good),
        ({"tokenizer": "words"}, good),
        (header, {**good, "counts": np.array([-1, 2])}),
        (header, {**good, "counts": np.array([2**62, 2**62])}),
        (header, {**good, "counts": np.array([0, 0])}),
        (header, {**good, "counts": np.array([1.5, 2])}),
        (header, {**good, "counts": np.array([[1, 2]])}),
        (header, {**good, "counts": np.array([1])}),
        (header, {**good, "tokens": pack_strings(["a", "a"])}),
        (header, {**good, "other": np.zeros(1)}),
    ):
        write_archive(path, "unigram", 1, own_header, arrays)
        with pytest.raises(ValueError, match=r"table\.npz"):
            UnigramTable.load(path)


def small_trie(**changes: Any) -> Trie:
    own: dict[str, Any] = {
        "words": [np.arange(4, dtype=np.uint32), np.array([2, 3, 3], dtype=np.uint32)],
        "logprobs": [np.full(4, -1, dtype=np.float32), np.full(3, -1, dtype=np.float32)],
        "backoffs": [np.zeros(4, dtype=np.float32)],
        "children": [np.array([0, 2, 0, 1])],
    }
    return assemble(**{**own, **changes})


def test_a_trie_is_checked_before_it_is_scored() -> None:
    check_trie(small_trie())
    check_trie(assemble([np.arange(3, dtype=np.uint32)], [np.zeros(3, dtype=np.float32)], [], []))
    ones = np.ones(1, dtype=np.uint32)
    deep = [np.arange(1, dtype=np.uint32), *[ones * 0] * MOST_ORDERS]
    logprobs = [np.zeros(1, dtype=np.float32)] * (MOST_ORDERS + 1)
    with pytest.raises(ValueError, match="order 1 to 16, but got 17"):
        check_trie(assemble(deep, logprobs, logprobs[1:], [np.ones(1, dtype=np.int64)] * MOST_ORDERS))
    for changes, message in (
        ({"children": [np.array([0, 2, 0, 2])]}, "continuations"),
        ({"children": [np.array([0, -2, 4, 1])]}, "continuations"),
        ({"words": [np.arange(4, dtype=np.uint32), np.array([3, 2, 3], dtype=np.uint32)]}, "ascending"),
        ({"words": [np.arange(4, dtype=np.uint32), np.array([2, 4, 3], dtype=np.uint32)]}, "vocabulary"),
        ({"words": [np.ones(4, dtype=np.uint32), np.array([2, 3, 3], dtype=np.uint32)]}, "ascending"),
        ({"logprobs": [np.full(4, -1, dtype=np.float32), np.full(2, -1, dtype=np.float32)]}, "arrays of 7"),
        ({"backoffs": [np.zeros(3, dtype=np.float32)]}, "arrays of 7"),
        ({"backoffs": [np.full(4, np.nan, dtype=np.float32)]}, "back-off"),
    ):
        with pytest.raises(ValueError, match=message):
            check_trie(small_trie(**changes))


@st.composite
def tampered(draw: st.DrawFn, header: dict[str, Any], arrays: Arrays) -> tuple[dict[str, Any], Arrays]:
    header, arrays = dict(header), dict(arrays)
    kind = draw(st.integers(0, 5))
    wrong = st.none() | st.booleans() | st.integers(-3, 20) | st.floats() | st.text(max_size=4) | st.just([1, 2])
    if kind == 0:
        header[draw(st.sampled_from([*FIELDS, "version", "kind", "other"]))] = draw(wrong)
        return header, arrays
    name = draw(st.sampled_from(sorted(arrays)))
    array = arrays[name].copy()
    flat = array.reshape(-1)
    if kind == 1:
        del arrays[name]
    elif kind == 2:
        arrays[name] = array[..., : draw(st.integers(0, max(array.shape[-1] - 1, 0)))]
    elif kind == 3:
        arrays[name] = array.astype(draw(st.sampled_from(["u1", "i8", "u8", "f4", "f8", "i4", "f2"])))
    elif len(flat):
        for _ in range(draw(st.integers(1, 3))):
            at = draw(st.integers(0, len(flat) - 1))
            odd = st.sampled_from([np.nan, np.inf, -np.inf, 1e-3, 50.0, -1e30, 0.0])
            flat[at] = draw(odd if array.dtype.kind == "f" else st.integers(0, 255))
        arrays[name] = array
    return header, arrays


def fuzz(n_examples: int, folder: Path) -> tuple[int, int]:
    """Return how many files were accepted, and how many were refused."""
    outcomes = [0, 0]
    path = folder / "anyones.npz"
    for quantised in (True, False):
        parts = parts_of(quantised, folder)

        @settings(max_examples=n_examples // 2, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(tampered(*parts))
        def run(own: tuple[dict[str, Any], Arrays]) -> None:
            write_archive(path, "ngram", 1, *own)
            refusal = ""
            try:
                model = NgramLanguageModel.load(path)
            except ValueError as error:
                refusal = str(error)
            outcomes[bool(refusal)] += 1
            if refusal:
                assert "anyones.npz" in refusal
                return
            batch = model.batch_logprobs(TEXTS)
            assert ((batch.logprobs <= 0) & np.isfinite(batch.logprobs)).all()
            assert ((batch.end_logprobs <= 0) & np.isfinite(batch.end_logprobs)).all()
            if batch.unigram_logprobs is not None:
                assert (batch.unigram_logprobs <= 0).all()
            assert model.signature

        run()
    return outcomes[0], outcomes[1]


def test_models_of_anyone(tmp_path: Path) -> None:
    accepted, refused = fuzz(160, tmp_path)
    assert accepted > 5
    assert refused > 50


@pytest.mark.fuzz
def test_very_many_models_of_anyone(tmp_path: Path) -> None:
    accepted, refused = fuzz(20_000, tmp_path)
    assert accepted > 1000
    assert refused > 5000
