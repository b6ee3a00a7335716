"""Preferences as people and tools write them, as shares of a win of the first of two systems.

A cell names a side (`a`, `left`, `model_a`, `first`, a tie) or the system that is preferred; or it is a number on a
scale, such as -2 to 2 or a slider, whose ends prefer one side.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from referenceless_metrics.core.files.number_words import can_be_given
from referenceless_metrics.core.files.scales_in_words import graded_sides, side_in_words
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import Floats, InputError, describe, finite_numbers
from referenceless_metrics.human_evaluation.ratings.columns import HIGH, LOW, is_missing, name_of
from referenceless_metrics.human_evaluation.studies.criteria import PREFERENCE

SIDES: dict[str, float] = {
    **dict.fromkeys(
        ("a", "left", "first", "model_a", "system_a", "output_a", "response_a", "assistant_a", "text_a"), 1.0
    ),
    **dict.fromkeys(
        ("b", "right", "second", "model_b", "system_b", "output_b", "response_b", "assistant_b", "text_b"), 0.0
    ),
    **dict.fromkeys(("=", "tie", "draw", "equal", "same", "both", "neither", "tie (bothbad)", "tie_bothbad"), 0.5),
    **dict.fromkeys(("both_bad", "bothbad", "both_good", "tie (bothgood)", "no preference", "about the same"), 0.5),
    **dict.fromkeys(("no_difference", "equally_good", "both_equal", "no_preference", "about_the_same"), 0.5),
    **dict.fromkeys(("model_1", "system_1", "output_1", "response_1", "text_1"), 1.0),
    **dict.fromkeys(("model_2", "system_2", "output_2", "response_2", "text_2"), 0.0),
}
"""The share of a win of the first system, by a cell's word for a side, in small letters and with `_` for spaces."""


def side_share(cell: object) -> float | None:
    """Return the share of a win of the first system that words for a side or a tie say; None for another cell.

    >>> [side_share(cell) for cell in ("Model B", "A is better", "Both are bad", "ours")]
    [0.0, 1.0, 0.5, None]
    """
    word = name_of(cell).lower()
    known = SIDES.get(re.sub(r"\s+", "_", word), SIDES.get(word))
    side = side_in_words(word) if known is None else None
    return known if side is None else (1 + side) / 2


_MOST_CODES = 7  # numbers that a message names


class PreferenceScale(NamedTuple):
    """The scale of preferences that are numbers.

    Attributes:
        ends: the two ends, the lower first; None if nobody named them.
        a_is: the end that prefers the first system, `low` or `high`; None for `high` in a column `preference`, and to
            ask in any other.
        words: the share of a win of the first system that each cell's word stands for; None if nobody said.
    """

    ends: tuple[float, float] | None = None
    a_is: str | None = None
    words: Mapping[str, float] | None = None


def preference_shares(
    table: Table, column: str, first: Sequence[str], second: Sequence[str], scale: PreferenceScale
) -> tuple[Floats, list[str]]:
    """Return the share of a win of the first system of each row, NaN for a blank cell, and how cells were read.

    Args:
        table: the table.
        column: the column of preferences.
        first: the first system of each row.
        second: the second.
        scale: the scale of cells that are numbers.

    Raises:
        InputError: for a cell that says neither a side nor a system of its row, one that says both, numbers off their
            scale, and numbers whose scale cannot be told, such as 0 and 1.
    """
    cells = table.column(column, "--preference-column")
    known = [row for row, cell in enumerate(cells) if not is_missing(cell)]
    values = np.full(len(cells), math.nan)
    if not known:
        raise InputError(f"{table.source}: it holds no preferences")
    if scale.words is not None:
        return _by_words(table, column, cells, scale.words)
    numbers = finite_numbers([cells[row] for row in known])
    named = {*first, *second}
    if not np.isnan(numbers).any() and not any(name_of(cells[row]) in named for row in known):
        values[known], note = _on_scale(table, column, numbers, scale)
        return values, [note]
    grades = graded_sides([name_of(cells[row]) for row in known])
    if grades is not None and not named & {name_of(cells[row]) for row in known}:
        end = max(map(abs, grades.values()))
        shares = {word: (1 + grade / end) / 2 for word, grade in grades.items()}
        for row in known:
            values[row] = shares[" ".join(name_of(cells[row]).lower().split())]
        told = ", ".join(f"{word} is {share:g}" for word, share in shares.items())
        return values, [f"preferences for the first system of a row: {told} (--values)"]
    remedy = _words_to_give([name_of(cells[row]) for row in known], named)
    for row in known:
        values[row] = _share(table.where(row), cells[row], column, first[row], second[row], remedy)
    return values, _on_phrases([name_of(cells[row]) for row in known if name_of(cells[row]) not in named])


def _words_to_give(cells: Sequence[str], systems: Collection[str]) -> str:
    """Return in words how to say what cells stand for; "" if they are many or long, or name systems.

    >>> _words_to_give(["A", "I favour B", "a"], ["ours"])[:60]
    '; or say what the words stand for, --values "a=1,I favour B='
    """
    words = list({cell.lower(): cell for cell in cells}.values())
    if len(words) > _MOST_CODES or not all(map(can_be_given, words)) or not set(words).isdisjoint(systems):
        return ""
    shares = [side_share(word) for word in words]
    pairs = ",".join(
        f"{word}={'…' if share is None else f'{share:g}'}" for word, share in zip(words, shares, strict=True)
    )
    return (
        f'; or say what the words stand for, --values "{pairs}", 1 for the first system of a row, 0 for the second and '
        "0.5 for a tie"
    )


