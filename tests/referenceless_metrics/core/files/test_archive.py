"""Archives: the same bytes on every write, arrays that are mapped, and a clear error for whatever is none.

Refusals of all formats that are made of archives are tested in `test_hostile_files`.
"""

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from refusals import refused
from safetensors.numpy import load_file

from referenceless_metrics.core.files.archive import (
    Array,
    Schema,
    is_archive,
    pack_strings,
    read_archive,
    unpack_strings,
    write_archive,
)

ARRAYS = {"a": np.arange(1000, dtype=np.uint16), "b": np.zeros((2, 3)), "empty": np.zeros(0, dtype=np.uint8)}
RULES = {"a": Array("<u2", ("n",)), "b": Array("<f8", (2, None)), "empty": Array("|u1", (None,))}
THING = Schema("thing", 1, "a thing", arrays=RULES, fields={"name": str}, optional_fields={"part": float})


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "model"
    write_archive(file, THING, {"name": "ä"}, ARRAYS)
    return file


@pytest.mark.parametrize("mapped", [False, True])
def test_round_trip(folder, mapped):
    for name in ("one", "other"):
        write_archive(Path(name), THING, {"name": "ä", "part": np.float64(0.5)}, ARRAYS)
    assert Path("one").read_bytes() == Path("other").read_bytes()
    header, arrays = read_archive("one", THING, mapped=mapped)
    assert header == {"name": "ä", "part": 0.5}
    assert arrays.keys() == ARRAYS.keys()
    for others in (arrays, load_file("one")):  # other programs read it too
        for name, array in ARRAYS.items():
            assert others[name].dtype == array.dtype
            assert_array_equal(others[name], array)
    for array in arrays.values():
        assert array.flags.aligned
        array += 1  # a write to a mapped array is this process's alone
    assert Path("one").read_bytes() == Path("other").read_bytes()
    assert is_archive("one")
    assert not is_archive(folder)


def test_strings_of_any_kind():
    strings = ["", "a\nb", "\x00", "é", '"', "\U0001f600", "##ing"]
    assert unpack_strings(pack_strings(strings)) == strings
    assert unpack_strings(pack_strings(["\ud800"]), surrogates=True) == ["\ud800"]


@pytest.mark.parametrize(
    "place, error, message",
    [
        ("nowhere", FileNotFoundError, r"no file at .*nowhere; expected one that holds a thing"),
        (".", IsADirectoryError, "it is a folder; expected a file that holds a thing"),
        ("/dev/zero", FileNotFoundError, "/dev/zero"),  # which never ends
    ],
)
def test_missing_files_and_folders_are_named(tmp_path, place, error, message):
    with refused(message, error):
        read_archive(tmp_path / place, THING)


@pytest.mark.parametrize("header, error", [({"name": object()}, TypeError), ({"name": "a" * 2**22}, ValueError)])
def test_a_failed_write_leaves_the_old_file(path, header, error):
    before = path.read_bytes()
    with pytest.raises(error):
        write_archive(path, THING, header, ARRAYS)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("shape", [("n",), ("n", "n")])
def test_shapes_must_fit(path, shape):
    schema = Schema("thing", 1, "a thing", arrays={"a": Array("<f8", shape)})
    write_archive(path, schema, {}, {"a": ARRAYS["b"]})
    with refused(r"model.*its array 'a' has shape \(2, 3\)"):
        read_archive(path, schema)


def test_a_new_file_takes_the_place_of_the_old_which_is_not_written_into(path, tmp_path):
    (tmp_path / "old").hardlink_to(path)
    write_archive(path, THING, {"name": "new"}, ARRAYS)
    assert [read_archive(tmp_path / name, THING)[0]["name"] for name in ("old", "model")] == ["ä", "new"]


WRONG_ENTRIES = {
    "10^13 numbers": {"shape": [10**13], "data_offsets": [0, 8 * 10**13]},
    "2^124 numbers": {"shape": [2**62, 2**62]},
    "none of very many": {"shape": [2**62, 0, 2**62], "data_offsets": [0, 0]},
    "a negative shape": {"shape": [-1], "data_offsets": [0, -8]},
    "negative places": {"data_offsets": [-48, 0]},
    "overlapping places": {"data_offsets": [0, 40]},
    "a hole": {"data_offsets": [8, 56]},
    "many dimensions": {"shape": [1] * 100 + [2, 3]},
    "a text as shape": {"shape": "23"},
    "fractions": {"shape": [2.0, 3.0]},
    "objects": {"dtype": "O64"},
    "brain floats": {"dtype": "BF16"},
    "no type": {"dtype": None},
    "a list as type": {"dtype": []},
}


def with_layout(content, change):
    """Return a file's bytes with another JSON object at their beginning."""
    size = int.from_bytes(content[:8], "little")
    text = json.dumps(change(json.loads(content[8 : 8 + size]))).encode()
    text += b" " * (-len(text) % 64)
    return len(text).to_bytes(8, "little") + text + content[8 + size :]


def with_longer_header(content, n_bytes):
    """Return a file's bytes with so many blanks more at the end of its header."""
    size = int.from_bytes(content[:8], "little")
    return (size + n_bytes).to_bytes(8, "little") + content[8 : 8 + size] + b" " * n_bytes + content[8 + size :]


@pytest.mark.parametrize("entry", WRONG_ENTRIES.values(), ids=WRONG_ENTRIES)
@pytest.mark.parametrize("mapped", [False, True])
def test_arrays_that_the_file_does_not_hold_take_no_memory(entry, mapped, path):
    wrong = with_layout(path.read_bytes(), lambda layout: {**layout, "b": {**layout["b"], **entry}})
    path.write_bytes(wrong)
    tracemalloc.start()
    try:
        with refused(r"model"):
            read_archive(path, THING, mapped=mapped)
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda content: content + b"x", "truncated or damaged"),
        (lambda content: with_longer_header(content, 2**22), "was written by another program"),
        (lambda content: (2**28).to_bytes(8, "little") + content[8:], "was written by another program"),
        (lambda content: with_layout(content, lambda layout: {"a": layout["a"]}), "its metadata"),
        (lambda content: with_layout(content, lambda layout: {**layout, "c": layout["empty"]}), "'c' is not known"),
        (lambda content: with_layout(content, lambda layout: layout.pop("empty") and layout), "it lacks .*'empty'"),
        (lambda content: with_layout(content, lambda layout: [1]), "model"),
        (lambda content: with_layout(content, lambda layout: {**layout, "b": 3}), "model"),
    ],
)
def test_files_that_are_no_archives(change, message, path):
    path.write_bytes(change(path.read_bytes()))
    with refused(message):
        read_archive(path, THING)
