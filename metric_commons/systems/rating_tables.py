"""Ratings in long tables, a row for each rating of an output by a rater, brought to the systems that they are of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from metric_commons.support.errors import InputError
from metric_commons.support.types import Floats, Integers
from metric_commons.support.validation import describe
from metric_commons.systems.output_ratings import FROM_OTHERS, Outputs, SystemRatings, aliases
from metric_commons.systems.rating_files import Given

if TYPE_CHECKING:
    import pandas as pd


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
