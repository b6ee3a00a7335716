"""Messages of chats: lists of turns, and lists of answers that each hold one message, as `choices` of an API do."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from referenceless_metrics.advice.look.columns.choosing import texts_of, with_parts
from referenceless_metrics.advice.look.columns.column import Column
from referenceless_metrics.advice.look.columns.column_parts import part_by_name, parted
from referenceless_metrics.core.files.nested_rows import nestings, sample_inside
from referenceless_metrics.core.files.reading import Condition, cell_of
from referenceless_metrics.core.files.tables import Table
from referenceless_metrics.core.files.turns import Turn, is_assistant, is_user, tells_who_speaks, turns_in
from referenceless_metrics.core.support.validation import Record, shortened

_ROLE, _CONTENT = "role", "content"
_ANSWERS = re.compile(r"choices|outputs?|responses?|completions|generations|candidates|predictions|answers|replies")
_TEXT = "text"
_ROWS = "rows"
_FIELDS = (_TEXT, _CONTENT)
_TOLD = (_TEXT, "rating", "rating of a rater", "score", "preference", "candidates", "criterion")
"""Parts of columns that tell the content of the rows themselves."""


class Messages(NamedTuple):
    """A list of objects that are messages, or hold one each.

    Attributes:
        path: the list, for `--rows-in`.
        inside: the field of its objects that holds the message; "" for objects that are messages.
        turn: the fields of a message.
        speakers: those who speak, as the messages call them.
    """

    path: str
    inside: str
    turn: Turn
    speakers: frozenset[str]

    @property
    def are_answers(self) -> bool:
        """Whether all messages are of an assistant."""
        return _are_assistants(self.speakers)

    @property
    def options(self) -> list[str]:
        """The options that read the assistant's messages; it has one name if others speak, too."""
        where = [] if self.are_answers else ["--where", str(self.condition)]
        return ["--rows-in", self.path, *where, "--text-column", self._field(self.turn.said)]

    @property
    def condition(self) -> Condition:
        """The condition that leaves the turns of the assistant among those of others."""
        (assistant,) = filter(is_assistant, self.speakers)
        return Condition(self._field(self.turn.speaker), assistant)

    def _field(self, name: str) -> str:
        return f"{self.inside}.{name}" if self.inside else name


def messages_in(table: Table) -> list[Messages]:
    """Return the lists of messages in the rows of a table."""
    turns = turns_in(table.names())
    paths = nestings(table.rows) if turns else []
    found = []
    for holder, turn in turns.items():
        around = [path for path in paths if f"{holder}.".startswith(f"{path}.")]
        if not around:  # an object that is one message
            continue
        path = max(around, key=len)
        inside = holder[len(path) + 1 :]
        speaker = f"{inside}.{turn.speaker}" if inside else turn.speaker
        speakers = _cells_inside(table, path, speaker)
        if speakers and tells_who_speaks(turn.speaker, speakers):
            found.append(Messages(path, inside, turn, frozenset(speakers)))
    return found


def answers_in(table: Table, columns: Sequence[Column]) -> str | None:
    """Return the value of `--rows-in` that makes each answer of an assistant a row; None for other tables.

    Each object of the list holds one message, a part of one, or the text of an answer. None, too, if a column tells the
    content of the rows themselves.
    """
    if any(column.part in _TOLD for column in columns):
        return None
    of_messages = [each.path for each in messages_in(table) if each.inside and each.are_answers]
    return next(iter((*of_messages, *_lists_of_parts(table), *_lists_of_texts(table))), None)


def _lists_of_parts(table: Table) -> list[str]:
    """Return the lists whose objects are parts of an assistant's messages, with a text each: `content.text`."""
    names = set(table.names())
    ending = f".{_CONTENT}.{_TEXT}"
    holders = [name.removesuffix(ending) for name in table.names() if name.endswith(ending)]
    paths = [f"{holder}.{_CONTENT}" for holder in holders if f"{holder}.{_ROLE}" in names]
    known = nestings(table.rows) if paths else []
    return [path for path in paths if path in known and _are_assistants(_cells_inside(table, path, _ROLE))]


