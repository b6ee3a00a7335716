"""The items of scores: told by a column, by another that all systems share, or by their order; and no item twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from shlex import quote
from typing import TYPE_CHECKING

from referenceless_metrics.core.files.joined_ids import joined_ids
from referenceless_metrics.core.files.nested_rows import PLACE
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.files_in_order import names_ids
from referenceless_metrics.human_evaluation.inputs_beside import check_same_inputs
from referenceless_metrics.human_evaluation.scores.columns import KEYS, ScoreColumns, cells_of
from referenceless_metrics.human_evaluation.scores.parts import Part

if TYPE_CHECKING:
    import pandas as pd

_UNIT = ["system", "run", "rater", "metric"]
"""Columns within whose values an item has one row."""

MEANS_ALONE = (
    "means of systems do not tell whether a difference is more than chance; give the scores or ratings that they are "
    "the means of, a row for each item and system"
)
"""End of a message on a table of systems' means."""

_MOST_REPEATED = 12
"""Most columns of repeated values of which pairs are tried."""

# Words in the names of columns, by the content of such columns.
_HINTS = {
    "rater": ("rater", "annotator", "judge", "worker", "user", "participant", "assessor"),
    "run": ("run", "seed", "trial", "epoch", "repeat", "replicate", "sample", "attempt", "iteration"),
    "metric": ("metric", "criterion", "criteria", "measure", "dimension", "aspect", "filter", "scorer"),
    "cluster": ("doc", "dialog", "conversation", "story", "article", "passage", "prompt"),
}
_TELLS = {
    "rater": "--rater-column {} if these are raters or judges",
    "run": "--run-column {} if these are repeated runs",
    "metric": "--metric-column {} if it names the metric",
    "cluster": "--cluster-column {} or --slice-column {} if items are numbered anew in each, --item-column {} "
    "--item-column {} if both together tell an item",
}


def with_items(parts: Sequence[Part], *, unpaired: bool = False) -> tuple[list[Part], list[str]]:
    """Return the parts with items, and the assumptions made.

    Args:
        parts: the parts of all files.
        unpaired: whether rows of several systems are of no item in common: each row is then of an item of its own.

    Parts that tell no items get them from the first column that has other values in each row of a system and the same
    values for all systems; without such a column, the order of a system's rows tells them.

    Raises:
        InputError: for systems that differ in length, if the order would tell the items, for rows that two columns
            tell together, and for items that only some of the files tell.
    """
    lacking = [part for part in parts if not part.has_items]
    if not lacking:
        return list(parts), []
    if unpaired:
        return [part if part.has_items else _in_order(part, apart=True) for part in parts], []
    if len(lacking) < len(parts) and _are_lines_of_one_text(parts):
        together = ["a file's n-th line is item n, as in the files that number the lines themselves"]
        return [part if part.has_items else _in_order(part) for part in parts], together
    if len(lacking) < len(parts):
        told = next(part.file for part in parts if part.has_items)
        raise InputError(
            f"{lacking[0].file}: there is no column 'item' (--item-column), and {told} tells items: nothing says which "
            "rows are of one item"
        )
    lengths = {unit: n for part in parts for unit, n in part.frame.groupby(_UNIT, sort=False).size().items()}
    if len(lengths) > 1 and set(lengths.values()) == {1}:
        joined = joined_ids([str(unit[0]) for unit in lengths])
        if joined is not None:
            raise InputError(
                f"{parts[0].file}: names of systems join {len(joined.systems)} names with {joined.n_items} others, and "
                "each stands once: if these are systems and items, read both from the column, as --system-column "
                f"COLUMN.{joined.few} --item-column COLUMN.{joined.many}"
            )
        raise InputError(f"{parts[0].file}: each system has one row{_in_one_row(parts)}")
    columns = _SharedColumns.of(lacking)
    shared = columns.telling_rows()
    if shared is not None:
        assumed = f"items are told by column {shared!r}, which all systems share (--item-column names another)"
        return [_told_by(part, shared) for part in parts], [assumed]
    pair = columns.telling_rows_together()
    if pair is not None:
        raise InputError(
            f"{parts[0].file}: there is no column 'item' (--item-column); columns {pair[0]!r} and {pair[1]!r} "
            "together tell the rows of a system: name one as --item-column, and the other by what it tells: "
            "--metric-column, --run-column, --rater-column, --slice-column or --cluster-column"
        )
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{unit[0]} has {n}" for unit, n in list(lengths.items())[:6])
        raise InputError(
            f"{parts[0].file}: there is no column that tells items (--item-column), and systems differ in "
            f"the number of rows: {told} (--unpaired compares means of items of their own)"
        )
    numbers = _running_numbers(parts)
    if numbers is not None:
        assumed = f"items are told by column {numbers!r}, which numbers the rows (--item-column names another)"
        return [_told_by(part, numbers) for part in parts], [assumed]
    check_same_inputs([part.file for part in parts])
    ordered = [_in_order(part) for part in parts]
    return ordered, ["items are told by the order of each system's rows (--item-column names a column)"]


