"""Rows that are written block by block to a partial file, which is renamed when it is complete.

A journal beside it notes, at most twice a second, how far the work is: after a kill it goes on from there, and gives
the bytes of a run that was not interrupted.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from metric_commons.files.atomic import atomic_write, named_in_errors
from metric_commons.files.formats import START, Place
from metric_commons.files.output import PARQUET, arrow_table, render_rows
from metric_commons.results import RunningSummary
from metric_commons.support.validation import InputError, Record

Rows = Sequence[Record]
_VERSION = 3
_STATE = ("read", "written", "columns", "complete")
_SECONDS = 0.5
_BLOCKS_IN_ROW_GROUP = 8
_CHUNK = 2**20


def _checksum(text: str) -> str:
    return hashlib.blake2b(f"{_VERSION} {text}".encode(), digest_size=16).hexdigest()


class IncrementalWriter:
    """Writes rows as CSV, JSON lines or Parquet.

    A Parquet file ends in its directory, so that an unfinished one is worth nothing: its rows are kept as Arrow streams
    until all are there.

    Args:
        path: of the final file.
        format: one of `output.ROWS_ALONE`, or `parquet`.
        run: what the output depends on beside the input, by name, as JSON can hold it: another run must not go on.
        resume: True to go on with an unfinished run, if there is one; False to start anew; None to start anew where
            there is none.
        source: what is read; of a file, the part that was read must not have changed.

    Attributes:
        read: where in the input the next text begins.
        written: how many bytes of the partial file are good.
        summary: of the results so far.
        columns: the output's columns, where the first rows decide them.
        complete: whether everything was written.

    Raises:
        InputError: for an unfinished run that `resume` does not speak of, or that was another; where another process
            writes the file.
    """

    def __init__(self, path: Path, format: str, run: Record, resume: bool | None, source: Path) -> None:
        self.read, self.written, self.summary, self.complete = START, 0, RunningSummary(), False
        self.columns: tuple[str, ...] | None = None
        self._final = path.resolve()
        self._partial = self._final.with_name(f"{self._final.name}.partial")
        self._journal = self._final.with_name(f"{self._final.name}.journal")
        self._format, self._run = format, run
        self._schema: Any = None
        self._checked = time.monotonic()
        self._source, self._hashed, self._digest = source, 0, hashlib.blake2b(digest_size=16)
        for own in (self._partial, self._journal):
            if own.exists() and not own.is_file():
                raise InputError(f"{own}: expected a file that an unfinished run left, or none; remove it")
        if self._journal.exists() and resume is None:
            raise InputError(
                f"{self._journal}: an earlier run into {path} is unfinished; give --resume to go on with it, or "
                "--no-resume to start anew"
            )
        if self._journal.exists() and resume:
            self._go_on()
        self._file: IO[bytes] | None = None
        if self.complete and not self._partial.exists():  # ended between the last two steps
            return
        self._file = self._partial.open("ab")
        try:
            _lock(self._file, self._partial)
            size, written = self._file.seek(0, os.SEEK_END), self.written
            if size < written:
                raise InputError(
                    f"{self._partial}: it has {size} bytes, fewer than the {written} that were written; give "
                    "--no-resume to start anew"
                )
            self._file.truncate(written)  # what was written after the journal is forgotten
        except InputError:
            self._file.close()
            raise

    def write(self, rows: Rows, types: Record, read: Place, columns: tuple[str, ...]) -> None:
        """Add rows, and note in the journal from time to time that the input was read up to `read`.

        Args:
            rows: in CSV and Parquet all with the same keys.
            types: those of columns that are known, of numpy or of pyarrow; others are those of the first rows.
            read: where the next rows come from.
            columns: those of the output; added to `summary` is what these rows add to it.

        Raises:
            InputError: in Parquet, for a value of another type than its column has.
        """
        assert self._file is not None
        if self._format == PARQUET:
            content = self._arrow(rows, types)
        else:
            content = render_rows(rows, self._format, header=self.written == 0).encode()
        with named_in_errors(self._partial):
            self.written += self._file.write(content)
        self.read, self.columns = read, columns
        if time.monotonic() - self._checked >= _SECONDS:  # waiting for the disk takes time
            self._flush()
            self._note()
            self._checked = time.monotonic()

    def commit(self) -> None:
        """Give the file its name, and the permissions of the one that it replaces."""
        if self._file is not None:
            self._flush()
            self.complete = True
            if self._journal.exists():
                self._note()
            if self._format == PARQUET:
                self._write_parquet()
            else:
                if self._final.exists():
                    self._partial.chmod(self._final.stat().st_mode & 0o777)
                self._partial.replace(self._final)
            self._file.close()
        for stray in self._journal.parent.glob(f".{glob.escape(self._journal.name[:40])}.*"):
            stray.unlink(missing_ok=True)  # of a process that was killed while it wrote the journal
        self._journal.unlink(missing_ok=True)

    def abandon(self) -> bool:
        """Let another run go on, and return True, where the journal tells how far this one came; leave nothing else."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # a full disk, which was told of
                self._file.close()
        kept = self._journal.exists()
        if not kept:
            self._partial.unlink(missing_ok=True)
        return kept

    def _hash_of_read(self) -> str | None:
        """Return a hash of the input as far as it was read; of a format without lines, of all of it."""
        if not self._source.is_file():  # standard input, or a data set
            return None
        with self._source.open("rb") as file:
            left = (self.read.offset or os.fstat(file.fileno()).st_size) - self._hashed
            file.seek(self._hashed)
            while left and (chunk := file.read(min(left, _CHUNK))):
                self._digest.update(chunk)
                self._hashed += len(chunk)
                left -= len(chunk)
        return self._digest.hexdigest()

    def _go_on(self) -> None:
        """Read how far the unfinished run is, which must be the same."""
        with self._journal.open(encoding="utf-8", errors="replace") as file:
            checksum, text = file.readline().strip(), file.read()
        if checksum != _checksum(text):
            raise InputError(f"{self._journal}: not a journal that this version wrote; remove it and start anew")
        found = json.loads(text)
        earlier, run = found["run"], json.loads(json.dumps(self._run, default=str))
        self.read, self.written, self.columns, self.complete = (found[name] for name in _STATE)
        self.read = Place(*self.read)
        self.summary = RunningSummary(**found["summary"])
        self.summary.abstentions = Counter(self.summary.abstentions)
        others = [
            f"another {name.replace('_', ' ')} ({earlier.get(name)}, now {run.get(name)})"
            for name in {**run, **earlier}
            if earlier.get(name) != run.get(name)
        ]
        if not others and found["input"] != self._hash_of_read():
            others = ["another input: what it read of it has changed"]
        if others:
            told = f"the unfinished run had {others[0]}; give the same again, or --no-resume to start anew"
            raise InputError(f"{self._journal}: {told}")

    def _flush(self) -> None:
        assert self._file is not None
        with named_in_errors(self._partial):
            self._file.flush()
            os.fsync(self._file.fileno())

    def _note(self) -> None:
        content = {name: getattr(self, name) for name in _STATE}
        content |= {"summary": {**vars(self.summary), "details": {}}, "run": self._run, "input": self._hash_of_read()}
        text = json.dumps(content, default=str)
        with atomic_write(self._journal, "w") as file:
            file.write(f"{_checksum(text)}\n{text}")

    def _arrow(self, rows: Rows, types: Record) -> bytes:
        import pyarrow as pa

        if self._schema is None and self.written:
            with self._partial.open("rb") as file:
                self._schema = pa.ipc.open_stream(file).schema
        table = arrow_table(rows, str(self._final), self._schema, types)
        self._schema = table.schema
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        content: bytes = sink.getvalue().to_pybytes()
        return content

    def _write_parquet(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with self._partial.open("rb") as file, atomic_write(self._final) as final:
            schema = pa.ipc.open_stream(file).schema
            file.seek(0)
            with pq.ParquetWriter(final, schema) as writer:
                blocks: list[Any] = []
                while file.tell() < self.written:
                    blocks.append(pa.ipc.open_stream(file).read_all())
                    if len(blocks) == _BLOCKS_IN_ROW_GROUP or file.tell() == self.written:
                        table = pa.concat_tables(blocks).combine_chunks()
                        writer.write_table(table, row_group_size=len(table))
                        blocks = []
        self._partial.unlink()


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep other runs from the same output until the file is closed or the process ends.

    Raises:
        InputError: where another run has it.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"{path}: another run is writing it") from None
