"""Cells that hold several numbers: lists, or whole numbers with signs between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import cell_of, cell_text, from_json
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.human_evaluation.ratings.texts_as_names import are_sentences

_SEVERAL = re.compile(r"\s*\d{1,3}(?:\s*[,;/|]\s*\d{1,3}|\s+\d{1,3})*\s*")
"""Whole numbers with signs between them."""

_TRUTHS = {"true": True, "false": False}

_TIMES = 2  # that a name stands in lists, in the mean


def lists_in(cells: Sequence[object]) -> list[Any]:
    """Return cells with lists as such: JSON, or whole numbers with signs between them, as `4,2,3`.

    Two numbers alone may be one with a decimal comma: some cells have to hold three or more.
    """
    lists = [from_json(cell) for cell in cells]
    if not are_several_numbers([cell for cell in lists if not is_blank(cell)]):
        return lists
    return [None if is_blank(cell) else re.findall(r"\d+", str(cell)) for cell in lists]


def names_beside(cells: Sequence[object], counts: Sequence[int]) -> list[list[str]] | None:
    """Return lists of names in cells, each with as many different names as there are ratings beside it; else None.

    Args:
        cells: the cells.
        counts: the number of ratings in the cell beside each.

    >>> names_beside(["['ann', 'bo']", ["bo", "cy"]], [2, 2]), names_beside([["ann", "bo"]], [3])
    ([['ann', 'bo'], ['bo', 'cy']], None)
    """
    lists = [from_json(cell) for cell in cells]
    if not all(isinstance(each, list) and all(isinstance(name, str) for name in each) for each in lists):
        return None
    found = [[name.strip() for name in each] for each in lists]
    pairs = zip(found, counts, strict=True)
    return found if all(len(names) == len(set(names)) == n and all(names) for names, n in pairs) else None


def are_names(lists: Sequence[Sequence[str]]) -> bool:
    """Say whether lists hold names, most of which stand in several lists, and no remarks, references or other texts.

    >>> are_names([["ann", "bo"], ["bo", "ann"]]), are_names([["It is fine."], ["I like it."]])
    (True, False)
    >>> are_names([["The cat sat on the mat.", "A cat was sitting on it."]] * 6)
    False
    """
    counts = Counter(name for names in lists for name in names)
    return bool(counts) and _TIMES * len(counts) <= counts.total() and not are_sentences(list(counts))


def vary_in_truth(cells: Sequence[object]) -> bool:
    """Say whether cells hold lists of true and false alone, which differ in length.

    >>> vary_in_truth([[True], [True, False]]), vary_in_truth([[True, True], [True, False]])
    (True, False)
    """
    lists = [from_json(cell) for cell in cells]
    are_true_or_false = all(isinstance(each, list) and all(isinstance(part, bool) for part in each) for each in lists)
    return are_true_or_false and len({len(each) for each in lists}) > 1


def all_of_lists(table: Table, column: str) -> str:
    """Return the column that is true just in the rows where all of a list's answers are; "" for none.

    Such a list differs in length from row to row: each answer is on a part of the output, as an instruction, and no
    rater's.

    Args:
        table: the table.
        column: the column of lists.
    """
    cells = [cell_of(row, column) for row in table.rows]
    if not vary_in_truth(cells):
        return ""
    told = [all(from_json(cell)) for cell in cells]
    others = (name for name in table.names() if name != column and not all(told))
    return next((name for name in others if _truths(table, name) == told), "")


def _truths(table: Table, name: str) -> list[bool | None]:
    """Return the cells of a column that are true or false; None for others."""
    return [_TRUTHS.get(cell_text(cell_of(row, name)).strip().lower()) for row in table.rows]


def are_several_numbers(cells: Sequence[object]) -> bool:
    """Say whether filled cells hold whole numbers with signs between them, and some three or more.

    >>> are_several_numbers(["4,2,3", "5,5"]), are_several_numbers(["4,2", "5,5"]), are_several_numbers(["4", "5"])
    (True, False, False)
    """
    if not cells or not all(isinstance(cell, str) and _SEVERAL.fullmatch(cell) for cell in cells):
        return False
    return any(len(re.findall(r"\d+", str(cell))) > 2 for cell in cells)
