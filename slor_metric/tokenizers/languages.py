"""Languages by their codes, and how text of each is cut into tokens where nobody says otherwise."""

from __future__ import annotations

import re

from metric_commons.support.validation import describe

__all__ = ["UNSPACED", "check_language", "default_tokenizer"]

UNSPACED = frozenset("bo dz gan hak ja khb km lo lzh my nan shn th wuu yue zh".split())  # noqa: SIM905
"""Languages that are written without spaces between words."""

_CODE = re.compile(r"[a-z]{2,3}$")


def check_language(language: str) -> str:
    """Return the code of a language after checking that it can be one.

    Raises:
        TypeError: for anything but a string.
        ValueError: for anything but two or three small letters (ISO 639).
    """
    if not isinstance(language, str):
        raise TypeError(f"Expected argument `language` to be a code such as 'ru', but got {describe(language)}")
    if not _CODE.match(language):
        raise ValueError(
            "Expected argument `language` to be a code of two or three small letters, such as 'ru', "
            f"but got {language!r}"
        )
    return language


def default_tokenizer(language: str | None) -> str:
    """Return the tokenisation for a language: characters where no spaces part words, else WordPieces.

    Without a language it is ``"words"``.

    >>> default_tokenizer("ja"), default_tokenizer("ru"), default_tokenizer(None)
    ('characters', 'wordpiece', 'words')
    """
    if language is None:
        return "words"
    return "characters" if check_language(language) in UNSPACED else "wordpiece"
