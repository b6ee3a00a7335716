"""Words as ROUGE reads them: rouge-score's tokenisation and stemming, and longest common subsequences of token lists.

RapidFuzz finds subsequences 64 tokens to a machine word (Hyyrö 2004). It compares strings fastest, so a text is written
as a string with one character per token.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from referenceless_metrics.core.support.installation import import_extra

_REMEMBERED = 1 << 18

_LONGEST_UNSTEMMED = 3

_ASCII_WORDS = bytes(ord(chr(code).lower()) if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256))


def ascii_words(text: str) -> list[str]:
    """Return the lower-cased runs of letters and digits of an ASCII text."""
    return text.encode("ascii").translate(_ASCII_WORDS).decode("ascii").split()


def rouge_words(text: str) -> list[str]:
    """Return the lower-cased runs of ASCII letters and digits, as the rouge-score package tokenises.

    Characters outside ASCII separate words and vanish, so a text in another script has no words.

    >>> rouge_words("It's 3 o'clock, où est 東京?")
    ['it', 's', '3', 'o', 'clock', 'o', 'est']
    """
    # Lower-casing comes first: it makes ASCII of a few characters beyond it, such as the Kelvin sign.
    return ascii_words(text.lower().encode("ascii", "replace").decode("ascii"))


def porter_stemmer(needed_by: str) -> Callable[[str], str]:
    """Return nltk's Porter stemmer, one for all, which remembers the words that it has seen.

    Args:
        needed_by: the user of the stemmer, for the error message.

    Raises:
        ImportError: without nltk; the message names the extra.
    """
    import_extra("nltk.stem.porter", "rouge", needed_by)
    return _stemmer()


def rouge_stemmer(needed_by: str) -> Callable[[str], str]:
    """Return the stemmer of the rouge-score package, which leaves words of up to three letters as they are.

    Raises:
        ImportError: without nltk; the message names the extra.
    """
    stem = porter_stemmer(needed_by)

    def stem_word(word: str) -> str:
        return stem(word) if len(word) > _LONGEST_UNSTEMMED else word

    return stem_word


@cache
def _stemmer() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return lru_cache(maxsize=_REMEMBERED)(stem)