def _are_lines_of_one_text(parts: Sequence[Part]) -> bool:
    """Say whether the items of all parts are lines, as many of each system."""
    if not all(part.are_lines for part in parts):
        return False
    return len({n for part in parts for n in part.frame.groupby(_UNIT, sort=False).size()}) == 1


def _running_numbers(parts: Sequence[Part]) -> str | None:
    """Return the first column of whole numbers, each one more than the one before, of a single system's table."""
    table = parts[0].table
    if table is None or len(parts) > 1 or len(parts[0].frame) < 2:
        return None
    names = [name for name in table.names() if name not in parts[0].scores]
    cells = {name: list(_cells_of_units(parts, name).values()) for name in names}
    return next((name for name, of_units in cells.items() if len(of_units) == 1 and _are_running(of_units[0])), None)


def _in_one_row(parts: Sequence[Part]) -> str:
    """Return what to do about systems with one row each: to take lists of scores apart, or to give scores."""
    part = next((part for part in parts if part.listed), None)
    if part is None:
        return f": {MEANS_ALONE}"
    way = f"--rows-in {quote(','.join(part.listed))} --item-column {PLACE}"
    listed = shortened(", ".join(map(repr, part.listed)), 80)
    return f", and each cell of {listed} is a list of scores: {way} makes a row of each score"


def _in_order(part: Part, *, apart: bool = False) -> Part:
    """Return a part whose items are the numbers of each system's rows; `apart`, they are of this system alone."""
    items = (part.frame.groupby(_UNIT, sort=False).cumcount() + 1).astype(str)
    if apart:
        items = part.frame["system"] + "/" + items
    return replace(part, frame=part.frame.assign(item=items), has_items=True)


