"""One line for all criteria in place of a line for each: p of a comparison is corrected for all that a line names."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence

from referenceless_metrics.command_line.metric_command import values_of
from referenceless_metrics.command_line.proposing import without_options

_COLUMN = "--rating-column"
_FIRST_OPTION = {"human-score": 4, "agreement": 3}
"""The commands that read several criteria at once, with the place of the first option behind the file."""


def by_all_criteria(lines_of: Mapping[str, Sequence[str]], held: Mapping[str, str], most: int) -> list[str]:
    """Return the lines of columns of ratings; those that differ in the column alone are one line on all criteria.

    Args:
        lines_of: the command lines of each column, by its name.
        held: what the cells of columns hold: those that hold the same may share a line, and others may not.
        most: most columns that have lines of their own; lines of further ones are left out.

    >>> lines = {name: [f"referenceless agreement a.csv --rating-column {name}"] for name in ("form", "style")}
    >>> by_all_criteria(lines, {"form": "numbers", "style": "numbers"}, 3)
    ['referenceless agreement a.csv --rating-column form --rating-column style --columns-are criteria']
    """
    shared: dict[tuple[str, str], list[str]] = {}
    for name, lines in lines_of.items():
        for line in lines if name in held else ():
            shared.setdefault((held[name], _without_column(line, name)), []).append(name)
    found = []
    for place, (name, lines) in enumerate(lines_of.items()):
        for line in lines:
            plain = _without_column(line, name)
            names = shared.get((held.get(name, ""), plain), [])
            if len(names) > 1 and line.split()[1] in _FIRST_OPTION:
                found.append(_of_criteria(plain, names))
            elif place < most:
                found.append(line)
    return list(dict.fromkeys(found))


def with_criteria(line: str, kept: Collection[str]) -> str:
    """Return a line on several criteria as one on those of some names; one that has none of them, or others, as it is.

    >>> line = "referenceless agreement a.csv --rating-column x --rating-column y --columns-are criteria --scale 1-5"
    >>> with_criteria(line, ["x"])
    'referenceless agreement a.csv --rating-column x --scale 1-5'
    """
    words = shlex.split(line)
    named = criteria_of(words)
    left = [name for name in named if name in kept]
    if not left or left == named:
        return line
    return _of_criteria(shlex.join(without_options(words, {_COLUMN, "--columns-are"})), left)


def criteria_of(words: Sequence[str]) -> list[str]:
    """Return the columns of several criteria that a line names; none for a line on one, or on patterns of columns."""
    several = words[1] in _FIRST_OPTION and "criteria" in values_of(words, "--columns-are")
    return values_of(words, _COLUMN) if several and "--rows-in" not in words else []


def _without_column(line: str, name: str) -> str:
    """Return a line without the option that names its column of ratings."""
    return line.replace(f" {shlex.join([_COLUMN, name])}", "", 1)


def _of_criteria(line: str, names: Sequence[str]) -> str:
    """Return a line that names no column of ratings, on one or on several that are criteria."""
    words = shlex.split(line)
    place = _FIRST_OPTION[words[1]]
    named = [word for name in names for word in (_COLUMN, name)]
    named += ["--columns-are", "criteria"] if len(names) > 1 else []
    return shlex.join([*words[:place], *named, *words[place:]])
