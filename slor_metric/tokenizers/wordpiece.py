"""WordPiece: training a vocabulary from word counts, and greedy longest-match tokenisation with it.

Source: Schuster & Nakajima 2012; Wu et al. 2016, Section 4.1. Words come from
`slor_metric.tokenizers.words.WordTokeniser`; a piece that continues a word starts with ``##``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from metric_commons.support.validation import check_number
from slor_metric.tokenizers.words import SPECIALS, UNKNOWN, Tokeniser, WordTokeniser, get_tokeniser

CONTINUATION = "##"
_MAX_WORD = 100  # characters; a longer word is unknown, as in BERT's tokeniser


class WordPieceTokeniser:
    """Words cut into the longest pieces of a vocabulary, from left to right.

    Args:
        vocabulary: the pieces. A word that cannot be built from them is the one token ``<unk>``.
        words: how text is cut into words first.

    >>> tokeniser = WordPieceTokeniser(["flu", "##ent", "##ly", "speak", "##s"])
    >>> tokeniser.split_chunk("Speaks"), tokeniser.split_chunk("fluently!")
    (['speak', '##s'], ['flu', '##ent', '##ly', '<unk>'])
    """

    name = "wordpiece"

    def __init__(self, vocabulary: Sequence[str], words: Tokeniser | None = None) -> None:
        self._pieces = frozenset(vocabulary)
        self.words = WordTokeniser() if words is None else words
        self._longest = max((len(piece.removeprefix(CONTINUATION)) for piece in self._pieces), default=0)

    def split_chunk(self, chunk: str) -> list[str]:
        """Return the pieces of one chunk of text without whitespace."""
        pieces: list[str] = []
        for word in self.words.split_chunk(chunk):
            pieces.extend(self.split_word(word))
        return pieces

    def split_word(self, word: str) -> list[str]:
        """Return the pieces of one word."""
        if word in self._pieces:
            return [word]
        if len(word) > _MAX_WORD:
            return [UNKNOWN]
        found: list[str] = []
        start = 0
        while start < len(word):
            prefix = CONTINUATION if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = prefix + word[start:end]
                if piece in self._pieces:
                    found.append(piece)
                    start = end
                    break
            else:
                return [UNKNOWN]
        return found


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
        ValueError: where the alphabet alone is larger than `vocab_size`, or no word is left.
    """
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.trainers import WordPieceTrainer

    check_number(vocab_size, "vocab_size", minimum=1, integer=True)
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
        full, rest = divmod(count, at_once)
        block = " ".join([word] * at_once) if full else ""
        for _ in range(full):
            yield block
        if rest:
            yield " ".join([word] * rest)
