"""The folder that holds a fitted estimator as raw arrays, which processes map and share.

Layout, version 2: `index` (the line `bleu-neighbors-shared 2`, the SHA-256 of the rest in hexadecimal, and JSON: what
`_NAMES` tells, with the type, the shape and the SHA-256 of each array), and a file for each array: `texts`, `ends`,
`quality`, `counts`, where there is a calibration its `estimates` and `residuals`, and of part p of the pool
`p.lengths`, `p.order` and so on (see `kernels.pool_arrays`). It is a copy for one machine, made from the compact file
or a fitted estimator by the version that reads it.

Compiled code checks no bounds, so every array is checked before it is used: its bytes by the checksum, and its numbers
by the rules of an index. That takes as long as reading the files, so it is done once: `checked` (see `stamp`) notes
which files were found sound, and they are checked anew once the file system says that one has changed.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bleu_neighbors_metric.index_file import PARAMETERS, IndexData, check_names
from bleu_neighbors_metric.kernels.base import Pool
from bleu_neighbors_metric.kernels.bleu_star import BleuStarPool
from bleu_neighbors_metric.kernels.parted_pool import PartedPool
from bleu_neighbors_metric.kernels.pool_arrays import DTYPES, PoolArrays, check_arrays
from bleu_neighbors_metric.options import loaded_parameters, text_options
from bleu_neighbors_metric.shared.stamp import is_checked, write_stamp
from bleu_neighbors_metric.shared.texts import PackedTexts
from bleu_neighbors_metric.tuning.stored_calibration import HEADER, StoredCalibration, read_calibration
from metric_commons.files.raw_arrays import ArrayFile, check_sum, map_array, write_array
from metric_commons.files.strict_json import parse_json
from metric_commons.support.installation import project_version
from metric_commons.support.validation import check_number, check_quality

MAGIC = b"bleu-neighbors-shared"
VERSION = 2
INDEX = "index"
KERNEL = "bleu_star"
"""The one kernel whose index is plain arrays."""

_POOL = {"texts": "|u1", "ends": "<i8", "quality": "<f8", "counts": "<i8"}
_OF_CALIBRATION = {"estimates": "<f8", "residuals": "<f8"}
_NAMES = {
    "version": str,
    "parameters": dict,
    "pool_hash": str,
    "threshold": float,
    "n_parts": int,
    "arrays": dict,
    "calibration": (dict, type(None)),
}
_MOST_PARTS = 10_000
_LARGEST_HEADER = 2**26
_LARGEST_SUM = 2**53


@dataclass(frozen=True)
class SharedIndex:
    """What a folder holds.

    Attributes:
        data: the parameters, and the pool's texts with their quality and counts.
        pool: the index.
        pool_hash: what tells the pool from others.
        threshold: τ in use, also where the parameter is `auto`.
    """

    data: IndexData
    pool: Pool
    pool_hash: str
    threshold: float


def is_shared(path: str | os.PathLike[str]) -> bool:
    """Say whether a folder holds a shared index."""
    return (Path(path) / INDEX).is_file()


def write_shared(path: str | os.PathLike[str], index: SharedIndex) -> None:
    """Write a folder, whole or not at all; one that holds a shared index gives way to it.

    Raises:
        OSError: where the folder cannot be written.
        ValueError: for a path that holds something else.
    """
    target = Path(path)
    if target.exists() and not is_shared(target) and not (target.is_dir() and not any(target.iterdir())):
        raise ValueError(f"{target}: it holds something other than a shared index; name a new folder")
    if not target.resolve().parent.is_dir():
        raise FileNotFoundError(f"Cannot write {target}: there is no folder {target.resolve().parent}")
    work = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", dir=target.resolve().parent))
    try:
        parts = list(index.pool.parts()) if isinstance(index.pool, PartedPool) else [index.pool]
        arrays: dict[str, NDArray[Any]] = {
            **PackedTexts.of(index.data.texts).arrays,
            "quality": index.data.quality,
            "counts": index.data.counts,
        }
        known = index.data.calibration
        if known is not None:
            arrays |= {name: getattr(known.intervals, name) for name in _OF_CALIBRATION}
        held = {name: write_array(work / name, array, checksum=True) for name, array in arrays.items()}
        for number, part in enumerate(parts):
            if not isinstance(part, BleuStarPool):
                raise ValueError("Expected a pool that is indexed in plain arrays")
            for name, array in part.arrays._asdict().items():
                held[f"{number}.{name}"] = write_array(work / f"{number}.{name}", array, checksum=True)
        header = {
            "version": project_version(),
            "parameters": dict(index.data.parameters),
            "pool_hash": index.pool_hash,
            "threshold": float(index.threshold),
            "n_parts": len(parts),
            "arrays": {name: asdict(each) for name, each in held.items()},
            "calibration": None if known is None else known.header(),
        }
        body = json.dumps(header, default=_plain).encode()
        digest = hashlib.sha256(body).hexdigest().encode()
        (work / INDEX).write_bytes(b"%s %d\n%s\n" % (MAGIC, VERSION, digest) + body)
        write_stamp(work, held, digest.decode())
        mask = os.umask(0)
        os.umask(mask)
        work.chmod(0o777 & ~mask)
        _take_place(work, target)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise


def _take_place(work: Path, target: Path) -> None:
    """Rename a folder to another's place; who has mapped files of the old one keeps them."""
    if not target.exists():
        work.rename(target)
        return
    if _exchanged(work, target):
        shutil.rmtree(work, ignore_errors=True)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", dir=work.parent))
    target.rename(old / "old")
    work.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places at once, where the system can: there is no moment without either."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # not Linux
        return False
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def read_shared(path: str | os.PathLike[str], *, allow_models: bool = False) -> SharedIndex:
    """Open a folder.

    Args:
        path: the folder. Whoever wrote it, opening it runs none of its content and fetches nothing.
        allow_models: as in `BLEUNeighbors.load`.

    Raises:
        ValueError: for a folder that is no shared index, was written by another version of the package, or is damaged;
            the message names the file.
    """
    folder = Path(path)
    header, digest = _header(folder)
    try:
        unknown = set(header["parameters"]) - PARAMETERS - {"kernel_options"}
        if unknown:
            raise ValueError(f"in its parameters, {min(unknown)!r:.60} is not known")
        parameters = loaded_parameters(header["parameters"], allow_models)
        if parameters["kernel"] != KERNEL:
            raise ValueError(f"its kernel is not {KERNEL}")
        options = text_options({"kernel_options": None, **parameters})
        check_number(header["threshold"], "threshold", minimum=0, maximum=1)
        held = _held(header)
    except (TypeError, ValueError, KeyError) as error:
        raise ValueError(f"{folder / INDEX}: cannot be used: {error}") from None
    n_parts: int = header["n_parts"]
    sound = is_checked(folder, held, digest)
    if not sound:
        for name, each in held.items():
            map_array(folder / name, each)  # its size is right
            check_sum(folder / name, each)
    arrays = {name: map_array(folder / name, held[name]) for name in _POOL}
    texts = PackedTexts(arrays["texts"], arrays["ends"])
    n_texts = len(texts)
    parts: list[Callable[[], BleuStarPool]] = [
        partial(_part, folder, number, held, options) for number in range(n_parts)
    ]
    if not sound:
        try:
            _check_pool(texts, arrays)
            for number in range(n_parts):
                own = {name: map_array(folder / f"{number}.{name}", held[f"{number}.{name}"]) for name in DTYPES}
                try:
                    check_arrays(PoolArrays(**own), len(range(number, n_texts, n_parts)))
                except ValueError as error:
                    raise ValueError(f"{number}.{error}") from None
        except ValueError as error:
            name, _, told = str(error).partition(": ")
            raise ValueError(f"{folder / name}: {told}") from None
        write_stamp(folder, held, digest)
    pool = parts[0]() if n_parts == 1 else PartedPool.of_parts(parts, options, n_texts)
    data = IndexData(
        parameters, texts, np.array(arrays["quality"]), np.array(arrays["counts"]), _calibration(folder, header, held)
    )
    return SharedIndex(data, pool, header["pool_hash"], header["threshold"])


