"""Archives: the same bytes on every write, arrays that are mapped, and a clear error for whatever is none.

What all formats that are made of archives refuse is tested in `test_hostile_files`.
"""

import struct
import tracemalloc
import zipfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from refusals import refused

from metric_commons.files import archive
from metric_commons.files.archive import (
    Array,
    Schema,
    content_hash,
    may_unpack,
    pack_strings,
    read_archive,
    unpack_strings,
    write_archive,
)
from metric_commons.files.text_io import is_archive

ARRAYS = {"a": np.arange(1000, dtype=np.uint16), "b": np.zeros((2, 3)), "empty": np.zeros(0, dtype=np.uint8)}
RULES = {"a": Array("<u2", ("n",)), "b": Array("<f8", (2, None)), "empty": Array("|u1", (None,))}
THING = Schema("thing", 1, "a thing", arrays=RULES, fields={"name": str}, optional_fields={"part": float})
BARE = Schema("thing", 1, "a thing", arrays={"a": Array("|u1", (None,), optional=True)})


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "model.npz"
    write_archive(file, THING, {"name": "ä"}, ARRAYS)
    return file


@contextmanager
def little_memory(most):
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("mapped", [False, True])
def test_round_trip(folder, mapped):
    for name in ("one.npz", "other.npz"):
        write_archive(Path(name), THING, {"name": "ä", "part": np.float64(0.5)}, ARRAYS, compress=not mapped)
    one, other = Path("one.npz"), Path("other.npz")
    header, arrays = read_archive(one, THING, mapped=mapped)
    assert header == {"name": "ä", "part": 0.5}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].flags.aligned
        assert_array_equal(arrays[name], array)
        arrays[name] += 1  # what is written to a mapped array is this process's alone
    assert one.read_bytes() == other.read_bytes()  # equal content gives equal bytes
    assert is_archive(one)
    assert not is_archive(folder)
    assert content_hash(one) == content_hash(other)
    write_archive(other, THING, {"name": "ä"}, {**ARRAYS, "b": np.ones((2, 3))})
    assert content_hash(one) != content_hash(other)
    with np.load(one) as ordinary:
        assert_array_equal(ordinary["a"], ARRAYS["a"])


def test_compressed_arrays_are_not_mapped(path, tmp_path):
    with refused("it is compressed, and cannot be mapped"):
        read_archive(path, THING, mapped=True)
    (tmp_path / "text").write_text("no archive")
    with refused("but it is not"):
        content_hash(tmp_path / "text")


def test_strings_of_any_kind():
    strings = ["", "a\nb", "\x00", "é", '"', "\U0001f600", "##ing"]
    assert unpack_strings(pack_strings(strings)) == strings
    halves = pack_strings(["\ud800"])
    assert unpack_strings(halves, surrogates=True) == ["\ud800"]
    with refused("valid Unicode"):
        unpack_strings(halves)
    with refused("list of strings"):
        unpack_strings(np.frombuffer(b"[1]", dtype=np.uint8))


@pytest.mark.parametrize(
    "place, error, message",
    [
        ("nowhere.npz", FileNotFoundError, r"no file at .*nowhere\.npz; expected one that holds a thing"),
        (".", IsADirectoryError, "it is a folder; expected a file that holds a thing"),
        ("/dev/zero", FileNotFoundError, "/dev/zero"),  # which never ends
    ],
)
def test_missing_files_and_folders_are_named(tmp_path, place, error, message):
    with refused(message, error):
        read_archive(tmp_path / place, THING)


@pytest.mark.parametrize(
    "schema, header, arrays, error, message",
    [
        (BARE, {}, {"a": np.array([object()])}, ValueError, "Object arrays"),
        (THING, {"name": object()}, ARRAYS, TypeError, "cannot write <object"),
        (THING, {"name": "a" * 2**22}, ARRAYS, ValueError, r"header of at most .* but got"),
    ],
)
def test_a_failed_write_leaves_the_old_file(path, schema, header, arrays, error, message):
    before = path.read_bytes()
    with refused(message, error):
        write_archive(path, schema, header, arrays)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "rule, array",
    [
        (Array("|u1", (2, "n")), np.zeros((3, 2), np.uint8)),
        (Array("|u1", ("n",)), np.zeros(3, np.int8)),
        (Array("<f8", ("n",), least=0), np.array([-1.0])),
        (Array("<f8", ("n",), most=1), np.array([0.0, 2])),
        (Array("<f8", ("n",)), np.array([0.0, np.nan])),
    ],
)
def test_rules_of_arrays(tmp_path, rule, array):
    schema = Schema("thing", 1, "a thing", arrays={"a": rule, "x.*": Array("", ())})
    write_archive(tmp_path / "a.npz", schema, {}, {"a": array, "x.y": array})
    with refused(r"a\.npz.*its array 'a'"):
        read_archive(tmp_path / "a.npz", schema)


