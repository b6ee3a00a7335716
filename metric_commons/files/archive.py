"""The one format of saved models and pools: arrays and a JSON header in an ``.npz`` file, checked by a schema.

An archive is never unpickled, and has the same bytes on every write. Its checksum finds damage, and proves nothing
about who wrote it: names, types, shapes and ranges are checked as it is read, and sizes before memory is taken for
them. Whether the arrays make a model is for the model to say.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from metric_commons.files.atomic import atomic_write
from metric_commons.files.text_io import is_archive
from metric_commons.support.validation import (
    Arrays,
    Fields,
    Numbers,
    PathName,
    Record,
    Unsigned8,
    check_fields,
    check_path,
    lone_surrogate,
    parse_json,
)

ALWAYS_ALLOWED = 256 * 2**20
"""Bytes that any file may unpack to, however well it compresses."""

MOST_TIMES = 100
"""How many times its size a file may unpack to beyond that; texts and numbers compress three- to tenfold."""

MOST = 16 * 2**30
"""Bytes that no file may exceed."""

_MAGIC = "referenceless-metrics"
_HEADER = "header"
_MOST_MEMBERS = 100_000
_LONGEST_HEADER = 2**22
_ALIGNMENT = 64  # of mapped arrays, in bytes
_LAYOUT = re.compile(
    rb"\x93NUMPY\x01\x00(?s:..)\{'descr': '(<[uif][248]|\|[uib]1)', 'fortran_order': False, "
    rb"'shape': \((|\d{1,19},|\d{1,19}(?:, \d{1,19}){1,3})\), \} *\n"
)
_HARMLESS_FLAGS = 0x0808  # sizes that follow the data, names in UTF-8
_DAMAGED = (EOFError, struct.error, zipfile.BadZipFile, zlib.error)
# What numpy, zipfile and constructors raise on content that is cut, damaged or of another kind.
_UNREADABLE = (*_DAMAGED, ArithmeticError, AttributeError, LookupError, NotImplementedError, OSError, RuntimeError)


class Array(NamedTuple):
    """What an array of an archive must be.

    Attributes:
        dtype: numpy's name of its numbers, such as `<i8`.
        shape: each dimension as a number, None for any, or a name: dimensions of one name are equal.
        least: no number may be smaller, or NaN.
        most: no number may be larger, or NaN.
        optional: whether it may lack.
    """

    dtype: str
    shape: tuple[int | str | None, ...]
    least: float = -math.inf
    most: float = math.inf
    optional: bool = False


STRINGS = Array("|u1", (None,))
"""What `pack_strings` gives."""


@dataclass(frozen=True)
class Schema:
    """What one kind of archive holds.

    Attributes:
        kind: its name in the file.
        version: of its layout, the only one that is read.
        holds: what messages call its content, such as "an n-gram model".
        arrays: by name, where `a.*` stands for any that are named so; or a function of the header that returns them, or
            raises a `ValueError`.
        fields: names in the header, with the types of their values.
        optional_fields: names that may lack.
    """

    kind: str
    version: int
    holds: str
    arrays: Mapping[str, Array] | Callable[[Record], Mapping[str, Array]]
    fields: Fields = field(default_factory=dict)
    optional_fields: Fields = field(default_factory=dict)


def may_unpack(unpacked: int, packed: int) -> bool:
    """Say whether `packed` bytes may be unpacked to `unpacked`.

    >>> may_unpack(10_000_000, 20_000), may_unpack(3_200_000_000, 3_000_000), may_unpack(-1, 10)
    (True, False, False)
    """
    return 0 <= unpacked <= min(MOST, max(ALWAYS_ALLOWED, MOST_TIMES * packed))


def pack_strings(strings: Sequence[str]) -> Unsigned8:
    """Return strings as the bytes of a JSON list, shape (bytes,)."""
    text = json.dumps(list(strings), ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpack_strings(packed: Unsigned8, *, surrogates: bool = False) -> list[str]:
    """Return the strings that `pack_strings` packed.

    Raises:
        ValueError: for bytes that are no JSON list of strings, and for lone surrogates without `surrogates`.
    """
    strings = parse_json(packed.tobytes().decode("utf-8", "surrogatepass"))
    if not isinstance(strings, list) or not set(map(type, strings)) <= {str}:
        raise ValueError("Expected a JSON list of strings")
    if not surrogates and lone_surrogate("".join(strings)) is not None:
        raise ValueError("Expected a JSON list of strings of valid Unicode")
    return strings


def write_archive(
    path: PathName,
    schema: Schema,
    header: Record,
    arrays: Arrays,
    *,
    compress: bool = True,
) -> None:
    """Write arrays and a header to `path`, whole or not at all.

    The file is an ordinary ``.npz``; its member ``header`` holds JSON with the magic word, the kind, the version of the
    layout, and the SHA-256 of the arrays.

    Args:
        path: the file.
        schema: what it holds; the content is the caller's to keep to it.
        header: the fields, as JSON has them.
        arrays: by name.
        compress: False to store the arrays as they are, so that `read_archive` can map them.

    Raises:
        OSError: where the file cannot be written.
        TypeError: for a field that JSON cannot hold.
        ValueError: for a header of megabytes.
    """
    stored = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    own = {"format": _MAGIC, "kind": schema.kind, "version": schema.version, "sha256": _digest(stored)}
    text = json.dumps({**own, **header}, ensure_ascii=False, sort_keys=True, default=_plain).encode()
    if len(text) > _LONGEST_HEADER:
        raise ValueError(f"Expected a header of at most {_LONGEST_HEADER:,} bytes, but got {len(text):,}")
    stored = {_HEADER: np.frombuffer(text, dtype=np.uint8), **stored}
    with atomic_write(path) as file:
        _write_members(file, stored, zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED)
        if not may_unpack(sum(array.nbytes + 2**10 for array in stored.values()), file.tell()):
            file.seek(0)  # texts that say next to nothing
            file.truncate()
            _write_members(file, stored, zipfile.ZIP_STORED)


def _write_members(file: IO[bytes], arrays: Arrays, compression: int) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            # A fixed date: equal content gives equal bytes.
            member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            member.compress_type = compression
            large = array.nbytes > 2**30
            if compression == zipfile.ZIP_STORED:
                start = file.tell() + 34 + len(member.filename) + 20 * large  # after two headers of zip's
                member.extra = struct.pack("<HH", 0xD935, -start % _ALIGNMENT) + bytes(-start % _ALIGNMENT)
            with archive.open(member, "w", force_zip64=large) as out:
                np.lib.format.write_array(out, array, allow_pickle=False)


def is_kind(path: PathName, schema: Schema) -> bool:
    """Say whether a file names itself as an archive of the schema's kind, of any version; it may be damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, Path(path).stat().st_size)
            return bool(parse_json(_read_array(archive, members[_HEADER]).tobytes())["kind"] == schema.kind)
    except (*_UNREADABLE, TypeError, ValueError):
        return False


