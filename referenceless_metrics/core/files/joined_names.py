"""Cells that name several systems whose outputs are the same, as `smt,lstm`: a row becomes one for each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from referenceless_metrics.core.files.left_out_rows import is_blank
from referenceless_metrics.core.files.reading import MISSING, cell_of, from_json
from referenceless_metrics.core.files.tables import Table

_SIGNS = re.compile(r"\s*[,;|]\s*")


def with_single_names(table: Table, column: str) -> tuple[Table, list[str]]:
    """Return a table with a row for each name in a cell that holds several, and a note; the table itself if none does.

    Args:
        table: the table.
        column: the column of names, such as systems; the table need not have it.
    """
    if not table.has(column):
        return table, []
    cells = [from_json(cell_of(row, column)) for row in table.rows]
    several = _several(cells)
    if not several:
        return table, []
    rows = []
    lines = []
    joined = ""
    n_joined = 0
    for place, (row, cell) in enumerate(zip(table.rows, cells, strict=True)):
        names = several.get(_key(cell), [cell])
        if len(names) > 1:
            joined = joined or _key(cell)
            n_joined += 1
        for name in names:
            rows.append(row if name is MISSING else {**row, str(column): name})
            lines += table.lines[place : place + 1]
    if not n_joined:  # lists of one name each
        return replace(table, rows=rows), []
    note = (
        f"{n_joined} rows name several in column {str(column)!r}, such as {joined!r}: each counts as a row of each of "
        f"them ({len(table.rows)} rows become {len(rows)})"
    )
    return replace(table, rows=rows, lines=lines), [note]


def _key(cell: Any) -> str:
    return ", ".join(map(str, cell)) if isinstance(cell, (list, tuple)) else str(cell).strip()


def _several(cells: Sequence[Any]) -> Mapping[str, list[str]]:
    """Return the names in each cell, if some hold several; nothing else.

    Texts with a comma or another sign between names are several if each name stands alone elsewhere, or is the first of
    one cell and a later one of another; texts with blanks between them, if there are several and each name stands
    alone. So `GPT-4, few-shot` and `base large` are one name.

    >>> _several(["smt,lstm", "lstm", "smt"])["smt,lstm"], _several(["GPT-4", "GPT-4, few-shot", "Llama, few-shot"])
    (['smt', 'lstm'], {})
    """
    lists = [cell for cell in cells if isinstance(cell, (list, tuple))]
    if lists and all(isinstance(each, str) for cell in lists for each in cell) and all(lists):
        return {_key(cell): list(cell) for cell in lists}
    texts = {_key(cell) for cell in cells if isinstance(cell, str) and not is_blank(cell)}
    for pattern in (_SIGNS, re.compile(r"\s+")):
        parted = {text: pattern.split(text) for text in texts}
        joined = [parts for parts in parted.values() if len(parts) > 1]
        names = {part for parts in joined for part in parts}
        alone = names & texts
        first = {parts[0] for parts in joined}
        later = {part for parts in joined for part in parts[1:]}
        others = names - alone
        by_place = pattern is _SIGNS and alone and others <= first & later
        is_enough = len(joined) > 1 or pattern is _SIGNS  # of one name with a blank, its words may be names by chance
        if joined and is_enough and "" not in names and (not others or by_place):
            return parted
    return {}
