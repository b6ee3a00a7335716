"""Rows that are written block by block to a partial file, which is renamed when it is complete.

A journal beside it notes, at most twice a second, how far the work is: after a kill it goes on from there, and gives
the bytes of a run that was not interrupted.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np

from metric_commons.files.atomic import atomic_write
from metric_commons.files.output import render_rows
from metric_commons.files.strict_json import parse_json
from metric_commons.files.tables import START, Place
from metric_commons.results import RunningSummary
from metric_commons.support.errors import InputError

Rows = Sequence[Mapping[str, Any]]
Types = Mapping[str, Any]
PARQUET = "parquet"
_VERSION = 2
_SECONDS = 0.5
_BLOCKS_IN_ROW_GROUP = 8
_HEAD = 2**20


@dataclass
class Progress:
    """How far a run is.

    Attributes:
        read: where in the input the next text begins.
        written: how many bytes of the partial file are good.
        summary: of the results so far.
        columns: the output's columns, where the first rows decide them.
        complete: whether everything was written.
    """

    read: Place = START
    written: int = 0
    summary: RunningSummary = field(default_factory=RunningSummary)
    columns: tuple[str, ...] | None = None
    complete: bool = False


class IncrementalWriter:
    """Writes rows as CSV, JSON lines or Parquet.

    A Parquet file ends in its directory, so that an unfinished one is worth nothing: its rows are kept as Arrow streams
    until all are there.

    Args:
        path: of the final file.
        format: one of `output.ROWS_ALONE`, or `parquet`.
        run: what the output depends on, by name: another run must not go on with it.
        resume: True to go on with an unfinished run, if there is one; False to start anew; None to start anew where
            there is none.

    Attributes:
        progress: how far the run is.

    Raises:
        InputError: for an unfinished run that `resume` does not speak of, or that was another; where another process
            writes the file.
    """

    def __init__(self, path: Path, format: str, run: Mapping[str, Any], resume: bool | None) -> None:
        self.progress = Progress()
        self._final = path.resolve()
        self._partial = self._final.with_name(f"{self._final.name}.partial")
        self._journal = self._final.with_name(f"{self._final.name}.journal")
        self._format, self._run = format, run
        self._schema: Any = None
        self._checked = time.monotonic()
        if self._journal.exists() and resume is None:
            raise InputError(
                f"{self._journal}: an earlier run into {path} is unfinished; give --resume to go on with it, or "
                "--no-resume to start anew"
            )
        if self._journal.exists() and resume:
            self.progress = _read_journal(self._journal, run)
        self._file: IO[bytes] | None = None
        if self.progress.complete and not self._partial.exists():  # ended between the last two steps
            return
        self._file = self._partial.open("ab")
        try:
            self._go_back()
        except InputError:
            self._file.close()
            raise

    def write(self, rows: Rows, types: Types, read: Place, columns: tuple[str, ...]) -> None:
        """Add rows, and note in the journal from time to time that the input was read up to `read`.

        Args:
            rows: in CSV and Parquet all with the same keys.
            types: those of columns that are known, of numpy or of pyarrow; others are those of the first rows.
            read: where the next rows come from.
            columns: see `Progress`; added to `progress.summary` is what these rows add to it.

        Raises:
            InputError: in Parquet, for a value of another type than its column has.
        """
        assert self._file is not None
        if self._format == PARQUET:
            content = self._arrow(rows, types)
        else:
            content = render_rows(rows, self._format, header=self.progress.written == 0).encode()
        self.progress.written += self._file.write(content)
        self.progress.read, self.progress.columns = read, columns
        if time.monotonic() - self._checked >= _SECONDS:  # waiting for the disk takes time
            self._flush()
            self._note()
            self._checked = time.monotonic()

    def commit(self) -> None:
        """Give the file its name, and the permissions of the one that it replaces."""
        if self._file is not None:
            self._flush()
            self.progress.complete = True
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
            self._file.close()
        kept = self._journal.exists()
        if not kept:
            self._partial.unlink(missing_ok=True)
        return kept

    def _go_back(self) -> None:
        """Forget what was written after the journal."""
        assert self._file is not None
        _lock(self._file, self._partial)
        size, written = self._file.seek(0, os.SEEK_END), self.progress.written
        if size < written:
            raise InputError(
                f"{self._partial}: it has {size} bytes, fewer than the {written} that were written; give --no-resume "
                "to start anew"
            )
        self._file.truncate(written)

    def _flush(self) -> None:
        assert self._file is not None
        self._file.flush()
        os.fsync(self._file.fileno())

    def _note(self) -> None:
        summary = self.progress.summary
        content = {
            **vars(self.progress),
            "version": _VERSION,
            "run": self._run,
            "read": vars(self.progress.read),
            "summary": {**vars(summary), "abstentions": dict(summary.abstentions), "details": {}},
        }
        with atomic_write(self._journal, "w") as file:
            json.dump(content, file, ensure_ascii=False)

    def _arrow(self, rows: Rows, types: Types) -> bytes:
        import pyarrow as pa

        sink = pa.BufferOutputStream()
        try:
            if self._schema is None and self.progress.written:
                with self._partial.open("rb") as file:
                    self._schema = pa.ipc.open_stream(file).schema
            elif self._schema is None:
                self._schema = _schema(rows, types)
            with pa.ipc.new_stream(sink, self._schema) as stream:
                stream.write_table(pa.Table.from_pylist(list(rows), schema=self._schema))
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise InputError(
                f"{self._final}: a value is not of the type that others of its column have ({reason}); write "
                "JSON lines, which need no types"
            ) from None
        content: bytes = sink.getvalue().to_pybytes()
        return content

    def _write_parquet(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        with self._partial.open("rb") as file, atomic_write(self._final) as final:
            schema = pa.ipc.open_stream(file).schema
            file.seek(0)
            with pq.ParquetWriter(final, schema) as writer:
                while file.tell() < self.progress.written:
                    blocks: list[Any] = []
                    while file.tell() < self.progress.written and len(blocks) < _BLOCKS_IN_ROW_GROUP:
                        blocks.append(pa.ipc.open_stream(file).read_all())
                    table = pa.concat_tables(blocks).combine_chunks()
                    writer.write_table(table, row_group_size=len(table))
        self._partial.unlink()


def fingerprint(path: str) -> str:
    """Return a file's size and a hash of its first megabyte: enough to notice that it is another."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        digest.update(file.read(_HEAD))
        size = os.fstat(file.fileno()).st_size
    return f"{size} bytes, sha256 {digest.hexdigest()[:16]}"


