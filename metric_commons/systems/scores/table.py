"""Scores of systems on items as one table, whatever tool wrote them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from metric_commons.files.tables import ColumnName, Table
from metric_commons.files.text_io import read_table
from metric_commons.support.validation import Booleans, Floats, InputError, Integers, finite_number, shortened
from metric_commons.systems.scores.logs import ScoreRow, log_rows

SCORE = "score"
"""The column of scores where there is one of this name and nobody names another."""


SYSTEM = "system"
"""The column of systems where there is one of this name and nobody names another."""


@dataclass(frozen=True)
class ScoreTable:
    """Scores by system and item.

    Attributes:
        systems: their names, in the order in which they were met.
        items: n of them.
        values: from a score's name to its values, shape (systems, n); the mean over repeated runs, NaN without a score.
        clusters: which items belong together, whole numbers from 0, shape (n,).
        is_single: whether each item is a cluster of its own.
        slice_of: the slice of each item; "" where it has none.
        notes: what was left out, in sentences.
    """

    systems: tuple[str, ...]
    items: tuple[str, ...]
    values: dict[str, Floats]
    clusters: Integers
    is_single: bool
    slice_of: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the scores."""
        return tuple(self.values)

    @property
    def slices(self) -> tuple[str, ...]:
        """The names of the slices, sorted."""
        return tuple(sorted(set(self.slice_of) - {""}))

    def rows_of(self, part: str) -> Integers:
        """Return the places of a slice's items; of all items for ""."""
        return np.array([place for place, name in enumerate(self.slice_of) if part in ("", name)], dtype=np.int64)


def read_scores(
    files: Sequence[str],
    *,
    score_columns: Sequence[str] = (),
    system_column: str | None = None,
    item_column: str = "item",
    cluster_column: str | None = None,
    slice_column: str | None = None,
    run_column: str | None = None,
) -> ScoreTable:
    """Read scores from tables or from logs of evaluation tools.

    A table has a row for each item and system, and a column for each score; a file without a column of systems is that
    of one system, which is called as the file is. True and false count as 1 and 0. `logs` says which logs are read.

    Args:
        files: one or more.
        score_columns: the scores to compare; none for all scores of a log; in a table for
            `score`, or else for the one column of numbers.
        system_column: the column with the system's name; None for `system`, where there is one.
        item_column: the column that says which rows are of one item.
        cluster_column: the column of what items depend on together, such as their document.
        slice_column: the column whose values part the items into slices.
        run_column: the column of repeated runs, whose scores are averaged.

    Raises:
        InputError: for a file that cannot be read, without items or scores, or an item in two clusters or slices.
    """
    rows: list[ScoreRow] = []
    for file in files:
        of_log = log_rows(file)
        if of_log is not None:
            rows += of_log
            continue
        table = read_table(file)
        chosen = [ColumnName(name, "--score-column") for name in score_columns] or [_only_score(table)]
        scores = {str(name): table.column(name, numeric=True) for name in chosen}
        items = table.column(ColumnName(item_column, "--item-column"))
        name = Path(file).name.split(".")[0]
        systems = [name] * len(items)
        if system_column or SYSTEM in table.columns:
            systems = table.column(ColumnName(system_column or SYSTEM, "--system-column"))
        others = [
            table.column(ColumnName(column, option)) if column else [""] * len(items)
            for column, option in (
                (cluster_column, "--cluster-column"),
                (slice_column, "--slice-column"),
                (run_column, "--run-column"),
            )
        ]
        for place, (item, system, cluster, part, run) in enumerate(zip(items, systems, *others, strict=True)):
            values = {score: column[place] for score, column in scores.items()}
            named = (str(cell).strip() for cell in (system, item, run, cluster, part))
            rows.append(ScoreRow._make((*named, values)))
    return _table(rows, files, score_columns)


def _only_score(table: Table) -> ColumnName:
    numeric = [name for name in table.columns if table.range_of(name)]
    if SCORE in table.columns or len(numeric) == 1:
        return ColumnName(SCORE if SCORE in table.columns else numeric[0])
    told = table.told_numeric() or "no column holds numbers alone"
    raise InputError(f"{table.source}: which column holds the scores? Name it with --score-column; {told}")


def _number(value: object) -> float:
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return float(value.strip().lower() == "true")
    number = finite_number(float(value) if isinstance(value, bool) else value)
    return np.nan if number is None else number


def _table(rows: Sequence[ScoreRow], files: Sequence[str], score_columns: Sequence[str]) -> ScoreTable:
    met = list(dict.fromkeys(name for row in rows for name in row.scores))
    columns = list(score_columns) or met
    if missing := [name for name in columns if name not in met]:
        raise InputError(
            f"{', '.join(files)}: there is no score {missing[0]!r}; the scores are {shortened(', '.join(met))}"
        )
    systems = tuple(dict.fromkeys(row.system for row in rows))
    items = tuple(dict.fromkeys(row.item for row in rows))
    if not items or not columns:
        raise InputError(f"{', '.join(files)}: there are no {'scores' if items else 'items'} in it")
    place_of, system_of = ({name: at for at, name in enumerate(names)} for names in (items, systems))
    sums = {name: np.zeros((len(systems), len(items))) for name in columns}
    counts = {name: np.zeros((len(systems), len(items))) for name in columns}
    seen: set[tuple[str, str, str]] = set()
    doubled, unscored = [], []
    cluster_of: dict[str, str] = {}
    slice_of: dict[str, str] = {}
    for row in rows:
        key = row.system, row.item, row.run
        if key in seen:
            doubled.append(row.item)
            continue
        seen.add(key)
        for kept, value, kind in ((cluster_of, row.cluster, "clusters"), (slice_of, row.slice, "slices")):
            if kept.setdefault(row.item, value) != value:
                raise InputError(f"item {row.item!r} is in two {kind}: {kept[row.item]!r} and {value!r}")
        at = system_of[row.system], place_of[row.item]
        for name in columns:
            number = _number(row.scores.get(name))
            if np.isnan(number):
                unscored.append(row.item)
            else:
                sums[name][at] += number
                counts[name][at] += 1
    with np.errstate(invalid="ignore"):
        values = {name: sums[name] / counts[name] for name in columns}
    partial = [item for item, whole in zip(items, _complete(values), strict=True) if not whole]
    grouped = [cluster_of[item] or f"\0{item}" for item in items]
    clusters = np.unique(grouped, return_inverse=True)[1]
    notes = [
        _note(
            doubled,
            "rows repeat an item and system; only the first counts (--run-column tells repeated runs)",
        ),
        _note(unscored, "scores are missing or no finite number, and do not count"),
        _note(partial, "items are not scored for all systems; a difference is over the items that both have"),
    ]
    return ScoreTable(
        systems,
        items,
        values,
        clusters,
        len(set(grouped)) == len(items),
        tuple(slice_of[item] for item in items),
        tuple(filter(None, notes)),
    )


def _complete(values: dict[str, Floats]) -> Booleans:
    """Return whether each item has every score of every system."""
    complete: Booleans = np.logical_and.reduce(np.isfinite(list(values.values())), axis=(0, 1))
    return complete


def _note(items: Sequence[str], told: str) -> str:
    distinct = list(Counter(items))
    return f"{len(items)} {told}: {shortened(', '.join(distinct), 80)}." if items else ""
