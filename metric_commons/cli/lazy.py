"""A group of commands that are imported when they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from metric_commons.registry import imported, plugged_in

_WIDEST = 110


class LazyGroup(click.Group):
    """A group whose commands are named by place, `module:attribute`, or given as they are.

    Args:
        commands_at: from a command's name to its place, or to the command.
        headings: from the name of a command to the heading that stands over it and those after it.
        group: an entry-point group whose commands come after these; "" for none.
        attributes: those of `click.Group`.
    """

    def __init__(
        self,
        *,
        commands_at: Mapping[str, str | click.Command],
        headings: Mapping[str, str] | None = None,
        group: str = "",
        **attributes: Any,
    ) -> None:
        settings = {"help_option_names": ["-h", "--help"], "max_content_width": _WIDEST}
        super().__init__(context_settings=settings, **attributes)
        self._places = dict(commands_at)
        self._headings = headings or {}
        self._group = group

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order in which they were given, then those of the entry points."""
        return list(dict.fromkeys((*self._places, *self._plugged_in())))

    def _plugged_in(self) -> Mapping[str, Callable[[], click.Command]]:
        return plugged_in(self._group) if self._group else {}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for an unknown name."""
        place = self._places.get(cmd_name)
        if isinstance(place, str):
            command: click.Command = imported(place)
            self._places[cmd_name] = place = command
        if place is None and cmd_name in self._plugged_in():
            place = self._plugged_in()[cmd_name]()
        return place

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command below its heading, with the whole first sentence of its help."""
        heading, sections = "Commands", dict[str, list[tuple[str, str]]]()
        for name in self.list_commands(ctx):
            heading = self._headings.get(name, heading if name in self._places else "Of other packages")
            command = self.get_command(ctx, name)
            if command is not None:
                sections.setdefault(heading, []).append((name, command.get_short_help_str(limit=10_000)))
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl(rows)
