"""Versioned, checked ``.npz`` archives: arrays and a JSON header, never unpickled, the same bytes on every write."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.atomic import atomic_write

__all__ = ["pack_strings", "read_archive", "unpack_strings", "write_archive"]

_MAGIC = "referenceless-metrics"
_HEADER = "header"
_NAMES = {"ngram": "an n-gram model", "unigram": "a unigram table"}
# What numpy and zipfile raise on files that are cut, damaged or of another kind.
_UNREADABLE = (
    AttributeError,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    TypeError,
    ValueError,
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
    strings = json.loads(packed.tobytes().decode("utf-8"))
    if not isinstance(strings, list) or not set(map(type, strings)) <= {str}:
        raise ValueError("Expected a JSON list of strings")
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
    path: str | os.PathLike[str], kind: str, version: int, *, required: Sequence[str] = ()
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read an archive of this kind that `write_archive` wrote, at most of this version.

    Returns:
        The header and the arrays.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a truncated, damaged or foreign file, another kind, or a later version.
    """
    source = Path(path)
    if not source.is_file():
        raise FileNotFoundError(f"There is no file at {source}; expected one that holds {_named(kind)}")
    expected = f"Expected {source} to be a file of referenceless-metrics that holds {_named(kind)}"
    try:
        with np.load(source, allow_pickle=False) as archive:
            if not isinstance(archive, np.lib.npyio.NpzFile) or _HEADER not in archive.files:
                raise ValueError("it has no header")
            header = json.loads(archive[_HEADER].tobytes().decode("utf-8"))
            if not isinstance(header, dict) or header.get("format") != _MAGIC:
                raise ValueError("it was written by another program")
            if header.get("kind") != kind:
                raise ValueError(f"it holds {_named(header.get('kind'))}")
            found = header.get("version")
            if not isinstance(found, int) or found > version:
                raise ValueError(f"it has version {found}, and this release reads up to {version}")
            arrays = {name: archive[name] for name in archive.files if name != _HEADER}
    except _UNREADABLE as error:
        raise ValueError(f"{expected}, but {_reason(error)}") from error
    missing = [name for name in required if name not in arrays]
    if missing:
        raise ValueError(f"{expected}, but it lacks {', '.join(missing)}")
    if header.get("sha256") != _digest(arrays):
        raise ValueError(f"{expected}, but its content does not match its checksum: it is damaged")
    return header, arrays


def _named(kind: object) -> str:
    return _NAMES.get(str(kind), f"a {kind!r} model")


def _reason(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    if isinstance(error, (zipfile.BadZipFile, zlib.error, EOFError, OSError)):
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
