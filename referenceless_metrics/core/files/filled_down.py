"""Keys that stand once above the rows of their group, as a spreadsheet shows merged cells: each row gets its key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_FEWEST_GROUPS = 3


def columns_to_fill(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Return the first columns whose cells are filled on the first row of each group, and blank below it; else none.

    Groups have the same number of rows, two or more, and keys of their own. The column behind these has no blank cell,
    and one of several behind them tells the rows of a group apart, in each group by the same values, as a column of
    systems or raters does: without it, a blank cell may as well be an empty output.

    >>> rows = [{"id": "" if n % 2 else f"s{n}", "system": "ab"[n % 2], "score": n} for n in range(8)]
    >>> columns_to_fill(rows), columns_to_fill(rows[:-1])
    (['id'], [])
    """
    names = list(rows[0]) if rows else []
    if len(names) < 2:
        return []
    places = _filled(rows, names[0])
    size = places[1] - places[0] if len(places) > 1 else 1
    if size < 2 or len(places) < _FEWEST_GROUPS or places != list(range(0, len(rows), size)) or len(rows) % size:
        return []
    if len({str(rows[place][names[0]]) for place in places}) < len(places):
        return []
    found = [names[0]]
    for name in names[1:]:
        if _filled(rows, name) != places:
            break
        found.append(name)
    behind = names[len(found) :]
    if len(behind) < 2 or len(_filled(rows, behind[0])) < len(rows):
        return []
    return found if any(_tells_apart(rows, name, size) for name in behind) else []


def _tells_apart(rows: Sequence[Mapping[str, object]], name: str, size: int) -> bool:
    """Say whether a column has as many values as a group has rows, and each of them once in every group."""
    groups = [{str(row.get(name)) for row in rows[first : first + size]} for first in range(0, len(rows), size)]
    return len(groups[0]) == size and all(group == groups[0] for group in groups)


def fill_down(rows: Sequence[dict[str, object]], names: Sequence[str]) -> None:
    """Put the cell above into the blank cells of columns."""
    above: dict[str, object] = {}
    for row in rows:
        for name in names:
            if _is_filled(row.get(name)):
                above[name] = row[name]
            else:
                row[name] = above[name]


def _filled(rows: Sequence[Mapping[str, object]], name: str) -> list[int]:
    """Return the places of rows in which a column is filled."""
    return [place for place, row in enumerate(rows) if _is_filled(row.get(name))]


def _is_filled(cell: object) -> bool:
    return cell is not None and str(cell).strip() != ""