def _lists_of_texts(table: Table) -> list[str]:
    """Return the lists that are called as answers, and whose objects hold a text each: `choices.text`.

    If these name who speaks, it is an assistant each time.
    """
    names = table.names()
    turns = turns_in(names)
    named = [name.rpartition(".") for name in names]
    paths = [path for path, _, field in named if field in _FIELDS and _ANSWERS.fullmatch(path.rpartition(".")[2])]
    known = nestings(table.rows) if paths else []
    are_all = [_are_of_assistants(table, path, turns.get(path)) for path in paths]
    return [path for path, are_answers in zip(paths, are_all, strict=True) if path in known and are_answers]


def _are_of_assistants(table: Table, path: str, turn: Turn | None) -> bool:
    """Say whether a list names nobody who speaks, or assistants alone; None for objects without such a field."""
    if turn is None:
        return True
    speakers = _cells_inside(table, path, turn.speaker)
    return not tells_who_speaks(turn.speaker, speakers) or _are_assistants(speakers)


def _are_assistants(speakers: Collection[str]) -> bool:
    return bool(speakers) and all(map(is_assistant, speakers))


def _cells_inside(table: Table, path: str, name: str) -> set[str]:
    """Return the cells of a column of the rows inside the first rows."""
    return {str(cell_of(row, name)) for row in sample_inside(table.rows, path)}


def are_turns_of_users(rows: Sequence[Record]) -> bool:
    """Say whether rows are turns, some of which are of users, and so no outputs.

    >>> are_turns_of_users([{"from": "human", "value": "Where?"}, {"from": "gpt", "value": "There."}])
    True
    """
    turn = turns_in(f"{_ROWS}.{name}" for row in rows for name in row).get(_ROWS)
    if turn is None:
        return False
    speakers = {str(row.get(turn.speaker)) for row in rows}
    return tells_who_speaks(turn.speaker, speakers) and any(map(is_user, speakers))


def dialogues_in(table: Table) -> list[Messages]:
    """Return the lists of messages of an assistant, or of one assistant and others."""
    return [each for each in messages_in(table) if each.are_answers or sum(map(is_assistant, each.speakers)) == 1]


def parts_of_chats(table: Table, columns: Sequence[Column]) -> list[Column]:
    """Return columns of which the content of single messages of an assistant holds the outputs.

    Two such columns, or more, are of a system each, and play no part by their names. The last messages of lists that
    end with one of the user, which were answered, are a further column, of sources. Beside outputs, those of lists that
    end with one of the assistant are a further column, of references, as in files from which models are fine-tuned.
    """
    turns = turns_in(table.names())
    answers = [column.name for column in columns if _is_answer(table, column, turns)]
    found = with_parts(columns, dict.fromkeys(answers, _TEXT if len(answers) == 1 else ""))
    for each in messages_in(table):
        name = each.turn.last_said(each.path)
        cells = [cell_of(row, name) for row in table.rows]
        is_asked = not each.inside and all(map(is_user, texts_of(table, each.turn.last_speaker(each.path))))
        is_answered = not each.inside and _holds_outputs(columns) and _are_last(table, each)
        if (is_asked or is_answered) and all(isinstance(cell, str) for cell in cells):
            shown = shortened(" ".join(str(cells[0]).split()), 60)
            part = "source" if is_asked else "reference"
            found.append(Column(name, "text", shown, 0.0, len(set(cells)), part))
    return found


def _are_last(table: Table, messages: Messages) -> bool:
    """Say whether the last message of each list is of an assistant."""
    return _are_assistants(set(texts_of(table, messages.turn.last_speaker(messages.path))))


def _holds_outputs(columns: Sequence[Column]) -> bool:
    """Say whether a column of texts is called as outputs are, as `base_output`."""
    names = [column.name for column in columns if column.kind == "text" and column.part in ("", _TEXT)]
    words = [word for name in names if "." not in name for word in parted(name).split("_")]
    return any(part_by_name(Column(word, "text", "", 0.0, 1)) == _TEXT for word in words)


def _is_answer(table: Table, column: Column, turns: Mapping[str, Turn]) -> bool:
    """Say whether a column is what is said in one message of an assistant in each row.

    Args:
        table: the table.
        column: the column.
        turns: the fields of turns, as `turns_in` returns them.
    """
    holder, _, field = column.name.rpartition(".")
    if column.kind != "text" or column.part or holder not in turns or field != turns[holder].said:
        return False
    speakers = set(texts_of(table, f"{holder}.{turns[holder].speaker}")) - {""}
    return _are_assistants(speakers)
