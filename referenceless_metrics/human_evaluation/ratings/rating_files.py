"""Ratings and preferences from files as one long table, a row for each rating, and the systems that they are of.

A file is a table with a column for each of item, system, rater and rating, or a study with its design.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.files.reading import BY_SUFFIX, Reading
from referenceless_metrics.core.files.tables import Table, is_blank
from referenceless_metrics.core.files.text_io import read_table
from referenceless_metrics.core.support.validation import InputError, Integers, Options, Record, describe
from referenceless_metrics.human_evaluation.inference.output_ratings import (
    FROM_OTHERS,
    Outputs,
    SystemRatings,
    aliases,
    check_same_scale,
)
from referenceless_metrics.human_evaluation.studies.design import FILE, PREFERENCE
from referenceless_metrics.human_evaluation.studies.reading import read_study

if TYPE_CHECKING:
    import pandas as pd


_SHARES = {"a": 1.0, "tie": 0.5, "b": 0.0, "1": 1.0, "0.5": 0.5, ".5": 0.5, "0": 0.0, "1.0": 1.0, "0.0": 0.0}


COLUMNS: Mapping[str, str | None] = {
    "rating": "rating",
    "ratings_text": "text",
    **dict.fromkeys(("system", "item", "rater", "cluster", "estimates")),
}
"""What a table's columns are called where nobody says otherwise; see `read_rating_table`."""


@dataclass(frozen=True, eq=False)
class RatingTable:
    """What people said.

    Attributes:
        source: what to call it in a message, such as the file's name.
        frame: a row a rating with the columns `rating` (NaN where an output is unrated or a rating is missing) and, as
            far as they are known, `system`, `item` (what the rated output was made for), `rater`, `text` (the output),
            `cluster` (what items lie together in) and `estimates` (of
            the output). Or a row a preference, as in `preferences`; NaN where it is missing.
        scale: the ends of the ratings' scale, where they are known.
        systems: of a study, the baseline first; its outputs are drawn at random, and its items are places in the
            systems' files, counted from 0. Else none.
        metric: of a study, the metric that its design names for the analysis; "" for none.
    """

    source: str
    frame: pd.DataFrame
    scale: tuple[float, float] | None = None
    systems: tuple[str, ...] = ()
    metric: str = ""

    @property
    def are_preferences(self) -> bool:
        """Whether these are preferences, and not ratings."""
        return PREFERENCE in self.frame

    @property
    def key(self) -> str:
        """The column that tells outputs of one system apart."""
        return "item" if "item" in self.frame else "text"


def is_study(path: object) -> bool:
    """Say whether this is the folder of a study."""
    return isinstance(path, str) and (Path(path) / FILE).is_file()


def read_rating_table(
    sources: Sequence[str | Table],
    columns: Mapping[str, str | None],
    *,
    scale: tuple[float, float] | None = None,
    reading: Reading = BY_SUFFIX,
) -> RatingTable:
    """Read ratings, or preferences.

    Names in cells are read without spaces around them.

    Args:
        sources: files of tables, tables that were read, or one study's folder.
        columns: what the columns `rating`, `ratings_text`, `system`, `item`, `rater`, `cluster` and `estimates` of the
            tables are called. Where they are not given, `rating` and `text`, and None: one of that name where there is
            one, and no cluster and no estimates.
        scale: the ends of the scale.
        reading: how to read files.

    Raises:
        InputError: for a file or a study that cannot be read, a column that is not there, a cell that is no rating, a
            study beside other ratings, preferences beside ratings, and scales of different sizes.
    """
    import pandas as pd

    columns = {**COLUMNS, **columns}
    if any(map(is_study, sources)):
        if len(sources) > 1:
            raise InputError(f"{sources[0]}: a study stands alone, and cannot be joined with {sources[1]}")
        study = read_study(str(sources[0]))
        design, rows = study.design, study.table[~study.table["repeat"]].astype({"item": str})
        ends = (float(design.scale.low), float(design.scale.high))
        parts = [RatingTable(str(sources[0]), rows, ends, design.systems, design.metric)]
    else:
        tables = [source if isinstance(source, Table) else read_table(source, reading) for source in sources]
        preferring = [table for table in tables if PREFERENCE in table.columns]
        if preferring and len(tables) > 1:
            raise InputError(f"{preferring[0].source}: preferences are read from one file at a time")
        parts = [(_preferences if preferring else _ratings)(table, columns) for table in tables]
    first = parts[0]
    if first.are_preferences:
        return first
    if first.scale is None:
        check_same_scale({part.source: part.frame["rating"].to_numpy() for part in parts})
    # A column that one of the tables lacks is not known.
    frame = pd.concat([part.frame for part in parts], join="inner", ignore_index=True)
    source = ", ".join(part.source for part in parts)
    return RatingTable(source, frame, scale or first.scale, first.systems, first.metric)


