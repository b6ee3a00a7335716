"""The file that holds a fitted estimator, as plain data: parameters, texts, quality, counts.

Layout, version 1: the line `bleu-neighbors-index 1`, the SHA-256 of the rest in hexadecimal, a line of JSON with the
parameters and the sizes of the four arrays that follow (`texts`: UTF-8; `lengths`, `counts`: little-endian int64;
`quality`: little-endian float64), zlib-compressed together. The kernel's index is not part of it: it is rebuilt when
the file is read.

Version 2 is version 1 with a calibration: its figures in the header (`calibration`, see `stored_calibration`), and two
more arrays of little-endian float64, `estimates` and `residuals`. A pool without one is written as version 1.

The checksum finds damage, and proves nothing about who wrote a file. So everything is checked as it is read: the
header's names against `_HEADERS`, sizes before memory is taken for them, arrays against one another. Whether the
parameters make an estimator is for the estimator to say, by the rules of its constructor.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.tuning.stored_calibration import HEADER, StoredCalibration, read_calibration
from metric_commons.files.atomic import atomic_write
from metric_commons.files.bounds import check_unpacked, may_unpack
from metric_commons.files.strict_json import parse_json

MAGIC = b"bleu-neighbors-index"
VERSION = 2
PARAMETERS = frozenset(
    (
        *("threshold", "min_neighbors", "max_fraction", "kernel", "weights"),
        *("tokenize", "ngram_orders", "smooth_method", "smooth_value", "clip"),
    )
)
"""The parameters that a saved estimator has; `kernel_options` may lack."""

_ARRAYS = ("texts", "lengths", "counts", "quality")
_OF_CALIBRATION = ("estimates", "residuals")
_LONGEST_HEADER = 2**22
_LARGEST_SUM = 2**53  # up to which float64 counts exactly


@dataclass(frozen=True)
class IndexData:
    """What an index file holds.

    Attributes:
        parameters: of the estimator, by name, as JSON has them.
        texts: n distinct texts.
        quality: their quality, finite, shape (n,), float64.
        counts: how many ratings each one had, at least 1, shape (n,), int64.
        calibration: what the estimates are worth, where that was measured.
    """

    parameters: Mapping[str, Any]
    texts: Sequence[str]
    quality: NDArray[np.float64]
    counts: NDArray[np.int64]
    calibration: StoredCalibration | None = None


@dataclass(frozen=True)
class _Header:
    """The names that the header of one version of the format may hold, with the type of each value.

    Attributes:
        required: at the top level.
        optional: at the top level; a block that readers may do without is declared here.
        parameters: of the estimator; the types are the estimator's to check.
        optional_parameters: those that files were written without.
        arrays: what follows the header, in any order.
    """

    required: Mapping[str, type]
    optional: Mapping[str, type]
    parameters: frozenset[str]
    optional_parameters: frozenset[str]
    arrays: tuple[str, ...]


_HEADERS = {
    1: _Header(
        required={"parameters": dict, "bytes": dict},
        optional={},
        parameters=PARAMETERS,
        optional_parameters=frozenset(("kernel_options",)),
        arrays=_ARRAYS,
    ),
    2: _Header(
        required={"parameters": dict, "bytes": dict, "calibration": dict},
        optional={},
        parameters=PARAMETERS,
        optional_parameters=frozenset(("kernel_options",)),
        arrays=(*_ARRAYS, *_OF_CALIBRATION),
    ),
}
"""The versions that can be read."""


def write_index(path: str | os.PathLike[str], data: IndexData) -> None:
    """Write an index file, whole or not at all.

    Raises:
        OSError: where the file cannot be written.
        TypeError: for a parameter that JSON cannot hold.
        ValueError: for parameters of megabytes.
    """
    encoded = [text.encode("utf-8", "surrogatepass") for text in data.texts]
    arrays = {
        "texts": b"".join(encoded),
        "lengths": np.array([len(text) for text in encoded], dtype="<i8").tobytes(),
        "counts": data.counts.astype("<i8").tobytes(),
        "quality": data.quality.astype("<f8").tobytes(),
    }
    header: dict[str, Any] = {"parameters": dict(data.parameters)}
    if data.calibration is not None:
        header["calibration"] = data.calibration.header()
        for name in _OF_CALIBRATION:
            arrays[name] = getattr(data.calibration.intervals, name).astype("<f8").tobytes()
    header["bytes"] = {name: len(content) for name, content in arrays.items()}
    version = 1 if data.calibration is None else VERSION
    content = b"".join(arrays.values())
    compressed = zlib.compress(content, 6)
    if not may_unpack(len(content), len(compressed)):  # texts that say next to nothing
        compressed = zlib.compress(content, 0)
    head = json.dumps(header, default=_number).encode()
    if len(head) >= _LONGEST_HEADER:
        raise ValueError(f"Expected parameters of at most {_LONGEST_HEADER:,} bytes, but got {len(head):,}")
    body = head + b"\n" + compressed
    with atomic_write(path) as file:
        file.write(b"%s %d\n%s\n" % (MAGIC, version, hashlib.sha256(body).hexdigest().encode()))
        file.write(body)


def is_index(path: str | os.PathLike[str]) -> bool:
    """Say whether a file begins as an index does."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read_index(path: str | os.PathLike[str]) -> IndexData:
    """Read an index file.

    Raises:
        FileNotFoundError: where there is no such file.
        IsADirectoryError: for a folder.
        ValueError: for a file that is not an index, is damaged, was written by a later version, or holds what no
            estimator can have written.
    """
    version, body = _checked_body(path)
    try:
        return _data(_HEADERS[version], body)
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: the index cannot be used: {error}") from None