def content_hash(path: PathName) -> str:
    """Return what tells an archive from others: the SHA-256 of its header, which holds that of the arrays.

    Raises:
        ValueError: for a file that is no archive.
    """
    try:
        with zipfile.ZipFile(path) as archive, archive.open(f"{_HEADER}.npy") as header:
            return hashlib.sha256(header.read(_LONGEST_HEADER)).hexdigest()
    except (*_DAMAGED, KeyError):
        raise ValueError(f"Expected {os.fspath(path)} to be a file of referenceless-metrics, but it is not") from None


@contextmanager
def reading(path: PathName, schema: Schema) -> Iterator[None]:
    """Tell what is wrong with a file's content in one way, whoever finds it.

    Raises:
        ValueError: for what is raised inside over content that does not fit; the message names the file.
    """
    try:
        yield
    except (*_UNREADABLE, TypeError, ValueError) as error:
        reason = str(error) or type(error).__name__
        if isinstance(error, KeyError):
            reason = f"it lacks {reason}"
        elif isinstance(error, (*_DAMAGED, OSError)):
            reason = f"it is truncated or damaged ({reason})"
        raise ValueError(
            f"Expected {os.fspath(path)} to be a file of referenceless-metrics that holds {schema.holds}, but {reason}"
        ) from error


def read_archive(
    path: PathName, schema: Schema, *, mapped: bool = False, verified: bool = False
) -> tuple[Record, Arrays]:
    """Read what `write_archive` wrote.

    Args:
        path: the file.
        schema: what it is to hold.
        mapped: map the arrays of a file that was written so: their pages are read as they are used, and shared among
            processes. Writing to one changes this process's copy alone.
        verified: do not check the content of mapped arrays, which takes as long as reading them: it was done before.

    Returns:
        The header's fields and the arrays.

    Raises:
        FileNotFoundError: where there is no such file.
        IsADirectoryError: for a folder.
        ValueError: for a truncated, damaged or foreign file, another kind, another version, or what the schema refuses.
    """
    source = check_path(path)
    if not source.is_file():
        if source.is_dir():
            raise IsADirectoryError(f"{source}: it is a folder; expected a file that holds {schema.holds}")
        raise FileNotFoundError(f"There is no file at {source}; expected one that holds {schema.holds}")
    with reading(source, schema), source.open("rb") as file:
        if not is_archive(source):
            raise ValueError("it was written by another program or by an earlier version")
        with zipfile.ZipFile(file) as archive:
            members = _members(archive, source.stat().st_size)
            header = _read_header(_read_array(archive, members.pop(_HEADER)), schema)
            if mapped:
                content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
                arrays = {name: _map_array(content, member) for name, member in members.items()}
            else:
                arrays = {name: _read_array(archive, member) for name, member in members.items()}
        rules = schema.arrays(header) if callable(schema.arrays) else schema.arrays
        check_arrays(arrays, rules, values=not verified)
        if not verified and header["sha256"] != _digest(arrays):
            raise ValueError("its content does not match its checksum: it is damaged")
    return {name: header[name] for name in (*schema.fields, *schema.optional_fields) if name in header}, arrays


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
        packings = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        if member.flag_bits & ~_HARMLESS_FLAGS or member.compress_type not in packings:
            raise ValueError(f"its member {member.filename!r:.60} is encrypted, or packed in a way that is not read")
    unpacked = sum(member.file_size for member in listed)
    if not may_unpack(unpacked, packed):
        raise ValueError(f"it declares {unpacked:,} bytes of content in {packed:,} of its own, beyond what is read")
    if members[_HEADER].file_size > _LONGEST_HEADER + 2**10:
        raise ValueError("its header is too long")
    return members


