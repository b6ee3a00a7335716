"""Ratings and preferences from files: long tables with a column each, and studies with their design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.files.tables import Table
from metric_commons.files.text_io import read_table
from metric_commons.support.errors import InputError
from metric_commons.support.validation import describe
from metric_commons.systems.output_ratings import check_same_scale, rescaled
from metric_commons.systems.preferences import Preferences
from metric_commons.systems.rating_tables import LongRatings, centred_by_rater, joined
from metric_commons.systems.studies.design import FILE
from metric_commons.systems.studies.reading import Preference, Rating, read_study

_PREFERENCE = "preference"
_SHARES = {"a": 1.0, "tie": 0.5, "b": 0.0, "1": 1.0, "0.5": 0.5, ".5": 0.5, "0": 0.0, "1.0": 1.0, "0.0": 0.0}


@dataclass(frozen=True)
class Columns:
    """What the columns of a table of ratings are called.

    Attributes:
        system: the system.
        rating: the rating.
        ratings_text: the output.
        item: what the output was made for; None for `item`, where there is one.
        rater: who rated; None for `rater`, where there is one.
        cluster: what items lie together in; None for none.
        estimates: estimates of the outputs; None for none.
    """

    system: str = "system"
    rating: str = "rating"
    ratings_text: str = "text"
    item: str | None = None
    rater: str | None = None
    cluster: str | None = None
    estimates: str | None = None


@dataclass(frozen=True, eq=False)
class Given:
    """What people said.

    Attributes:
        ratings: the ratings; None where preferences were given.
        preferences: the preferences; None where ratings were given.
        scale: the ends of the ratings' scale, where they are known.
        drawn: whether the outputs are known to be drawn at random, from a study's design.
        systems: of a study, the baseline first; else none.
    """

    ratings: LongRatings | None
    preferences: Preferences | None
    scale: tuple[float, float] | None
    drawn: bool = False
    systems: tuple[str, ...] = ()


def is_study(path: str) -> bool:
    """Say whether this is the folder of a study."""
    return (Path(path) / FILE).is_file()


def read_given(
    sources: Sequence[str],
    columns: Columns,
    *,
    scale: tuple[float, float] | None = None,
    rescale: Sequence[tuple[float, float]] = (),
    center: bool = False,
) -> Given:
    """Read ratings, or preferences.

    Args:
        sources: tables, or one study's folder.
        columns: of the tables.
        scale: the ends of the scale.
        rescale: the ends of each source's scale, or one for all, to make ratings shares of it.
        center: whether to take each rater's mean from the ratings.

    Raises:
        InputError: for a file or a study that cannot be read, a column that is not there, a cell that is no rating, a
            study beside other ratings, preferences beside ratings, and scales of different sizes.
    """
    if any(map(is_study, sources)):
        if len(sources) > 1:
            raise InputError(f"{sources[0]}: a study stands alone, and cannot be joined with {sources[1]}")
        given = _study(sources[0])
        if given.ratings is None:
            return given
        parts = [given.ratings]
    else:
        given = Given(None, None, scale)
        tables = [read_table(source) for source in sources]
        preferring = [_PREFERENCE in table.columns for table in tables]
        if any(preferring):
            if len(tables) > 1:
                raise InputError(f"{sources[preferring.index(True)]}: preferences are read from one file at a time")
            return Given(None, _preferences(tables[0], columns), None)
        parts = [_ratings(table, columns) for table in tables]
    ends = rescale if len(rescale) != 1 else list(rescale) * len(parts)
    if ends:
        parts = [replace(part, ratings=rescaled(part.ratings, *each)) for part, each in zip(parts, ends, strict=True)]
    elif given.scale is None:
        check_same_scale({part.source: part.ratings for part in parts})
    ratings = joined(parts)
    if center:
        ratings = centred_by_rater(ratings)
    known = None if center else (0.0, 1.0) if ends else scale or given.scale
    return Given(ratings, None, known, given.drawn, given.systems)


def _names(table: Table, column: str | None, default: str, option: str) -> list[str] | None:
    """Return a column as names; None where it was not asked for and is not there."""
    if column is None and default not in table.columns:
        return None
    cells = table.column(column or default, option)
    for row, cell in enumerate(cells):
        if cell is None or str(cell).strip() == "":
            raise InputError(f"{table.where(row)}: there is nothing in column {column or default!r} ({option})")
    return [str(cell) for cell in cells]


def _numbers(table: Table, column: str, option: str) -> NDArray[np.float64]:
    """Return a column as numbers, NaN where there is nothing."""
    found = np.full(len(table.rows), np.nan)
    for row, cell in enumerate(table.column(column, option, numeric=True)):
        if cell is None or str(cell).strip() == "":
            continue
        number = table.number(cell)
        if number is None:
            raise InputError(
                f"{table.where(row)}: expected a finite number, or nothing, in column {column!r}, but got "
                f"{describe(cell)}"
            )
        found[row] = number
    return found


def _ratings(table: Table, columns: Columns) -> LongRatings:
    if not table.rows:
        raise InputError(f"{table.source}: it holds no ratings")
    texts = columns.ratings_text in table.columns
    return LongRatings(
        table.source,
        _numbers(table, columns.rating, "--rating-column"),
        systems=_names(table, columns.system if columns.system != "system" else None, "system", "--system-column"),
        items=_names(table, columns.item, "item", "--item-column"),
        raters=_names(table, columns.rater, "rater", "--rater-column"),
        texts=table.texts(columns.ratings_text) if texts else None,
        clusters=columns.cluster and _names(table, columns.cluster, columns.cluster, "--cluster-column"),
        estimates=None if columns.estimates is None else _numbers(table, columns.estimates, "--estimates-column"),
    )


def _preferences(table: Table, columns: Columns) -> Preferences:
    cells = table.column(_PREFERENCE, "of preferences")
    asked = [row for row, cell in enumerate(cells) if cell is not None and str(cell).strip()]
    shares = [_SHARES.get(str(cells[row]).strip().lower()) for row in asked]
    if None in shares:
        row = asked[shares.index(None)]
        raise InputError(f"{table.where(row)}: expected a, tie or b as a preference, but got {describe(cells[row])}")
    if not asked:
        raise InputError(f"{table.source}: it holds no preferences")
    items = _names(table, columns.item or "item", "item", "--item-column") or []
    raters = _names(table, columns.rater, "rater", "--rater-column")
    names = [table.column(name, "of preferences") for name in ("system_a", "system_b")]
    return Preferences(
        table.source,
        items=[items[row] for row in asked],
        first=[str(names[0][row]) for row in asked],
        second=[str(names[1][row]) for row in asked],
        shares=np.array(shares, dtype=np.float64),
        raters=raters and [raters[row] for row in asked],
        n_missing=len(cells) - len(asked),
    )


def _study(folder: str) -> Given:
    study = read_study(folder)
    systems = tuple(study.design.systems)
    if study.design.scale.is_preference:
        chosen = [row for row in study.preferences if not row.repeat]
        missing = sum(isinstance(row, Preference) and not row.repeat for row in study.missing)
        preferences = Preferences(
            folder,
            items=[str(row.item) for row in chosen],
            first=[row.system_a for row in chosen],
            second=[row.system_b for row in chosen],
            shares=np.array([row.preference for row in chosen]),
            raters=[row.rater for row in chosen],
            weights=np.array([row.weight for row in chosen]),
            n_missing=missing,
        )
        return Given(None, preferences, None, True, systems)
    lacking = [row for row in study.missing if isinstance(row, Rating)]
    rows = [row for row in (*study.ratings, *lacking) if not row.repeat]
    fields: dict[str, Any] = {
        "systems": [row.system for row in rows],
        "items": [str(row.item) for row in rows],
        "raters": [row.rater for row in rows],
        "texts": [row.text for row in rows],
        "weights": np.array([row.weight for row in rows]),
    }
    ratings = LongRatings(folder, np.array([row.rating for row in rows]), **fields, items_are_places=True)
    scale = float(study.design.scale.low), float(study.design.scale.high)
    return Given(ratings, None, scale, True, systems)