def _checked_body(path: str | os.PathLike[str]) -> tuple[int, bytes]:
    """Return the version of a file's format and what stands below its checksum."""
    source = os.fspath(path)
    if Path(path).is_dir():
        raise IsADirectoryError(f"{source}: it is a folder, not an index file")
    if not Path(path).exists():
        raise FileNotFoundError(f"{source}: there is no such index file")
    kind = Path(path).stat().st_mode
    if not (stat.S_ISREG(kind) or stat.S_ISFIFO(kind)):  # a device may never end
        raise ValueError(f"{source}: it is neither a file nor a pipe")
    with Path(path).open("rb") as file:
        first = file.readline(100)
        name, _, version = first.rstrip(b"\n").partition(b" ")
        if name != MAGIC:
            raise ValueError(f"{source}: it is not a BLEU Neighbors index (write one with `referenceless fit`)")
        if version not in [b"%d" % known for known in _HEADERS]:
            raise ValueError(
                f"{source}: the index has format version {version.decode('ascii', 'replace')}, and this installation "
                f"reads version {', '.join(map(str, _HEADERS))}; upgrade the package, or fit the pool again"
            )
        checksum = file.readline(100).removesuffix(b"\n")
        body = file.read()
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise ValueError(f"{source}: the index is truncated or damaged (its checksum is wrong); fit it again")
    return int(version), body


