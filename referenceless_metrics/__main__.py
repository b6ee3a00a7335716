"""Entry of the command `referenceless`, and of `python -m referenceless_metrics`.

An interrupt ends it quietly from here on, imports included, so nothing is imported here that takes time.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referenceless_metrics.core.files.reading import Reading


_NEW_OBJECTS = 200_000
"""Containers made since the last collection of garbage that set off the next one."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Import the command line, run it and leave with its exit status."""
    # Imports make many containers that stay. To look through them after every 700, as Python does, takes a tenth of the
    # time of a small run.
    gc.set_threshold(_NEW_OBJECTS)
    # A shell that starts a program in the background has it ignore interrupts; that stays.
    guarded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if guarded:
        signal.signal(signal.SIGINT, _leave)
    from referenceless_metrics.cli import cli
    from referenceless_metrics.command_line.running import run

    if guarded:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # from here on, files that are being written go away
    try:
        run(cli, arguments, _proposals)
    finally:
        gc.freeze()  # as it leaves, Python looks through all containers several times: a seventh of a small run


def _proposals(files: Sequence[str], reading: Reading) -> list[str]:
    """Return command lines that fit files, as `look` has them."""
    from referenceless_metrics.advice.look.looking import proposals

    return proposals(files, reading)


def _leave(*_: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
