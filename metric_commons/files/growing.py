"""Outputs that grow block by block beside their final place, and take it once they are whole.

Both kinds can go back to how much of them was good at an earlier time, which a journal remembers.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from metric_commons.files.atomic import atomic_write
from metric_commons.files.output import render_rows
from metric_commons.support.errors import InputError

Rows = Sequence[Mapping[str, Any]]
Types = Mapping[str, Any]
PARQUET = "parquet"
_SECONDS = 0.5
_BLOCKS_IN_PART = 8


class Growing(Protocol):
    """An output that grows."""

    def go_back(self, written: int) -> None:
        """Forget what came after that much was written; 0 to begin."""

    def write(self, rows: Rows, types: Types | None = None) -> None:
        """Add rows, in CSV and Parquet all with the same keys; `types` are those of columns that are known."""

    def checkpoint(self, *, final: bool = False) -> int | None:
        """Return how much is on the disk for good, or None where it is too early to make sure of more."""

    def take_place(self) -> None:
        """Become the final file."""

    def close(self) -> None:
        """Let another run go on."""

    def discard(self) -> None:
        """Leave nothing behind."""


class GrowingText:
    """Rows as CSV or JSON lines in `path`.partial; `written` counts bytes.

    Args:
        path: of the final file.
        format: one of `output.ROWS_ALONE`.
    """

    def __init__(self, path: Path, format: str) -> None:
        self.final = path.resolve()
        self.partial = partial_path(path)
        self.format = format
        self._checked = time.monotonic()
        self._file: IO[bytes] = self.partial.open("ab")
        try:
            _lock(self._file.fileno(), self.partial)
        except InputError:
            self._file.close()
            raise

    def go_back(self, written: int) -> None:
        """Forget what came after that many bytes."""
        size = self._file.seek(0, os.SEEK_END)
        if size < written:
            raise InputError(
                f"{self.partial}: it has {size} bytes, fewer than the {written} that were written; give --no-resume to "
                "start anew"
            )
        self._file.truncate(written)
        self._size = written

    def write(self, rows: Rows, types: Types | None = None) -> None:
        """Add rows; the first of all follow a header in CSV."""
        self._size += self._file.write(render_rows(rows, self.format, header=self._size == 0).encode())

    def checkpoint(self, *, final: bool = False) -> int | None:
        """Return the bytes that are on the disk, at most twice a second: waiting for the disk takes time."""
        if not final and time.monotonic() - self._checked < _SECONDS:
            return None
        self._file.flush()
        os.fsync(self._file.fileno())
        self._checked = time.monotonic()
        return self._size

    def take_place(self) -> None:
        """Become the final file, with the permissions of the one that it replaces."""
        if self.final.exists():
            self.partial.chmod(self.final.stat().st_mode & 0o777)
        self.partial.replace(self.final)
        self.close()

    def close(self) -> None:
        """Let another run go on."""
        self._file.close()

    def discard(self) -> None:
        """Leave nothing behind."""
        self.close()
        self.partial.unlink(missing_ok=True)


class GrowingParquet:
    """Rows as Parquet files in the folder `path`.partial, a part a file, which become the row groups of one file.

    A Parquet file ends in its directory, so that an unfinished one is worth nothing; hence the parts. `written` counts
    them.

    Args:
        path: of the final file.
    """

    def __init__(self, path: Path) -> None:
        self.final = path
        self.partial = partial_path(path)
        self._schema: Any = None
        self._parts = 0
        self._blocks: list[Any] = []
        self.partial.mkdir(exist_ok=True)
        self._folder = os.open(self.partial, os.O_RDONLY)
        try:
            _lock(self._folder, self.partial)
        except InputError:
            os.close(self._folder)
            raise

    def go_back(self, written: int) -> None:
        """Forget the parts from that number on."""
        import pyarrow.parquet as pq

        for path in self.partial.iterdir():
            if path not in [self._part(number) for number in range(written)]:
                path.unlink()
        for number in range(written):
            if not self._part(number).is_file():
                raise InputError(f"{self._part(number)}: this part is missing; give --no-resume to start anew")
        if written:
            self._schema = pq.read_schema(self._part(0))
        self._parts = written

    def write(self, rows: Rows, types: Types | None = None) -> None:
        """Add rows; columns whose type is not given take that of the first rows.

        Raises:
            InputError: for a value of another type than its column had in the first rows.
        """
        import pyarrow as pa

        try:
            if not self._parts and not self._blocks:
                self._schema = _schema(rows, types or {})
            self._blocks.append(pa.Table.from_pylist(list(rows), schema=self._schema))
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise InputError(
                f"{self.final}: a value is not of the type that others of its column have ({reason}); write "
                "JSON lines, which need no types"
            ) from None

    def checkpoint(self, *, final: bool = False) -> int | None:
        """Return the number of parts, after every few blocks: a part is a row group of the final file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._blocks and (final or len(self._blocks) == _BLOCKS_IN_PART):
            with atomic_write(self._part(self._parts)) as file:
                pq.write_table(pa.concat_tables(self._blocks).combine_chunks(), file)
            self._parts += 1
            self._blocks = []
            return self._parts
        return self._parts if final else None

    def take_place(self) -> None:
        """Write the final file from the parts, a row group each, and remove them."""
        import pyarrow.parquet as pq

        schema = pq.read_schema(self._part(0))
        with atomic_write(self.final) as file, pq.ParquetWriter(file, schema) as writer:
            for number in range(self._parts):
                table = pq.read_table(self._part(number))
                writer.write_table(table.combine_chunks(), row_group_size=len(table))
        self.discard()

    def close(self) -> None:
        """Let another run go on."""
        os.close(self._folder)

    def discard(self) -> None:
        """Leave nothing behind."""
        self.close()
        shutil.rmtree(self.partial, ignore_errors=True)

    def _part(self, number: int) -> Path:
        return self.partial / f"{number:06}.parquet"


def partial_path(path: Path) -> Path:
    """Return where an output grows."""
    final = path.resolve()
    return final.with_name(f"{final.name}.partial")


def _schema(rows: Rows, types: Types) -> Any:
    """Return the columns' types: those that are given, of numpy or of pyarrow, others as the first rows have them."""
    import pyarrow as pa

    found = pa.Table.from_pylist([dict(row) for row in rows]).schema
    fields = []
    for name, own in zip(found.names, found.types, strict=True):
        given = types.get(name, own)
        if isinstance(given, np.dtype):
            given = pa.from_numpy_dtype(given) if given.kind in "biuf" else pa.string()
        fields.append((name, pa.string() if pa.types.is_null(given) else given))
    return pa.schema(fields)


def _lock(descriptor: int, path: Path) -> None:
    """Keep other runs from the same output until the file is closed or the process ends.

    Raises:
        InputError: where another run has it.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"{path}: another run is writing it") from None
