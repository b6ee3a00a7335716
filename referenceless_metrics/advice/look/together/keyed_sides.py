"""Command lines on blind ratings of two sides in some files, and the key to the sides in another."""

from __future__ import annotations

from collections.abc import Sequence

from referenceless_metrics.advice.look.forms.description import Look
from referenceless_metrics.advice.look.lines.parts import command_line
from referenceless_metrics.human_evaluation.ratings.key_files import columns_of_both_sides, sided_columns
from referenceless_metrics.human_evaluation.ratings.named_pairs import is_side

_MOST_SYSTEMS = 30


def of_keyed_sides(looks: Sequence[Look]) -> list[str]:
    """Return the lines on ratings, or preferences, of two sides in all files but one, the key; none for other files."""
    keys = [each for each in looks if _is_key(each)]
    rated = [each for each in looks if each not in keys]
    if len(keys) != 1 or not rated or not all(_shares_items(keys[0], each) for each in rated):
        return []
    files = [each.file for each in (*rated, keys[0])]
    of_each = [word for file in files for word in ("--ratings", file)]
    raters = {next((column.name for column in each.columns if column.part == "rater"), "") for each in rated}
    whose = ["--rater-column", name] if len(raters) == 1 and (name := raters.pop()) else []
    lines = []
    families = {tuple(sided_columns([column.name for column in each.columns if column.is_numeric])) for each in rated}
    stems = families.pop() if len(families) == 1 else ()
    if stems:
        by = [word for stem in stems for word in ("--rating-column", stem)]
        by += [*(["--columns-are", "criteria"] if len(stems) > 1 else []), *whose]
        lines = [command_line("human-score", *of_each, *by)]
        lines += [command_line("agreement", *files, *by)] if whose or len(rated) > 1 else []
    chosen = {tuple(_choices(each)) for each in rated}
    names = chosen.pop() if len(chosen) == 1 else ()
    preferred = command_line("human-score", *of_each, "--preference-column", *names, *whose)
    return [*lines, *([preferred] if len(names) == 1 else [])]


def _is_key(found: Look) -> bool:
    """Say whether a file may tell the systems of two sides: a column of a few names for each, and ids."""
    sides = columns_of_both_sides([column.name for column in found.columns])
    named = [column for column in found.columns if sides and column.name in sides and column.kind == "labels"]
    return len(named) == 2 and all(column.distinct <= _MOST_SYSTEMS for column in named) and not _choices(found)


def _choices(found: Look) -> list[str]:
    """Return the columns of sides, as A and B."""
    labels = [column for column in found.columns if column.kind == "labels" and column.distinct > 1]
    return [column.name for column in labels if all(map(is_side, column.shown.split(", ")))]


def _shares_items(key: Look, rated: Look) -> bool:
    """Say whether a key has all items of a file, by the ids in a column that both have."""
    names = {column.name for column in key.columns} & {column.name for column in rated.columns}
    known = {name: key.ids.get(name, frozenset()) for name in names}
    held = {name: rated.ids.get(name) or rated.repeated_ids.get(name) or frozenset() for name in names}
    return any(held[name] and held[name] <= ids for name, ids in known.items())
