"""Signs that items lie together in documents which nobody named: their intervals are then too short."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from shlex import quote

from referenceless_metrics.core.files.reading import joined_name

DOCUMENT_COLUMNS = frozenset(
    f"{name}{suffix}"
    for name in ("article", "chapter", "cluster", "conversation", "dialog", "dialogue", "doc", "document", "passage")
    for suffix in ("", "_id", "id", "_name")
)
"""Names of columns, in lower case, that tell the clusters of items."""

_PART = re.compile(r"(.*\S)[\s_/:#.|-]+(\d+)")
_MOSTLY = 0.9
"""Least share of items that are named like parts of a document."""

_FEWEST_DOCUMENTS = 3
_FEWEST_PARTS = 2
"""Fewest items of a document, in the mean."""

_LARGE = 1000
"""Least number of an id that counts nothing."""

_SPARSE = 20
"""Least number of times as many numbers between the first and the last of such ids as there are ids."""

_MIXED = 1.5
"""Least number of runs of a document's items, by their numbers, for which these are not counted in documents."""

_WHY = (
    "If outputs of one {group} are rated alike, intervals that take items as independent hold far less often than "
    "they say (in simulations with 6 items of a {group} 78 % instead of 95 %)"
)

_FAR_MORE = 2
"""Least number of times as many values as others that a column has whose values hold items together."""

_PLACE = re.compile(
    r"(?:.*[^a-z])?(?:idx|index|line|no|nr|number|place|pos|position|round|row|seg|segment|sent|sentence|turn)s?"
    r"(?:[^a-z]?(?:id|idx|index|no|nr|num|number))?"
)
"""Names of columns of places in something else, in lower case."""

_IDS_OF_INPUTS = re.compile(
    r"(?:concept|context|instruction|prompt|query|question|ref|reference|source|src|story|topic)_?id|"
    r"(?:instruction|prompt|query|question|source|src)"
)
"""Names of columns of what outputs were made for, in lower case: its id, or itself."""

_FEWEST_IN_GROUP = 1.5  # items of an input, in the mean

_OF_DOCUMENTS = re.compile(r"wiki|news|(?:^|[^a-z])(?:article|chapter|conversation|dialog|doc|passage|stor(?:y|ies))")
"""Beginnings of words in names of documents and dialogues."""


def note_on_items(items: Iterable[Hashable], systems: Iterable[Hashable] = ()) -> str:
    """Return a note if items are named like parts of documents; "" otherwise, and if these are named like systems.

    Numbers that are all different, and of one document lie among those of others, are ids of kinds of items, as
    `only_1142` and `just_1461`: parts are counted in each document, or in one document after another.

    Args:
        items: their names.
        systems: the names of the systems.

    >>> note_on_items([f"wiki{document}-{sentence}" for document in range(4) for sentence in range(5)])[:65]
    'items are named as parts of documents are (wiki0-0, wiki0-1, …: 4'
    >>> note_on_items([f"{system}-{item}" for system in "abc" for item in range(5)], systems="abc")
    ''
    >>> note_on_items(range(100)), note_on_items([f"item_{number}" for number in range(100)])
    ('', '')
    >>> note_on_items([f"{paper}.{229338 + 411 * n}" for n, paper in enumerate(["cnn", "bbc", "sun"] * 6)])
    ''
    >>> note_on_items([f"{word}_{7919 * n % 9973}" for n in range(20) for word in [["just", "not", "only"][n % 3]]])
    ''
    """
    names = list(dict.fromkeys(str(item) for item in items))
    matches = [_PART.fullmatch(name) for name in names]
    documents = {match[1] for match in matches if match}
    n_parts = sum(match is not None for match in matches)
    if documents <= {str(system) for system in systems}:
        return ""
    if len(documents) < _FEWEST_DOCUMENTS or n_parts < max(_MOSTLY * len(names), _FEWEST_PARTS * len(documents)):
        return ""
    if _are_ids([(match[1], int(match[2])) for match in matches if match]):
        return ""
    are_documents = all(_OF_DOCUMENTS.search(document.lower()) for document in documents)
    group = "document" if are_documents else "group"
    return (
        f"items are named as parts of {group}s are ({', '.join(names[:2])}, …: {len(documents)} {group}s). "
        f"{_WHY.format(group=group)}: put the {group}s into a column and name it (--cluster-column)"
    )


def _are_ids(parts: Sequence[tuple[str, int]]) -> bool:
    """Say whether numbers, with what stands before each, are all different, and those of one name not side by side.

    Nor do large numbers with many more between them count parts.
    """
    numbers = [number for _, number in parts]
    span = max(numbers) - min(numbers) + 1
    if len(set(numbers)) == len(numbers) and min(numbers) >= _LARGE and span > _SPARSE * len(numbers):
        return True
    in_order = [name for name, _ in sorted(parts, key=lambda part: part[1])]
    n_runs = sum(before != after for before, after in pairwise(in_order)) + 1
    return len({number for _, number in parts}) == len(parts) and n_runs > _MIXED * len(set(in_order))


def note_on_told(column: str, n_items: int, n_clusters: int) -> str:
    """Return a note on clusters that a tool's file tells, and that nobody named.

    Args:
        column: the file's name of the column of clusters.
        n_items: number of items.
        n_clusters: number of clusters that they lie in.

    >>> note_on_told("doc", 20, 4)[:63]
    "20 items lie in 4 clusters, which the file tells (column 'doc')"
    >>> note_on_told("doc", 20, 1)[:62]
    "20 items lie in 1 cluster, which the file tells (column 'doc')"
    """
    clusters = "1 cluster" if n_clusters == 1 else f"{n_clusters} clusters"
    return (
        f"{n_items} items lie in {clusters}, which the file tells (column {column!r}), and items of one "
        "cluster count as dependent (--cluster-column item takes all items as independent)"
    )