def _names(table: Table, columns: Mapping[str, str | None], *names: str) -> dict[str, list[str]]:
    """Return columns as names; none where it was not asked for and is not there."""
    read = {}
    for name in names:
        column = columns[name] or name
        if columns[name] is not None or column in table.columns:
            read[name] = [str(cell).strip() for cell in table.column(column, f"--{name}-column")]
            if "" in read[name]:
                row = read[name].index("")
                raise InputError(f"{table.where(row)}: there is nothing in column {column!r} (--{name}-column)")
    return read


def _ratings(table: Table, columns: Options) -> RatingTable:
    import pandas as pd

    if not table.rows:
        raise InputError(f"{table.source}: it holds no ratings")
    read: Record = {"rating": table.numbers(columns["rating"], "--rating-column", blank=True)}
    read |= _names(table, columns, "system", "item", "rater", *(["cluster"] if columns["cluster"] else []))
    if columns["ratings_text"] in table.columns:
        read["text"] = table.texts(columns["ratings_text"])
    if columns["estimates"]:
        read["estimates"] = table.numbers(columns["estimates"], "--estimates-column", blank=True)
    return RatingTable(table.source, pd.DataFrame(read))


def _preferences(table: Table, columns: Options) -> RatingTable:
    import pandas as pd

    shares = []
    for row, cell in enumerate(table.column(PREFERENCE, "of preferences")):
        share = math.nan if is_blank(cell) else _SHARES.get(str(cell).strip().lower())
        if share is None:
            raise InputError(f"{table.where(row)}: expected a, tie or b as a preference, but got {describe(cell)}")
        shares.append(share)
    if np.isnan(shares).all():
        raise InputError(f"{table.source}: it holds no preferences")
    named = {**columns, "item": columns["item"] or "item", "system_a": "system_a", "system_b": "system_b"}
    read = _names(table, named, "item", "rater", "system_a", "system_b")
    return RatingTable(table.source, pd.DataFrame({PREFERENCE: shares, **read}))


def systems_of_table(table: RatingTable, baseline: str | None = None) -> list[SystemRatings]:
    """Return the systems that a table names, in its order, their outputs being those in the table.

    Args:
        table: ratings, with systems, and with items or texts; a row without a rating is of an unrated output where the
            table has estimates, and else a missing rating.
        baseline: the system to stand first; None leaves the order, of a study that of its design.

    Raises:
        InputError: for a table without systems, or without items and texts, and a baseline that is not in it.
    """
    frame, key, first = table.frame, table.key, baseline or next(iter(table.systems), None)
    if "system" not in frame or key not in frame:
        lacking = "items (--item-column) or outputs" if "system" in frame else "systems (--system-column)"
        raise InputError(f"{table.source}: there is no column of {lacking}; without the systems' files it is needed")
    names = list(frame["system"].unique())
    if first is not None and first not in names:
        raise InputError(f"{table.source}: no rating is of the baseline {first!r}; the systems are {', '.join(names)}")
    systems = []
    for name in sorted(names, key=lambda name: name != first):
        rows = frame[frame["system"] == name]
        places, outputs = rows[key].factorize()
        items = list(outputs) if key == "item" else [(name, text) for text in outputs]
        n_missing = 0 if "estimates" in rows else int(rows["rating"].isna().sum())
        systems.append(_system(name, items, rows.assign(output=places), n_missing))
    return systems


