"""Words by rule and WordPieces, with their training: the rules under which the packaged models were trained.

Every tokeniser here works on one whitespace-separated chunk at a time, so that chunks can be cached and a
token never depends on its neighbours.

WordPiece: training a vocabulary from word counts, and greedy longest-match tokenisation with it.

Source: Schuster & Nakajima 2012; Wu et al. 2016, Section 4.1. Words come from
`slor_metric.tokenizers.words.WordTokeniser`; a piece that continues a word starts with ``##``.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from referenceless_metrics.core.files.archived import Portable
from referenceless_metrics.core.support.installation import importing
from referenceless_metrics.core.support.lazily import cached_property
from referenceless_metrics.core.support.normal_forms import normalise
from referenceless_metrics.core.support.validation import check_choice, check_whole, describe, lone_surrogate

UNKNOWN = "<unk>"
"""Token that stands for every one outside a vocabulary."""

SPECIALS = (UNKNOWN, "<s>", "</s>")
"""The first tokens of the vocabularies of this package's language models; the last two mark a sentence's ends."""

UNK, BOS, EOS = range(3)
"""Numbers of these three in the vocabularies."""


@runtime_checkable
class Tokeniser(Protocol):
    """Splits one chunk of text, which holds no whitespace, into tokens."""

    @property
    def name(self) -> str:
        """The name of the tokenisation, for signatures."""
        ...

    def split_chunk(self, chunk: str) -> list[str]:
        """Return the tokens of one chunk."""
        ...


def tokenise(tokeniser: Tokeniser, text: str) -> list[str]:
    """Return the tokens of a text.

    >>> tokenise(WordTokeniser(), "He didn't say “no”, did he?")
    ['he', 'did', "n't", 'say', '"', 'no', '"', ',', 'did', 'he', '?']
    """
    return [token for chunk in text.split() for token in tokeniser.split_chunk(chunk)]


def replace_surrogates(text: str) -> str:
    """Return a text with U+FFFD for each lone surrogate, for tokenisers and models that take UTF-8 only.

    >>> replace_surrogates("a" + chr(0xD83D)) == "a\N{REPLACEMENT CHARACTER}"
    True
    """
    if lone_surrogate(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


#: One character for each family of typographic variants.
PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´ʼ", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "…": "...",
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\ufeff", None),
    }
)
_DOUBLED = re.compile(r"''|--+")
_CLITIC = r"(?:s|m|d|re|ve|ll)"
_TOKEN = re.compile(
    rf"""
    \d+(?:[.,]\d+)*                                             # 1999, 8,687,956, 4.06
    | [^\W\d_]+(?=n't(?![^\W\d_]))                              # do|n't
    | n't(?![^\W\d_])
    | '{_CLITIC}(?![^\W\d_])                                    # she|'s
    | [^\W\d_]+(?:-[^\W\d_]+|'(?!{_CLITIC}(?![^\W\d_]))[^\W\d_]+)*  # well-known, o'clock
    | \S                                                        # any other character by itself
    """,
    re.VERBOSE,
)


class WordTokeniser:
    """Lower-cased words in the manner of the Penn Treebank, by rule.

    Punctuation marks stand alone (a full stop always does), English clitics are split off (``do n't``,
    ``she 's``), hyphens and apostrophes inside a word stay, numbers keep their points and commas, digits and
    letters are parted, and typographic quotes and dashes become plain ones. Tokens of its own output are left as
    they are.

    >>> WordTokeniser().split_chunk("Don’t—")
    ['do', "n't", '-']
    """

    name = "words"

    def split_chunk(self, chunk: str) -> list[str]:
        """Return the words of one chunk."""
        plain = normalise("NFC", chunk).lower().translate(PLAIN)
        if not plain.isalpha():
            plain = _DOUBLED.sub(lambda match: '"' if match.group() == "''" else "-", plain)
            words = _TOKEN.findall(plain)
            return words if plain.isascii() else _with_marks(words)
        return [plain]


def _with_marks(tokens: list[str]) -> list[str]:
    """Join tokens that vowel signs and other marks part, as in Hindi or Thai: they belong to the letter before them."""
    words: list[list[str]] = []
    before = " "
    for token in tokens:
        if (_is_mark(token[0]) and (before.isalpha() or _is_mark(before))) or (_is_mark(before) and token[0].isalpha()):
            words[-1].append(token)
        else:
            words.append([token])
        before = token[-1]
    return list(map("".join, words))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


class CharacterTokeniser:
    """Lower-cased characters; a sign before each run tells how it is parted from the text before.

    For writing without spaces, such as Chinese, Japanese and Thai, and for little text of any language.

    >>> CharacterTokeniser().split_chunk("東京")
    ['▁', '東', '京']
    """

    name = "characters"

    def split_chunk(self, chunk: str) -> list[str]:
        """Return the characters of one chunk."""
        return ["▁", *normalise("NFC", chunk).lower().translate(PLAIN)]


class WhitespaceTokeniser:
    """Runs of characters between white space, unchanged: for text that is tokenised already.

    >>> WhitespaceTokeniser().split_chunk("Don't")
    ["Don't"]
    """

    name = "whitespace"

    def split_chunk(self, chunk: str) -> list[str]:
        """Return the chunk itself."""
        return [chunk]


_TOKENISERS: dict[str, type[Tokeniser]] = {
    "words": WordTokeniser,
    "whitespace": WhitespaceTokeniser,
    "characters": CharacterTokeniser,
}
TOKENISERS = tuple(_TOKENISERS)


def get_tokeniser(name: str) -> Tokeniser:
    """Return the rule-based tokeniser of that name, one of `TOKENISERS`.

    Raises:
        ValueError: for another name.
    """
    check_choice(name, "tokenizer", TOKENISERS)
    return _TOKENISERS[name]()


UNSPACED = frozenset("bo dz gan hak ja khb km lo lzh my nan shn th wuu yue zh".split())  # noqa: SIM905
"""Languages that are written without spaces between words."""

_LANGUAGE = re.compile(r"[a-z]{2,3}$")


def check_language(language: str) -> str:
    """Return the code of a language after checking that it can be one.

    Raises:
        TypeError: for anything but a string.
        ValueError: for anything but two or three small letters (ISO 639).
    """
    if not isinstance(language, str):
        raise TypeError(f"Expected argument `language` to be a code such as 'ru', but got {describe(language)}")
    if not _LANGUAGE.match(language):
        raise ValueError(
            "Expected argument `language` to be a code of two or three small letters, such as 'ru', "
            f"but got {language!r}"
        )
    return language


def default_tokenizer(language: str | None) -> str:
    """Return the tokenisation for a language: characters if it is written without spaces, else WordPieces.

    Without a language it is ``"words"``.

    >>> default_tokenizer("ja"), default_tokenizer("ru"), default_tokenizer(None)
    ('characters', 'wordpiece', 'words')
    """
    if language is None:
        return "words"
    return "characters" if check_language(language) in UNSPACED else "wordpiece"


CONTINUATION = "##"
_MAX_WORD = 100  # characters; a longer word is unknown, as in BERT's tokeniser


class WordPieceTokeniser(Portable):
    """Words cut into the longest pieces of a vocabulary, from left to right.

    Args:
        vocabulary: the pieces. A word that cannot be built from them is the one token ``<unk>``.

    >>> tokeniser = WordPieceTokeniser(["flu", "##ent", "##ly", "speak", "##s"])
    >>> tokeniser.split_chunk("Speaks"), tokeniser.split_chunk("fluently!")
    (['speak', '##s'], ['flu', '##ent', '##ly', '<unk>'])
    """

    name = "wordpiece"

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._vocabulary = tuple(vocabulary)

    @cached_property
    def _pieces(self) -> frozenset[str]:
        return frozenset(self._vocabulary)

    @cached_property
    def _longest(self) -> int:
        """Most characters of a piece, without the sign of its continuing a word."""
        return max((len(piece.removeprefix(CONTINUATION)) for piece in self._vocabulary), default=0)

    def split_chunk(self, chunk: str) -> list[str]:
        """Return the pieces of one chunk of text without whitespace."""
        return [piece for word in WordTokeniser().split_chunk(chunk) for piece in self.split_word(word)]

    def split_word(self, word: str) -> list[str]:
        """Return the pieces of one word."""
        if word in self._pieces:
            return [word]
        if len(word) > _MAX_WORD:
            return [UNKNOWN]
        pieces: list[str] = []
        start = 0
        while start < len(word):
            prefix = CONTINUATION if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = prefix + word[start:end]
                if piece in self._pieces:
                    pieces.append(piece)
                    start = end
                    break
            else:
                return [UNKNOWN]
        return pieces


def vocabulary_tokeniser(tokenizer: str | Tokeniser, tokens: Sequence[str]) -> Tokeniser:
    """Return the tokeniser of a model with this vocabulary: the one given, or the one of that name.

    Args:
        tokenizer: a tokeniser, ``"wordpiece"``, or one of `TOKENISERS`.
        tokens: the vocabulary, which begins with `SPECIALS`.

    Raises:
        ValueError: for another name.
    """
    if not isinstance(tokenizer, str):
        return tokenizer
    return WordPieceTokeniser(tokens[len(SPECIALS) :]) if tokenizer == "wordpiece" else get_tokeniser(tokenizer)


def train_wordpiece(word_counts: Mapping[str, int], vocab_size: int = 8000, *, progress: bool = True) -> list[str]:
    """Train a WordPiece vocabulary with Hugging Face `tokenizers`, the same one on every run.

    The library's trainer numbers its characters in the order of a hash map, which differs between runs, and breaks
    ties by these numbers. So all characters are given to it beforehand, sorted.

    Words seen once take no part, unless the corpus has under 100,000 words; and characters seen fewer times than one in
    100,000 (at most 100 times) are left out of the alphabet: words that hold one are ``<unk>``.

    Args:
        word_counts: the words of the corpus with their counts, from the word tokeniser.
        vocab_size: the number of pieces at most, characters included.
        progress: show the trainer's progress bar.

    Returns:
        The pieces, characters first.

    Raises:
        ValueError: if the alphabet alone is larger than `vocab_size`, or no word is left.
        ImportError: without `tokenizers`, naming the extra.
    """
    with importing("wordpiece", "training a WordPiece vocabulary needs it"):
        from tokenizers import Tokenizer
        from tokenizers.models import WordPiece
        from tokenizers.pre_tokenizers import WhitespaceSplit
        from tokenizers.trainers import WordPieceTrainer

    check_whole(vocab_size, "vocab_size", 1)
    min_word_count = 2 if sum(word_counts.values()) >= 100_000 else 1
    length = sum(len(word) * count for word, count in word_counts.items())
    min_character_count = min(100, max(1, length // 100_000))
    kept = sorted((word, n) for word, n in word_counts.items() if n >= min_word_count and len(word) <= _MAX_WORD)
    characters: Counter[str] = Counter()
    for word, count in kept:
        for character in word:
            characters[character] += count
    alphabet = sorted(character for character, n in characters.items() if n >= min_character_count)
    if not alphabet:
        raise ValueError(
            f"Expected argument `word_counts` to hold words seen {min_word_count} times with characters seen "
            f"{min_character_count} times, but there are none in {len(word_counts)} words"
        )
    atoms = alphabet + [CONTINUATION + character for character in alphabet]
    if len(atoms) > vocab_size:
        raise ValueError(
            f"Expected argument `vocab_size` to leave room for the alphabet of {len(atoms)} pieces, "
            f"but got {vocab_size}"
        )
    allowed = set(alphabet)
    tokenizer = Tokenizer(WordPiece(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = WhitespaceSplit()
    trainer = WordPieceTrainer(
        vocab_size=vocab_size,
        show_progress=progress,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        special_tokens=atoms,
    )
    usable = [(word, n) for word, n in kept if allowed.issuperset(word)]
    tokenizer.train_from_iterator(_repeated(usable), trainer)
    vocabulary = tokenizer.get_vocab()
    return sorted(vocabulary, key=vocabulary.__getitem__)


def _repeated(word_counts: Sequence[tuple[str, int]], at_once: int = 4096) -> Iterator[str]:
    """Yield every word as often as it was counted: the trainer takes no weights."""
    for word, count in word_counts:
        for first in range(0, count, at_once):
            yield " ".join([word] * min(at_once, count - first))
