"""Groups whose commands are imported when they run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from metric_commons.support.installation import imported, plugged_in

_WIDEST = 110

Place = click.Command | tuple[str, str]
"""A command, or its place and what it does."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they run; its help imports none.

    Args:
        sections: by the heading over them the commands by name: a command, or the place of one (`module:attribute`)
            with what it does in a sentence.
        group: an entry-point group whose commands come after these; "" for none.
        attributes: those of `click.Group`.
    """

    def __init__(
        self,
        *,
        sections: Mapping[str, Mapping[str, Place]],
        group: str = "",
        **attributes: Any,
    ) -> None:
        settings = {"help_option_names": ["-h", "--help"], "max_content_width": _WIDEST, "show_default": True}
        super().__init__(context_settings=settings, **attributes)
        self._sections = sections
        self._own = {name: place for section in sections.values() for name, place in section.items()}
        self._group = group

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order in which they were given, then those of the entry points."""
        return list(dict.fromkeys((*self._own, *plugged_in(self._group))))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command; None for an unknown name."""
        command = self._own.get(cmd_name) or plugged_in(self._group).get(cmd_name)
        if isinstance(command, tuple):
            command = imported(command[0])
        return command if command is None or isinstance(command, click.Command) else command()

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each command below its heading, with what it does."""
        rows = {
            heading: [
                (name, place[1] if isinstance(place, tuple) else place.get_short_help_str(10_000))
                for name, place in section.items()
            ]
            for heading, section in self._sections.items()
        }
        others = [name for name in plugged_in(self._group) if name not in self._own]
        rows["Of other packages"] = [(name, f"See {ctx.command_path} {name} --help.") for name in others]
        for heading in filter(rows.get, rows):
            with formatter.section(heading):
                formatter.write_dl(rows[heading])
