"""The file that holds a fitted estimator.

Layout, version 1: the line `bleu-neighbors-index 1`, the SHA-256 of the rest in hexadecimal, a line of JSON with the
parameters and the sizes of the four arrays that follow (`texts`: UTF-8; `lengths`, `counts`: little-endian int64;
`quality`: little-endian float64), zlib-compressed together. The kernel's index is not part of it: it is rebuilt when
the file is read.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bleu_neighbors_metric.kernels.options import json_options
from metric_commons.files.atomic import atomic_write

if TYPE_CHECKING:
    from bleu_neighbors_metric.estimator import BLEUNeighbors

MAGIC = b"bleu-neighbors-index"
VERSION = 1
_RUNTIME = ("n_jobs", "progress")  # how to run, not what to compute: not part of the file


def save(estimator: BLEUNeighbors, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator.

    Raises:
        OSError: where the file cannot be written.
        TypeError: for a kernel's option that a file cannot hold, such as a model.
    """
    parameters = {name: value for name, value in estimator.get_params().items() if name not in _RUNTIME}
    parameters["ngram_orders"] = [int(order) for order in estimator.ngram_orders]
    if estimator.kernel_options is None:
        del parameters["kernel_options"]  # as files were written before there were any
    else:
        parameters["kernel_options"] = json_options(estimator.kernel_options)
    encoded = [text.encode("utf-8", "surrogatepass") for text in estimator.texts_]
    arrays = {
        "texts": b"".join(encoded),
        "lengths": np.array([len(text) for text in encoded], dtype="<i8").tobytes(),
        "counts": estimator.counts_.astype("<i8").tobytes(),
        "quality": estimator.quality_.astype("<f8").tobytes(),
    }
    header = {"parameters": parameters, "bytes": {name: len(content) for name, content in arrays.items()}}
    body = json.dumps(header, default=_number).encode() + b"\n" + zlib.compress(b"".join(arrays.values()), 6)
    with atomic_write(path) as file:
        file.write(b"%s %d\n%s\n" % (MAGIC, VERSION, hashlib.sha256(body).hexdigest().encode()))
        file.write(body)


def is_index(path: str | os.PathLike[str]) -> bool:
    """Say whether a file begins as an index does."""
    if not Path(path).is_file():
        return False
    with Path(path).open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def load(kind: type[BLEUNeighbors], path: str | os.PathLike[str]) -> BLEUNeighbors:
    """Read a fitted estimator.

    Raises:
        FileNotFoundError: where there is no such file.
        ValueError: for a file that is not an index, is damaged, or was written by a later version.
    """
    if Path(path).is_dir():
        raise IsADirectoryError(f"{os.fspath(path)}: it is a folder, not an index file")
    if not Path(path).exists():
        raise FileNotFoundError(f"{os.fspath(path)}: there is no such index file")
    magic, _, rest = Path(path).read_bytes().partition(b"\n")
    name, _, version = magic.partition(b" ")
    if name != MAGIC:
        raise ValueError(f"{os.fspath(path)}: it is not a BLEU Neighbors index (write one with `bleu-neighbors fit`)")
    if not version.isdigit() or int(version) != VERSION:
        raise ValueError(
            f"{os.fspath(path)}: the index has format version {version.decode('ascii', 'replace')}, and this "
            f"installation reads version {VERSION}; upgrade the package, or fit the pool again"
        )
    checksum, _, body = rest.partition(b"\n")
    if hashlib.sha256(body).hexdigest().encode() != checksum:
        raise ValueError(f"{os.fspath(path)}: the index is truncated or damaged (its checksum is wrong); fit it again")
    head, _, compressed = body.partition(b"\n")
    header = json.loads(head)
    content = zlib.decompress(compressed)
    arrays: dict[str, bytes] = {}
    at = 0
    for name_of_array, size in header["bytes"].items():
        arrays[name_of_array] = content[at : at + size]
        at += size
    ends = np.cumsum(np.frombuffer(arrays["lengths"], dtype="<i8"))
    begins = np.concatenate(([0], ends[:-1]))
    texts = arrays["texts"]
    parameters = {**header["parameters"], "ngram_orders": tuple(header["parameters"]["ngram_orders"])}
    estimator = kind(**parameters)
    estimator._restore(
        [texts[begin:end].decode("utf-8", "surrogatepass") for begin, end in zip(begins, ends, strict=True)],
        np.frombuffer(arrays["quality"], dtype="<f8").astype(np.float64),
        np.frombuffer(arrays["counts"], dtype="<i8").astype(np.int64),
    )
    return estimator


def _number(value: object) -> object:
    """Return a numpy number as a Python one, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot write {value!r} to an index file")
