"""Columns of what outputs were made from, such as prompts: outputs of one item have the same there."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence

from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.tables import Table

SOURCES = (
    "source|src|(?:source|src)_(?:text|segment|sentence)|"
    "input|mr|prompt|context|question|triples|meaning_representation|article|instruction|premise|"
    "history|dialogue_history|dialog_history|original|original_sentence|document|document_text|fact|knowledge|query"
)
"""Pattern of the names of such columns, in small letters with lines between words."""

OTHER_ITEMS = "`compare --unpaired` compares outputs of other items"
"""The end of a message on outputs that are not of the same items."""

LAST_MESSAGE = ".-1.content"
"""The end of the path to the content of the last message of a list."""

_ROLE, _USER = ".role", "user"


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
    return names_source(path.rpartition(".")[2]) or path.endswith(LAST_MESSAGE)


def last_messages(table: Table) -> list[str]:
    """Return the paths to the content of the last message of each list of messages that end with one of the user."""
    lists = [name.removesuffix(_ROLE) for name in table.names() if name.endswith(_ROLE)]
    return [f"{path}{LAST_MESSAGE}" for path in lists if _ends_with_user(table, path)]


def _ends_with_user(table: Table, path: str) -> bool:
    return bool(table.rows) and all(cell_of(row, f"{path}.-1{_ROLE}") == _USER for row in table.rows)


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
