"""A key in a file of its own beside ratings of two outputs, A and B: it tells the system of each side, for each item.

So raters do not see which system wrote what. The key has each item in one row, and a column for each side; the file of
ratings has the same items, and a column for each side by each criterion, or one of preferences between sides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from referenceless_metrics.core.files.nested_rows import ANY
from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.files.scales_in_words import usual_scale
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Record, shortened
from referenceless_metrics.human_evaluation.ratings.columns import is_missing, name_of
from referenceless_metrics.human_evaluation.ratings.exports.answers import ITEM, SYSTEM
from referenceless_metrics.human_evaluation.ratings.named_pairs import is_side
from referenceless_metrics.human_evaluation.ratings.preference_cells import SIDES, side_share

_PAIR = ("system_a", "system_b")
_MOST_SYSTEMS = 30
_MOST_LETTERS = 80  # of the name of a system
_SHARES = (1.0, 0.0)
_RANKS = re.compile(r"first|second", re.IGNORECASE)
_OUTCOMES = frozenset(("win", "won", "loss", "lose", "lost", "better", "worse", "chosen", "rejected"))


@dataclass(frozen=True)
class KeyOfSides:
    """The systems of the two sides of each item.

    Attributes:
        told: the file that tells them, or the sheet.
        sides: its columns of the first and the second side.
        systems: the systems of each item, by each column whose cells stand in one row each.
        are_numbered: whether sides are called 1 and 2.
    """

    told: str
    sides: tuple[str, str]
    systems: dict[str, dict[str, tuple[str, str]]]
    are_numbered: bool = False

    @property
    def names(self) -> list[str]:
        """The systems, in the order in which they are met."""
        pairs = next(iter(self.systems.values())).values()
        return list(dict.fromkeys(name for pair in pairs for name in pair))


def key_of_sides(table: Table) -> KeyOfSides | None:
    """Return the key that a table is; None for another table.

    Args:
        table: the table.
    """
    lettered = columns_of_both_sides(table.columns)
    sides = lettered or columns_of_both_sides(table.columns, numbered=True)
    if not table.rows or sides is None:
        return None
    firsts, seconds = (_cells(table, name) for name in sides)
    pairs = list(zip(firsts, seconds, strict=True))
    systems = {name for pair in pairs for name in pair}
    are_pairs = all(first and second and first != second for first, second in pairs)
    if not are_pairs or len(systems) > _MOST_SYSTEMS or any(map(_is_no_name, systems)):
        return None
    others = [name for name in table.columns if name not in sides]
    if any(holds_sides(table, name) for name in others):  # preferences, whose pairs are told
        return None
    items = {name: _cells(table, name) for name in others}
    unique = {name: cells for name, cells in items.items() if "" not in cells and len(set(cells)) == len(cells)}
    found = {name: dict(zip(cells, pairs, strict=True)) for name, cells in unique.items()}
    return KeyOfSides(table.source, sides, found, lettered is None) if found else None


def columns_of_both_sides(names: Sequence[str], *, numbered: bool = False) -> tuple[str, str] | None:
    """Return the column of the first side and that of the second, if there is one of each by its name; else None.

    >>> columns_of_both_sides(["id", "A_is", "B_is"]), columns_of_both_sides(["id", "text_A", "A_is", "B_is"])
    (('A_is', 'B_is'), None)
    """
    firsts, seconds = ([name for name in names if _side_in(name, numbered=numbered)[0] == share] for share in _SHARES)
    return (firsts[0], seconds[0]) if len(firsts) == len(seconds) == 1 else None


def joined_with_keys(tables: Sequence[Table], *, as_pairs: bool = False) -> list[Table]:
    """Return tables without the key among them: each other one tells the systems of its sides by it.

    They are returned as they are if there is no such key, or if it does not fit them all.

    Args:
        tables: the tables.
        as_pairs: whether preferences are asked for.
    """
    keys = [key_of_sides(table) for table in tables]
    others = [table for table, key in zip(tables, keys, strict=True) if key is None]
    found = [key for key in keys if key is not None]
    if len(found) != 1 or not others:
        return list(tables)
    joined = [joined_by(table, found[0], as_pairs=as_pairs) for table in others]
    known = [table for table in joined if table is not None]
    if len(known) < len(others):
        return list(tables)
    tell(note for table in known for note in table.notes[-1:])
    return known


def joined_by(table: Table, key: KeyOfSides, *, as_pairs: bool = False) -> Table | None:
    """Return a table of answers with the systems that a key tells; None if the key does not fit it.

    Ratings of two sides are a row for each; beside preferences, both systems stand in the row.

    Args:
        table: the table.
        key: the key.
        as_pairs: whether preferences are asked for, and not ratings beside them.
    """
    item = next((name for name in table.columns if _fits(table, name, key)), None)
    if item is None or any(name in table.columns for name in (SYSTEM, *_PAIR)):
        return None
    of_item = key.systems[item]
    families = sided_columns(table.columns, numbered=key.are_numbered)
    prefers = any(holds_sides(table, name) for name in table.columns)
    told = f"{key.told} tells the system of each side, by column {item!r} ({shortened(', '.join(key.names), 80)})"
    rows: list[Record] = []
    if families and not (prefers and as_pairs):
        names = {name for both in families.values() for name in both}
        others = [name for name in table.columns if name not in names]
        for row in table.rows:
            cell = name_of(row.get(item))
            for place, system in enumerate(of_item[cell]):
                of_side = {stem: row.get(both[place]) for stem, both in families.items()}
                rows.append({ITEM: cell, **{name: row.get(name) for name in others}, SYSTEM: system, **of_side})
        columns = (*others, ITEM, SYSTEM, *families)
        told += f"; each row of {table.source} is one of each system, with {shortened(', '.join(families), 80)}"
    elif prefers:
        for row in table.rows:
            cell = name_of(row.get(item))
            rows.append({ITEM: cell, **row, **dict(zip(_PAIR, of_item[cell], strict=True))})
        columns = (*table.columns, ITEM, *_PAIR)
    else:
        return None
    columns = tuple(dict.fromkeys(columns))
    return replace(table, columns=columns, rows=rows, lines=[], types={}, notes=(*table.notes, told))


def systems_of_sides(table: Table) -> tuple[str, str] | None:
    """Return the two columns that name the systems of the two sides of each row; None without them.

    Few names stand in both columns, and never twice in a row. Columns that are called first and second may rank
    systems, and are none.
    """
    for firsts, seconds in pairs_of_sides(table.names()).values():
        sides = [_match_of_side(name) for name in (firsts, seconds)]
        if any(side is None or _RANKS.fullmatch(side["side"]) for side in sides):
            continue
        if _name_systems(table.column(firsts), table.column(seconds)):
            return firsts, seconds
    return None


def _name_systems(firsts: Sequence[object], seconds: Sequence[object]) -> bool:
    """Say whether cells name two of few systems in each row, most of which stand now on one side, now on the other."""
    pairs = [(name_of(first), name_of(second)) for first, second in zip(firsts, seconds, strict=True)]
    if not all(first and second and first != second for first, second in pairs):
        return False
    of_first, of_second = {first for first, _ in pairs}, {second for _, second in pairs}
    systems = of_first | of_second
    if len(systems) > _MOST_SYSTEMS or 2 * len(of_first & of_second) <= len(systems):
        return False
    are_answers = usual_scale(sorted(systems)) is not None or not _OUTCOMES.isdisjoint(map(str.lower, systems))
    return not are_answers and not any(_is_no_name(name) or len(name) > _MOST_LETTERS for name in systems)


def sided_columns(names: Sequence[str], *, numbered: bool = False) -> dict[str, tuple[str, str]]:
    """Return the columns of the first and the second side by what their names say beside the side.

    >>> sided_columns(["id", "fluency_A", "fluency_B", "Style (left)", "Style (right)", "note_B"])
    {'fluency': ('fluency_A', 'fluency_B'), 'Style': ('Style (left)', 'Style (right)')}
    >>> sided_columns(["style 1", "style 2"]), sided_columns(["style 1", "style 2"], numbered=True)
    ({}, {'style': ('style 1', 'style 2')})
    """
    return {stem: both for stem, both in pairs_of_sides(names, numbered=numbered).items() if stem}


def pairs_of_sides(names: Sequence[str], *, numbered: bool = False) -> dict[str, tuple[str, str]]:
    """Return the columns of both sides as `sided_columns`, and those that are called by the sides alone, below ""."""
    found: dict[str, dict[float, str]] = {}
    for name in names:
        share, stem = _side_in(name, numbered=numbered)
        if share is not None:
            found.setdefault(stem, {})[share] = name
    return {stem: (both[1.0], both[0.0]) for stem, both in found.items() if len(both) == len(_SHARES)}


def side_pattern(name: str) -> str:
    """Return a name with a star in place of the side that it begins or ends with.

    >>> side_pattern("fluency_A"), side_pattern("left style"), side_pattern("Style (right)")
    ('fluency_*', '* style', 'Style (*)')
    """
    match = _match_of_side(name)
    return name if match is None else f"{name[: match.start('side')]}{ANY}{name[match.end('side') :]}"


def _side_in(name: str, *, numbered: bool = False) -> tuple[float | None, str]:
    """Return the share of the first side if a name begins or ends with a side, and the rest; None and the name if not.

    >>> _side_in("A_is"), _side_in("system on the right"), _side_in("A"), _side_in("Banana")
    ((1.0, 'is'), (0.0, 'system on the'), (1.0, ''), (None, 'Banana'))
    """
    number = _NUMBERED.fullmatch(name) if numbered else None
    if number is not None:
        return _SHARES[int(number["side"]) - 1], number["stem"].strip()
    match = None if numbered else _match_of_side(name)
    return (None, name) if match is None else (SIDES[match["side"].lower()], (match["stem"] or "").strip())


def _match_of_side(name: str) -> re.Match[str] | None:
    for form in (_AT_END, _AT_START):
        match = form.fullmatch(name)
        if match is not None and SIDES.get(match["side"].lower()) in _SHARES:
            return match
    return None


_AT_END = re.compile(r"(?:(?P<stem>.*[^\W_])[\W_]+)?(?P<side>[A-Za-z]+)[)\]]?\s*")
_NUMBERED = re.compile(r"(?P<stem>.*[^\W\d_])[\W_]*(?P<side>[12])\s*")
_AT_START = re.compile(r"\s*(?P<side>[A-Za-z]+)(?:[\W_]+(?P<stem>.*))?")


def _fits(table: Table, name: str, key: KeyOfSides) -> bool:
    """Say whether a column of a table has the name of one of the key's items, and their cells."""
    of_item = key.systems.get(name)
    return of_item is not None and bool(table.rows) and all(cell in of_item for cell in _cells(table, name))


def holds_sides(table: Table, name: str) -> bool:
    """Say whether a column holds nothing but sides and ties, and both sides."""
    words = {name_of(row.get(name)).lower() for row in table.rows if not is_missing(row.get(name))}
    return bool(words) and all(map(is_side, words)) and set(map(side_share, words)) >= set(_SHARES)


def _is_no_name(cell: str) -> bool:
    """Say whether a cell is a side, or a number, as ratings are."""
    return is_side(cell) or re.fullmatch(r"[-+]?\d+(?:[.,]\d+)?", cell) is not None


def _cells(table: Table, name: str) -> list[str]:
    return [name_of(row.get(name)) for row in table.rows]
