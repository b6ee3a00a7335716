"""Tokens of texts as whole numbers: characters by default, or any of sacrebleu's tokenisers by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, chain, repeat

import numpy as np

from referenceless_metrics.core.support.validation import Integers, Record

CHARACTERS = "char"
"""The default: every code point is a token, spaces included (sacrebleu's tokeniser of that name drops them)."""

CHARACTERS_WITHOUT_SPACES = "char-nospace"
"""sacrebleu's `char`: every code point but white space is a token."""

WITHOUT_SACREBLEU = (CHARACTERS, CHARACTERS_WITHOUT_SPACES, "13a")
"""Usual tokenisers, which are known without an import of sacrebleu."""

DOWNLOADED = ("spm", "flores101", "flores200")
"""Tokenisers of sacrebleu that are models, which it downloads at their first use."""


@lru_cache(maxsize=1)
def known_tokenizers() -> tuple[str, ...]:
    """Return the names that `tokenize=` accepts, the default first."""
    from sacrebleu.metrics import BLEU

    others = [name for name in BLEU.TOKENIZERS if name != "char"]
    return (CHARACTERS, CHARACTERS_WITHOUT_SPACES, *others)


@lru_cache(maxsize=16)
def _sacrebleu_tokenizer(name: str) -> Callable[[str], str]:
    """Return sacrebleu's own tokeniser.

    Raises:
        RuntimeError: if sacrebleu needs a package or a model that is not there (`ja-mecab`, `spm`, …); the
            message is sacrebleu's own.
    """
    from sacrebleu.metrics import BLEU

    tokenizer: Callable[[str], str] = BLEU(tokenize="char" if name == CHARACTERS_WITHOUT_SPACES else name).tokenizer
    return tokenizer


def tokenize_all(texts: Sequence[str], name: str) -> list[list[str]]:
    """Return the tokens of each text, as sacrebleu's BLEU would see them."""
    if name == CHARACTERS:
        return [list(text) for text in texts]
    tokenizer = _sacrebleu_tokenizer(name)
    return [str(tokenizer(text.rstrip())).split() for text in texts]


def tokenize(text: str, name: str) -> list[str]:
    """Return the tokens of one text under the tokeniser called `name`.

    >>> tokenize("to be", "char")
    ['t', 'o', ' ', 'b', 'e']
    >>> tokenize("To be, or not", "13a")
    ['To', 'be', ',', 'or', 'not']
    """
    return tokenize_all([text], name)[0]


_BY_WORD = ("13a", "none")
"""sacrebleu tokenisers whose rules never look past white space, so that texts can be tokenised word by word.

`intl` is none of them: its rules need a neighbouring character, which a mark at the edge of a text does not have.
"""

_SEPARATOR = "\ue000"
"""A private-use character that those tokenisers do not change between spaces."""

_ACROSS_WORDS = (_SEPARATOR, "-\n", "<skipped>")
"""Parts of texts that are not tokenised word by word: 13a joins a line that ends in a hyphen with the next one, and
drops "<skipped>" between the two. No other rule reaches across white space."""

_MOST_WORDS_REMEMBERED = 1_000_000


def _tokenize_words(words: list[str], name: str) -> list[list[str]]:
    """Tokenise words in one call of a `_BY_WORD` tokeniser: its time goes to calls, not to text."""
    tokenizer = _sacrebleu_tokenizer(name)
    tokens = [part.split() for part in str(tokenizer(f" {_SEPARATOR} ".join(words))).split(_SEPARATOR)]
    # sacrebleu caches each input. These long ones never occur twice and would only fill memory.
    for part in (tokenizer, getattr(tokenizer, "_post_tokenizer", None)):
        forget = getattr(type(part).__call__, "cache_clear", None)
        if forget is not None:
            forget()
    return tokens


class Vocabulary:
    """Numbers of words, given while learning; later, an unknown word has -1."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def number(self, words: Sequence[str], learning: bool) -> list[int]:
        """Return the numbers of words."""
        if learning:
            return [self.numbers.setdefault(word, len(self.numbers)) for word in words]
        return [self.numbers.get(word, -1) for word in words]

    def encode(self, texts: Sequence[Sequence[str]], *, learning: bool = False) -> tuple[Integers, Integers]:
        """Return the numbers of all words, shape (total,), and the begin of each text, shape (len(texts) + 1,)."""
        words = list(chain.from_iterable(texts))
        if learning:
            new = [word for word in dict.fromkeys(words) if word not in self.numbers]
            self.numbers.update(zip(new, range(len(self.numbers), len(self.numbers) + len(new)), strict=True))
        numbers = np.fromiter(map(self.numbers.get, words, repeat(-1)), np.int64, len(words))
        return numbers, _begins(texts)


class TokenEncoder:
    """Encoder of texts as one flat array of whole numbers.

    Characters have their code points, and words their numbers in a vocabulary. No n-gram of the pool contains an
    unknown word.

    Args:
        tokenizer: one of `known_tokenizers`.
    """

    def __init__(self, tokenizer: str) -> None:
        self.tokenizer = tokenizer
        self.vocabulary = Vocabulary()
        self._numbers_of_word: dict[str, list[int]] = {}

    def __getstate__(self) -> Record:
        """Leave out cached words, so that a pickle does not depend on the texts that were encoded."""
        return {**self.__dict__, "_numbers_of_word": {}}

    def encode(self, texts: Sequence[str], *, learning: bool = False) -> tuple[Integers, Integers]:
        """Encode texts; while `learning`, new tokens get numbers.

        Returns:
            The tokens of all texts, shape (total,), and the begin of each text in them, shape (len(texts) + 1,).
        """
        if self.tokenizer == CHARACTERS:
            joined = "".join(texts).encode("utf-32-le", "surrogatepass")
            return np.frombuffer(joined, dtype="<u4").astype(np.int64), _begins(texts)
        if self.tokenizer in _BY_WORD:
            return _joined(self._encode_words(texts, learning))
        return self.vocabulary.encode(tokenize_all(texts, self.tokenizer), learning=learning)

    def _encode_words(self, texts: Sequence[str], learning: bool) -> list[list[int]]:
        """Encode word by word, so that each distinct word is tokenised once: an order of magnitude faster."""
        number, known = self.vocabulary.number, self._numbers_of_word
        if len(known) > _MOST_WORDS_REMEMBERED:  # a new dictionary: other threads may still read the old one
            known = self._numbers_of_word = {}
        by_word = [None if any(mark in text for mark in _ACROSS_WORDS) else text.split() for text in texts]
        new = [word for word in dict.fromkeys(chain.from_iterable(filter(None, by_word))) if word not in known]
        if new:
            for word, tokens in zip(new, _tokenize_words(new, self.tokenizer), strict=True):
                known[word] = number(tokens, learning)
        return [
            number(tokenize(text, self.tokenizer), learning)
            if words is None
            else list(chain.from_iterable([known[word] for word in words]))
            for text, words in zip(texts, by_word, strict=True)
        ]


def _joined(texts: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    """Return the numbers of all texts, and the begin of each text in them."""
    begins = _begins(texts)
    return np.fromiter(chain.from_iterable(texts), np.int64, int(begins[-1])), begins


def _begins(texts: Sequence[Sequence[object]]) -> Integers:
    """Return the index of each text's first token among all tokens, shape (len(texts) + 1,)."""
    return np.fromiter(accumulate(map(len, texts), initial=0), np.int64, len(texts) + 1)