def cluster_in_key(cells: Mapping[str, Sequence[object]]) -> tuple[str, str]:
    """Return the column whose items depend on one another, of those that together tell items, and a note.

    It is the one that is called as documents are, or else has far more values than the others: a concept with each of
    four strategies, or a question with each of two turns. Numbers from 1 on, as of lines, may be places in what another
    column names, or come first. "" for the column if nothing tells it; both are "" if one column tells items alone.

    Args:
        cells: the cells of each column, a row each.

    >>> concepts, strategies = list("aabbccdd"), ["free", "sports"] * 4
    >>> cluster_in_key({"concept": concepts, "strategy": strategies})[0]
    'concept'
    >>> cluster_in_key({"file": concepts, "line": ["1", "2"] * 4})[0], cluster_in_key({"id": "abc", "turn": "111"})
    ('file', ('', ''))
    >>> cluster_in_key({"idx": [*range(9)] * 2, "data": ["a"] * 9 + ["b"] * 9})[0]
    ''
    >>> cluster_in_key({"language": ["de"] * 9 + ["fr"] * 9, "segment": [*range(1, 10)] * 2})[1]
    "an item is 'language' with 'segment', and all count as independent: if items of one 'language', or of one \
'segment', are rated alike, name this column (--cluster-column)"
    """
    names = {column: list(map(str, held)) for column, held in cells.items()}
    n_items = len(set(zip(*names.values(), strict=True)))
    n_values = {column: len(set(held)) for column, held in names.items()}
    if max(n_values.values()) == n_items:
        return "", ""
    key = " with ".join(map(repr, names))
    documents = [column for column in names if column.strip().lower() in DOCUMENT_COLUMNS]
    first, *others = sorted(names, key=lambda column: -n_values[column])
    is_far_more = all(n_values[first] >= _FAR_MORE * n_values[other] for other in others)
    may_be_place = _are_running(names[first]) and (next(iter(names)) != first or _names_place(first))
    if len(documents) == 1:
        cluster = documents[0]
    elif is_far_more and not may_be_place:
        cluster = first
    else:
        either = ", or of one ".join(map(repr, names))
        return "", (
            f"an item is {key}, and all count as independent: if items of one {either}, are rated alike, name this "
            "column (--cluster-column)"
        )
    return cluster, (
        f"an item is {key}, and items of one {cluster!r} ({n_values[cluster]}) count as dependent (--cluster-column "
        f"{quote(joined_name(list(names)))} takes all {n_items} items as independent)"
    )


def _names_place(column: str) -> bool:
    """Say whether a column is called as numbers of lines or segments are, which begin again in another column's values.

    >>> _names_place("seg_id"), _names_place("idx"), _names_place("question_id")
    (True, True, False)
    """
    return _PLACE.fullmatch(column.strip().lower()) is not None


def _are_running(names: Sequence[str]) -> bool:
    """Say whether names are all whole numbers from 0 or 1 to their number, as those of lines are."""
    numbers = {int(name) for name in names if name.isdecimal()}
    first = min(numbers, default=0)
    return all(map(str.isdecimal, names)) and first in (0, 1) and numbers == set(range(first, first + len(numbers)))


def note_on_columns(
    columns: Sequence[str], cells_of: Callable[[str], Sequence[object]], items: Sequence[object]
) -> str:
    """Return a note if a column's name is one of `DOCUMENT_COLUMNS`; "" otherwise, and if each holds one item.

    So are ids of what several outputs were made for, as `prompt_id`, and this itself, as `prompt`, if each is of
    several items, and an item has one.

    Args:
        columns: names of columns.
        cells_of: returns the cells of a column, a row each.
        items: the item of each row; none if they are not known.

    >>> note_on_columns(["item", "rating"], lambda _: [], [])
    ''
    >>> note_on_columns(["article"], lambda _: ["a text", "another", "a text"], ["1", "2", "1"])
    ''
    >>> note_on_columns(["prompt"], lambda _: ["Say a.", "Say b."] * 2, ["1", "2", "3", "4"])[:28]
    "column 'prompt' groups items"
    >>> note_on_columns(["prompt_id"], lambda _: ["p1", "p1", "p2", "p2"], ["1", "2", "3", "4"])[:31]
    "column 'prompt_id' groups items"
    """
    named = [column for column in columns if column.strip().lower() in DOCUMENT_COLUMNS]
    n_items = len(set(map(str, items)))
    named = [column for column in named if not items or len(set(map(str, cells_of(column)))) < n_items]
    group, told = "document", "there is a column {!r}"
    if not named:
        ids = [column for column in columns if items and _IDS_OF_INPUTS.fullmatch(column.strip().lower())]
        named = [column for column in ids if _hold(list(map(str, cells_of(column))), list(map(str, items)))]
        group, told = "group", "column {!r} groups items"
    if not named:
        return ""
    return f"{told.format(named[0])}. {_WHY.format(group=group)}: name it (--cluster-column {quote(named[0])})"


def _hold(groups: Sequence[str], items: Sequence[str]) -> bool:
    """Say whether each item is in one of several groups, which hold several items in the mean."""
    n_groups, n_items = len(set(groups)), len(set(items))
    is_function = len(set(zip(items, groups, strict=True))) == n_items
    return is_function and 1 < n_groups <= n_items / _FEWEST_IN_GROUP
