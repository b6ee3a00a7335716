"""Columns of the two systems of each row, whatever they are called: a column of winners names one of both, or a tie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from referenceless_metrics.advice.look.columns.choosing import first_of, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.winners import names_decision, names_worse
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.key_files import holds_sides, systems_of_sides
from referenceless_metrics.human_evaluation.ratings.named_pairs import is_side
from referenceless_metrics.human_evaluation.ratings.opponents import column_of_opponents, names_other

_MOST_NAMES = 60
VOTES = "-1–1"
"""The cell of `Column.shown` for a column of votes for and against."""

_MOST_COLUMNS = 12  # of few labels, of which each pair is tried


def compared_pairs(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns with the parts of preferences if three of them say which of two systems is better in each row."""
    if first_of(columns, "system_a", "system_b") is not None or not table.rows:
        return list(columns)
    found = _better_and_worse(table, columns)
    if found:
        return with_parts(columns, {each.name: "" for each in columns if each.part == "preference"} | found)
    sides = systems_of_sides(table)
    if sides is not None:
        return _with_sides(table, columns, sides)
    labels = [column for column in columns if column.kind == "labels" and column.distinct <= _MOST_NAMES]
    winners = [column for column in labels if names_decision(column.name)]
    others = [column for column in labels if not column.blank and column not in winners][:_MOST_COLUMNS]
    cells = {column.name: texts_of(table, column.name) for column in (*winners, *others)}
    for winner in winners:
        for first, second in combinations(others, 2):
            if _name_both(cells[first.name], cells[second.name], cells[winner.name]):
                parts = {each.name: "" for each in columns if each.part == "preference"}
                told = {first.name: "system_a", second.name: "system_b", winner.name: "preference"}
                return with_parts(columns, {**parts, **told})
    return list(columns)


def _with_sides(table: Table, columns: Sequence[Column], sides: tuple[str, str]) -> list[Column]:
    """Return columns with the parts of two that name the systems of the sides, and of those that say which is better.

    One that is called as of all criteria stands before others.
    """
    first, second = (texts_of(table, name) for name in sides)
    labels = [column.name for column in columns if column.kind == "labels" and names_decision(column.name)]
    deciders = [name for name in labels if holds_sides(table, name) or _name_both(first, second, texts_of(table, name))]
    deciders.sort(key=lambda name: "overall" not in name.lower())
    parts = {each.name: "" for each in columns if each.part == "preference"}
    return with_parts(
        columns, {**parts, sides[0]: "system_a", sides[1]: "system_b", **dict.fromkeys(deciders[:1], "preference")}
    )


def votes_against_another(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns with the parts of preferences if votes of 1 and -1 on a system stand beside its opponent.

    See `column_of_opponents`.
    """
    systems = [column for column in columns if column.part == "system" and column.kind == "labels"]
    systems = [column for column in systems if not column.blank and not names_other(column.name)]
    votes = [column for column in columns if column.kind == "whole numbers" and column.shown == VOTES]
    votes = [column for column in votes if column.part == "rating"]
    if not systems or not votes or first_of(columns, "system_a", "system_b", "preference") is not None:
        return list(columns)
    other = column_of_opponents(table, systems[0].name)
    if other is None:
        return list(columns)
    parts = {each.name: "" for each in columns if each.part == "system"}
    return with_parts(columns, {**parts, systems[0].name: "system_a", other: "system_b", votes[0].name: "preference"})


def remarks_on_votes(table: Table, columns: Sequence[Column]) -> Iterator[str]:
    """Yield a remark on votes on a system that are taken for preferences to its opponent; none without these."""
    vote, own, other = (first_of(columns, part) for part in ("preference", "system_a", "system_b"))
    if vote is None or own is None or other is None or vote.shown != VOTES or not names_other(other.name):
        return
    alone = texts_of(table, other.name).count("")
    left_out = f"; {alone} of {len(table.rows)} rows name no other system, and --where leaves them out" if alone else ""
    yield (
        f"{vote.name!r} is taken for a vote between two systems, 1 for that in {own.name!r} and -1 for that in "
        f"{other.name!r}: a mean of one system's votes depends on which others it met{left_out}; if "
        "people saw each output alone, votes are ratings (--rating-column, --system-column)"
    )


def _better_and_worse(table: Table, columns: Sequence[Column]) -> dict[str, str]:
    """Return the parts of two columns of which one names the better system of each row and one the worse; none else.

    Most names stand in both columns, and never in both of one row.
    """
    labels = [column.name for column in columns if column.kind == "labels" and not column.blank]
    for better in (name for name in labels if names_decision(name)):
        for worse in (name for name in labels if names_worse(name)):
            cells = texts_of(table, better), texts_of(table, worse)
            firsts, seconds = map(set, cells)
            are_apart = all(first != second for first, second in zip(*cells, strict=True))
            if are_apart and 2 * len(firsts & seconds) > len(firsts | seconds):
                return {better: "system_a", worse: "system_b"}
    return {}


def _name_both(firsts: Sequence[str], seconds: Sequence[str], winners: Sequence[str]) -> bool:
    """Say whether two columns name other systems in each row, and a third one of these; each is named at least once."""
    rows = list(zip(firsts, seconds, winners, strict=True))
    if any(first == second for first, second, _ in rows):
        return False
    named = [row for row in rows if row[2].strip() and not is_side(row[2])]
    if not all(winner in (first, second) for first, second, winner in named):
        return False
    return any(winner == first for first, _, winner in named) and any(winner == second for _, second, winner in named)
