"""Words that look like slips of the keyboard or the pen: unknown, and one edit away from a frequent word.

Edits are those of Damerau (1964): a letter left out, added, changed, or two neighbours swapped.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator

__all__ = ["SHORTEST", "edits", "is_misspelling"]

#: Shorter words are near to too many others: most are abbreviations and names.
SHORTEST = 4


def edits(word: str, alphabet: str = string.ascii_lowercase) -> Iterator[str]:
    """Yield all strings at one edit from a word; some more than once.

    >>> sorted(set(edits("at", "a")))
    ['a', 'aa', 'aat', 'at', 'ata', 't', 'ta']
    """
    for i in range(len(word) + 1):
        left, right = word[:i], word[i:]
        if right:
            yield left + right[1:]
            for letter in alphabet:
                yield left + letter + right[1:]
        if len(right) > 1:
            yield left + right[1] + right[0] + right[2:]
        for letter in alphabet:
            yield left + letter + right


def is_misspelling(word: str, frequent: Collection[str], alphabet: str = string.ascii_lowercase) -> bool:
    """Tell whether an unknown word stands one edit from a frequent one.

    Args:
        word: a word that the vocabulary does not hold, lower-cased.
        frequent: the frequent words, in a set.
        alphabet: the letters of the language.

    >>> is_misspelling("sciense", {"science"}), is_misspelling("zorb", {"science"}), is_misspelling("teh", {"the"})
    (True, False, False)
    """
    if len(word) < SHORTEST or not word.isalpha() or sum(letter not in alphabet for letter in word) > 1:
        return False  # one edit does not bring in or take away two foreign letters
    return any(edit in frequent for edit in edits(word, alphabet))
