"""Sources as tuples of triples, and the words of a text as the estimators read them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeAlias

from referenceless_metrics.core.support.normal_forms import normalise
from referenceless_metrics.core.support.validation import InputError

Source: TypeAlias = "str | Mapping[str, Any] | Sequence[Any]"

PLAIN_TEXT = "text"
"""The act of the one triple that a source of plain text becomes; its value is the text."""

DEFAULT_ACT = "inform"
"""The act of formats that have none (E2E, records): they state facts."""

MALFORMED = "malformed meaning representation"
"""Beginning of the message of every error of a source, by which callers can tell it from others."""

_CONTEXT = 15
_TOKEN = re.compile(r"n't(?!\w)|'(?:s|m|d|re|ve|ll)(?!\w)|\d+(?:[.,:]\d+)+|(?:[^\Wn]+|n(?!'t(?!\w)))+(?:-\w+)*|[^\w\s]")

_MOST_KEPT = 1 << 16  # runs of characters between white space whose words are kept
_LONGEST_KEPT = 100  # characters of such a run


class Triple(NamedTuple):
    """One item of a source: (act, slot, value) of a dialogue act, or (subject, predicate, object) of a fact.

    A request has a slot without a value, and an act like `goodbye()` neither.
    """

    act: str
    slot: str | None = None
    value: str | None = None


Triples: TypeAlias = "tuple[Triple, ...]"
"""Type of a source that was read."""


def is_plain_text(triples: Sequence[Triple]) -> bool:
    """Say whether a source was plain text rather than a structure.

    >>> is_plain_text((Triple("text", None, "How are you?"),))
    True
    """
    return len(triples) == 1 and triples[0].act == PLAIN_TEXT and triples[0].slot is None


def fail(source: str, position: int, problem: str) -> NoReturn:
    """Raise the error of a malformed source, which shows the place."""
    begin = max(0, position - _CONTEXT)
    before = ("…" if begin else "") + source[begin:position]
    after = source[position : position + _CONTEXT] + ("…" if position + _CONTEXT < len(source) else "")
    shown = f"{before!r} and before {after!r}" if after else f"{before!r}, at the end"
    raise InputError(f"{MALFORMED}: {problem} at character {position}, after {shown}")


def split_words(text: str) -> list[str]:
    """Split a text into lower-cased words, punctuation marks and the parts of contractions.

    >>> split_words("I'm sorry, it doesn't allow kids.")
    ['i', "'m", 'sorry', ',', 'it', 'does', "n't", 'allow', 'kids', '.']
    """
    return list(chain.from_iterable(map(_words_of_chunk, text.split())))


class _WordsOfChunks(dict[str, tuple[str, ...]]):
    """Maps a run of characters between white space to its words: none reaches across, and most runs come again.

    It is emptied when it is full. Long runs are not kept, so that it takes little memory.
    """

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        words = tuple(_TOKEN.findall(_lower(chunk)))
        if len(self) >= _MOST_KEPT:
            self.clear()
        if len(chunk) <= _LONGEST_KEPT:
            self[chunk] = words
        return words


_words_of_chunk = _WordsOfChunks().__getitem__


def _lower(text: str) -> str:
    """Return a text in lower case, with plain apostrophes."""
    return text.lower().replace("’", "'")


def plain(word: str) -> str:
    """Return a word lower-cased and without accents, by which words are compared.

    >>> plain("Café")
    'cafe'
    """
    if word.isascii():
        return word.lower()
    decomposed = normalise("NFKD", word.lower())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