def flagged(content, flag):
    """Set a flag of the first member, where it stands in the file and in the directory at its end."""
    found = bytearray(content)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.index(mark) + offset
        found[at : at + 2] = struct.pack("<H", struct.unpack("<H", content[at : at + 2])[0] | flag)
    return bytes(found)


@pytest.mark.parametrize("flag", [1 << bit for bit in range(16)])
def test_odd_flags_of_the_zip_are_refused_or_mean_nothing(flag, path):
    path.write_bytes(flagged(path.read_bytes(), flag))
    if flag in (0x8, 0x800):
        read_archive(path, THING)
    else:
        with refused(r"model\.npz"):
            read_archive(path, THING)


def npy(header, content=b""):
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + content


def described(dtype, shape):
    return f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}\n"


BOMBS = {
    "10^13 numbers": npy(described("'<f8'", "(10000000000000,)")),
    "2^62 numbers": npy(described("'<f8'", f"({2**62}, {2**62})")),
    "a negative shape": npy(described("'<f8'", "(-1,)")),
    "objects": npy(described("'|O'", "(1,)"), b"\x80\x04N."),
    "a structure": npy(described("[('a', '<f8')]", "(1,)"), b"\0" * 8),
    "text": npy(described("'<U4'", "(1,)"), b"\0" * 16),
    "the other byte order": npy(described("'>f8'", "(1,)"), b"\0" * 8),
    "a program": npy("__import__('os').abort()\n"),
    "brackets": npy("(" * 9000),
    "signs": npy("-" * 9000 + "1"),
    "nothing": b"",
    "another layout": b"\x93NUMPY\x09\x00" + bytes(40),
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("mapped", [False, True])
def test_members_that_declare_what_they_do_not_hold_take_no_memory(name, mapped, tmp_path):
    path = tmp_path / "model.npz"
    write_archive(path, BARE, {}, {})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_STORED if mapped else zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.npy", BOMBS[name])
    with little_memory(2**23), refused(r"model\.npz"):
        read_archive(path, BARE, mapped=mapped)


def test_what_unpacks_beyond_the_limit_is_refused_and_not_written(tmp_path, monkeypatch):
    path, zeros = tmp_path / "model.npz", {"a": np.zeros(2**24, dtype=np.uint8)}
    write_archive(path, BARE, {}, zeros)
    monkeypatch.setattr(archive, "ALWAYS_ALLOWED", 2**20)
    with little_memory(2**20), refused(r"declares 16,777,\d+ bytes of content in \d+,"):
        read_archive(path, BARE)
    write_archive(path, BARE, {}, zeros)  # which is then not compressed
    assert len(read_archive(path, BARE)[1]["a"]) == 2**24


@pytest.mark.parametrize(
    "unpacked, packed, allowed",
    [
        (archive.ALWAYS_ALLOWED, 1, True),
        (archive.ALWAYS_ALLOWED + 1, 1, False),
        (archive.MOST_TIMES * 10**8, 10**8, True),
        (archive.MOST + 1, archive.MOST, False),
    ],
)
def test_how_much_a_file_may_unpack_to(unpacked, packed, allowed):
    assert may_unpack(unpacked, packed) == allowed


@pytest.mark.filterwarnings("ignore:Duplicate")
@pytest.mark.parametrize("name, message", [("a.npy", "one name"), ("a.txt", "no array"), ("b/a.npy", "no array")])
def test_odd_members_are_refused(path, name, message):
    with zipfile.ZipFile(path, "a") as file:
        file.writestr(name, b"x")
    with refused(message):
        read_archive(path, THING)
