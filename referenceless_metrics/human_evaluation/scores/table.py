"""Scores of systems on items as one table, whatever tool wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.files.tables import ColumnName
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import Floats, InputError, Integers, finite_numbers, shortened
from referenceless_metrics.human_evaluation.scores.logs import ScoreRow, log_rows

if TYPE_CHECKING:
    import pandas as pd

SCORE = "score"
"""The column of scores where nobody names another."""

SYSTEM = "system"
"""The column of systems where there is one of this name and nobody names another."""

_KEYS = ("system", "item", "run", "cluster", "slice")


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
    reading: Reading = BY_SUFFIX,
) -> ScoreTable:
    """Read scores from tables or from logs of evaluation tools.

    A table has a row for each item and system, and a column for each score; a file without a column of systems is that
    of one system, which is called as the file is. True and false count as 1 and 0. `logs` says which logs are read.

    Args:
        files: one or more.
        score_columns: the scores to compare; none for all scores of a log, and for `score` in a table.
        system_column: the column with the system's name; None for `system`, where there is one.
        item_column: the column that says which rows are of one item.
        cluster_column: the column of what items depend on together, such as their document.
        slice_column: the column whose values part the items into slices.
        run_column: the column of repeated runs, whose scores are averaged.
        reading: how to read tables.

    Raises:
        InputError: for a file that cannot be read, without items or scores, or an item in two clusters or slices.
    """
    import pandas as pd

    options = {"system": system_column, "item": item_column, "run": run_column}
    options |= {"cluster": cluster_column, "slice": slice_column}
    parts = []
    for file in files:
        rows = log_rows(file)
        parts.append(_of_table(file, score_columns, options, reading) if rows is None else _of_log(rows))
    return _table(pd.concat(parts), files, score_columns)


def _of_log(rows: Sequence[ScoreRow]) -> pd.DataFrame:
    import pandas as pd

    keys = pd.DataFrame([{kind: getattr(row, kind, "") for kind in _KEYS} for row in rows], columns=list(_KEYS))
    names = list(dict.fromkeys(name for row in rows for name in row.scores))
    scores = {name: finite_numbers([_counted(row.scores.get(name)) for row in rows]) for name in names}
    return pd.DataFrame(scores, index=pd.MultiIndex.from_frame(keys))


def _of_table(
    file: str, score_columns: Sequence[str], options: Mapping[str, str | None], reading: Reading
) -> pd.DataFrame:
    import pandas as pd

    table = read_table(file, reading)
    keys: dict[str, Any] = {}
    for kind in _KEYS:
        column = options[kind] or (SYSTEM if kind == "system" and SYSTEM in table.columns else None)
        absent = Path(file).name.split(".")[0] if kind == "system" else ""
        cells = table.column(ColumnName(column, f"--{kind}-column")) if column else [absent] * len(table.rows)
        keys[kind] = [str(cell).strip() for cell in cells]
    chosen = [ColumnName(name, "--score-column") for name in score_columns or (SCORE,)]
    scores = {str(name): table.as_numbers(list(map(_counted, table.column(name, numeric=True)))) for name in chosen}
    return pd.DataFrame(scores, index=pd.MultiIndex.from_arrays(list(keys.values()), names=list(keys)))


def _counted(cell: object) -> object:
    """Return a cell, with 1 for true and 0 for false."""
    truths = {"true": 1.0, "false": 0.0}
    return truths.get(str(cell).strip().lower(), cell) if isinstance(cell, (bool, str)) else cell


def _table(rows: pd.DataFrame, files: Sequence[str], score_columns: Sequence[str]) -> ScoreTable:
    columns = list(score_columns) or list(rows.columns)
    if missing := [name for name in columns if name not in rows]:
        raise InputError(
            f"{', '.join(files)}: there is no score {missing[0]!r}; the scores are "
            f"{shortened(', '.join(map(str, rows.columns)))}"
        )
    keys = rows.index.to_frame(index=False)
    systems, items = list(keys["system"].unique()), list(keys["item"].unique())
    if not items or not columns:
        raise InputError(f"{', '.join(files)}: there are no {'scores' if items else 'items'} in it")
    doubled = keys.duplicated(["system", "item", "run"])
    rows, counted = rows.loc[~doubled.to_numpy(), columns], keys[~doubled]
    of_item = {}
    for kind in ("cluster", "slice"):
        named = counted[["item", kind]].drop_duplicates()
        two = named[named["item"].duplicated(keep=False)].to_numpy()
        if len(two):
            (item, first), (_, second) = two[two[:, 0] == two[0, 0]][:2]
            raise InputError(f"item {item!r} is in two {kind}s: {first!r} and {second!r}")
        of_item[kind] = named[kind].tolist()
    means = rows.groupby(level=["system", "item"], sort=False).mean()
    values = {name: means[name].unstack("item").reindex(systems)[items].to_numpy() for name in columns}
    unscored = counted["item"].to_numpy()[np.nonzero(rows.isna().to_numpy())[0]]
    whole = np.isfinite(np.array(list(values.values()))).all(axis=(0, 1)).tolist()
    partial = [item for item, is_whole in zip(items, whole, strict=True) if not is_whole]
    grouped = [cluster or f"\0{item}" for cluster, item in zip(of_item["cluster"], items, strict=True)]
    notes = [
        _note(
            keys["item"][doubled],
            "rows repeat an item and system; only the first counts (--run-column tells repeated runs)",
        ),
        _note(unscored, "scores are missing or no finite number, and do not count"),
        _note(partial, "items are not scored for all systems; a difference is over the items that both have"),
    ]
    return ScoreTable(
        tuple(systems),
        tuple(items),
        values,
        np.unique(grouped, return_inverse=True)[1],
        len(set(grouped)) == len(items),
        tuple(of_item["slice"]),
        tuple(filter(None, notes)),
    )


def _note(items: Iterable[str], what: str) -> str:
    named = list(items)
    return f"{len(named)} {what}: {shortened(', '.join(dict.fromkeys(named)), 80)}." if named else ""
