"""ROUGE-L of many texts with the best of their references (`score_multi` of the rouge-score package), compiled.

Word tokenisation for the overlap metrics: any script, or exactly what rouge-score does.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from metric_commons.metric import check_references
from metric_commons.support.validation import Floats, check_choice, check_texts
from metric_commons.support.words import ascii_words, code_points, lcs_lengths_of_pairs, rouge_stemmer, rouge_words

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


References = Sequence[Sequence[str]] | Sequence[str]

# In characters, texts and references together. A word takes two, with the space: a block's types fit above.
_BLOCK_LENGTH = 2_000_000
# From so many different texts on they are tokenised together; below, loading the kernel does not pay.
_MANY_TEXTS = 2_000


def _encode_together(texts: list[str], tokenise: Tokenise, stem_word: Callable[[str], str] | None) -> Iterator[str]:
    """`_encode` for many texts, with the compiled kernel."""
    from slor_metric.rouge.compiled import WORD_BYTES, number_words

    # The kernel finds the words of ASCII text; elsewhere they are found first and joined by spaces.
    spaced = [text if text.isascii() and "\0" not in text else " ".join(tokenise(text)) for text in texts]
    data = "\0".join(spaced).encode().translate(WORD_BYTES)
    numbers, starts, ends = number_words(np.frombuffer(data, dtype=np.uint8))
    points = code_points(len(starts))
    if stem_word is not None:
        number_of: dict[str, int] = {}
        words = (data[start:end].decode() for start, end in zip(starts, ends, strict=True))
        stemmed = [number_of.setdefault(stem_word(word), number) for number, word in enumerate(words, 1)]
        points[1:] = points[stemmed]
    encoded: str = points[numbers].tobytes().decode("utf-32-le")
    return iter(encoded.split("\0"))


def _encode(texts: Iterable[str], tokenise: Tokenise, stem_word: Callable[[str], str] | None) -> dict[str, str]:
    """Write each text as a string of one character a token, the form that RapidFuzz compares fastest."""
    encoded = dict.fromkeys(texts, "")
    if tokenise in (tokenise_unicode, rouge_words) and len(encoded) >= _MANY_TEXTS:
        return dict(zip(encoded, _encode_together(list(encoded), tokenise, stem_word), strict=True))
    points = itertools.chain(range(1, 0xD800), range(0xE000, 0x110000))  # all characters but the surrogates
    characters: defaultdict[str, str] = defaultdict(lambda: chr(next(points)))
    for text in encoded:
        tokens = tokenise(text) if stem_word is None else map(stem_word, tokenise(text))
        encoded[text] = "".join(map(characters.__getitem__, tokens))
    return encoded


def _best_f(candidates: list[str], references: list[str], counts: list[int]) -> Floats:
    """Return each encoded candidate's highest ROUGE-L F over its `counts` encoded references."""
    repeated = list(itertools.chain.from_iterable(map(itertools.repeat, candidates, counts)))
    lcs = lcs_lengths_of_pairs(repeated, references)
    total = np.fromiter(map(len, references), np.int64) + np.fromiter(map(len, repeated), np.int64)
    # 2·P·R / (P + R) with P = lcs / |candidate| and R = lcs / |reference|; two empty texts have no overlap
    f_measure = 2.0 * lcs / np.maximum(total, 1)
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    best: Floats = np.maximum.reduceat(f_measure, starts)
    return best


def _blocks(texts: list[str], lists: list[list[str]]) -> Iterator[tuple[int, int]]:
    """Cut the candidates into blocks of bounded length, which bounds memory and the number of token types."""
    start = length = 0
    for position, (text, alternatives) in enumerate(zip(texts, lists, strict=True)):
        length += len(text) + sum(map(len, alternatives))
        if length >= _BLOCK_LENGTH:
            yield start, position + 1
            start, length = position + 1, 0
    if start < len(texts):
        yield start, len(texts)


def rouge_l_mult(
    candidates: Sequence[str],
    references: References,
    *,
    tokenize: str | Tokenise = "unicode",
    stem: bool = False,
) -> Floats:
    """ROUGE-L F of each candidate against the reference that it agrees with most (ROUGE-L-mult).

    F is the harmonic mean of precision LCS / |candidate| and recall LCS / |reference| (Lin 2004), LCS the
    length of the longest common subsequence in tokens. With `tokenize="rouge_score"` these are the values of
    the rouge-score package's `score_multi`, stemmed or not.

    Args:
        candidates: the texts to score.
        references: for each candidate a list of reference texts, or one reference text.
        tokenize: see `slor_metric.rouge.rouge_l.get_tokeniser`.
        stem: whether to apply the Porter stemmer, as rouge-score's `use_stemmer` (English; extra `rouge`).

    Returns:
        F in [0, 1], shape (n candidates,); 0 for a candidate without any token, as in rouge-score.

    Raises:
        TypeError: for a bare string or an item that is no string.
        ValueError: for missing references or a number of references that is not that of the candidates.

    >>> rouge_l_mult(["the cat sat"], [["a cat sat down", "the cat sat"]]).tolist()
    [1.0]
    """
    texts = check_texts(candidates, "candidates")
    lists = check_references(references, len(texts))
    tokenise, stem_word = get_tokeniser(tokenize), get_stemmer(stem)
    best = np.zeros(len(texts))
    for start, stop in _blocks(texts, lists):
        own, alternatives = texts[start:stop], lists[start:stop]
        flat = list(itertools.chain.from_iterable(alternatives))
        encoded = _encode(itertools.chain(own, flat), tokenise, stem_word)
        best[start:stop] = _best_f(
            [encoded[text] for text in own], [encoded[text] for text in flat], list(map(len, alternatives))
        )
    return best
