"""The file that holds a shard's tally, until all shards are merged.

Layout, version 1: the line `bleu-neighbors-tally 1`, the SHA-256 of the rest in hexadecimal, a line of JSON (`_NAMES`),
and little-endian arrays, one after the other and of c entries each: `n_neighbors` (int64); for uniform weights the sums
in words (int64, n_words times c), else `weight` and `quality` (float64); `empty` (one byte, 0 or 1). Nothing is
compressed: a file is as large as what it holds.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.kernels.exact_sums import ExactSums, Unit
from bleu_neighbors_metric.kernels.neighbors import NeighborTally
from bleu_neighbors_metric.shards.tally import Shard, ShardTally, Whole
from metric_commons.files.atomic import atomic_write
from metric_commons.files.strict_json import parse_json

MAGIC = b"bleu-neighbors-tally"
VERSION = 1
_LONGEST_HEADER = 2**20
_NAMES = {"shard": dict, "whole": dict, "n_candidates": int, "unit": (dict, type(None))}
_SHARD = {"number": int, "of": int}
_WHOLE = {
    "signature": str,
    "pool_size": int,
    "min_neighbors": int,
    "max_fraction": float,
    "candidates": str,
    "left_out": bool,
}
_UNIT = {"exponent": int, "bits": int, "n_words": int}
_MOST_WORDS = 64
_WIDEST = 2200
"""Beyond the exponent of any float64, in words of any width."""


def write_tally(path: str | os.PathLike[str], tally: ShardTally) -> None:
    """Write a shard's tally, whole or not at all.

    Raises:
        OSError: where the file cannot be written.
    """
    sums = tally.tally.quality
    header = {
        "shard": asdict(tally.shard),
        "whole": asdict(tally.whole),
        "n_candidates": len(tally.empty),
        "unit": asdict(sums.unit) if isinstance(sums, ExactSums) else None,
    }
    arrays = [
        tally.tally.n_neighbors.astype("<i8"),
        *([sums.words.astype("<i8")] if isinstance(sums, ExactSums) else []),
        *([] if isinstance(sums, ExactSums) else [tally.tally.weight.astype("<f8"), sums.astype("<f8")]),
        tally.empty.astype("u1"),
    ]
    body = json.dumps(header).encode() + b"\n" + b"".join(array.tobytes() for array in arrays)
    with atomic_write(path) as file:
        file.write(b"%s %d\n%s\n" % (MAGIC, VERSION, hashlib.sha256(body).hexdigest().encode()))
        file.write(body)


def read_tally(path: str | os.PathLike[str]) -> ShardTally:
    """Read a shard's tally, whoever wrote it.

    Raises:
        OSError: where the file cannot be read.
        ValueError: for a file that is no tally, is damaged, was written by a later version, or holds what no tally can.
    """
    source = os.fspath(path)
    if not Path(path).exists():
        raise FileNotFoundError(f"{source}: there is no such tally file")
    if not Path(path).is_file():
        raise ValueError(f"{source}: it is not a file")
    with Path(path).open("rb") as file:
        name, _, version = file.readline(100).rstrip(b"\n").partition(b" ")
        if name != MAGIC:
            raise ValueError(f"{source}: it is not a tally (write one with `referenceless tally`)")
        if version != b"%d" % VERSION:
            raise ValueError(
                f"{source}: the tally has format version {version.decode('ascii', 'replace')}, and this installation "
                f"reads version {VERSION}; tally the shard with one version everywhere"
            )
        checksum = file.readline(100).removesuffix(b"\n")
        body = file.read()
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise ValueError(f"{source}: the tally is truncated or damaged (its checksum is wrong); tally the shard again")
    try:
        return _tally(body)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{source}: the tally cannot be used: {error}") from None


def _tally(body: bytes) -> ShardTally:
    end = body.find(b"\n", 0, _LONGEST_HEADER)
    if end < 0:
        raise ValueError("its header does not end")
    header = _checked("its header", parse_json(body[:end]), _NAMES)
    shard = Shard(**_checked("its shard", header["shard"], _SHARD))
    whole = Whole(**_checked("what it belongs to", header["whole"], _WHOLE))
    n = header["n_candidates"]
    if not (n >= 0 and 1 <= whole.pool_size < 2**53 and whole.min_neighbors >= 1 and 0 <= whole.max_fraction <= 1):
        raise ValueError("its numbers are not those of a tally")
    if not re.fullmatch("[0-9a-f]{64}", whole.candidates):
        raise ValueError("the checksum of its candidates is none")
    unit = None if header["unit"] is None else Unit(**_checked("its unit", header["unit"], _UNIT))
    if unit is not None and not (
        1 <= unit.n_words <= _MOST_WORDS and 1 <= unit.bits <= 62 and abs(unit.exponent) <= _WIDEST
    ):
        raise ValueError("its unit is that of no pool")
    rows = 2 if unit is None else unit.n_words
    numbers, expected = memoryview(body)[end + 1 :], n * (8 + 8 * rows + 1)
    if len(numbers) != expected:
        raise ValueError(f"expected {expected:,} bytes of numbers, but got {len(numbers):,}")
    n_neighbors = np.frombuffer(numbers[: 8 * n], dtype="<i8").astype(np.int64)
    sums = numbers[8 * n : 8 * n * (1 + rows)]
    empty = np.frombuffer(numbers[8 * n * (1 + rows) :], dtype="u1")
    if n and (n_neighbors.min() < 0 or n_neighbors.max() > whole.pool_size or empty.max() > 1):
        raise ValueError("its counts are not those of a tally")
    return ShardTally(shard, whole, _sums(sums, n_neighbors, unit), empty.astype(np.bool_))


def _sums(content: memoryview, n_neighbors: NDArray[np.int64], unit: Unit | None) -> NeighborTally:
    n = len(n_neighbors)
    if unit is not None:
        words = np.frombuffer(content, dtype="<i8").reshape(unit.n_words, n).astype(np.int64)
        return NeighborTally.uniform(n_neighbors, ExactSums(words, unit))
    weight, quality = np.frombuffer(content, dtype="<f8").reshape(2, n).astype(np.float64)
    if not (np.isfinite(weight).all() and np.isfinite(quality).all() and (weight >= 0).all()):
        raise ValueError("its sums are not all finite numbers")
    return NeighborTally(n_neighbors, weight, quality)


def _checked(where: str, found: Any, names: dict[str, Any]) -> dict[str, Any]:
    """Return an object that has exactly the names that it should, with values of their types."""
    if type(found) is not dict or set(found) != set(names):
        raise ValueError(f"{where} should hold {', '.join(names)}")
    for name, value in found.items():
        kinds = names[name] if isinstance(names[name], tuple) else (names[name],)
        if type(value) not in kinds or (isinstance(value, float) and not math.isfinite(value)):
            raise ValueError(f"in {where}, {name!r} should be {kinds[0].__name__}")
    checked: dict[str, Any] = found
    return checked
