"""Keys of ratings: the item that outputs of two systems share, and the columns that tell rows apart."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from shlex import quote
from typing import TYPE_CHECKING

from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import InputError, shortened
from referenceless_metrics.human_evaluation.ratings.column_grid import CRITERIA_WORDS
from referenceless_metrics.human_evaluation.ratings.columns import name_of

if TYPE_CHECKING:
    import pandas as pd

_MOST_COLUMNS = 3
_MOST_PAIRED = 12  # columns of which two together may tell rows apart

_HOLDERS = frozenset(
    (
        *("doc", "document", "cluster", "dialogue", "dialog", "conversation", "session", "topic", "domain", "section"),
        *("chapter", "story", "dataset", "testset", "language", "lang", "lp", "langpair", "languagepair"),
        *("criterion", "dimension", "aspect", "metric", "question", "metricname"),
    )
)
"""Names of columns, as `_plain` gives them, whose values hold items or part their ratings."""


_SITTING = "session"
"""Holder of items, or the sitting in which somebody rated: an id of its own for each rater."""
_FEWEST_WORDS = 3  # words of a text, in the mean
_OUTPUT = re.compile(
    r"(?:.*[\W_])?(?:answer|response|output|summary|translation|hypothesis|prediction|completion|reply|generation)"
    r"(?:[\W_]*text)?",
    re.IGNORECASE,
)
"""Names of columns of what systems wrote."""

_RUN = re.compile(
    r"(?:run|seed|epoch|repeat|rep|repetition|replicate)(?:_?(?:id|no|nr|num|number|idx|index))?", re.IGNORECASE
)
"""Names of columns of further runs on the same items."""


def holds_items(column: str) -> bool:
    """Say whether a column is called as one that holds items, such as documents, or parts their ratings."""
    return _plain(column) in _HOLDERS


def _plain(column: str) -> str:
    """Return a column's name in small letters, without signs and without an `id` or `name` at its end.

    >>> _plain("DocumentID"), _plain("doc_id"), _plain("topic")
    ('document', 'doc', 'topic')
    """
    letters = re.sub(r"[\W_]+", "", column.lower())
    return re.sub(r"(?<=..)(?:ids?|number|no|name)$", "", letters)


def check_keys(
    table: Table, frame: pd.DataFrame, read: Sequence[str], *, item: str | None = None, repeats: bool = False
) -> list[str]:
    """Check that each row is one rating of one output, and return notes on rows that repeat one.

    Rows without a rating repeat nothing.

    Args:
        table: the table.
        frame: its ratings, with the column `row`, and `item`, `system`, `rater` and `text` as far as they are known.
        read: the columns of the table that are read already, and so tell no rows apart.
        item: the column of items that the user names; None for `item`.
        repeats: whether a rater may rate an output again, so that any column may differ; then no mean of an output
            is taken, and no note says so.

    Raises:
        InputError: for rows of one item, system and rater that a further column tells apart, and for an item of one
            system with several texts, in whatever column; the message names the columns and the options.
    """
    if "item" not in frame:
        return _repeated_texts(table, frame, read) if "text" in frame and "rater" not in frame else []
    of_output = [key for key in ("system", "item") if key in frame]
    told = str(item or "item")
    keys = [*of_output, *(key for key in ("rater", "criterion") if key in frame)]
    further = [column for column in table.columns if column not in read]
    _check_outputs(table, frame, of_output, further, told)
    rated = frame[frame["rating"].notna()]
    doubled = rated[rated.duplicated(keys, keep=False)]
    if doubled.empty:
        return []
    _check_is_one_text(table, doubled, of_output, further, told)
    apart = [] if repeats else _telling_apart(table, doubled, keys, further)
    if apart:
        raise InputError(
            f"{_first(table, doubled, keys)} stands in several rows; "
            f"{_proposal(apart, told, has_systems='system' in keys)}"
        )
    if "rater" not in keys:
        if repeats:
            return []
        things = "pairs of outputs have several verdicts" if "system_a" in frame else "outputs have several ratings"
        return [f"{things}, and nothing tells who gave them; their mean counts (--rater-column NAME)"]
    counts = "the first counts" if repeats else "each counts in the mean of its output"
    notes = [f"{len(doubled)} ratings are of outputs that a rater rated several times; {counts}"]
    # a row with a column for each rater stands here once for each of them
    cells = [
        (rater, *map(str, table.rows[row].values()))
        for row, rater in zip(doubled["row"], doubled["rater"], strict=True)
    ]
    n_equal = len(cells) - len(set(cells))
    if n_equal and table.lines:  # rows as they stand in a file, and not answers of an export's rows
        notes.append(f"{n_equal} of them {'is' if n_equal == 1 else 'are'} equal to another row in all columns")
    return notes


def check_rated_texts(table: Table, frame: pd.DataFrame, read: Sequence[str]) -> list[str]:
    """Check that no rater rated a text of a system twice, if no items are known, and return notes on rows that do.

    Such rows may be of several errors that a rater marked, or of outputs for several items.

    Args:
        table: the table.
        frame: its ratings, as in `check_keys`.
        read: the columns of the table that are read already.

    Raises:
        InputError: if a further column tells the rows apart; the message names it.
    """
    if "item" in frame or not {"text", "rater"} <= set(frame):
        return []
    keys = [name for name in ("system", "text", "rater", "criterion") if name in frame]
    doubled = frame[frame.duplicated(keys, keep=False)]
    if doubled.empty:
        return []
    told = f"{int(frame.duplicated(keys).sum())} rows are of a text that a rater rated before"
    further = [column for column in table.columns if column not in read]
    apart = _telling_apart(table, doubled, keys, further)
    if not apart:
        named = " ".join(f"--item-column {quote(name)}" for name in _pair_telling_apart(table, frame, keys, further))
        named = f"{named} would tell" if named else "--item-column NAME tells"
        return [f"{told}: each counts, and such a rater counts more ({named} outputs apart)"]
    column = apart[0]
    raise InputError(
        f"{_first(table, doubled, [key for key in keys if key != 'text'])}: {told}, and column "
        f"{shortened(', '.join(map(repr, apart)), 120)} tells them apart: --item-column {column} if it says what an "
        f"output was made for, --criterion-column {column} if it says by what criterion, or --where {column}=VALUE to "
        "take one; if each row is an error that was marked, give a row for each output and rater"
    )


def _repeated_texts(table: Table, frame: pd.DataFrame, read: Sequence[str]) -> list[str]:
    """Return a note on rows that repeat a text of their system, if neither items nor raters are known.

    Raises:
        InputError: if a further column tells them apart: they may be outputs for several items, and not several ratings
            of one output.
    """
    keys = [key for key in ("system", "text", "criterion") if key in frame]
    doubled = frame[frame.duplicated(keys, keep=False)]
    if doubled.empty or "system" not in frame:
        return []
    apart = _telling_apart(table, doubled, keys, [column for column in table.columns if column not in read])
    n_again = int(frame.duplicated(keys).sum())
    if apart:
        raise InputError(
            f"{_first(table, doubled, ['system'])} gave a text several times ({n_again} rows repeat one): name what "
            f"each output was made for (--item-column), or else {_proposal(apart, 'ITEM')}"
        )
    return [
        f"{n_again} rows repeat a text of their system, and count as further ratings of one output (--item-column NAME "
        "tells outputs apart, --rater-column NAME who rated)"
    ]


def _check_outputs(table: Table, frame: pd.DataFrame, of_output: list[str], further: Sequence[str], item: str) -> None:
    """Check that an item of a system is one output.

    Raises:
        InputError: if it has several texts, or stands in several documents or other holders of items.
    """
    if "text" in frame:
        several = frame.groupby(of_output, sort=False)["text"].transform("nunique") > 1
        if several.any():
            rows = frame[several]
            apart = _telling_apart(table, rows, [*of_output, *(["rater"] if "rater" in frame else [])], further)
            named = apart or [column for column in further if holds_items(column)]
            raise InputError(f"{_first(table, rows, of_output)} has several texts; {_proposal(named, item)}")
    for column in further:
        if not holds_items(column) or _are_sittings(table, frame, of_output, column, further):
            continue
        cells = frame["row"].map(lambda row, column=column: name_of(table.rows[row].get(column)))
        several = cells.groupby([frame[key] for key in of_output]).transform("nunique") > 1
        if several.any():
            raise InputError(
                f"{_first(table, frame[several], of_output)} stands in several rows; {_proposal([column], item)}"
            )


def _check_is_one_text(
    table: Table, rows: pd.DataFrame, of_output: list[str], further: Sequence[str], item: str
) -> None:
    """Check that rows of one output hold one text of a system, in a column that was not named as that of texts.

    Args:
        table: the table.
        rows: those ratings whose keys stand in several rows.
        of_output: the columns that tell outputs.
        further: the columns of the table that are not read.
        item: the column of items.

    Raises:
        InputError: for outputs most of which hold several texts.
    """
    outputs = list(zip(*(rows[key] for key in of_output), strict=True))
    for column in further:
        texts = _cells(table, rows, column)
        n_words = sum(len(text.split()) for text in texts)
        if not _OUTPUT.fullmatch(column) or "" in texts or n_words < _FEWEST_WORDS * len(texts):
            continue
        held = set(zip(outputs, texts, strict=True))
        n_texts = Counter(output for output, _ in held)
        if 2 * sum(n > 1 for n in n_texts.values()) > len(n_texts) and len(set(texts)) > len(n_texts):
            first = next(place for place, output in enumerate(outputs) if n_texts[output] > 1)
            raise InputError(
                f"{_first(table, rows.iloc[first:], of_output)} has several texts in column {column!r}, which are "
                f"outputs of their own, and no ratings given again: --item-column {quote(item)} --item-column "
                f"{quote(column)} tells them apart (with --unpaired in human-score if systems share none)"
            )


def _are_sittings(table: Table, frame: pd.DataFrame, of_output: list[str], column: str, further: Sequence[str]) -> bool:
    """Say whether a column of sessions only names the raters anew: one for each, and each output has one text."""
    if _plain(column) != _SITTING or "rater" not in frame:
        return False
    pairs = set(zip(frame["rater"], _cells(table, frame, column), strict=True))
    if not len({rater for rater, _ in pairs}) == len({cell for _, cell in pairs}) == len(pairs):
        return False
    texts = [frame["text"].tolist()] if "text" in frame else []
    return any(
        _is_text_of_each(frame, of_output, cells)
        for cells in (*texts, *(_cells(table, frame, name) for name in further))
    )


def _cells(table: Table, frame: pd.DataFrame, column: str) -> list[str]:
    """Return a column's cells in the rows of ratings."""
    return [name_of(table.rows[row].get(column)) for row in frame["row"]]


