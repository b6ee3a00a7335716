"""Versioned, checked ``.npz`` archives: arrays and a JSON header, never unpickled, the same bytes on every write.

The checksum finds damage, and proves nothing about who wrote a file: what an archive holds is checked as it is read,
sizes before memory is taken for them. Whether the arrays make a model is for the model to say.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.atomic import atomic_write
from metric_commons.files.bounds import check_unpacked
from metric_commons.files.strict_json import parse_json
from metric_commons.support.validation import lone_surrogate

__all__ = ["pack_strings", "read_archive", "unpack_strings", "write_archive"]

_MAGIC = "referenceless-metrics"
_HEADER = "header"
_NAMES = {
    "ngram": "an n-gram model",
    "unigram": "a unigram table",
    "letters": "letters",
    "measure": "a fitted measure",
    "word classes": "word classes",
}
_MOST_MEMBERS = 1000
_LONGEST_HEADER = 2**20
_LAYOUT_MAGIC = b"\x93NUMPY\x01\x00"
_LAYOUT = re.compile(
    rb"\{'descr': '(<[uif][248]|\|[uib]1)', 'fortran_order': False, "
    rb"'shape': \((|\d{1,19},|\d{1,19}(?:, \d{1,19}){1,3})\), \} *\n"
)
_HARMLESS_FLAGS = 0x0808  # sizes that follow the data, names in UTF-8
# What numpy and zipfile raise on files that are cut, damaged or of another kind.
_UNREADABLE = (
    AttributeError,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


def pack_strings(strings: Sequence[str]) -> NDArray[np.uint8]:
    """Return strings as the bytes of a JSON list, shape (bytes,)."""
    text = json.dumps(list(strings), ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(text.encode("utf-8"), dtype=np.uint8)


def unpack_strings(packed: NDArray[np.uint8]) -> list[str]:
    """Return the strings that `pack_strings` packed.

    Raises:
        ValueError: for bytes that are no JSON list of strings.
    """
    if packed.dtype != np.uint8 or packed.ndim != 1:
        raise ValueError("Expected a JSON list of strings, in bytes")
    strings = parse_json(packed.tobytes())
    if not isinstance(strings, list) or not set(map(type, strings)) <= {str}:
        raise ValueError("Expected a JSON list of strings")
    if lone_surrogate("".join(strings)) is not None:
        raise ValueError("Expected a JSON list of strings of valid Unicode")
    return strings


def write_archive(
    path: str | os.PathLike[str],
    kind: str,
    version: int,
    header: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> None:
    """Write arrays and a header to `path`, atomically.

    The file is an ordinary ``.npz`` (deflate); its member ``header`` holds JSON with the magic word, the kind, the
    version of the layout, and the SHA-256 of the arrays.
    """
    stored = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    full = {
        "format": _MAGIC,
        "kind": kind,
        "version": version,
        "sha256": _digest(stored),
        **header,
    }
    text = json.dumps(full, ensure_ascii=False, sort_keys=True)
    stored = {_HEADER: np.frombuffer(text.encode("utf-8"), dtype=np.uint8), **stored}
    with atomic_write(path) as file, zipfile.ZipFile(file, "w") as archive:
        for name, array in stored.items():
            # A fixed date: equal content gives equal bytes.
            member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w") as out:
                np.lib.format.write_array(out, array, allow_pickle=False)


def read_archive(
    path: str | os.PathLike[str],
    kind: str,
    version: int,
    *,
    required: Sequence[str] = (),
    header_types: Mapping[str, type] | None = None,
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read an archive of this kind that `write_archive` wrote, at most of this version.

    Args:
        path: the file.
        kind: what it is to hold.
        version: the latest version of the layout that the caller reads.
        required: arrays that it must hold.
        header_types: names that its header must hold beside those of every archive, with the types of their values.

    Returns:
        The header and the arrays: whole numbers and floats of up to 8 bytes, in C order.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a truncated, damaged or foreign file, another kind, or a later version.
    """
    source = Path(path)
    if not source.is_file():
        raise FileNotFoundError(f"There is no file at {source}; expected one that holds {_named(kind)}")
    expected = f"Expected {source} to be a file of referenceless-metrics that holds {_named(kind)}"
    try:
        with zipfile.ZipFile(source) as archive:
            members = _members(archive, source.stat().st_size)
            header = _read_header(archive, members.pop(_HEADER), kind, version, header_types or {})
            arrays = {name: _read_array(archive, member) for name, member in members.items()}
    except _UNREADABLE as error:
        raise ValueError(f"{expected}, but {_reason(error)}") from error
    missing = [name for name in required if name not in arrays]
    if missing:
        raise ValueError(f"{expected}, but it lacks {', '.join(missing)}")
    if header.get("sha256") != _digest(arrays):
        raise ValueError(f"{expected}, but its content does not match its checksum: it is damaged")
    return header, arrays


