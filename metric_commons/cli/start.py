"""The first thing that a command of this project runs: an interrupt ends it quietly from here on, imports included.

Nothing is imported here that takes time.
"""

from __future__ import annotations

import os
import signal


def start(module: str, group: str = "cli") -> None:
    """Import a command line and run it.

    Args:
        module: the module that holds it.
        group: its name there, a `click.Group`.
    """
    # A shell that starts a program in the background has it ignore interrupts; that stays.
    guarded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if guarded:
        signal.signal(signal.SIGINT, _leave)
    from importlib import import_module

    from metric_commons.cli.base import run

    commands = getattr(import_module(module), group)
    if guarded:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # from here on, files that are being written go away
    run(commands)


def _leave(*_: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(130)
