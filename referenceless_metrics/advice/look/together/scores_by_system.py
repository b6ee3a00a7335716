"""Scores in files of one system each whose columns are called by it, as `a_correct` and `b_correct`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.lines.parts import command_line
from referenceless_metrics.core.files.nested_rows import ANY, ITEM, KEY, marks_of, plain_name
from referenceless_metrics.human_evaluation.scores.system_in_names import options_of_pattern, pattern_of_names

_MOST_SCORES = 4  # columns of scores that a line names
_TELLING = ("text", "ids", "labels")  # kinds of columns of which each row may have another cell
_NO_OUTPUTS = ("", ITEM, "source", "reference")  # parts of columns that all systems may share


class _OfSystem(NamedTuple):
    """The columns of one file.

    Attributes:
        system: the system by which some of them are called.
        names: the names of all, with a star in place of the system.
    """

    system: str
    names: tuple[str, ...]


def scores_by_system(looks: Sequence[Look]) -> list[str]:
    """Return the line that compares the scores of such files; none of other ones.

    Without the systems' names all files have the same columns. Several files may be of one system, and of other items.
    """
    scores = [[column.name for column in each.columns if column.part == "score"] for each in looks]
    common = set.intersection(*(set(_names(each)) for each in looks)) if looks else set()
    own = [next((name for name in of_file if name not in common), "") for of_file in scores]
    pattern = pattern_of_names(own) if len(looks) > 1 and all(own) else ""
    if not pattern:
        return []
    called = [_called(each, name, pattern) for each, name in zip(looks, own, strict=True)]
    systems = [of_file.system for of_file in called]
    if len(set(systems)) < 2 or len({of_file.names for of_file in called}) > 1:
        return []
    patterns = [_without_system(name, systems[0]) for name in scores[0] if name not in common]
    patterns = [each for each in patterns if _names_systems_alone(each, looks, systems)][:_MOST_SCORES]
    made = {plain_name(each) for each in patterns} | {KEY}
    item = _item_of(looks, systems)
    are_in_order = len(set(systems)) == len(looks) and len({each.n_rows for each in looks}) == 1
    if pattern not in patterns or len(made) <= len(patterns) or made & common or not (item or are_in_order):
        return []
    files = [word for each in looks for word in ("--scores", each.file)]
    items = ["--item-column", item] if item not in ("", ITEM) else []
    return [command_line("compare", *files, *options_of_pattern(patterns), *items)]


def _names(found: Look) -> list[str]:
    return [column.name for column in found.columns]


def _called(found: Look, name: str, pattern: str) -> _OfSystem:
    """Return the system by which a column of a pattern is called, and the names of the file's columns without it."""
    start, _, end = pattern.partition(ANY)
    system = name[len(start) : len(name) - len(end)]
    return _OfSystem(system, tuple(_without_system(each, system) for each in _names(found)))


def _without_system(name: str, system: str) -> str:
    """Return a name with a star in place of a system that stands there as a whole word.

    >>> _without_system("a_at_best", "a"), _without_system("bert-a.acc", "a")
    ('*_at_best', 'bert-*.acc')
    """
    return re.sub(rf"(?<![^\W_]){re.escape(system)}(?![^\W_])", ANY, name)


def _names_systems_alone(pattern: str, looks: Sequence[Look], systems: Sequence[str]) -> bool:
    """Say whether the only column of a pattern in each file is that which is called by its system."""
    marks = [list(marks_of(pattern, tuple(_names(each)))) for each in looks]
    return pattern.count(ANY) == 1 and marks == [[system] for system in systems]


def _item_of(looks: Sequence[Look], systems: Sequence[str]) -> str:
    """Return a column, other than of outputs, that tells the rows of each file apart; "" for none.

    As far as its cells are known they are the same for all systems.
    """
    telling = [
        [
            column.name
            for column in each.columns
            if column.part in _NO_OUTPUTS
            and column.distinct == each.n_rows
            and not column.blank
            and (column.kind in _TELLING or column.part == ITEM)
        ]
        for each in looks
    ]
    in_all = [name for name in telling[0] if all(name in of_file for of_file in telling)]
    shared = [name for name in in_all if _are_shared(name, looks, systems)]
    named = [column.name for column in looks[0].columns if column.name in shared and column.part == ITEM]
    return next(iter([*named, *shared]), "")


def _are_shared(name: str, looks: Sequence[Look], systems: Sequence[str]) -> bool:
    """Say whether a column has the same cells in the files of each system, or is one of texts, whose are not known."""
    of_system: dict[str, list[int]] = {}
    for each, system in zip(looks, systems, strict=True):
        if name not in each.orders:
            return True
        of_system.setdefault(system, []).append(each.orders[name])
    return len({tuple(sorted(orders)) for orders in of_system.values()}) == 1