def _calibration(folder: Path, header: Mapping[str, Any], held: Mapping[str, ArrayFile]) -> StoredCalibration | None:
    if header["calibration"] is None:
        return None
    try:
        check_names("its calibration", header["calibration"], HEADER)
        arrays = (np.array(map_array(folder / name, held[name])) for name in _OF_CALIBRATION)
        return read_calibration(header["calibration"], *arrays)
    except ValueError as error:
        raise ValueError(f"{folder / INDEX}: cannot be used: {error}") from None


def _header(folder: Path) -> tuple[dict[str, Any], str]:
    """Return what a folder's header holds, with names and types checked, and its checksum."""
    path = folder / INDEX
    if not path.is_file():
        raise ValueError(f"{folder}: it is no shared index (write one with `save_shared`)")
    with path.open("rb") as file:
        first, checksum = file.readline(100).rstrip(b"\n"), file.readline(100).rstrip(b"\n")
        body = file.read(_LARGEST_HEADER)
    name, _, version = first.partition(b" ")
    if name != MAGIC:
        raise ValueError(f"{path}: it is no shared index (write one with `save_shared`)")
    if version != b"%d" % VERSION:
        told = version.decode("ascii", "replace")
        raise ValueError(f"{path}: format version {told}, and this installation reads {VERSION}; write it anew")
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise ValueError(f"{path}: damaged: its checksum is wrong")
    try:
        header = parse_json(body)
        if type(header) is not dict or set(header) != set(_NAMES):
            raise ValueError(f"it should hold {', '.join(_NAMES)}")
        for name_, kind in _NAMES.items():
            if type(header[name_]) not in (kind if isinstance(kind, tuple) else (kind,)):
                raise ValueError(f"{name_!r} should not be {type(header[name_]).__name__}")
    except ValueError as error:
        raise ValueError(f"{path}: cannot be used: {error}") from None
    own = project_version()
    if header["version"] != own:
        raise ValueError(
            f"{path}: written by version {header['version']!r:.40}, and this worker has version {own}: all workers "
            "need one version; install it, or write the folder anew"
        )
    return header, checksum.decode("ascii")


