"""Archives: the same bytes on every write, and a clear error for whatever is none."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from metric_commons.files.archive import pack_strings, read_archive, unpack_strings, write_archive

ARRAYS = {"a": np.arange(1000, dtype=np.uint16), "b": np.zeros((2, 3)), "empty": np.zeros(0, dtype=np.uint8)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "model.npz"
    write_archive(file, "thing", 2, {"name": "ä"}, ARRAYS)
    return file


def test_round_trip(path: Path) -> None:
    header, arrays = read_archive(path, "thing", 2, required=("a",))
    assert header["name"] == "ä"
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(arrays[name], array)


def test_equal_content_gives_equal_bytes(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.npz"
    write_archive(other, "thing", 2, {"name": "ä"}, ARRAYS)
    assert other.read_bytes() == path.read_bytes()
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_strings_of_any_kind() -> None:
    strings = ["", "a\nb", "\x00", "é", '"', "\U0001f600", "##ing"]
    assert unpack_strings(pack_strings(strings)) == strings
    with pytest.raises(ValueError, match="list of strings"):
        unpack_strings(np.frombuffer(b"[1]", dtype=np.uint8))


def test_refuses_a_truncated_file(path: Path) -> None:
    content = path.read_bytes()
    for size in (0, 1, 10, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(ValueError, match=r"model\.npz"):
            read_archive(path, "thing", 2)


def test_refuses_a_file_with_a_changed_byte(path: Path) -> None:
    content = path.read_bytes()
    for position in range(40, len(content), 97):
        path.write_bytes(content[:position] + bytes([content[position] ^ 0x55]) + content[position + 1 :])
        try:
            header, arrays = read_archive(path, "thing", 2)
        except ValueError:
            continue
        # What is left are bytes that mean nothing, such as a member's date.
        assert header["name"] == "ä"
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(arrays[name], array)


def test_refuses_foreign_files(tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.npz"
    for content in (b"not a zip", pickle.dumps({"a": 1}), b"PK\x03\x04" + bytes(60)):
        foreign.write_bytes(content)
        with pytest.raises(ValueError, match="thing"):
            read_archive(foreign, "thing", 2)
    np.savez(foreign, a=np.arange(3))
    with pytest.raises(ValueError, match="header"):
        read_archive(foreign, "thing", 2)
    np.savez(foreign, header=np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="no such file"):
        read_archive(foreign, "thing", 2)
    np.savez(foreign, header=pack_strings(["a"]))
    with pytest.raises(ValueError, match="another program"):
        read_archive(foreign, "thing", 2)
    with foreign.open("wb") as file:
        np.save(file, np.arange(3))
    with pytest.raises(ValueError, match="thing"):
        read_archive(foreign, "thing", 2)


def test_refuses_another_kind_a_later_version_and_missing_arrays(path: Path) -> None:
    with pytest.raises(ValueError, match="holds a 'thing' model"):
        read_archive(path, "other", 2)
    with pytest.raises(ValueError, match="version 2, and this release reads up to 1"):
        read_archive(path, "thing", 1)
    with pytest.raises(ValueError, match="lacks z"):
        read_archive(path, "thing", 3, required=("a", "z"))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        read_archive(path.parent / "nowhere.npz", "thing", 2)


def test_a_failed_write_leaves_the_old_file(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(ValueError, match="Object arrays"):
        write_archive(path, "thing", 2, {}, {"a": np.array([object()])})
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
