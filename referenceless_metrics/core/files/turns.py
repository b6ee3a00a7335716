"""Turns of conversations: the fields that name who speaks and what is said, and the words for who speaks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_AUTHOR = "author"
SPEAKERS = ("role", "from", "speaker", "sender", _AUTHOR)
"""Fields of who speaks: `role` in APIs, `from` in ShareGPT's files. An author may be that of any text."""

_SAID = ("content", "value", "text", "message")
"""Fields of what is said: `content` in APIs, `value` in ShareGPT's files."""

_ASSISTANTS = frozenset(("assistant", "gpt", "chatgpt", "model", "bot", "chatbot", "ai"))
_USERS = frozenset(("user", "human", "prompter"))
_LAST = ".-1"


class Turn(NamedTuple):
    """The fields of a turn.

    Attributes:
        speaker: the field of who speaks.
        said: the field of what is said.
    """

    speaker: str
    said: str

    def last_speaker(self, turns: str) -> str:
        """Return the path to who speaks last in a list of turns."""
        return f"{turns}{_LAST}.{self.speaker}"

    def last_said(self, turns: str) -> str:
        """Return the path to what is said last in a list of turns.

        >>> Turn("from", "value").last_said("conversations")
        'conversations.-1.value'
        """
        return f"{turns}{_LAST}.{self.said}"


def turns_in(names: Iterable[str]) -> dict[str, Turn]:
    """Return the fields of turns among the dotted names of columns, by the list or the object that holds them.

    >>> turns_in(["id", "chat.from", "chat.value", "answer.text"])
    {'chat': Turn(speaker='from', said='value')}
    """
    known = dict.fromkeys(names)
    holders = dict.fromkeys(holder for name in known if (holder := name.rpartition(".")[0]))
    found = {}
    for holder in holders:
        speaker = next((field for field in SPEAKERS if f"{holder}.{field}" in known), None)
        said = next((field for field in _SAID if f"{holder}.{field}" in known), None)
        if speaker is not None and said is not None:
            found[holder] = Turn(speaker, said)
    return found


def is_assistant(speaker: object) -> bool:
    """Say whether one who speaks is an assistant.

    >>> is_assistant("GPT"), is_assistant("human")
    (True, False)
    """
    return isinstance(speaker, str) and speaker.lower() in _ASSISTANTS


def is_user(speaker: object) -> bool:
    """Say whether one who speaks is the user of an assistant.

    >>> is_user("human"), is_user("gpt"), is_user(None)
    (True, False, False)
    """
    return isinstance(speaker, str) and speaker.lower() in _USERS


def is_last_said(path: str) -> bool:
    """Say whether a path leads to what is said last in a list of turns.

    >>> is_last_said("messages.-1.content"), is_last_said("prompt")
    (True, False)
    """
    return re.fullmatch(rf".+{re.escape(_LAST)}\.(?:{'|'.join(_SAID)})", path) is not None


def tells_who_speaks(field: str, cells: Iterable[str]) -> bool:
    """Say whether a field of `SPEAKERS` names who speaks; authors do if they are called assistants and users.

    >>> tells_who_speaks("speaker", ["Ann"]), tells_who_speaks("author", ["Ann"]), tells_who_speaks("author", ["bot"])
    (True, False, True)
    """
    return field != _AUTHOR or all(is_assistant(cell) or is_user(cell) for cell in cells)
