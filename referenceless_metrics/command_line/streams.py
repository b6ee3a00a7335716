"""Standard streams: what is lost when one is closed, and what may be written to it."""

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
    """Stand-in for a standard output that was closed before the program began: writing to it is an error."""

    encoding = "utf-8"  # read by click
    errors = "strict"

    def write(self, text: str, /) -> int:
        """Refuse the text."""
        raise OSError(errno.EBADF, _CLOSED)


def check_standard_output() -> None:
    """Check that results can go to standard output.

    Raises:
        InputError: if it is closed, or takes only some characters.
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
    """Make sure that what goes to a closed standard stream is neither lost in silence nor ends in another file."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:  # the next file to be opened would get this number, and with it what libraries print
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or ClosedOutput()
    sys.stderr = sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.encoding.lower().startswith("utf"):
        sys.stdout.reconfigure(errors="backslashreplace")  # for help and notes; results are refused


def give_up_standard_output() -> None:
    """Let nothing more go to a standard output that failed: Python would try once more at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


#: Lines that wait for a standard stream at most; further ones are lost.
_MOST_LINES = 1000
_DRAIN_SECONDS = 1.0


class Unblocked(io.TextIOBase):
    """A stream that never makes its writers wait: a thread of its own writes to the real one, which may be a full pipe.

    Args:
        stream: the real one.
    """

    def __init__(self, stream: TextIO) -> None:
        self._lines: queue.Queue[str] = queue.Queue(_MOST_LINES)
        self._stream = stream
        threading.Thread(target=self._write_lines, daemon=True).start()

    @classmethod
    @contextlib.contextmanager
    def standard_error(cls) -> Iterator[None]:
        """Let standard error be such a stream within a `with` block, for a program that has to answer meanwhile."""
        real = sys.stderr
        ours = sys.stderr = cls(real)
        try:
            yield
        finally:
            sys.stderr = real
            ours._drain()

    def write(self, text: str, /) -> int:
        """Take the text, or lose it if too much waits."""
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(text)
        return len(text)

    def _drain(self) -> None:
        """Wait a moment for what was taken to be written."""
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