@dataclass(frozen=True)
class _SharedColumns:
    """The columns that have the same values for all systems, each as often.

    Attributes:
        cells: the cells of each system's rows in their order, by column.
    """

    cells: Mapping[str, list[list[str]]]

    @classmethod
    def of(cls, parts: Sequence[Part]) -> _SharedColumns:
        """Return the shared columns of tables; none if a part is no table."""
        tables = [part.table for part in parts if part.table is not None]
        if len(tables) < len(parts):
            return cls({})
        scores = {name for part in parts for name in part.scores}
        named = [set(table.names()) for table in tables]
        names = [name for name in tables[0].names() if all(name in of_table for of_table in named)]
        shared = {}
        for name in names:
            if name not in scores:
                cells = list(_cells_of_units(parts, name).values())
                counts = [Counter(of_unit) for of_unit in cells]
                if len(cells) > 1 and "" not in counts[0] and all(count == counts[0] for count in counts[1:]):
                    shared[name] = cells
        return cls(shared)

    def telling_rows(self) -> str | None:
        """Return the first column that has another value in each row of a system, one that is called as ids if any is.

        Running numbers, as of an index, tell no more than the order of rows, which may differ between systems: they
        are taken only if no other column tells rows.
        """
        telling = [name for name, cells in self.cells.items() if len(set(cells[0])) == len(cells[0])]
        others = [name for name in telling if not all(_are_running(cells) for cells in self.cells[name])]
        ids = [name for name in others if names_ids(name)]
        return next(iter(ids or others or telling), None)

    def telling_rows_together(self) -> tuple[str, str] | None:
        """Return the first two columns that together have other values in each row of a system, and share these."""
        repeated = [name for name, cells in self.cells.items() if 1 < len(set(cells[0])) < len(cells[0])]
        for one, other in combinations(repeated[:_MOST_REPEATED], 2):
            both = [set(zip(*cells, strict=True)) for cells in zip(self.cells[one], self.cells[other], strict=True)]
            if len(both[0]) == len(self.cells[one][0]) and all(rows == both[0] for rows in both[1:]):
                return one, other
        return None


def _cells_of_units(parts: Sequence[Part], name: str) -> dict[tuple[str, ...], list[str]]:
    cells: dict[tuple[str, ...], list[str]] = {}
    for part in parts:
        assert part.table is not None
        units = part.frame[_UNIT].itertuples(index=False, name=None)
        for unit, cell in zip(units, cells_of(part.table, name), strict=True):
            cells.setdefault(unit, []).append(_cell(cell))
    return cells


def _are_running(cells: Sequence[str]) -> bool:
    """Whether cells are whole numbers, each one more than the one before."""
    if not all(cell.isdecimal() for cell in cells):
        return False
    first = int(cells[0])
    return all(int(cell) == first + place for place, cell in enumerate(cells))


