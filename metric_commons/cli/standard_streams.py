"""Standard output, made sure of before the work whose results it is to take; nothing that it loses ends in success."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import sys

from metric_commons.support.errors import InputError

_ELSEWHERE = "or write to a file with -o"


class _ClosedOutput(io.TextIOBase):
    """What stands for a standard output that was closed before the program began: writing to it is an error."""

    encoding = "utf-8"  # read by click
    errors = "strict"

    def write(self, text: str, /) -> int:
        raise OSError(errno.EBADF, f"standard output is closed: open it, {_ELSEWHERE}")


def guard_standard_streams() -> None:
    """Make sure that what goes to a closed standard stream is neither lost in silence nor ends in another file."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:  # the next file to be opened would get this number, and with it what libraries print
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = _ClosedOutput()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper) and not _takes_all_texts(sys.stdout.encoding):
        sys.stdout.reconfigure(errors="backslashreplace")  # for help and notes; results are refused


def check_standard_output() -> None:
    """Check that results can go to standard output.

    Raises:
        InputError: where it is closed, or takes only some characters.
    """
    if isinstance(sys.stdout, _ClosedOutput) or sys.stdout is None:
        raise InputError(f"standard output is closed: open it, {_ELSEWHERE}")
    encoding = getattr(sys.stdout, "encoding", None)
    if encoding and not _takes_all_texts(encoding):
        raise InputError(
            f"standard output takes {encoding} only, which cannot hold every text: set PYTHONIOENCODING=utf-8, "
            f"{_ELSEWHERE}"
        )


def give_up_standard_output() -> None:
    """Let nothing more go to a standard output that failed: Python would try once more at its end, and complain."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _takes_all_texts(encoding: str) -> bool:
    try:
        return codecs.lookup(encoding).name.startswith("utf-")
    except LookupError:
        return False
