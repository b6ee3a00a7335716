"""Messages of chats: lists of turns, and lists of answers that each hold one message, as `choices` of an API do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from referenceless_metrics.advice.look.choosing import texts_of
from referenceless_metrics.advice.look.columns import Column
from referenceless_metrics.core.files.nested_rows import nestings, sample_inside
from referenceless_metrics.core.files.reading import cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.support.validation import shortened

_ASSISTANT = "assistant"
_USER = "user"
_ROLE, _CONTENT = "role", "content"
_ANSWERS = re.compile(r"choices|outputs?|responses?|completions|generations|candidates|predictions|answers|replies")
_LAST = ".-1"
_TEXT = "text"
_FIELDS = (_TEXT, _CONTENT)
_TOLD = (_TEXT, "rating", "rating of a rater", "score", "preference", "candidates", "criterion")
"""Parts of columns that tell the content of the rows themselves."""


class Messages(NamedTuple):
    """A list of objects that are messages, or hold one each.

    Attributes:
        path: the list, for `--rows-in`.
        inside: the field of its objects that holds the message; "" for objects that are messages.
        roles: the roles of the messages.
    """

    path: str
    inside: str
    roles: frozenset[str]

    @property
    def options(self) -> list[str]:
        """The options that read the assistant's messages."""
        of_role = [] if self.roles == {_ASSISTANT} else ["--where", f"{self._field(_ROLE)}={_ASSISTANT}"]
        return ["--rows-in", self.path, *of_role, "--text-column", self._field(_CONTENT)]

    def _field(self, name: str) -> str:
        return f"{self.inside}.{name}" if self.inside else name


def messages_in(table: Table) -> list[Messages]:
    """Return the lists of messages in the rows of a table."""
    names = set(table.names())
    holders = [name.rpartition(".")[0] for name in table.names() if name.rpartition(".")[2] == _ROLE]
    holders = [holder for holder in holders if holder and f"{holder}.{_CONTENT}" in names]
    paths = nestings(table.rows) if holders else []
    found = []
    for holder in holders:
        around = [path for path in paths if f"{holder}.".startswith(f"{path}.")]
        if not around:  # an object that is one message
            continue
        path = max(around, key=len)
        inside = holder[len(path) + 1 :]
        role = f"{inside}.{_ROLE}" if inside else _ROLE
        found.append(Messages(path, inside, frozenset(_cells_inside(table, path, role))))
    return found


def answers_in(table: Table, columns: Sequence[Column]) -> str | None:
    """Return the value of `--rows-in` that makes each answer of an assistant a row; None for other tables.

    Each object of the list holds one message, a part of one, or the text of an answer. None, too, if a column tells the
    content of the rows themselves.
    """
    if any(column.part in _TOLD for column in columns):
        return None
    of_messages = [each.path for each in messages_in(table) if each.inside and each.roles == {_ASSISTANT}]
    return next(iter((*of_messages, *_lists_of_parts(table), *_lists_of_texts(table))), None)


def _lists_of_parts(table: Table) -> list[str]:
    """Return the lists whose objects are parts of an assistant's messages, with a text each: `content.text`."""
    names = set(table.names())
    ending = f".{_CONTENT}.{_TEXT}"
    holders = [name.removesuffix(ending) for name in table.names() if name.endswith(ending)]
    paths = [f"{holder}.{_CONTENT}" for holder in holders if f"{holder}.{_ROLE}" in names]
    known = nestings(table.rows) if paths else []
    return [path for path in paths if path in known and _cells_inside(table, path, _ROLE) == {_ASSISTANT}]


def _lists_of_texts(table: Table) -> list[str]:
    """Return the lists that are called as answers, and whose objects hold a text each: `choices.text`.

    If these have roles, they are all of an assistant.
    """
    names = table.names()
    named = [name.rpartition(".") for name in names]
    paths = [path for path, _, field in named if field in _FIELDS and _ANSWERS.fullmatch(path.rpartition(".")[2])]
    known = nestings(table.rows) if paths else []
    are_all = [f"{path}.{_ROLE}" not in names or _cells_inside(table, path, _ROLE) == {_ASSISTANT} for path in paths]
    return [path for path, are_answers in zip(paths, are_all, strict=True) if path in known and are_answers]


def _cells_inside(table: Table, path: str, name: str) -> set[str]:
    """Return the cells of a column of the rows inside the first rows."""
    return {str(cell_of(row, name)) for row in sample_inside(table.rows, path)}


def dialogues_in(table: Table) -> list[Messages]:
    """Return the lists of messages among which there are some of an assistant."""
    return [each for each in messages_in(table) if _ASSISTANT in each.roles]


def parts_of_chats(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which the content of single messages of an assistant holds the outputs.

    The last messages of lists that end with one of the user, which were answered, are a further column, of sources.
    """
    found = [replace(column, part=_TEXT) if _is_answer(table, column) else column for column in columns]
    for each in messages_in(table):
        last = f"{each.path}{_LAST}"
        name = f"{last}.{_CONTENT}"
        cells = [cell_of(row, name) for row in table.rows]
        is_asked = not each.inside and set(texts_of(table, f"{last}.{_ROLE}")) == {_USER}
        if is_asked and all(isinstance(cell, str) for cell in cells):
            shown = shortened(" ".join(str(cells[0]).split()), 60)
            found.append(Column(name, "text", shown, 0.0, len(set(cells)), "source"))
    return found


def is_last_message(name: str) -> bool:
    """Say whether a column is that of the last messages of lists.

    >>> is_last_message("messages.-1.content"), is_last_message("prompt")
    (True, False)
    """
    return name.endswith(f"{_LAST}.{_CONTENT}")


def _is_answer(table: Table, column: Column) -> bool:
    """Say whether a column is the content of one message of an assistant in each row."""
    holder, _, field = column.name.rpartition(".")
    is_content = holder and field == _CONTENT and column.kind == "text" and not column.part
    return bool(is_content) and set(texts_of(table, f"{holder}.{_ROLE}")) - {""} == {_ASSISTANT}
