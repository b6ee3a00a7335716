"""Standard streams that are closed, or slow, or take only some characters."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

_CLOSED = "standard output is closed: open it, or write to a file with -o"


class ClosedOutput(io.TextIOBase):
    """Stand-in for a standard output that was closed before the program began; writing to it is an error."""

    encoding = "utf-8"  # click reads it
    errors = "strict"

    def write(self, text: str, /) -> int:
        """Raise an error."""
        raise OSError(errno.EBADF, _CLOSED)


def check_standard_output() -> None:
    """Check that results can go to standard output.

    Raises:
        InputError: if it is closed, or cannot encode every character.
    """
    from referenceless_metrics.core.support.validation import InputError

    if sys.stdout is None or isinstance(sys.stdout, ClosedOutput):
        raise InputError(_CLOSED)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if not encoding.lower().startswith("utf"):
        raise InputError(
            f"standard output takes {encoding} only, which cannot hold every text: set PYTHONIOENCODING=utf-8, or "
            "write to a file with -o"
        )


def guard_standard_streams() -> None:
    """Open stand-ins for closed standard streams, so that output is not lost silently or written to another file."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:  # else the next file would get this number, and the output of libraries
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or ClosedOutput()
    sys.stderr = sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.encoding.lower().startswith("utf"):
        sys.stdout.reconfigure(errors="backslashreplace")  # takes help and notes; results are refused


def give_up_standard_output() -> None:
    """Discard further output after standard output failed: Python would write again at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: Most lines that wait for a standard stream; further ones are lost.
_MOST_LINES = 1000
_DRAIN_SECONDS = 1.0


class Unblocked(io.TextIOBase):
    """A stream whose writers never wait: a thread writes to the real stream, which may be a full pipe.

    Args:
        stream: the real stream.
    """

    def __init__(self, stream: TextIO) -> None:
        self._lines: queue.Queue[str] = queue.Queue(_MOST_LINES)
        self._stream = stream
        threading.Thread(target=self._write_lines, daemon=True).start()

    @classmethod
    @contextlib.contextmanager
    def standard_streams(cls) -> Iterator[None]:
        """Replace standard output and error by such streams within a `with` block, for a program that must not wait."""
        real = sys.stdout, sys.stderr
        ours = sys.stdout, sys.stderr = cls(real[0]), cls(real[1])
        try:
            yield
        finally:
            sys.stdout, sys.stderr = real
            for stream in ours:
                stream.drain()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # click reads it, and writes bytes to a stream without one
        """The encoding of the real stream."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        """The way of the real stream with characters that it cannot encode."""
        return getattr(self._stream, "errors", None) or "strict"

    def write(self, text: str, /) -> int:
        """Take the text, or discard it if too much waits.

        Raises:
            TypeError: for bytes, by which click tells a stream of text.
        """
        if not isinstance(text, str):
            raise TypeError(f"Expected text, but got {type(text).__name__}")
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(text)
        return len(text)

    def drain(self) -> None:
        """Wait a moment until the text that was taken is written."""
        deadline = time.monotonic() + _DRAIN_SECONDS
        while self._lines.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.01)

    def _write_lines(self) -> None:
        while True:
            text = self._lines.get()
            with contextlib.suppress(OSError, ValueError):
                self._stream.write(text)
                self._stream.flush()
            self._lines.task_done()