def _read_journal(path: Path, run: Mapping[str, Any]) -> Progress:
    """Read how far a run is, which must be the same."""
    try:
        found = parse_json(path.read_bytes())
        if found.pop("version") != _VERSION:
            raise ValueError("another version")
        earlier, summary, columns = found.pop("run"), found.pop("summary"), found.pop("columns")
        summary["abstentions"] = Counter(summary["abstentions"])
        progress = Progress(
            read=Place(**found.pop("read")),
            summary=RunningSummary(**summary),
            columns=None if columns is None else tuple(columns),
            **found,
        )
        numbers = (*vars(progress.read).values(), progress.written, progress.summary.n, progress.summary.in_pool)
        if any(type(number) is not int or number < 0 for number in numbers):
            raise ValueError("no place in a file")
        others = [(name, earlier.get(name), value) for name, value in run.items() if earlier.get(name) != value]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"{path}: not a journal that this version wrote; remove it and start anew ({error})") from None
    for name, before, now in others:
        raise InputError(
            f"{path}: the unfinished run had another {name} ({before}, now {now}); give the same again, or --no-resume "
            "to start anew"
        )
    return progress


def _schema(rows: Rows, types: Types) -> Any:
    """Return the columns' types: those that are given, others as the first rows have them."""
    import pyarrow as pa

    found = pa.Table.from_pylist([dict(row) for row in rows]).schema
    fields = []
    for name, own in zip(found.names, found.types, strict=True):
        given = types.get(name, own)
        if isinstance(given, np.dtype):
            given = pa.from_numpy_dtype(given) if given.kind in "biuf" else pa.string()
        fields.append((name, pa.string() if pa.types.is_null(given) else given))
    return pa.schema(fields)


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