def _on_phrases(cells: Sequence[str]) -> list[str]:
    """Return a note on words for a side or a tie that are no plain name of it, such as `A is better`; none without."""
    phrases = {" ".join(cell.split()).lower(): cell for cell in cells if " " in cell.strip()}
    shares = {phrase: side_share(cell) for phrase, cell in phrases.items() if phrase.replace(" ", "_") not in SIDES}
    told = [f"{phrase} is {share:g}" for phrase, share in shares.items()]
    return [f"preferences for the first system of a row: {', '.join(told)} (--values)"] if told else []


def _by_words(
    table: Table, column: str, cells: Sequence[object], words: Mapping[str, float]
) -> tuple[Floats, list[str]]:
    """Return the shares that words or numbers stand for; NaN for a word that stands for a missing preference.

    Raises:
        InputError: for a cell that they do not name, and for a share outside 0 to 1.
    """
    outside = [word for word, share in words.items() if not (math.isnan(share) or 0 <= share <= 1)]
    if outside:
        raise InputError(
            f"--values {outside[0]}={words[outside[0]]:g}: a preference is 1 for the first system, 0 or 0.5"
        )
    values = np.full(len(cells), math.nan)
    for row, cell in enumerate(cells):
        if is_missing(cell):
            continue
        word = name_of(cell).lower()
        if word not in words:
            known = ", ".join(words)
            raise InputError(
                f"{table.where(row)}: --values says nothing of {describe(cell)} in column {str(column)!r}, and knows "
                f"{known}"
            )
        values[row] = words[word]
    told = ", ".join(f"{word} is {'none' if math.isnan(share) else f'{share:g}'}" for word, share in words.items())
    return values, [f"preferences for the first system of a row: {told} (--values)"]


def _share(where: str, held: object, column: str, first: str, second: str, remedy: str) -> float:
    """Return the share of a win of the first system that a cell says in words.

    Args:
        where: the place of the cell.
        held: what it holds.
        column: its column.
        first: the first system of the row.
        second: the second.
        remedy: the end of the message on a cell that says neither a side nor a system.
    """
    cell = name_of(held)
    by_side = side_share(cell)
    by_name = {first: 1.0, second: 0.0}.get(cell)
    if by_side is not None and by_name is not None and by_side != by_name:
        raise InputError(
            f"{where}: {cell!r} in column {str(column)!r} is a side and also a system of another side "
            f"({first!r} against {second!r}): rename the systems, or write left, right and tie"
        )
    found = by_side if by_name is None else by_name
    if found is None:
        raise InputError(
            f"{where}: expected a, b or tie (left, right; first, second; model_a, model_b), or one of the "
            f"systems {first!r} and {second!r}, as a preference in column {str(column)!r}, but got "
            f"{describe(held)}{remedy}"
        )
    return found


def _on_scale(table: Table, column: str, numbers: Floats, scale: PreferenceScale) -> tuple[Floats, str]:
    """Return the shares of a win of the first system that numbers say, and how they were read."""
    ends = scale.ends or _symmetric_ends(table, column, numbers)
    low, high = ends
    if numbers.min() < low or numbers.max() > high:
        off = numbers.min() if numbers.min() < low else numbers.max()
        raise InputError(
            f"{table.source}: a preference of {off:g} in column {str(column)!r} lies outside the scale from {low:g} to "
            f"{high:g} (--scale)"
        )
    if scale.a_is is None and str(column) != PREFERENCE:
        raise InputError(
            f"{table.source}: nothing says which end of the preferences in column {str(column)!r}, {low:g} or {high:g}"
            f", prefers the first system of a row: --a-is high if it is {high:g}, or --a-is low"
        )
    shares = (numbers - low) / (high - low)
    a_end, b_end, other = (low, high, HIGH) if scale.a_is == LOW else (high, low, LOW)
    if scale.a_is == LOW:
        shares = 1 - shares
    note = (
        f"preferences are shares on a scale from {low:g} to {high:g}: {a_end:g} prefers the first system of a row and "
        f"{b_end:g} the second (--a-is {other} turns it)"
    )
    return shares, note


def _symmetric_ends(table: Table, column: str, numbers: Floats) -> tuple[float, float]:
    """Return the ends of a scale around 0.

    Raises:
        InputError: for numbers of which none is negative.
    """
    if numbers.min() >= 0:
        low, high = numbers.min(), numbers.max()
        ends = f"{low:g}-{high:g}" if low < high else "LOW-HIGH"
        codes = ",".join(f"{number:g}=…" for number in sorted(set(numbers.tolist()))[:_MOST_CODES])
        raise InputError(
            f"{table.source}: the preferences in column {str(column)!r} are numbers, such as {numbers[0]:g}, which may "
            f'number the systems or be shares: write a, tie and b; or say what each stands for, --values "{codes}", 1 '
            "for the first system of a row, 0 for the second and 0.5 for a tie; or name the ends of a scale and the "
            f"one that prefers the first system: --scale {ends} --a-is high, or --a-is low"
        )
    end = float(np.abs(numbers).max())
    return -end, end