def _read_header(content: Numbers, schema: Schema) -> Record:
    header = parse_json(content.tobytes())
    if not isinstance(header, dict) or header.get("format") != _MAGIC:
        raise ValueError("it was written by another program")
    if header.get("kind") != schema.kind:
        raise ValueError(f"it holds what is called {header.get('kind')!r:.60}")
    found = header.get("version")
    if type(found) is not int or found != schema.version:
        raise ValueError(f"it has version {found!r:.40}, and this release reads version {schema.version}")
    own = {"format": str, "kind": str, "version": int, "sha256": str}
    check_fields("its header", header, {**own, **schema.fields}, schema.optional_fields)
    return header


def check_arrays(arrays: Arrays, rules: Mapping[str, Array], *, values: bool = True) -> None:
    """Raise a ValueError for arrays that break a schema's rules; `values`: look at their numbers too."""
    unknown = sorted(name for name in arrays if name not in rules and f"{name.partition('.')[0]}.*" not in rules)
    if unknown:
        raise ValueError(f"its array {unknown[0]!r:.60} is not known")
    sizes: dict[str, int] = {}
    for name, rule in rules.items():
        if name not in arrays:
            if rule.optional or name.endswith("*"):
                continue
            raise ValueError(f"it lacks the array {name!r:.60}")
        array = arrays[name]
        expected = [
            sizes.setdefault(size, found) if isinstance(size, str) else found if size is None else size
            for size, found in zip(rule.shape, array.shape, strict=False)
        ]
        if array.dtype != rule.dtype or array.ndim != len(rule.shape) or list(array.shape) != expected:
            raise ValueError(
                f"its array {name!r:.60} has shape {array.shape} of {array.dtype}, which does not fit what it holds"
            )
        if values and array.size and not (rule.least <= array.min() and array.max() <= rule.most):
            raise ValueError(f"its array {name!r:.60} holds numbers that do not belong there")


def _read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Numbers:
    """Return one member, whose declared size is known to be bearable."""
    return _as_array(bytearray(archive.read(member)), 0, member)


def _map_array(content: mmap.mmap, member: zipfile.ZipInfo) -> Numbers:
    """Return one member as a part of the mapped file."""
    if member.compress_type != zipfile.ZIP_STORED:
        raise ValueError("it is compressed, and cannot be mapped")
    begin = member.header_offset + 26  # where the lengths of the member's name, and of what zip adds, stand
    array = _as_array(content, begin + 4 + sum(struct.unpack_from("<HH", content, begin)), member)
    if array.size and array.ctypes.data % _ALIGNMENT:
        raise ValueError(f"{member.filename} does not stand where it can be mapped")
    return array


def _as_array(content: bytearray | mmap.mmap, begin: int, member: zipfile.ZipInfo) -> Numbers:
    """Return the array that stands in a file's content.

    numpy's own reader of its layout evaluates an expression and falls back on Python's tokeniser, which takes odd ones
    seconds and has errors of its own. `write_archive` writes only what `_LAYOUT` matches.
    """
    name = member.filename
    found = _LAYOUT.match(content, begin)
    if found is None or found.end() - begin != 10 + int.from_bytes(content[begin + 8 : begin + 10], "little"):
        raise ValueError(f"{name} holds no plain numbers")
    shape = tuple(int(size) for size in found[2].decode("ascii").replace(",", " ").split())
    dtype = np.dtype(found[1].decode("ascii"))
    if not dtype.isnative:  # on a machine of the other byte order
        raise ValueError(f"{name} holds numbers in a byte order that is not read")
    if math.prod(shape) * dtype.itemsize != begin + member.file_size - found.end():
        raise ValueError(f"{name} does not hold as many numbers as it declares")
    return np.ndarray(shape, dtype, content, found.end())


def _digest(arrays: Arrays) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name}:{array.dtype.str}:{array.shape};".encode())
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()


def _plain(value: object) -> object:
    """Return a numpy number as a Python one, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot write {value!r} to a file")