def _data(schema: _Header, body: bytes) -> IndexData:
    """Return the content of a file, checked.

    Raises:
        ValueError: for content that does not fit together; the message is about "it", the index.
    """
    end = body.find(b"\n", 0, _LONGEST_HEADER)
    if end < 0:
        raise ValueError("its header does not end")
    header = parse_json(body[:end])
    check_names("its header", header, schema.required, schema.optional)
    names = dict.fromkeys(schema.parameters), dict.fromkeys(schema.optional_parameters)
    check_names("its parameters", header["parameters"], *names)
    check_names("the sizes of its arrays", header["bytes"], dict.fromkeys(schema.arrays, int))
    sizes: dict[str, int] = header["bytes"]
    n_texts = sizes["lengths"] // 8
    if min(sizes.values()) < 0 or not n_texts or {sizes[name] for name in _ARRAYS[1:]} != {8 * n_texts}:
        raise ValueError("the sizes of its arrays are not those of a pool of texts")
    of_calibration = {sizes[name] for name in schema.arrays if name not in _ARRAYS}
    if len(of_calibration) > 1 or any(size % 8 or size > 8 * n_texts for size in of_calibration):
        raise ValueError("the sizes of its arrays are not those of a calibration")
    content = _decompressed(memoryview(body)[end + 1 :], sum(sizes.values()))
    arrays: dict[str, memoryview] = {}
    at = 0
    for name, size in sizes.items():
        arrays[name] = memoryview(content)[at : at + size]
        at += size
    texts = _texts(arrays["texts"], np.frombuffer(arrays["lengths"], dtype="<i8"))
    quality = np.frombuffer(arrays["quality"], dtype="<f8").astype(np.float64)
    counts = np.frombuffer(arrays["counts"], dtype="<i8").astype(np.int64)
    if len(set(texts)) < n_texts:
        raise ValueError("a text stands in its pool twice")
    if not np.isfinite(quality).all():
        raise ValueError("its ratings are not all finite numbers")
    if counts.min() < 1 or counts.sum(dtype=np.float64) > _LARGEST_SUM:
        raise ValueError("the numbers of ratings behind its texts are not all whole numbers of at least 1")
    return IndexData(dict(header["parameters"]), texts, quality, counts, _calibration(header, arrays))


def _calibration(header: Mapping[str, Any], arrays: Mapping[str, memoryview]) -> StoredCalibration | None:
    if "calibration" not in header:
        return None
    check_names("its calibration", header["calibration"], HEADER)
    estimates, residuals = (np.frombuffer(arrays[name], dtype="<f8").astype(np.float64) for name in _OF_CALIBRATION)
    return read_calibration(header["calibration"], estimates, residuals)


def check_names(
    where: str, found: dict[str, Any], required: Mapping[str, Any], optional: Mapping[str, Any] | None = None
) -> None:
    """Check that an object has the names that it should, and no others, with values of the types that are named."""
    if not isinstance(found, dict):
        raise ValueError(f"{where} should be an object, but is {type(found).__name__}")
    known = {**required, **(optional or {})}
    missing, unknown = sorted(set(required) - set(found)), sorted(set(found) - set(known))
    if missing or unknown:
        raise ValueError(f"in {where}, {(missing or unknown)[0]!r:.60} is {'missing' if missing else 'not known'}")
    for name, value in found.items():
        if known[name] is not None and type(value) is not known[name]:
            raise ValueError(f"in {where}, {name!r} should be {known[name].__name__}, but is {type(value).__name__}")


def _decompressed(compressed: memoryview, size: int) -> bytes:
    """Return the arrays' bytes, of which there are to be `size`."""
    check_unpacked(size, len(compressed))
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(compressed, size + 1)
    except zlib.error as error:
        raise ValueError(f"its arrays cannot be decompressed ({error})") from None
    if len(content) != size or not stream.eof or stream.unused_data:
        raise ValueError("its arrays are not of the declared sizes")
    return content


def _texts(joined: memoryview, lengths: NDArray[np.int64]) -> list[str]:
    """Cut the joined texts at their lengths in bytes."""
    # A sum of float64 cannot wrap around, and is exact as far as it can be right.
    if lengths.min() < 0 or lengths.max() > len(joined) or lengths.sum(dtype=np.float64) != len(joined):
        raise ValueError("the lengths of its texts do not add up to their size")
    ends = np.cumsum(lengths).tolist()
    try:
        return [
            str(joined[begin:end], "utf-8", "surrogatepass") for begin, end in zip([0, *ends[:-1]], ends, strict=True)
        ]
    except UnicodeDecodeError:
        raise ValueError("its texts are not UTF-8") from None


def _number(value: object) -> object:
    """Return a numpy number as a Python one, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot write {value!r} to an index file")
