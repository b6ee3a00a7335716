"""Preferences from tables: a row for each answer, with two systems, the preference, and the item and rater if known."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from referenceless_metrics.core.files.names import file_names
from referenceless_metrics.core.files.reading import names_in
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.exports.rows import DOCUMENT
from referenceless_metrics.human_evaluation.inference.unnamed_clusters import note_on_columns, note_on_told
from referenceless_metrics.human_evaluation.ratings.columns import (
    RatingColumns,
    is_missing,
    name_of,
    names,
    names_if_there,
    numbers,
)
from referenceless_metrics.human_evaluation.ratings.exports.answers import BOTH_TEXTS, TextPair
from referenceless_metrics.human_evaluation.ratings.exports.pair_columns import are_texts, pairs_of
from referenceless_metrics.human_evaluation.ratings.key_files import key_of_sides, systems_of_sides
from referenceless_metrics.human_evaluation.ratings.keys import check_keys, with_whole_items
from referenceless_metrics.human_evaluation.ratings.model_raters import note_on_own_outputs
from referenceless_metrics.human_evaluation.ratings.named_pairs import (
    column_of_pairs,
    columns_of_pairs,
    is_side,
    one_name_each,
    pair_in,
    pairs_in_column,
    two_winners,
)
from referenceless_metrics.human_evaluation.ratings.preference_cells import (
    PreferenceScale,
    preference_shares,
    side_share,
)
from referenceless_metrics.human_evaluation.ratings.told_clusters import with_told_clusters
from referenceless_metrics.human_evaluation.ratings.told_sides import named_first, other_of_two, pairs_by_side
from referenceless_metrics.human_evaluation.studies.criteria import PREFERENCE

if TYPE_CHECKING:
    import pandas as pd

_PAIR = ("system_a", "system_b")


def holds_preferences(table: Table, columns: RatingColumns) -> bool:
    """Say whether a table holds preferences, and not ratings.

    Several columns of ratings that are named are those of a rater each, whatever stands beside them.
    """
    return columns.preference is not None or (PREFERENCE in table.columns and len(columns.ratings) < 2)


def read_preferences(
    table: Table,
    columns: RatingColumns,
    scale: tuple[float, float] | None,
    *,
    by_texts: bool = False,
    clusters: bool = True,
) -> tuple[pd.DataFrame, list[str]]:
    """Return preferences as `inference.preferences` takes them, and notes on how they were read.

    Args:
        table: the table.
        columns: the names of its columns.
        scale: the ends of a scale of preferences; None for words.
        by_texts: whether pairs whose systems nothing names are told by their two texts, whichever stands first.
        clusters: see `read_rating_table`.

    Raises:
        InputError: for a column that is not there, a name that is missing, a cell that is no preference, and rows of
            one item, pair and rater that another column tells apart.
    """
    import pandas as pd

    read: dict[str, Any] = {"row": range(len(table.rows))}
    column = columns.preference or PREFERENCE
    columns, on_key = with_told_clusters(table, columns) if clusters else (columns, [])
    pairs_told, notes_on_pairs = _systems(table, columns, column)
    read |= pairs_told
    on = PreferenceScale(scale, columns.a_is, columns.words)
    read[PREFERENCE], notes = preference_shares(table, column, read["system_a"], read["system_b"], on)
    notes = [*on_key, *notes_on_pairs, *notes]
    for kind in ("item", "rater", "criterion"):
        known = names_if_there(table, getattr(columns, kind), kind)
        if known is not None:
            read[kind] = known
    for kind in ("cluster", "slice"):
        if getattr(columns, kind) is not None:
            read[kind] = names(table, getattr(columns, kind), f"--{kind}-column")
    if "weight" in table.columns:
        read["weight"], told = numbers(table, "weight", "of weights", columns.words)
        _check_weights(table, read["weight"])
        notes += [*told, "column 'weight' weighs the items"]
    if by_texts and columns.system_a is None and columns.system_b is None:
        notes += _by_texts(table, read)
    outputs = next((pair for pair in pairs_of(table.columns) if are_texts(pair, table.rows)), None)
    if outputs is not None and "item" not in read:
        notes += _items_by_outputs(table, outputs.columns, read)
    if "item" not in read:
        read["item"] = [str(row) for row in read["row"]]
        notes.append("there is no column of items: each row is of an item of its own (--item-column NAME)")
    notes += [] if outputs is None else _on_same_outputs(table, outputs.columns, read["item"])
    _check_pairs(table, read)
    own = next((own for own, name in table.own_names.items() if name == columns.cluster == DOCUMENT), None)
    if own is not None:
        notes.append(note_on_told(own, len(set(read["item"])), len(set(read["cluster"]))))
    elif clusters and columns.cluster is None:
        others = [name for name in table.columns if name not in names_in(columns.item or "")]
        notes += filter(None, [note_on_columns(others, table.column, read["item"])])
    frame = with_whole_items(pd.DataFrame(read))
    pairs = frame.assign(
        system=[" / ".join(pair) for pair in zip(frame["system_a"], frame["system_b"], strict=True)],
        rating=frame[PREFERENCE],
    )
    used = [PREFERENCE, "item", "rater", "criterion", *_PAIR, "weight", column]
    used += [part for name in vars(columns).values() if isinstance(name, str) for part in names_in(name)]
    notes += check_keys(table, pairs, used, item=columns.item)
    if "rater" in read:
        notes += note_on_own_outputs(read["rater"], [read[name] for name in _PAIR], "preferences")
    return frame.drop(columns="row"), notes


def preferences_of_files(
    tables: Sequence[Table],
    columns: RatingColumns,
    scale: tuple[float, float] | None,
    *,
    by_texts: bool = False,
    clusters: bool = True,
) -> tuple[list[pd.DataFrame], list[str]]:
    """Return the preferences of each file, and notes on how they were read; see `read_preferences`.

    Items of one name are one in all files, but rows that are items themselves are of their file. If several files hold
    preferences on the same pair of an item, and name no raters, each is of one rater.

    Raises:
        InputError: as `read_preferences`; for several files whose pairs are told by their texts; and for a rater's
            preferences on a pair of one item in several files.
    """
    if len(tables) == 1:
        frame, notes = read_preferences(tables[0], columns, scale, by_texts=by_texts, clusters=clusters)
        return [frame], notes
    if by_texts and any(BOTH_TEXTS in row for table in tables for row in table.rows[:1]):
        raise InputError(f"{tables[0].source}: pairs that are told by their texts are read from one file at a time")
    read = [read_preferences(table, columns, scale, clusters=clusters) for table in tables]
    frames, notes = [frame for frame, _ in read], list(dict.fromkeys(note for _, of_file in read for note in of_file))
    files = file_names([table.source for table in tables])
    for place, (table, name) in enumerate(zip(tables, files, strict=True)):
        if names_if_there(table, columns.item, "item") is None:
            frames[place] = frames[place].assign(item=[f"{name}:{item}" for item in frames[place]["item"]])
    if not _are_repeated(frames):
        return frames, notes
    if any("rater" in frame for frame in frames):
        raise InputError(
            f"{tables[0].source}: another file holds a rater's preference on the same pair of an item, too: leave one "
            "of them out, or name the column that tells raters apart (--rater-column)"
        )
    notes.append(f"each file holds the preferences of one rater: {', '.join(files)} (--rater-column)")
    return [frame.assign(rater=name) for frame, name in zip(frames, files, strict=True)], notes


def _are_repeated(frames: Sequence[pd.DataFrame]) -> bool:
    """Say whether several files hold preferences on one pair of an item, by one rater if raters are known."""
    seen: set[tuple[object, ...]] = set()
    for frame in frames:
        pairs = map(frozenset, zip(frame["system_a"], frame["system_b"], strict=True))
        keys = set(zip(pairs, *(frame[key] for key in ("item", "rater", "criterion") if key in frame), strict=True))
        if not seen.isdisjoint(keys):
            return True
        seen |= keys
    return False


TEXTS = ("text 1", "text 2")
"""The names of the two texts of a pair, in the order of the alphabet."""


def _by_texts(table: Table, read: dict[str, Any]) -> list[str]:
    """Tell the pairs of rows by their two texts, if rows have these and nothing names their systems.

    The item of a row is then the pair, and its preference that between its first and its second text in the order of
    the alphabet, whichever stood first.

    Returns:
        A note; none if rows have no texts.
    """
    pairs: list[TextPair] = [row[BOTH_TEXTS] for row in table.rows if BOTH_TEXTS in row]
    if not pairs or len(pairs) < len(table.rows) or any(pair.first == pair.second for pair in pairs):
        return []
    alike: dict[tuple[str, str, str], int] = {}
    for pair in pairs:
        alike.setdefault(pair.unordered, len(alike) + 1)
    is_turned = np.array([pair.first > pair.second for pair in pairs])
    read["item"] = [f"pair {alike[pair.unordered]}" for pair in pairs]
    read["system_a"], read["system_b"] = ([name] * len(pairs) for name in TEXTS)
    shares = np.asarray(read[PREFERENCE], dtype=float)
    read[PREFERENCE] = np.where(is_turned, 1 - shares, shares)
    n_turned = f", {is_turned.sum()} of them with exchanged places" if 0 < is_turned.sum() < len(pairs) else ""
    return [
        "nothing names the systems: pairs are told by their two texts and what these were written for, whichever text "
        f"stands first ({len(alike)} different pairs in {len(pairs)} rows{n_turned}); {TEXTS[0]} and {TEXTS[1]} are "
        "these texts in the order of the alphabet"
    ]


def _items_by_outputs(table: Table, columns: Sequence[str], read: dict[str, Any]) -> list[str]:
    """Tell the items of rows by the two outputs that are compared, if several raters compared the same, and each once.

    Args:
        table: the table.
        columns: the columns of the two outputs.
        read: what is read of each row, to which the items are added.

    Returns:
        A note; none if outputs do not tell items.
    """
    if "rater" not in read:
        return []
    outputs = [[str(cell) for cell in table.column(name)] for name in columns]
    sides = [list(zip(read[name], texts, strict=True)) for name, texts in zip(_PAIR, outputs, strict=True)]
    compared = [frozenset(both) for both in zip(*sides, strict=True)]
    criteria = read.get("criterion", [""] * len(compared))
    given = set(zip(compared, read["rater"], criteria, strict=True))
    numbers = {key: str(number) for number, key in enumerate(dict.fromkeys(compared), 1)}
    if len(numbers) == len(compared) or len(given) < len(compared):
        return []
    read["item"] = [numbers[key] for key in compared]
    named = " and ".join(map(repr, columns))
    return [
        f"there is no column of items: {named} tell them, of which several raters compared the same two "
        f"({len(numbers)} items in {len(compared)} rows; --item-column NAME)"
    ]


def _on_same_outputs(table: Table, columns: Sequence[str], items: Sequence[str]) -> list[str]:
    """Return a note on items whose two outputs are the same text, in a list; none without any."""
    first, second = (table.column(name) for name in columns)
    same = {
        item
        for item, one, other in zip(items, first, second, strict=True)
        if not is_missing(one) and str(one).strip() == str(other).strip()
    }
    if not same:
        return []
    named = " and ".join(map(repr, columns))
    return [f"{named} hold the same text in {len(same)} of {len(set(items))} items, where no system can be preferred"]


def _check_is_no_side(table: Table, column: str) -> None:
    """Check that a column of preferences does not tell which system stood on a side.

    Raises:
        InputError: for such a column, of a key to blind answers or of a table that has what was said of the sides.
    """
    key = key_of_sides(table)
    sides = systems_of_sides(table) if key is None else key.sides
    if sides is None or str(column) not in sides:
        return
    told = (
        f"{table.source}: columns {sides[0]!r} and {sides[1]!r} tell which system is on which side, and not which one "
        "is better: "
    )
    if key is None:
        raise InputError(
            f"{told}name the column that says so (--preference-column NAME --system-a-column {quote(sides[0])} "
            f"--system-b-column {quote(sides[1])})"
        )
    raise InputError(
        f"{told}give this file beside that with the answers (--ratings ANSWERS.csv --ratings {quote(table.source)}), "
        "whose columns --rating-column or --preference-column names"
    )


def _systems(table: Table, columns: RatingColumns, column: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the two systems of each row, and notes on how they were told.

    Two columns name them, or one cell both; or the preferences name two systems alone, which are those of each row; or
    a column tells the side of one of two systems.

    Raises:
        InputError: for columns that are not there, cells without names, and a column of a key, which names no winners.
    """
    options = {kind: f"--{kind.replace('_', '-')}-column" for kind in _PAIR}
    named = {kind: getattr(columns, kind) or kind for kind in _PAIR}
    there = [kind for kind in _PAIR if getattr(columns, kind) is not None or table.has(kind)]
    first = named["system_a"]
    if there == ["system_a"] and table.has(first) and any(pair_in(cell) for cell in table.column(first)):
        note = f"column {str(first)!r} names both systems of a row"
        return _both(pairs_in_column(table, first, options["system_a"])), [note]
    if columns.fixed_sides:
        return _fixed_sides(table, column, there)
    if not there:
        cells = table.column(column, "--preference-column")
        _check_is_no_side(table, column)
        sides = systems_of_sides(table)
        if sides is not None:
            both = " and ".join(map(repr, sides))
            note = f"columns {both} name the systems of a row (--system-a-column, --system-b-column)"
            return {kind: names(table, side, options[kind]) for kind, side in zip(_PAIR, sides, strict=True)}, [note]
        found = column_of_pairs(columns_of_pairs(table), cells, column)
        if found is not None:
            note = f"column {found!r} names both systems of a row (--system-a-column, --system-b-column)"
            return _both(pairs_in_column(table, found, options["system_a"])), [note]
        winners = two_winners(cells)
        if winners is not None:
            note = (
                f"no column names the systems of a row: they are {winners[0]!r} and {winners[1]!r} in each, the two "
                f"that column {str(column)!r} prefers (--system-a-column, --system-b-column)"
            )
            return _both([winners] * len(cells)), [note]
        told = pairs_by_side(table, column)
        decided = [cell for cell in cells if not is_missing(cell)]
        if told is not None and all(is_side(cell) or name_of(cell) in told[1][0] for cell in decided):
            note = f"column {told[0]!r} tells the system of each side (--system-a-column, --system-b-column)"
            return _both(told[1]), [note]
    if len(there) == 1:
        (known,) = there
        of_known = names(table, named[known], options[known])
        if known == "system_a":
            of_known = named_first(of_known) or of_known
        others = other_of_two(of_known)
        if others is not None:
            lacking = next(kind for kind in _PAIR if kind != known)
            both = " and ".join(map(repr, sorted(set(of_known))))
            note = f"column {str(named[known])!r} names one of {both}: the other is the second of a row"
            return {known: of_known, lacking: others}, [f"{note} ({options[lacking]})"]
    try:
        return {kind: one_name_each(table, named[kind], options[kind]) for kind in _PAIR}, []
    except InputError as error:
        if there or None in _names_of_sides(table.column(column)):
            raise
        raise InputError(
            f"{error}; if each side that column {str(column)!r} names is of one system in all rows, --fixed-sides "
            "takes the sides for the two systems"
        ) from None


