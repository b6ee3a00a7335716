"""Arrays as raw files, one each, that processes map and share: opening one reads nothing.

What a file holds is told beside it (`ArrayFile`), by whoever wrote it.
"""

from __future__ import annotations

import hashlib
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class ArrayFile:
    """What one raw file holds.

    Attributes:
        dtype: numpy's name of its numbers, with their byte order, such as `<i8`.
        shape: the array's, in C order.
        sha256: of the file's bytes, in hexadecimal; empty where nobody asked for it.
    """

    dtype: str
    shape: tuple[int, ...]
    sha256: str = ""

    @property
    def n_bytes(self) -> int:
        """The size of the file."""
        return math.prod(self.shape) * np.dtype(self.dtype).itemsize


def write_array(path: Path, array: NDArray[Any], *, checksum: bool = False) -> ArrayFile:
    """Write an array to a new file.

    Raises:
        OSError: where the file cannot be written.
    """
    whole = np.ascontiguousarray(array)
    dtype = whole.dtype.newbyteorder("<")
    whole = whole.astype(dtype, copy=False)
    content = whole.reshape(-1).view(np.uint8).data
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        if checksum:  # what is checked is there to stay
            os.fsync(file.fileno())
    return ArrayFile(dtype.str, whole.shape, hashlib.sha256(content).hexdigest() if checksum else "")


def map_array(path: Path, held: ArrayFile) -> NDArray[Any]:
    """Return the array in a file, mapped: its pages are read as they are used, and shared among processes.

    Writing to it changes this process's copy alone.

    Raises:
        ValueError: for a file that is missing or of another size; the message names it.
    """
    try:
        size = path.stat().st_size
        if size != held.n_bytes:
            raise ValueError(f"{path}: damaged: expected {held.n_bytes:,} bytes, but got {size:,}")
        if not size:  # nothing to map
            return np.empty(held.shape, dtype=held.dtype)
        # Not "r": compiled functions would be compiled anew for arrays that cannot be written.
        return np.asarray(np.memmap(path, dtype=held.dtype, mode="c", shape=held.shape))
    except FileNotFoundError:
        raise ValueError(f"{path}: missing") from None


def check_sum(path: Path, held: ArrayFile) -> None:
    """Check a file's bytes.

    Raises:
        ValueError: where they are not those that were written; the message names the file.
    """
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != held.sha256:
        raise ValueError(f"{path}: damaged: its checksum is wrong")