def systems_of_files(table: RatingTable, outputs: Outputs) -> list[SystemRatings]:
    """Return systems with the outputs of their files, and the ratings that a table has of these.

    Rated outputs are found by their text, or of a study by their place. A text that a system gave several times is one
    output for each item; without items, for each time that one rater rated it; and where raters are not known either,
    as many of its outputs have the mean of its ratings as there are ratings, so that a random draw stays one.

    Outputs of two systems are paired by their place, or where the items say otherwise, by these.

    Raises:
        InputError: for texts that the system did not give, a table without texts, or without systems where there are
            several, and ratings of none of the systems.
    """
    frame = table.frame
    if "system" not in frame and len(outputs) > 1:
        raise InputError(
            f"{table.source}: there is no column 'system' (--system-column) that tells which system each rated output "
            "is of"
        )
    if "text" not in frame:
        raise InputError(
            f"{table.source}: there is no column with the outputs by which ratings find those of {outputs[0][0]}; name "
            "it (--ratings-text-column, which is `text` where nothing is given), or leave out the systems' files"
        )
    known_names = {alias for name, _ in outputs for alias in aliases(name)}
    strange = sorted({*frame.get("system", ())} - known_names)
    if strange and not frame.loc[frame["system"].isin(known_names), "rating"].notna().any():
        raise InputError(
            f"the ratings are of {', '.join(strange[:5])}, and the systems are {', '.join(name for name, _ in outputs)}"
            ": none of their outputs is rated, and ratings of other systems say nothing about what people think of "
            f"these ({FROM_OTHERS})"
        )
    placed, n_missing, item_of = [], [], []
    for name, texts in outputs:
        rows = frame[frame["system"].isin(aliases(name))] if "system" in frame else frame
        n_missing.append(int(rows["rating"].isna().sum()))
        if "item" not in rows and "rater" not in rows:
            rows = rows.dropna(subset="rating")
            rows = rows.assign(rating=rows.groupby("text")["rating"].transform("mean"))
        rows = rows.assign(output=_places(table, rows, name, texts))
        placed.append(rows)
        items = rows.drop_duplicates("item", keep="last")[["output", "item"]] if "item" in rows else None
        item_of.append({} if items is None else dict(items.to_numpy()))
    # Pair outputs by their place, or where the items say otherwise, by these.
    pairs = {pair for of_place in item_of for pair in of_place.items()}
    by_place = len({len(texts) for _, texts in outputs}) == 1 and len(pairs) == len({item for _, item in pairs})
    return [
        _system(name, [at if by_place else of_place.get(at, (name, at)) for at in range(len(texts))], rows, missing)
        for (name, texts), rows, of_place, missing in zip(outputs, placed, item_of, n_missing, strict=True)
    ]


def _places(table: RatingTable, rows: pd.DataFrame, name: str, texts: Sequence[str]) -> Integers:
    """Return which output of a system each rating is of."""
    if table.systems:
        at = rows["item"].to_numpy(dtype=np.int64)
        for place, text in zip(at, rows["text"], strict=True):
            if texts[place : place + 1] != [text]:
                raise InputError(
                    f"{table.source}: output {place} of {name} is not the one that was rated; give the files from "
                    "which the study was drawn"
                )
        return np.array(at)
    where: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        where[text].append(place)
    rated = list(rows["text"])
    strangers = [text for text in rated if text not in where]
    if strangers:
        which = "none of" if len(strangers) == len(rated) else f"{len(strangers)} of"
        raise InputError(
            f"{table.source} ({name}): {which} the {len(rated)} rated texts {'are' if len(rated) > 1 else 'is'} among "
            f"the outputs of the system (for example {describe(strangers[0])}); ratings count for the system whose "
            "outputs they are of"
        )
    if "item" in rows:
        times = rows.groupby("text")["item"].transform(lambda items: items.factorize()[0])
    else:
        times = rows.groupby(["text", "rater"] if "rater" in rows else "text").cumcount()
    return np.array([where[text][: time + 1][-1] for text, time in zip(rated, times, strict=True)], dtype=np.int64)


def _system(name: str, items: list[Any], rows: pd.DataFrame, n_missing: int) -> SystemRatings:
    """Return a system with its items, and with what the rows say of its outputs, which `output` numbers."""
    known, places = rows.dropna(subset="rating"), range(len(items))
    firsts = rows.drop_duplicates("output").set_index("output").reindex(places)
    clusters = None
    if "cluster" in rows:
        clusters = [
            cluster if isinstance(cluster, str) else ("", item)
            for cluster, item in zip(firsts["cluster"], items, strict=True)
        ]
    return SystemRatings(
        name,
        known.groupby("output")["rating"].mean().reindex(places).to_numpy(),
        firsts["estimates"].to_numpy() if "estimates" in rows else np.full(len(items), np.nan),
        items,
        known[["output", "rater", "rating"]] if "rater" in known else None,
        clusters,
        n_missing,
    )
