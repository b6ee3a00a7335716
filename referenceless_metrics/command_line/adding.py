"""The decorator that adds several options to a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def adding(*options: click.Parameter) -> Callable[[Command], Command]:
    """Return a decorator that adds options to a command, shown in this order."""

    def add(command: Command) -> Command:
        vars(command)["__click_params__"] = [*getattr(command, "__click_params__", []), *reversed(options)]
        return command

    return add
