"""Ratings and preferences from files: long tables with a column each, and studies with their design."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metric_commons.files.tables import Table
from metric_commons.files.text_io import read_table
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe
from metric_commons.systems.output_ratings import check_same_scale, rescaled
from metric_commons.systems.studies.design import FILE, PREFERENCE
from metric_commons.systems.studies.reading import read_study

if TYPE_CHECKING:
    import pandas as pd

_SHARES = {"a": 1.0, "tie": 0.5, "b": 0.0, "1": 1.0, "0.5": 0.5, ".5": 0.5, "0": 0.0, "1.0": 1.0, "0.0": 0.0}


@dataclass(frozen=True, eq=False)
class Given:
    """What people said.

    Attributes:
        source: what to call it in a message, such as the file's name.
        table: a row a rating with the columns `rating` (NaN where an output is unrated or a rating is missing) and, as
            far as they are known, `system`, `item` (what the rated output was made for), `rater`, `text` (the output),
            `cluster` (what items lie together in), `weight` (how many items this one stands for) and `estimates` (of
            the output). Or a row a preference, as in `preferences`; NaN where it is missing.
        scale: the ends of the ratings' scale, where they are known.
        systems: of a study, the baseline first; its outputs are drawn at random, and its items are places in the
            systems' files, counted from 0. Else none.
    """

    source: str
    table: pd.DataFrame
    scale: tuple[float, float] | None = None
    systems: tuple[str, ...] = ()

    @property
    def are_preferences(self) -> bool:
        """Whether these are preferences, and not ratings."""
        return PREFERENCE in self.table


def is_study(path: str) -> bool:
    """Say whether this is the folder of a study."""
    return (Path(path) / FILE).is_file()


def read_given(
    sources: Sequence[str],
    columns: Mapping[str, str | None],
    *,
    scale: tuple[float, float] | None = None,
    rescale: Sequence[tuple[float, float]] = (),
    center: bool = False,
) -> Given:
    """Read ratings, or preferences.

    Args:
        sources: tables, or one study's folder.
        columns: what the columns `rating`, `ratings_text`, `system`, `item`, `rater`, `cluster` and `estimates` of the
            tables are called; None, but for the first two, for one of that name where there is one, and for no cluster
            and no estimates.
        scale: the ends of the scale.
        rescale: the ends of each source's scale, or one for all, to make ratings shares of it.
        center: whether to take each rater's mean from the ratings.

    Raises:
        InputError: for a file or a study that cannot be read, a column that is not there, a cell that is no rating, a
            study beside other ratings, preferences beside ratings, and scales of different sizes.
    """
    import pandas as pd

    if any(map(is_study, sources)):
        if len(sources) > 1:
            raise InputError(f"{sources[0]}: a study stands alone, and cannot be joined with {sources[1]}")
        parts = [_study(sources[0])]
    else:
        tables = [read_table(source) for source in sources]
        preferring = [PREFERENCE in table.columns for table in tables]
        if any(preferring) and len(tables) > 1:
            raise InputError(f"{sources[preferring.index(True)]}: preferences are read from one file at a time")
        parts = [(_preferences if any(preferring) else _ratings)(table, columns) for table in tables]
    if parts[0].are_preferences:
        return parts[0]
    if rescale:
        for part, ends in zip(parts, rescale if len(rescale) > 1 else list(rescale) * len(parts), strict=True):
            part.table["rating"] = rescaled(part.table["rating"], *ends)
        scale = 0.0, 1.0
    elif parts[0].scale is None:
        check_same_scale({part.source: part.table["rating"].to_numpy() for part in parts})
    # What one of the tables does not tell is not known.
    ratings = pd.concat([part.table for part in parts], join="inner", ignore_index=True)
    source = ", ".join(part.source for part in parts)
    if center:
        if "rater" not in ratings:
            raise InputError(f"{source}: ratings cannot be centred by rater, since no column tells the rater")
        of_rater = ratings.groupby("rater")["rating"].transform("mean")
        ratings["rating"] = ratings["rating"] - of_rater + ratings["rating"].mean()
    return Given(source, ratings, None if center else scale or parts[0].scale, parts[0].systems)


def _is_blank(cell: object) -> bool:
    return cell is None or str(cell).strip() == ""


def _names(table: Table, columns: Mapping[str, str | None], *names: str) -> dict[str, list[str]]:
    """Return columns as names; none where it was not asked for and is not there."""
    found = {}
    for name in names:
        column = columns[name] or name
        if columns[name] is not None or name in table.columns:
            found[name] = [str(cell) for cell in table.column(column, f"--{name}-column")]
            for row, cell in enumerate(table.rows):
                if _is_blank(cell[column]):
                    raise InputError(f"{table.where(row)}: there is nothing in column {column!r} (--{name}-column)")
    return found


def _numbers(table: Table, column: str, option: str) -> list[float]:
    """Return a column as numbers, NaN where there is nothing."""
    found = []
    for row, cell in enumerate(table.column(column, option, numeric=True)):
        number = math.nan if _is_blank(cell) else table.number(cell)
        if number is None:
            raise InputError(
                f"{table.where(row)}: expected a finite number, or nothing, in column {column!r}, but got "
                f"{describe(cell)}"
            )
        found.append(number)
    return found


def _ratings(table: Table, columns: Mapping[str, Any]) -> Given:
    import pandas as pd

    if not table.rows:
        raise InputError(f"{table.source}: it holds no ratings")
    named = ["system", "item", "rater", *(["cluster"] if columns["cluster"] else [])]
    found: dict[str, Any] = {"rating": _numbers(table, columns["rating"], "--rating-column")}
    found |= _names(table, columns, *named)
    if columns["ratings_text"] in table.columns:
        found["text"] = table.texts(columns["ratings_text"])
    if columns["estimates"]:
        found["estimates"] = _numbers(table, columns["estimates"], "--estimates-column")
    return Given(table.source, pd.DataFrame(found))


def _preferences(table: Table, columns: Mapping[str, Any]) -> Given:
    import pandas as pd

    cells = table.column(PREFERENCE, "of preferences")
    shares = [math.nan if _is_blank(cell) else _SHARES.get(str(cell).strip().lower()) for cell in cells]
    if None in shares:
        row = shares.index(None)
        raise InputError(f"{table.where(row)}: expected a, tie or b as a preference, but got {describe(cells[row])}")
    item = columns["item"] or "item"
    found: dict[str, Any] = {PREFERENCE: shares} | _names(table, {**columns, "item": item}, "item", "rater")
    found |= {name: list(map(str, table.column(name, "of preferences"))) for name in ("system_a", "system_b")}
    frame = pd.DataFrame(found)
    if not frame[PREFERENCE].notna().any():
        raise InputError(f"{table.source}: it holds no preferences")
    return Given(table.source, frame)


def _study(folder: str) -> Given:
    import pandas as pd

    study = read_study(folder)
    rows = pd.DataFrame([*study.ratings, *study.preferences, *study.missing]).astype({"item": str})
    scale = study.design.scale
    return Given(folder, rows[~rows["repeat"]], (float(scale.low), float(scale.high)), study.design.systems)
