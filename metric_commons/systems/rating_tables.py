"""Ratings in long tables, a row for each rating of an output by a rater, brought to the systems that they are of."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metric_commons.support.errors import InputError
from metric_commons.systems.output_ratings import (
    Judgements,
    Outputs,
    SystemRatings,
    aliases,
    check_ratings_found,
    places_of_texts,
    ratings_of_outputs,
)


@dataclass(frozen=True, eq=False)
class LongRatings:
    """n ratings of outputs, as they stand in a table.

    Attributes:
        source: what to call it in a message, such as the file's name.
        ratings: shape (n,), NaN where an output is unrated or a rating is missing.
        systems: the system of each; None where all are of the one system that there is.
        items: what the rated output was made for; None where not known.
        raters: who rated; None where not known.
        texts: the outputs; None where not known.
        clusters: what items lie together in; None where items are independent.
        weights: how many items each one stands for, shape (n,); None where all stand for as many.
        estimates: of the outputs, shape (n,), NaN where there is none; None without.
        items_are_places: whether items are places in the systems' files, counted from 0.
    """

    source: str
    ratings: NDArray[np.float64]
    systems: Sequence[str] | None = None
    items: Sequence[str] | None = None
    raters: Sequence[str] | None = None
    texts: Sequence[str] | None = None
    clusters: Sequence[str] | None = None
    weights: NDArray[np.float64] | None = None
    estimates: NDArray[np.float64] | None = None
    items_are_places: bool = False

    def rows(self, which: Sequence[int]) -> LongRatings:
        """Return some of the rows."""
        taken: dict[str, Any] = {}
        for name in ("systems", "items", "raters", "texts", "clusters"):
            values = getattr(self, name)
            taken[name] = None if values is None else [values[row] for row in which]
        for name in ("weights", "estimates"):
            values = getattr(self, name)
            taken[name] = None if values is None else values[which]
        return replace(self, ratings=self.ratings[np.asarray(which, dtype=np.int64)], **taken)


def joined(parts: Sequence[LongRatings]) -> LongRatings:
    """Return several tables as one; what one of them does not tell is not known."""
    if len(parts) == 1:
        return parts[0]
    taken: dict[str, Any] = {"source": ", ".join(part.source for part in parts)}
    for name in ("ratings", "systems", "items", "raters", "texts", "clusters", "weights", "estimates"):
        each = [getattr(part, name) for part in parts]
        known = all(values is not None for values in each)
        arrays = name in ("ratings", "weights", "estimates")
        taken[name] = None if not known else np.concatenate(each) if arrays else [v for values in each for v in values]
    return LongRatings(**taken)


def centred_by_rater(given: LongRatings) -> LongRatings:
    """Return ratings less their rater's mean, plus the mean of all.

    Raises:
        InputError: where raters are not known.
    """
    if given.raters is None:
        raise InputError(f"{given.source}: ratings cannot be centred by rater, since no column tells the rater")
    known = ~np.isnan(given.ratings)
    raters = np.unique(np.array(given.raters), return_inverse=True)[1]
    counts = np.maximum(np.bincount(raters, known), 1)
    means = np.bincount(raters, np.where(known, given.ratings, 0)) / counts
    return replace(given, ratings=given.ratings - means[raters] + given.ratings[known].mean())


def systems_of_table(given: LongRatings, baseline: str | None = None) -> list[SystemRatings]:
    """Return the systems that a table names, in its order, their outputs being those in the table.

    Args:
        given: the table, with systems, and with items or texts; a row without a rating is of an unrated output where
            the table has estimates, and else a missing rating.
        baseline: the system to stand first; None leaves the order.

    Raises:
        InputError: for a table without systems, or without items and texts, and a baseline that is not in it.
    """
    outputs = given.items if given.items is not None else given.texts
    if given.systems is None or outputs is None:
        lacking = "systems (--system-column)" if given.systems is None else "items (--item-column) or outputs"
        raise InputError(f"{given.source}: there is no column of {lacking}; without the systems' files it is needed")
    names = list(dict.fromkeys(given.systems))
    if baseline is not None and baseline not in names:
        raise InputError(
            f"{given.source}: no rating is of the baseline {baseline!r}; the systems are {', '.join(names)}"
        )
    names.sort(key=lambda name: name != baseline)
    raters = _numbers(given.raters)
    found = []
    for name in names if baseline is not None else list(dict.fromkeys(given.systems)):
        own = given.rows([row for row, system in enumerate(given.systems) if system == name])
        keys = own.items if own.items is not None else own.texts
        places = {key: place for place, key in enumerate(dict.fromkeys(keys or ()))}
        at = np.array([places[key] for key in keys or ()], dtype=np.int64)
        first = np.unique(at, return_index=True)[1]
        system = _with_judgements(name, len(places), at, own, raters)
        asked = own.estimates is None
        found.append(
            replace(
                system,
                estimates=system.estimates if own.estimates is None else own.estimates[first],
                items=list(places) if own.items is not None else [(name, key) for key in places],
                clusters=None if own.clusters is None else [own.clusters[row] for row in first],
                weights=None if own.weights is None else own.weights[first],
                n_missing=int(np.isnan(own.ratings).sum()) if asked else 0,
            )
        )
    return found


def systems_of_files(given: LongRatings, outputs: Outputs) -> list[SystemRatings]:
    """Return systems with the outputs of their files, and the ratings that a table has of these.

    Rated outputs are found by their text, or by their place where items are places. A text that a system gave several
    times is one output for each item; without items, for each time that one rater rated it.

    Raises:
        InputError: for texts that the system did not give, a table without texts, and ratings of none of the systems.
    """
    raters = _numbers(given.raters)
    found: list[SystemRatings] = []
    maps: list[dict[str, int]] = []
    for name, texts in outputs:
        inside = range(len(given.ratings))
        if given.systems is not None:
            inside = [row for row in inside if given.systems[row] in aliases(name)]  # type: ignore[assignment]
        own = given.rows(list(inside))
        at = _places(own, name, texts)
        system = _with_judgements(name, len(texts), at, own, raters)
        if own.items is None and own.raters is None:
            known = np.flatnonzero(~np.isnan(own.ratings))
            rated = [texts[at[row]] for row in known]
            system = replace(system, ratings=ratings_of_outputs(texts, rated, own.ratings[known], source=own.source))
        weights = (
            np.ones(len(texts)) if own.weights is None else np.full(len(texts), own.weights.mean() if len(at) else 1)
        )
        if own.weights is not None:
            weights[at] = own.weights
        varies = own.weights is not None and np.ptp(own.weights) > 0
        found.append(replace(system, weights=weights if varies else None, n_missing=int(np.isnan(own.ratings).sum())))
        maps.append(dict(zip(own.items or (), at.tolist(), strict=False)))
    check_ratings_found(outputs, [system.ratings for system in found], given.systems)
    return _with_items(found, maps, given)


def _with_items(found: list[SystemRatings], maps: Sequence[dict[str, int]], given: LongRatings) -> list[SystemRatings]:
    """Pair outputs by their place, or where the items say otherwise, by these."""
    one_place: dict[str, set[int]] = defaultdict(set)
    for places in maps:
        for item, place in places.items():
            one_place[item].add(place)
    aligned = len({len(system.ratings) for system in found}) == 1 and all(len(at) == 1 for at in one_place.values())
    clusters = dict(zip(given.items or (), given.clusters or (), strict=False))
    result = []
    for system, places in zip(found, maps, strict=True):
        n = len(system.ratings)
        items: list[Any] = list(range(n)) if aligned else [(system.name, place) for place in range(n)]
        lying: list[Any] = [("", item) for item in items]
        for item, place in places.items():
            items[place] = items[place] if aligned else item
            lying[place] = clusters.get(item)
        result.append(replace(system, items=items, clusters=lying if given.clusters is not None else None))
    return result


def _places(own: LongRatings, name: str, texts: Sequence[str]) -> NDArray[np.int64]:
    """Return which output of a system each rating is of."""
    if own.items_are_places and own.items is not None:
        at = np.array([int(item) for item in own.items], dtype=np.int64)
        wrong = [
            row
            for row, place in enumerate(at)
            if place >= len(texts) or (own.texts or texts)[row if own.texts else place] != texts[place]
        ]
        if wrong:
            raise InputError(
                f"{own.source}: output {at[wrong[0]]} of {name} is not the one that was rated; give the files from "
                "which the study was drawn"
            )
        return at
    if own.texts is None:
        raise InputError(
            f"{own.source}: there is no column with the outputs by which ratings find those of {name}; name it "
            "(--ratings-text-column, which is `text` where nothing is given), or leave out the systems' files"
        )
    where = places_of_texts(texts, own.texts, f"{own.source} ({name})")
    times: Counter[tuple[str, str]] = Counter()
    known: dict[tuple[str, str], int] = {}
    at = np.zeros(len(own.texts), dtype=np.int64)
    for row, text in enumerate(own.texts):
        places = where[text]
        if own.items is not None:
            key = text, own.items[row]
            if key not in known:
                known[key] = times[text, ""]
                times[text, ""] += 1
            at[row] = places[min(known[key], len(places) - 1)]
        else:
            key = text, own.raters[row] if own.raters is not None else ""
            at[row] = places[min(times[key], len(places) - 1)]
            times[key] += 1
    return at


def _with_judgements(
    name: str, n: int, at: NDArray[np.int64], own: LongRatings, raters: dict[str, int]
) -> SystemRatings:
    known = ~np.isnan(own.ratings)
    at, ratings = at[known], own.ratings[known]
    with np.errstate(invalid="ignore"):
        means = np.bincount(at, ratings, n) / np.bincount(at, minlength=n)
    judgements = None
    if own.raters is not None:
        numbers = np.array([raters[rater] for rater, there in zip(own.raters, known, strict=True) if there], np.int64)
        judgements = Judgements(at, numbers, ratings)
    return SystemRatings(name, means, np.full(n, np.nan), judgements=judgements)


def _numbers(names: Sequence[str] | None) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names or ()))}
