"""Columns of what outputs were made from, such as prompts: outputs of one item have the same there."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.turns import is_last_said, is_user, turns_in

SOURCES = (
    "source|src|(?:source|src|orig|original)_(?:text|segment|sentence|sent)|orig|"
    "input|mr|prompt|context|question|triples|meaning_representation|article|instruction|premise|"
    "history|dialogue_history|dialog_history|original|document|document_text|fact|knowledge|query|"
    "artikel|artikeltext|quelltext|ausgangstext|originaltext"
)
"""Pattern of the names of such columns, in small letters with lines between words."""

OTHER_ITEMS = "`compare --unpaired` compares outputs of other items"
"""The end of a message on outputs that are not of the same items."""


def names_source(name: str) -> bool:
    """Say whether a column is called as one of sources is.

    >>> names_source("Prompt"), names_source("source text"), names_source("prompt_id")
    (True, True, False)
    """
    return re.fullmatch(SOURCES, re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")) is not None


def tells_source(path: str) -> bool:
    """Say whether a column, or a field of objects in one, holds sources by its name, or is a user's last message.

    >>> tells_source("request.prompt"), tells_source("messages.-1.content"), tells_source("prompt.id")
    (True, True, False)
    """
    return names_source(path.rpartition(".")[2]) or is_last_said(path)


def last_messages(table: Table) -> list[str]:
    """Return the paths to what is said last in each list of turns that all end with one of the user."""
    if not table.rows:
        return []
    turns = turns_in(table.names()).items()
    ends = {turn.last_said(path): turn.last_speaker(path) for path, turn in turns}
    return [said for said, speaker in ends.items() if all(is_user(cell_of(row, speaker)) for row in table.rows)]


def n_unlike(cells: Sequence[Sequence[Hashable]], blank: Hashable = "") -> int:
    """Return the number of items whose outputs have different sources.

    Systems with one cell each for all items were told something there, and it is no source.

    Args:
        cells: the cells of each system, one per item, in the same order.
        blank: a blank cell, which differs from no other.

    >>> n_unlike([["a", "b", ""], ["a", "c", "d"]]), n_unlike([["short", "short"], ["long", "long"]])
    (1, 0)
    """
    if all(len(set(of_system)) == 1 for of_system in cells):
        return 0
    return sum(len({*of_item} - {blank}) > 1 for of_item in zip(*cells, strict=True))
