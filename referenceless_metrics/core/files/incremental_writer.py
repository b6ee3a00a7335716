"""Rows that are written block by block to a partial file, which is renamed when it is complete.

A journal beside it notes the progress, at most twice a second. After a kill the work goes on from there, and gives the
bytes of a run that was not interrupted.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from referenceless_metrics.core.files.atomic import atomic_write, named_in_errors, remove_unfinished
from referenceless_metrics.core.files.formats import START, Place
from referenceless_metrics.core.files.output import PARQUET, arrow_table, render_rows
from referenceless_metrics.core.results import RunningSummary
from referenceless_metrics.core.support.validation import InputError, Record

Rows = Sequence[Record]
_VERSION = 4  # of the journal
SECONDS = 0.5


class IncrementalWriter:
    """Writes rows as CSV, JSON lines or Parquet.

    A Parquet file ends in its directory, so that an unfinished one cannot be read: its rows are kept as Arrow streams
    until all are there.

    Args:
        path: path of the final file.
        format: one of `output.ROWS_ALONE`, or `parquet`.
        run: settings on which the output depends beside the input, by name, as JSON can hold them; a run with others
            must not go on.
        resume: True to go on with an unfinished run, if there is one; False to start anew; None to start anew, unless
            there is one.
        source: the input; a file must be unchanged, by its size and its time of change.

    Attributes:
        read: place in the input at which the next text begins.
        written: number of good bytes of the partial file.
        summary: summary of the results so far.
        columns: the output's columns, if the first rows decide them.

    Raises:
        InputError: for an unfinished run if `resume` is None, or one with other settings; if another process writes the
            file.
    """

    def __init__(self, path: Path, format: str, run: Record, resume: bool | None, source: Path) -> None:
        self.read, self.written, self.summary = START, 0, RunningSummary()
        self.columns: tuple[str, ...] | None = None
        self._final = path.resolve()
        self._partial = self._final.with_name(f"{self._final.name}.partial")
        self._journal = self._final.with_name(f"{self._final.name}.journal")
        # standard input and data sets are no files
        known = [source.stat().st_size, source.stat().st_mtime_ns] if source.is_file() else None
        self._format = format
        self._run = json.loads(json.dumps({**run, "input": known, "version of journals": _VERSION}, default=str))
        self._schema: Any = None
        self._noted = time.monotonic()
        for file in (self._partial, self._journal):
            if file.exists() and not file.is_file():
                raise InputError(f"{file}: expected a file that an unfinished run left, or none; remove it")
        if self._journal.exists() and resume is None:
            raise InputError(
                f"{self._journal}: an earlier run into {path} is unfinished; give --resume to go on with it, or "
                "--no-resume to start anew"
            )
        if self._journal.exists() and resume:
            self._take_up()
        self._file: IO[bytes] = self._partial.open("ab")
        try:
            _lock(self._file, self._partial)
            for file in (self._final, self._journal):  # of a run that was killed while it wrote one of them
                remove_unfinished(file)
            size = self._file.seek(0, os.SEEK_END)
            if size < self.written:
                raise InputError(
                    f"{self._partial}: it has {size} bytes, fewer than the {self.written} that were written; give "
                    "--no-resume to start anew"
                )
            self._file.truncate(self.written)  # bytes written after the journal are dropped
            self._file.seek(self.written)
        except InputError:
            self._file.close()
            raise

    def write(self, rows: Rows, types: Record, read: Place, columns: tuple[str, ...]) -> None:
        """Add rows, and note in the journal from time to time that the input was read up to `read`.

        Args:
            rows: rows; in CSV and Parquet all with the same keys.
            types: types of known columns, of numpy or of pyarrow; those of other columns come from the first rows.
            read: place that the next rows come from.
            columns: the columns of the output.

        Raises:
            InputError: in Parquet, for a value of another type than its column has.
        """
        with named_in_errors(self._partial):
            if self._format == PARQUET:
                self._write_arrow(rows, types)
            else:
                self._file.write(render_rows(rows, self._format, header=self.written == 0).encode())
            self.written = self._file.tell()
        self.read, self.columns = read, columns
        if time.monotonic() - self._noted >= SECONDS:  # waiting for the disk takes time
            self._note()
            self._noted = time.monotonic()

    def commit(self) -> None:
        """Give the file its name, and the permissions of the one that it replaces."""
        self._flush()
        if self._format == PARQUET:
            self._write_parquet()
        elif self._final.exists():
            self._partial.chmod(self._final.stat().st_mode & 0o777)
        self._journal.unlink(missing_ok=True)
        if self._format == PARQUET:
            self._partial.unlink()
        else:
            self._partial.replace(self._final)
        self._file.close()

    def abandon(self) -> bool:
        """Close the partial file, and return True if a journal lets another run go on with it; else delete it."""
        with contextlib.suppress(OSError):  # a full disk, which was told of
            self._file.close()
        kept = self._journal.exists()
        if not kept:
            self._partial.unlink(missing_ok=True)
        return kept

    def _take_up(self) -> None:
        """Read the progress of the unfinished run, which must have the same settings."""
        try:
            journal = json.loads(self._journal.read_bytes())
            self.written, earlier, columns = journal["written"], journal["run"], journal["columns"]
            self.read, self.summary = Place(*journal["read"]), RunningSummary(**journal["summary"])
        except (LookupError, TypeError, ValueError):
            raise InputError(
                f"{self._journal}: not a journal that this version wrote; remove it and start anew"
            ) from None
        self.summary.abstentions = Counter(self.summary.abstentions)
        self.columns = columns and tuple(columns)
        for name in {**self._run, **earlier}:
            before, now = earlier.get(name), self._run.get(name)
            if before != now:
                raise InputError(
                    f"{self._journal}: the unfinished run had another {name.replace('_', ' ')} ({before}, now {now}); "
                    "give the same again, or --no-resume to start anew"
                )

    def _flush(self) -> None:
        with named_in_errors(self._partial):
            self._file.flush()
            os.fsync(self._file.fileno())

    def _note(self) -> None:
        self._flush()
        content = {"read": self.read, "written": self.written, "columns": self.columns}
        content |= {"summary": {**vars(self.summary), "details": {}}, "run": self._run}
        with atomic_write(self._journal, "w") as file:
            json.dump(content, file)

    def _write_arrow(self, rows: Rows, types: Record) -> None:
        """Write rows as an Arrow stream with the columns' types, which the first rows of the file decide."""
        import pyarrow as pa

        if self._schema is None and self.written:
            with self._partial.open("rb") as file:
                self._schema = pa.ipc.open_stream(file).schema
        table = arrow_table(rows, str(self._final), self._schema, types)
        self._schema = table.schema
        with pa.ipc.new_stream(self._file, table.schema) as stream:
            stream.write_table(table)

    def _write_parquet(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with self._partial.open("rb") as file, atomic_write(self._final) as final:
            schema = pa.ipc.open_stream(file).schema
            file.seek(0)
            with pq.ParquetWriter(final, schema) as writer:
                while file.tell() < self.written:
                    writer.write_table(pa.ipc.open_stream(file).read_all())


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep other runs from the same output until the file is closed or the process ends.

    Raises:
        InputError: if another run has it.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"{path}: another run is writing it") from None
