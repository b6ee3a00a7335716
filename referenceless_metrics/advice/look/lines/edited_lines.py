"""Command lines with options added, taken out or put in the place of others."""

from __future__ import annotations

import shlex
from itertools import pairwise

from referenceless_metrics.advice.look.lines.parts import OTHER, command_line


def alone(line: str) -> str:
    """Return a line without the word for a further file of scores, or of another judge."""
    alone = line.replace(f" --scores {OTHER}", "")
    return alone.replace(f" {OTHER}", "") if line.split()[1] == "agreement" else alone


def criteria_in(line: str) -> list[str]:
    """Return the columns of ratings that a line of `human-score` names."""
    words = shlex.split(line)
    return [name for option, name in pairwise(words) if words[1] == "human-score" and option == "--rating-column"]


def is_on_ratings(line: str) -> bool:
    """Say whether a command line reads ratings alone."""
    return line.split()[1] in ("human-score", "agreement")


def on(line: str, file: str, other: str) -> str:
    """Return a line on a file as one on another file."""
    return command_line(*(other if word == file else word for word in shlex.split(line)[1:]))


def columns_in(line: str) -> list[str]:
    """Return the columns that a line names."""
    return [name for option, name in pairwise(shlex.split(line)) if option.endswith("-column")]
