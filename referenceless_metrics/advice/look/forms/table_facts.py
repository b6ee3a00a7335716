"""Facts about the rows of a table that decide which command lines fit: items, systems, raters, repeated keys."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from referenceless_metrics.advice.look.columns.choosing import is_function
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_kinds import LABELS, MEANS
from referenceless_metrics.advice.look.columns.column_parts import is_unnamed
from referenceless_metrics.advice.look.lines.parts import Parts
from referenceless_metrics.core.files.joined_ids import joined_ids
from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import MISSING, cell_of, cell_text, condition
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.files_in_order import FEWEST_VALUES, names_ids
from referenceless_metrics.human_evaluation.ratings.controls import controls_in
from referenceless_metrics.human_evaluation.ratings.exports.answers import BOTH_TEXTS
from referenceless_metrics.human_evaluation.ratings.named_pairs import one_name_in
from referenceless_metrics.human_evaluation.source_columns import n_unlike

_FEWEST_COMPARED = 5  # items, or fewer rows may be systems


def words_by_criterion(table: Table, parts: Parts) -> dict[str, dict[str, list[str]]]:
    """Return the different cells of each column of labels that are ratings, by criterion; none without criteria."""
    criterion = parts.first("criterion")
    if criterion is None:
        return {}
    names = [cell_text(cell) for cell in cells_in(table, criterion)]
    found: dict[str, dict[str, list[str]]] = {}
    for column in parts.all("rating"):
        if column.kind == "labels":
            texts = ["" if cell is MISSING else cell_text(cell) for cell in cells_in(table, column.name)]
            cells = sorted(set(zip(names, texts, strict=True)))
            of_criteria = found.setdefault(column.name, {name: [] for name in dict.fromkeys(names)})
            for name, cell in cells:
                if cell.strip():
                    of_criteria[name].append(cell.strip())
    return found


def items_in(table: Table, parts: Parts) -> frozenset[str]:
    """Return the items of the rows, or ids if the file tells no items, or else sources; none without any."""
    n_rows = len(table.rows)
    told = [column.name for column in parts.all("item")]
    told += [column.name for column in parts.columns if column.distinct == n_rows and names_ids(column.name)]
    if table.counted:
        told += [column.name for column in parts.all("source") if column.kind == "text"]
    item = next((name for name in told if name not in table.counted), None)
    return frozenset(map(str, cells_in(table, item))) if item is not None and n_rows else frozenset()


def ids_in(table: Table, parts: Parts) -> dict[str, frozenset[str]]:
    """Return the ids in each column of the file that is called so."""
    plain = [each.name for each in parts.columns if names_ids(each.name) and each.name not in table.counted]
    return {name: frozenset(map(str, cells_in(table, name))) for name in plain}


def orders_in(table: Table, parts: Parts) -> dict[str, int]:
    """Return the hash of the cells of each column of the file with several values but the texts."""
    names = [each.name for each in parts.columns if each.name != parts.text and each.name not in table.counted]
    cells = {name: tuple(map(str, cells_in(table, name))) for name in names}
    return {name: hash(of_column) for name, of_column in cells.items() if len(set(of_column)) >= FEWEST_VALUES}


def text_order_in(table: Table, parts: Parts) -> int:
    """Return the hash of the texts, in the order of the rows; 0 for none."""
    return 0 if parts.text is None else hash(tuple(map(str, cells_in(table, parts.text))))


def n_ratings_of_each(table: Table, parts: Parts) -> int:
    """Return the number of rows of each output of a system, if all have two or more; see `Parts`."""
    item, system = parts.first("item"), parts.first("system")
    known = ("rater", "rating of a rater", "preference", "run", "score")
    if item is None or system is None or not parts.ratings or any(parts.first(part) for part in known):
        return 0
    others = ("criterion", "metric", "cluster", "slice")
    keys = [item, system, *(name for part in others if (name := parts.first(part)) is not None)]
    outputs = list(zip(*(map(str, cells_in(table, name)) for name in keys), strict=True))
    if parts.text is not None and not is_function(outputs, list(map(str, cells_in(table, parts.text)))):
        return 0
    numbers = set(Counter(outputs).values())
    if len(numbers) > 1 or 1 in numbers:
        return 0
    plain = [column for column in parts.columns if not column.part and column.distinct <= len(outputs) / 2]
    rows = (set(zip(outputs, map(str, cells_in(table, column.name)), strict=True)) for column in plain)
    return 0 if any(len(of_column) == len(outputs) for of_column in rows) else numbers.pop()


def have_unnamed_raters(table: Table, parts: Parts) -> bool:
    """Say whether each text has several rows with ratings, and no column tells a system, an item or a rater."""
    known = ("system", "item", "rater", "rating of a rater", "criterion", "metric", "preference", "run", "score")
    numeric = any(column.is_numeric for column in parts.all("rating"))
    if parts.text is None or not numeric or any(parts.first(part) for part in known):
        return False
    return min(Counter(map(str, cells_in(table, parts.text))).values()) > 1


def rows_are_items(table: Table, parts: Parts) -> bool:
    """Say whether each row holds all ratings of an output, in a list or in columns, and nothing tells outputs apart.

    Texts do not if a wording stands in several rows of a system.
    """
    if parts.first("item") or parts.first("rater") or parts.first("criterion"):
        return False
    listed = any(column.kind in ("lists of numbers", LABELS) for column in parts.all("rating"))
    if not listed and len(parts.all("rating of a rater")) < 2:
        return False
    return parts.text is None or repeats_texts(table, parts)


def repeats_texts(table: Table, parts: Parts) -> bool:
    """Say whether several rows of a system, and of a rater if these are named, have the same text, without items."""
    if parts.text is None or parts.first("item"):
        return False
    kinds = ("system", "rater", "criterion", "metric", "run", "cluster", "slice")
    names = [parts.text, *(name for kind in kinds if (name := parts.first(kind)) is not None)]
    rows = list(zip(*(map(str, cells_in(table, name)) for name in names), strict=True))
    return len(set(rows)) < len(rows)


def have_one_rater_each(table: Table, parts: Parts) -> bool:
    """Say whether raters are named, and each output was rated by one of them."""
    rater, item = parts.first("rater"), parts.first("item") or parts.text
    if rater is None or item is None or not table.rows:
        return False
    keys = [name for name in (item, parts.begin_again, parts.first("system")) if name]
    outputs = list(zip(*(map(str, cells_in(table, name)) for name in keys), strict=True))
    if all(BOTH_TEXTS in row for row in table.rows):  # agreement tells such pairs by their texts
        outputs = [row[BOTH_TEXTS].unordered for row in table.rows]
    pairs = set(zip(outputs, map(str, cells_in(table, rater)), strict=True))
    return len(pairs) == len(set(outputs))


def names_absent(line: str, table: Table) -> bool:
    """Say whether a command line takes texts from a column that some rows do not have: it would be refused.

    A null is no text for commands that score texts, and is refused as a rated one.
    """
    words = shlex.split(line)
    texts = [after for before, after in pairwise(words) if before in ("--text-column", "--ratings-text-column")]
    usual = ["text"] if not texts and words[1] in ("score", "advise", "evaluate") else []
    cells = [cell_of(row, name) for name in (*texts, *usual) if table.has(name) for row in table.rows]
    are_scored = words[1] in _SCORING
    return any(cell is MISSING or (cell is None and not are_scored) for cell in cells)


_SCORING = ("score", "filter", "compare")
"""Commands for which a null is an empty text."""

KEYS = ("item", "system", "rater", "run", "metric", "cluster", "slice")
"""Columns that tell scores, or outputs, of one table apart: `compare` refuses two with the same."""


def keys_repeat(line: str, table: Table) -> bool:
    """Say whether a command line compares outputs, or scores, of which a system has several of an item."""
    words = shlex.split(line)
    named = [(before.removeprefix("--"), after) for before, after in pairwise(words) if before.startswith("--")]
    options = dict(named)
    if words[1] != "compare" or not {"scores", "system-column"} & options.keys():
        return False
    names = [options.get(f"{kind}-column", kind) for kind in KEYS]
    if not table.has(names[0]):  # the order of rows tells items
        return False
    names = [name for name in names if table.has(name)]
    conditions = [condition(after) for before, after in named if before == "where"]
    scores = [after for before, after in named if before == "score-column"]
    keys = [
        tuple(str(cell_of(row, name)) for name in names)
        for row in table.rows
        if all(each.holds(row) for each in conditions)
        and (not scores or any(holds_something(cell_of(row, name)) for name in scores))
    ]
    return len(set(keys)) < len(keys)


def have_several_texts(line: str, table: Table) -> bool:
    """Say whether a command line holds a metric against ratings of outputs whose keys stand for several texts each."""
    words = shlex.split(line)
    options = dict(pairwise(words))
    keys = [options.get(f"--{kind}-column", kind) for kind in ("item", "system", "cluster", "slice")]
    text = options.get("--text-column", "text")
    if words[1] != "evaluate" or "--metric" not in options or not table.has(keys[0]):
        return False
    outputs = list(zip(*(cells_in(table, name) for name in keys if table.has(name)), strict=True))
    return not is_function(outputs, list(map(str, cells_in(table, text))))


def holds_something(cell: object) -> bool:
    """Say whether a cell is there, and no blank."""
    return cell is not MISSING and not is_blank(cell)


def n_systems_compared(table: Table, parts: Parts) -> int:
    """Return the number of systems that two columns name; 0 without these."""
    named = [name for part in ("system_a", "system_b") if (name := parts.first(part)) is not None]
    cells = {one_name_in(cell) for name in named for cell in cells_in(table, name) if cell is not MISSING}
    return len(cells - {""}) if len(named) > 1 else 0


def n_outputs_of_first(table: Table, parts: Parts, begin_again: str) -> int:
    """Return the number of outputs of the first system, with which the others are compared; 0 without systems.

    Args:
        table: a table with single names of systems.
        parts: its columns.
        begin_again: the column in each value of which the numbers of items begin again; "" for none.
    """
    system = parts.first("system")
    if system is None or not table.rows:
        return 0
    told = parts.first("item") or (None if rows_are_items(table, parts) else parts.text)
    keys = [name for name in (told, begin_again, parts.first("run")) if name]
    columns = [cells_in(table, name) for name in keys] or [list(range(len(table.rows)))]
    systems = [str(name) for name in cells_in(table, system)]
    outputs = zip(systems, zip(*columns, strict=True), strict=True)
    return len({str(output) for name, output in outputs if name == systems[0]})


def _is_unnamed(column: Column) -> bool:
    """Say whether a column of labels has no name of its own, as the first of a table of results."""
    return column.kind == "labels" and (is_unnamed(column.name) or column.name.lower() == "index")


def are_means(table: Table, parts: Parts) -> bool:
    """Say whether a table has one row per system, with single numbers."""
    systems = parts.all("system") or [column for column in parts.all("item") if column.kind in ("labels", "ids")]
    systems = systems or [column for column in parts.columns if _is_unnamed(column)]
    if not systems or len(table.rows) < 2 or parts.first("preference") or parts.first("rater"):
        return False
    names = set(cells_in(table, systems[0].name))
    has_items = parts.first("item") not in (None, systems[0].name)
    if len(names) < len(table.rows) or has_items or any(column.kind == "text" for column in parts.columns):
        return False
    if joined_ids(sorted(map(str, names))) is not None:
        return False
    numeric = [column for column in parts.columns if column.is_numeric or column.kind == MEANS]
    in_lists = any(column.kind.startswith("lists") for column in parts.columns)
    are_named = systems[0].part == "system" or len(names) < _FEWEST_COMPARED
    return bool(numeric) and not in_lists and are_named


def cells_in(table: Table, name: str) -> list[Any]:
    """Return the cells of a column; lists and objects as texts, so that they can be counted."""
    cells = (cell_of(row, name) for row in table.rows)
    return [str(cell) if isinstance(cell, (list, dict)) else cell for cell in cells]


def scores_of_outputs(table: Table, parts: Parts) -> tuple[str, ...]:
    """Return the columns of numbers that are the same in all rows of an output; none without raters and items."""
    item = parts.first("item") or parts.text
    if item is None or parts.first("rater") is None:
        return ()
    keys = [item, *(name for part in ("system", "cluster", "slice") if (name := parts.first(part)) is not None)]
    outputs = list(zip(*(map(str, cells_in(table, name)) for name in keys), strict=True))
    scores = [column.name for column in parts.columns if column.part in ("score", "") and column.is_numeric]
    return tuple(name for name in scores if is_function(outputs, list(map(str, cells_in(table, name)))))


def column_of_repeated_numbers(table: Table, parts: Parts) -> str:
    """Return the column in each value of which the numbers of items begin again; "" for none."""
    item, cluster = parts.first("item"), parts.first("cluster") or parts.first("slice")
    if item is None or cluster is None:
        return ""
    items = cells_in(table, item)
    sources = [cells_in(table, column.name) for column in parts.all("source") if column.distinct > 1]
    if any(len(set(zip(items, cells, strict=True))) == len(set(items)) for cells in sources):
        return ""  # an item has one source: each number is of one
    pairs = set(zip(map(str, items), map(str, cells_in(table, cluster)), strict=True))
    return cluster if len(pairs) > len(set(map(str, items))) else ""


def items_of_systems(table: Table, parts: Parts, begin_again: str) -> dict[str, set[tuple[str, ...]]]:
    """Return the items of each system, with the value in which their numbers begin again, if they do.

    There are none without items or systems.
    """
    item, system = parts.first("item"), parts.first("system")
    found: dict[str, set[tuple[str, ...]]] = {}
    if item is None or system is None:
        return found
    columns = [cells_in(table, name) for name in (item, begin_again) if name]
    for of, *key in zip(cells_in(table, system), *columns, strict=True):
        if of is MISSING or is_blank(of):  # a row of another kind
            continue
        found.setdefault(str(of), set()).add(tuple(map(str, key)))
    return found


def systems_apart(by_system: Mapping[str, set[tuple[str, ...]]]) -> tuple[str, ...]:
    """Return the first system and one that shares no item with it; none if all do."""
    first = next(iter(by_system), "")
    return next(((first, other) for other in by_system if not by_system[first] & by_system[other]), ())


def are_unpaired(by_system: Mapping[str, set[tuple[str, ...]]]) -> bool:
    """Say whether no two systems share an item."""
    return len(by_system) > 1 and len(set.union(*by_system.values())) == sum(map(len, by_system.values()))


def share_few_items(by_system: Mapping[str, set[tuple[str, ...]]]) -> bool:
    """Say whether most systems share few items with the first: fewer than half of those that the smaller one has."""
    first, *others = by_system.values() or [set()]
    few = [2 * len(first & other) < min(len(first), len(other)) for other in others]
    return 2 * sum(few) > len(few)


def of_controls(table: Table, columns: Sequence[Column]) -> str:
    """Return the column of labels that calls a few rows controls; "" for none."""
    labels = [column.name for column in columns if column.kind == "labels" and column.part in ("", "slice", "text")]
    return next((name for name, _, _ in controls_in(table, labels)), "")


def have_no_order(table: Table, parts: Parts) -> bool:
    """Say whether no column tells items, and the order of each system's rows tells none.

    It tells none if systems differ in the number of rows, or rows of one place in their sources.
    """
    system = parts.first("system")
    if system is None or parts.first("item") is not None or parts.first("rater") is not None:
        return False
    systems = list(map(str, cells_in(table, system)))
    if len(set(Counter(systems).values())) > 1:
        return True
    named = [column.name for column in (*parts.all("source"), *parts.all("reference"))]
    sources = [[str(cell) if holds_something(cell) else "" for cell in cells_in(table, name)] for name in named]
    return any(n_unlike(_by_system(systems, cells)) for cells in sources)


def have_other_inputs(table: Table, parts: Parts) -> bool:
    """Say whether rows of one number are of other inputs for most numbers: each system counts its own rows.

    What is the same for all rows of a system is no input. Within documents or the like numbers may begin again.
    """
    item, system = next(iter(parts.all("item")), None), parts.first("system")
    if item is None or item.kind != "whole numbers" or system is None or parts.first("cluster") or parts.first("slice"):
        return False
    items, systems = ([str(cell) for cell in cells_in(table, name)] for name in (item.name, system))
    for column in parts.all("source"):
        cells = [str(cell) if holds_something(cell) else "" for cell in cells_in(table, column.name)]
        inputs: dict[str, set[str]] = {}
        for number, cell in zip(items, cells, strict=True):
            inputs.setdefault(number, set()).update({cell} - {""})
        if 2 * sum(len(of) > 1 for of in inputs.values()) > len(inputs) and not is_function(systems, cells):
            return True
    return False


def _by_system(systems: Sequence[str], cells: Sequence[str]) -> list[list[str]]:
    """Return the cells of each system, in the order of its rows."""
    found: dict[str, list[str]] = {}
    for name, cell in zip(systems, cells, strict=True):
        found.setdefault(name, []).append(cell)
    return list(found.values())