def _fixed_sides(table: Table, column: str, named: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the sides that preferences name as the two systems of each row, and a note.

    Raises:
        InputError: for preferences that do not name both sides, and columns that name the systems.
    """
    if named:
        kinds = " and ".join(f"{kind!r} (--{kind.replace('_', '-')}-column)" for kind in named)
        raise InputError(
            f"{table.source}: --fixed-sides takes sides for systems, and {kinds} names these: leave one out"
        )
    first, second = _names_of_sides(table.column(column, "--preference-column"))
    if first is None or second is None:
        raise InputError(
            f"{table.source}: --fixed-sides takes the sides in column {str(column)!r} (--preference-column) for "
            "systems, and its cells do not name both sides, as A and B or left and right, with ties alone beside them"
        )
    told = (
        f"{first!r} and {second!r} in column {str(column)!r} are taken for the two systems of all rows (--fixed-sides)"
    )
    return _both([(first, second)] * len(table.rows)), [told]


def _names_of_sides(cells: Sequence[object]) -> tuple[str | None, str | None]:
    """Return the words for the first and the second side, as they are first spelt; None for a side without one.

    Both are None if a cell names no side, and no tie.

    >>> _names_of_sides(["B", "A", "tie", "a"]), _names_of_sides(["A", "tie"]), _names_of_sides(["A", "B", "ours"])
    (('A', 'B'), ('A', None), (None, None))
    """
    words = [name_of(cell) for cell in cells if not is_missing(cell)]
    if not all(map(is_side, words)):
        return None, None
    shares = {side_share(word): word for word in reversed(words)}
    return shares.get(1.0), shares.get(0.0)


def _both(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    return {kind: [pair[place] for pair in pairs] for place, kind in enumerate(_PAIR)}


def _check_weights(table: Table, weights: Any) -> None:
    bad = np.flatnonzero(~(weights > 0))
    if len(bad):
        raise InputError(f"{table.where(int(bad[0]))}: expected a number above 0 in column 'weight'")


def _check_pairs(table: Table, read: dict[str, Any]) -> None:
    """Check that each row compares two systems."""
    for row, (first, second) in enumerate(zip(read["system_a"], read["system_b"], strict=True)):
        if first == second:
            named = shortened(first, 60)
            raise InputError(f"{table.where(row)}: {named} is compared with itself")
