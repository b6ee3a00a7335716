"""Ratings and preferences from files: long tables with a column each, and studies with their design.

Ratings in long tables, a row for each rating of an output by a rater, brought to the systems that they are of.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from metric_commons.files.tables import Table
from metric_commons.files.text_io import read_table
from metric_commons.support.validation import Floats, InputError, Integers, Options, Record, describe
from metric_commons.systems.output_ratings import (
    FROM_OTHERS,
    Outputs,
    SystemRatings,
    aliases,
    check_same_scale,
    rescaled,
)
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


def _ratings(table: Table, columns: Options) -> Given:
    import pandas as pd

    if not table.rows:
        raise InputError(f"{table.source}: it holds no ratings")
    named = ["system", "item", "rater", *(["cluster"] if columns["cluster"] else [])]
    found: Record = {"rating": _numbers(table, columns["rating"], "--rating-column")}
    found |= _names(table, columns, *named)
    if columns["ratings_text"] in table.columns:
        found["text"] = table.texts(columns["ratings_text"])
    if columns["estimates"]:
        found["estimates"] = _numbers(table, columns["estimates"], "--estimates-column")
    return Given(table.source, pd.DataFrame(found))


def _preferences(table: Table, columns: Options) -> Given:
    import pandas as pd

    cells = table.column(PREFERENCE, "of preferences")
    shares = [math.nan if _is_blank(cell) else _SHARES.get(str(cell).strip().lower()) for cell in cells]
    if None in shares:
        row = shares.index(None)
        raise InputError(f"{table.where(row)}: expected a, tie or b as a preference, but got {describe(cells[row])}")
    item = columns["item"] or "item"
    found: Record = {PREFERENCE: shares} | _names(table, {**columns, "item": item}, "item", "rater")
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


def systems_of_table(given: Given, baseline: str | None = None) -> list[SystemRatings]:
    """Return the systems that a table names, in its order, their outputs being those in the table.

    Args:
        given: ratings, with systems, and with items or texts; a row without a rating is of an unrated output where the
            table has estimates, and else a missing rating.
        baseline: the system to stand first; None leaves the order, of a study that of its design.

    Raises:
        InputError: for a table without systems, or without items and texts, and a baseline that is not in it.
    """
    import pandas as pd

    table, first = given.table, baseline or next(iter(given.systems), None)
    key = "item" if "item" in table else "text"
    if "system" not in table or key not in table:
        lacking = "items (--item-column) or outputs" if "system" in table else "systems (--system-column)"
        raise InputError(f"{given.source}: there is no column of {lacking}; without the systems' files it is needed")
    names = list(dict.fromkeys(table["system"]))
    if first is not None and first not in names:
        raise InputError(f"{given.source}: no rating is of the baseline {first!r}; the systems are {', '.join(names)}")
    found = []
    for name in sorted(names, key=lambda name: name != first):
        own = table[table["system"] == name]
        (at, outputs), firsts = pd.factorize(own[key]), own.drop_duplicates(key)
        system = _system(name, len(outputs), at, own)
        if "estimates" in own:
            system = replace(system, estimates=firsts["estimates"].to_numpy(), n_missing=0)
        found.append(
            replace(
                system,
                items=list(outputs) if key == "item" else [(name, text) for text in outputs],
                clusters=list(firsts["cluster"]) if "cluster" in own else None,
                weights=firsts["weight"].to_numpy() if "weight" in own else None,
            )
        )
    return found


def side_by_side(given: Given, systems: Sequence[SystemRatings]) -> tuple[Outputs, list[Floats], list[Floats]]:
    """Return the outputs, ratings and estimates of systems of a table, a row an item; "" and NaN where there is none.

    Args:
        given: the table.
        systems: what `systems_of_table` made of it.
    """
    table = given.table
    key = "item" if "item" in table else "text"
    items: list[Any] = list(dict.fromkeys(item for one in systems for item in one.items or ()))
    names = items if key == "item" else [text for _, text in items]
    written = dict(zip(zip(table["system"], table[key], strict=True), table.get("text", table[key]), strict=True))
    outputs, ratings, estimates = [], [], []
    for one in systems:
        place = {item: i for i, item in enumerate(one.items or ())}
        at = [place.get(item, -1) for item in items]
        texts = [str(written.get((one.name, name), "")) if i >= 0 else "" for name, i in zip(names, at, strict=True)]
        outputs.append((one.name, texts))
        ratings.append(np.append(one.ratings, np.nan)[at])
        estimates.append(np.append(one.estimates, np.nan)[at])
    return outputs, ratings, estimates


def systems_of_files(given: Given, outputs: Outputs) -> list[SystemRatings]:
    """Return systems with the outputs of their files, and the ratings that a table has of these.

    Rated outputs are found by their text, or of a study by their place. A text that a system gave several times is one
    output for each item; without items, for each time that one rater rated it; and where raters are not known either,
    as many of its outputs have the mean of its ratings as there are ratings, so that a random draw stays one.

    Outputs of two systems are paired by their place, or where the items say otherwise, by these.

    Raises:
        InputError: for texts that the system did not give, a table without texts, or without systems where there are
            several, and ratings of none of the systems.
    """
    table = given.table
    if "system" not in table and len(outputs) > 1:
        raise InputError(
            f"{given.source}: there is no column 'system' (--system-column) that tells which system each rated output "
            "is of"
        )
    if "text" not in table:
        raise InputError(
            f"{given.source}: there is no column with the outputs by which ratings find those of {outputs[0][0]}; name "
            "it (--ratings-text-column, which is `text` where nothing is given), or leave out the systems' files"
        )
    found, described = [], []
    for name, texts in outputs:
        own = table[table["system"].isin(aliases(name))] if "system" in table else table
        n_missing = int(own["rating"].isna().sum())
        if "item" not in own and "rater" not in own:
            own = own.dropna(subset="rating")
            own = own.assign(rating=own.groupby("text")["rating"].transform("mean"))
        at = _places(given, own, name, texts)
        system = replace(_system(name, len(texts), at, own), n_missing=n_missing)
        of_outputs = own.assign(place=at)
        for key in ("item", "place"):
            of_outputs = of_outputs.drop_duplicates(key, keep="last") if key in of_outputs else of_outputs
        of_outputs = of_outputs.set_index("place").reindex(range(len(texts)))
        if "weight" in own and own["weight"].nunique() > 1:
            system = replace(system, weights=of_outputs["weight"].fillna(own["weight"].mean()).to_numpy())
        found.append(system)
        described.append(of_outputs)
    strange = sorted({*table.get("system", ())} - {alias for name, _ in outputs for alias in aliases(name)})
    if strange and not any(system.rated.any() for system in found):
        raise InputError(
            f"the ratings are of {', '.join(strange[:5])}, and the systems are {', '.join(name for name, _ in outputs)}"
            ": none of their outputs is rated, and ratings of other systems say nothing about what people think of "
            f"these ({FROM_OTHERS})"
        )
    # Pair outputs by their place, or where the items say otherwise, by these.
    pairs = {pair for one in described if "item" in one for pair in one["item"].dropna().items()}
    aligned = len(set(map(len, described))) == 1 and len(pairs) == len({item for _, item in pairs})
    return [_with_items(system, one, aligned) for system, one in zip(found, described, strict=True)]


def _with_items(system: SystemRatings, of_outputs: pd.DataFrame, aligned: bool) -> SystemRatings:
    import pandas as pd

    def known(column: str, others: Sequence[Hashable]) -> list[Hashable]:
        values = of_outputs[column]
        return list(values.where(values.notna(), pd.Series(others)))

    items: list[Hashable] = list(range(len(of_outputs)))
    if not aligned:
        items = [(system.name, place) for place in items]
        items = known("item", items) if "item" in of_outputs else items
    clusters = known("cluster", [("", item) for item in items]) if "cluster" in of_outputs else None
    return replace(system, items=items, clusters=clusters)


def _places(given: Given, own: pd.DataFrame, name: str, texts: Sequence[str]) -> Integers:
    """Return which output of a system each rating is of."""
    if given.systems:
        at = own["item"].to_numpy(dtype=np.int64)
        for place, text in zip(at, own["text"], strict=True):
            if texts[place : place + 1] != [text]:
                raise InputError(
                    f"{given.source}: output {place} of {name} is not the one that was rated; give the files from "
                    "which the study was drawn"
                )
        return np.array(at)
    where: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        where[text].append(place)
    rated = list(own["text"])
    strangers = [text for text in rated if text not in where]
    if strangers:
        which = "none of" if len(strangers) == len(rated) else f"{len(strangers)} of"
        raise InputError(
            f"{given.source} ({name}): {which} the {len(rated)} rated texts {'are' if len(rated) > 1 else 'is'} among "
            f"the outputs of the system (for example {describe(strangers[0])}); ratings count for the system whose "
            "outputs they are of"
        )
    if "item" in own:
        times = own.groupby("text")["item"].transform(lambda items: items.factorize()[0])
    else:
        times = own.groupby(["text", "rater"] if "rater" in own else "text").cumcount()
    return np.array([where[text][: time + 1][-1] for text, time in zip(rated, times, strict=True)], dtype=np.int64)


def _system(name: str, n: int, at: Integers, own: pd.DataFrame) -> SystemRatings:
    known = own.assign(output=at).dropna(subset="rating")
    return SystemRatings(
        name,
        known.groupby("output")["rating"].mean().reindex(range(n)).to_numpy(),
        np.full(n, np.nan),
        judgements=known[["output", "rater", "rating"]] if "rater" in known else None,
        n_missing=int(own["rating"].isna().sum()),
    )
