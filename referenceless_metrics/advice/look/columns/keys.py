"""Rules that find the keys of rows: items, segments, documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from referenceless_metrics.advice.look.columns.choosing import first_of, is_function, texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import names_rater, parted
from referenceless_metrics.advice.look.columns.metrics import FEWEST_ROWS
from referenceless_metrics.advice.look.columns.properties import telling_rows
from referenceless_metrics.advice.look.columns.ratings import MOST_POINTS, RATINGS, is_criterion
from referenceless_metrics.core.files.json_rows import INNER_KEY
from referenceless_metrics.core.files.nested_rows import ANY, ITEM, KEY, PLACE, are_numbered
from referenceless_metrics.core.files.reading import MISSING, cell_of
from referenceless_metrics.core.files.tables import Table

MOST_GROUPS = 12  # of items

_SEGMENT = re.compile(
    r"(?:seg|segment|sent|sentence|line|turn|utt|utterance|item|question|example|doc|document|paragraph)[ _.-]?\d+",
    re.IGNORECASE,
)

_KEY = re.compile(r"(?:id|no|num|number|index|idx|key|file|file[ _.-]?name)$")
"""The end of the names of columns of keys."""


def find_keys(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell the meaning of the keys of objects that hold rows: systems, raters, criteria or items."""
    if INNER_KEY in table.columns:
        return _ids_inside_ids(table, columns)
    if not table.rows or cell_of(table.rows[0], ITEM) is MISSING:
        return list(columns)
    of_segments = _keys_of_segments(table, columns)
    if of_segments:
        return with_parts(columns, of_segments)
    items = texts_of(table, ITEM)
    found = [_plain(column) for column in columns]
    for place, column in enumerate(columns):
        if _is_of_keys(column.name):
            keys = texts_of(table, column.name)
            others = found[:place] + found[place + 1 :]
            text = first_of(columns, "text")
            texts = None if text is None else texts_of(table, text.name)
            part = _part_of_keys(column.name, keys, items, found[:place], others)
            held = column.name.removesuffix(f".{KEY}")
            if held != column.name and keys == texts_of(table, held):  # each key is its value: an answer
                part = ""
            if part == "rater" and _are_of_several(others, held):
                part = "criterion"
            vary = len({*zip(items, keys, strict=True)}) < len(set(items)) * len(set(keys))
            found[place] = replace(column, part=_by_texts(part, table, found[:place], texts, items, vary=vary))
    found = _without_places(table, found, items)
    numbered = [column.name for column in found if _is_of_keys(column.name) and column.part == "item"]
    if len(numbered) > 1:  # items are named anew in each outer one
        return with_parts(found, {**dict.fromkeys(numbered, "cluster"), numbered[-1]: "item", ITEM: ""})
    outer = next((column for column in found if column.name == KEY and column.part == "item"), None)
    inner = next((column for column in found if column.name != KEY and _is_of_keys(column.name)), None)
    if outer is not None and inner is not None and inner.part == "system" and 2 * outer.distinct <= inner.distinct:
        # few systems, each with its items
        return with_parts(found, {outer.name: "system", inner.name: "item", ITEM: ""})
    return _with_numbered_items(table, found, items)


def _without_places(table: Table, columns: Sequence[Column], items: Sequence[str]) -> list[Column]:
    """Return columns without inner keys that number the outputs of an outer row, if it has one of each system."""
    system = next((column for column in columns if column.part == "system" and not _is_of_keys(column.name)), None)
    if system is None or len(set(zip(items, texts_of(table, system.name), strict=True))) < len(items):
        return list(columns)
    inner = [column.name for column in columns if _is_of_keys(column.name) and column.name != KEY]
    places = [name for name in inner if all(key.isdigit() for key in texts_of(table, name))]
    return with_parts(columns, dict.fromkeys(places, ""))