def _cell(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def _told_by(part: Part, name: str) -> Part:
    assert part.table is not None
    items = [_cell(cell) for cell in cells_of(part.table, name)]
    return replace(part, frame=part.frame.assign(item=items), has_items=True, item_column=name)


def keyed(frame: pd.DataFrame, columns: ScoreColumns) -> tuple[pd.DataFrame, list[str]]:
    """Return a frame whose items are told with their cluster or slice, if their numbers begin again in each.

    Args:
        frame: rows of all parts with the columns `KEYS`, `metric` and those of scores.
        columns: the user's names of the columns, for messages.

    Raises:
        InputError: if the user names the column, and all items that stand in several of its slices or clusters have the
            same scores there.
    """
    assumed = []
    for kind in ("slice", "cluster"):
        unit = [*_UNIT, "item"]
        if not frame[kind].ne("").any() or not frame.duplicated(unit).any():
            continue
        again = frame[frame.duplicated(unit, keep=False)]
        if not (again.groupby(unit, sort=False)[kind].nunique() > 1).any():
            continue
        if getattr(columns, kind) is not None:  # unlike a column that the user names, tasks of an export may be alike
            _check_differ(again, unit, kind)
        frame = frame.assign(item=frame[kind] + "/" + frame["item"])
        assumed.append(f"items are numbered anew in each {kind} ({getattr(columns, kind) or kind}): both tell an item")
    return frame, assumed


def _check_differ(again: pd.DataFrame, unit: list[str], kind: str) -> None:
    """Check that items which stand in several slices or clusters are not the same, told several times."""
    scores = [name for name in again.columns if name.startswith("score:")]
    are_same = (again.groupby(unit, sort=False)[scores].nunique(dropna=False) <= 1).to_numpy().all()
    if are_same and (again[scores].nunique() > 1).any():
        item = again["item"].iloc[0]
        parts = sorted(again.loc[again["item"] == item, kind].unique())
        raise InputError(
            f"item {item!r} is in two {kind}s, {parts[0]!r} and {parts[1]!r}, with the same scores, as are all items "
            f"that stand in several: an item counts once, so give each one {kind}"
        )


def check_once(parts: Sequence[Part], long: pd.DataFrame, columns: ScoreColumns) -> None:
    """Check that no score stands twice.

    Args:
        parts: the parts.
        long: one row per score, with the columns `KEYS`, `score`, `value`, `part` and `row`.
        columns: the user's names of the columns.

    Raises:
        InputError: for two scores of one system, item, run and rater; the message says which column would tell them
            apart.
    """
    unit = ["system", "item", "run", "rater", "score"]
    again = long[long.duplicated(unit, keep=False)]
    if again.empty:
        return
    second = again[again.duplicated(unit)].iloc[0]
    first = again[(again[unit] == second[unit]).all(axis=1)].iloc[0]
    what = f"score {second['score']!r} of item {shortened(second['item'], 60)!r} and system {second['system']!r}"
    one, other = parts[first["part"]], parts[second["part"]]
    if one is not other:
        raise InputError(_of_two_files(what, one, other))
    told = f"{other.where(second['row'])}: a {what} stands again, after {one.where(first['row'])}"
    if one.table is None:
        raise InputError(f"{told}: the export holds it twice")
    rows = again.loc[again["part"] == second["part"], "row"].unique().tolist()
    raise InputError(f"{told}; {_telling(other, rows, columns)}")


def _of_two_files(what: str, one: Part, other: Part) -> str:
    told = f"{one.file} and {other.file} both hold a {what}"
    if len(one.systems) == 1 and len(other.systems) == 1:
        system = one.systems[0]
        names = f"--name {system}-1={one.file} --name {system}-2={other.file}"
        return (
            f"{told}: to compare them, name each system, as {names}; repeated runs of one system belong into one table "
            "(--run-column)"
        )
    return f"{told}: put different scores into columns of different names (--score-column)"


def _telling(part: Part, rows: Sequence[int], columns: ScoreColumns) -> str:
    """Return in words which column of a table would tell repeated rows apart, and the option for it."""
    if part.table is None:
        return "nothing in the file tells them apart"
    keys = part.frame.loc[rows, list(KEYS)].apply(tuple, axis=1).tolist()
    in_use = {*columns.in_use(), *part.scores, "item", "system"}
    telling = []
    for name in part.table.names():
        of_rows = cells_of(part.table, name)
        cells = [_cell(of_rows[row]) for row in rows]
        if name not in in_use and len(set(zip(keys, cells, strict=True))) == len(rows):
            telling.append(name)
    if not telling:
        return "no column tells them apart: an item may have one row per system"
    hinted = [(name, kind) for name in telling for kind, words in _HINTS.items() if _has_word(name, words)]
    name, kind = hinted[0] if hinted else (telling[0], "")
    options = [_TELLS[kind]] if kind else [_TELLS[each] for each in ("cluster", "run", "metric", "rater")]
    item = quote(str(columns.item or "item"))
    told = quote(name)
    proposals = "; ".join(option.format(told, told, told, item) for option in options)
    return f"column {name!r} tells them apart: {proposals}"


def _has_word(name: str, words: Sequence[str]) -> bool:
    return any(word in name.lower() for word in words)


def one_of_each(frame: pd.DataFrame, items: Sequence[str], kind: str) -> Mapping[str, str]:
    """Return the cluster or slice of each item; "" for none.

    Raises:
        InputError: for an item that is in two.
    """
    named = frame.loc[frame[kind] != "", ["item", kind]].drop_duplicates()
    two = named[named["item"].duplicated(keep=False)].to_numpy()
    if len(two):
        (item, first), (_, second) = two[two[:, 0] == two[0, 0]][:2]
        raise InputError(f"item {item!r} is in two {kind}s: {first!r} and {second!r}")
    of_item = dict(named.to_numpy().tolist())
    return {item: of_item.get(item, "") for item in items}
