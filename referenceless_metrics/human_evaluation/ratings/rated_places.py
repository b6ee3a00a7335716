"""Places of rated outputs in the systems' files, by a study's places, by items that number the lines, or by texts.

A text may stand on several lines. Its item then tells the line, in this order: by its number, if items number the
lines; by the texts of the other systems, if only one line holds them all; and by its number within a document, if other
items of the document tell on which line it begins. Equal outputs that nothing tells apart are left out, with a note.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from referenceless_metrics.core.files.reading import tell
from referenceless_metrics.core.support.validation import InputError, Integers, describe
from referenceless_metrics.human_evaluation.inference.output_ratings import Outputs
from referenceless_metrics.human_evaluation.ratings.keys import shown
from referenceless_metrics.human_evaluation.ratings.rating_table import RatingTable

if TYPE_CHECKING:
    import pandas as pd

NOWHERE = -1
"""The place of a rating that may be of several outputs."""

_NUMBERED = re.compile(r"(?P<stem>.*?)(?P<number>[0-9]{1,9})", re.DOTALL)

_Candidates: TypeAlias = dict[Any, set[int]]
"""The places at which each rated item may stand."""


def rated_places(table: RatingTable, rated: Sequence[pd.DataFrame], outputs: Outputs) -> list[Integers]:
    """Return which of its outputs each rating of a system is of; `NOWHERE` if nothing tells it, with a note.

    Args:
        table: the ratings.
        rated: the rows of each system.
        outputs: the systems' names and outputs.

    Raises:
        InputError: for texts that a system did not give.
    """
    both = list(zip(rated, outputs, strict=True))
    if table.systems:
        return [_of_study(table, rows, name, texts) for rows, (name, texts) in both]
    for rows, (name, texts) in both:
        _check_given(table, rows, name, texts)
    candidates = [_candidates(rows, _lines(texts)) for rows, (_, texts) in both]
    by_item = _common(candidates, outputs) if all("item" in rows for rows in rated) else None
    common = None if by_item is None else _told(by_item, may_guess=len(outputs) == 1)
    found = []
    n_left_out = 0
    for (rows, (_, texts)), of_system in zip(both, candidates, strict=True):
        places = _numbered(rows, texts)
        if places is None and common is not None:
            places = np.array([common[item] for item in rows["item"]], dtype=np.int64)
        elif places is None:
            place_of = _told(of_system, may_guess=len(outputs) == 1)
            places = np.array([place_of[key] for key in _keys(rows)], dtype=np.int64)
        n_left_out += int((places == NOWHERE).sum())
        found.append(places)
    if n_left_out:
        n_rated = sum(map(len, rated))
        tell(
            [
                f"{table.source}: {n_left_out} of {n_rated} ratings are left out: their texts stand on several lines, "
                "and nothing tells which of these was rated (items that number the lines would, --item-column)"
            ]
        )
    return found


def items_of_texts(
    ratings: pd.DataFrame, texts: Mapping[tuple[str, str], str], items: Sequence[Any], source: str
) -> pd.DataFrame | None:
    """Return ratings whose items are called as those of scored outputs with the same texts.

    What nothing tells apart is left out, with a note; what is none of the scored outputs keeps a name of its own.

    Args:
        ratings: rows with `system`, `item` and `text`.
        texts: the scored outputs, by system and item.
        items: the items of the scores, in order.
        source: the ratings, for the note.

    Returns:
        None if the texts of the systems do not tell common items, and if they are not those of most rated outputs.
    """
    places = {item: place for place, item in enumerate(items)}
    lines: dict[str, list[str]] = {}
    for (system, item), text in texts.items():
        lines.setdefault(system, [""] * len(items))[places[item]] = plain_text(text)
    frame = ratings.assign(system=ratings["system"].astype(str).str.strip(), text=ratings["text"].map(plain_text))
    scored = {(system, text) for system, of_system in lines.items() for text in of_system}
    is_known = np.array([key in scored for key in zip(frame["system"], frame["text"], strict=True)], dtype=bool)
    if is_known.sum() <= len(frame) / 2:
        return None
    known = frame[is_known]
    rated = [known[known["system"] == system] for system in lines]
    both = zip(rated, lines.values(), strict=True)
    common = _common([_candidates(rows, _lines(of_system)) for rows, of_system in both], list(lines.items()))
    if common is None:
        return None
    told = _told(common, may_guess=False, in_order=False)
    found = ratings.assign(
        item=[
            items[told[item]] if is_of_scored and told[item] != NOWHERE else f"{shown(item)} of the ratings"
            for item, is_of_scored in zip(ratings["item"], is_known, strict=True)
        ]
    )
    is_lost = is_known & np.array([told.get(item) == NOWHERE for item in ratings["item"]], dtype=bool)
    if is_lost.any():
        tell(
            [
                f"{source}: {is_lost.sum()} of {len(frame)} ratings are left out: their texts stand on several lines "
                "of the scores, and nothing tells which of these was rated (--item-column names items of both)"
            ]
        )
    return found[~is_lost]


def plain_text(text: Any) -> str:
    """Return a text whose white space is single blanks, by which the texts of two files are compared."""
    return " ".join(str(text).split())


def _of_study(table: RatingTable, rows: pd.DataFrame, name: str, texts: Sequence[str]) -> Integers:
    """Return the places of a study, checked by the texts."""
    at = rows["item"].to_numpy(dtype=np.int64)
    for place, text in zip(at, rows["text"], strict=True):
        if texts[place : place + 1] != [text]:
            raise InputError(
                f"{table.source}: output {place} of {name} is not the one that was rated; give the files from "
                "which the study was drawn"
            )
    return np.array(at)


def _check_given(table: RatingTable, rows: pd.DataFrame, name: str, texts: Sequence[str]) -> None:
    """Check that a system gave all texts that are rated as its own."""
    given = set(texts)
    rated = list(rows["text"])
    strangers = [text for text in rated if text not in given]
    if strangers:
        which = "none of" if len(strangers) == len(rated) else f"{len(strangers)} of"
        raise InputError(
            f"{table.source} ({name}): {which} the {len(rated)} rated texts {'are' if len(rated) > 1 else 'is'} among "
            f"the outputs of the system (for example {describe(strangers[0])}); ratings count for the system whose "
            "outputs they are of"
        )


def _lines(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of each text, in order."""
    where: dict[str, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        where[text].append(place)
    return where


def _numbered(rows: pd.DataFrame, texts: Sequence[str]) -> Integers | None:
    """Return the places of rated outputs whose items number them, from 1 or from 0; None if one number misses its text.

    Equal texts of a system are told apart so.
    """
    items = list(map(shown, rows.get("item", ())))
    if not items or not all(item.isascii() and item.isdecimal() for item in items):
        return None
    for first in (1, 0):
        places = [int(item) - first for item in items]
        if all(
            place >= 0 and texts[place : place + 1] == [text] for place, text in zip(places, rows["text"], strict=True)
        ):
            return np.array(places, dtype=np.int64)
    return None


def _keys(rows: pd.DataFrame) -> list[tuple[Any, str]]:
    """Return item and text of each rating; without items, the time at which its rater rates the text stands for one."""
    if "item" in rows:
        return list(zip(rows["item"], rows["text"], strict=True))
    times = rows.groupby(["text", "rater"] if "rater" in rows else "text").cumcount()
    return list(zip(times, rows["text"], strict=True))


def _candidates(rows: pd.DataFrame, lines: Mapping[str, list[int]]) -> _Candidates:
    """Return the places at which each rated item of a system may stand, by its text alone."""
    return {key: set(lines[key[1]]) for key in _keys(rows)}


def _common(candidates: Sequence[_Candidates], outputs: Outputs) -> _Candidates | None:
    """Return the places at which the texts of all systems for an item stand; None if files are in other orders.

    Several texts of one system for an item are such an order, too.
    """
    if len({len(texts) for _, texts in outputs}) > 1:
        return None
    common: _Candidates = {}
    for of_system in candidates:
        for (item, _), places in of_system.items():
            common[item] = common.get(item, places) & places
    if not all(common.values()):
        return None
    return _by_numbers(common)


def _by_numbers(places: _Candidates) -> _Candidates:
    """Return places of items, told by their numbers within a document if these follow the lines.

    They do if items of which the texts alone tell the places agree in each document on the line at which it begins, and
    at least one document has two of them.
    """
    numbered = {item: match for item in places if (match := _NUMBERED.fullmatch(shown(item))) is not None}
    begins: dict[str, list[int]] = defaultdict(list)
    for item, match in numbered.items():
        if len(places[item]) == 1:
            begins[match["stem"]].append(min(places[item]) - int(match["number"]))
    if any(len(set(begin)) > 1 for begin in begins.values()) or max(map(len, begins.values()), default=0) < 2:
        return places
    told = dict(places)
    for item, match in numbered.items():
        own = {begin + int(match["number"]) for begin in begins.get(match["stem"], ())} & places[item]
        told[item] = own or places[item]
    return told


def _told(candidates: _Candidates, *, may_guess: bool, in_order: bool = True) -> dict[Any, int]:
    """Return the place of each rated item; `NOWHERE` if nothing tells it.

    Args:
        candidates: the places at which each may stand.
        in_order: whether as many items as candidates take these in order: all of them are rated, and equal.
        may_guess: whether fewer items than candidates do the same: for one system, whose outputs no other's are paired
            with, it is the same which of its equal outputs was rated.
    """
    taken = {min(places) for places in candidates.values() if len(places) == 1}
    left = {item: tuple(sorted(places - taken) or sorted(places)) for item, places in candidates.items()}
    n_alike = Counter(places for item, places in left.items() if len(candidates[item]) > 1)
    n_used: Counter[tuple[int, ...]] = Counter()
    told = {}
    for item, places in left.items():
        if len(candidates[item]) == 1:
            told[item] = min(candidates[item])
        elif may_guess or (in_order and n_alike[places] >= len(places)):
            told[item] = places[min(n_used[places], len(places) - 1)]
            n_used[places] += 1
        else:
            told[item] = NOWHERE
    return told