def _ids_inside_ids(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items and their raters by ids that are keys of objects inside one another.

    Inner keys that stand in one outer one each are the items of a cluster, and those of a few outer ones items of
    systems.
    """
    if not {KEY, INNER_KEY} <= {column.name for column in columns}:
        return list(columns)
    outer, inner = texts_of(table, KEY), texts_of(table, INNER_KEY)
    parts = {KEY: "item", INNER_KEY: "rater"}
    if is_function(inner, outer):
        parts = {KEY: "cluster", INNER_KEY: "item"}
    elif 2 * len(set(outer)) <= len(set(inner)) and len(set(outer)) <= MOST_GROUPS:
        parts = {KEY: "system", INNER_KEY: "item"}
    return with_parts(columns, parts)


def _with_numbered_items(table: Table, columns: Sequence[Column], items: Sequence[str]) -> list[Column]:
    """Return columns of which keys that are numbers, from 0 or 1 in each outer row, are of items there."""
    for column in columns:
        if _is_of_keys(column.name) and column.part in ("system", "item"):
            keys = texts_of(table, column.name)
            are_counted = all(key.isdigit() for key in keys) and min(map(int, keys)) < 2 and len(set(keys)) > 1
            if are_counted and len({*zip(items, keys, strict=True)}) > max(len(set(items)), len(set(keys))) > 1:
                return with_parts(columns, {column.name: "item", ITEM: "cluster"})
    return list(columns)


def _keys_of_segments(table: Table, columns: Sequence[Column]) -> dict[str, str]:
    """Return the parts of keys of systems, documents and segments inside one another; none for other keys.

    Two levels are numbered, as `doc1` and `seg1`, and the third names systems.
    """
    levels = {column.name: set(texts_of(table, column.name)) for column in columns if _is_of_keys(column.name)}
    are_numbers = [
        name for name, keys in levels.items() if all(_SEGMENT.fullmatch(key) or key.isdigit() for key in keys)
    ]
    others = [name for name in levels if name not in are_numbers]
    if len(are_numbers) < 2 or len(others) != 1 or all(map(is_criterion, levels[others[0]])):
        return {}
    parts = {**dict.fromkeys(are_numbers, "cluster"), are_numbers[-1]: "item", others[0]: "system"}
    return {**parts, ITEM: ""}


def _by_texts(
    part: str, table: Table, before: Sequence[Column], texts: Sequence[str] | None, items: Sequence[str], *, vary: bool
) -> str:
    """Return the part of keys, checked by the texts that they tell apart.

    Keys of one text that vary are no systems, and those of several texts of one system no raters: each is an item.
    """
    if texts is None or len(set(texts)) == len(set(items)) == 1:
        return part
    systems = [texts_of(table, column.name) for column in before if column.part == "system"]
    if part == "system" and vary and is_function(items, texts):
        return "rater"
    if part in ("rater", "criterion") and systems:
        outputs = list(zip(items, *systems, strict=True))
        return part if is_function(outputs, texts) else "item"
    return part


def _are_of_several(columns: Sequence[Column], held: str) -> bool:
    """Say whether a column holds lists of numbers: ratings of several raters, so that their keys name no rater."""
    return any(column.name == held and column.kind == "lists of numbers" for column in columns)


def _is_of_keys(name: str) -> bool:
    return name == KEY or name.endswith(f".{KEY}")


def _plain(column: Column) -> Column:
    """Return a column of keys without a part, and that of the outer rows' numbers as one of items."""
    if _is_of_keys(column.name):
        return replace(column, part="")
    return replace(column, part="item") if column.name == ITEM and not column.part else column


def _part_of_keys(
    name: str, keys: Sequence[str], items: Sequence[str], before: Sequence[Column], others: Sequence[Column]
) -> str:
    of_key: dict[str, set[str]] = {}
    for key, item in zip(keys, items, strict=True):
        of_key.setdefault(key, set()).add(item)
    if len(set(items)) > 1 and all(len(of) == 1 for of in of_key.values()):
        return "item"
    if name == KEY and all(key.isdigit() for key in of_key) and any(each.name == f"{ANY}.{KEY}" for each in others):
        return "item"  # each with objects under further keys
    if name == KEY and all(len(key) == 1 or key.isdigit() for key in of_key):
        return ""  # places side by side, which name nothing
    if all(is_criterion(key) for key in of_key):
        return "criterion"
    if all(map(_SEGMENT.fullmatch, of_key)):
        return "item"
    if first_of(others, "system") is None:
        are_sparse = all(2 * len(of) <= len(set(items)) for of in of_key.values())
        are_ids = len(of_key) > FEWEST_ROWS and all(re.search(r"\d", key) for key in of_key)
        are_raters = all(map(names_rater, of_key)) or (are_sparse and are_ids)
        return "rater" if are_raters else "system"
    if are_numbered(list(of_key)) and all(key.isdigit() for key in of_key):
        return "item"
    if first_of(before, "system") is None:  # the objects name their systems themselves
        return ""
    vary = any(len(of) < len(set(items)) for of in of_key.values())
    return "rater" if vary or all(re.search(r"\d", key) for key in of_key) else "criterion"


def find_groups_of_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell systems by a column called a source that holds a few single words, each of several items: whose they are.

    A text that outputs were made from has more words, or stands for one item.
    """
    item, source = first_of(columns, "item"), first_of(columns, "source")
    known = ("system", "text", "preference", "system_a", "rating of a rater")
    if item is None or source is None or first_of(columns, *known) is not None or source.kind != "labels":
        return list(columns)
    if first_of(columns, "rating") is None or not 1 < source.distinct <= MOST_GROUPS:
        return list(columns)
    names = texts_of(table, source.name)
    are_words = all(len(name.split()) == 1 for name in set(names))
    are_several = item.distinct >= FEWEST_ROWS * source.distinct
    of_one = is_function(texts_of(table, item.name), names)
    return with_parts(columns, {source.name: "system"} if are_words and are_several and of_one else {})


def find_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by cells that several systems share.

    A column that numbers each output is none; the outputs' sources, such as prompts, are one if they are shared.
    """
    named = [column for column in columns if column.part == "item"]
    if any(column.distinct > 1 for column in named):
        columns = with_parts(columns, {column.name: "" for column in named if column.distinct == 1 < len(table.rows)})
    system = first_of(columns, "system")
    if system is None or system.distinct < 2:
        return _repeated_items(table, columns)
    systems = texts_of(table, system.name)
    named = [column for column in columns if column.part == "item"]
    places = [column for column in columns if column.name == PLACE and _tells_rows(table, columns, column)]
    places = [column for column in places if _are_places_shared(table, columns, systems)]
    sources = [column for column in columns if column.part in ("source", "cluster", "reference")]
    sources = [column for column in sources if not column.kind.startswith(("lists", "objects"))]
    sources = [column for column in sources if column.part != "reference" or _tells_rows(table, columns, column)]
    others = [column for column in columns if not column.part and not column.blank and _may_be_item(column)]
    others = [column for column in others if not column.holds_texts or _tells_rows(table, columns, column)]
    numbered = [column for column in columns if not column.part and _numbers_things(column)]
    others += [column for column in numbered if column not in others and _tells_rows(table, columns, column)]
    keys = sorted(
        (*places, *sources, *others), key=lambda column: (column.kind == "text", not column.part, not _is_key(column))
    )
    if first_of(columns, "run") is not None and first_of(columns, "text") is None:  # means of runs, over data sets
        keys += [column for column in columns if column.part == "slice" and _tells_rows(table, columns, column)]
    if first_of(columns, *RATINGS, "score") is None:  # an output stands in one row, so that its item does
        keys = [column for column in keys if _tells_rows(table, columns, column)]
    shared = next((column for column in (*named, *keys) if _is_shared(texts_of(table, column.name), systems)), None)
    if shared is None and not named:  # each output has a name of its own: systems are independent samples
        shared = next((column for column in others if _names_rows(column, len(table.rows))), None)
    return list(columns) if shared is None else _with_item(columns, shared.name)


def find_segments(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by numbers of segments, or their sources, if what was taken for an item holds several: a cluster.

    With them the rows of each system and rater are told apart. A segment is of one document, and of several systems.
    """
    item, system = first_of(columns, "item"), first_of(columns, "system")
    if item is None or system is None or first_of(columns, "cluster") is not None:
        return list(columns)
    documents, systems = texts_of(table, item.name), texts_of(table, system.name)
    finer = [column for column in columns if not column.blank and item.distinct < column.distinct < len(table.rows)]
    numbers = [column for column in finer if column.kind == "whole numbers" and not column.part]
    nested = []
    for column in (*numbers, *(each for each in finer if each.part == "source")):
        cells = texts_of(table, column.name)
        if is_function(cells, documents) and _is_shared(cells, systems):
            nested.append(column)
    segments = telling_rows(table, columns, nested)
    return list(columns) if segments is None else with_parts(columns, {item.name: "cluster", segments.name: "item"})


_THING = re.compile(
    r"(?:.*[^a-z])?(?:doc|document|article|text|sentence|segment|prompt|question|story|dialogue?|passage|source|topic)"
)
"""Names of columns whose whole numbers may tell what outputs were made for."""


def _numbers_things(column: Column) -> bool:
    """Say whether a column holds whole numbers and is called as what outputs are made for, as `source_doc`."""
    return column.kind == "whole numbers" and not column.blank and _THING.fullmatch(parted(column.name)) is not None


def _names_rows(column: Column, n_rows: int) -> bool:
    return column.kind == "ids" and column.distinct == n_rows and _KEY.search(column.name.lower()) is not None


def _are_places_shared(table: Table, columns: Sequence[Column], systems: Sequence[str]) -> bool:
    """Say whether a place in the lists of several systems is the same thing: the lists lie in one outer row, or item.

    The n-th edit of one text has nothing to do with that of another. If each system has one list, it is of all items.
    """
    if not any(column.name == ITEM for column in columns) or len(set(texts_of(table, ITEM))) == len(set(systems)):
        return True
    held = [column for column in columns if column.name == ITEM or column.part in ("item", "source", "cluster")]
    return any(_is_outer(table, each) and _is_shared(texts_of(table, each.name), systems) for each in held)


def find_items_of_sources(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell that numbers inside lists begin again in each outer row, which has a source, or an output, of its own."""
    item = first_of(columns, "item")
    if item is None or first_of(columns, "cluster") is not None or _is_outer(table, item):
        return list(columns)
    held = [column for column in columns if column.part in ("source", "reference", "text") and column.distinct > 1]
    ids = texts_of(table, item.name)
    for column in held:
        if _is_outer(table, column) and len(set(zip(ids, texts_of(table, column.name), strict=True))) > len(set(ids)):
            return with_parts(columns, {ITEM: "cluster"})
    return list(columns)


def _is_outer(table: Table, column: Column) -> bool:
    """Say whether a column has one value in each outer row, or there are no outer rows."""
    if not table.rows or cell_of(table.rows[0], ITEM) is MISSING:
        return True
    rows = texts_of(table, ITEM)
    return len(set(zip(rows, texts_of(table, column.name), strict=True))) == len(set(rows))


def _tells_rows(table: Table, columns: Sequence[Column], item: Column) -> bool:
    """Say whether a column tells the rows of each system, rater and run apart."""
    keys = [column for column in columns if column.part in ("system", "rater", "criterion", "metric", "run")]
    rows = list(zip(*(texts_of(table, column.name) for column in (*keys, item)), strict=True))
    return len(set(rows)) == len(rows)


def _repeated_items(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which that of items, rated by several raters, does not number the rows.

    A column of clusters that has another value in each row tells items.
    """
    named = [column for column in columns if column.part == "item"]
    single = [column for column in columns if column.part == "cluster" and column.distinct == len(table.rows) > 1]
    if not named and single:
        return with_parts(columns, {single[0].name: "item"})
    if not named and (
        first_of(columns, "text") is None or first_of(columns, "rating of a rater")
    ):  # a key of the rows, whatever it is called
        keys = [column for column in columns if not column.part and column.name.lower().endswith("id")]
        if first_of(columns, "rating of a rater"):  # each row was rated by all, whatever repeats
            keys = [column for column in keys if _tells_rows(table, columns, column)]
        return with_parts(columns, {keys[0].name: "item"}) if len(keys) == 1 else list(columns)
    rater = first_of(columns, "rater")
    if rater is None or not named:
        return list(columns)
    if named[0].name == ITEM and is_function(texts_of(table, ITEM), texts_of(table, rater.name)):
        raters = texts_of(table, rater.name)  # each outer row is what one rater said
        shared = next((each for each in named[1:] if _is_shared(texts_of(table, each.name), raters)), None)
        return list(columns) if shared is None else _with_item(columns, shared.name)
    if named[0].distinct < len(table.rows):
        return list(columns)
    repeated = next((column for column in named if column.distinct < len(table.rows)), None)
    return list(columns) if repeated is None else _with_item(columns, repeated.name)


def items_by_place(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Tell items by their place in a list, if the rows of one item, system and rater differ in nothing else.

    The column that was taken for the item is then that of a group of items.
    """
    place = first_of((column for column in columns if column.name == PLACE), "", "item")
    item = first_of(columns, "item")
    if place is None or item is None or item is place:
        return list(columns)
    kinds = ("item", "system", "rater", "criterion", "metric", "run", "cluster")
    keys = [texts_of(table, column.name) for column in columns if column.part in kinds]
    without = list(zip(*keys, strict=True))
    placed = [(*key, cell) for key, cell in zip(without, texts_of(table, PLACE), strict=True)]
    if len(set(without)) == len(without) or len(set(placed)) < len(placed):
        return list(columns)
    if item.name != ITEM and not _is_outer(table, item):  # a number that begins again in each outer row
        return with_parts(columns, {ITEM: "cluster"})
    metric = first_of(columns, "metric")
    is_of_metric = metric is not None and is_function(texts_of(table, metric.name), texts_of(table, item.name))
    return with_parts(_with_item(columns, PLACE), {item.name: "" if is_of_metric else "cluster"})


def _with_item(columns: Sequence[Column], name: str) -> list[Column]:
    """Return columns of which that of this name alone is the one of items."""
    return with_parts(columns, {column.name: "" for column in columns if column.part == "item"} | {name: "item"})


def _may_be_item(column: Column) -> bool:
    if column.kind == "whole numbers" and not column.part.startswith("rating"):
        return re.search(r"(?:id|no|num|number|index|idx)$", column.name.lower()) is not None
    is_named = column.kind in ("ids", "labels") and (column.distinct > MOST_POINTS or _is_key(column))
    return column.holds_texts or is_named


def _is_key(column: Column) -> bool:
    """Say whether a column is called as one of keys, such as `scenario_id`."""
    return re.search(rf"(?:^|[^a-z]){_KEY.pattern}", parted(column.name)) is not None


def _is_shared(values: Sequence[str], systems: Sequence[str]) -> bool:
    """Say whether most values stand in rows of several systems."""
    of_value: dict[str, set[str]] = {}
    for value, system in zip(values, systems, strict=True):
        if value.strip():
            of_value.setdefault(value, set()).add(system)
    several = sum(len(of) > 1 for of in of_value.values())
    return len(of_value) > 1 and 2 * several > len(of_value)
