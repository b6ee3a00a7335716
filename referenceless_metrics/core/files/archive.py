"""The one format of saved models and pools: arrays and a JSON header in a ``.safetensors`` file, checked by a schema.

The layout is that of https://huggingface.co/docs/safetensors: the length of a JSON object in 8 bytes, the object, which
says of each array its type, shape and place, and the arrays, uncompressed. Nothing in such a file is code, an array
is never larger than the file, and arrays can be mapped: processes then share their pages.

The digest finds damage, and proves nothing about who wrote the file: names, types, shapes and ranges are checked as
it is read. Whether the arrays make a model is for the model to say.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from referenceless_metrics.core.files.atomic import atomic_write
from referenceless_metrics.core.support.validation import (
    Arrays,
    Fields,
    PathName,
    Record,
    Unsigned8,
    check_fields,
    check_path,
    lone_surrogate,
    parse_json,
    shortened,
)

_PROJECT = "referenceless-metrics"
_METADATA = "__metadata__"
_LONGEST_HEADER = 2**22
_ALIGNMENT = 64  # of the first array, in bytes; each is aligned to its own numbers
_DTYPES = {
    f"{dtype.kind.upper()}{8 * dtype.itemsize}": dtype
    for dtype in map(np.dtype, ("<f8", "<f4", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1"))
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_ZIP = b"PK"  # with which archives of earlier releases begin
# Errors of numpy and constructors for content that is damaged or of another kind.
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)


class Array(NamedTuple):
    """Requirements of an array of an archive.

    Attributes:
        dtype: numpy's name of its numbers, such as `<i8`.
        shape: each dimension as a number, None for any, or a name: dimensions of one name are equal.
        least: no number may be smaller, or NaN.
        most: no number may be larger, or NaN.
        optional: whether it may be missing.
    """

    dtype: str
    shape: tuple[int | str | None, ...]
    least: float = -math.inf
    most: float = math.inf
    optional: bool = False


STRINGS = Array("|u1", (None,))
"""Type of the result of `pack_strings`."""


@dataclass(frozen=True)
class Schema:
    """Content of one kind of archive.

    Attributes:
        kind: its name in the file.
        version: the version of its layout, the only one that is read.
        holds: its name in messages, with the command that writes it, such as "an n-gram model (write one with …)".
        arrays: its arrays by name, in which `a.*` stands for any with that beginning; or a function of the header that
            returns them, or raises a `ValueError`.
        fields: names in the header, with the types of their values.
        optional_fields: names of fields that may be missing.
    """

    kind: str
    version: int
    holds: str
    arrays: Mapping[str, Array] | Callable[[Record], Mapping[str, Array]]
    fields: Fields = field(default_factory=dict)
    optional_fields: Fields = field(default_factory=dict)


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


def write_archive(path: PathName, schema: Schema, header: Record, arrays: Arrays) -> None:
    """Write arrays and a header to `path`, whole or not at all; equal content gives equal bytes.

    Args:
        path: the file.
        schema: the file's schema; the caller keeps to it.
        header: the fields, as JSON has them.
        arrays: the arrays by name.

    Raises:
        OSError: if the file cannot be written.
        TypeError: for a field that JSON cannot hold.
        ValueError: for a header of megabytes, and an array of objects.
    """
    text, arrays = _prepared(schema, header, arrays)
    layout: Record = {_METADATA: {_PROJECT: text, "sha256": _digest(text, arrays)}}
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.nbytes
        layout[name] = {"dtype": _NAMES[array.dtype], "shape": array.shape, "data_offsets": (begin, end)}
    content = json.dumps(layout).encode()
    content += b" " * (-(8 + len(content)) % _ALIGNMENT)
    if len(content) > _LONGEST_HEADER:
        raise ValueError(f"Expected a header of at most {_LONGEST_HEADER:,} bytes, but got {len(content):,}")
    with atomic_write(path) as file:
        file.write(len(content).to_bytes(8, "little") + content)
        for array in arrays.values():
            file.write(array.data if array.size else b"")


def content_digest(schema: Schema, header: Record, arrays: Arrays) -> str:
    """Return the digest that `write_archive` would put in its file."""
    return _digest(*_prepared(schema, header, arrays))


def _prepared(schema: Schema, header: Record, arrays: Arrays) -> tuple[str, Arrays]:
    """Return the text of a header, and the arrays in the order of a file, in which each is aligned."""
    named = ((name, np.ascontiguousarray(array)) for name, array in arrays.items())
    full = {"kind": schema.kind, "version": schema.version, **header}
    text = json.dumps(full, ensure_ascii=False, sort_keys=True)
    return text, dict(sorted(named, key=lambda item: (-item[1].itemsize, item[0])))


def is_archive(path: PathName) -> bool:
    """Say whether a file begins as an archive does, of this release or an earlier one, and so holds no texts."""
    file = Path(path)
    if not file.is_file():
        return False
    with file.open("rb") as stream:
        head = stream.read(9)
    return head[8:] == b"{" if head[5:8] == bytes(3) else head[:2] == _ZIP


def archive_kind(path: PathName) -> str | None:
    """Return the kind of content that a file of this package tells; None for a file of others, or a damaged one."""
    with suppress(*_UNREADABLE), Path(path).open("rb") as file:
        layout, _ = _read_layout(file)
        return str(parse_json(layout[_METADATA][_PROJECT])["kind"])
    return None


@contextmanager
def reading(path: PathName, schema: Schema) -> Iterator[None]:
    """Report a fault of a file's content in one form, whichever code finds it.

    Raises:
        ValueError: for an error inside the block over content that does not fit; the message names the file.
    """
    try:
        yield
    except _UNREADABLE as error:
        reason = str(error) or type(error).__name__
        if isinstance(error, KeyError):
            reason = f"it lacks {reason}"
        elif isinstance(error, OSError):
            reason = f"it is truncated or damaged ({reason})"
        raise ValueError(
            f"Expected {os.fspath(path)} to be a file of {_PROJECT} that holds {schema.holds}, but {reason}"
        ) from error


def read_archive(
    path: PathName, schema: Schema, *, mapped: bool = False, verified: bool = False
) -> tuple[Record, Arrays]:
    """Read a file of `write_archive`.

    Args:
        path: the file.
        schema: the schema that the file must follow.
        mapped: map the arrays: their pages are read as they are used, and shared among processes. Writing to one
            changes this process's copy alone.
        verified: check neither the arrays' numbers nor the digest, which takes as long as reading them: of a file
            that came with the package, or was checked before.

    Returns:
        The header's fields and the arrays.

    Raises:
        FileNotFoundError: if there is no such file.
        IsADirectoryError: for a folder.
        ValueError: for a truncated, damaged or foreign file, another kind, another version, or content that the schema
            refuses.
    """
    source = check_path(path)
    if not source.is_file():
        if source.is_dir():
            raise IsADirectoryError(f"{source}: it is a folder; expected a file that holds {schema.holds}")
        raise FileNotFoundError(f"There is no file at {source}; expected one that holds {schema.holds}")
    with reading(source, schema), source.open("rb") as file:
        layout, start = _read_layout(file)
        metadata = layout.pop(_METADATA, None)
        check_fields("its metadata", metadata, {_PROJECT: str, "sha256": str})
        header = parse_json(metadata[_PROJECT])
        kind = header.get("kind") if isinstance(header, dict) else None
        if not isinstance(header, dict) or kind != schema.kind:
            told = f": {shortened(kind, 60)}" if isinstance(kind, str) else ""
            raise ValueError(f"it holds another kind of content{told}")
        version = header.get("version")
        if type(version) is not int or version != schema.version:
            raise ValueError(f"it has version {version!r:.40}, and this release reads version {schema.version}")
        check_fields("its header", header, {"kind": str, "version": int, **schema.fields}, schema.optional_fields)
        file.seek(0)
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) if mapped else bytearray(file.read())
        arrays = _arrays(layout, content, start)
        rules = schema.arrays(header) if callable(schema.arrays) else schema.arrays
        check_arrays(arrays, rules, values=not verified)
        if not verified and metadata["sha256"] != _digest(metadata[_PROJECT], arrays):
            raise ValueError("its content does not match its digest: it is damaged")
    return {name: header[name] for name in (*schema.fields, *schema.optional_fields) if name in header}, arrays


def read_digest(path: PathName) -> str:
    """Return the digest of the content of a file that `read_archive` reads."""
    with Path(path).open("rb") as file:
        return str(_read_layout(file)[0][_METADATA]["sha256"])


def _read_layout(file: IO[bytes]) -> tuple[Record, int]:
    """Return the JSON object with which a file begins, and the offset of the first array."""
    head = file.read(8)
    if head.startswith(_ZIP):
        raise ValueError("it was written by another program, or by an earlier release: write it anew")
    size = int.from_bytes(head, "little")
    if size > _LONGEST_HEADER:
        raise ValueError("it was written by another program")
    text = file.read(size)
    if not 0 < len(text) == size:
        raise ValueError("it is truncated or damaged")
    return dict(parse_json(text)), 8 + size


def _arrays(layout: Record, content: mmap.mmap | bytearray, start: int) -> Arrays:
    """Return the arrays of a file's content, which stand in it one after the other, as `layout` lists them.

    numpy refuses shapes that are none, or that the content has no room for.
    """
    arrays, end = {}, 0
    for name, entry in layout.items():
        dtype, shape = _DTYPES[entry["dtype"]], entry["shape"]
        begin, end = end, end + math.prod(shape) * dtype.itemsize
        if entry["data_offsets"] != [begin, end] or (start + begin) % dtype.itemsize:
            raise ValueError(f"its array {name!r:.60} does not stand where it should")
        arrays[name] = np.ndarray(shape, dtype, content, start + begin)
    if start + end != len(content):
        raise ValueError("it is truncated or damaged")
    return arrays


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
        fits = array.dtype == rule.dtype and array.ndim == len(rule.shape)
        for size, actual in zip(rule.shape, array.shape, strict=False):
            expected = sizes.setdefault(size, actual) if isinstance(size, str) else size
            fits = fits and expected in (None, actual)
        if not fits:
            raise ValueError(
                f"its array {name!r:.60} has shape {array.shape} of {array.dtype}, which does not fit what it holds"
            )
        bounded = array.dtype.kind == "f" or (rule.least, rule.most) != (-math.inf, math.inf)
        if values and bounded and array.size and not (rule.least <= array.min() and array.max() <= rule.most):
            raise ValueError(f"its array {name!r:.60} holds numbers that do not belong there")


def _digest(text: str, arrays: Arrays) -> str:
    """Return the SHA-256 of a header and of arrays."""
    digest = hashlib.sha256(text.encode())
    for name, array in arrays.items():
        digest.update(f"{name}:{array.dtype.str}:{array.shape};".encode())
        digest.update(array.data if array.size else b"")
    return digest.hexdigest()