def _is_text_of_each(frame: pd.DataFrame, of_output: list[str], texts: Sequence[str]) -> bool:
    """Say whether texts go with items, or with outputs: one for each, and none for two."""
    n_texts = len(set(texts))
    if n_texts < 2 or sum(len(text.split()) for text in texts) < _FEWEST_WORDS * len(texts):
        return False
    for keys in (of_output, ["item"]):
        units = list(zip(*(frame[key] for key in keys), strict=True))
        if n_texts == len(set(units)) == len(set(zip(units, texts, strict=True))):
            return True
    return False


def _first(table: Table, rows: pd.DataFrame, keys: Sequence[str]) -> str:
    """Describe the first of rows by its keys."""
    first = rows.iloc[0]
    which = ", ".join(f"{key} {shown(first[key])!r}" for key in keys)
    return f"{table.where(int(first['row']))}: {which}"


def _telling_apart(table: Table, rows: pd.DataFrame, keys: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the columns that tell rows of one key apart, each of whose values stands in several rows.

    One that is called as ratings, by another criterion, is no key, whatever its values tell by chance.
    """
    places = rows["row"].tolist()
    groups = list(zip(*(rows[key] for key in keys), strict=True))
    found = []
    for column in columns:
        if _is_of_ratings(column):
            continue
        cells = [name_of(table.rows[place].get(column)) for place in places]
        is_repeated = 1 < len(set(cells)) <= len(cells) / 2
        if is_repeated and len(set(zip(groups, cells, strict=True))) == len(cells):
            found.append(column)
    return found[:_MOST_COLUMNS]


def _pair_telling_apart(
    table: Table, frame: pd.DataFrame, keys: Sequence[str], columns: Sequence[str]
) -> tuple[str, ...]:
    """Return the first two columns that together tell all rows of a system, rater and criterion apart; else none.

    Each value of both stands in several rows.
    """
    rows = frame["row"].tolist()
    groups = list(zip(*(frame[key] for key in keys if key != "text"), strict=True)) or [()] * len(rows)
    cells: dict[str, list[str]] = {}
    for column in columns[:_MOST_PAIRED]:
        held = [name_of(table.rows[row].get(column)) for row in rows]
        if not _is_of_ratings(column) and "" not in held and 1 < len(set(held)) <= len(held) / 2:
            cells[column] = held
    for first, second in combinations(cells, 2):
        if len(set(zip(groups, cells[first], cells[second], strict=True))) == len(rows):
            return first, second
    return ()


def _is_of_ratings(column: str) -> bool:
    """Say whether a column is called as ratings by a criterion.

    >>> _is_of_ratings("FluencyRating"), _is_of_ratings("coherence"), _is_of_ratings("rater")
    (True, True, False)
    """
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column).lower())
    return not CRITERIA_WORDS.isdisjoint(words) or not {"rating", "ratings"}.isdisjoint(words)


def _proposal(columns: Sequence[str], item: str, *, has_systems: bool = True) -> str:
    """Say which options tell rows apart.

    Args:
        columns: names of the columns that do.
        item: the column of items.
        has_systems: whether a column of systems is known.
    """
    if not columns:
        return "name the column that tells them apart: --rater-column, --cluster-column or --slice-column"
    column = quote(columns[0])
    if _RUN.fullmatch(columns[0]):
        return (
            f"column {columns[0]!r} tells them apart: --item-column {column} --cluster-column {quote(item)} if systems "
            "or raters ran again on the same items, of which each is then a cluster of its runs, --rater-column "
            f"{column} if it says who rated, or --where {column}=VALUE to take one"
        )
    of_systems = "" if has_systems else f"--system-column {column} if it names systems, "
    return (
        f"column {shortened(', '.join(map(repr, columns)), 120)} tells them apart: {of_systems}--rater-column {column} "
        f"if it says who rated, --criterion-column {column} if it says by what criterion, --cluster-column {column} or "
        f"--slice-column {column} if items begin again in each, --item-column {column} --item-column {quote(item)} if "
        f"both together tell an item, or --where {column}=VALUE to take one"
    )


def shown(key: object) -> str:
    """Return an item, or another key, as messages name it.

    >>> shown("7"), shown(("news", "7"))
    ('7', 'news / 7')
    """
    return " / ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def with_whole_items(frame: pd.DataFrame) -> pd.DataFrame:
    """Return ratings whose item is keyed by its slice and cluster too, if these are known."""
    within = [name for name in ("slice", "cluster") if name in frame]
    if not within or "item" not in frame:
        return frame
    return frame.assign(item=list(zip(*(frame[name] for name in (*within, "item")), strict=True)))


def with_rows_as_items(table: Table, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return ratings of a table whose rows each hold all ratings of an output, with the row as the item, and a note.

    Nothing names items. If the texts of each system differ, they tell outputs already, and frame stays as it is.

    Args:
        table: the table.
        frame: its ratings, as in `check_keys`.
    """
    wordings = ""
    if "text" in frame:
        n_again = _n_repeated_rows(frame, ("system", "text", "criterion"))
        if not n_again:
            return frame, []
        wordings = f"{n_again} rows repeat a text of their system, and "
    note = f"{wordings}nothing names items: each row, which holds all ratings of an output, is an item (--item-column)"
    return frame.assign(item=[f"{table.source}, row {row}" for row in frame["row"] + 1]), [note]


def on_repeated_items(frame: pd.DataFrame, *, repeats: bool) -> list[str]:
    """Return a note on rows that repeat an item, though each row holds all ratings of an output; none without them.

    Args:
        frame: the ratings, as in `check_keys`.
        repeats: whether raters may rate an output again, so that further ratings are told apart from the first.
    """
    n_again = _n_repeated_rows(frame, ("system", "item", "criterion")) if "item" in frame else 0
    if not n_again:
        return []
    count = "are told as ratings given again" if repeats else "count as further ratings of one output"
    return [
        f"{n_again} rows repeat an item of their system, and {count}: if each row is an output of its own, name the "
        "column that tells them apart (--item-column)"
    ]


def _n_repeated_rows(frame: pd.DataFrame, names: Sequence[str]) -> int:
    """Return the number of rows of a table that have the same names as an earlier one."""
    return int(frame.drop_duplicates("row").duplicated([name for name in names if name in frame]).sum())


def with_items_by_order(table: Table, frame: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return ratings, one for each output, with the place within the system as the item, and a note.

    Raises:
        InputError: for systems of different lengths, and rows that are sorted by rating.
    """
    counts = frame.groupby(_of_systems(frame), sort=False).size()
    ways = "name the items (--item-column), or say that the outputs are independent samples (--unpaired)"
    if counts.nunique() > 1:
        listed = shortened(", ".join(f"{shown(name)} has {n}" for name, n in counts.items()), 120)
        raise InputError(
            f"{table.source}: there is no column of items, and systems differ in length ({listed}): {ways}"
        )
    if all(_is_sorted(ratings) for _, ratings in frame.groupby(_of_systems(frame))["rating"]):
        raise InputError(
            f"{table.source}: there is no column of items, and each system's rows are sorted by rating, so that their "
            f"order does not tell items: {ways}"
        )
    places = frame.groupby(_of_systems(frame)).cumcount().add(1).astype(str)
    note = "there is no column of items: the n-th row of each system is of item n (--item-column NAME, or --unpaired)"
    return frame.assign(item=places), [note]


def _of_systems(frame: pd.DataFrame) -> list[str]:
    """Return the columns within which the order of rows tells items."""
    return [name for name in ("system", "criterion") if name in frame]


def _is_sorted(ratings: pd.Series[float]) -> bool:
    known = ratings.dropna()
    return bool(known.nunique() > 1 and (known.is_monotonic_increasing or known.is_monotonic_decreasing))
