"""Word tokenisation for the overlap metrics: any script, or exactly what rouge-score does."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable

from metric_commons.support.validation import check_choice
from metric_commons.support.words import ascii_words, rouge_stemmer, rouge_words

Tokenise = Callable[[str], list[str]]

# A word is a letter or digit followed by letters, digits, combining marks and (zero-width) joiners. Scripts
# that are written without spaces have no such words: each of their characters, with its marks, is a token.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Yi}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_BASE = rf"[[\p{{L}}\p{{N}}]--[{_UNSPACED}]]"
_WORD = rf"[[\p{{L}}\p{{N}}]&&[{_UNSPACED}]]\p{{M}}*|{_BASE}(?:{_BASE}|[\p{{M}}\u200c\u200d])*"


# Latin, IPA, quotation marks, dashes: no combining marks, no joiners, no unspaced scripts. For these the
# standard library's faster expressions do.
_is_simple = re.compile(r"[\x00-\u02ff\u2010-\u2027\u2030-\u205e]*").fullmatch
_simple_words = re.compile(r"[^\W_]+").findall


@functools.cache
def _word_pattern() -> Callable[[str], list[str]]:
    import regex  # loaded only for text beyond ASCII

    findall: Callable[[str], list[str]] = regex.compile(_WORD, flags=regex.VERSION1).findall
    return findall


def tokenise_unicode(text: str) -> list[str]:
    """Return the case-folded words of a text in any script.

    Letters and digits of any script make words, together with their combining marks; characters of scripts
    that are written without spaces (Chinese, Japanese, Thai, …) are tokens of their own; punctuation, symbols
    and emoji are dropped. The text is first brought to Unicode's NFKC form, so that composed and decomposed,
    full-width and ordinary characters agree. On ASCII text this is exactly rouge-score's tokenisation.

    >>> tokenise_unicode("It's 3 o'clock.")
    ['it', 's', '3', 'o', 'clock']
    >>> tokenise_unicode("Où est 東京タワー?")
    ['où', 'est', '東', '京', 'タ', 'ワ', 'ー']
    """
    if text.isascii():
        return ascii_words(text)
    # folding can undo the normal form: a few characters fold to sequences that are not normal
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _simple_words(folded) if _is_simple(folded) else _word_pattern()(folded)


def get_stemmer(stem: bool) -> Callable[[str], str] | None:
    """Return the Porter stemmer for single tokens, as rouge-score applies it, or None for `stem=False`.

    Raises:
        ImportError: for `stem=True` without nltk.
    """
    return rouge_stemmer("stem=True") if stem else None


def get_tokeniser(tokenize: str | Tokenise = "unicode") -> Tokenise:
    """Return the function from a text to its tokens.

    Args:
        tokenize: `"unicode"` (words in any script), `"rouge_score"` (ASCII, as that package does), `"none"`
            (tokenised already: split at white space), or a callable from a text to a list of strings.

    Raises:
        ValueError: for an unknown name.
    """
    if callable(tokenize):
        return tokenize
    check_choice(tokenize, "tokenize", tuple(TOKENIZERS))
    return TOKENIZERS[tokenize]


#: The tokenisers by name; any callable from a text to a list of tokens is accepted in their place.
TOKENIZERS: dict[str, Tokenise] = {"unicode": tokenise_unicode, "rouge_score": rouge_words, "none": str.split}