def _held(header: Mapping[str, Any]) -> dict[str, ArrayFile]:
    """Return what the arrays' files hold, by name, after a check that it is just what an index consists of."""
    if not 1 <= header["n_parts"] <= _MOST_PARTS:
        raise ValueError("'n_parts' is that of no pool")
    expected = (
        _POOL
        | (_OF_CALIBRATION if header["calibration"] is not None else {})
        | {f"{number}.{name}": dtype for number in range(header["n_parts"]) for name, dtype in DTYPES.items()}
    )
    if set(header["arrays"]) != set(expected):
        raise ValueError("its arrays are not those of an index")
    held = {}
    for name, told in header["arrays"].items():
        if type(told) is not dict or set(told) != {"dtype", "shape", "sha256"} or told["dtype"] != expected[name]:
            raise ValueError(f"array {name} is not told as it should be")
        shape = told["shape"]
        if type(shape) is not list or not all(type(size) is int and 0 <= size < 2**48 for size in shape):
            raise ValueError(f"array {name} has no shape")
        if not 1 <= len(shape) <= 3 or type(told["sha256"]) is not str:
            raise ValueError(f"array {name} has no shape")
        held[name] = ArrayFile(told["dtype"], tuple(shape), told["sha256"])
    if any(len(each.shape) != 1 for name, each in held.items() if "." not in name):
        raise ValueError("the arrays of its texts have more than one dimension")
    n_texts = held["ends"].shape[0]
    if n_texts < header["n_parts"] or {held[name].shape[0] for name in ("quality", "counts")} != {n_texts}:
        raise ValueError("its arrays are of unequal lengths")
    return held


def _check_pool(texts: PackedTexts, arrays: Mapping[str, NDArray[Any]]) -> None:
    texts.check()
    try:
        check_quality(arrays["quality"], "ratings", finite_sum=True)
    except ValueError as error:
        raise ValueError(f"quality: {error}") from None
    counts = arrays["counts"]
    if counts.min() < 1 or counts.sum(dtype=np.float64) > _LARGEST_SUM:
        raise ValueError("counts: not all are whole numbers of at least 1")


def _part(folder: Path, number: int, held: Mapping[str, ArrayFile], options: Any) -> BleuStarPool:
    own = {name: map_array(folder / f"{number}.{name}", held[f"{number}.{name}"]) for name in DTYPES}
    return BleuStarPool.of_arrays(PoolArrays(**own), options)


def _plain(value: object) -> object:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot write {value!r} to a shared index")
