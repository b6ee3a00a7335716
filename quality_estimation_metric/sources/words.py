"""Words of a text as the quality estimators read them: lower-cased, with punctuation and contractions apart."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"n't(?!\w)|'(?:s|m|d|re|ve|ll)(?!\w)|\d+(?:[.,:]\d+)+|(?:(?!n't(?!\w))\w)+(?:-\w+)*|[^\w\s]")


def split_words(text: str) -> list[str]:
    """Split a text into lower-cased words, punctuation marks and the parts of contractions.

    >>> split_words("I'm sorry, it doesn't allow kids.")
    ['i', "'m", 'sorry', ',', 'it', 'does', "n't", 'allow', 'kids', '.']
    """
    return _TOKEN.findall(text.lower().replace("’", "'"))


def plain(word: str) -> str:
    """Return a word lower-cased and without accents, by which words are compared.

    >>> plain("Café")
    'cafe'
    """
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(character for character in decomposed if not unicodedata.combining(character))