def _members(archive: zipfile.ZipFile, packed: int) -> dict[str, zipfile.ZipInfo]:
    """Return the members of an archive by name, without their suffix, once their declared sizes may be believed."""
    listed = archive.infolist()
    members = {member.filename.removesuffix(".npy"): member for member in listed}
    if _HEADER not in members:
        raise ValueError("it has no header")
    if len(listed) > _MOST_MEMBERS or len(members) < len(listed):
        raise ValueError("its members are too many, or have one name")
    for member in listed:
        if not member.filename.endswith(".npy") or "/" in member.filename or "\\" in member.filename:
            raise ValueError(f"its member {member.filename!r:.60} is no array")
        if member.flag_bits & ~_HARMLESS_FLAGS or member.compress_type not in (
            zipfile.ZIP_STORED,
            zipfile.ZIP_DEFLATED,
        ):
            raise ValueError(f"its member {member.filename!r:.60} is encrypted, or packed in a way that is not read")
    check_unpacked(sum(member.file_size for member in listed), packed)
    return members


def _read_header(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, kind: str, version: int, types: Mapping[str, type]
) -> dict[str, Any]:
    if member.file_size > _LONGEST_HEADER:
        raise ValueError("its header is too long")
    header = parse_json(_read_array(archive, member).tobytes())
    if not isinstance(header, dict) or header.get("format") != _MAGIC:
        raise ValueError("it was written by another program")
    if header.get("kind") != kind:
        raise ValueError(f"it holds {_named(header.get('kind'))}")
    found = header.get("version")
    if type(found) is not int or not 1 <= found <= version:
        raise ValueError(f"it has version {found!r:.40}, and this release reads up to {version}")
    for name, wanted in types.items():
        # A whole number may stand where a fraction may.
        if type(header.get(name)) not in ((int, float) if wanted is float else (wanted,)):
            raise ValueError(f"its header has no {name!r} that is of type {wanted.__name__}")
    return header


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Return one member, whose declared size is known to be bearable."""
    with archive.open(member) as file:
        dtype, shape = _read_layout(file, member.filename)
        size = math.prod(shape) * dtype.itemsize
        if size != member.file_size - file.tell():
            raise ValueError(f"{member.filename} does not hold as many numbers as it declares")
        array = np.empty(shape, dtype=dtype)
        content = array.reshape(-1).view(np.uint8).data if size else memoryview(bytearray())
        at = 0
        while at < size:
            read = file.readinto(content[at:])  # type: ignore[attr-defined]
            if not read:
                raise EOFError(f"{member.filename} ends early")
            at += read
        file.read(1)  # at the end, zipfile compares its own checksum
    return array


def _read_layout(file: IO[bytes], name: str) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """Return the type and shape of the array that follows.

    numpy's own reader of this header evaluates an expression and falls back on Python's tokeniser, which takes odd ones
    seconds and has errors of its own. `write_archive` writes only what `_LAYOUT` matches.
    """
    start = file.read(10)
    if start[:8] != _LAYOUT_MAGIC or len(start) < 10:
        raise ValueError(f"{name} has a layout that is not read")
    layout = file.read(int.from_bytes(start[8:], "little"))
    if b"'|O'" in layout:
        raise ValueError(f"{name} holds objects, which allow_pickle would run")
    found = _LAYOUT.fullmatch(layout)
    if found is None:
        raise ValueError(f"{name} holds no plain numbers")
    shape = tuple(int(size) for size in found[2].decode("ascii").replace(",", " ").split())
    dtype = np.dtype(found[1].decode("ascii"))
    if not dtype.isnative:  # on a machine of the other byte order
        raise ValueError(f"{name} holds numbers in a byte order that is not read")
    return dtype, shape


def _named(kind: object) -> str:
    return _NAMES.get(str(kind), f"a {kind!r} model")


def _reason(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    if isinstance(error, (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error)):
        return f"it is truncated or damaged ({text})"
    if "allow_pickle" in text or "pickle" in text:
        return "it is no such file"
    return text


def _digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}:{array.dtype.str}:{array.shape};".encode())
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()
